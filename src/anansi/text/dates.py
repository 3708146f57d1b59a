"""Dates as pages write them → ISO 8601.

What a text says is found without knowing the day or the site (`wording`, remembered by text); which day that is, is
settled after that (`days`), with the time of reading and the order of day and month that the site keeps to.

The answer is as precise as the source: `2009`, `2009-01`, `2009-01-05` or `2009-01-05T15:32:00` (seconds are always
written, as XML Schema wants them), with an offset where the page gives one or the moment is known (Unix times, "3
hours ago"). Names of days ("today") are taken as days of UTC: pages do not tell where they stand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from anansi.text.date_wording import REMEMBERED, by_format, said
from anansi.text.days import Order, Pair, exists
from anansi.text.hours import written

__all__ = ["LONGEST", "Order", "Reader", "usual"]

LONGEST: Final = 300
"""Characters of a text that are looked at."""

# The two forms that most sites use, read in a tenth of the time: every post has a date of its own.
_YEAR_FIRST: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|, | )((?:[01][0-9]|2[0-3]):[0-5][0-9])(:[0-5][0-9])?"
    r"(?:([+-](?:0[0-9]|1[0-4])):?([0-5][0-9]))?"
)
_MONTH_FIRST: Final = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?([A-Z][a-z]+ [0-9]{1,2}, [0-9]{4}),?(?: at)?"
    r" ([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: (?:[ap]m|[AP]M))?)"
)
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ENGLISH: Final = {name: number for number, full in enumerate(_MONTHS, start=1) for name in (full, full[:3])}


def usual(text: str) -> str:
    """Return a date that is all of a text and written in one of the usual forms, or nothing."""
    if text[:1].isdecimal():
        found = _YEAR_FIRST.fullmatch(text)
        if found is None:
            return ""
        year, month, day, clock, seconds, hours, minutes = found.groups()
        if not exists(int(year), int(month), int(day)):
            return ""
        return f"{year}-{month}-{day}T{clock}{seconds or ':00'}{f'{hours}:{minutes}' if hours else ''}"
    found = _MONTH_FIRST.fullmatch(text)
    if found is None:
        return ""
    date, time = _date(found[1]), _clock(found[2])
    return date + time if date and time else ""


@lru_cache(REMEMBERED)
def _date(text: str) -> str:
    """Read `January 5, 2009`; a thread has few days."""
    name, day, year = text.split(" ")
    number = _ENGLISH.get(name, 0)
    return f"{year}-{number:02}-{int(day[:-1]):02}" if exists(int(year), number, int(day[:-1])) else ""


@lru_cache(REMEMBERED)
def _clock(text: str) -> str:
    """Read `3:32 pm`; a day has few minutes."""
    clock, _, half = text.partition(" ")
    hour, minute, second = (*map(int, clock.split(":")), 0)[:3]
    return written(hour, minute, second, half.lower())


class Reader:
    """Reads the dates of a page.

    Mutable state: its site's `order`, which every date read may teach; `_page`, until it was asked for that order.
    """

    def __init__(self, now: float, *, order: Order | None = None, page: str = ""):
        self._now = int(now)
        self.order = Order() if order is None else order
        self._page = page

    def read(self, text: str, formats: tuple[str, ...] = ()) -> str:
        """Return the first date of a text in ISO 8601, or nothing; formats, as of `strptime`, are tried first."""
        if not formats and (read := usual(text)):
            return read
        text = text[:LONGEST]
        for form in formats:
            told = by_format(text, form)
            if told is not None and (read := told.iso(self._now, self.order)):
                return read
        found = said(text)
        if found is None:
            return ""
        if self._page and isinstance(found, Pair) and found.is_open and not self.order.decided:
            self.order.note(self._page)
            self._page = ""
        return found.iso(self._now, self.order)
