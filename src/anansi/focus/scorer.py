"""Pages in, scores for URLs out; what pages turn out to be corrects what is thought of links.

A page is judged when it comes in. Its relevance is handed on to what it links to, to what stands beside the links to
it elsewhere, to its site, and to the words and the places of the links that led to it. What it links to is scored at
once, all other URLs from time to time: when the crawl has grown by a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import hypot
from typing import Final

from anansi.focus.evidence import Evidence, Mean, Source
from anansi.focus.modules import MODULES, Asked, Module
from anansi.focus.outcomes import Outcomes, add_to
from anansi.focus.page import address_terms
from anansi.focus.relevance import Judge, Measured
from anansi.focus.settings import SETTINGS
from anansi.focus.topic import Topic, Weighed
from anansi.state import Appraisal, PageTerms
from anansi.url import site_of

NO_VERDICT: Final = Appraisal()
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

    Mutable: `judge`; `known` (URLs not fetched yet); `outcomes` (what was fetched); `since`, pages since all URLs
    were to be scored anew, and `left`, those whose turn is still to come, the next one last.
    """

    def __init__(self, topic: Topic, modules: Sequence[Module] = MODULES, terms: float = 1.0) -> None:
        self._terms = terms if topic.words or topic.examples else 0.0
        self.topic, self.judge = topic, Judge(topic)
        self.known: dict[str, Evidence] = {}
        self._modules = tuple(modules)
        self._whole = sum(each.weight for each in modules) or 1.0
        self._examples = frozenset(page.key for page in topic.examples)
        self.outcomes = Outcomes(dict.fromkeys(self._examples, 1.0), Mean())
        self.since = 0
        self.left: list[str] = []

    def begin(self, pages: Iterable[PageTerms]) -> list[Scored]:
        """Take the pages that a crawl starts from, and score all that they link to."""
        for page in pages:
            self._take(page, NO_VERDICT)
        self.settle()
        return self.revised()

    def read(
        self, page: PageTerms, verdict: Appraisal = NO_VERDICT, authors: Mapping[str, str] = NO_AUTHORS
    ) -> Taken:
        """Take a page, and score what it links to.

        `verdict` is what other modules than the terms say of the page, `authors` who wrote the posts of its links.
        """
        measured, relevance = self.learn(page, verdict, authors)
        turned, known = self.outcomes.turned, self.known
        linked = dict.fromkeys([link.key for link in page.references if link.key not in turned], relevance)
        linked.update(self._scored([key for key in linked if key in known]))
        return Taken(measured, relevance, list(linked.items()))

    def learn(self, page: PageTerms, verdict: Appraisal, authors: Mapping[str, str]) -> tuple[Measured, float]:
        """Take a page, and score nothing; return how near it is, and how relevant."""
        self.outcomes.name_authors(authors.items())
        self.since += 1
        return self._take(page, verdict)

    @property
    def due(self) -> bool:
        """Tell whether the crawl has grown so much that all URLs are to be scored anew."""
        pages = len(self.outcomes.turned)
        part = 5 if pages <= SETTINGS.early else 2
        return not self.left and self.since >= max(SETTINGS.soonest, pages // part)

    def settle(self) -> None:
        """Let the topic follow what was read, and have all URLs scored anew."""
        self.since = 0
        self.judge.settle()
        self.left = list(reversed(self.known))

    def revised(self, most: int | None = None) -> list[Scored]:
        """Score what is left to be scored anew, so many URLs at the most; pages may be taken in between."""
        return self._scored([key for key in self.passed(most) if key in self.known])

    def passed(self, most: int | None = None) -> list[str]:
        """Take so many URLs from what is left to be scored anew."""
        first = max(0, len(self.left) - most) if most is not None else 0
        keys = self.left[first:]
        del self.left[first:]
        return keys[::-1]

    def score(self, evidence: Evidence) -> float:
        """Return the priority of a URL: the weighted mean of what the modules say."""
        return self._scores([evidence])[0]

    def _scored(self, keys: Sequence[str]) -> list[Scored]:
        return list(zip(keys, self._scores([self.known[key] for key in keys]), strict=True))

    def _scores(self, known: Sequence[Evidence]) -> list[float]:
        asked, totals = self._asked(known), [0.0] * len(known)
        for module in self._modules:
            weight = module.weight
            totals = [total + weight * score for total, score in zip(totals, module.score(asked), strict=True)]
        return [total / self._whole for total in totals]

    def explain(self, evidence: Evidence) -> dict[str, float]:
        """Return what each module says of a URL."""
        asked = self._asked([evidence])
        return {each.name: each.score(asked)[0] for each in self._modules}

    def again(self, key: str) -> float:
        """Score a URL anew; one of which nothing is known by the words of its address."""
        known = self.known.get(key)
        return self.score(known) if known is not None else self._nearness(address_terms(key))[0]

    def turned_to(self, topic: Topic, modules: Sequence[Module], terms: float) -> Scorer:
        """Return what goes by another topic: words count at once; what pages turn out to be is learned anew.

        It takes over what is known of URLs; this one must not be used any more.
        """
        other = Scorer(topic, modules, terms)
        other.known, other.outcomes.authors = self.known, self.outcomes.authors
        other.outcomes.turned = dict.fromkeys(self.outcomes.turned, other.outcomes.usual)
        other.judge = self.judge.turned_to(topic)
        for evidence in self.known.values():
            evidence.forget()
        return other

    def _asked(self, known: Sequence[Evidence]) -> Asked:
        near = [self._nearness(each.title) for each in known]
        words, word, rare = zip(*near, strict=True) if near else ((), (), ())
        led = []
        for each in known:
            total, count = 0.0, 0
            for crowd in each.crowds:
                total += crowd.total
                count += crowd.count
            led.append((total, count))
        return Asked(known, words, word, rare, led, self.outcomes)

    def _nearness(self, title: Sequence[str] | Mapping[str, None]) -> tuple[float, float, float]:
        """Hold words against the topic: how near they all are, and the nearest; and how rare they are."""
        if not title:
            return 0.0, 0.0, 0.0
        words, known = self.judge.words, self.judge.learned
        get, scale = known.vector.get, self.judge.scale
        rarities = words.weights(title)
        nears = [get(term, 0.0) * rare for term, rare in zip(title, rarities, strict=True)]
        most = max(nears)
        every = min(1.0, sum(nears) / (hypot(*rarities) * scale)) if most else 0.0
        return every, min(1.0, 4 * most / scale), min(rarities) / words.rarest

    def _take(self, page: PageTerms, verdict: Appraisal) -> tuple[Measured, float]:
        """Judge a page, and hand on what it turned out to be."""
        expected = self.known.pop(page.key, None)
        example = page.key in self._examples
        if not example:
            self.judge.see(page)
        weighed = self.judge.weighed(page)
        found = self.judge.judge(page, weighed)
        relevance = 1.0 if example else verdict.with_terms(found.relevance, self._terms)
        self.outcomes.turn(page.key, relevance, example=example)
        if not example:
            self.judge.keep(page, relevance)
        self._hand_on(page.key, relevance, expected)
        self._link(
            page, Source.of(page, relevance, found.raw * verdict.left), self._regions(page, weighed, verdict.left)
        )
        return found, relevance

    def _hand_on(self, key: str, relevance: float, expected: Evidence | None) -> None:
        """Tell the links like those that led to a page, and those beside them, how it turned out."""
        outcomes = self.outcomes
        add_to(outcomes.by_site, [expected.site if expected is not None else site_of(key)], relevance)
        if (author := outcomes.authors.pop(key, "")) != "":
            add_to(outcomes.by_author, [author], relevance)
        if expected is None:
            return
        add_to(outcomes.by_word, expected.title, relevance)
        add_to(outcomes.by_label, expected.labels, relevance)
        known, beside = self.known.get, SETTINGS.beside
        for source, place in expected.places:
            source.turned(place, relevance)
            for other in map(known, source.keys[max(0, place - beside) : place + beside + 1]):
                if other is not None:
                    other.near += relevance

    def _regions(self, page: PageTerms, weighed: Weighed, left: float) -> list[float]:
        """Return how near the regions with links are to the topic; `left` is of the page's worth."""
        part = left / self.judge.scale
        return [0.0 if each.framed else part * weighed.near(each.terms) for each in page.blocks]

    def _link(self, page: PageTerms, source: Source, regions: Sequence[float]) -> None:
        """Take notice of a page's links, and of what those beside them turned out to be."""
        known, spread, blocks = self.known, source.spread, page.blocks
        outcomes = list(map(self.outcomes.turned.get, source.keys))
        sums = list(accumulate([each or 0.0 for each in outcomes], initial=0.0))
        last, beside = len(outcomes), SETTINGS.beside
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
                evidence.found(link, source, spread)
            block = blocks[number]
            evidence.stands(source, place, regions[number], entry=block.size <= len(link.anchor) + 2)
            evidence.near += sums[min(last, place + beside + 1)] - sums[max(0, place - beside)]
