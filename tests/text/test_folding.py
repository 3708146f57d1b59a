"""One spelling for what is the same word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.text.folding import fold


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("Ærø", "aero"),
        ("ΑΘΉΝΑ", "αθηνα"),
        ("ＡＢＣ１２", "abc12"),
        ("e\u0301te\u0301", "ete"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        ("don’t", "don't"),
        ("東京", "東京"),
    ],
)
def test_accents_width_and_the_unseen_do_not_matter(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(st.text())
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    once = fold(text)
    assert fold(once) == once or not once.isascii()
    assert once == once.lower()
