"""Text → words, and terms: words without those that say nothing, cut to their stems, without case and accents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Any, Final

from anansi.text.folding import fold
from anansi.text.scripts import INTRICATE, PIECES, PLAIN, RUNS, SPACED, TYPOGRAPHIC, is_japanese
from anansi.text.segments import segmented
from anansi.text.stopwords import STOP_WORDS
from anansi.text.words import stemmer_of

LONGEST: Final = 400_000
"""Characters of a text that are read: a page of 10 MB costs no more than one of 400 KB."""
LONGEST_WORD: Final = 40
"""Letters of a word that can be a term; what is longer is no word (base64, a hash, a run of one letter)."""
REMEMBERED: Final = 200_000
"""Words whose terms are remembered, about 150 bytes each; all of a language are forgotten when there are more."""


def words(text: str) -> list[str]:
    """Return the words of a text in small letters, in its order, each script cut in its own way."""
    return [word for word in _cut(text) if len(word) > 1 or not _is_particle(word)]


def terms(text: str, language: str = "") -> list[str]:
    """Return the terms of a text in its order; without a language, words only lose their case and accents.

    A run is what stands between ASCII characters that are no letters: one word, mostly. To cut a text into runs as
    bytes and look them up takes 0.4 of the time of finding its words as characters.
    """
    memo, text = _memo_of(language), text[:LONGEST]
    found = list(filter(None, map(memo.__getitem__, text.encode(errors="replace").translate(_RUNS).split())))
    if text.isascii() or set(map(type, found)) <= {str}:
        return found
    if _OTHERWISE in found:
        return [term for word in _cut(text) if (term := _term(word, language))]
    return [term for each in found for term in ((each,) if isinstance(each, str) else each)]


def terms_of_each(texts: Sequence[str], language: str = "") -> list[list[str]]:
    """Return the terms of each of several texts; short ones take half of the time that they take one by one."""
    memo, every = _memo_of(language), "\0".join(texts)
    pieces = every.encode(errors="replace").translate(_RUNS_OF_EACH).split(b"\0")
    if len(pieces) != len(texts) or len(every) > LONGEST:
        return [terms(text, language) for text in texts]
    term = memo.__getitem__
    if every.isascii():
        return [list(filter(None, map(term, piece.split()))) for piece in pieces]
    return [
        list(filter(None, map(term, piece.split()))) if piece.isascii() else terms(text, language)
        for piece, text in zip(pieces, texts, strict=True)
    ]


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
_RUNS: Final = bytes(
    code if code >= 128 else ord(chr(code).lower()) if chr(code).isalpha() else 32 for code in range(256)
)
"""ASCII letters in small, other ASCII as spaces."""
_RUNS_OF_EACH: Final = b"\0" + _RUNS[1:]
"""The same, but for what parts one text from the next."""
_SILENT: Final = {
    "en": frozenset(
        """above again among another became become between both de down during each either few further herself himself
        however itself la le many may might much must nor often one per several shall since though three thus two
        until upon us used using via well whether whose within without""".split()  # noqa: SIM905 - a word list
    )
}
"""Words that say nothing of a text, though they are too rare or too foreign to tell its language."""
_OTHERWISE: Final = ("",)
"""Stands for a run whose terms depend on the text around it: scripts without spaces between words."""


class _Memo(dict[bytes, Any]):
    """Run → its term, empty where it says nothing, or a tuple of several; what is remembered changes no result."""

    def __init__(self, language: str):
        super().__init__()
        self._language = language

    def __missing__(self, run: bytes) -> str | tuple[str, ...]:
        found = self[run] = _of_run(run.decode().lower(), self._language)
        return found


_MEMOS: dict[str, _Memo] = {}


def _memo_of(language: str) -> _Memo:
    memo = _MEMOS.get(language)
    if memo is None:
        memo = _MEMOS[language] = _Memo(language)
    elif len(memo) > REMEMBERED:
        memo.clear()
    return memo


def _of_run(run: str, language: str) -> str | tuple[str, ...]:
    if run.isascii():
        return _term(run, language)
    if RUNS.search(run):
        return _OTHERWISE
    words = SPACED if INTRICATE.search(run) else PLAIN
    found = tuple(filter(None, [_term(word, language) for word in words.findall(run)]))
    return found if len(found) > 1 else "".join(found)


@lru_cache(REMEMBERED)
def _term(word: str, language: str) -> str:
    """Return the term of a word in small letters, empty for one that says nothing."""
    nothing = word in STOP_WORDS.get(language, frozenset()) or word in _SILENT.get(language, frozenset())
    silent = nothing or len(word) > LONGEST_WORD or _is_particle(word)
    return "" if silent else fold(stemmer_of(language)(word))


def _is_particle(word: str) -> bool:
    """Tell whether a word is a single letter that says nothing: all but a Han character."""
    return len(word) == 1 and not "\u3400" <= word <= "\u9fff"
