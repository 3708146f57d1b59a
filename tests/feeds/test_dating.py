"""Dates written anew in the form that a page has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.dates import seconds
from anansi.feeds.dating import aged, iso, rewritten

KNOWN = 1_614_772_800.0  # Wednesday, 3 March 2021, 12:00 UTC
WANTED = 1_640_432_700.0  # Saturday, 25 December 2021, 11:45 UTC


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("March 3, 2021", "December 25, 2021"),
        ("Wednesday, March 3rd, 2021", "Saturday, December 25th, 2021"),
        ("03.03.2021", "25.12.2021"),
        ("3/3/21", "25/12/21"),
        ("2021-03-03", "2021-12-25"),
        ("2021-03-03T12:00:00+00:00", "2021-12-25T11:45:00+00:00"),
        ("2021-03-03T13:00:00+01:00", "2021-12-25T12:45:00+01:00"),
        ("Posted 3 Mar 2021 at 7:00 AM", "Posted 25 Dec 2021 at 6:45 AM"),
        ("3. März 2021", "25. Dezember 2021"),
        ("le 3 mars 2021", "le 25 décembre 2021"),
        ("MARCH 03", "DECEMBER 25"),
        ("12:00", "11:45"),
        ("3 March 2021, 10:59", "25 December 2021, "),  # the hour of another moment
        ("March 6, 2021", None),
        ("3 comments", None),
        ("4 March 2020", None),
        ("hello", None),
    ],
)
def test_a_date_is_written_in_its_own_form(text: str, made: str | None) -> None:
    assert rewritten(text, KNOWN, WANTED) == made


@given(st.text(max_size=80), st.floats(0, 4e9), st.floats(0, 4e9))
def test_any_text_can_be_asked(text: str, known: float, wanted: float) -> None:
    made = rewritten(text, known, wanted)
    assert made is None or isinstance(made, str)


@given(st.integers(0, 4_000_000_000), st.integers(0, 4_000_000_000))
def test_a_moment_written_so_can_be_read_back(known: int, wanted: int) -> None:
    made = rewritten(iso(known), known, wanted)
    assert made is not None
    assert seconds(made) == wanted


@pytest.mark.parametrize(
    ("text", "published", "made"),
    [
        ("by Ada, 9 days ago", KNOWN - 2 * 86_400, "by Ada, 2 days ago"),
        ("an hour ago", KNOWN - 90, "1 minute ago"),
        ("2 days ago", None, ""),
        ("long ago", KNOWN, None),
    ],
)
def test_an_age_is_that_of_the_moment(text: str, published: float | None, made: str | None) -> None:
    assert aged(text, published, KNOWN) == made
