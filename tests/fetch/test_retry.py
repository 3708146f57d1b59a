"""An answer, and what follows from it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.fetch.retry import HERITRIX, LONGEST_WAIT, POLICIES, Verdict, after
from anansi.model import Cut, Fault, Reason

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize("status", [200, 204, 301, 304, 400, 401, 403, 404, 410, 501, 505, 0])
def test_most_answers_are_final(status: int) -> None:
    assert after(status, None, 0, "", NOW) == Verdict()


def test_a_refused_connection_is_tried_again_ever_later_and_then_given_up() -> None:
    verdicts = [after(0, Fault.CONNECT, attempt, "", NOW) for attempt in range(3)]
    assert [verdict.retry for verdict in verdicts] == [True, True, False]
    assert verdicts[0].wait < verdicts[1].wait
    assert verdicts[2].wait == 0
    assert all(verdict.strike for verdict in verdicts)


@pytest.mark.parametrize("fault", [Fault.HEADERS, Fault.ADDRESS, Fault.URL])
def test_what_will_not_change_is_not_tried_again(fault: Fault) -> None:
    assert after(0, fault, 0, "", NOW) == Verdict()


def test_every_fault_and_cut_has_a_policy() -> None:
    assert {*Fault, *Cut} <= set(POLICIES)


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530])
def test_passing_troubles_are_tried_again(status: int) -> None:
    verdict = after(status, None, 0, "", NOW)
    assert verdict.retry
    assert verdict.wait > 0


@pytest.mark.parametrize("cut", [Cut.DISCONNECT, Cut.TIME])
def test_a_body_that_broke_off_is_tried_twice_in_all(cut: Cut) -> None:
    assert after(200, cut, 0, "", NOW).retry
    assert not after(200, cut, 1, "", NOW).retry


def test_a_body_that_our_limit_cut_is_not_tried_again() -> None:
    assert after(200, Cut.LENGTH, 0, "", NOW) == Verdict()


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_site_is_left_alone_as_long_as_it_asks(status: int) -> None:
    assert after(status, None, 0, "120", NOW) == Verdict(True, 120.0, 120.0, False)
    assert after(status, None, 0, "Tue, 14 Nov 2023 22:15:20 GMT", NOW) == Verdict(True, 120.0, 120.0, False)
    assert after(status, None, 0, "Tuesday, 14-Nov-23 22:15:20 GMT", NOW).slow == 120.0


def test_a_busy_site_that_says_nothing_is_left_alone_twice_as_long_each_time() -> None:
    slow = [after(503, None, attempt, "", NOW).slow for attempt in range(4)]
    assert slow == [60, 120, 240, 480]


def test_a_busy_site_is_slowed_even_when_the_page_is_given_up() -> None:
    verdict = after(429, None, 9, "30", NOW)
    assert not verdict.retry
    assert verdict.slow == 30


@pytest.mark.parametrize(
    "asked", ["soon", "-5", "1e9", "0", "Tue, 14 Nov 2023 22:00:00 GMT", "١٢", "9" * 10_000, "nan"]
)
def test_a_retry_after_that_makes_no_sense_is_bounded_or_ignored(asked: str) -> None:
    assert after(429, None, 0, asked, NOW).slow in (60.0, LONGEST_WAIT)


def test_a_long_retry_after_is_bounded() -> None:
    assert after(503, None, 0, "86400", NOW).slow == LONGEST_WAIT
    assert after(503, None, 0, "86400", NOW, ceiling=100).slow == 100
    assert after(503, None, 0, "Tue, 14 Nov 2090 22:15:20 GMT", NOW).slow == LONGEST_WAIT


def test_only_busy_answers_slow_the_site() -> None:
    assert after(500, None, 0, "120", NOW).slow == 0
    assert after(200, None, 0, "120", NOW) == Verdict()


def test_faults_and_reasons_have_the_codes_that_heritrix_logs() -> None:
    assert (HERITRIX[Fault.DNS], HERITRIX[Fault.CONNECT], HERITRIX[Fault.RESET]) == (-1, -2, -3)
    assert (HERITRIX[Fault.TIMEOUT], HERITRIX[Fault.URL], HERITRIX[Reason.ROBOTS]) == (-4, -7, -9998)
    assert {*Fault, *Reason} == set(HERITRIX)


@given(
    st.integers(-5, 700),
    st.none() | st.sampled_from([*Fault, *Cut]),
    st.integers(-3, 10_000),
    st.text(max_size=80),
    st.floats(0, 4e9),
)
def test_no_answer_raises_or_waits_without_bound(
    status: int, fault: Fault | Cut | None, attempt: int, retry_after: str, now: float
) -> None:
    verdict = after(status, fault, attempt, retry_after, now)
    assert 0 <= verdict.wait <= LONGEST_WAIT
    assert 0 <= verdict.slow <= LONGEST_WAIT
    assert math.isfinite(verdict.wait + verdict.slow)
    assert verdict.retry or verdict.wait == 0


def test_a_part_of_a_page_is_waited_for_less_than_a_page() -> None:
    page = after(0, Fault.DNS, 0, "", 0.0)
    part = after(0, Fault.DNS, 0, "", 0.0, part=True)
    assert (page.wait, part.wait) == (60, 10)
    assert after(0, Fault.DNS, 1, "", 0.0).retry
    assert not after(0, Fault.DNS, 1, "", 0.0, part=True).retry
    assert after(503, None, 1, "7", 0.0, part=True) == after(503, None, 1, "7", 0.0)
