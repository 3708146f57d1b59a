"""Publication histories and feeds that show the latest of them, for simulations of when to come back.

What the schedule sees is what a feed shows: the latest items, as many as its window holds, with their dates. All
visits count from the first one on, and so do the items that are published from then on; what the feed showed at the
first visit is its history.
"""

from __future__ import annotations

import heapq
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anansi.feeds.rhythm import began, noted
from anansi.feeds.schedule import Limits, Purse, due
from anansi.state import Rhythm

HOUR, DAY = 3600.0, 86400.0
START = 1_700_000_000.0 // DAY * DAY
"""When watching begins: midnight, in UTC."""
BEFORE = 60 * DAY
"""How long the histories had been going on."""
WINDOWS = (10, 15, 20, 25, 50)
LIMITS = Limits(least=300.0, longest=30 * DAY)


@dataclass(frozen=True, slots=True)
class History:
    """When a feed published, and how many items it shows."""

    kind: str
    moments: tuple[float, ...]
    window: int
    start: float
    """When it is visited first."""
    end: float


@dataclass(frozen=True, slots=True)
class Told:
    """What watching a feed cost and brought."""

    requests: int
    items: int
    missed: int
    waited: float
    """Seconds between publication and visit, of all items that were not missed."""
    noticed: int = 0
    """Visits after which the schedule knew that items may have been lost."""

    def __add__(self, other: Told) -> Told:
        return Told(
            self.requests + other.requests,
            self.items + other.items,
            self.missed + other.missed,
            self.waited + other.waited,
            self.noticed + other.noticed,
        )

    @property
    def delay(self) -> float:
        """Seconds in the mean."""
        return self.waited / max(1, self.items - self.missed)


NOTHING = Told(0, 0, 0, 0.0)


def watched(history: History, price: float, limits: Limits = LIMITS) -> Told:
    """Visit a feed when the schedule says."""
    moments = history.moments
    at = history.start
    shown = bisect_right(moments, at)
    first = shown
    rhythm = began(moments[max(0, shown - history.window) : shown], at, window=min(shown, history.window))
    requests, missed, waited = 1, 0, 0.0
    while (at := due(rhythm, at, limits, price).at) < history.end:
        requests += 1
        now = bisect_right(moments, at)
        oldest = max(shown, now - history.window)
        missed += oldest - shown
        waited += sum(at - moments[index] for index in range(oldest, now))
        overlap = not shown or now - history.window < shown
        rhythm = noted(rhythm, moments[oldest:now], at, window=min(now, history.window), overlap=overlap)
        shown = now
    waited += sum(history.end - moment for moment in moments[shown:])  # not seen yet: as long as it lasted
    return Told(requests, len(moments) - first, missed, waited, rhythm.gaps)


def kept(histories: Sequence[History], budget: float) -> list[int]:
    """Visit feeds together, at the price that a purse finds; return the requests of each day."""
    purse = Purse(budget)
    start, end = min(each.start for each in histories), min(each.end for each in histories)
    queue = [(start + number, number) for number in range(len(histories))]
    rhythms: dict[int, Rhythm] = {}
    spent = [0] * int((end - start) // DAY)
    while queue[0][0] < end:
        at, number = heapq.heappop(queue)
        history, known = histories[number], rhythms.get(number)
        now = bisect_right(history.moments, at)
        oldest = max(0, now - history.window)
        shown = history.moments[oldest:now]
        if known is None:
            rhythms[number] = began(shown, at, window=len(shown))
        else:
            fresh = [moment for moment in shown if moment > known.last]
            rhythms[number] = noted(known, fresh, at, window=len(shown), overlap=len(fresh) < len(shown))
        purse = purse.paid(at)
        spent[min(len(spent) - 1, int((at - start) // DAY))] += 1
        heapq.heappush(queue, (due(rhythms[number], at, LIMITS, purse.price).at, number))
    return spent


def polled(history: History, interval: float) -> Told:
    """Visit a feed at a fixed interval."""
    moments = history.moments
    at, shown = history.start, bisect_right(moments, history.start)
    first = shown
    requests, missed, waited = max(1, math.ceil((history.end - history.start) / interval)), 0, 0.0
    while shown < len(moments):
        visits = math.ceil((moments[shown] - history.start) / interval)
        at = min(history.end, history.start + visits * interval)
        now = max(shown + 1, bisect_right(moments, at))
        oldest = max(shown, now - history.window)
        missed += oldest - shown
        waited += sum(at - moments[index] for index in range(oldest, now))
        shown = now
    return Told(requests, len(moments) - first, missed, waited)


def same_requests(histories: Sequence[History], requests: int) -> float:
    """Return the fixed interval at which these feeds take so many requests together."""
    low, high = 60.0, max(each.end - each.start for each in histories)
    for _ in range(60):
        middle = (low + high) / 2
        asked = sum(max(1, math.ceil((each.end - each.start) / middle)) for each in histories)
        low, high = (middle, high) if asked > requests else (low, middle)
    return high


# ── histories ────────────────────────────────────────────────────────────────────────────────────────────────────


def regular(rng: random.Random, until: float) -> list[float]:
    """Publish at an interval between one hour and three days, five per cent more or less."""
    gap = _between(rng, HOUR, 3 * DAY)
    at, found = -BEFORE + rng.random() * gap, []
    while at < until:
        found.append(at)
        at += max(60.0, rng.gauss(gap, 0.05 * gap))
    return found


def bursty(rng: random.Random, until: float) -> list[float]:
    """Publish 5 to 25 items some minutes apart every few days, and hardly anything between."""
    quiet, near, found = _between(rng, DAY, 10 * DAY), _between(rng, 5 * 60, 40 * 60), []
    at = -BEFORE + rng.expovariate(1 / quiet)
    while at < until:
        for _ in range(rng.randint(5, 25)):
            found.append(at)
            at += rng.expovariate(1 / near)
        at += rng.expovariate(1 / quiet)
    return found + _poisson(rng, lambda _: 0.2 / DAY, 0.2 / DAY, until)


def daily(rng: random.Random, until: float) -> list[float]:
    """Publish up to four times a day at about the same times; one in ten is left out."""
    times = [rng.random() * DAY for _ in range(rng.randint(1, 4))]
    days = range(-int(BEFORE // DAY), int(until // DAY) + 1)
    return [day * DAY + rng.gauss(time, 900) for day in days for time in times if rng.random() < 0.9]


def dying(rng: random.Random, until: float) -> list[float]:
    """Publish several times a day at first and ever more rarely then; one in three comes to life again."""
    most, fade, begun = _between(rng, 2 / DAY, 20 / DAY), rng.uniform(4, 15) * DAY, -rng.random() * 20 * DAY
    again = rng.uniform(0.4, 0.9) * until if rng.random() < 1 / 3 else math.inf

    def rate(at: float) -> float:
        since = at - again if at >= again else at - begun
        return most * math.exp(-since / fade) if since >= 0 else 0.0

    return _poisson(rng, rate, most, until)


def weekday(rng: random.Random, until: float) -> list[float]:
    """Publish one to ten items on working days between eight and eighteen, somewhere on Earth."""
    most, shift = _between(rng, 1, 10) / (10 * HOUR), rng.randint(-12, 12) * HOUR

    def rate(at: float) -> float:
        local = START + at + shift
        return most if int(local // DAY + 3) % 7 < 5 and 8 * HOUR <= local % DAY < 18 * HOUR else 0.0

    return _poisson(rng, rate, most, until)


def chance(rng: random.Random, until: float) -> list[float]:
    """Publish at any time, between every ten days and twenty times a day in the mean."""
    rate = _between(rng, 0.1 / DAY, 20 / DAY)
    return _poisson(rng, lambda _: rate, rate, until)


KINDS: dict[str, Callable[[random.Random, float], list[float]]] = {
    "regular": regular,
    "bursty": bursty,
    "daily": daily,
    "dying": dying,
    "weekdays": weekday,
    "by chance": chance,
}


def synthetic(seed: int, feeds: int, length: float) -> list[History]:
    """Make so many histories of each kind."""
    found = []
    for kind, publish in KINDS.items():
        for number in range(feeds):
            rng = random.Random(f"{seed} {kind} {number}")
            moments = tuple(START + at for at in sorted(publish(rng, length)) if at < length)
            found.append(History(kind, moments, rng.choice(WINDOWS), START, START + length))
    return found


def _poisson(rng: random.Random, rate: Callable[[float], float], most: float, until: float) -> list[float]:
    at, found = -BEFORE, []
    while (at := at + rng.expovariate(most)) < until:
        if rng.random() * most < rate(at):
            found.append(at)
    return found


def _between(rng: random.Random, low: float, high: float) -> float:
    """Choose a number of any order of magnitude."""
    return math.exp(rng.uniform(math.log(low), math.log(high)))
