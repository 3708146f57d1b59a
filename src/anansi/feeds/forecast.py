"""What a rhythm lets expect: how many items will have been published by a time.

Three things are put together: the influence of earlier publications (`weights_of`), the hours and days at which
this URL publishes, as far as its history shows that they matter, and regular intervals where there are any.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from anansi.feeds.rhythm import DAY, batch_of, intervals, weights_of
from anansi.feeds.settings import SETTINGS
from anansi.state import SLOTS, Rhythm

HALF_HOUR: Final = DAY / SLOTS


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected of one URL from a moment on, which is its last visit."""

    start: float
    rates: tuple[float, ...]
    """Publications a second at the start, by scale, before hours and days."""
    fades: tuple[float, ...]
    """Seconds in which each rate fades."""
    floor: float
    cascade: float
    """Publications that each one of the slow scales is followed by within hours, itself included."""
    batch: float
    slots: tuple[float, ...]
    """Factors by half-hour of the day, 1 in the mean."""
    days: tuple[float, ...]
    regular: float
    """How far regular intervals count, 0 to 1."""
    gaps: tuple[float, ...]
    """Seconds from the start to the next publication, as the intervals so far say, in order."""
    mean_gap: float

    @property
    def rate(self) -> float:
        """Items a second in the near future, hours and days left out."""
        steady = sum(self.rates[: SETTINGS.swift]) + (sum(self.rates[SETTINGS.swift :]) + self.floor) * self.cascade
        return self.batch * (steady if not self.gaps else (1 - self.regular) * steady + self.regular / self.mean_gap)

    def expected(self, times: Sequence[float]) -> list[float]:
        """Return how many items will be there at each of these times, in seconds from the start and in order."""
        fine = len(times) < 2 or (times[-1] - times[0]) / len(times) <= DAY / 6
        flow = self._flow(times, fine)
        if not self.gaps or self.regular <= 0:
            return [self.batch * number for number in flow]
        rows = zip(flow, self._due(times), strict=True)
        return [self.batch * ((1 - self.regular) * number + self.regular * due) for number, due in rows]

    def _flow(self, times: Sequence[float], fine: bool) -> list[float]:
        """Sum up what all scales let expect: publications, of which each is followed by others within hours."""
        swift = [
            row
            for row in zip(self.rates[: SETTINGS.swift], self.fades[: SETTINGS.swift], strict=True)
            if row[0] * row[1] > SETTINGS.tiny
        ]
        slow = [
            row for row in zip(self.rates[SETTINGS.swift :], self.fades[SETTINGS.swift :], strict=True) if row[0] > 0
        ]
        settling, more = self.fades[SETTINGS.swift - 1], self.cascade - 1
        start, slots, days, exp = self.start, self.slots, self.days, math.exp
        found: list[float] = []
        total, at = 0.0, 0.0
        for time in times:
            step, middle = time - at, (time + at) / 2
            moment = start + middle
            factor = days[int(moment // DAY + 3) % 7]
            if fine:
                factor *= slots[int(moment % DAY / HALF_HOUR)]
            rate = self.floor
            for each, fade in slow:
                rate += each * exp(-middle / fade)
            total += factor * step * rate * (1 + more * (1 - exp(-middle / settling)))
            at = time
            found.append(total)
        for each, fade in swift:
            found = [total + each * fade * (1 - exp(-time / fade)) for total, time in zip(found, times, strict=True)]
        return found

    def _due(self, times: Sequence[float]) -> list[float]:
        """Expect the next publication when the intervals so far say, and those after it at their mean."""
        found: list[float] = []
        after, before, at = 0.0, 0.0, 0.0
        for time in times:
            share = self._share(time)
            after += (share + before) / 2 * (time - at) / self.mean_gap
            before, at = share, time
            found.append(share + after)
        return found

    def _share(self, time: float) -> float:
        """Return the probability that the next publication has come."""
        gaps = self.gaps
        index = bisect_right(gaps, time)
        if index == 0:
            return 0.0
        if index == len(gaps):
            return 1.0
        here, there = gaps[index - 1], gaps[index]
        part = (time - here) / (there - here) if there > here else 1.0
        return (index - 1 + part) / (len(gaps) - 1)


def forecast_of(rhythm: Rhythm) -> Forecast:
    """Say what is expected after the last visit."""
    weights = weights_of(rhythm)
    gaps = intervals(rhythm.moments)
    latest = rhythm.latest
    silent = rhythm.last - latest if latest is not None else 0.0
    usual = sum(gaps) / len(gaps) if gaps else 0.0
    regular = _regularity(gaps)
    ahead = _ahead(gaps, silent) if regular > 0 else ()
    shown = 1.0 if rhythm.publications else 0.0
    slots, days = factors(rhythm.slots, SETTINGS.hours), factors(rhythm.days, SETTINGS.weekdays)
    return Forecast(
        start=rhythm.last,
        rates=tuple(weight * left for weight, left in zip(weights, rhythm.left, strict=True)),
        fades=tuple(_fades(weights)),
        floor=SETTINGS.floor / (max(silent, usual) + DAY / 24)
        if shown and silent > 0
        else (0.0 if shown else 1 / SETTINGS.prior),
        cascade=1 / (1 - min(0.9, sum(weights[: SETTINGS.swift]))),
        batch=batch_of(rhythm),
        slots=slots,
        days=days,
        regular=regular if ahead else 0.0,
        gaps=ahead,
        mean_gap=max(1.0, usual) if gaps else SETTINGS.prior,
    )


def _fades(weights: Sequence[float]) -> list[float]:
    """Return how long each influence lasts, given that what it causes has influence itself."""
    total, found = 0.0, []
    for weight, scale in zip(weights, SETTINGS.scales, strict=True):
        total += weight
        found.append(scale / (1 - min(0.9, total)))
    return found


def _regularity(gaps: Sequence[float]) -> float:
    if len(gaps) < SETTINGS.least_gaps:
        return 0.0
    ordered = sorted(gaps)
    middle = ordered[len(gaps) // 2]
    spread = (ordered[len(gaps) * 3 // 4] - ordered[len(gaps) // 4]) / middle if middle > 0 else math.inf
    sure, never = SETTINGS.regular
    return min(1.0, max(0.0, (never - spread) / (never - sure))) * 0.98


def _ahead(gaps: Sequence[float], silent: float) -> tuple[float, ...]:
    """Return when the next publication may come, of those intervals that are longer than the silence so far."""
    ordered = sorted(gap - silent for gap in gaps if gap > silent)
    if not ordered:
        return ()
    slack = 0.02 * sum(gaps) / len(gaps)
    return (max(0.0, ordered[0] - slack), *ordered, ordered[-1] + slack)


@lru_cache(maxsize=4096)
def factors(counts: tuple[int, ...], widths: tuple[int, ...]) -> tuple[float, ...]:
    """Make factors around 1 of counts on a circle, as far as they differ more than chance lets them.

    The counts are smoothed over so many neighbours; each smoothing is believed as far as it foretells every
    publication from all the others, and so is the assumption that all is even.
    """
    size, number = len(counts), sum(counts) / SETTINGS.whole
    if number < SETTINGS.least_counts:
        return (1.0,) * size
    shapes = [[1.0] * size, *(_smoothed(counts, width) for width in widths)]
    scores = [0.0, *(_score(counts, shape, width) for shape, width in zip(shapes[1:], widths, strict=True))]
    best = max(scores)
    beliefs = [math.exp(score - best) for score in scores]
    total = sum(beliefs)
    return tuple(
        sum(belief * shape[index] for belief, shape in zip(beliefs, shapes, strict=True)) / total
        for index in range(size)
    )


def _smoothed(counts: Sequence[int], width: int) -> list[float]:
    """Return the mean of each count and of `width` neighbours on both sides, over that of all; never nothing."""
    size, number = len(counts), sum(counts)
    held = float(sum(counts[index] for index in range(-width, width + 1)))
    found = []
    for index in range(size):
        found.append(SETTINGS.faint + (1 - SETTINGS.faint) * held / (2 * width + 1) * size / number)
        held += counts[(index + width + 1) % size] - counts[index - width]
    return found


def _score(counts: Sequence[int], shape: Sequence[float], width: int) -> float:
    """Return how much better a shape foretells publications that it does not know than chance does."""
    size, number = len(counts), sum(counts) / SETTINGS.whole
    own = (1 - SETTINGS.faint) / (2 * width + 1) * size / number
    rest = number / (number - 1)
    return sum(
        count
        / SETTINGS.whole
        * math.log(max(SETTINGS.faint, (shape[index] - own - SETTINGS.faint) * rest + SETTINGS.faint))
        for index, count in enumerate(counts)
        if count
    )
