"""Dates as feeds write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds.dates import seconds

NOON = 1072958400.0  # 2004-01-01T12:00:00Z


@pytest.mark.parametrize(
    "text",
    [
        "Thu, 01 Jan 2004 12:00:00 GMT",
        "Thu, 1 Jan 2004 12:00:00 GMT",
        "Thu, 01 Jan 04 12:00:00 UT",
        "01 Jan 2004 12:00 Z",
        "Thu,01 Jan 2004 14:00:00 +0200",
        "Thu, 01 Jan 2004 14:00:00 +02:00",
        "Thu, 01 Jan 2004 07:00:00 EST",
        "Thursday, 01 January 2004 12:00:00 GMT",
        "Xyz, 01 Jan 2004 12:00:00 GMT",
        "1-Jan-2004 12:00:00 GMT",
        " Thu, 01 Jan\n2004 12:00:00  GMT ",
        "Thu Jan  1 12:00:00 2004",
        "2004-01-01T12:00:00Z",
        "2004-01-01T12:00Z",
        "2004-01-01T12:00:00.123Z",
        "2004-01-01t12:00:00z",
        "2004-01-01T07:00:00-05:00",
        "2004-01-01T07:00:00-0500",
        "20040101T120000Z",
        "2004-01-01 12:00:00",
        "Thu, 2004/01/01 07:00:00 EST",
        "2004년 01월 01일 오후 09:00:00",
        "2004-01-01 12:00:00 UTC",
        "1072958400",
        "1072958400000",
        "Πεμ, 01 Ιαν 2004 12:00:00 GMT",
        "2004-január-01T7:00-05:00",
    ],
)
def test_noon_is_noon(text: str) -> None:
    assert seconds(text) == NOON


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2004", 1072915200.0),
        ("2004-01", 1072915200.0),
        ("2004-01-01", 1072915200.0),
        ("20040101", 1072915200.0),
        ("2004-032", 1075593600.0),
        ("01 Jan 2004", 1072915200.0),
        ("29 Feb 2004 00:00:00 GMT", 1078012800.0),
    ],
)
def test_parts_of_a_date_begin_where_it_does(text: str, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "soon", "30 Feb 2004 00:00:00 GMT", "2004-13-01", "2004-02-30", "0000-00-00 00:00:00", "1 Jan 0001", "12:00",
     "Thu, 01 Jan 2004 99:00:00 GMT", "2004-01-01T25:00:00Z", "x" * 500, "9" * 90, "Thu, 01 Jan 2004 12:00:00 +9999"],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    assert seconds(text) is None


@given(st.text(max_size=120))
def test_any_text_is_a_date_or_none(text: str) -> None:
    found = seconds(text)
    assert found is None or -3e9 < found < 8e9
