"""Text → the days, months and years that it speaks of.

The dates of a page itself (when was it published) are read where the page is; here prose is looked through for all of
them, in the languages of `months`. Only a written year begins a search, so that a long text costs little.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from anansi.language.folding import fold
from anansi.language.months import MONTHS

LONGEST: Final = 400_000
"""Characters that are looked through."""
MOST: Final = 200
"""Dates of one text; a calendar or a table has more, and says no more by them."""
FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2099
BEFORE: Final = 34
"""Characters before a year in which its day and month stand: `le 30 de septiembre del `."""

_YEAR: Final = re.compile("[12][0-9]{3}")
_NAMED: Final = re.compile(
    r"(?:(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|os?|a|\.)?\s*(?:de |of |d')?\s*)?([^\W\d_]{3,})\.?"
    r"(?:\s+(\d{1,2})(?:st|nd|rd|th|\.)?)?,?\s+(?:de |del |do )?\s*$"
)
_NUMERIC: Final = re.compile(r"(?<!\d)(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?$")
_BEHIND: Final = re.compile(r"-(\d\d)(?:-(\d\d))?(?!\d)|\s?[年년]\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?")


@dataclass(frozen=True, slots=True)
class Span:
    """A day, a month or a year that a text speaks of."""

    first: date
    last: date
    said: str = ""
    """As it stands in the text, folded."""

    @property
    def days(self) -> int:
        """How long it is."""
        return (self.last - self.first).days + 1


def span_of(year: int, month: int = 0, day: int = 0, said: str = "") -> Span | None:
    """Return a day, or the days of a month or a year; None when there is no such day."""
    try:
        if not month:
            return Span(date(year, 1, 1), date(year, 12, 31), said)
        last = monthrange(year, month)[1]
        return Span(date(year, month, day or 1), date(year, month, day or last), said)
    except ValueError:
        return None


def spans(text: str) -> list[Span]:
    """Return what a text speaks of, in its order, each once."""
    found: dict[tuple[date, date], Span] = {}
    for span in _spans(fold(text[:LONGEST])):
        found.setdefault((span.first, span.last), span)
        if len(found) >= MOST:
            break
    return list(found.values())


def _spans(folded: str) -> Iterator[Span]:
    for match in _YEAR.finditer(folded):
        year = int(match[0])
        if not _is_year(folded, year, match.start(), match.end()):
            continue
        month, day, start, end = _beside(folded, match.start(), match.end())
        span = span_of(year, month, day, folded[start:end]) or span_of(year, 0, 0, match[0])
        if span is not None:
            yield span


def _is_year(folded: str, year: int, start: int, end: int) -> bool:
    """Tell whether four digits are a year: not part of a longer number, no amount, not far away."""
    before, behind = folded[start - 1 : start], folded[end : end + 1]
    if before.isdigit() or behind.isdigit() or behind == "%" or not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    dotted = before == "." and _NUMERIC.search(folded, max(0, start - 8), start) is not None
    return before not in {".", ",", ":"} or dotted


def _beside(folded: str, start: int, end: int) -> tuple[int, int, int, int]:
    """Find month and day behind or before a year: month, day, where it begins, where it ends."""
    if behind := _BEHIND.match(folded, end):
        return int(behind[1] or behind[3]), int(behind[2] or behind[4] or 0), start, behind.end()
    window = folded[max(0, start - BEFORE) : start]
    if named := _NAMED.search(window):
        month = MONTHS.get(named[2], 0)
        if month:
            return month, int(named[1] or named[3] or 0), start - len(window) + named.start(), end
    elif numeric := _NUMERIC.search(window):
        month, day = _ordered(int(numeric[1]), numeric[2], int(numeric[3]))
        return month, day, start - len(window) + numeric.start(), end
    return 0, 0, start, end


def _ordered(first: int, mark: str, second: int) -> tuple[int, int]:
    """Return month and day: days come first, except with slashes, where they must be above 12 to be told."""
    if second > 12:
        return (first, second) if first <= 12 else (0, 0)
    return (second, first) if mark != "/" or first > 12 else (0, 0)
