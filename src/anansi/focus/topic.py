"""What a crawl is about, as scoring sees it, and how rare terms are among the pages seen so far."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from operator import mul
from typing import Final

from anansi.focus.page import PageTerms
from anansi.focus.settings import SETTINGS
from anansi.focus.vectors import Vector


@dataclass(frozen=True, slots=True)
class Topic:
    """What the archivist gives: words, and pages that are what is sought (the seeds, or other examples)."""

    words: Mapping[str, float] = field(default_factory=dict)
    """Terms with their weights; 1 is a word as important as one that stands in every example."""
    examples: tuple[PageTerms, ...] = ()


OFTEN: Final = 255
"""How often a term stands on a page, above which it counts no more."""


class _Often(dict[int, float]):
    """How often a term stands on a page → what it counts: ten times as often is about three times as much."""

    def __missing__(self, count: int) -> float:
        found = self[count] = 1 + math.log(min(count, OFTEN))
        return found


class _Weights(dict[str, float]):
    """Term → its weight. Mutable: what was asked for, until it is cleared."""

    def __init__(self, rarity: Rarity):
        super().__init__()
        self._rarity = rarity

    def __missing__(self, term: str) -> float:
        found = self[term] = self._rarity.weigh(term)
        return found


_OFTEN: Final = _Often()


class Rarity:
    """Counts in how many pages a term (or a link) stands. Mutable: `total`, `_holding`, `weights`.

    What is asked of whole pages goes through maps: in comprehensions it takes three times as long.
    """

    def __init__(self) -> None:
        self.total = 0
        self._holding: Counter[str] = Counter()
        self.weights: Mapping[str, float] = _Weights(self)
        """Term → its weight, as of the latest `settle`."""

    def add(self, terms: Iterable[str]) -> None:
        """Take notice of a page's terms, each once."""
        self.total += 1
        self._holding.update(iter(terms))
        if len(self._holding) > SETTINGS.most_counted:
            self._holding = Counter({term: count for term, count in self._holding.items() if count > 1})

    def settle(self) -> None:
        """Let the weights follow what was counted since they were asked for first."""
        self.weights = _Weights(self)

    def weigh(self, term: str) -> float:
        """Weigh a term: the rarer, the more; a term of every page still counts for something."""
        return math.log(1 + (self.total + 1) / (self._holding.get(term, 0) + 0.5))

    def near(self, terms: Collection[str], other: Vector) -> float:
        """Return the product of another vector with that of some terms, each of which stands there once."""
        weights = list(map(self.weights.__getitem__, terms))
        product = sum(map(mul, weights, map(other.get, terms, repeat(0.0))))
        return product / math.hypot(*weights) if product else 0.0

    def _values(self, counts: Mapping[str, int]) -> list[float]:
        return list(map(mul, map(self.weights.__getitem__, counts), map(_OFTEN.__getitem__, counts.values())))

    def vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Weigh what stands on a page by tf-idf; the vector has length 1."""
        values = self._values(counts)
        length = math.hypot(*values) or 1.0
        return dict(zip(counts, [value / length for value in values], strict=True))

    def weighed_against(self, counts: Mapping[str, int], other: Vector) -> float:
        """Return the product of that vector and another."""
        values = self._values(counts)
        length = math.hypot(*values)
        return sum(map(mul, values, map(other.get, counts, repeat(0.0)))) / length if length else 0.0

    def parts(self, counts: Mapping[str, int], other: Vector) -> dict[str, float]:
        """Return what each term adds to that product."""
        values = self._values(counts)
        length = math.hypot(*values) or 1.0
        return {
            term: value * other[term] / length for term, value in zip(counts, values, strict=True) if term in other
        }
