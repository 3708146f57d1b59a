"""When a URL publishes: what one URL has shown so far, small enough to travel with its visit.

A `Rhythm` is a value. `began` makes the first one of the dates that a feed shows; `noted` (a feed: the dates of its
new items), `seen` (an ordinary page: whether it changed) and `since` (a thread: its last post) make the next of it.
`forecast` reads it, `schedule` decides by it. Times are seconds since 1970 and always arguments.

The model: publications excite further ones, on six time scales at once (a Hawkes process). Of each scale it holds
how much is left (`left`), how many publications it explains (`caused`) and how many it would have (`offered`); their
ratio says how much the scale counts for this URL. Beside it stand the latest moments, of which regular intervals are
read, and counts by half-hour of the day and by day of the week, in UTC. Items of one instant are one publication.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from anansi.feeds.settings import SETTINGS
from anansi.state import SLOTS, Floats, Rhythm

DAY: Final = 86400.0
EARLIEST: Final = 0.0
"""Dates before 1970 are no dates of feeds."""


def began(events: Iterable[float | None], now: float, *, window: int | None = None) -> Rhythm:
    """Begin with what the first visit shows; dates that are missing or in the future say nothing."""
    size = max(0, window or 0)
    dated = [at for at in events if at is not None and EARLIEST < at <= now]
    start = min(dated, default=now)
    grown = after(Rhythm(start, window=size), _moments(dated), now)
    return msgspec.structs.replace(grown, made=1, full=size >= SETTINGS.least_window)


def batch_of(rhythm: Rhythm) -> float:
    """Return how many items a publication has in the mean."""
    return (SETTINGS.doubt + rhythm.items) / (SETTINGS.doubt + rhythm.publications)


def weights_of(rhythm: Rhythm) -> Floats:
    """Return how much each scale counts, as learned."""
    rows = zip(SETTINGS.weights, rhythm.caused, rhythm.offered, strict=True)
    return tuple((SETTINGS.doubt * prior + caused) / (SETTINGS.doubt + offered) for prior, caused, offered in rows)


def noted(
    rhythm: Rhythm, events: Iterable[float | None], now: float, *, window: int | None = None, overlap: bool = True
) -> Rhythm:
    """Add a visit of a feed.

    `events` are the dates of the items that are new, None where an item has none: it was published since the last
    visit, and so were those whose date says otherwise. `window` is the number of items shown. `overlap` says
    whether any item of the last visit is still there (or nothing was there then).
    """
    now = max(now, rhythm.last)
    fresh = _placed(list(events), rhythm.last, now)
    size = max(0, window or 0)
    count = sum(number for _, number in fresh)
    fell = size - rhythm.window < count if size and rhythm.window and count else rhythm.full
    lost = not overlap and count > 0 and rhythm.made > 0
    grown = after(rhythm, fresh, now)
    span = _least(grown.span, (now - rhythm.last) / 2) if lost else grown.span
    kept = size or rhythm.window
    return msgspec.structs.replace(
        grown,
        window=kept,
        full=fell,
        span=span,
        visits=(*rhythm.visits, (round(now - rhythm.last, 1), count))[-SETTINGS.visits :],
        made=rhythm.made + 1,
        gaps=rhythm.gaps + lost,
    )


def seen(rhythm: Rhythm, changed: bool, now: float) -> Rhythm:
    """Add a visit of a page of which only whether it changed is known.

    A change may stand for several: their number is estimated from all visits that are remembered (Cho and
    Garcia-Molina), and they are spread over the interval.
    """
    now = max(now, rhythm.last)
    visits = (*rhythm.visits, (round(now - rhythm.last, 1), float(changed)))[-SETTINGS.visits :]
    expected = change_rate(visits) * (now - rhythm.last)
    likely = expected / -math.expm1(-expected) if expected > 0 else 1.0
    count = min(SETTINGS.moments, max(1, round(likely))) if changed else 0
    step = (now - rhythm.last) / (count or 1)
    grown = after(rhythm, [(rhythm.last + (number + 0.5) * step, 1.0) for number in range(count)], now)
    return msgspec.structs.replace(grown, visits=visits, made=rhythm.made + 1, span=0.0)


def since(rhythm: Rhythm, last_event: float | None, now: float) -> Rhythm:
    """Add a visit of a thread, whose last post has this date; an older one or none brings nothing."""
    known = rhythm.latest if rhythm.latest is not None else EARLIEST
    new = last_event is not None and known < last_event <= now
    return noted(rhythm, [last_event] if new else [], now)


def after(rhythm: Rhythm, fresh: Sequence[tuple[float, float]], now: float) -> Rhythm:
    """Add publications (moment, items), in order and not before `last`, and let time pass until now."""
    left, caused, offered = list(rhythm.left), list(rhythm.caused), list(rhythm.offered)
    slots, days = list(rhythm.slots), list(rhythm.days)
    publications, items, at, weights = rhythm.publications, rhythm.items, rhythm.last, weights_of(rhythm)
    for moment, count in fresh:
        _pass(left, offered, max(0.0, moment - at))
        at = max(at, moment)
        own = round(SETTINGS.whole * _explain(left, caused, weights))
        _excite(left)
        slots[slot(moment)] += own
        days[weekday(moment)] += own
        publications, items = publications + 1, items + min(count, SETTINGS.largest_batch)
        if publications > SETTINGS.forget:
            slots, days = [number // 2 for number in slots], [number // 2 for number in days]
            caused, offered = [number / 2 for number in caused], [number / 2 for number in offered]
            publications, items = publications / 2, items / 2
    _pass(left, offered, max(0.0, now - at))
    times = (*rhythm.moments, *(moment for moment, _ in fresh))
    return msgspec.structs.replace(
        rhythm,
        last=max(now, rhythm.last),
        moments=times[-SETTINGS.moments :],
        left=tuple(left),
        caused=tuple(caused),
        offered=tuple(offered),
        slots=tuple(slots),
        days=tuple(days),
        publications=publications,
        items=items,
        span=_span(rhythm.span, rhythm.moments, fresh, rhythm.window or len(fresh)),
    )


def slot(at: float) -> int:
    """Return the half-hour of the day in UTC."""
    return int(at % DAY / DAY * SLOTS) % SLOTS


def weekday(at: float) -> int:
    """Return the day of the week in UTC, Monday being 0."""
    return int(at // DAY + 3) % 7


def change_rate(visits: Sequence[tuple[float, float]]) -> float:
    """Estimate changes a second of visits that tell only whether there was one.

    The likeliest rate, which solves Σ Δ/(e^(rΔ) - 1) over visits with a change = Σ Δ over those without; half a visit
    without a change is added, or a page that always changed would have no rate (Cho and Garcia-Molina 2003).
    """
    changed = [gap for gap, brought in visits if brought > 0 and gap > 0]
    if not changed:
        return 0.0
    quiet = sum(gap for gap, brought in visits if not brought > 0) + 0.5 * sum(changed) / len(changed)
    low, high = 0.0, 50.0 / min(changed)
    for _ in range(40):
        rate = (low + high) / 2
        more = sum(gap / math.expm1(min(700.0, rate * gap)) for gap in changed if rate * gap > 0)
        low, high = (rate, high) if more > quiet else (low, rate)
    return (low + high) / 2


def _pass(left: list[float], offered: list[float], seconds: float) -> None:
    """Let influence fade."""
    for index, scale in enumerate(SETTINGS.scales):
        rest = left[index] * math.exp(-seconds / scale)
        offered[index] += (left[index] - rest) * scale
        left[index] = rest


def _explain(left: list[float], caused: list[float], weights: Floats) -> float:
    """Say which scale a publication is owed to; return the share of those that hours and days bear on."""
    shares = [weight * rest for weight, rest in zip(weights, left, strict=True)]
    total = sum(shares)
    if total <= 0:
        return 1.0
    for index, share in enumerate(shares):
        caused[index] += share / total
    return 1 - sum(shares[: SETTINGS.swift]) / total


def _excite(left: list[float]) -> None:
    for index, scale in enumerate(SETTINGS.scales):
        left[index] += 1 / scale


def _moments(dates: Iterable[float]) -> list[tuple[float, float]]:
    """Count items by second, in order; the latest ones when there are too many."""
    counts: dict[float, float] = {}
    for at in sorted(dates):
        second = float(math.floor(at))
        counts[second] = counts.get(second, 0.0) + 1
    return list(counts.items())[-SETTINGS.most_new :]


def _placed(events: list[float | None], last: float, now: float) -> list[tuple[float, float]]:
    """Give every new item a moment between two visits: its own date, or else the middle, where it errs least."""
    middle = (last + now) / 2
    return _moments(at if at is not None and last < at <= now else middle for at in events)


def _span(known: float, before: Floats, fresh: Sequence[tuple[float, float]], window: int) -> float:
    """Return the shortest time in which `SETTINGS.filled` of a window was published, forgetting slowly."""
    most = max(SETTINGS.least_window, window) * SETTINGS.filled
    if not fresh:
        return known
    series = [*((at, 1.0) for at in before), *fresh]
    first, held, least = 0, 0.0, known * 1.02
    for at, count in series:
        held += count
        while held - series[first][1] >= most:
            held -= series[first][1]
            first += 1
        if held >= most and at > series[first][0]:  # of one instant, no visit could come between
            least = _least(least, at - series[first][0])
    return least


def _least(known: float, other: float) -> float:
    return min(known, other) if known > 0 else other


def intervals(moments: Sequence[float]) -> list[float]:
    """Return the seconds between publications."""
    return [later - earlier for earlier, later in pairwise(moments)]
