"""Differences are shown in words, with a little of what stands around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anansi.archive.difference import CONTEXT, GAP, MOST_WORDS, differences

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "\n", "word"]), max_size=40).map(" ".join)


def test_one_word() -> None:
    assert differences("the old house", "the new house") == [
        ("same", "the"),
        ("gone", "old"),
        ("new", "new"),
        ("same", "house"),
    ]
    assert differences("same", "same") == [("same", "same")]
    assert differences("", "new") == [("new", "new")]


def test_what_is_far_from_a_difference_is_left_out() -> None:
    long = " ".join(f"w{number}" for number in range(200))
    shown = differences(f"{long} old", f"{long} new")
    assert shown[0] == ("same", f"{GAP} " + " ".join(f"w{number}" for number in range(200 - CONTEXT, 200)))
    assert [sign for sign, _ in shown] == ["same", "gone", "new"]


def test_very_long_passages_are_compared_as_a_whole() -> None:
    old, new = "a " * (MOST_WORDS + 1), "b " * 3
    assert differences(old, new) == [("gone", old.strip()), ("new", new.strip())]


@given(TEXTS, TEXTS)
def test_both_texts_are_in_it(before: str, after: str) -> None:
    shown = differences(before, after)
    if not any(GAP in text for _, text in shown):
        assert " ".join(text for sign, text in shown if sign != "new").split() == before.split()
        assert " ".join(text for sign, text in shown if sign != "gone").split() == after.split()
