"""From a text to the numbers of its 2-grams."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.evaluate.words import DIGIT, Words, grams


def spelled(text: str) -> list[str]:
    """Return the words that a text is taken for."""
    words = Words()
    numbers = words.numbers(text)
    by_number = {number: word for word, number in words.items()}
    return [by_number[number] for number in numbers]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Red green, RED!", ["red", "green", "red"]),
        ("don't stop\nnow", ["don", "t", "stop", "now"]),
        ("Straße ΣΑΣ", ["strasse", "σασ"]),
        ("Tiếng Việt", ["tiếng", "việt"]),
        (unicodedata.normalize("NFD", "Tiếng Việt"), ["tiếng", "việt"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("漢字かな test", ["漢", "字", "か", "な", "test"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("한국어 단어", ["한국어", "단어"]),
        ("2024-05 v2", ["2024", "05", "v2"]),
        (" … — ", []),
        ("", []),
    ],
)
def test_a_text_falls_into_its_words(text: str, words: list[str]) -> None:
    assert spelled(text) == words


def test_two_words_in_a_row_are_one_gram_however_often_they_stand_there() -> None:
    words = Words()
    first = grams(words.numbers("to be or not to be"))
    assert len(first) == 4
    assert grams(words.numbers("TO BE")) < first
    assert not grams(words.numbers("be to")) & first
    assert grams(words.numbers("alone")) == set()


def test_a_gram_tells_whether_a_word_of_it_holds_a_digit() -> None:
    words = Words()
    for text, held in (("page 7", True), ("7 pages", True), ("v2 release", True), ("two pages", False)):
        (gram,) = grams(words.numbers(text))
        assert bool(gram & DIGIT) is held, text


@given(st.lists(st.text(max_size=30), max_size=8))
def test_words_of_texts_put_together_are_those_of_each(texts: list[str]) -> None:
    words = Words()
    apart = [number for text in texts for number in words.numbers(text)]
    assert words.numbers("\n".join(texts)) == apart
    assert sorted(number >> 1 for number in words.values()) == list(range(len(words)))
