"""What one URL shows of when it publishes."""

from __future__ import annotations

import math
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.forecast import factors, forecast_of
from anansi.feeds.rhythm import batch_of, began, change_rate, noted, seen, since, weekday, weights_of
from anansi.feeds.settings import SETTINGS
from anansi.state import Rhythm

HOUR, DAY = 3600.0, 86400.0
NOW = 1_700_000_000.0

DATES = st.one_of(
    st.none(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.floats(NOW - 400 * DAY, NOW + 400 * DAY),
    st.integers(-(10**18), 10**18).map(float),
)
VISIT = st.tuples(st.lists(DATES, max_size=30), st.floats(-DAY, 40 * DAY), st.integers(0, 60), st.booleans())


def watched(gaps: list[float], rhythm: Rhythm) -> Rhythm:
    """Let a feed publish one item after each of these times, each found a minute later."""
    for gap in gaps:
        at = rhythm.last + gap
        rhythm = noted(rhythm, [at - 60], at, window=20)
    return rhythm


@given(st.lists(DATES, max_size=50), st.lists(VISIT, max_size=8))
def test_whatever_feeds_say_a_rhythm_stays_sound(first: list[float | None], visits: list[tuple]) -> None:  # type: ignore[type-arg]
    rhythm = began(first, NOW, window=len(first))
    for events, passed, window, overlap in visits:
        before = rhythm.last
        rhythm = noted(rhythm, events, before + passed, window=window, overlap=overlap)
        assert rhythm.last == max(before, before + passed)
        assert list(rhythm.moments) == sorted(rhythm.moments)
        assert all(at <= rhythm.last for at in rhythm.moments)
        assert all(0 <= left < math.inf for left in rhythm.left)
        assert all(0 <= weight < 2 for weight in weights_of(rhythm))
        assert 0 <= forecast_of(rhythm).rate < math.inf
    packed = msgspec.msgpack.encode(rhythm)
    assert msgspec.msgpack.decode(packed, type=Rhythm) == rhythm


def test_it_is_small_after_years() -> None:
    rng = random.Random(3)
    rhythm = began([], NOW, window=0)
    for _ in range(3000):
        at = rhythm.last + rng.expovariate(1 / DAY)
        rhythm = noted(rhythm, [rng.uniform(rhythm.last, at) for _ in range(rng.randint(0, 3))], at, window=25)
    assert len(msgspec.msgpack.encode(rhythm)) <= 1024
    assert (len(rhythm.moments), len(rhythm.visits), rhythm.made) == (SETTINGS.moments, SETTINGS.visits, 3001)


def test_a_new_feed_begins_with_the_dates_of_its_items() -> None:
    busy = began([NOW - HOUR * number for number in range(20)], NOW, window=20)
    idle = began([NOW - 30 * DAY * number for number in range(20)], NOW, window=20)
    assert forecast_of(busy).rate > 20 * forecast_of(idle).rate
    assert forecast_of(busy).rate == pytest.approx(1 / HOUR, rel=0.3)
    assert forecast_of(began([], NOW)).rate > 0


def test_items_without_a_date_were_published_since_the_last_visit() -> None:
    rhythm = began([NOW - DAY], NOW, window=1)
    for absurd in (None, 0.0, -5.0, NOW + 100 * DAY, NOW - 50 * DAY, math.nan, math.inf):
        assert noted(rhythm, [absurd], NOW + HOUR, window=2).moments == (NOW - DAY, NOW + HOUR / 2)
    assert noted(rhythm, [NOW + 60], NOW + HOUR, window=2).latest == NOW + 60


def test_many_items_of_one_instant_are_one_publication() -> None:
    rhythm = noted(began([], NOW), [NOW + 5] * 10_000, NOW + HOUR, window=10_000)
    assert list(rhythm.moments) == [NOW + 5]
    assert 5 < batch_of(rhythm) < 50  # a site that moved dates all its items alike
    assert list(rhythm.visits) == [(HOUR, 10_000)]
    spread = noted(began([], NOW), [NOW + number for number in range(10_000)], NOW + 3 * HOUR, window=10_000)
    assert len(spread.moments) == SETTINGS.moments


def test_a_clock_that_goes_back_changes_nothing_but_what_is_new() -> None:
    rhythm = began([NOW - DAY], NOW, window=1)
    back = noted(rhythm, [], NOW - 10 * DAY, window=1)
    assert (back.last, back.left, back.moments) == (rhythm.last, rhythm.left, rhythm.moments)
    assert noted(rhythm, [NOW], NOW - 5, window=2).latest == NOW


def test_items_that_may_have_been_lost_are_counted() -> None:
    rhythm = began([NOW - HOUR * number for number in range(10)], NOW, window=10)
    fine = noted(rhythm, [NOW + number for number in range(1, 9)], NOW + DAY, window=10, overlap=True)
    lost = noted(rhythm, [NOW + number for number in range(1, 11)], NOW + DAY, window=10, overlap=False)
    assert (fine.gaps, lost.gaps) == (0, 1)
    assert lost.span <= DAY / 2
    assert noted(rhythm, [], NOW + DAY, window=10, overlap=False).gaps == 0


def test_a_feed_that_only_grows_is_not_full() -> None:
    rhythm = began([NOW - 5], NOW, window=1)
    grown = noted(rhythm, [NOW + 5, NOW + 6], NOW + HOUR, window=3)
    assert not grown.full
    assert noted(grown, [NOW + HOUR + 5], NOW + 2 * HOUR, window=3).full


def test_a_burst_raises_the_rate_and_silence_lowers_it() -> None:
    calm = watched([DAY] * 10, began([], NOW))
    burst = watched([600.0] * 10, calm)
    later = noted(burst, [], burst.last + 2 * DAY, window=20)
    dead = noted(later, [], later.last + 400 * DAY, window=20)
    rates = [forecast_of(each).rate for each in (burst, later, dead)]
    assert rates[0] > 10 * rates[1] > 50 * rates[2] > 0
    assert forecast_of(watched([600.0] * 3, dead)).rate > 20 * rates[2]


def test_regular_intervals_are_found_and_chance_has_none() -> None:
    rng = random.Random(5)
    regular = watched([rng.gauss(6 * HOUR, 600) for _ in range(15)], began([], NOW))
    chance = watched([rng.expovariate(1 / (6 * HOUR)) for _ in range(23)], began([], NOW))
    assert forecast_of(regular).regular > 0.9
    assert forecast_of(chance).regular == 0
    before, after = forecast_of(regular).expected([5 * HOUR, 7 * HOUR])
    assert before < 0.2
    assert after > 0.8


def test_hours_matter_when_they_are_kept_and_not_by_chance() -> None:
    morning = tuple(30 * SETTINGS.whole if number in (16, 17) else 0 for number in range(48))
    assert factors(morning, SETTINGS.hours)[16] > 10
    assert factors(morning, SETTINGS.hours)[40] < 0.2
    highest = []
    for seed in range(20):
        counts = [0] * 48
        for place in random.Random(seed).choices(range(48), k=100):
            counts[place] += SETTINGS.whole
        highest.append(max(factors(tuple(counts), SETTINGS.hours)))
    assert sum(highest) / len(highest) < 1.3
    assert factors((0,) * 48, (0,)) == (1.0,) * 48


def test_days_of_the_week_begin_with_monday() -> None:
    assert weekday(0.0) == 3  # 1 January 1970
    assert [weekday(4 * DAY + day * DAY) for day in range(7)] == list(range(7))


@pytest.mark.parametrize("hours", [3.0, 24.0, 100.0])
def test_the_rate_of_change_is_found_though_only_changes_are_seen(hours: float) -> None:
    rng = random.Random(11)
    visits = []
    for _ in range(2000):
        gap = rng.uniform(0.2, 3) * DAY
        visits.append((gap, float(rng.random() > math.exp(-gap / (hours * HOUR)))))
    assert change_rate(visits) == pytest.approx(1 / (hours * HOUR), rel=0.25)


def test_pages_that_change_more_often_are_expected_sooner() -> None:
    always = never = began([], NOW)
    for number in range(1, 30):
        always, never = seen(always, True, NOW + number * DAY), seen(never, False, NOW + number * DAY)
    assert forecast_of(always).rate > 1 / DAY
    assert 0 < forecast_of(never).rate < 0.2 / DAY
    assert change_rate([]) == 0
    assert change_rate([(0.0, 1.0)]) == 0


def test_a_thread_is_expected_by_the_time_since_its_last_post() -> None:
    thread = began([NOW - 2 * HOUR, NOW - HOUR], NOW)
    posted = since(thread, NOW + HOUR, NOW + 2 * HOUR)
    assert posted.latest == NOW + HOUR
    assert since(posted, NOW + HOUR, NOW + 3 * HOUR).moments == posted.moments
    rates = [forecast_of(since(thread, None, NOW + days * DAY)).rate for days in (1, 10, 100)]
    assert rates[0] > 2 * rates[1] > 4 * rates[2]
