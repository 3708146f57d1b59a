"""Text → the days, months and years that it speaks of.

The dates of a page itself (when was it published) are read where the page is; here prose is looked through for all of
them, in the languages of `months`. Only a written year begins a search, so that a long text costs little.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Final

from anansi.text.folding import fold
from anansi.text.months import MONTHS

LONGEST: Final = 400_000
"""Characters that are looked through."""
MOST: Final = 200
"""Dates of one text; a calendar or a table has more, and says no more by them."""
FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2099
BEFORE: Final = 34
"""Characters before a year in which its day and month stand: `le 30 de septiembre del `."""
BEHIND: Final = 12
"""Characters behind it in which they stand: ` 年 12 月 12 日`."""

_YEAR: Final = re.compile("[12１２][0-9０-９]{3}")
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
    for match in _YEAR.finditer(text, 0, LONGEST):
        before, behind = (
            text[max(0, match.start() - BEFORE) : match.start()],
            text[match.end() : match.end() + BEHIND],
        )
        span = _span(fold(before), fold(match[0]), fold(behind))
        if span is not None:
            found.setdefault((span.first, span.last), span)
        if len(found) >= MOST:
            break
    return list(found.values())


def _span(before: str, year: str, behind: str) -> Span | None:
    """Return what four digits stand for, by what stands before and behind them."""
    if not _is_year(before, int(year), behind):
        return None
    if match := _BEHIND.match(behind):
        month, day = int(match[1] or match[3]), int(match[2] or match[4] or 0)
        said = year + match[0]
    else:
        month, day, said = _month_before(before)
        said += year
    return span_of(int(year), month, day, said) or span_of(int(year), 0, 0, year)


def _is_year(before: str, year: int, behind: str) -> bool:
    """Tell whether four digits are a year: not part of a longer number, no amount, not far away."""
    last, first = before[-1:], behind[:1]
    if last.isdigit() or first.isdigit() or first == "%" or not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    return last not in (".", ",", ":") or (last == "." and _NUMERIC.search(before) is not None)


def _month_before(before: str) -> tuple[int, int, str]:
    """Find month and day before a year, and how they are written."""
    if named := _NAMED.search(before):
        month = MONTHS.get(named[2], 0)
        if month:
            return month, int(named[1] or named[3] or 0), named[0]
    elif numeric := _NUMERIC.search(before):
        return *_ordered(int(numeric[1]), numeric[2], int(numeric[3])), numeric[0]
    return 0, 0, ""


def _ordered(first: int, mark: str, second: int) -> tuple[int, int]:
    """Return month and day: days come first, except with slashes, where they must be above 12 to be told."""
    if second > 12:
        return (first, second) if first <= 12 else (0, 0)
    return (second, first) if mark != "/" or first > 12 else (0, 0)
