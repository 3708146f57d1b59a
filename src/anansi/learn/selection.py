"""The greedy choice of ways: again and again the one that brings most new items a page (the paper's score ω).

Evaluation is lazy: the new items of a way only get fewer as others are chosen, so what they were by the pages that
are left now is a bound, and only the ways whose bound is the highest are counted anew.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anansi.learn.items import Items
from anansi.learn.sitemap import SiteMap
from anansi.learn.ways import Way


@dataclass(frozen=True, slots=True)
class Chosen:
    """A way that was chosen, and what spoke for it."""

    way: Way
    pages: int
    """Pages that it added to those of the ways chosen before."""
    items: int
    """Items that they added."""
    covered: float
    """Share of the site's items that is covered with it."""

    @property
    def score(self) -> float:
        """New items a new page."""
        return self.items / self.pages


def score(ways: Iterable[Way], sitemap: SiteMap) -> float:
    """Return ω: the distinct items a page of all that some ways reach, the root left out."""
    pages = {page for way in ways for page in _pages_of(way, sitemap)}
    items: set[int] = set().union(*(sitemap.items(page) for page in pages))
    return len(items) * sitemap.scale / len(pages) if pages else 0.0


class Selection:
    """Chooses ways. Mutable state: pages and items covered, and what is known of each way that is left."""

    def __init__(self, sitemap: SiteMap, ways: Sequence[Way]):
        self._map = sitemap
        self._ways = ways
        self._covered = bytearray(1 + max(sitemap.vertices(), default=0))
        self._covered[0] = 1  # the root is fetched whatever is chosen
        self._items: set[int] = set(sitemap.items(0)) if len(sitemap) else set()
        self._all = len(sitemap.universe()) or 1
        self._left = {number: _pages_of(way, sitemap) for number, way in enumerate(ways)}
        self._known: dict[int, int] = {}
        """Way → its new items when last counted."""
        self.evaluated = 0
        """How often the items of a way were counted."""

    @property
    def covered(self) -> float:
        """The share of the site's items that is covered."""
        return len(self._items) / self._all

    def run(self, ratio: float) -> list[Chosen]:
        """Choose until so much is covered, or nothing is left that brings anything new."""
        chosen = []
        while self.covered < ratio and (best := self._best()) is not None:
            chosen.append(self._take(best))
        return chosen

    def _best(self) -> int | None:
        """Return the way with most new items a page; ties go to the shorter, then to the earlier one."""
        self._narrow()
        heap = [
            (-self._known.get(number, self._all) / len(pages), len(self._ways[number]), number)
            for number, pages in self._left.items()
        ]
        heapq.heapify(heap)
        exact: set[int] = set()
        while heap:
            _, length, number = heapq.heappop(heap)
            if number in exact:
                return number
            if count := self._count(number):
                exact.add(number)
                heapq.heappush(heap, (-count / len(self._left[number]), length, number))
            else:
                del self._left[number]
        return None

    def _narrow(self) -> None:
        """Leave the pages that are covered out of every way, and the ways of which nothing is left: sub-patterns."""
        covered = self._covered
        for number, pages in list(self._left.items()):
            rest = array("I", [page for page in pages if not covered[page]])
            if rest:
                self._left[number] = rest
            else:
                del self._left[number]

    def _count(self, number: int) -> int:
        """Count the new items of a way."""
        self.evaluated += 1
        items: set[int] = set().union(*map(self._map.items, self._left[number]))
        items -= self._items
        self._known[number] = len(items)
        return len(items)

    def _take(self, number: int) -> Chosen:
        pages = self._left.pop(number)
        self._items.update(*map(self._map.items, pages))
        for page in pages:
            self._covered[page] = 1
        return Chosen(self._ways[number], len(pages), self._known[number] * self._map.scale, self.covered)


def _pages_of(way: Way, sitemap: SiteMap) -> Items:
    """Return the pages that a way reaches, those that say what others said left out."""
    return array("I", sorted({page for step in way.steps() for page in step.pages if sitemap.counts(page)}))


def without_parts(chosen: list[Chosen]) -> list[Chosen]:
    """Leave out what a longer way among them goes through anyway."""
    passed = {id(step) for each in chosen for step in each.way.steps() if step is not each.way}
    return [each for each in chosen if id(each.way) not in passed]
