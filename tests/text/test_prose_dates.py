"""The days that a text speaks of."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.text.prose_dates import MOST, span_of, spans

SAID = [
    ("on 12 March 2015 it rained", "2015-03-12", "2015-03-12"),
    ("on March 12th, 2015 it rained", "2015-03-12", "2015-03-12"),
    ("the 2nd of May 1999", "1999-05-02", "1999-05-02"),
    ("in March 2015", "2015-03-01", "2015-03-31"),
    ("in 2012", "2012-01-01", "2012-12-31"),
    ("2015-03-14", "2015-03-14", "2015-03-14"),
    ("2015-03", "2015-03-01", "2015-03-31"),
    ("am 12. März 2015", "2015-03-12", "2015-03-12"),
    ("le 1er août 2014", "2014-08-01", "2014-08-01"),
    ("el 3 de marzo de 2013", "2013-03-03", "2013-03-03"),
    ("12 июня 2013 года", "2013-06-12", "2013-06-12"),
    ("12.3.2016", "2016-03-12", "2016-03-12"),
    ("25/12/2010", "2010-12-25", "2010-12-25"),
    ("12/25/2010", "2010-12-25", "2010-12-25"),
    ("3/4/2011", "2011-01-01", "2011-12-31"),
    ("2015年3月12日", "2015-03-12", "2015-03-12"),
    ("２０１５年３月", "2015-03-01", "2015-03-31"),
    ("2015년 3월", "2015-03-01", "2015-03-31"),
    ("31 February 2011", "2011-01-01", "2011-12-31"),
]


@pytest.mark.parametrize(("text", "first", "last"), SAID)
def test_a_date_is_found_as_exactly_as_it_is_said(text: str, first: str, last: str) -> None:
    (span,) = spans(text)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["costs 1.2000 euros", "12345678", "call 0800 20155", "99%", "2015% more", ""])
def test_other_numbers_are_no_dates(text: str) -> None:
    assert spans(text) == []


def test_each_is_told_once_and_not_more_than_a_limit() -> None:
    assert len(spans("2001 " * 5000)) == 1
    assert len(spans(" ".join(f"{1000 + n}" for n in range(1000)))) == MOST


@given(st.text(st.sampled_from("0123456789 ./-年月日march,th"), max_size=60))
def test_any_text_is_looked_through(text: str) -> None:
    for span in spans(text):
        assert span.first <= span.last
        assert span.said in text.lower()


@given(st.dates(date(1000, 1, 1), date(2099, 12, 31)))
def test_a_day_that_is_written_is_read(day: date) -> None:
    (span,) = spans(day.isoformat())
    assert span.first == span.last == day
    assert span.days == 1


def test_a_day_that_does_not_exist_is_none() -> None:
    assert span_of(2011, 2, 30) is None
    assert span_of(2011, 13) is None
