"""Scores: their order as bytes and how a new one changes an old one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.frontier.priority import UPDATES, clamp, descending, single

scores = st.floats(min_value=0.0, max_value=1e30)
anything = st.floats(allow_nan=True, allow_infinity=True)


@given(scores, scores)
def test_byte_order_is_descending_score(one: float, two: float) -> None:
    assert (descending(one) < descending(two)) == (single(one) > single(two))
    assert (descending(one) == descending(two)) == (single(one) == single(two))


@given(anything)
def test_every_float_has_its_four_bytes(score: float) -> None:
    assert len(descending(score)) == 4
    assert descending(1e38) <= descending(score) or score > 1e38
    if not score > 0:
        assert descending(score) == descending(0.0)


@given(anything)
def test_rounding_is_done_once(score: float) -> None:
    assert single(single(score)) == single(score)
    assert single(score) >= 0.0


@given(st.floats(min_value=0.0, max_value=1.0))
def test_rounding_loses_less_than_a_millionth(score: float) -> None:
    assert abs(single(score) - score) < 1e-6


@given(anything)
def test_a_score_from_outside_is_kept_between_0_and_1(score: float) -> None:
    assert 0.0 <= clamp(score) <= 1.0
    if 0.0 <= score <= 1.0:
        assert clamp(score) == score


@pytest.mark.parametrize(
    ("name", "score"), [("first", 0.5), ("last", 0.25), ("max", 0.5), ("sum", 0.75), ("avg", 0.4375)]
)
def test_each_update_combines_in_its_own_way(name: str, score: float) -> None:
    assert UPDATES[name](0.5, 3, 0.25) == score


@given(st.lists(st.floats(min_value=0.0, max_value=1.0), min_size=1, max_size=50))
def test_the_average_of_many_is_their_mean(found: list[float]) -> None:
    score = found[0]
    for times, new in enumerate(found[1:], start=1):
        score = UPDATES["avg"](score, times, new)
    assert score == pytest.approx(sum(found) / len(found))
