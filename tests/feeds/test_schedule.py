"""When to come back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.rhythm import began, noted, weekday
from anansi.feeds.schedule import Limits, Purse, allowed, due
from anansi.feeds.settings import SETTINGS
from anansi.state import Hints, Rhythm, Stamp
from tests.feeds.publishing import KINDS, LIMITS, NOTHING, History, kept, polled, same_requests, synthetic, watched

HOUR, DAY = 3600.0, 86400.0
NOW = 1_700_000_000.0
PRICE = 600.0


def steady(gap: float, count: int = 25, *, window: int = 20, now: float = NOW) -> Rhythm:
    """A feed that published at an interval until now, by chance a little off."""
    rng = random.Random(9)
    dates = [now - number * gap - rng.random() * gap for number in range(count)]
    return began(dates, now, window=window)


HINTS = st.builds(
    Hints,
    ttl=st.none() | st.integers(0, 10**9),
    skip_hours=st.lists(st.integers(0, 23), max_size=24).map(tuple),
    skip_days=st.lists(st.integers(0, 6), max_size=7).map(tuple),
    period=st.sampled_from(["", "hourly", "daily", "weekly", "monthly", "yearly"]),
    frequency=st.none() | st.integers(-3, 100_000),
    start=st.none() | st.floats(-1e12, 1e12).map(lambda at: Stamp("sy:updateBase", "", at)),
)


@given(
    st.lists(st.floats(NOW - 1000 * DAY, NOW + DAY), max_size=40),
    st.floats(-DAY, 500 * DAY),
    HINTS,
    st.floats(0, 40 * DAY),
    st.floats(0, 1e15),
)
def test_never_before_it_is_wanted_and_never_forgotten(
    dates: list[float], passed: float, hints: Hints, least: float, price: float
) -> None:
    limits = Limits(least, 30 * DAY, hints)
    rhythm = began(dates, NOW, window=len(dates))
    now = NOW + passed
    found = due(rhythm, now, limits, price)
    assert found.at >= now
    assert found.at >= NOW + min(max(least, (hints.ttl or 0) * 60, hints.interval or 0, SETTINGS.soonest), 30 * DAY)
    assert found.at <= max(now, NOW + 30 * DAY) + 8 * DAY  # skipped days and hours come on top
    assert 0 <= found.risk <= 1


def test_busy_feeds_are_visited_more_often_but_not_as_much_more() -> None:
    often, seldom = (due(steady(gap), NOW, LIMITS, PRICE).at - NOW for gap in (HOUR, 100 * HOUR))
    assert 3 < seldom / often < 40


def test_what_requests_cost_decides() -> None:
    waits = [due(steady(5 * HOUR, window=500), NOW, LIMITS, price).at - NOW for price in (1, 100, 10_000, 1_000_000)]
    assert waits == sorted(waits)
    assert waits[-1] > 5 * waits[0]


def test_a_dying_feed_is_visited_ever_more_rarely_and_a_revived_one_at_once_again() -> None:
    rhythm = steady(6 * HOUR)
    waits = []
    while rhythm.last < NOW + 700 * DAY:
        at = due(rhythm, rhythm.last, LIMITS, PRICE).at
        waits.append(at - rhythm.last)
        rhythm = noted(rhythm, [], at, window=20)
    assert waits[-1] > 10 * waits[0]
    assert max(waits) <= LIMITS.longest
    back = noted(rhythm, [rhythm.last + HOUR * number for number in range(1, 4)], rhythm.last + 4 * HOUR, window=20)
    assert due(back, back.last, LIMITS, PRICE).at - back.last < waits[-1] / 10


def test_a_regular_feed_is_visited_when_its_item_has_come() -> None:
    rng = random.Random(1)
    moments = [NOW - number * DAY + rng.uniform(-300, 300) for number in range(1, 20)]
    at = due(began(moments, NOW, window=20), NOW, LIMITS, PRICE).at
    assert abs(at - NOW) < HOUR  # the next item is due now
    rhythm = began([*moments, NOW], NOW + 60, window=20)
    assert 0.9 * DAY < due(rhythm, NOW + 60, LIMITS, 3 * HOUR).at - NOW < 1.1 * DAY


def test_items_that_would_fall_out_bound_the_interval_whatever_the_price() -> None:
    small, large = (due(steady(HOUR, window=size), NOW, LIMITS, 1e12) for size in (10, 1000))
    assert small.at - NOW < 6 * HOUR < large.at - NOW
    assert small.risk <= 2 * SETTINGS.risk
    slow = due(steady(HOUR, window=10), NOW, Limits(least=2 * DAY), 1e12)
    assert slow.at == NOW + 2 * DAY  # politeness stands, and the risk is told
    assert slow.risk > 0.1
    assert due(began([], NOW), NOW, LIMITS, PRICE).risk == 0


def test_a_site_that_moved_is_not_visited_for_ever_as_if_it_went_on_so() -> None:
    for step in (0.0, 1.0):
        rhythm = began([NOW - 5 - step * number for number in range(10_000)], NOW, window=10_000)
        while rhythm.last < NOW + 60 * DAY:
            rhythm = noted(rhythm, [], due(rhythm, rhythm.last, LIMITS, PRICE).at, window=10_000)
        assert rhythm.made < 60 * 48


def test_feeds_are_not_visited_at_hours_and_days_that_they_ask_to_skip() -> None:
    nights = Hints(skip_hours=tuple(range(12)), skip_days=(5, 6))
    monday = 4 * DAY
    assert allowed(monday, monday + HOUR, Limits(hints=nights)) == monday + 12 * HOUR
    friday = monday + 4 * DAY
    assert allowed(friday, friday + 25 * HOUR, Limits(hints=nights)) == monday + 7 * DAY + 12 * HOUR
    assert weekday(allowed(friday, friday + 25 * HOUR, Limits(hints=Hints(skip_days=(5, 6))))) == 0
    everything = Hints(skip_hours=tuple(range(24)))
    assert allowed(monday, monday + HOUR, Limits(hints=everything)) == monday + HOUR


def test_an_update_period_is_kept_and_begins_where_the_feed_says() -> None:
    base = Stamp("sy:updateBase", "", 1000.0)
    limits = Limits(hints=Hints(period="daily", frequency=4, start=base))
    at = allowed(NOW, NOW + 60, limits)
    assert at >= NOW + 6 * HOUR
    assert (at - 1000) % (6 * HOUR) == 0
    assert allowed(NOW, NOW + 60, Limits(hints=Hints(ttl=90))) == NOW + 90 * 60
    assert allowed(NOW, NOW + 60, Limits(hints=Hints(period="yearly"))) == NOW + 30 * DAY


def test_a_purse_raises_the_price_when_too_much_is_asked_for() -> None:
    dear = cheap = Purse(24.0, at=NOW, rate=24.0)
    for number in range(1, 1000):
        dear, cheap = dear.paid(NOW + number * 600), cheap.paid(NOW + number * 3 * HOUR)
    assert dear.price > 10 * 3600 > 360 > cheap.price
    assert dear.paid(NOW).at == dear.at  # a clock that goes back


def test_a_purse_keeps_its_budget() -> None:
    histories = synthetic(7, 4, 30 * DAY)
    budget = 10.0 * len(histories)
    spent = kept(histories, budget)[10:]
    assert sum(spent) / len(spent) == pytest.approx(budget, rel=0.1)


def test_fixed_polling_is_counted_right() -> None:
    history = History("x", tuple(NOW + number * 100.0 for number in range(1, 31)), 5, NOW, NOW + 3000)
    told = polled(history, 1000.0)
    assert (told.requests, told.items, told.missed) == (3, 30, 15)
    assert told.delay == pytest.approx(200)
    assert same_requests([history], 3) == pytest.approx(1000, rel=0.01)


def test_items_come_sooner_than_by_fixed_polling_with_as_many_requests() -> None:
    """The figure of `bench/schedule.py` on few histories of other seeds; its floors are looser for that."""
    histories = synthetic(55, 5, 40 * DAY)
    told = dict.fromkeys(KINDS, NOTHING)
    for each in histories:
        told[each.kind] += watched(each, 180.0)
    total = sum(told.values(), NOTHING)
    interval = same_requests(histories, total.requests)
    fixed = sum((polled(each, interval) for each in histories), NOTHING)
    assert total.missed <= 0.002 * total.items
    assert total.delay <= 0.5 * fixed.delay
    for kind, most in {"regular": 0.3, "daily": 0.45, "weekdays": 0.65, "by chance": 1.0}.items():
        own = [each for each in histories if each.kind == kind]
        interval = same_requests(own, told[kind].requests)
        assert told[kind].delay <= most * sum((polled(each, interval) for each in own), NOTHING).delay, kind
