"""Shares and curves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.evaluate.score import POINTS, Share, thinned


def test_a_share_of_nothing_is_not_known() -> None:
    assert Share(0, 0).share is None
    assert Share(1, 4).share == 0.25


def test_a_curve_goes_on_to_the_last_request() -> None:
    assert thinned([(2, 5), (3, 9)], 7) == ((2, 5), (3, 9), (7, 9))
    assert thinned([(2, 5), (3, 9)], 3) == ((2, 5), (3, 9))
    assert thinned([], 3) == ()


@given(st.integers(1, 5000), st.integers(0, 100))
def test_a_long_curve_keeps_its_ends_and_a_bounded_number_of_points(length: int, unanswered: int) -> None:
    curve = [(number, number * 2) for number in range(1, length + 1)]
    kept = thinned(curve, length + unanswered)
    assert kept[0] == curve[0]
    assert kept[-1] == (length + unanswered, length * 2)
    assert len(kept) <= POINTS + 2
    assert list(kept) == sorted(kept)
