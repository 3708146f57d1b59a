"""Text → words, and terms: words without those that say nothing, cut to their stems, without case and accents."""

from __future__ import annotations

from itertools import compress
from typing import Final

from anansi.language.folding import fold
from anansi.language.scripts import INTRICATE, PIECES, PLAIN, RUNS, SPACED, TYPOGRAPHIC, is_japanese
from anansi.language.segments import segmented
from anansi.language.stopwords import STOP_WORDS
from anansi.language.words import stemmer_of

LONGEST: Final = 400_000
"""Characters of a text that are read: a page of 10 MB costs no more than one of 400 KB."""
LONGEST_WORD: Final = 40
"""Letters of a word that can be a term; what is longer is no word (base64, a hash, a run of one letter)."""
REMEMBERED: Final = 200_000
"""Words of a language whose terms are remembered, about 150 bytes each; all are forgotten when there are more."""


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, in its order, each script cut in its own way."""
    return [word for word in _cut(text) if len(word) > 1 or not _is_particle(word)]


def terms(text: str, language: str = "") -> list[str]:
    """Return the terms of a text in its order; without a language, words only lose their case and accents."""
    memo, found = _MEMOS.setdefault(language, {}), _cut(text)
    try:
        return [term for term in [memo[word] for word in found] if term]
    except KeyError:
        _learn(memo, found, language)
        return [term for term in [memo[word] for word in found] if term]


def _cut(text: str) -> list[str]:
    small = text[:LONGEST].lower()
    if not small.isascii():
        for sign in TYPOGRAPHIC:
            small = small.replace(sign, " ")
    if small.isascii():  # translated and split in a quarter of the time of an expression
        return small.translate(_NO_LETTERS).split()
    if not INTRICATE.search(small):
        return PLAIN.findall(small)
    if not RUNS.search(small):
        return SPACED.findall(small)
    pieces = PIECES.findall(small)
    is_run = [RUNS.match(piece) is not None for piece in pieces]
    runs = iter(segmented([*compress(pieces, is_run)], japanese=is_japanese(small)))
    return [word for piece, run in zip(pieces, is_run, strict=True) for word in (next(runs) if run else (piece,))]


_NO_LETTERS: Final = {code: " " for code in range(128) if not chr(code).isalpha()}
_MEMOS: dict[str, dict[str, str]] = {}
"""Language → word → its term, empty for what says nothing; what is remembered changes no result."""


def _learn(memo: dict[str, str], found: list[str], language: str) -> None:
    if len(memo) > REMEMBERED:
        memo.clear()
    stem, stop = stemmer_of(language), STOP_WORDS.get(language, frozenset())
    for word in found:
        if word not in memo:
            silent = word in stop or len(word) > LONGEST_WORD or _is_particle(word)
            memo[word] = "" if silent else fold(stem(word))


def _is_particle(word: str) -> bool:
    """Tell whether a word is a single letter that says nothing: all but a Han character."""
    return len(word) == 1 and not "\u3400" <= word <= "\u9fff"
