"""Strategies that ours is measured against: breadth first, the paper's, the paper's with tf-idf, and an oracle.

The paper's (ARCOMEM, section 5.1): the topic vector is the sum of the seeds' term vectors. The priority of a URL is
the mean of two cosines with it: of the page that the link stands on, and of the link's anchor text. Where a batch of
pages is fetched before its links are scheduled, the vectors of all pages with a link to the URL are summed, and so
are those of the anchors. The update function says what becomes of the priority of a URL that is found again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from anansi.focus.vectors import Vector, cosine, norm, total
from anansi.state import PageTerms
from anansi_lab.simulation import Scored


class BreadthFirst:
    """Follows links in the order they are found in."""

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        """Score all links alike."""
        return [(link.key, 0.5) for page in pages for link in page.references]


class Oracle:
    """Knows which pages carry the label, but may only follow links that it has seen."""

    def __init__(self, relevant: AbstractSet[str]) -> None:
        self._relevant = relevant

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        """Put what carries the label first; among the others, what more such pages link to."""
        for page in pages:
            for key in dict.fromkeys(link.key for link in page.references):
                yield key, 1000.0 if key in self._relevant else float(page.key in self._relevant)


class Paper:
    """The paper's crawler. Mutable: the topic vector, made of the first pages that it is given: the seeds."""

    def __init__(self) -> None:
        self._topic: dict[str, float] = {}
        self._length = 0.0

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        """Score the links of a page, or of a batch of pages."""
        if not self._topic:
            self._topic = total(self.weighted(page.terms) for page in pages)
            self._length = norm(self._topic)
            return [scored for page in pages for scored in self._batch([page])]
        return self._batch(pages)

    def _batch(self, pages: Sequence[PageTerms]) -> Iterator[Scored]:
        anchors: dict[str, Counter[str]] = {}
        places: dict[str, list[int]] = {}
        for number, page in enumerate(pages):
            for link in page.references:
                anchors.setdefault(link.key, Counter()).update(link.anchor)
                here = places.setdefault(link.key, [])
                if here[-1:] != [number]:
                    here.append(number)
        cosines: dict[tuple[int, ...], float] = {}
        for key, numbers in places.items():
            group = tuple(numbers)
            if group not in cosines:
                cosines[group] = self._cosine(total(pages[number].terms for number in group))
            yield key, (cosines[group] + self._cosine(anchors[key])) / 2

    def _cosine(self, counts: Vector) -> float:
        return cosine(self.weighted(counts), self._topic, length=self._length)

    def weighted(self, counts: Vector) -> Vector:
        """Weigh terms: here, by how often they stand there."""
        return counts


class PaperWithIdf(Paper):
    """The same, terms weighed by tf-idf; rarity is that among all pages of the web, which no crawler knows."""

    def __init__(self, holding: Mapping[str, int], pages: int) -> None:
        super().__init__()
        self._holding, self._pages = holding, pages

    def weighted(self, counts: Vector) -> Vector:
        """Weigh terms by the logarithm of how often they stand there, and by how rare they are."""
        pages, holding = self._pages, self._holding
        return {
            term: (1 + math.log(count)) * math.log(pages / holding.get(term, 1)) for term, count in counts.items()
        }
