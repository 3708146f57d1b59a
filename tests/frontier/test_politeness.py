"""How long a site is left alone."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.config import Override, Politeness
from anansi.frontier.politeness import fixed, wait

POLICY = Politeness(floor=1.0, factor=5.0, ceiling=30.0)
seconds = st.floats(min_value=0.0, max_value=1e6)


@given(seconds)
def test_the_wait_follows_the_response_time_between_floor_and_ceiling(taken: float) -> None:
    assert 1.0 <= wait(POLICY, taken) <= 30.0
    if 1.0 <= 5.0 * taken <= 30.0:
        assert wait(POLICY, taken) == 5.0 * taken


@pytest.mark.parametrize(("taken", "waited"), [(0.0, 1.0), (0.1, 1.0), (2.0, 10.0), (100.0, 30.0)])
def test_fast_sites_get_the_floor_and_slow_ones_the_ceiling(taken: float, waited: float) -> None:
    assert wait(POLICY, taken) == waited


@given(seconds, seconds)
def test_a_crawl_delay_is_a_floor_even_above_the_ceiling(taken: float, asked: float) -> None:
    assert wait(POLICY, taken, asked=asked) == max(wait(POLICY, taken), asked)


def test_a_crawl_delay_is_worth_nothing_when_robots_are_ignored() -> None:
    assert wait(Politeness(robots="ignore"), 0.0, asked=60.0) == 1.0


def test_a_persons_override_beats_the_adaptive_delay_and_the_crawl_delay() -> None:
    assert wait(POLICY, 100.0, override=Override(delay=0.25), asked=60.0) == 0.25
    assert wait(POLICY, 100.0, override=Override(delay=0.0)) == 0.0
    assert wait(POLICY, 2.0, override=Override(paused=True)) == 10.0


@given(seconds, seconds, st.one_of(st.none(), st.floats(min_value=0.0, max_value=100.0)))
def test_nothing_beats_what_the_server_asks_for(taken: float, slow: float, delay: float | None) -> None:
    waited = wait(POLICY, taken, override=Override(delay=delay), slow=slow)
    assert waited >= slow
    assert waited == max(slow, wait(POLICY, taken, override=Override(delay=delay)))


@given(st.floats(min_value=0.0, max_value=1000.0), seconds)
def test_a_fixed_delay_is_the_same_after_every_answer(delay: float, taken: float) -> None:
    assert wait(msgspec.structs.replace(POLICY, **fixed(delay, POLICY)), taken) == delay
