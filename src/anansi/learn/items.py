"""A page's text → its items: the distinct 2-grams, each a hash of 32 bits.

Numbers (dates, counters, prices) change without anything being said, so a 2-gram that holds a digit is no item.
Hashes depend on nothing but the words, so that two processes agree. Three million distinct 2-grams, as the largest
forums have, lose about a thousand to collisions.
"""

from __future__ import annotations

import re
from array import array
from itertools import pairwise
from typing import Any, Final, TypeAlias
from zlib import crc32

from anansi.text import tree as html

MEMO: Final = 200_000
"""Words whose hashes are remembered, about 120 bytes each."""
LONGEST: Final = 1 << 21
"""Characters of a page's text that are read; a thread of a hundred long posts has a tenth."""

_WORD: Final = re.compile(r"\w+")
_DIGIT: Final = re.compile(r"\d")
_SPREAD: Final = 0x9E3779B97F4A7C15  # odd, 2^64 by the golden ratio: neighbours end far apart (Knuth 6.4)
_MASK: Final = (1 << 64) - 1

Items: TypeAlias = "array[int]"
"""Sorted, distinct hashes of 32 bits."""
NOTHING: Final[Items] = array("I")


PART: Final = 4
"""One item in so many is taken where a sample is enough: those whose hashes are lowest."""
_SAMPLED: Final = (1 << 32) // PART
_SMALL: Final = bytes(range(256)).lower()
_DIGITS: Final = b"0123456789"


def sample_of(text: str) -> bytes:
    """Return a sample of the items of a text, four bytes each; for whoever compares pages while crawling.

    It costs a third of reading them all, and nothing is remembered: words are what is between white space, numbers
    are passed over, so that the words around one stand together, and only letters of ASCII are written small.
    """
    words = text[:LONGEST].encode("utf-8", "surrogatepass").translate(_SMALL, _DIGITS).split()
    found = {item for item in map(crc32, words[1:], map(crc32, words)) if item < _SAMPLED}
    return array("I", found).tobytes()


class ItemReader:
    """Reads items. Mutable state: `_words` (word → hash, 0 for one with a digit), dropped when full."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}

    def of_tree(self, tree: Any) -> Items:
        """Return the items of a parsed page, scripts and styles left out."""
        return self.of_text(html.text(tree))

    def of_text(self, text: str) -> Items:
        """Return the items of a text."""
        words = _WORD.findall(text[:LONGEST].casefold())
        if len(self._words) > MEMO:
            self._words.clear()
        known = self._words
        for word in set(words).difference(known):
            known[word] = _hash(word)
        hashes = list(map(known.__getitem__, words))
        found = {
            ((first << 32 | second) * _SPREAD & _MASK) >> 32 for first, second in pairwise(hashes) if first and second
        }
        return array("I", sorted(found))


def _hash(word: str) -> int:
    return 0 if _DIGIT.search(word) else crc32(word.encode("utf-8", "surrogatepass")) or 1
