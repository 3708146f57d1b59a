"""How relevant is what a crawl brought: its pages held against its definition, and against its seeds.

The numbers are those of ARCOMEM: the share of pages with each keyword (Table 3); how many pages match the definition,
or the 10, 50 and 100 terms that say most of the seeds, and how near they are (Tables 4 and 5); how that goes up and
down over time (Figure 8); and the harvest ratio of section 5.1.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from anansi.config import Definition
from anansi.evaluate.holding import Indexed, Page
from anansi.evaluate.settings import SETTINGS
from anansi.focus.definition import Subject
from anansi.url import canonical, site_of

LISTED: Final = 20
"""Pages listed at either end."""

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Something that is looked for, and how many pages have it."""

    kind: str
    name: str
    pages: int
    share: float
    similarity: float | None = None
    """Of topics, the mean over these pages."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A measure of what is relevant, and what a crawl is by it (a line of Tables 4 and 5)."""

    name: str
    relevant: float
    """Share of the pages that have anything of it."""
    average: float
    """Of these."""
    maximum: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Site:
    """A site's part."""

    name: str
    pages: int
    relevant: float
    similarity: float
    """The mean over all of its pages."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A page and how near it is to the definition."""

    url: str
    title: str
    similarity: float
    found: tuple[str, ...]
    terms: int


@dataclass(frozen=True, slots=True)
class Window:
    """Some pages that were fetched one after the other."""

    until: int
    """Pages fetched by then."""
    similarity: float
    relative: float
    """As a share of the best window."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a crawl is worth by its definition."""

    folder: str
    pages: int
    similarity: float
    """The mean over all pages."""
    harvest: float | None
    """None where no seed was fetched."""
    seed_similarity: float | None
    mentioned: tuple[Mentioned, ...]
    truths: tuple[Truth, ...]
    sites: tuple[Site, ...]
    course: tuple[Window, ...]
    best: tuple[Ranked, ...]
    worst: tuple[Ranked, ...]
    """Pages without anything that is looked for, the longest first; then those with the least."""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


def measure(folder: str, index: Indexed, subject: Subject, definition: Definition) -> Relevance:
    """Measure a crawl."""
    near = [index.cosine(page, subject.vector(page.language)) for page in index.pages]
    seeds, notes = _seeds(index, definition)
    harvest = _harvest(index, seeds)
    ranked = sorted(range(len(near)), key=lambda place: (-near[place], place))
    least = sorted(range(len(near)), key=lambda place: (near[place], -index.pages[place].size, place))
    shown = [_ranked(index.pages[place], near[place]) for place in ranked[:LISTED] if near[place] > 0]
    others = [_ranked(index.pages[place], near[place]) for place in least[:LISTED]]
    return Relevance(
        folder=folder,
        pages=len(near),
        similarity=_mean(near),
        harvest=_mean([value > SETTINGS.near for value in harvest]) if harvest else None,
        seed_similarity=_mean(harvest) if harvest else None,
        mentioned=tuple(_mentioned(index, subject)),
        truths=tuple(_truths(index, near, seeds)),
        sites=tuple(_sites(index.pages, near)),
        course=tuple(_course(near)),
        best=tuple(shown),
        worst=tuple(each for each in others if each not in shown),
        notes=tuple(notes),
    )


# ── what is looked for ────────────────────────────────────────────────────────────────────────────────────────────


def _mentioned(index: Indexed, subject: Subject) -> Iterator[Mentioned]:
    """Count the pages that have each keyword, name and event, and those about each topic."""
    counts = Counter(number for page in index.pages for number in page.held)
    for number, (kind, name) in enumerate(index.sought):
        yield Mentioned(kind, name, counts[number], counts[number] / max(1, len(index.pages)))
    for topic in subject.topics:
        every = (index.cosine(page, subject.vector(page.language, topic)) for page in index.pages)
        near = [value for value in every if value >= SETTINGS.topical]
        yield Mentioned("topic", topic, len(near), len(near) / max(1, len(index.pages)), _mean(near))


# ── how near pages are ────────────────────────────────────────────────────────────────────────────────────────────


def _truths(index: Indexed, near: Sequence[float], seeds: Sequence[Page]) -> Iterator[Truth]:
    yield _truth("definition", near)
    for size in SETTINGS.seed_terms if seeds else ():
        vector = index.telling(seeds, size)
        yield _truth(f"seeds, {size} terms", [index.cosine(page, vector) for page in index.pages])


def _truth(name: str, near: Sequence[float]) -> Truth:
    relevant = [value for value in near if value > 0]
    deviation = statistics.pstdev(relevant) if relevant else 0.0
    share = len(relevant) / len(near) if near else 0.0
    return Truth(name, share, _mean(relevant), max(relevant, default=0.0), deviation)


def _seeds(index: Indexed, definition: Definition) -> tuple[list[Page], list[str]]:
    """Find the pages that a crawl began with; where a seed led elsewhere, the first page of its site."""
    keys = {canonical(each) for each in definition.seeds}
    found = [page for page in index.pages if canonical(page.url) in keys]
    if found:
        return found, []
    first: dict[str, Page] = {}
    for page in index.pages:
        first.setdefault(site_of(page.url), page)
    wanted = {site_of(each) for each in definition.seeds}
    instead = [page for site, page in first.items() if site in wanted]
    if instead:
        return instead, ["no seed is among the pages; the first page of each seed's site stands for it"]
    return [], ["no seed is among the pages: nothing is measured against the seeds"]


def _harvest(index: Indexed, seeds: Sequence[Page]) -> list[float]:
    """Return the cosines of section 5.1: of what was fetched beside the seeds with the sum of the seeds' vectors."""
    total: Counter[int] = Counter()
    for page in seeds:
        total.update(page.counted())
    length = math.sqrt(sum(value * value for value in total.values()))
    begun = {page.url for page in seeds}
    return [_raw(page, total) / length for page in index.pages if page.url not in begun] if length else []


def _raw(page: Page, total: Mapping[int, int]) -> float:
    own = math.sqrt(sum(count * count for _, count in page.pairs()))
    return sum(count * total.get(term, 0) for term, count in page.pairs()) / own if own else 0.0


# ── where and when ────────────────────────────────────────────────────────────────────────────────────────────────


def _sites(pages: Sequence[Page], near: Sequence[float]) -> list[Site]:
    by_site: dict[str, list[float]] = {}
    for page, value in zip(pages, near, strict=True):
        by_site.setdefault(site_of(page.url), []).append(value)
    found = [
        Site(name, len(values), _mean([value > 0 for value in values]), _mean(values))
        for name, values in by_site.items()
    ]
    return sorted(found, key=lambda each: (-each.pages, each.name))


def _course(near: Sequence[float]) -> Iterator[Window]:
    size = max(1, math.ceil(len(near) / SETTINGS.windows))
    means = [(min(len(near), at + size), _mean(near[at : at + size])) for at in range(0, len(near), size)]
    most = max((mean for _, mean in means), default=0.0)
    for until, mean in means:
        yield Window(until, mean, mean / most if most else 0.0)


def _ranked(page: Page, similarity: float) -> Ranked:
    return Ranked(page.url, page.title, similarity, page.found, page.size)


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return math.fsum(every) / len(every) if every else 0.0
