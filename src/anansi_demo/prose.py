"""Write the texts of the example site: always the same ones for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TypeVar

from anansi_demo.words import EVERYDAY, TALK, Topic

T = TypeVar("T")

_SLOT = re.compile(r"\{(\w+)\}")
_CAPITAL = "_cap"


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """Choose one item.

    Only `random()` is promised to give the same sequence in every Python version; `choice` is not.
    """
    return items[int(rng.random() * len(items))]


def between(rng: random.Random, low: int, high: int) -> int:
    """Choose a number, both ends included."""
    return low + int(rng.random() * (high - low + 1))


def chance(rng: random.Random, probability: float) -> bool:
    """Toss a coin that falls on its face with that probability."""
    return rng.random() < probability


class Writer:
    """Writes about one topic. Mutable state: the generator, and the patterns not used yet in this round."""

    def __init__(self, seed: str, topic: Topic) -> None:
        self.rng = random.Random(seed)
        self._slots = {**EVERYDAY, **topic.slots}
        self._topic = topic
        self._left: dict[Sequence[str], list[str]] = {}

    def sentence(self) -> str:
        """Write a sentence about the topic."""
        return self._fill(self._draw(self._topic.sentences))

    def remark(self) -> str:
        """Write a sentence that could stand in any conversation."""
        return self._fill(self._draw(TALK))

    def title(self) -> str:
        """Write a title."""
        return self._fill(self._draw(self._topic.titles))

    def paragraph(self, sentences: int) -> str:
        """Write a paragraph about the topic."""
        return " ".join(self.sentence() for _ in range(sentences))

    def _draw(self, patterns: Sequence[str]) -> str:
        """Take a pattern that was not used in this round, so that neighbours differ."""
        left = self._left.get(patterns)
        if not left:
            left = self._left[patterns] = list(patterns)
        return left.pop(int(self.rng.random() * len(left)))

    def _fill(self, pattern: str) -> str:
        used: set[str] = set()
        text = _SLOT.sub(lambda slot: self._word(slot[1], used), pattern)
        return text[0].upper() + text[1:]

    def _word(self, slot: str, used: set[str]) -> str:
        name = slot.removesuffix(_CAPITAL)
        fresh = [word for word in self._slots[name] if word not in used]
        word = pick(self.rng, fresh)
        used.add(word)
        return word if name == slot else word[0].upper() + word[1:]
