"""What a date may say, and which day is meant.

Nothing here knows a clock: days are counted by hand, and the time of reading comes as an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

SEEN: Final = 200_000
"""Characters of a page that are looked at for its order of day and month; 100 KB of forum take 1 ms, once a page, as
long as its site's order is not known."""
ENOUGH: Final = 1000
"""Dates counted for an order; beyond, both counts are halved, so that a site may change its habit."""
EARLIEST, LATEST = 1900, 2100
"""Years that a page may name in four digits."""
UNIX_FROM: Final = 631_152_000
"""1990 in Unix seconds; smaller numbers are not times."""
NUMERIC: Final = re.compile(r"(\d(?<!\d\d)(?<!\d[-/.:]\d)\d?)([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d|[-/.:]\d)")
"""A date of three numbers, the year last. It begins with a digit and not with a look behind, so that `re` skips to
the digits of a text."""
_DAY, _YEAR = 86_400, 31_622_400


# ── days ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def number_of(year: int, month: int, day: int) -> int:
    """Return the number of a day, 1 January 1970 being 0; years begin in March, so that leap days end them."""
    year -= month <= 2
    days = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + days - 719_468


def _date(number: int) -> tuple[int, int, int]:
    """Return year, month and day of a numbered day."""
    number += 719_468
    year = (10_000 * number + 14_780) // 3_652_425
    days = number - (365 * year + year // 4 - year // 100 + year // 400)
    if days < 0:
        year -= 1
        days = number - (365 * year + year // 4 - year // 100 + year // 400)
    month = (100 * days + 52) // 3060
    return year + (month >= 10), (month + 2) % 12 + 1, days - (month * 306 + 5) // 10 + 1


def exists(year: int, month: int, day: int) -> bool:
    """Say whether the calendar has a day, in a year that pages speak of."""
    if not (EARLIEST <= year <= LATEST and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (29 if leap else 28) if month == 2 else day <= 30 + (month in (1, 3, 5, 7, 8, 10, 12))


def _moment(seconds: int, *, exact: bool) -> str:
    year, month, day = _date(seconds // _DAY)
    minutes, second = divmod(seconds % _DAY, 60)
    clock = f"{minutes // 60:02}:{minutes % 60:02}:{second if exact else 0:02}"
    return f"{year:04}-{month:02}-{day:02}T{clock}+00:00"


@dataclass(slots=True)
class Order:
    """Whether a site writes the day or the month first. Mutable: its two counts, all there is to remember."""

    day_first: int = 0
    """Dates seen that can be read only day first."""
    month_first: int = 0
    """Dates seen that can be read only month first."""

    @property
    def decided(self) -> bool:
        """Say whether the dates seen speak for one of the two."""
        return self.day_first != self.month_first

    def note(self, text: str) -> None:
        """Learn from the dates in a text; `1.12.13` may be a version, and tells nothing."""
        for found in NUMERIC.finditer(text[:SEEN]):
            first, second = int(found[1]), int(found[3])
            if found[2] != "/" and not EARLIEST <= int(found[4]) <= LATEST:
                continue
            if 12 < first <= 31 and 1 <= second <= 12:
                self.count(day_first=True)
            elif 1 <= first <= 12 < second <= 31:
                self.count(day_first=False)

    def count(self, *, day_first: bool) -> None:
        """Count one more date."""
        self.day_first += day_first
        self.month_first += not day_first
        if self.day_first + self.month_first > ENOUGH:
            self.day_first, self.month_first = self.day_first // 2, self.month_first // 2


# ── what a text may say ────────────────────────────────────────────────────────────────────────────────────────────


class Day(NamedTuple):
    """A date that can be read in one way."""

    year: int
    """0 where it is not told: the last such day is meant."""
    month: int
    day: int
    """0 where it is not told."""
    clock: str = ""
    short: bool = False
    """The year was told in two digits."""

    def iso(self, now: int, _order: Order) -> str:
        """Return the day that is meant."""
        year = self.year or self._last(now)
        if self.short and year > _date(now // _DAY)[0] + 1:
            return ""
        if not exists(year, self.month, self.day or 1):
            return ""
        return f"{year}-{self.month:02}-{self.day:02}{self.clock}" if self.day else f"{year}-{self.month:02}"

    def _last(self, now: int) -> int:
        """Return the year of the last such day; a page may be a day ahead of us."""
        tomorrow = now // _DAY + 1
        this = _date(tomorrow)[0]
        years = (year for year in range(this, this - 9, -1) if exists(year, self.month, self.day))
        return next((year for year in years if number_of(year, self.month, self.day) <= tomorrow), 0)


class Pair(NamedTuple):
    """A date of three numbers, in the ways it can be read."""

    day_first: Day | None
    month_first: Day | None
    american: bool
    """The words around are those of a page that writes the month first."""

    @property
    def is_open(self) -> bool:
        """Say whether it can be read in two ways."""
        return self.day_first is not None and self.month_first is not None

    def iso(self, now: int, order: Order) -> str:
        """Return the day that is meant."""
        if self.day_first is None or self.month_first is None:
            order.count(day_first=self.month_first is None)
            day = self.day_first or self.month_first
        else:
            day = self.day_first if self._is_day_first(now, order) else self.month_first
        return "" if day is None else day.iso(now, order)

    def _is_day_first(self, now: int, order: Order) -> bool:
        """Ask the site's habit, then whether one reading lies ahead of us, then the language."""
        if order.decided:
            return order.day_first > order.month_first
        ahead = [day is not None and number_of(*day[:3]) > now // _DAY + 1 for day in self[:2]]
        return ahead[1] if ahead[0] != ahead[1] else not self.american


class Ago(NamedTuple):
    """A length of time before now."""

    months: int
    seconds: int
    unit: str
    """The finest that is told."""

    def iso(self, now: int, _order: Order) -> str:
        """Return the day that is meant."""
        year, month, day = _date((now - self.seconds) // _DAY)
        if self.months:
            year, month = divmod(year * 12 + month - 1 - self.months, 12)
            month += 1
        if year < EARLIEST:
            return ""
        if self.unit == "year":
            return str(year)
        if self.unit == "month":
            return f"{year}-{month:02}"
        if self.unit in ("day", "week"):
            day = next(each for each in range(day, 0, -1) if exists(year, month, each))
            return f"{year}-{month:02}-{day:02}"
        return _moment(now - self.seconds - self.months * 30 * _DAY, exact=False)


class Back(NamedTuple):
    """A day so many days back, or the last day of a name."""

    days: int
    clock: str
    weekday: int = 0

    def iso(self, now: int, _order: Order) -> str:
        """Return the day that is meant."""
        today = now // _DAY
        back = self.days if not self.weekday else (today + 3 - (self.weekday - 1)) % 7 or 7
        year, month, day = _date(today - back)
        return f"{year}-{month:02}-{day:02}{self.clock}"


class Unix(NamedTuple):
    """Seconds since 1970."""

    seconds: int

    def iso(self, now: int, _order: Order) -> str:
        """Return the day that is meant."""
        plausible = UNIX_FROM <= self.seconds <= now + _YEAR
        return _moment(self.seconds, exact=True) if plausible else ""


Said = Day | Pair | Ago | Back | Unix
