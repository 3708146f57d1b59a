"""A text → its words as numbers → its 2-grams as numbers.

A word is a run of letters, digits and their marks, without regard to case. Scripts that set no space between words
give a word for each character. Numbers are handed out in the order of meeting, so 2-grams are exact, not hashed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

DIGIT: Final = 1 << 32 | 1
"""The bits of a 2-gram that are set when its first or its second word holds a digit."""

# Han, Hiragana, Katakana, Bopomofo; Thai, Lao, Myanmar, Khmer.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3005, 0x3007),
    (0x3040, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)
_PLAIN: Final = re.compile(r"\w+")
_BASIC: Final = 0x10000  # marks beyond belong to scripts that no living site is written in


class Words(dict[str, int]):
    """The words met so far, each with its number, which is odd when the word holds a digit.

    Mutable state: itself, filled by `numbers`; a word takes about 100 bytes.
    """

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self) << 1 | any(map(str.isdigit, word))
        return number

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the words of a text, in their order."""
        folded = unicodedata.normalize("NFC", text.casefold())
        special, word = _words()
        found = word.findall(folded) if special.search(folded) else _PLAIN.findall(folded)
        return list(map(self.__getitem__, found))


def grams(numbers: list[int]) -> set[int]:
    """Pair each word with the next."""
    return {first << 32 | second for first, second in pairwise(numbers)}


@cache
def _words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile what makes a text need more than `\\w+`, and what a word is in such a text.

    `re` has no class of marks, without which Hindi and Thai fall to pieces.
    """
    marks = _class(number for number in range(_BASIC) if unicodedata.category(chr(number))[0] == "M")
    alone = "".join(f"{chr(first)}-{chr(last)}" for first, last in _UNSPACED)
    word = rf"[^\W{alone}]+(?:[{marks}]+[^\W{alone}]*)*|(?=\w)[{alone}][{marks}]*"
    return re.compile(f"[{alone}{marks}]"), re.compile(word)


def _class(numbers: Iterable[int]) -> str:
    """Write the ranges of a character class."""
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in _ranges(numbers))


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    first = last = -1
    for number in numbers:
        if number == last + 1 and first >= 0:
            last = number
            continue
        if first >= 0:
            yield first, last
        first = last = number
    if first >= 0:
        yield first, last
