"""Words cut to their stems, and the language that a few words are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final

from anansi.text.stopwords import STOP_WORDS, TELLING

_STEMMERS: Final = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""The algorithms of Snowball; what an older version of the library has not is left unstemmed."""
_SAME: Final = {"nb": "no", "nn": "no"}
_MEMO: Final = 50_000
_SPEAKING: Final = {
    word: tuple(code for code in TELLING if word in STOP_WORDS[code])
    for word in frozenset().union(*(STOP_WORDS[code] for code in TELLING))
}
"""The languages that each stop word is of."""
LEAST_TOLD: Final = 2
"""Stop words of a language that must stand in a text for it to be taken as written in it."""


def code_of(declared: str) -> str:
    """Return the letters of a language as declared by a page, `pt-BR` or `NB`, as they are used here."""
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    return _SAME.get(code, code)


def language_of(words: Sequence[str], *, declared: str = "") -> str:
    """Return the two letters of a language: as declared, else as the stop words tell; empty when nothing does."""
    code = code_of(declared)
    if code in STOP_WORDS or code in _STEMMERS:
        return code
    told = Counter(name for word in words for name in _SPEAKING.get(word, ()))
    best, count = max(told.items(), key=lambda each: each[1], default=("", 0))
    return best if count >= LEAST_TOLD else ""


@cache
def stemmer_of(language: str) -> Callable[[str], str]:
    """Return what cuts the words of a language to their stems; in a language without rules, they stay."""
    import snowballstemmer  # when the first word comes: it loads the rules of all languages

    algorithm = _STEMMERS.get(language, "")
    if algorithm not in snowballstemmer.algorithms():
        return str
    cut: Callable[[str], str] = snowballstemmer.stemmer(algorithm).stemWord
    return cut


@lru_cache(_MEMO)
def stem(word: str, language: str) -> str:
    """Return the stem of a word; the word itself in a language without rules."""
    return stemmer_of(language)(word)
