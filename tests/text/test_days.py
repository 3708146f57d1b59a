"""Which day is meant."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from anansi.text.days import Ago, Back, Day, Order, Pair, Unix

NOW = int(datetime(2024, 3, 31, 12, tzinfo=UTC).timestamp())


def iso(said: Day | Pair | Ago | Back | Unix, order: Order | None = None) -> str:
    return said.iso(NOW, order or Order())


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (Day(2020, 2, 29), "2020-02-29"),
        (Day(2021, 2, 29), ""),
        (Day(2020, 5, 0), "2020-05"),
        (Day(0, 4, 1), "2024-04-01"),  # a page may be a day ahead
        (Day(0, 4, 2), "2023-04-02"),
        (Day(0, 2, 29), "2024-02-29"),
        (Day(2099, 1, 1, short=True), ""),
    ],
)
def test_a_day_without_a_year_is_the_last_such_day(day: Day, expected: str) -> None:
    assert iso(day) == expected


def test_a_month_before_the_31st_is_the_last_day_of_that_month() -> None:
    assert iso(Ago(1, 0, "day")) == "2024-02-29"
    assert iso(Ago(1, 0, "month")) == "2024-02"
    assert iso(Ago(14, 0, "year")) == "2023"


def test_a_weekday_is_the_last_one_of_its_name() -> None:
    assert iso(Back(1, "T10:00:00")) == "2024-03-30T10:00:00"
    assert iso(Back(0, "", weekday=7)) == "2024-03-24"  # today is Sunday
    assert iso(Back(0, "", weekday=6)) == "2024-03-30"


def test_a_pair_is_read_as_its_site_writes_and_teaches_when_it_can_be_read_in_one_way() -> None:
    both = Pair(Day(2020, 4, 3), Day(2020, 3, 4), american=True)
    assert iso(both) == "2020-03-04"
    order = Order()
    assert iso(Pair(Day(2020, 4, 25), None, american=True), order) == "2020-04-25"
    assert (order.day_first, order.decided) == (1, True)
    assert iso(both, order) == "2020-04-03"


def test_what_lies_ahead_is_not_meant() -> None:
    assert iso(Pair(Day(2024, 12, 1), Day(2024, 1, 12), american=False)) == "2024-01-12"


def test_counts_of_an_order_stay_small_and_keep_their_relation() -> None:
    order = Order()
    for number in range(3000):
        order.count(day_first=number % 3 > 0)
    assert order.day_first + order.month_first <= 1001
    assert order.day_first > order.month_first


def test_seconds_are_a_time_only_where_they_can_be_one() -> None:
    assert iso(Unix(1_700_000_000)).startswith("2023-11-14T22:13:20")
    assert iso(Unix(123)) == iso(Unix(NOW * 2)) == ""
