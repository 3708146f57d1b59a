"""What a text says of a date, in the ways of many sites and languages.

Each family of dates is one function and the expression it starts from; `_FAMILIES` is the order in which they are
asked, the surest first. Words are looked up in tables, not matched: an expression of six hundred months is slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from anansi.text.days import NUMERIC, Ago, Back, Day, Pair, Said, Unix, exists, number_of
from anansi.text.folding import fold
from anansi.text.hours import offset, time_beside, written
from anansi.text.months import AGO, ALONE, COUNTS, DAYS, ENGLISH, FAR_EAST, MONTHS, NOW, UNITS, VIETNAMESE, WEEKDAYS

REMEMBERED: Final = 4096
"""Texts whose reading is kept: a listing repeats its dates, and so do the pages of a thread.

A text read again takes 1 to 3 µs; a new one 8 to 14 µs in the common forms (ISO 8 µs, phpBB 8, vBulletin 13, SMF 14,
"Today, 10:32 AM" 11), 20 µs if words must tell day from month. `timeit` of `said.__wrapped__(text)` and `iso`, best
of 3000 rounds of 10, Python 3.11, one of two cores; measure again when a family is added.
"""
_CENTURY: Final = 70
"""Two-digit years from here on are of the last century."""
_YEARLESS: Final = 16
"""Characters of a text that is no more than a day and a month."""

_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[a-z]+")  # the same for folded ASCII, in half the time
_TWELVE = re.compile(r"\d\s?[ap]\.?\s?m(?!\w)")
_TOKEN = re.compile(r"\d+|[^\W\d_]+")

# ── machines ───────────────────────────────────────────────────────────────────────────────────────────────────────

_BASIC = re.compile(r"\s*(\d{4})(\d\d)(\d\d)(?:t?(\d\d)(\d\d)(\d\d)?(?:[.,]\d{1,9})?(?=[^\d.]|$))?(?!\d)")
_UNIX = re.compile(r"\s*(\d{9,10})(\d{3}(?!\d))?(?:\.\d{1,9})?\s*")
_MONTH = re.compile(r"\s*(\d{4})-(\d\d)\s*")
_YEAR_FIRST = re.compile(r"(\d{4})(?<!\d{5})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)")


def _digits(text: str) -> Said | None:
    """Read what is digits alone, or nearly: 20090105T153210Z, 1231169530, 2009-01."""
    if not text[:6].strip()[:4].isdecimal():
        return None
    found = _BASIC.match(text)
    if found is not None and exists(*map(int, found.group(1, 2, 3))):
        clock = written(int(found[4]), int(found[5]), int(found[6] or 0)) if found[4] else ""
        clock += offset(text, found.end(), short=True) if clock else ""
        return Day(int(found[1]), int(found[2]), int(found[3]), clock)
    if (found := _UNIX.fullmatch(text)) is not None:
        return Unix(int(found[1]))
    if (found := _MONTH.fullmatch(text)) is not None:
        return Day(int(found[1]), int(found[2]), 0)
    return None


def _year_first(text: str) -> Said | None:
    """Read 2009-01-05T15:32:10+01:00, 2009/1/5 15:32, 2009年1月5日 下午3:32."""
    for found in _YEAR_FIRST.finditer(text):
        year, month, day = map(int, found.groups())
        if exists(year, month, day):
            return Day(year, month, day, time_beside(text, *found.span()))
    return None


# ── names of months ────────────────────────────────────────────────────────────────────────────────────────────────

_GAP = r"[\s.,/'-]{0,4}(?:(?:de|del|di|of|nam|roku?)\s+)?"
_NTH = r"(?:(?:st|nd|rd|th|er|e|η|ος|ª|º|°|-[a-z]{2,3})(?!\w))?"
_BEFORE = re.compile(rf"(?<!\d)(?:(\d{{4}})|(?<!\d[:.,/])(\d{{1,2}})){_NTH}{_GAP}$")
_AFTER = re.compile(
    rf"{_GAP}(?:(\d{{1,2}})(?!\d|[:h]\d|\.\d\d(?!\d)){_NTH})?"
    rf"{_GAP}(?:(\d{{4}})(?!\d)|(\d\d)(?!\d|[:.h]\d|\s*[^\W\d_]{{3}}))?"
)
_YEAR_LAST = re.compile(r"[\s,]*\d{1,2}:\d\d(?::\d\d)?\s*(?:[a-z]{2,5}\s+|[+-]\d{4}\s+)?(\d{4})(?!\d)")
_NO_OFFSET = len("T15:32:10")
_LETTERS = re.compile(r"\s*[^\W\d_]{3}")
_THANG = re.compile(rf"(?:thang|thg)[\s.]*({'|'.join(sorted(VIETNAMESE, key=len, reverse=True))})(?!\w)")
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_DAY = re.compile(r"(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]")


class _Named(NamedTuple):
    """The name of a month and the numbers beside it, 0 where there are none."""

    start: int
    end: int
    year: int
    month: int
    day: int
    short: bool


def _months(text: str) -> Iterator[_Named]:
    for word in (_LATIN if text.isascii() else _WORD).finditer(text):
        month = MONTHS.get(word[0])
        after = _AFTER.match(text, word.end()) if month is not None else None
        if month is None or after is None:
            continue
        day, year, two = after.groups()
        if day and year:
            yield _Named(word.start(), after.end(), int(year), month, int(day), False)
            continue
        before = _BEFORE.search(text[max(0, word.start() - 16) : word.start()])
        year_before, day_before = before.groups() if before is not None else (None, None)
        if day_before and day and not two and len(day) == 2 and not _LETTERS.match(text, after.end()):
            day, two = None, day  # 5 Jan 09
        full = int(year or year_before or (_century(int(two)) if two else 0))
        yield _Named(word.start(), after.end(), full, month, int(day or day_before or 0), not (year or year_before))


def _century(year: int) -> int:
    return year + (1900 if year >= _CENTURY else 2000)


def _named(text: str) -> Said | None:
    """Read what names the month and tells day and year: Mon Jan 05, 2009 3:32 pm; 5. Januar 2009 um 15:32."""
    for each in _months(text):
        last = _YEAR_LAST.match(text, each.end) if each.day and not each.year else None
        year = each.year if last is None else int(last[1])
        if year and exists(year, each.month, each.day):
            clock = time_beside(text, each.start, each.end)
            if last is not None and len(clock) == _NO_OFFSET:
                clock += offset(text, last.end())  # Mon Jan 5 15:32:10 2009 UTC
            return Day(year, each.month, each.day, clock, each.short and last is None)
    return None


def _vague(text: str) -> Said | None:
    """Read what names the month, and not the day or not the year: Jan 2009; 5 Jan, 15:32; 1月5日."""
    for found in _MONTH_DAY.finditer(text):
        if exists(2000, int(found[1]), int(found[2])):
            return Day(0, int(found[1]), int(found[2]), time_beside(text, *found.span()))
    for each in _months(text):
        if each.year and not each.day and not each.short:
            return Day(each.year, each.month, 0)
        if not each.year and each.day and exists(2000, each.month, each.day):
            clock = time_beside(text, each.start, each.end)
            if clock or len(text) <= _YEARLESS:
                return Day(0, each.month, each.day, clock)
    return None


# ── three numbers ──────────────────────────────────────────────────────────────────────────────────────────────────


def _numeric(text: str) -> Said | None:
    """Read 05-01-2009, 15:32 and 5.1.09, whichever of day and month comes first."""
    for found in NUMERIC.finditer(text):
        first, second, short = int(found[1]), int(found[3]), len(found[4]) == 2
        year = _century(int(found[4])) if short else int(found[4])
        readings = [pair for pair in ((second, first), (first, second)) if exists(year, *pair)]
        if not readings:
            continue
        clock = time_beside(text, *found.span())
        american = False
        if len(readings) == 2 and (words := _WORD.findall(text)):
            readings = _agreeing(readings, year, words)
            american = _is_american(found[2], clock, text, words)
        days = [Day(year, *pair, clock, short) for pair in readings]
        if first == second:
            return days[0]
        ways = {day.day == first: day for day in days}
        return Pair(ways.get(True), ways.get(False), american)
    return None


def _agreeing(readings: list[tuple[int, int]], year: int, words: list[str]) -> list[tuple[int, int]]:
    """Keep the readings that fall on the weekday that is told, if any."""
    phrases = (*map(" ".join, pairwise(words)), *words)
    weekday = next((WEEKDAYS[phrase] for phrase in phrases if phrase in WEEKDAYS), 0)
    return [pair for pair in readings if (number_of(year, *pair) + 3) % 7 + 1 == weekday] or readings


def _is_american(mark: str, clock: str, text: str, words: list[str]) -> bool:
    """Say whether the month is likely to come first: in English but with 24 hours, in 1/5/2009 3:32 PM, and in
    01-05-2009, 03:32 PM, which is what vBulletin writes unless it is told otherwise."""
    twelve = _TWELVE.search(text) is not None
    english = not ENGLISH.isdisjoint(words) or (twelve and text.isascii())
    return english and mark != "." and (twelve or not clock)


# ── relative to now ────────────────────────────────────────────────────────────────────────────────────────────────

_FAR_EAST = re.compile("|".join(FAR_EAST))
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_MONTHS_OF = {"month": 1, "year": 12}
_FINEST = (*_SECONDS, *_MONTHS_OF)


def _relative(text: str) -> Said | None:
    """Read Today, 10:32; 3 hours ago; Monday at 10:32."""
    if not text.isascii() and max(text) > "\u2e80":
        text = _FAR_EAST.sub(r" \g<0> ", text)
    tokens = list(_TOKEN.finditer(text))
    return _ago([token[0] for token in tokens]) or _day_named(text, tokens)


def _ago(words: list[str]) -> Ago | None:
    alone = len(words) == 2 and words[1] in ALONE
    if AGO.isdisjoint(words) and not alone and not ("il" in words and "y" in words):  # il y a
        return None
    months = seconds = 0
    units = set()
    for count, word in pairwise(words):
        unit = UNITS.get(word)
        number = COUNTS.get(count) or (int(count) if count.isdecimal() and len(count) <= 4 else None)
        if unit is None or number is None:
            continue
        units.add(unit)
        seconds += number * _SECONDS.get(unit, 0)
        months += number * _MONTHS_OF.get(unit, 0)
    return Ago(months, seconds, min(units, key=_FINEST.index)) if units else None


def _day_named(text: str, tokens: list[re.Match[str]]) -> Said | None:
    for index, token in enumerate(tokens):
        for last in (*tokens[index + 1 : index + 2], token):
            phrase = token[0] if last is token else f"{token[0]} {last[0]}"
            if phrase in NOW:
                return Ago(0, 0, "minute")
            back, weekday = DAYS.get(phrase), WEEKDAYS.get(phrase)
            if back is None and weekday is None:
                continue
            clock = time_beside(text, token.start(), last.end())
            if clock or (back is not None and len(phrase) > 2):  # `ma` is Hungarian for today, and much else
                return Back(back or 0, clock, 0 if back is not None else weekday or 0)
    return None


# ── the whole ──────────────────────────────────────────────────────────────────────────────────────────────────────

_FAMILIES: Final[tuple[Callable[[str], Said | None], ...]] = (
    _digits,
    _year_first,
    _named,
    _numeric,
    _relative,
    _vague,
)


@lru_cache(REMEMBERED)
def said(text: str) -> Said | None:
    """Return what the first date in a text says, or nothing."""
    text = fold(text.strip())
    if "th" in text and "truoc" not in text:
        text = _THANG.sub(lambda found: f" {_NAMES[VIETNAMESE[found[1]] - 1]} ", text)
    for family in _FAMILIES:
        found = family(text)
        if found is not None:
            return found
    return None


# ── formats ────────────────────────────────────────────────────────────────────────────────────────────────────────

_DIRECTIVES: Final = {
    **dict.fromkeys("de", r"(?P<day>\d{1,2})"),
    **dict.fromkeys("bBh", r"(?P<name>[^\W\d_]+)\.?"),
    **dict.fromkeys("aA", r"[^\W\d_]+\.?"),
    **dict.fromkeys("HIkl", r"(?P<hour>\d{1,2})"),
    "m": r"(?P<month>\d{1,2})",
    "Y": r"(?P<year>\d{4})",
    "y": r"(?P<short>\d\d)",
    "M": r"(?P<minute>\d\d)",
    "S": r"(?P<second>\d\d)",
    "f": r"\d{1,9}",
    "p": r"(?P<half>[^\W\d_]\.?\s?[^\W\d_]\.?)",
    "z": r"(?P<zone>z|[+-]\d\d:?\d\d)",
    "Z": r"(?P<zone>[a-z]{1,5})",
    "%": "%",
}


@lru_cache(500)
def _expression(form: str) -> re.Pattern[str] | None:
    """Return a format of `strptime` as an expression over folded text, or nothing if it is none."""
    pieces = re.split(r"%-?(.)", form)
    literal = [r"\s*".join(map(re.escape, fold(piece).split(" "))) for piece in pieces[::2]]
    directives = [_DIRECTIVES.get(letter, "(?!)") for letter in pieces[1::2]]
    try:
        return re.compile("".join(map("".join, zip(literal, [*directives, ""], strict=True))))
    except re.error:  # a part of the date twice
        return None


def by_format(text: str, form: str) -> Day | None:
    """Return the date that stands in a text in a given format."""
    expression = _expression(form)
    found = expression.search(fold(text)) if expression is not None else None
    if found is None:
        return None
    part = found.groupdict()
    month = MONTHS.get(part["name"], 0) if part.get("name") else int(part.get("month") or 0)
    year = int(part.get("year") or 0) or (_century(int(part["short"])) if part.get("short") else 0)
    clock = ""
    if part.get("hour") and part.get("minute"):
        clock = written(int(part["hour"]), int(part["minute"]), int(part.get("second") or 0), part.get("half"))
        clock += offset(part.get("zone") or "", 0) if clock else ""
    return Day(year, month, int(part.get("day") or 0), clock, not part.get("year"))
