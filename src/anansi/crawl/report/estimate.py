"""From what a trial saw of a site to what a whole crawl of it would bring and cost.

The site's own numbers come first, then its paginations, then what was found so far. A range is given, never a number
alone: its ends are what is certain to be there and what the site's numbers allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import fmean, median
from typing import NamedTuple

from anansi.crawl.settings import SETTINGS


class Range(NamedTuple):
    """An estimate between two ends; `high` is None where nothing limits it."""

    low: int
    best: int
    high: int | None

    def __str__(self) -> str:
        if self.low == self.best == self.high:
            return f"{self.best:,}"
        return f"about {self.best:,} ({self.low:,} to {'more' if self.high is None else f'{self.high:,}'})"


class Way(NamedTuple):
    """Lists of one kind that were not visited, and what each of those told that were: content that was not known."""

    left: int
    news: float


@dataclass(frozen=True, slots=True)
class Seen:
    """What a trial saw of a site."""

    done: int
    """Requests that were answered."""
    content: int
    """Pages of content that are known: visited, or queued."""
    things: int
    """Threads or articles that they are pages of."""
    lists: int
    """Lists that were visited or are queued, their further pages included."""
    visited_lists: int = 0
    other: int = 0
    """Pages that are neither: samples of what is refused, shortcuts, robots.txt."""
    stated: int | None = None
    """Threads or articles that the site states it has."""
    stated_parts: int | None = None
    """Posts that it states."""
    boards: tuple[int, ...] = ()
    """Threads that its boards state, those in other boards left out."""
    silent: int = 0
    """Boards that are known and whose number is not."""
    sizes: tuple[int, ...] = ()
    """Posts of the threads that state them."""
    a_page: int = 0
    """Posts that a full page shows."""
    rows: int = 0
    """Threads or articles that a full page of a list shows."""
    last_list: int = 0
    """Number of the last page of the longest list that is known."""
    ahead: int = 0
    """Lists that go on, nobody knows how far."""
    ways: tuple[Way, ...] = ()
    late: int = 0
    """Lists that are visited as long as they tell news, and were not: months, tags."""
    listed: bool = False
    """Whether the site lists all its content by itself (a sitemap, an interface)."""
    learned: bool = False
    """Whether nothing is known of the site but what was seen."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a crawl would bring."""

    things: Range
    parts: Range | None
    """Posts, where threads state how many they have."""
    requests: Range


def estimate(seen: Seen) -> Estimate:
    """Say what a whole crawl would bring and cost."""
    things = _things(seen)
    pages = _pages_each(seen, things.best)
    lists = _lists(seen, things)
    low = max(seen.done, ceil(things.low * min(pages, 1 + (pages - 1) * (1 - SETTINGS.spread))))
    best = max(low, ceil(things.best * pages) + lists - seen.late // 2 + seen.other)
    high = (
        None
        if things.high is None
        else max(best, ceil((things.high * pages + lists + seen.other) * (1 + SETTINGS.spread)))
    )
    return Estimate(things, _parts(seen, things), Range(low, best, high))


def _things(seen: Seen) -> Range:
    known = seen.things
    if seen.boards:
        # what a site states beyond its boards stands where visitors are not let in
        told = sum(seen.boards)
        best = max(known, told + round(seen.silent * median(seen.boards)))  # a few boards are large, most are small
        high = max(best, seen.stated or 0, told + round(seen.silent * fmean(seen.boards)))
        return Range(max(known, told), best, high)
    if seen.stated is not None:
        best = max(known, seen.stated)
        return Range(known, best, best)
    if seen.listed:
        return Range(known, known, ceil(known * (1 + SETTINGS.spread)))
    if seen.last_list > 1 and seen.rows:
        best = seen.last_list * seen.rows
        best = best if best > known else known + seen.ahead * seen.rows  # the last page that is named is not the last
        return Range(max(known, (seen.last_list - 1) * seen.rows), best, ceil(best * SETTINGS.double))
    if seen.ways or (seen.ahead and seen.rows):
        return _by_ways(seen)
    open_ended = seen.learned or seen.lists > seen.visited_lists
    return Range(known, known, None if open_ended else ceil(known * SETTINGS.double))


def _by_ways(seen: Seen) -> Range:
    """Say what the lists that are left tell of, by the kind that tells most: kinds of them tell of the same."""
    known = seen.things
    more = max(seen.ahead * seen.rows, *(ceil(way.left * way.news) for way in seen.ways), 0)
    return Range(known, known + more, known + ceil(SETTINGS.double * more) if seen.ways else None)


def _pages_each(seen: Seen, things: int) -> float:
    """Say over how many pages a thread is spread on average; the newest, which lists show first, are longer."""
    if not seen.sizes or not seen.a_page:
        return max(1.0, seen.content / seen.things) if seen.things else 1.0
    further = fmean(ceil(max(size, 1) / seen.a_page) - 1 for size in seen.sizes)
    mean = fmean(seen.sizes)
    if seen.stated_parts and things and mean:
        further *= min(1.0, seen.stated_parts / things / mean)
    return 1 + further


def _lists(seen: Seen, things: Range) -> int:
    """Say how many lists are needed to find everything."""
    if seen.listed:
        return seen.visited_lists
    if seen.boards and seen.rows:
        mean = things.best / (len(seen.boards) + seen.silent)
        stated = sum(max(1, ceil(each / seen.rows)) for each in seen.boards)
        return stated + seen.silent * max(1, ceil(mean / seen.rows))
    if seen.rows and things.best > seen.things:
        return max(seen.lists, ceil(things.best / seen.rows))
    return seen.lists


def _parts(seen: Seen, things: Range) -> Range | None:
    if seen.stated_parts is not None and not seen.boards:
        return Range(seen.stated_parts, seen.stated_parts, seen.stated_parts)
    if not seen.sizes:
        return None
    sampled = round(fmean(seen.sizes) * things.best)
    if seen.stated_parts is not None:
        return Range(min(sum(seen.sizes), seen.stated_parts), seen.stated_parts, seen.stated_parts)
    return Range(sum(seen.sizes), sampled, None if things.high is None else round(sampled * SETTINGS.double))
