"""What is known of a URL before it is fetched: sums over all links to it, kept up as pages come in."""

from __future__ import annotations

import math

import msgspec

from anansi.focus.settings import SETTINGS
from anansi.state import PageTerms, Reference
from anansi.url import site_of

# None of these can be part of a cycle, so the collector need not go through a million of them (`gc=False`).


class Mean(msgspec.Struct, array_like=True, gc=False):
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


class Crowd(msgspec.Struct, array_like=True, gc=False):
    """Links that stand together: a list, a table, a paragraph. Mutable: `total` and `count`, what they led to."""

    size: int = 0
    total: float = 0.0
    count: int = 0


class Source(msgspec.Struct, gc=False):
    """A page that links, as it is remembered. Mutable: `total` and `count`, what its links led to so far."""

    keys: tuple[str, ...]
    """What it links to, in its order."""
    crowds: tuple[Crowd, ...]
    """Of each link, those that it stands together with."""
    relevance: float
    raw: float
    """The paper's cosine of it."""
    total: float = 0.0
    count: int = 0

    @classmethod
    def of(cls, page: PageTerms, relevance: float, raw: float) -> Source:
        """Make a source of a page."""
        crowds: dict[int, Crowd] = {}
        for link in page.references:
            crowds.setdefault(link.group, Crowd()).size += 1
        keys = tuple([link.key for link in page.references])
        return cls(keys, tuple([crowds[link.group] for link in page.references]), relevance, raw)

    @property
    def spread(self) -> float:
        """Return what a link here counts less for the others beside it."""
        return math.log(3 + len(self.keys))

    def turned(self, place: int, relevance: float) -> None:
        """Take notice of what one of its links led to."""
        self.total += relevance
        self.count += 1
        crowd = self.crowds[place]
        crowd.total += relevance
        crowd.count += 1


class Evidence(msgspec.Struct, eq=False, gc=False):
    """Links to one URL. Mutable: kept up link by link, and as neighbours turn out."""

    key: str
    site: str = ""
    title: dict[str, None] = {}
    """Terms of its address and anchors, in the order they were met."""
    labels: dict[str, None] = {}
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
    crowds: list[Crowd] = []
    sources: list[Source] = []
    places: list[tuple[Source, int]] = []
    """Where the links to it stand, whose pages are told what it turns out to be."""

    @classmethod
    def of(cls, key: str) -> Evidence:
        """Begin with a URL that nothing is known of."""
        return cls(key, site_of(key))

    def forget(self) -> None:
        """Forget what went by a topic that is not sought any more; where links stand and what they say stays."""
        self.best = self.raw = self.thin = self.paragraph = self.around = self.near = 0.0
        self.crowds = [Crowd(each.size) for each in self.crowds]
        self.sources = []

    def found(self, link: Reference, source: Source, spread: float) -> None:
        """Take notice of a page with a link, once a page."""
        self.parents += 1
        self.thin += source.relevance / spread
        if source.relevance > self.best:
            self.best = source.relevance
        if source.raw > self.raw:
            self.raw = source.raw
        if len(self.sources) < SETTINGS.shared:
            self.sources.append(source)
        if len(self.title) < SETTINGS.titles:
            self.title.update(dict.fromkeys((*link.address, *link.anchor)))
        if len(self.labels) < SETTINGS.labels:
            self.labels[link.label] = None

    def stands(self, source: Source, place: int, region: float, *, entry: bool) -> None:
        """Take notice of where a link stands."""
        self.links += 1
        self.around += region
        if region > self.paragraph:
            self.paragraph = region
        early = place / len(source.keys)
        if early < self.early:
            self.early = early
        self.entry = self.entry or entry
        crowd = source.crowds[place]
        if len(self.crowds) < SETTINGS.shared and (not self.crowds or self.crowds[-1] is not crowd):
            self.crowds.append(crowd)
        if len(self.places) < SETTINGS.most_places:
            self.places.append((source, place))
