"""What is known of a URL before it is fetched: sums over all links to it, kept up as pages come in."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from anansi.focus.page import PageTerms, Reference
from anansi.focus.settings import SETTINGS
from anansi.url import site_of


@dataclass(slots=True)
class Mean:
    """A mean that is kept up, drawn to what is usual while little is known. Mutable."""

    total: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        """Take notice of a value."""
        self.total += value
        self.count += 1

    def towards(self, usual: float, weight: float = 3.0) -> float:
        """Return the mean; what is usual counts as so many values."""
        return (self.total + weight * usual) / (self.count + weight)


@dataclass(slots=True, eq=False)
class Crowd:
    """Links that stand together: a list, a table, a paragraph. Mutable: `led`, what they led to so far."""

    size: int = 0
    led: Mean = field(default_factory=Mean)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A page that links, as it is remembered."""

    keys: tuple[str, ...]
    """What it links to, in its order."""
    groups: tuple[int, ...]
    relevance: float
    raw: float
    """The paper's cosine of it."""
    spread: float
    """What a link here counts less for the others beside it."""
    crowds: dict[int, Crowd]
    """Its lists and paragraphs with links, by number."""
    led: Mean = field(default_factory=Mean)
    """What its links led to so far."""

    @classmethod
    def of(cls, page: PageTerms, relevance: float, raw: float) -> Source:
        """Make a source of a page."""
        keys, groups = tuple([link.key for link in page.references]), tuple([link.group for link in page.references])
        crowds = {group: Crowd(size) for group, size in Counter(groups).items()}
        return cls(keys, groups, relevance, raw, math.log(3 + len(keys)), crowds)

    def turned(self, place: int, relevance: float) -> None:
        """Take notice of what one of its links led to."""
        self.led.add(relevance)
        self.crowds[self.groups[place]].led.add(relevance)


@dataclass(slots=True, eq=False)
class Evidence:
    """Links to one URL. Mutable: kept up link by link, and as neighbours turn out."""

    key: str
    site: str = ""
    title: dict[str, None] = field(default_factory=dict)
    """Terms of its address and anchors, in the order they were met."""
    labels: dict[str, None] = field(default_factory=dict)
    parents: int = 0
    """Pages with a link to it."""
    best: float = 0.0
    """The highest of their relevances."""
    raw: float = 0.0
    """The highest of their cosines."""
    thin: float = 0.0
    """The sum of their relevances, each divided by the logarithm of how many links the page has."""
    paragraph: float = 0.0
    """The nearest of the regions that its links stand in."""
    around: float = 0.0
    """The sum of how near these regions are."""
    links: int = 0
    early: float = 1.0
    """The earliest place of a link to it, as a share of the page's links before it."""
    entry: bool = False
    """Whether it is an entry of its own somewhere, and not a word in a text."""
    near: float = 0.0
    """The sum of the relevances of pages whose links stand beside one to it."""
    fixed: float = -1.0
    """What modules say that go by the links alone, while there are no more of them; below 0 when it is not known."""
    words: tuple[float, float, float] = 0.0, 0.0, 0.0
    """How near its words are to the topic: all of them, the nearest alone; and how rare they are."""
    revision: int = -1
    """Number of the topic vector that `words` go by; below 0 when they must be read anew."""
    crowds: list[Crowd] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    @classmethod
    def of(cls, key: str) -> Evidence:
        """Begin with a URL that nothing is known of."""
        return cls(key, site_of(key))

    def forget(self) -> None:
        """Forget what went by a topic that is not sought any more; where links stand and what they say stays."""
        self.best = self.raw = self.thin = self.paragraph = self.around = self.near = 0.0
        self.fixed, self.revision = -1.0, -1
        self.crowds = [Crowd(each.size) for each in self.crowds]
        self.sources = []

    def found(self, link: Reference, source: Source) -> None:
        """Take notice of a page with a link, once a page."""
        self.parents += 1
        self.thin += source.relevance / source.spread
        self.best = max(self.best, source.relevance)
        self.raw = max(self.raw, source.raw)
        if len(self.sources) < SETTINGS.shared:
            self.sources.append(source)
        if len(self.title) < SETTINGS.titles:
            self.revision = -1
            self.title.update(dict.fromkeys((*link.address, *link.anchor)))
        if len(self.labels) < SETTINGS.labels:
            self.labels[link.label] = None

    def stands(self, source: Source, place: int, region: float, *, entry: bool) -> None:
        """Take notice of where a link stands."""
        self.fixed = -1.0
        self.links += 1
        self.around += region
        self.paragraph = max(self.paragraph, region)
        self.early = min(self.early, place / len(source.keys))
        self.entry = self.entry or entry
        crowd = source.crowds[source.groups[place]]
        if len(self.crowds) < SETTINGS.shared and crowd not in self.crowds[-1:]:
            self.crowds.append(crowd)
