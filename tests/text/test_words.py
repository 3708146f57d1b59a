"""Words cut to their stems, and the language that a few words are of."""

from __future__ import annotations

import pytest

from anansi.text.words import code_of, language_of, stem


@pytest.mark.parametrize(
    ("declared", "code"), [("pt-BR", "pt"), ("NB", "no"), ("nn_NO", "no"), (" de ", "de"), ("", "")]
)
def test_a_language_is_known_by_two_letters_however_it_is_declared(declared: str, code: str) -> None:
    assert code_of(declared) == code


def test_what_is_declared_is_believed_where_it_is_known() -> None:
    assert language_of(["the", "house", "of", "the", "rising", "sun"], declared="de") == "de"
    assert language_of(["the", "house", "of", "the", "rising", "sun"], declared="tlh") == "en"


def test_stop_words_tell_a_language_and_one_is_not_enough() -> None:
    assert language_of("das ist nicht der Hund und die Katze".lower().split()) == "de"
    assert language_of(["hund"]) == ""
    assert language_of([]) == ""


def test_forms_of_a_word_have_one_stem_in_their_own_language() -> None:
    assert stem("archives", "en") == stem("archive", "en") == stem("archiving", "en")
    assert stem("häuser", "de") == stem("häusern", "de")
    assert stem("archives", "zz") == "archives"
