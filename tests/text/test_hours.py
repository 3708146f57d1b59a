"""Times of day beside dates, with their offsets."""

from __future__ import annotations

import pytest

from anansi.text.hours import offset, time_beside, written

DATE = "3 may 2020"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{DATE} 15:32", "T15:32:00"),
        (f"{DATE}, 3:32 pm", "T15:32:00"),
        (f"{DATE} at 12:05 a.m.", "T00:05:00"),
        (f"{DATE} 15:32:07 +0200", "T15:32:07+02:00"),
        (f"{DATE} 15:32 utc", "T15:32:00+00:00"),
        (f"{DATE} um 15.32 uhr", "T15:32:00"),
        (f"{DATE} 15.32", ""),  # a price
        (f"{DATE} 27:32", ""),
        (f"{DATE} after which nobody came until 15:32", ""),
    ],
)
def test_a_time_behind_a_date_is_its(text: str, expected: str) -> None:
    assert time_beside(text, 0, len(DATE)) == expected


def test_a_time_before_a_date_is_its_too() -> None:
    text = f"15:32, {DATE}"
    assert time_beside(text, text.index(DATE), len(text)) == "T15:32:00"


@pytest.mark.parametrize(
    ("hour", "half", "expected"),
    [
        (12, "am", "T00:00:00"),
        (12, "pm", "T12:00:00"),
        (1, "p.m.", "T13:00:00"),
        (13, "pm", "T13:00:00"),
        (24, None, ""),
    ],
)
def test_halves_of_the_day_are_counted_as_people_do(hour: int, half: str | None, expected: str) -> None:
    assert written(hour, 0, 0, half) == expected


def test_hours_alone_are_an_offset_only_where_a_machine_wrote_them() -> None:
    assert offset("+02", 0) == ""
    assert offset("+02", 0, short=True) == "+02:00"
    assert offset("gmt+2", 0) == "+02:00"
    assert offset("+15:00", 0) == ""
