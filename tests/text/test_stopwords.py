"""Words that say nothing: there for every language that is told by them, and none that says something."""

from __future__ import annotations

import pytest

from anansi.text.folding import fold
from anansi.text.stopwords import STOP_WORDS, TELLING


@pytest.mark.parametrize("code", sorted(STOP_WORDS))
def test_they_are_small_and_more_than_a_handful(code: str) -> None:
    assert len(STOP_WORDS[code]) > 20
    assert all(word == word.lower() and " " not in word for word in STOP_WORDS[code])


def test_languages_that_are_told_by_them_have_some_that_no_other_has() -> None:
    for code in TELLING:
        others = frozenset().union(*(STOP_WORDS[other] for other in TELLING if other != code))
        assert len(STOP_WORDS[code] - others) >= 5, code


def test_what_texts_are_about_is_none_of_them() -> None:
    assert not STOP_WORDS["en"] & {fold(word) for word in ("flood", "archive", "Europe", "water")}
