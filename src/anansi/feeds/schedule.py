"""When to come back: rhythm, wishes and price in, a due date and a risk out.

`due` weighs what waiting costs (seconds that items wait unseen) against what a request costs (`price`, in the same
seconds): it looks for the series of visits whose costs are least, and returns the first. So one price for all feeds
shares requests among them as is best for all; `Purse` finds the price that keeps a budget of requests a day.
The risk that items fall out of a feed between two visits bounds the interval, whatever the price. What the feed and
the site ask for (`Limits`) bounds it from below, whatever the risk, which is told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from anansi.feeds.forecast import Forecast, forecast_of
from anansi.feeds.rhythm import DAY, batch_of, weekday
from anansi.feeds.settings import SETTINGS
from anansi.state import Hints, Rhythm


class Limits(msgspec.Struct, frozen=True):
    """Between which intervals to choose, in seconds."""

    least: float = 300.0
    """Of politeness, and of what the site says (Retry-After, Cache-Control), whichever is longest."""
    longest: float = 30 * DAY
    """No URL is forgotten; a feed that asks for more time is given this."""
    hints: Hints = Hints()
    """What the feed asks for."""


class Due(NamedTuple):
    """When to come back, and what may be lost by then."""

    at: float
    risk: float
    """Probability that items fall out of the feed unseen before this visit."""


def due(rhythm: Rhythm, now: float, limits: Limits, price: float) -> Due:
    """Return when to visit next; `price` is what a request costs, in seconds that items wait."""
    forecast = forecast_of(rhythm)
    safe = _safe(rhythm, forecast, limits)
    wanted = min(planned(forecast, price, limits), safe, limits.longest)
    at = allowed(rhythm.last, rhythm.last + wanted, limits)
    at = max(at, now) if at > now else allowed(rhythm.last, now, limits)
    return Due(at, _risk(rhythm, forecast.expected([max(SETTINGS.soonest, at - rhythm.last)])[-1]))


def planned(forecast: Forecast, price: float, limits: Limits) -> float:
    """Return the interval to the first visit of the plan that costs least.

    With E(t) items expected by t and S its integral, a visit at t after one at u costs what items wait meanwhile,
    S(t) - S(u) - E(u)(t - u), and the price. The best predecessor of each t lies on a lower hull of lines, so that
    the whole takes as many steps as there are moments.
    """
    natural = min(limits.longest, math.sqrt(2 * max(1.0, price) / max(1e-12, forecast.rate)))
    times = _moments(forecast, natural, limits)
    expected = forecast.expected(times)
    sums, before, at, total = [], 0.0, 0.0, 0.0
    for time, number in zip(times, expected, strict=True):
        total += (number + before) / 2 * (time - at)
        before, at = number, time
        sums.append(total)
    return _first(times, expected, sums, price)


def _first(times: Sequence[float], expected: Sequence[float], sums: Sequence[float], price: float) -> float:
    """Find the cheapest series of visits, and return its first."""
    lines: list[tuple[float, float, int]] = [(0.0, 0.0, -1)]  # slope, height, index of the visit
    firsts: list[float] = []
    head = 0
    for index, time in enumerate(times):
        while head + 1 < len(lines) and _at(lines[head + 1], time) <= _at(lines[head], time):
            head += 1
        slope, height, origin = lines[head]
        cost = sums[index] + price + height + slope * time
        firsts.append(firsts[origin] if origin >= 0 else time)
        line = (-expected[index], cost - sums[index] + expected[index] * time, index)
        while len(lines) - head >= 2 and _needless(lines[-2], lines[-1], line):
            lines.pop()
        lines.append(line)
    end = times[-1]
    last = min(lines[head:], key=lambda line: _at(line, end))[2]
    return firsts[last] if last >= 0 else end


def _at(line: tuple[float, float, int], time: float) -> float:
    return line[1] + line[0] * time


def _needless(
    first: tuple[float, float, int], second: tuple[float, float, int], third: tuple[float, float, int]
) -> bool:
    """Tell whether the second line is nowhere the lowest of the three, whose slopes fall."""
    return (third[1] - first[1]) * (first[0] - second[0]) <= (second[1] - first[1]) * (first[0] - third[0])


def _moments(forecast: Forecast, natural: float, limits: Limits) -> list[float]:
    """Choose the moments at which a visit may be planned, as seconds from the start."""
    least = max(SETTINGS.soonest, limits.least)
    end = max(least * 2, min(limits.longest * 2, SETTINGS.ahead * natural))
    step = end / SETTINGS.steps
    times = {least + step * number for number in range(SETTINGS.steps)}
    times.update(gap for gap in forecast.gaps if least < gap < end and forecast.regular > 0)
    return sorted(times)


def _safe(rhythm: Rhythm, forecast: Forecast, limits: Limits) -> float:
    """Return the longest interval in which few items are lost."""
    if not rhythm.window:
        return limits.longest
    most = _room(rhythm)
    low, high = 0.0, limits.longest
    if rhythm.span > 0:
        high = min(high, max(SETTINGS.closest, rhythm.span * (1.0 if rhythm.full else 4.0)))
    times = [high * (number / 8) ** 2 for number in range(1, 9)]
    before = 0.0
    for time, number in zip(times, forecast.expected(times), strict=True):
        if number > most:
            return max(SETTINGS.soonest, low + (time - low) * (most - before) / (number - before))
        low, before = time, number
    return high


def _room(rhythm: Rhythm) -> float:
    """Return how many items may be expected at most for the risk to be small."""
    ratio: float = SETTINGS.risk ** (1 / (_size(rhythm) / batch_of(rhythm) + 1))
    return batch_of(rhythm) * ratio / (1 - ratio)


def _risk(rhythm: Rhythm, expected: float) -> float:
    """Return the probability that more items come than the feed shows.

    The rate itself is only guessed; where it is spread as in an exponential distribution, the number of publications
    is geometric, whose tail is simple.
    """
    if not rhythm.window:
        return 0.0
    mean = max(0.0, expected) / batch_of(rhythm)
    return float((mean / (1 + mean)) ** (_size(rhythm) / batch_of(rhythm) + 1))


def _size(rhythm: Rhythm) -> int:
    return rhythm.window if rhythm.full else max(SETTINGS.least_window, rhythm.window)


def allowed(last: float, at: float, limits: Limits) -> float:
    """Return the first moment from `at` on at which the feed and the site want a visit after that of `last`."""
    hints = limits.hints
    wishes = (limits.least, (hints.ttl or 0) * 60.0, hints.interval or 0.0, SETTINGS.soonest)
    at = max(at, last + min(max(wishes), limits.longest))
    if hints.start is not None and hints.start.at is not None and hints.interval:
        tick = hints.start.at + math.ceil((at - hints.start.at) / hints.interval) * hints.interval
        at = tick if at <= tick <= last + limits.longest else at
    return _unskipped(at, hints)


def _unskipped(at: float, hints: Hints) -> float:
    """Move on to an hour and a day that the feed does not ask to skip; one that skips all skips none."""
    hours, days = frozenset(hints.skip_hours), frozenset(hints.skip_days)
    if len(hours & frozenset(range(24))) == 24 or len(days & frozenset(range(7))) == 7:
        return at
    for _ in range(8 * 24):
        if weekday(at) not in days and int(at % DAY // 3600) not in hours:
            return at
        at = (at // 3600 + 1) * 3600.0
    return at


class Purse(msgspec.Struct, frozen=True, array_like=True):
    """A budget of requests a day for all URLs together, and the price that keeps it."""

    budget: float
    """Requests a day."""
    price: float = 3600.0
    at: float = 0.0
    rate: float = 0.0
    """Requests a day, those of the last hours counting most."""

    def paid(self, now: float) -> Purse:
        """Add a request: more than the budget raises the price, less lowers it."""
        passed = min(DAY, max(0.0, now - self.at)) if self.at else 0.0
        memory = max(DAY / 8, 30 * DAY / max(self.budget, 1e-9))
        known = self.rate if self.at else self.budget
        rate = known * math.exp(-passed / memory) + DAY / memory
        excess = math.log(max(rate, self.budget / 100) / self.budget)
        price = self.price * math.exp(min(1.0, max(-1.0, excess)) * passed / (2 * memory))
        return Purse(self.budget, min(SETTINGS.dearest, max(1.0, price)), max(now, self.at), rate)
