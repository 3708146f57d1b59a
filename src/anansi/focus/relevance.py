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
from typing import Final

from anansi.focus.reading import Reading
from anansi.focus.topic import Rarity, Topic
from anansi.focus.vectors import Vector, dot, norm, total

FARTHEST: Final = 2.0
"""Times the nearness of an example, above which nearer is no better: stuffing words gains no more."""
FED_BACK: Final = 40
"""Pages found most relevant that enrich the topic vector (60 and 20 gave as much, none at all less)."""
FEEDBACK: Final = 0.5
"""Weight of such a page beside an example's."""
REFUSED: Final = 20
"""Pages found least relevant that are held against the topic vector."""
AGAINST: Final = 0.3
"""Weight of all of them together beside that of all examples (0 and 1 gave less)."""
SAID: Final = 100
"""Terms of such a page that count: those that stand there most often; all of them cost three times as much."""
COUNTED: Final = 0.2
"""Relevance from which on a page says what relevant pages are like."""
WORDS_NEAR: Final = 0.25
"""Cosine of a relevant page with a handful of words, where no example says what is near."""
TEACHER: Final = (-4.0, 3.0, 2.0)
"""Bias and weights of text and company, whose logistic function is the relevance; an example has 0.73."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a page."""

    text: float
    """Nearness of its own text to the topic vector."""
    company: float
    """Nearness of what it links to, to what relevant pages link to."""
    raw: float
    """Cosine of its term vector with the sum of the examples' (ARCOMEM, section 5.1)."""
    relevance: float


class Judge:
    """Judges pages.

    Mutable: what was seen (`words`, `links`); `vector`, the topic's, with its `length` and what is `near`; the pages
    fed back and those refused; `_company`, what relevant pages link to, and `_kept`, how much that is.
    """

    def __init__(self, topic: Topic) -> None:
        self.words, self.links = Rarity(), Rarity()
        self.vector: dict[str, float] = {}
        self.length, self.near, self._usual = 1.0, WORDS_NEAR, 1.0
        self._topic = topic
        self._best: list[tuple[float, dict[str, int]]] = []
        self._worst: list[tuple[float, dict[str, int]]] = []
        self._company: dict[str, float] = {}
        self._kept = 0.0
        self._raw: Vector = total([page.terms for page in topic.examples]) or topic.words
        self._raw_length = norm(self._raw) or 1.0
        for page in topic.examples:
            self.see(page)
            self._count(page, 1.0)
        self.settle()

    def see(self, page: Reading) -> None:
        """Take notice of a page, relevant or not."""
        self.words.add(page.own)
        self.links.add({link.key for link in page.references})

    def judge(self, page: Reading) -> Judgement:
        """Measure a page."""
        near = self.words.weighed_against(page.own, self.vector) / (self.length * self.near)
        text = min(FARTHEST, near)
        company = min(FARTHEST, self._shared(page, 0.0) / self._usual) if self._topic.examples else text
        raw = dot(page.terms, self._raw) / (self._raw_length * (norm(page.terms) or 1.0))
        bias, of_text, of_company = TEACHER
        return Judgement(text, company, raw, 1 / (1 + math.exp(-(bias + of_text * text + of_company * company))))

    def nearness(self, terms: Sequence[str]) -> float:
        """Return how near some terms are to the topic vector."""
        return self.words.near(terms, self.vector) / (self.length * self.near)

    def keep(self, page: Reading, relevance: float) -> None:
        """Let a page say what relevant pages are like, or what others are."""
        if relevance < 0.5:
            _insert(self._worst, relevance, page, REFUSED)
        if relevance > COUNTED:
            _insert(self._best, -relevance, page, FED_BACK)
            self._count(page, relevance)

    def _count(self, page: Reading, relevance: float) -> None:
        self._kept += relevance
        for key in {link.key for link in page.references}:
            self._company[key] = self._company.get(key, 0.0) + relevance

    def settle(self) -> None:
        """Make the topic vector anew: of the examples and the pages fed back, against those refused."""
        self.words.settle()
        self.links.settle()
        examples = self._topic.examples
        vectors = [self.words.vector(page.own) for page in examples]
        vector = total(vectors)
        if vectors:
            whole = norm(vector) ** 2
            self.near = _mean([_apart(each, vector, whole) for each in vectors]) or WORDS_NEAR
            self._usual = _mean([self._shared(page, 1.0) for page in examples]) or 1.0
        size = max(1, len(vectors))
        for term, weight in self._topic.words.items():
            vector[term] = vector.get(term, 0.0) + weight * size / 10 * self.words.weight(term)
        for relevance, said in self._best:
            _into(vector, -FEEDBACK * relevance, self.words.vector(said))
        refused = sum(1 - relevance for relevance, _ in self._worst)
        kept = frozenset(vector)
        for relevance, said in self._worst:
            part = self.words.vector({term: said[term] for term in said if term in kept})
            _into(vector, -AGAINST * size * (1 - relevance) / max(refused, 10.0), part)
        self.vector = {term: value for term, value in vector.items() if value > 0}
        self.length = norm(self.vector) or 1.0

    def _shared(self, page: Reading, own: float) -> float:
        """Return how much of what a page links to relevant pages link to as well; `own` is its part in that."""
        weights = {link.key: self.links.weight(link.key) for link in page.references}
        length = norm(weights)
        company, kept = self._company.get, max(1.0, self._kept - own)
        shared = [weight * max(0.0, company(key, 0.0) - own) for key, weight in weights.items()]
        return sum(shared) / (kept * length) if length else 0.0


def _insert(pages: list[tuple[float, dict[str, int]]], number: float, page: Reading, most: int) -> None:
    """Keep what pages with the least numbers say."""
    if len(pages) < most or number < pages[-1][0]:
        said = dict(heapq.nlargest(SAID, page.own.items(), key=itemgetter(1)))
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
