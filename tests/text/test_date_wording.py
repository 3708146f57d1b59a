"""Dates in the forms of most sites, read at a glance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.text.date_wording import said
from anansi.text.dates import Order, usual
from tests.text.test_dates import NOW

YEARS, MONTHS_, DAYS_ = st.integers(1890, 2110), st.integers(1, 13), st.integers(0, 32)


CLOCKS = st.builds(
    "{:02}:{:02}{}".format, st.integers(0, 25), st.integers(0, 61), st.sampled_from(("", ":09", ":60"))
)


YEAR_FIRST = st.builds(
    "{:04}-{:02}-{:02}{}{}{}".format,
    YEARS,
    MONTHS_,
    DAYS_,
    st.sampled_from(("T", ", ", " ")),
    CLOCKS,
    st.sampled_from(("", "+0200", "-03:30", "+14:00", "+15:00", "+0060", "Z")),
)


MONTH_FIRST = st.builds(
    "{}{} {}, {}{}{}{}".format,
    st.sampled_from(("", "Mon ", "Sun, ")),
    st.sampled_from(("Jan", "February", "Mar", "May", "June", "Jul", "Sep", "September", "December")),
    DAYS_,
    YEARS,
    st.sampled_from((" ", ", ", " at ", ", at ")),
    st.one_of(CLOCKS, st.sampled_from(("5:03", "12:00:00"))),
    st.sampled_from(("", " am", " PM")),
)


@given(st.one_of(YEAR_FIRST, MONTH_FIRST))
def test_what_is_read_at_a_glance_is_what_is_read_in_full(text: str) -> None:
    glance = usual(text)
    found = said(text)
    if glance:
        assert found is not None
        assert glance == found.iso(int(NOW), Order())


def test_the_forms_of_most_sites_are_read_at_a_glance() -> None:
    assert usual("2012-02-26, 23:34") == "2012-02-26T23:34:00"
    assert usual("2022-07-24T10:10:00+0200") == "2022-07-24T10:10:00+02:00"
    assert usual("Mon Jan 22, 2017 5:03 am") == "2017-01-22T05:03:00"
    assert usual("November 24, 2015, 03:02:00 PM") == "2015-11-24T15:02:00"
    assert usual("posted 2012-02-26, 23:34") == usual("2012-02-30 10:00") == ""
