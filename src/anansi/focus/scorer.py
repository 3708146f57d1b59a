"""Pages in, scores for URLs out; what pages turn out to be corrects what is thought of links.

A page is judged when it comes in. Its relevance is handed on to what it links to, to what stands beside the links to
it elsewhere, to its site, and to the words and the places of the links that led to it. What it links to is scored at
once, all other URLs from time to time: when the crawl has grown by a part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from anansi.focus.evidence import Evidence, Mean, Source
from anansi.focus.modules import MODULES, Module
from anansi.focus.reading import Reading, address_terms
from anansi.focus.relevance import Judge
from anansi.focus.topic import Topic
from anansi.focus.verdict import Verdict
from anansi.url import site_of

BESIDE: Final = 4
"""Links on either side of a link that stand beside it."""
MOST: Final = 1_000_000
"""URLs of which evidence is kept, about 1 KB each; what is found beyond them gets the score of its page."""
TABLE: Final = 200_000
"""Words, places and sites of which a mean is kept."""
SOONEST: Final = 10
"""Pages after which all URLs may be scored anew."""
EARLY: Final = 300
"""Pages up to which all URLs are scored anew when the crawl has grown by a fifth, and then by a half: what that costs
a page stays the same however long the crawl is."""
BEFORE: Final = 0.3
"""Relevance that pages are expected to have before any was fetched."""

NO_VERDICT: Final = Verdict()
NO_AUTHORS: Final[Mapping[str, str]] = {}

Scored = tuple[str, float]
"""The key of a URL, and a score for it."""


class Scorer:
    """Scores URLs.

    Mutable: `judge`; `known` (URLs not fetched yet) and `_places` (where links to them stand); what was fetched
    (`_turned`), and how relevant that was by word, place and site; `_since`, pages since all were scored, and
    `_revision`, how often they were.
    """

    def __init__(self, topic: Topic, modules: Sequence[Module] = MODULES, terms: float = 1.0) -> None:
        self._terms = terms
        self.judge = Judge(topic)
        self.known: dict[str, Evidence] = {}
        self.usual = BEFORE
        self._modules = tuple(modules)
        self._fixed = tuple((each.weight, each.score) for each in modules if each.fixed)
        self._moving = tuple((each.weight, each.score) for each in modules if not each.fixed)
        self._whole = sum(each.weight for each in modules) or 1.0
        self._examples = frozenset(page.key for page in topic.examples)
        self._turned: dict[str, float] = dict.fromkeys(self._examples, 1.0)
        self._places: dict[str, list[tuple[Source, int]]] = {}
        self._fetched = Mean()
        self._by_term: dict[str, Mean] = {}
        self._by_label: dict[str, Mean] = {}
        self._by_site: dict[str, Mean] = {}
        self._by_author: dict[str, Mean] = {}
        self._authors: dict[str, str] = {}
        self._since = self._revision = 0

    def begin(self, pages: Iterable[Reading]) -> list[Scored]:
        """Take the pages that a crawl starts from, and score all that they link to."""
        for page in pages:
            self._take(page)
        return self.revised()

    def read(
        self, page: Reading, verdict: Verdict = NO_VERDICT, authors: Mapping[str, str] = NO_AUTHORS
    ) -> list[Scored]:
        """Take a page, and score what it links to; from time to time all URLs.

        `verdict` is what other modules than the terms say of the page, `authors` who wrote the posts of its links.
        """
        for key, author in authors.items():
            if key not in self._turned and len(self._authors) < MOST:
                self._authors.setdefault(key, author)
        relevance = self._take(page, verdict)
        self._since += 1
        if self._since >= max(SOONEST, len(self._turned) // (5 if len(self._turned) <= EARLY else 2)):
            return self.revised()
        linked = dict.fromkeys(link.key for link in page.references if link.key not in self._turned)
        return [(key, self.score(self.known[key]) if key in self.known else relevance) for key in linked]

    def revised(self) -> list[Scored]:
        """Score all URLs that were not fetched, by all that is known now."""
        self._since = 0
        self._revision += 1
        self.judge.settle()
        return [(key, self.score(evidence)) for key, evidence in self.known.items()]

    def score(self, evidence: Evidence) -> float:
        """Return the priority of a URL: the weighted mean of what the modules say."""
        if evidence.fixed < 0:
            evidence.fixed = sum([weight * score(evidence, self) for weight, score in self._fixed])
        return (
            evidence.fixed + sum([weight * score(evidence, self) for weight, score in self._moving])
        ) / self._whole

    def explain(self, evidence: Evidence) -> dict[str, float]:
        """Return what each module says of a URL."""
        return {each.name: each.score(evidence, self) for each in self._modules}

    def named(self, evidence: Evidence) -> tuple[float, float, float]:
        """Return how near a URL's words are to the topic: all of them, the nearest alone; and how rare they are."""
        if evidence.named != self._revision:
            evidence.names, evidence.named = self._names(evidence), self._revision
        return evidence.names

    def _names(self, evidence: Evidence) -> tuple[float, float, float]:
        judge = self.judge
        rarities = judge.words.weights(evidence.title)
        if not rarities:
            return 0.0, 0.0, 0.0
        get, scale = judge.vector.get, judge.length * judge.near
        nears = [get(term, 0.0) * rare for term, rare in zip(evidence.title, rarities, strict=True)]
        length = math.sqrt(sum([rare * rare for rare in rarities]))
        rarest = math.log(3 + 2 * judge.words.total)
        return min(1.0, sum(nears) / (length * scale)), min(1.0, 4 * max(nears) / scale), min(rarities) / rarest

    def taught(self, evidence: Evidence) -> float:
        """Return how relevant the pages turned out whose links had the same words."""
        usual, table = self.usual, self._by_term
        means = [table[term].towards(usual, 1.0) for term in evidence.title if term in table]
        return (sum(means) + usual) / (len(means) + 1)

    def labelled(self, evidence: Evidence) -> float:
        """Return how relevant the pages turned out that links in the same place led to."""
        usual, table = self.usual, self._by_label
        return max([table[label].towards(usual) for label in evidence.labels if label in table], default=usual)

    def sited(self, evidence: Evidence) -> float:
        """Return how relevant the pages of the same site turned out."""
        mean = self._by_site.get(site_of(evidence.key))
        return mean.towards(self.usual) if mean is not None else self.usual

    def turn_to(self, topic: Topic, modules: Sequence[Module]) -> None:
        """Go by another topic: words count at once; what pages turn out to be is learned anew."""
        fresh = Scorer(topic, modules)
        fresh.known, fresh._places, fresh._authors = self.known, self._places, self._authors
        fresh._turned = dict.fromkeys(self._turned, fresh.usual)
        fresh.judge.words, fresh.judge.links = self.judge.words, self.judge.links
        for evidence in self.known.values():
            evidence.forget()
        self.__dict__.update(fresh.__dict__)
        self._revision += 1
        self.judge.settle()

    def again(self, key: str) -> float:
        """Score a URL anew; one of which nothing is known by the words of its address."""
        known = self.known.get(key)
        if known is None:
            known = Evidence(key)
            known.title = dict.fromkeys(address_terms(key))
            return min(1.0, self.named(known)[0])
        return self.score(known)

    def social(self, evidence: Evidence) -> float:
        """Return how relevant the pages turned out that links by the same author led to."""
        mean = self._by_author.get(self._authors.get(evidence.key, ""))
        return mean.towards(self.usual) if mean is not None else self.usual

    def _take(self, page: Reading, verdict: Verdict = NO_VERDICT) -> float:
        """Judge a page, and hand on what it turned out to be."""
        expected = self.known.pop(page.key, None)
        example = page.key in self._examples
        if not example:
            self.judge.see(page)
        found = self.judge.judge(page)
        relevance = 1.0 if example else verdict.with_terms(found.relevance, self._terms)
        self._turned[page.key] = relevance
        if not example:
            self.judge.keep(page, relevance)
            self._fetched.add(relevance)
            self.usual = self._fetched.towards(BEFORE)
        self._tell(page.key, relevance, expected)
        self._link(page, found.raw, relevance, verdict.left)
        return relevance

    def _tell(self, key: str, relevance: float, expected: Evidence | None) -> None:
        """Tell the links like those that led to a page, and those beside them, how it turned out."""
        _add(self._by_site, [site_of(key)], relevance)
        if (author := self._authors.pop(key, "")) != "":
            _add(self._by_author, [author], relevance)
        if expected is not None:
            _add(self._by_term, expected.title, relevance)
            _add(self._by_label, expected.labels, relevance)
        for source, place in self._places.pop(key, ()):
            source.turned(place, relevance)
            for other in source.keys[max(0, place - BESIDE) : place + BESIDE + 1]:
                if other in self.known:
                    self.known[other].near += relevance

    def _link(self, page: Reading, raw: float, relevance: float, left: float) -> None:
        """Take notice of a page's links, and of what those beside them turned out to be; `left` is of its worth."""
        source = Source.of(page, relevance, raw * left)
        regions: dict[int, float] = {}
        outcomes = [self._turned.get(key) for key in source.keys]
        met: set[str] = set()
        for place, link in enumerate(page.references):
            if (turned := outcomes[place]) is not None:
                source.turned(place, turned)
                continue
            evidence = self.known.get(link.key)
            if evidence is None:
                if len(self.known) >= MOST:
                    continue
                evidence = self.known[link.key] = Evidence(link.key)
            if link.key not in met:
                met.add(link.key)
                evidence.found(link, source)
            block = page.blocks[link.block]
            if link.block not in regions:
                regions[link.block] = 0.0 if block.framed else left * self.judge.nearness(block.terms)
            evidence.stands(source, place, regions[link.block], entry=block.size <= len(link.anchor) + 2)
            self._places.setdefault(link.key, []).append((source, place))
            near = [each for each in outcomes[max(0, place - BESIDE) : place + BESIDE + 1] if each is not None]
            evidence.near += sum(near)


def _add(table: dict[str, Mean], names: Iterable[str], value: float) -> None:
    for name in names:
        mean = table.get(name)
        if mean is None:
            if len(table) >= TABLE:
                continue
            mean = table[name] = Mean()
        mean.add(value)
