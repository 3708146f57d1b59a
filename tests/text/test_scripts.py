"""Scripts: which language they tell, and where their words are."""

from __future__ import annotations

import pytest

from anansi.text.scripts import PIECES, SPELLED, is_japanese, language_by_script


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("これは日本語の文章です", "ja"),
        ("这是一篇中文文章", "zh"),
        ("นี่คือภาษาไทย", "th"),
        ("이것은 한국어입니다", "ko"),
        ("Αυτό είναι ελληνικά", "el"),
        ("זה בעברית", "he"),
        ("This is English", ""),
        ("Это по-русски", ""),  # many languages are written so
        ("", ""),
    ],
)
def test_a_script_that_one_language_has_tells_it(text: str, code: str) -> None:
    assert language_by_script(text)[0] == code


def test_a_name_in_another_script_tells_nothing() -> None:
    assert language_by_script("A long English sentence about 東京 and its trains") == ("", 0.0)


def test_chinese_that_quotes_a_word_of_japanese_is_chinese() -> None:
    assert not is_japanese("中" * 200 + "の")
    assert is_japanese("東京都庁舎の展望台")


def test_marks_belong_to_the_letter_before_them_and_word_less_scripts_stand_apart() -> None:
    assert PIECES.findall("हिन्दी में 東京tower") == ["हिन्दी", "में", "東京", "tower"]
    assert SPELLED.findall("b2b at 5") == ["b2b", "at", "5"]
