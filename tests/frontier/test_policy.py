"""What the frontier goes by: how long turns are, and what a site has left."""

from __future__ import annotations

import pytest

from anansi import config
from anansi.config import Definition, Override, Politeness, Scope
from anansi.frontier.policy import TURN, Policy, policy_of
from anansi.frontier.site import Site, SiteRow

SETTINGS = config.Frontier(per_turn=32)


@pytest.mark.parametrize(("floor", "expected"), [(0.0, 32), (TURN / 32, 32), (1.0, int(TURN)), (TURN * 2, 1)])
def test_a_turn_is_no_longer_than_it_takes(floor: float, expected: int) -> None:
    assert Policy(Scope(), SETTINGS, {}, floor=floor).per_turn == expected


def test_a_budget_is_the_sites_own_or_that_of_all_and_never_less_than_nothing() -> None:
    policy = Policy(Scope(site_budget=10), SETTINGS, {"a.org": Override(budget=3)})
    own, other = Site(1, SiteRow(name="a.org", requests=2)), Site(2, SiteRow(name="b.org", requests=12))
    assert (policy.budget(own), policy.budget(other)) == (1, 0)
    assert Policy(Scope(), SETTINGS, {}).budget(other) is None


def test_an_edit_changes_scope_and_overrides_and_nothing_else() -> None:
    first = Definition(strategy="blind", politeness=Politeness(floor=2.0))
    edited = Definition(strategy="learn", scope=Scope(limit=5), sites={"a.org": Override(paused=True)})
    policy = policy_of(edited, first)
    assert policy.scope.limit == 5
    assert policy.override("a.org").paused
    assert not policy.override("b.org").paused
    assert (policy.floor, policy.learning, policy.led, policy.shared) == (2.0, False, False, False)


def test_workers_help_each_other_where_no_wait_is_asked_for() -> None:
    hurry = Definition(politeness=Politeness(floor=0.0, ceiling=0.0, factor=0.0))
    assert policy_of(hurry, hurry).shared
    assert policy_of(Definition(strategy="learn"), Definition(strategy="learn")).learning
