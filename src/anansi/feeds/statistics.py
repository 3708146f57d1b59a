"""How feeds behave: types, items, elements about time, intervals between updates; by domain.

A feed that was captured several times counts once; its dates are those of all items that were ever seen in it.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from anansi.feeds.feed import Feed

WIDTH: Final = 10
"""Items that a bar of the histogram is wide."""
LAST: Final = 150
"""Items; all feeds that have more are one bar."""

QUARTILES: Final = ("minimum", "1st quartile", "median", "3rd quartile", "maximum")


@dataclass(frozen=True, slots=True)
class Channel:
    """What was seen of a feed."""

    url: str
    feed: Feed
    """As it was captured last."""
    published: Mapping[str, float]
    """The date of each item that has one, by its id: the first that was seen."""
    captures: int = 1

    @classmethod
    def of(cls, url: str, feed: Feed) -> Channel:
        """Begin with the first capture."""
        return cls(url, feed, _published(feed))

    def seen(self, feed: Feed) -> Channel:
        """Add a capture."""
        return replace(self, feed=feed, published={**_published(feed), **self.published}, captures=self.captures + 1)

    @property
    def intervals(self) -> list[float]:
        """Seconds between one publication and the next."""
        moments = sorted(self.published.values())
        return [later - earlier for earlier, later in pairwise(moments)]


def _published(feed: Feed) -> dict[str, float]:
    return {item.id: item.published for item in feed.items if item.published is not None}


class Element(NamedTuple):
    """How often an element about time is there."""

    name: str
    feeds: int
    """Feeds that have it, of themselves or of an item."""
    items: int
    """Items that have it."""


class Quartiles(NamedTuple):
    """How the intervals of a feed are spread, in seconds."""

    url: str
    intervals: int
    values: tuple[float, float, float, float, float]
    """As `QUARTILES` names them."""


class Domain(NamedTuple):
    """The intervals of a domain's feeds, in seconds."""

    name: str
    feeds: int
    mean: float
    """Of the feeds' mean intervals."""
    deviation: float | None
    """Pooled over the feeds; None when no feed has two intervals."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is to be said of feeds."""

    feeds: int
    items: int
    captures: int
    ill_formed: int
    types: tuple[tuple[str, int], ...]
    sizes: tuple[tuple[str, int], ...]
    """The histogram of items a feed: from – to, feeds."""
    elements: tuple[Element, ...]
    quartiles: tuple[Quartiles, ...]
    domains: tuple[Domain, ...]


def of_channels(channels: Sequence[Channel], domain_of: Callable[[str], str]) -> Statistics:
    """Count; `domain_of` says to which domain the feed at an address belongs."""
    types = Counter(each.feed.type for each in channels)
    return Statistics(
        feeds=len(channels),
        items=sum(len(each.feed.items) for each in channels),
        captures=sum(each.captures for each in channels),
        ill_formed=sum(not each.feed.well_formed for each in channels),
        types=tuple(sorted(types.items(), key=lambda row: (-row[1], row[0]))),
        sizes=tuple(histogram(len(each.feed.items) for each in channels)),
        elements=tuple(elements(each.feed for each in channels)),
        quartiles=tuple(found for each in channels if (found := quartiles(each)) is not None),
        domains=tuple(domains(channels, domain_of)),
    )


def histogram(sizes: Iterable[int]) -> list[tuple[str, int]]:
    """Count feeds by how many items they have."""
    counts = Counter(min(max(0, size - 1) // WIDTH, LAST // WIDTH) for size in sizes)
    last = LAST // WIDTH
    names = [f"{WIDTH * number + (number > 0)}–{WIDTH * (number + 1)}" for number in range(last)] + [f"> {LAST}"]
    return [(name, counts[number]) for number, name in enumerate(names)]


def elements(feeds: Iterable[Feed]) -> list[Element]:
    """Count elements about time, those that most feeds have first."""
    by_feed: Counter[str] = Counter()
    by_item: Counter[str] = Counter()
    for feed in feeds:
        own = [{stamp.element for stamp in item.dates} for item in feed.items]
        by_item.update(name for names in own for name in names)
        by_feed.update(set(feed.temporal).union(*own))
    return [
        Element(name, count, by_item[name])
        for name, count in sorted(by_feed.items(), key=lambda row: (-row[1], row[0]))
    ]


def quartiles(channel: Channel) -> Quartiles | None:
    """Say how the intervals of a feed are spread; None when it has none."""
    intervals = channel.intervals
    if not intervals:
        return None
    cuts = statistics.quantiles(intervals, n=4, method="inclusive") if len(intervals) > 1 else [intervals[0]] * 3
    return Quartiles(channel.url, len(intervals), (min(intervals), cuts[0], cuts[1], cuts[2], max(intervals)))


def domains(channels: Iterable[Channel], domain_of: Callable[[str], str]) -> list[Domain]:
    """Summarise the intervals of each domain, those with most feeds first."""
    found: dict[str, list[list[float]]] = {}
    for channel in channels:
        if channel.intervals:
            found.setdefault(domain_of(channel.url), []).append(channel.intervals)
    rows = [
        Domain(name, len(series), statistics.fmean(map(statistics.fmean, series)), pooled(series))
        for name, series in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.feeds, row.name))


def pooled(series: Iterable[Sequence[float]]) -> float | None:
    """Return the standard deviation of several series of numbers, each around its own mean."""
    long = [each for each in series if len(each) > 1]
    freedom = sum(len(each) - 1 for each in long)
    squares = sum((len(each) - 1) * statistics.variance(each) for each in long)
    return math.sqrt(squares / freedom) if freedom else None
