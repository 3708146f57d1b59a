"""A page's text → its items: the distinct 2-grams, each a hash of 32 bits.

Numbers (dates, counters, prices) change without anything being said, so a 2-gram that holds a digit is no item.
Hashes depend on nothing but the words, so that two processes agree. Three million distinct 2-grams, as the largest
forums have, lose about a thousand to collisions.
"""

from __future__ import annotations

import re
from array import array
from itertools import pairwise
from operator import xor
from typing import Any, Final, TypeAlias
from zlib import crc32

from lxml import etree

MEMO: Final = 200_000
"""Words whose hashes are remembered, about 120 bytes each."""
LONGEST: Final = 1 << 21
"""Characters of a page's text that are read; a thread of a hundred long posts has a tenth."""

_WORD: Final = re.compile(r"\w+")
_DIGIT: Final = re.compile(r"\d")
_SPREAD: Final = 0x9E3779B97F4A7C15  # odd, 2^64 by the golden ratio: neighbours end far apart (Knuth 6.4)
_MASK: Final = (1 << 64) - 1
_TEXT: Any = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)

Items: TypeAlias = "array[int]"
"""Sorted, distinct hashes of 32 bits."""
NOTHING: Final[Items] = array("I")


PART: Final = 4
"""One item in so many is taken where a sample is enough: those whose hashes are lowest."""
_SAMPLED: Final = (1 << 32) // PART


class ItemSampler:
    """Reads a sample of a page's items.

    For whoever compares pages while crawling: twice as fast, for words are what is between white space, and the hash
    of a 2-gram is made of its words' by `xor`. Mutable state: `_first` and `_second` (word → its hash as the first
    and as the second one; beyond 32 bits for one with a digit), dropped when full.
    """

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self._second: dict[str, int] = {}

    def of_text(self, text: str) -> bytes:
        """Return a sample of the items of a text, four bytes each."""
        words = text[:LONGEST].casefold().split()
        first, second = self._first, self._second
        if len(first) > MEMO:
            first.clear()
            second.clear()
        for word in set(words).difference(first):
            value = _hash(word)
            first[word] = value or 1 << 32
            second[word] = (value * _SPREAD >> 16) % (1 << 32) if value else 1 << 33
        found = set(map(xor, map(first.__getitem__, words), map(second.__getitem__, words[1:])))
        return array("I", [item for item in found if item < _SAMPLED]).tobytes()


class ItemReader:
    """Reads items. Mutable state: `_words` (word → hash, 0 for one with a digit), dropped when full."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}

    def of_tree(self, tree: Any) -> Items:
        """Return the items of a parsed page, scripts and styles left out."""
        return self.of_text("\n".join(_TEXT(tree)))

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
