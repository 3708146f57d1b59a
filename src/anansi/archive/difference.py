"""Two texts, word by word: what stayed, what went, what came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final, Literal

MOST_WORDS: Final = 4000
"""Words of each side that are compared one by one; of longer passages whole lines are."""
CONTEXT: Final = 8
"""Words that are shown around a difference."""
GAP: Final = "…"

Sign = Literal["same", "gone", "new"]
Passage = tuple[Sign, str]

_TOKEN: Final = re.compile(r"\S+|\n")


def differences(before: str, after: str) -> list[Passage]:
    """Return the passages of two texts in their order, those that stayed cut to what stands near a difference."""
    return list(_near(_merged(_passages(before, after))))


def _passages(before: str, after: str) -> Iterator[Passage]:
    """Compare lines first, then the words of those that differ."""
    old, new = before.split("\n"), after.split("\n")
    for sign, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if sign == "equal":
            yield "same", "\n".join(old[a:b])
        else:
            yield from _words("\n".join(old[a:b]), "\n".join(new[c:d]))
        yield "same", "\n"


def _words(before: str, after: str) -> Iterator[Passage]:
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(old) > MOST_WORDS or len(new) > MOST_WORDS:
        yield "gone", before
        yield "new", after
        return
    for sign, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if sign == "equal":
            yield "same", " ".join(old[a:b])
            continue
        if a < b:
            yield "gone", " ".join(old[a:b])
        if c < d:
            yield "new", " ".join(new[c:d])


def _merged(passages: Iterator[Passage]) -> Iterator[Passage]:
    """Put passages of one sign together."""
    held: Passage | None = None
    for sign, text in passages:
        if held is not None and held[0] == sign:
            held = sign, f"{held[1]} {text}"
        else:
            if held is not None:
                yield held
            held = sign, text
    if held is not None:
        yield held


def _near(passages: Iterator[Passage]) -> Iterator[Passage]:
    """Cut what stayed to a few words at its ends."""
    every = [(sign, " ".join(text.split())) for sign, text in passages]
    every = [each for each in every if each[1]]
    for at, (sign, text) in enumerate(every):
        words = text.split(" ")
        before, behind = at > 0, at < len(every) - 1
        if sign != "same" or len(words) <= CONTEXT * (before + behind) + 1:
            yield sign, text
            continue
        first = " ".join(words[:CONTEXT]) if before else ""
        last = " ".join(words[-CONTEXT:]) if behind else ""
        yield sign, " ".join(filter(None, (first, GAP, last)))
