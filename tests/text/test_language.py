"""Which language a text is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.text.language import READ, Spoken, identify

TEXTS = {
    "en": "The council met on Monday to discuss the new plan for the old harbour and the boats that lie in it.",
    "de": "Der Rat traf sich am Montag, um über den neuen Plan für den alten Hafen und die Boote darin zu sprechen.",
    "fr": "Le conseil s'est réuni lundi pour parler du nouveau plan du vieux port et de tous les bateaux qui y sont.",
    "es": "El consejo se reunió el lunes para hablar del nuevo plan del viejo puerto y de todos los barcos que hay.",
    "pt": "O conselho reuniu-se na segunda-feira para falar do novo plano do velho porto e dos barcos que lá estão.",
    "nl": "De raad kwam maandag bijeen om te praten over het nieuwe plan voor de oude haven en de boten daar.",
    "ru": "Совет собрался в понедельник, чтобы обсудить новый план старой гавани и всех лодок, которые в ней стоят.",
    "pl": "Rada zebrała się w poniedziałek, aby omówić nowy plan starego portu i łodzi, które w nim stoją.",
    "ja": "市は川沿いに新しい堤防を建設する。",
    "zh": "市政府决定在河边修建新的堤坝。",
    "th": "รัฐบาลจะสร้างเขื่อนใหม่ริมแม่น้ำ",
    "ko": "시의회는 월요일에 새로운 계획을 논의했다.",
    "el": "Το συμβούλιο συνεδρίασε τη Δευτέρα.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_tells_its_language(code: str) -> None:
    assert identify(TEXTS[code]).code == code
    assert identify(f"{TEXTS[code]} " * 40).code == code


def test_what_a_page_declares_counts_only_where_its_text_says_nothing() -> None:
    assert identify(TEXTS["fr"], declared="en").code == "fr"
    assert identify("404", declared="nb-NO") == Spoken("no", 0.1)
    assert identify("404", declared="<script>") == Spoken()
    assert identify("") == Spoken()


def test_stop_words_tell_what_is_short() -> None:
    assert identify("Das ist ein Haus mit Garten").code == "de"
    assert identify("This is a house with the garden").code == "en"


def test_only_the_beginning_is_read() -> None:
    assert identify(TEXTS["en"] * 200 + TEXTS["ru"] * 10_000).code == "en"
    assert len(TEXTS["en"] * 200) > READ


def test_a_japanese_word_in_an_english_text_leaves_it_english() -> None:
    assert identify(TEXTS["en"] + " 東京 の").code == "en"


@given(st.text(), st.text(max_size=9))
def test_any_text_has_a_language_or_none(text: str, declared: str) -> None:
    spoken = identify(text, declared=declared)
    assert 0 <= spoken.sure <= 1
    assert bool(spoken.code) == (spoken.sure > 0)
