"""The words of dates in many languages."""

from __future__ import annotations

from datetime import date, timedelta

from anansi.text import months
from tests.text.test_dates import read


def test_no_month_of_one_language_is_another_month_of_the_next() -> None:
    for row in months._MONTHS.strip().splitlines():
        for number, spellings in enumerate(row.split(), start=1):
            for word in spellings.split("/"):
                assert read(f"5. {word} 2009") == f"2009-{number:02}-05", word
                assert read(f"{word} 5, 2009") == f"2009-{number:02}-05", word


def test_every_weekday_has_seven_names_in_a_row() -> None:
    for row in months._WEEKDAYS.strip().splitlines():
        assert len(row.split()) == 7
        for number, spellings in enumerate(row.split()):
            for word in spellings.replace("-", " ").split("/"):
                expected = 7 - number  # the reading day is a Monday
                back = date(2026, 9, 21) - timedelta(days=expected)
                assert read(f"{word}, 10:32") == f"{back}T10:32:00", word
