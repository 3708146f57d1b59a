"""Parts of pages in the frontier: before pages, beyond the page limit, never in the way of what is a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.config import Frontier as Settings
from anansi.config import Scope
from anansi.frontier.embedded import Embedded
from anansi.frontier.lifecycle import State
from anansi.frontier.policy import Policy
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Hop, Link, Outcome, Reason, Role, Skip, Visit

NOW = 1_700_000_000.0
SEED = "http://ant.org/"


@pytest.fixture
def frontier(tmp_path: Path) -> Iterator[Embedded]:
    rules = Policy(Scope(limit=2), Settings(per_turn=4), {})
    opened = Embedded(tmp_path / "frontier", rules, lambda _host: "10.0.0.9")
    opened.join(0)
    opened.discover([Visit(SEED, SEED)], NOW)
    yield opened
    opened.close()


def link(path: str, hop: Hop = Hop.LINK) -> Link:
    role = Role.REQUISITE if hop is Hop.EMBED else Role.PAGE
    return Link(SEED + path, SEED + path, hop.value, role)


def settle(frontier: Embedded, turn: Turn, *links: Link, page: bool = True) -> list[str]:
    """Settle all visits of a turn with these links; return what comes next."""
    how = Outcome(ended=Ended.DONE, status=200, requests=1, page=page)
    frontier.settle(0, [Settlement(token, how, NOW, list(links)) for token, _ in turn.visits], NOW)
    turns = [*frontier.top_up(NOW), *frontier.claim(NOW)]
    frontier.turns = turns  # type: ignore[attr-defined]
    return [visit.url.removeprefix(SEED) for _, each in turns for _, visit in each.visits]


def next_turn(frontier: Embedded) -> Turn:
    ((_, turn),) = frontier.turns  # type: ignore[attr-defined]
    assert isinstance(turn, Turn)
    return turn


def finished(frontier: Embedded) -> bool:
    return frontier.finished


def test_parts_come_before_pages_and_the_limit_is_of_pages(frontier: Embedded) -> None:
    ((_, first),) = frontier.claim(NOW)
    found = settle(frontier, first, link("next"), link("third"), link("a.png", Hop.EMBED), link("b.css", Hop.EMBED))
    assert found == ["a.png"], "near the limit a visit may be a page, so one is taken at a time"
    assert settle(frontier, next_turn(frontier), page=False) == ["b.css"]
    assert settle(frontier, next_turn(frontier), page=False) == ["next"]
    late = settle(frontier, next_turn(frontier), link("c.png", Hop.EMBED), link("d.png", Hop.EMBED))
    assert late == ["c.png", "d.png"], "the limit is reached: what the kept pages need is fetched all the same"
    assert not finished(frontier)
    assert settle(frontier, next_turn(frontier), page=False) == []
    assert finished(frontier)
    assert frontier.limited
    assert (frontier.store.totals.requests, frontier.store.totals.requisites) == (6, 4)
    assert frontier.store.sites["ant.org"].row.requisites == 0


def test_what_was_refused_as_a_link_is_fetched_as_a_part_and_not_refused_then(frontier: Embedded) -> None:
    url = "http://cdn.org/p.png"
    assert frontier.refuse(Skip(url, url, Reason.SCOPE, "outside"))
    part = Visit(SEED, SEED).child(Link(url, url, Hop.EMBED.value, Role.REQUISITE))
    assert frontier.discover([part], NOW) == 1
    assert not frontier.refuse(Skip(url, url, Reason.SCOPE, "outside"))
    assert frontier.store.state(url) is State.SCHEDULED
    assert frontier.store.totals.skipped[Reason.SCOPE] == 0


def test_a_page_that_another_one_shows_stays_a_page(frontier: Embedded) -> None:
    far, url = Visit(SEED + "far", SEED + "far", hops="LLL", depth=3), SEED + "framed"
    frontier.discover([far.child(link("framed"))], NOW)
    frontier.discover([Visit(SEED, SEED).child(link("framed", Hop.EMBED))], NOW)
    site = frontier.store.sites["ant.org"]
    assert [visit.hops for visit in frontier.store.queued(site) if visit.url == url] == ["LLLL"]
    assert site.row.requisites == 0


def test_a_part_that_a_link_leads_to_is_a_page(frontier: Embedded) -> None:
    url = SEED + "framed"
    frontier.discover([Visit(SEED, SEED).child(link("framed", Hop.EMBED))], NOW)
    frontier.discover([Visit(SEED, SEED).child(link("framed"))], NOW)
    site = frontier.store.sites["ant.org"]
    assert [visit.hops for visit in frontier.store.queued(site) if visit.url == url] == ["L"]
    assert (site.row.requisites, site.row.queued) == (0, 2)
