"""What a crawl is about, as scoring sees it, and how rare terms are among the pages seen so far."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from operator import mul
from typing import Final, TypeVar

import msgspec

from anansi.focus.settings import SETTINGS
from anansi.focus.vectors import Vector
from anansi.state import PageTerms


@dataclass(frozen=True, slots=True)
class Topic:
    """What the archivist gives: words, and pages that are what is sought (the seeds, or other examples)."""

    words: Mapping[str, float] = field(default_factory=dict)
    """Terms with their weights; 1 is a word as important as one that stands in every example."""
    examples: tuple[PageTerms, ...] = ()


class Counted(msgspec.Struct):
    """In how many pages terms (or links) stand. Mutable: counted page by page."""

    total: int = 0
    basis: int = 0
    """Of them, those that weights go by: at most a twentieth behind."""
    holding: dict[str, int] = {}


class _Often(dict[int, float]):
    """How often a term stands on a page → what it counts: ten times as often is about three times as much."""

    def __missing__(self, count: int) -> float:
        found = self[count] = 1 + math.log(min(count, SETTINGS.often))
        return found


class _Weights(dict[int, float]):
    """In how many pages a term stands → its weight: the rarer, the more; one of every page still counts."""

    def __init__(self, total: int):
        super().__init__()
        self._total = total

    def __missing__(self, count: int) -> float:
        found = self[count] = math.log(1 + (self._total + 1) / (count + 0.5))
        return found


_OFTEN: Final = _Often()


@dataclass(frozen=True, slots=True)
class Weighed:
    """The terms of a page, with their weights."""

    weights: Mapping[str, float]
    products: Mapping[str, float]
    """Of those that another vector has, the weight times what they have there."""

    def near(self, terms: Collection[str]) -> float:
        """Return the product of that vector with that of some terms of the page, each of which stands there once."""
        product = sum(map(self.products.get, terms, repeat(0.0)))
        return product / math.hypot(*map(self.weights.get, terms, repeat(0.0))) if product else 0.0

    def near_as_often(self, counts: Mapping[str, int]) -> float:
        """Return the product of that vector with that of some terms of the page by tf-idf."""
        often = list(map(_OFTEN.__getitem__, counts.values()))
        product = sum(map(mul, map(self.products.get, counts, repeat(0.0)), often), 0.0)
        length = math.hypot(*map(mul, map(self.weights.__getitem__, counts), often)) if product else 0.0
        return product / length if length else 0.0


class Rarity:
    """Counts in how many pages a term (or a link) stands. Mutable: `counted`; `_weight` follows from it.

    What is asked of whole pages goes through maps: in comprehensions it takes three times as long. What a term weighs
    depends on what was counted alone, and not on when somebody asked: a crawl that is gone on with weighs the same.
    """

    def __init__(self, counted: Counted | None = None) -> None:
        self.counted = counted or Counted()
        self._weight = _Weights(self.counted.basis)

    def add(self, terms: Collection[str]) -> None:
        """Take notice of a page's terms, each once."""
        holding = self.counted.holding
        holding.update(zip(terms, list(map((1).__add__, map(holding.get, terms, repeat(0)))), strict=True))
        self.counted.total += 1
        if len(holding) > SETTINGS.most_counted:
            self.counted.holding = larger_half(holding)
        if 20 * self.counted.total > 21 * self.counted.basis:
            self.counted.basis = self.counted.total
            self._weight = _Weights(self.counted.basis)

    def weights(self, terms: Iterable[str]) -> list[float]:
        """Weigh terms: the rarer, the more."""
        return list(map(self._weight.__getitem__, map(self.counted.holding.get, terms, repeat(0))))

    @property
    def rarest(self) -> float:
        """Return the weight of a term that stands nowhere."""
        return self._weight[0]

    def _values(self, counts: Mapping[str, int]) -> list[float]:
        return list(map(mul, self.weights(counts), map(_OFTEN.__getitem__, counts.values())))

    def vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Weigh what stands on a page by tf-idf; the vector has length 1."""
        values = self._values(counts)
        length = math.hypot(*values) or 1.0
        return dict(zip(counts, [value / length for value in values], strict=True))

    def weighed(self, terms: Collection[str], other: Vector) -> Weighed:
        """Weigh the terms of a page once, for all that is asked of them."""
        weights = dict(zip(terms, self.weights(terms), strict=True))
        return Weighed(weights, {term: weight * other[term] for term, weight in weights.items() if term in other})

    def parts(self, counts: Mapping[str, int], other: Vector) -> dict[str, float]:
        """Return what each term adds to that product."""
        values = self._values(counts)
        length = math.hypot(*values) or 1.0
        return {
            term: value * other[term] / length for term, value in zip(counts, values, strict=True) if term in other
        }


Number = TypeVar("Number", int, float)


def larger_half(table: Mapping[str, Number]) -> dict[str, Number]:
    """Return what has the larger numbers of a table that is full: half of it, or less where many are the same."""
    middle = sorted(table.values())[len(table) // 2]
    return {name: number for name, number in table.items() if number > middle}
