"""Ways from the root: sequences of labels, with the pages that each one reaches.

Pages that share a label are one cluster. Where a label leads from its own cluster on into it (the pages of a list, of
a thread), the step is repeated: a `+`. All pages of a cluster are alike, so a cluster needs few ways to it: the
shortest, and among these the ones that reach most.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anansi.learn.items import Items
from anansi.learn.sitemap import SiteMap

CONTINUITY: Final = 3
"""How often a repeated step is followed where continuity is limited (the paper's `ac`)."""
WAYS: Final = 4
"""Ways that are kept to a cluster."""
MOST: Final = 20_000
"""Ways in all."""


@dataclass(frozen=True, slots=True)
class Way:
    """A sequence of labels from the root."""

    label: int
    repeated: bool
    pages: Items
    """What its last step reaches, the root and what lies before on the way left out."""
    before: Way | None = None

    def steps(self) -> Iterator[Way]:
        """Go through the way from its end to its beginning."""
        way: Way | None = self
        while way is not None:
            yield way
            way = way.before

    def __len__(self) -> int:
        return sum(1 for _ in self.steps())


class Explorer:
    """Finds the ways of a site map. Mutable state: `_edges` (label → its links), each made when first needed."""

    def __init__(self, sitemap: SiteMap, *, limited: bool = True):
        self._map = sitemap
        self._most = CONTINUITY if limited else len(sitemap)
        self._edges: dict[int, dict[int, list[int]]] = {}
        self._next: dict[int, list[int]] = {}

    def ways(self, steps: int) -> list[Way]:
        """Return the ways of up to so many steps, the shorter first."""
        found: list[Way] = []
        reached: dict[int, list[Items]] = {}
        level: list[Way | None] = [None]
        for _ in range(steps):
            full = {label for label, others in reached.items() if len(others) >= WAYS}
            level = [way for way in self._longer(level, full) if _is_new(way, reached)]
            found += [way for way in level if way is not None]
            if len(found) >= MOST:
                return found[:MOST]
        return found

    def _longer(self, level: list[Way | None], full: set[int]) -> list[Way]:
        """Return the ways that go on one step to clusters that are not full, those that reach most first."""
        longer: list[Way] = []
        for way in level:
            begin = set(way.pages) if way is not None else {0}
            known = {0}.union(*(step.pages for step in way.steps())) if way is not None else {0}
            passed = {step.label for step in way.steps()} if way is not None else set()
            longer += [
                Way(label, self._repeats(label, pages), array("I", sorted(pages)), way)
                for label in self._labels_of(way)
                if label not in passed and label not in full and (pages := self._reached(begin, label) - known)
            ]
        return sorted(longer, key=lambda way: (-len(way.pages), way.label))

    def _labels_of(self, way: Way | None) -> list[int]:
        """Return the labels that lead on from the cluster at the end of a way."""
        cluster = -1 if way is None else way.label
        if cluster not in self._next:
            members = {0} if way is None else {end for ends in self._of(way.label).values() for end in ends}
            every = range(len(self._map.labels))
            self._next[cluster] = [label for label in every if not members.isdisjoint(self._of(label))]
        return self._next[cluster]

    def _of(self, label: int) -> dict[int, list[int]]:
        if label not in self._edges:
            self._edges[label] = self._map.edges(label)
        return self._edges[label]

    def _reached(self, begin: set[int], label: int) -> set[int]:
        """Follow a label, as often as continuity allows."""
        edges = self._of(label)
        found: set[int] = set()
        newest = begin
        for _ in range(self._most):
            starts = newest & edges.keys() if len(newest) > len(edges) else [each for each in newest if each in edges]
            newest = {end for start in starts for end in edges[start]} - found
            if not newest:
                break
            found |= newest
        return found

    def _repeats(self, label: int, pages: set[int]) -> bool:
        """Tell whether a label leads on from where it led to."""
        edges = self._of(label)
        return any(page in edges for page in pages)


def _is_new(way: Way, reached: dict[int, list[Items]]) -> bool:
    """Tell whether a way is worth keeping: its cluster has few yet, and none of them reaches the same pages."""
    others = reached.setdefault(way.label, [])
    if len(others) >= WAYS or way.pages in others:
        return False
    others.append(way.pages)
    return True
