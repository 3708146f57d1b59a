"""When the items of a channel came and which of them could be seen at a moment.

A date that a feed or an object gives is believed as far as captures do not contradict it: what was seen before its
date was there, and what was not yet on a page that would have shown it came later. An item without a date came
between the last capture without it and the first with it, and between the dates of those that stand beside it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

DAY: Final = 86_400.0
MOST_ITEMS: Final = 50_000
"""Items of a channel that are ordered."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of an item, and who says it; empty where nobody does."""

    key: str
    link: str
    title: str = ""
    summary: str = ""
    """With markup, as the next."""
    content: str = ""
    """The whole text."""
    author: str = ""
    categories: tuple[str, ...] = ()
    published: float | None = None
    precision: float = 0.0
    """Seconds after `published` within which it came: a day where no hour is said."""
    source: str = ""
    """The capture that says so."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one capture listed, newest first."""

    kind: Literal["page", "feed", "item"]
    name: str
    """The address that was captured."""
    at: float
    keys: tuple[str, ...]
    capture: str = ""


@dataclass(frozen=True, slots=True)
class When:
    """When an item came: not before `first`, not after `last`, and most likely at `at`."""

    first: float | None
    last: float
    at: float
    why: str

    def chance(self, moment: float) -> float:
        """Return how likely it had come by a moment."""
        if moment >= self.last:
            return 1.0
        if self.first is None or moment < self.first:
            return 0.0
        return (moment - self.first) / max(1.0, self.last - self.first)


@dataclass(frozen=True, slots=True)
class _Bounds:
    without: float | None
    """The last capture before the first one with it, of a list in which it should have been."""
    seen: float


def timeline(facts: Mapping[str, Fact], sightings: Sequence[Sighting]) -> dict[str, When]:
    """Say of each item when it came, those of which nothing is known left out."""
    bounds = _bounds(facts, sightings)
    found: dict[str, When] = {}
    for key in {*facts, *bounds}:
        fact = facts.get(key)
        if fact is None or fact.published is None:
            continue
        if fact.precision and key in bounds:  # its neighbours tell at which hour of its day
            bounds[key] = _within(bounds[key], fact.published, fact.published + fact.precision)
        else:
            found[key] = _dated(fact, fact.published, bounds.get(key))
    _place_undated(found, bounds, sightings)
    for key in facts.keys() & bounds.keys() - found.keys():  # in no list
        found[key] = _dated(facts[key], facts[key].published or bounds[key].seen, bounds[key])
    return found


def _within(bounds: _Bounds, first: float, last: float) -> _Bounds:
    """Narrow bounds to a day, if they allow it."""
    seen = min(bounds.seen, last) if first < bounds.seen else bounds.seen
    without = max(first, bounds.without or first) if first < seen else bounds.without
    return _Bounds(without if without is not None and without < seen else bounds.without, seen)


def _bounds(facts: Mapping[str, Fact], sightings: Sequence[Sighting]) -> dict[str, _Bounds]:
    """Find between which captures each item came, by the lists of one address at a time."""
    found: dict[str, _Bounds] = {}
    by_name = sorted(sightings, key=lambda each: (each.kind, each.name, each.at))
    for (kind, _), group in groupby(by_name, key=lambda each: (each.kind, each.name)):
        known: set[str] = set()
        before: Sighting | None = None
        for each in group:
            for key in each.keys:
                if key not in known:
                    known.add(key)
                    missing = before is not None and kind != "item" and _fits(facts.get(key), before, facts)
                    old = found.get(key)
                    without = before.at if before is not None and missing else None
                    found[key] = _tighter(old, without, each.at)
            before = each
    return found


def _fits(fact: Fact | None, listed: Sighting, facts: Mapping[str, Fact]) -> bool:
    """Tell whether an item would have been in a list, had it been there: it is newer than the oldest one."""
    if fact is None or fact.published is None:
        return True
    dates = [facts[key].published for key in listed.keys if key in facts]
    known = sorted(date for date in dates if date is not None)
    return not known or fact.published >= known[len(known) // 4]  # those that are pinned are old


def _tighter(old: _Bounds | None, without: float | None, seen: float) -> _Bounds:
    if old is None:
        return _Bounds(without, seen)
    if without is None or (old.without is not None and old.without >= without):
        without = old.without
    seen = min(old.seen, seen)
    return _Bounds(without if without is not None and without < seen else None, seen)


def _dated(fact: Fact, date: float, bounds: _Bounds | None) -> When:
    last = date + fact.precision
    if bounds is None:
        return When(date, last, date, f"dated by {fact.source}" if fact.source else "dated")
    if date > bounds.seen:
        first = bounds.without if bounds.without is not None else bounds.seen
        return When(first, bounds.seen, bounds.seen, "seen before its date")
    if bounds.without is not None and bounds.without >= last:
        return When(
            bounds.without, bounds.seen, min(bounds.seen, bounds.without + 1), "absent at a capture after its date"
        )
    return When(date, min(last, bounds.seen), date, f"dated by {fact.source}" if fact.source else "dated")


def _place_undated(found: dict[str, When], bounds: Mapping[str, _Bounds], sightings: Iterable[Sighting]) -> None:
    """Put items without a date between their neighbours in the first list that shows them."""
    for sighting in sorted(sightings, key=lambda each: (each.at, each.kind != "page")):
        run: list[str] = []
        newer: float | None = None
        for key in (*sighting.keys, ""):
            if key and key not in found:
                run.append(key)
                continue
            older = found[key].at if key else None
            if run:
                _spread(found, run, bounds, (older, newer))
            run, newer = [], older


def _spread(
    found: dict[str, When],
    run: list[str],
    bounds: Mapping[str, _Bounds],
    beside: tuple[float | None, float | None],
) -> None:
    """Give items that follow each other even distances between what bounds them."""
    older, newer = beside
    for (without, seen), group in groupby(run, key=lambda key: (bounds[key].without, bounds[key].seen)):
        keys = list(group)
        last = min(seen, newer) if newer is not None and (older is None or newer > older) else seen
        lows = [each for each in (without, older) if each is not None and each < last]
        first = max(lows) if lows else None
        why = _reason(first, without, older)
        for number, key in enumerate(keys):
            step = (last - first) / (len(keys) + 1) if first is not None else 1.0
            found[key] = When(first, last, last - step * (number + 1), why)
        newer = found[keys[-1]].at


def _reason(first: float | None, without: float | None, older: float | None) -> str:
    if first is None:
        return "undated; it was there at the first capture"
    if first == without:
        return "undated; it came between two captures"
    return "undated; it stands between dated ones" if first == older else "undated"


# ── order ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Order:
    """How a page orders what it lists."""

    pinned: tuple[str, ...] = ()
    """Items that stay on top whatever their date."""
    descending: bool = True
    sure: bool = True
    """Whether dates explain the order."""


def order_of(keys: Sequence[str], when: Mapping[str, When]) -> Order:
    """Read from a list how it is ordered: the longest part in order of time, and what stands above it."""
    known = [key for key in keys if key in when]
    times = [when[key].at for key in known]
    falling, rising = _longest([-each for each in times]), _longest(times)
    descending = len(falling) >= len(rising)
    kept = set(falling if descending else rising)
    odd = [number for number in range(len(known)) if number not in kept]
    first = min(kept, default=0)
    pinned = tuple(known[number] for number in odd if number < first) if descending else ()
    return Order(pinned, descending, len(odd) - len(pinned) <= len(known) // 5)


def _longest(values: Sequence[float]) -> list[int]:
    """Return the places of the longest part that never falls."""
    tails: list[float] = []
    places: list[int] = []
    before: list[int] = []
    for number, value in enumerate(values):
        where = bisect_left(tails, value + 1e-9)
        before.append(places[where - 1] if where else -1)
        tails[where : where + 1] = [value]
        places[where : where + 1] = [number]
    chain: list[int] = []
    at = places[-1] if places else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which items may have come and gone unseen."""

    first: float
    last: float


def gaps(sightings: Iterable[Sighting], when: Mapping[str, When]) -> list[Gap]:
    """Return the times between lists of which no later one shares an item with an earlier one."""
    spans = sorted(
        (min(times), max(times)) for each in sightings if each.kind != "item" and (times := _times(each, when))
    )
    found: list[Gap] = []
    reach: float | None = None
    for first, last in spans:
        if reach is not None and first > reach:
            found.append(Gap(reach, first))
        reach = last if reach is None else max(reach, last)
    return found


def _times(sighting: Sighting, when: Mapping[str, When]) -> list[float]:
    """Return when the items of a list came, without those that are pinned above it."""
    pinned = order_of(sighting.keys, when).pinned
    return [when[key].at for key in sighting.keys if key in when and key not in pinned]


def newest_first(keys: Iterable[str], when: Mapping[str, When], shown: Sequence[Sequence[str]]) -> list[str]:
    """Order items by when they came; what came at one moment stands as the lists show it."""
    place = {key: number for listed in reversed(shown) for number, key in enumerate(listed)}
    return sorted(keys, key=lambda key: (-when[key].at, place.get(key, MOST_ITEMS), key))
