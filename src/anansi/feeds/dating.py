"""Dates in the words of a page, written anew for another moment in the same form.

A template writes dates in a form of its own (`3 March 2021`, `03.03.21`, `2021-03-03T10:00`). The form is not guessed
from the words alone: a text whose moment is known shows which of its numbers is what, and the same is then written
for another moment. What does not fit the known moment is left as it is.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple

HOURS: Final = range(-12, 15)
"""Offsets from UTC that are tried: a page writes the time of its own place."""
LONGEST: Final = 200
"""Characters of a text that is rewritten; longer ones are prose."""

_NAMES: Final = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
_DAYS: Final = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
}
_SHORT: Final = 3  # letters of a name that is cut


def _forms(names: dict[str, str]) -> list[list[str]]:
    """List the names in full, then cut, by language."""
    full = [words.split() for words in names.values()]
    return full + [[word[:_SHORT] for word in words] for words in full]


_MONTHS: Final = _forms(_NAMES)
_WEEKDAYS: Final = _forms(_DAYS)
_MONTH: Final = "|".join(sorted({re.escape(name) for form in _MONTHS for name in form}, key=len, reverse=True))
_WEEKDAY: Final = "|".join(sorted({re.escape(name) for form in _WEEKDAYS for name in form}, key=len, reverse=True))
_PARTS: Final = re.compile(
    rf"""(?P<iso>(?<!\d)\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d))
    |(?P<numbers>(?<!\d)\d{{1,2}}[-/.]\ ?\d{{1,2}}[-/.]\ ?(?:\d{{4}}|\d\d)(?!\d))
    |(?P<clock>(?<![\d+-])\d{{1,2}}[:.h]\d\d(?::\d\d)?(?!\d)(?:\s?[ap]\.?m\b\.?)?)
    |(?P<month>(?<!\w)(?:{_MONTH})(?!\w))
    |(?P<weekday>(?<!\w)(?:{_WEEKDAY})(?!\w))
    |(?P<year>(?<![\w.])\d{{4}}(?!\w))
    |(?P<day>(?<![\w.:])\d{{1,2}}(?:(?=st|nd|rd|th)[a-z]{{2}})?(?![\w:]))""",
    re.IGNORECASE | re.VERBOSE,
)
_UNITS: Final = (
    (365 * 86_400, "year"),
    (30 * 86_400, "month"),
    (7 * 86_400, "week"),
    (86_400, "day"),
    (3600, "hour"),
    (60, "minute"),
)
_AGO: Final = re.compile(r"\b(?:an?|\d+) (?:min(?:ute)?|hour|day|week|month|year)s? ago\b", re.IGNORECASE)
_DECIDING: Final = frozenset(("iso", "numbers", "month", "year"))
_ORDINAL: Final = re.compile(r"(\d+)(st|nd|rd|th)?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+")


class _Try(NamedTuple):
    """A text rewritten by one offset."""

    worth: int
    """How many parts fitted; 0 when they make no date."""
    text: str


def rewritten(text: str, known: float, wanted: float) -> str | None:
    """Return a text with the wanted moment in the place of the known one; None when it writes no such moment.

    An hour beside the date that is not that of the known moment is left out: it would be another item's.
    """
    if len(text) > LONGEST or not _PARTS.search(text):
        return None
    tries = [_attempt(text, _at(known, hours), _at(wanted, hours)) for hours in sorted(HOURS, key=abs)]
    best = max(tries, key=lambda each: each.worth)
    return best.text if best.worth else None


def aged(text: str, published: float | None, at: float) -> str | None:
    """Return a text that says how old an item is (`3 days ago`) as it was at another moment; None when it does not.

    The age is left out where nobody knows it, or it is of another language.
    """
    found = _AGO.search(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    past = at - published if published is not None else -1.0
    return text[: found.start()] + (_ago(past) if past >= 0 else "") + text[found.end() :]


def _ago(past: float) -> str:
    size, unit = next(each for each in _UNITS if past >= each[0] or each[0] == _UNITS[-1][0])
    count = max(1, int(past // size))
    return f"{count} {unit}{'s' if count > 1 else ''} ago"


def iso(moment: float) -> str:
    """Write a moment as people and programs read it, in UTC."""
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"


def is_telling(moment: float) -> bool:
    """Tell whether the date of a moment shows how numbers of one digit are written."""
    return datetime.fromtimestamp(moment, UTC).day < 10


def _at(moment: float, hours: int) -> datetime:
    return datetime.fromtimestamp(moment + 3600 * hours, UTC)


def _attempt(text: str, old: datetime, new: datetime) -> _Try:
    found: list[str] = []
    strange: list[str] = []

    def replace(part: re.Match[str]) -> str:
        kind = str(part.lastgroup)
        made = _WRITERS[kind](part[0], old, new)
        if made is None:
            strange.append(kind)
            return "" if kind == "clock" else part[0]
        found.append(kind)
        return made

    made = _PARTS.sub(replace, text)
    alone = found == ["clock"] and not strange and len(text.split()) <= 2
    if not _DECIDING.isdisjoint(strange):  # another day, or two of them
        return _Try(0, text)
    whole = alone or "iso" in found or "numbers" in found or {"month", "day"} <= set(found)
    return _Try(len(found) if whole else 0, made)


def _iso(text: str, old: datetime, new: datetime) -> str | None:
    numbers = [int(each) for each in _NUMBER.findall(text)]
    return _filled(text, (new.year, new.month, new.day)) if numbers == [old.year, old.month, old.day] else None


def _numbers(text: str, old: datetime, new: datetime) -> str | None:
    first, second, year = _NUMBER.findall(text)
    if int(year) not in (old.year, old.year % 100):
        return None
    late = new.year if len(year) == 4 else new.year % 100
    if (int(first), int(second)) == (old.day, old.month):
        return _filled(text, (new.day, new.month, late))
    if (int(first), int(second)) == (old.month, old.day):
        return _filled(text, (new.month, new.day, late))
    return None


def _filled(text: str, values: tuple[int, ...]) -> str:
    """Put numbers in the places of others; padded unless a number of one digit stands there."""
    padded = not any(len(each) == 1 for each in _NUMBER.findall(text))
    waiting = iter(values)
    return _NUMBER.sub(lambda _: f"{next(waiting):02d}" if padded else str(next(waiting)), text)


def _clock(text: str, old: datetime, new: datetime) -> str | None:
    hour, *rest = (int(each) for each in _NUMBER.findall(text))
    half = re.search(r"([ap])(\.?m\b\.?)", text, re.IGNORECASE)
    if half:
        hour = hour % 12 + (12 if half[1].lower() == "p" else 0)
    if (hour, *rest) != (old.hour, old.minute, old.second)[: 1 + len(rest)]:
        return None
    shown = (new.hour - 1) % 12 + 1 if half else new.hour
    clock = [str(shown) if len(_NUMBER.findall(text)[0]) == 1 or half else f"{shown:02d}"]
    clock += [f"{each:02d}" for each in (new.minute, new.second)[: len(rest)]]
    waiting = iter(clock)
    made = _NUMBER.sub(lambda _: next(waiting), text)
    if half:
        letter = "p" if new.hour >= 12 else "a"
        made = made.replace(half[0], (letter if half[1].islower() else letter.upper()) + half[2])
    return made


def _named(forms: list[list[str]], text: str, old: int, new: int) -> str | None:
    form = next((form for form in forms if form[old].lower() == text.lower()), None)
    if form is None:
        return None
    name = form[new]
    return name.upper() if text.isupper() else name.lower() if text.islower() else name[:1].upper() + name[1:]


def _month(text: str, old: datetime, new: datetime) -> str | None:
    return _named(_MONTHS, text, old.month - 1, new.month - 1)


def _weekday(text: str, old: datetime, new: datetime) -> str | None:
    return _named(_WEEKDAYS, text, old.weekday(), new.weekday())


def _year(text: str, old: datetime, new: datetime) -> str | None:
    return str(new.year) if int(text) == old.year else None


def _day(text: str, old: datetime, new: datetime) -> str | None:
    found = _ORDINAL.fullmatch(text)
    if found is None or int(found[1]) != old.day:
        return None
    number = f"{new.day:02d}" if found[1].startswith("0") else str(new.day)
    return number + (_ending(new.day) if found[2] else "")


def _ending(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


_WRITERS: Final = {
    "iso": _iso,
    "numbers": _numbers,
    "clock": _clock,
    "month": _month,
    "weekday": _weekday,
    "year": _year,
    "day": _day,
}
