"""The pages of a crawl, indexed: their terms with how often they stand there, and what of a definition they hold.

A page takes about 6 bytes for each of its distinct terms, so that a crawl of 100,000 pages fits into 300 MB.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from anansi.config import Focus
from anansi.evaluate.settings import SETTINGS
from anansi.evaluate.texts import Shown
from anansi.focus import events
from anansi.focus.definition import Subject
from anansi.focus.entities import Mention, mentions
from anansi.focus.explaining import said_as
from anansi.focus.page import own, text_of
from anansi.text.language import identify
from anansi.text.prose_dates import spans
from anansi.text.terms import terms

MOST_COUNTED: Final = 65_535
NAMED: Final = 8
"""Terms and names of a page that are listed."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is remembered."""

    place: int
    """How many were fetched before it."""
    url: str
    title: str
    language: str
    size: int
    """Its terms."""
    numbers: array[int]
    counts: array[int]
    held: tuple[int, ...]
    """Numbers of what is looked for that it has."""
    found: tuple[str, ...]
    """Words of the definition that it has, as the definition has them."""

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Go through its terms, by their numbers, and how often they stand there."""
        return zip(self.numbers, self.counts, strict=True)

    def counted(self) -> dict[int, int]:
        """Return its terms, by their numbers, with how often they stand there."""
        return dict(self.pairs())


@dataclass(slots=True)
class Indexed:
    """Pages, in the order they were fetched in. Mutable while they are read: all of it."""

    sought: list[tuple[str, str]] = field(default_factory=list)
    """Kind and name of what is looked for; topics are measured otherwise."""
    pages: list[Page] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """Of terms."""
    holding: Counter[int] = field(default_factory=Counter)
    """In how many pages each stands."""
    _rarities: dict[int, float] = field(default_factory=dict)
    _lengths: dict[int, float] = field(default_factory=dict)
    """Of the vectors of pages, by their places; both are kept once all pages were read."""

    def rarity(self, number: int) -> float:
        """Weigh a term by how rare it is in this crawl (idf)."""
        found = self._rarities.get(number)
        if found is None:
            found = self._rarities[number] = math.log(1 + len(self.pages) / self.holding[number])
        return found

    def _length(self, page: Page) -> float:
        if page.place not in self._lengths:
            weights = [(1 + math.log(count)) * self.rarity(number) for number, count in page.pairs()]
            self._lengths[page.place] = math.sqrt(sum([value * value for value in weights]))
        return self._lengths[page.place]

    def cosine(self, page: Page, vector: Mapping[str, float]) -> float:
        """Return the cosine of a page and a vector, both weighed by how rare terms are; 0 for what shares none."""
        wanted = {self.numbers[term]: value for term, value in vector.items() if term in self.numbers}
        if not any(number in wanted for number in page.numbers):
            return 0.0
        weighed = {number: value * self.rarity(number) for number, value in wanted.items()}
        length = math.sqrt(sum(value * value for value in weighed.values()))
        product = math.fsum(
            (1 + math.log(count)) * self.rarity(number) * weighed[number]
            for number, count in page.pairs()
            if number in weighed
        )
        return min(1.0, product / (length * self._length(page))) if length else 0.0

    def telling(self, pages: Iterable[Page], most: int) -> dict[str, float]:
        """Return the terms that say most of some pages, by tf·idf."""
        sums: dict[int, float] = {}
        for page in pages:
            for number, count in page.pairs():
                sums[number] = sums.get(number, 0.0) + (1 + math.log(count)) * self.rarity(number)
        words = {number: term for term, number in self.numbers.items() if number in sums}
        best = heapq.nlargest(most, sums.items(), key=lambda each: (each[1], words[each[0]]))
        # the cosine weighs by rarity itself
        return {words[number]: value / self.rarity(number) for number, value in best}


def index_of(pages: Iterable[Shown], subject: Subject, focus: Focus) -> Indexed:
    """Index pages by what a definition looks for; those without text are left out."""
    tests = list(_tests(subject, focus))
    index = Indexed(sought=[(kind, name) for kind, name, _ in tests])
    for each in pages:
        found = own(each.regions)
        text = text_of(found)
        language = identify(text, declared=each.language).code
        said = terms(text, language)
        if not said:
            continue
        counts = Counter(said)
        for term in counts:
            index.numbers.setdefault(term, len(index.numbers))
        index.holding.update(index.numbers[term] for term in counts)
        reading = _Reading(text, language, f" {' '.join(said)} ", mentions(subject.names, text))
        held = tuple(number for number, (_, _, holds) in enumerate(tests) if holds(reading))
        vector, sources = subject.vector(language), said_as(subject, language)
        met = sorted((term for term in counts if term in vector), key=lambda term: -vector[term] * counts[term])
        names = [index.sought[number][1] for number in held]
        index.pages.append(
            Page(
                len(index.pages),
                each.url,
                next((one.text for one in each.regions if one.kind == "title"), "")[:200],
                language,
                len(said),
                array("I", [index.numbers[term] for term in counts]),
                array("H", [min(MOST_COUNTED, count) for count in counts.values()]),
                held,
                tuple(dict.fromkeys([*names, *(sources.get(term, term) for term in met)]))[:NAMED],
            )
        )
    return index


@dataclass(frozen=True, slots=True)
class _Reading:
    """A page while it is looked through."""

    text: str
    language: str
    said: str
    """Its terms, with spaces between and around them."""
    named: Mapping[int, Mention]


Holds = Callable[[_Reading], bool]


def _tests(subject: Subject, focus: Focus) -> Iterator[tuple[str, str, Holds]]:
    """Go through what is looked for: kind, name, and whether a page has it."""
    names = [name for name, _ in subject.entities.values()]
    listed = {each.name for each in focus.entities}
    for said in subject.said:
        if not said.topic and said.text in _keywords(focus) and said.text not in names:
            yield "keyword", said.text, _has_words(said.text)
    for number, (name, _) in subject.entities.items():
        yield "entity" if name in listed else "keyword", name, _has_name(number)
    for event in subject.happenings:
        yield "event", event.name, _speaks_of(event)


def _keywords(focus: Focus) -> Sequence[str]:
    return [each if isinstance(each, str) else each.term for each in focus.keywords]


def _has_words(phrase: str) -> Holds:
    memo: dict[str, str] = {}

    def holds(page: _Reading) -> bool:
        if page.language not in memo:
            memo[page.language] = f" {' '.join(terms(phrase, page.language))} "
        return memo[page.language].strip() != "" and memo[page.language] in page.said

    return holds


def _has_name(number: int) -> Holds:
    return lambda page: number in page.named


def _speaks_of(event: events.Happening) -> Holds:
    def holds(page: _Reading) -> bool:
        times = spans(page.text) if event.begins else []
        return events.judge_one(event, page.named, times).score >= SETTINGS.speaks

    return holds
