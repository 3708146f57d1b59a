"""What a crawl is about, as scoring sees it, and how rare terms are among the pages seen so far."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from anansi.focus.reading import Reading
from anansi.focus.vectors import Vector, dot, norm


@dataclass(frozen=True, slots=True)
class Topic:
    """What the archivist gives: words, and pages that are what is sought (the seeds, or other examples)."""

    words: Mapping[str, float] = field(default_factory=dict)
    """Terms with their weights; 1 is a word as important as one that stands in every example."""
    examples: tuple[Reading, ...] = ()


MOST: Final = 2_000_000
"""Terms (or links) that are counted, about 100 bytes each; when there are more, those met once are forgotten."""


_OFTEN: Final = (0.0, *(1 + math.log(count) for count in range(1, 256)))
"""What a term counts that stands so often on a page; more often counts no more."""


class Rarity:
    """Counts in how many pages a term (or a link) stands. Mutable: `total`, `_holding`, `_memo` of the weights."""

    def __init__(self) -> None:
        self.total = 0
        self._holding: dict[str, int] = {}
        self._memo: dict[str, float] = {}

    def add(self, terms: Iterable[str]) -> None:
        """Take notice of a page's terms, each once."""
        self.total += 1
        holding = self._holding
        for term in terms:
            holding[term] = holding.get(term, 0) + 1
        if len(holding) > MOST:
            self._holding = {term: count for term, count in holding.items() if count > 1}

    def settle(self) -> None:
        """Let the weights follow what was counted since they were asked for first."""
        self._memo.clear()

    def weight(self, term: str) -> float:
        """Weigh a term: the rarer, the more; a term of every page still counts for something."""
        found = self._memo.get(term)
        if found is None:
            found = self._memo[term] = math.log(1 + (self.total + 1) / (self._holding.get(term, 0) + 0.5))
        return found

    def weights(self, terms: Iterable[str]) -> list[float]:
        """Weigh terms."""
        get, weight = self._memo.get, self.weight
        return [get(term) or weight(term) for term in terms]

    def near(self, terms: Sequence[str], other: Vector) -> float:
        """Return the product of another vector with that of some terms, each of which stands there once."""
        weights, get = self.weights(terms), other.get
        product = sum([value * get(term, 0.0) for term, value in zip(terms, weights, strict=True)])
        return product / math.sqrt(sum([value * value for value in weights])) if product else 0.0

    def _weighed(self, counts: Mapping[str, int]) -> dict[str, float]:
        get, weight, often = self._memo.get, self.weight, _OFTEN
        return {term: (get(term) or weight(term)) * often[min(count, 255)] for term, count in counts.items()}

    def vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Weigh what stands on a page by tf-idf; the vector has length 1."""
        vector = self._weighed(counts)
        length = norm(vector)
        return {term: value / length for term, value in vector.items()} if length else vector

    def weighed_against(self, counts: Mapping[str, int], other: Vector) -> float:
        """Return the product of that vector and another."""
        vector = self._weighed(counts)
        length = norm(vector)
        return dot(vector, other) / length if length else 0.0
