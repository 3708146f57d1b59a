"""Dates as feeds write them → seconds since 1970.

RFC 822 and its misspellings, ISO 8601 and its parts, what C's `asctime` writes, seconds themselves, and the Greek,
Hungarian and Korean forms that feeds are known to have. A date without a zone is taken as UTC, one without an hour as
midnight.
"""

from __future__ import annotations

import calendar
import re
from email.utils import parsedate_tz
from functools import lru_cache
from typing import Final

LONGEST: Final = 100
"""Characters of a date."""

_FIRST, _LAST = 1900, 2200  # years; others are mistakes
_ISO: Final = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(\d{4})(?:([-/.]?)([01]\d)(?:\2([0-3]\d))?)?"
    r"(?:[Tt\s]+(\d{1,2}):?(\d\d)(?::?(\d\d)(?:[.,]\d*)?)?)?\s*([Zz]|UTC|GMT|[A-Z]{1,4}|[+-]\d\d:?(?:\d\d)?)?"
)
_ORDINAL: Final = re.compile(r"(\d{4})-?(\d{3})")
_SECONDS: Final = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d*)?")
_OFFSET: Final = re.compile(r"([+-])(\d\d):?(\d\d)?")
_KOREAN: Final = re.compile(
    r"(\d{4})\D{0,2}[년-]\s*(\d\d)\D{0,2}[월-]\s*(\d\d)[일]?\s+(?:(오전|오후)\s*)?(\d{1,2}):(\d\d):(\d\d)(?:\.\d+)?"
)
_HUNGARIAN: Final = re.compile(r"(\d{4})-([^-\d\s]{3,12})-(\d{1,2})T(\d{1,2}):(\d\d)([+-]\d\d:\d\d)")
_HUNGARIAN_MONTHS: Final = (
    "janu",
    "febru",
    "márci",
    "ápril",
    "máju",
    "júniu",
    "júliu",
    "auguszt",
    "szept",
    "októ",
    "nov",
    "dec",
)
_GREEK_MONTHS: Final = {
    "Ιαν": "Jan", "Φεβ": "Feb", "Μάώ": "Mar", "Μαώ": "Mar", "Μαρ": "Mar", "Μάρ": "Mar", "Απρ": "Apr", "Μάι": "May",
    "Μαϊ": "May", "Μαι": "May", "Ιούν": "Jun", "Ιον": "Jun", "Ιούλ": "Jul", "Ιολ": "Jul", "Αύγ": "Aug", "Αυγ": "Aug",
    "Σεπ": "Sep", "Οκτ": "Oct", "Νοέ": "Nov", "Νοε": "Nov", "Δεκ": "Dec",
}  # fmt: skip
_GREEK: Final = re.compile(r"(?:[^,\d]{3,12},?\s*)?(\d{1,2})\s+([Ͱ-Ͽ]{3,4})[Ͱ-Ͽ]*\s+(\d{4}.*)")
_ZONES: Final = {"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_RFC: Final = re.compile(
    r"(?:[^\d,]{2,12}[,.]?\s*)?(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*\.?,?[\s-]+(\d{4}|\d\d)\b,?\s*(.*)"
)
_COLONS: Final = re.compile(r"([+-]\d\d):(\d\d)$")


@lru_cache(4096)
def seconds(text: str) -> float | None:
    """Return the moment that a date means, None when it means none."""
    told = " ".join(text.split())
    if not told or len(told) > LONGEST:
        return None
    for form in (_iso, _mail, _counted, _korean, _hungarian):
        found = form(told)
        if found is not None:
            return found
    return None


def _moment(
    year: int, month: int = 1, day: int = 1, clock: tuple[int, int, int] = (0, 0, 0), offset: int = 0
) -> float | None:
    """Count the seconds, if the calendar has that day and the clock that hour."""
    hour, minute, second = clock
    if not _FIRST <= year <= _LAST or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    if not (0 <= hour <= 24 and 0 <= minute <= 59 and 0 <= second <= 61) or abs(offset) > 86_400:
        return None
    return float(calendar.timegm((year, month, day, hour, minute, second)) - offset)


def _iso(text: str) -> float | None:
    ordinal = _ORDINAL.fullmatch(text)
    if ordinal and 1 <= int(ordinal[2]) <= 366:
        start = _moment(int(ordinal[1]))
        return start + (int(ordinal[2]) - 1) * 86_400 if start is not None else None
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, _, month, day, hour, minute, second, zone = found.groups()
    clock = (int(hour or 0), int(minute or 0), int(second or 0))
    return _moment(int(year), int(month or 1), int(day or 1), clock, _offset(zone or ""))


def _offset(zone: str) -> int:
    found = _OFFSET.fullmatch(zone)
    if found:
        return (1 if found[1] == "+" else -1) * (int(found[2]) * 3600 + int(found[3] or 0) * 60)
    return _ZONES.get(zone, 0) * 3600


def _mail(text: str) -> float | None:
    greek = _GREEK.fullmatch(text)
    if greek:
        name = next((english for word, english in _GREEK_MONTHS.items() if greek[2].startswith(word)), "")
        text = f"{greek[1]} {name} {greek[3]}"
    tidy = _RFC.fullmatch(text)
    if tidy and tidy[3].startswith("00") and len(tidy[3]) == 4:  # what some programs write for no date at all
        return None
    if tidy:
        clock = _COLONS.sub(r"\1\2", tidy[4]) or "00:00:00"
        text = f"{tidy[1]} {tidy[2]} {tidy[3]} {clock}"
    try:
        read = parsedate_tz(text)
    except (ValueError, IndexError, TypeError):  # what it makes of odd texts differs by release
        return None
    if read is None:
        return None
    year, month, day, hour, minute, second = read[:6]
    return _moment(year, month, day, (hour, minute, second), read[9] or 0)


def _counted(text: str) -> float | None:
    found = _SECONDS.fullmatch(text)
    return float(found[1]) if found else None


def _korean(text: str) -> float | None:
    found = _KOREAN.fullmatch(text)
    if found is None:
        return None
    year, month, day, half, hour, minute, second = found.groups()
    later = 12 if half == "오후" and int(hour) < 12 else 0
    return _moment(int(year), int(month), int(day), (int(hour) + later, int(minute), int(second)), 9 * 3600)


def _hungarian(text: str) -> float | None:
    found = _HUNGARIAN.fullmatch(text)
    if found is None:
        return None
    year, name, day, hour, minute, zone = found.groups()
    month = next((number for number, start in enumerate(_HUNGARIAN_MONTHS, 1) if name.lower().startswith(start)), 0)
    return _moment(int(year), month, int(day), (int(hour), int(minute), 0), _offset(zone))
