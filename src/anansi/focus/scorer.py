"""Pages in, scores for URLs out; what pages turn out to be corrects what is thought of links.

A page is judged when it comes in. Its relevance is handed on to what it links to, to what stands beside the links to
it elsewhere, to its site, and to the words and the places of the links that led to it. What it links to is scored at
once, all other URLs from time to time: when the crawl has grown by a part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from anansi.focus.evidence import Evidence, Mean, Source
from anansi.focus.modules import MODULES, Module
from anansi.focus.page import PageTerms, address_terms
from anansi.focus.relevance import Judge, Measured
from anansi.focus.settings import SETTINGS
from anansi.focus.topic import Topic
from anansi.focus.verdict import Verdict
from anansi.url import site_of

NO_VERDICT: Final = Verdict()
NO_AUTHORS: Final[Mapping[str, str]] = {}

Scored = tuple[str, float]
"""The key of a URL, and a score for it."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a page."""

    measured: Measured
    """How near its terms and links are to the topic."""
    relevance: float
    """That, joined with what other modules say of it."""
    links: list[Scored]
    """What it links to and was not fetched yet."""


class Scorer:
    """Scores URLs.

    Mutable: `judge`; `known` (URLs not fetched yet) and `_places` (where links to them stand); what was fetched
    (`turned`), and how relevant that was by word, place, site and author; `_since`, pages since all were scored, and
    `_revision`, how often they were.
    """

    def __init__(self, topic: Topic, modules: Sequence[Module] = MODULES, terms: float = 1.0) -> None:
        self._terms = terms if topic.words or topic.examples else 0.0
        self.judge = Judge(topic)
        self.known: dict[str, Evidence] = {}
        self.usual = SETTINGS.before
        self.by_word: dict[str, Mean] = {}
        self.by_label: dict[str, Mean] = {}
        self.by_site: dict[str, Mean] = {}
        self.by_author: dict[str, Mean] = {}
        self.authors: dict[str, str] = {}
        self._modules = tuple(modules)
        self._fixed = tuple((each.weight, each.score) for each in modules if each.fixed)
        self._moving = tuple((each.weight, each.score) for each in modules if not each.fixed)
        self._whole = sum(each.weight for each in modules) or 1.0
        self._examples = frozenset(page.key for page in topic.examples)
        self.turned: dict[str, float] = dict.fromkeys(self._examples, 1.0)
        """Key of a page that was fetched → its relevance."""
        self._places: dict[str, list[tuple[Source, int]]] = {}
        self._fetched = Mean()
        self._since = self._revision = 0

    def begin(self, pages: Iterable[PageTerms]) -> list[Scored]:
        """Take the pages that a crawl starts from, and score all that they link to."""
        for page in pages:
            self._take(page, NO_VERDICT)
        return list(self.revised())

    def read(self, page: PageTerms, verdict: Verdict = NO_VERDICT, authors: Mapping[str, str] = NO_AUTHORS) -> Taken:
        """Take a page, and score what it links to.

        `verdict` is what other modules than the terms say of the page, `authors` who wrote the posts of its links.
        """
        for key, author in authors.items():
            if key not in self.turned and len(self.authors) < SETTINGS.most_urls:
                self.authors.setdefault(key, author)
        measured, relevance = self._take(page, verdict)
        self._since += 1
        known, score = self.known, self.score
        linked = dict.fromkeys([link.key for link in page.references if link.key not in self.turned])
        links = [(key, score(known[key]) if key in known else relevance) for key in linked]
        return Taken(measured, relevance, links)

    @property
    def due(self) -> bool:
        """Tell whether the crawl has grown so much that all URLs are to be scored anew."""
        part = 5 if len(self.turned) <= SETTINGS.early else 2
        return self._since >= max(SETTINGS.soonest, len(self.turned) // part)

    def revised(self) -> Iterator[Scored]:
        """Score all URLs that were not fetched, by all that is known when their turn comes.

        What is read from it can be as little as there is time for: pages may be taken between two scores.
        """
        self.settle()
        return (
            (key, self.score(evidence)) for key in list(self.known) if (evidence := self.known.get(key)) is not None
        )

    def settle(self) -> None:
        """Let the topic and the rarity of words follow what was read."""
        self._since = 0
        self._revision += 1
        self.judge.settle()

    def score(self, evidence: Evidence) -> float:
        """Return the priority of a URL: the weighted mean of what the modules say."""
        if evidence.fixed < 0:
            evidence.fixed = sum([weight * score(evidence, self) for weight, score in self._fixed])
        if evidence.revision != self._revision:
            self._read_words(evidence)
        total = evidence.fixed
        for weight, score in self._moving:
            total += weight * score(evidence, self)
        return total / self._whole

    def explain(self, evidence: Evidence) -> dict[str, float]:
        """Return what each module says of a URL."""
        if evidence.revision != self._revision:
            self._read_words(evidence)
        return {each.name: each.score(evidence, self) for each in self._modules}

    def again(self, key: str) -> float:
        """Score a URL anew; one of which nothing is known by the words of its address."""
        known = self.known.get(key)
        if known is None:
            known = Evidence.of(key)
            known.title = dict.fromkeys(address_terms(key))
            self._read_words(known)
            return min(1.0, known.words[0])
        return self.score(known)

    def turned_to(self, topic: Topic, modules: Sequence[Module], terms: float) -> Scorer:
        """Return what goes by another topic: words count at once; what pages turn out to be is learned anew.

        It takes over what is known of URLs; this one must not be used any more.
        """
        other = Scorer(topic, modules, terms)
        other.known, other.authors = self.known, self.authors
        other._places = self._places
        other.turned = dict.fromkeys(self.turned, other.usual)
        other.judge.words, other.judge.links = self.judge.words, self.judge.links
        for evidence in self.known.values():
            evidence.forget()
        other.settle()
        return other

    def _read_words(self, evidence: Evidence) -> None:
        """Hold the words of a URL against the topic."""
        evidence.revision, title, judge = self._revision, evidence.title, self.judge
        if not title:
            evidence.words = 0.0, 0.0, 0.0
            return
        rarities = list(map(judge.words.weights.__getitem__, title))
        get, scale = judge.vector.get, judge.length * judge.near
        nears = [get(term, 0.0) * rare for term, rare in zip(title, rarities, strict=True)]
        most = max(nears)
        every = min(1.0, sum(nears) / (math.hypot(*rarities) * scale)) if most else 0.0
        rarest = math.log(3 + 2 * judge.words.total)
        evidence.words = every, min(1.0, 4 * most / scale), min(rarities) / rarest

    def _take(self, page: PageTerms, verdict: Verdict) -> tuple[Measured, float]:
        """Judge a page, and hand on what it turned out to be."""
        expected = self.known.pop(page.key, None)
        example = page.key in self._examples
        if not example:
            self.judge.see(page)
        found = self.judge.judge(page)
        relevance = 1.0 if example else verdict.with_terms(found.relevance, self._terms)
        self.turned[page.key] = relevance
        if not example:
            self.judge.keep(page, relevance)
            self._fetched.add(relevance)
            self.usual = self._fetched.towards(SETTINGS.before)
        self._hand_on(page.key, relevance, expected)
        self._link(page, found.raw, relevance, verdict.left)
        return found, relevance

    def _hand_on(self, key: str, relevance: float, expected: Evidence | None) -> None:
        """Tell the links like those that led to a page, and those beside them, how it turned out."""
        _add(self.by_site, [site_of(key)], relevance)
        if (author := self.authors.pop(key, "")) != "":
            _add(self.by_author, [author], relevance)
        if expected is not None:
            _add(self.by_word, expected.title, relevance)
            _add(self.by_label, expected.labels, relevance)
        known, beside = self.known, SETTINGS.beside
        for source, place in self._places.pop(key, ()):
            source.turned(place, relevance)
            for other in source.keys[max(0, place - beside) : place + beside + 1]:
                if other in known:
                    known[other].near += relevance

    def _link(self, page: PageTerms, raw: float, relevance: float, left: float) -> None:
        """Take notice of a page's links, and of what those beside them turned out to be; `left` is of its worth."""
        source = Source.of(page, relevance, raw * left)
        known, places, blocks = self.known, self._places, page.blocks
        outcomes = list(map(self.turned.get, source.keys))
        sums = list(accumulate([each or 0.0 for each in outcomes], initial=0.0))
        last, beside = len(outcomes), SETTINGS.beside
        regions: dict[int, float] = {}
        met: set[str] = set()
        for place, link in enumerate(page.references):
            if (turned := outcomes[place]) is not None:
                source.turned(place, turned)
                continue
            key, number = link.key, link.block
            evidence = known.get(key)
            if evidence is None:
                if len(known) >= SETTINGS.most_urls:
                    continue
                evidence = known[key] = Evidence.of(key)
            if key not in met:
                met.add(key)
                evidence.found(link, source)
            block = blocks[number]
            if number not in regions:
                regions[number] = 0.0 if block.framed else left * self.judge.nearness(block.terms)
            evidence.stands(source, place, regions[number], entry=block.size <= len(link.anchor) + 2)
            places.setdefault(key, []).append((source, place))
            evidence.near += sums[min(last, place + beside + 1)] - sums[max(0, place - beside)]


def _add(table: dict[str, Mean], names: Iterable[str], value: float) -> None:
    for name in names:
        mean = table.get(name)
        if mean is None:
            if len(table) >= SETTINGS.most_means:
                continue
            mean = table[name] = Mean()
        mean.add(value)
