"""Words and terms of texts in many scripts."""

from __future__ import annotations

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from anansi.text import terms as module
from anansi.text.folding import fold
from anansi.text.terms import LONGEST, terms, words
from anansi.text.words import _STEMMERS, stem, stemmer_of

SAME = [
    ("en", "The floods were flooding", "flood"),
    ("fr", "Les inondations et l'inondation", "inond"),
    ("de", "Die Überschwemmungen der Überschwemmung", "uberschwemm"),
    ("es", "Las inundaciones", "inund"),
    ("ru", "наводнения и наводнение", "наводнен"),
    ("tr", "seller ve sel", "sel"),
    ("pl", "powodzie", "powodz"),
]


@pytest.mark.parametrize(("language", "text", "term"), SAME)
def test_forms_of_a_word_are_one_term_without_case_accents_and_stop_words(
    language: str, text: str, term: str
) -> None:
    assert set(terms(text, language)) == {term}


@pytest.mark.parametrize("language", sorted(_STEMMERS))
def test_every_language_of_snowball_has_its_rules(language: str) -> None:
    if _STEMMERS[language] not in snowballstemmer.algorithms():
        pytest.skip("the library that is installed has no such rules")
    assert stemmer_of(language) is not str


def test_a_language_without_rules_keeps_its_words() -> None:
    assert stem("words", "xx") == "words"
    assert terms("Étoiles étoilées", "xx") == ["etoiles", "etoilees"]


CUT = [
    ("It's the cat’s — e-mail, 3rd_time", ["it", "the", "cat", "mail", "rd", "time"]),
    ("l’été naïf", ["été", "naïf"]),
    ("यह हिन्दी है", ["यह", "हिन्दी", "है"]),
    ("cafe\u0301s", ["cafe\u0301s"]),
    ("", []),
    ("12 34 !? _", []),
    ("人工智能技术", ["人工智能", "技术"]),
    ("東京の図書館", ["東京", "図書館"]),
    ("รถไฟเปิด", ["รถไฟ", "เปิด"]),
]


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_words_are_cut_by_their_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_each_script_of_a_mixed_text_is_cut_in_its_own_way() -> None:
    found = words("The 東京オリンピック was covered by 人民日报, รถไฟ and naïve bloggers in Москва")
    assert {"the", "東京", "オリンピック", "covered", "人民", "รถไฟ", "naïve", "москва"} <= set(found)
    assert "の" not in found


def test_a_headline_without_kana_on_a_japanese_page_is_japanese() -> None:
    page = "東京都知事選\n昨日の夜、東京で大きな集会があった。多くの人が集まった。"
    assert "東京" in words(page)
    assert "東" not in words(page)


def test_what_is_no_word_is_no_term() -> None:
    assert terms("x" * 41 + " a bb", "en") == ["bb"]


def test_a_text_is_read_to_a_limit() -> None:
    assert len(words("ab " * 4_000_000)) == LONGEST // 3


def test_what_is_remembered_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 10)
    text = " ".join(f"word{'abcdefghijklmnop'[n % 16]}{'abcdefghijklmnop'[n // 16]}" for n in range(200))
    assert terms(text, "eo") == terms(text, "eo")
    for n in range(50):
        terms(f"one{'abcdefghij'[n % 10]} two{'abcdefghij'[n // 10]}", "eo")
    assert len(module._MEMOS["eo"]) < 300


@given(st.text(), st.sampled_from(["", "en", "de", "ja", "th", "zh", "ar", "hi"]))
def test_any_text_has_words_and_terms(text: str, language: str) -> None:
    for term in terms(text, language):
        assert term
        assert fold(term) == term
    assert all(word == word.lower() for word in words(text))


def test_one_spelling_for_what_is_the_same_word() -> None:
    assert (
        fold("Ærøskøbing CŒUR Straße Łódź ÉTÉ Ｆｕｌｌ co\u00adop") == "aeroskobing coeur strasse lodz ete full coop"
    )
    assert fold("東京 กรุงเทพ हिन्दी") == "東京 กรุงเทพ हिन्दी"
