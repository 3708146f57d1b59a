"""What a rhythm lets expect."""

from __future__ import annotations

import pytest

from anansi.feeds.forecast import factors, forecast_of
from anansi.feeds.rhythm import DAY, began, noted
from anansi.feeds.settings import SETTINGS
from anansi.state import Rhythm

HOUR = 3600.0
NOW = 1_700_000_000.0


def steady(gap: float, count: int = 40) -> Rhythm:
    """A feed that published at even intervals up to now."""
    return began([NOW - gap * number for number in range(count)], NOW, window=count)


def test_more_is_expected_the_longer_one_waits() -> None:
    expected = forecast_of(steady(6 * HOUR)).expected([HOUR, 6 * HOUR, DAY, 7 * DAY])
    assert list(expected) == sorted(expected)
    assert expected[-1] > expected[0] > 0


def test_who_publishes_more_often_is_expected_to() -> None:
    often, seldom = (forecast_of(steady(gap)).expected([DAY])[-1] for gap in (HOUR, 12 * HOUR))
    assert often > 3 * seldom


def test_even_intervals_are_believed_and_uneven_ones_are_not() -> None:
    uneven = began([NOW - gap for gap in (0, 60, 90, 4 * DAY, 4 * DAY + 30, 9 * DAY, 30 * DAY)], NOW, window=9)
    assert forecast_of(steady(6 * HOUR)).regular > 0.9
    assert forecast_of(uneven).regular == 0.0


def test_a_url_that_never_published_is_expected_to_within_a_week() -> None:
    silent = forecast_of(began([], NOW, window=0))
    assert silent.expected([SETTINGS.prior])[-1] == pytest.approx(1.0, rel=0.5)


def test_a_long_silence_lowers_what_is_expected() -> None:
    rhythm = steady(HOUR)
    later = noted(rhythm, [], NOW + 30 * DAY, window=40)
    assert forecast_of(later).expected([DAY])[-1] < forecast_of(rhythm).expected([DAY])[-1] / 2


def test_hours_matter_where_they_differ_more_than_chance_lets_them() -> None:
    few = (SETTINGS.whole,) + (0,) * 47
    even = (SETTINGS.whole * 10,) * 48
    office = (0,) * 18 + (SETTINGS.whole * 20,) * 16 + (0,) * 14
    assert set(factors(few, SETTINGS.hours)) == {1.0}
    assert max(factors(even, SETTINGS.hours)) == pytest.approx(1.0, abs=0.05)
    shaped = factors(office, SETTINGS.hours)
    assert shaped[26] > 2 > 0.5 > shaped[4]
