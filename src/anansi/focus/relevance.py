"""How relevant a page turned out: its text and its links, held against those of what is known to be relevant.

Both are measured by what the examples have of them: 1 is as near to the topic as an example is to the other examples.
"""

from __future__ import annotations

import bisect
import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import msgspec

from anansi.focus.settings import SETTINGS
from anansi.focus.topic import Counted, Rarity, Topic, Weighed, larger_half
from anansi.focus.vectors import Vector, dot, norm, total
from anansi.state import PageTerms


@dataclass(frozen=True, slots=True)
class Measured:
    """How near a page is to the topic."""

    text: float
    """Nearness of its own text to the topic vector."""
    company: float
    """Nearness of what it links to, to what relevant pages link to."""
    raw: float
    """Cosine of its term vector with the sum of the examples' (ARCOMEM, section 5.1)."""
    relevance: float


class Learned(msgspec.Struct):
    """What a judge has learned of a crawl. Mutable: kept up page by page."""

    words: Counted
    links: Counted
    """What pages link to."""
    vector: dict[str, float] = {}
    """The topic's, as of the latest `settle`, like those below."""
    length: float = 1.0
    near: float = SETTINGS.words_near
    """Cosine of an example with the others."""
    usual: float = 1.0
    """How much of what an example links to the others link to as well."""
    best: list[tuple[float, dict[str, int]]] = []
    """What the most relevant pages say, each with its relevance, negative."""
    worst: list[tuple[float, dict[str, int]]] = []
    company: dict[str, float] = {}
    """What relevant pages link to: key → the sum of their relevances."""
    kept: float = 0.0
    """The sum of the relevances of all of them."""


class Judge:
    """Judges pages. Mutable: `learned`; `words` and `links` count what stands in it."""

    def __init__(self, topic: Topic, learned: Learned | None = None) -> None:
        self._topic = topic
        self._raw: Vector = total([page.terms for page in topic.examples]) or topic.words
        self._raw_length = norm(self._raw) or 1.0
        self.learned = learned or Learned(Counted(), Counted())
        self.words, self.links = Rarity(self.learned.words), Rarity(self.learned.links)
        if learned is None:
            for page in topic.examples:
                self.see(page)
                self._count(page, 1.0)
            self.settle()

    def turned_to(self, topic: Topic) -> Judge:
        """Return what goes by another topic, and knows how rare words and links are."""
        other = Judge(topic, Learned(self.learned.words, self.learned.links))
        other.settle()
        return other

    def see(self, page: PageTerms) -> None:
        """Take notice of a page, relevant or not."""
        self.words.add(page.own)
        self.links.add({link.key for link in page.references})

    def weighed(self, page: PageTerms) -> Weighed:
        """Weigh the terms of a page, and hold them against the topic."""
        return self.words.weighed(page.terms, self.learned.vector)

    def judge(self, page: PageTerms, weighed: Weighed | None = None) -> Measured:
        """Measure a page, whose terms may have been weighed before."""
        known, farthest = self.learned, SETTINGS.farthest
        text = min(farthest, (weighed or self.weighed(page)).near_as_often(page.own) / self.scale)
        company = min(farthest, self._shared(page, 0.0) / known.usual) if self._topic.examples else text
        raw = dot(page.terms, self._raw) / (self._raw_length * (norm(page.terms) or 1.0))
        bias, of_text, of_company = SETTINGS.teacher
        relevance = 1 / (1 + math.exp(-(bias + of_text * text + of_company * company))) if text or company else 0.0
        return Measured(text, company, raw, relevance)

    def parts(self, page: PageTerms) -> dict[str, float]:
        """Return what each term of a page adds to its nearness."""
        return self.words.parts(page.own, self.learned.vector)

    @property
    def scale(self) -> float:
        """Return the product with the topic vector that makes a nearness of 1."""
        return self.learned.length * self.learned.near

    def keep(self, page: PageTerms, relevance: float) -> None:
        """Let a page say what relevant pages are like, or what others are."""
        if relevance < 0.5:
            _insert(self.learned.worst, relevance, page, SETTINGS.refused)
        if relevance > SETTINGS.counted:
            _insert(self.learned.best, -relevance, page, SETTINGS.fed_back)
            self._count(page, relevance)

    def _count(self, page: PageTerms, relevance: float) -> None:
        known = self.learned
        known.kept += relevance
        for key in {link.key for link in page.references}:
            known.company[key] = known.company.get(key, 0.0) + relevance
        if len(known.company) > SETTINGS.most_counted:
            known.company = larger_half(known.company)

    def settle(self) -> None:
        """Make the topic vector anew: of the examples and the pages fed back, against those refused."""
        known, vectors = self.learned, [self.words.vector(page.own) for page in self._topic.examples]
        vector = total(vectors)
        if vectors:
            whole = norm(vector) ** 2
            known.near = _mean([_apart(each, vector, whole) for each in vectors]) or SETTINGS.words_near
            known.usual = _mean([self._shared(page, 1.0) for page in self._topic.examples]) or 1.0
        self._enrich(vector, max(1, len(vectors)))
        known.vector = {term: value for term, value in vector.items() if value > 0}
        known.length = norm(known.vector) or 1.0

    def _enrich(self, vector: dict[str, float], size: int) -> None:
        """Add words and pages fed back to the vector of so many examples, and take off the pages refused."""
        words = self._topic.words
        for (term, weight), rare in zip(words.items(), self.words.weights(words), strict=True):
            vector[term] = vector.get(term, 0.0) + weight * size / 10 * rare
        for relevance, said in self.learned.best:
            _into(vector, -SETTINGS.feedback * relevance, self.words.vector(said))
        refused = sum(1 - relevance for relevance, _ in self.learned.worst)
        kept = frozenset(vector)
        for relevance, said in self.learned.worst:
            part = self.words.vector({term: said[term] for term in said if term in kept})
            _into(vector, -SETTINGS.against * size * (1 - relevance) / max(refused, 10.0), part)

    def _shared(self, page: PageTerms, own: float) -> float:
        """Return how much of what a page links to relevant pages link to as well; `own` is its part in that."""
        keys = dict.fromkeys([link.key for link in page.references])
        if not keys:
            return 0.0
        weights, company = self.links.weights(keys), self.learned.company.get
        shared = [weight * max(0.0, company(key, 0.0) - own) for key, weight in zip(keys, weights, strict=True)]
        return sum(shared) / (max(1.0, self.learned.kept - own) * math.hypot(*weights))


def _insert(pages: list[tuple[float, dict[str, int]]], number: float, page: PageTerms, most: int) -> None:
    """Keep what pages with the least numbers say."""
    if len(pages) < most or number < pages[-1][0]:
        said = dict(heapq.nlargest(SETTINGS.said, page.own.items(), key=itemgetter(1)))
        bisect.insort(pages, (number, said), key=itemgetter(0))
        del pages[most:]


def _into(vector: dict[str, float], weight: float, other: Vector) -> None:
    for term, value in other.items():
        vector[term] = vector.get(term, 0.0) + weight * value


def _apart(vector: Vector, every: Vector, square: float) -> float:
    """Return the cosine of a vector of length 1 with the rest of a sum that it is part of; `square` is of the sum."""
    product = dot(vector, every)
    rest = square - 2 * product + 1
    return (product - 1) / math.sqrt(rest) if rest > 1e-9 and product > 1 else 0.0


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
