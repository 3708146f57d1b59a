"""Times of day as they stand beside dates."""

from __future__ import annotations

import re

from anansi.text.months import AT, HALVES, WEEKDAYS, ZONES

_WORD = re.compile(r"[^\W\d_]+")
_TIME = re.compile(
    r"(\D{0,24})(?<!\d)(\d{1,2})\s?([:h.時时点點시])\s?(\d\d)\s?[分분]?"
    r"(?:(?:[:.]|(?<=[分분])\s?)(\d\d)(?:[.,]\d{1,9})?)?(?!\d)\s?[秒초]?"
    r"(?:\s?([apπμ]\.?\s?[mμ](?!\w)\.?|(?:sa|ch|oo|os|ص|م)(?!\w)))?"
)
_ZONE = re.compile(r"\s*\(?([a-z]{1,5}(?![a-z]))?\s?(?:([+-])(\d{1,2})(?::?(\d\d))?(?![-\d:/.]))?")
_HALF_BEFORE = re.compile("|".join(word for word in HALVES if word > "\u2e80"))


def time_beside(text: str, start: int, end: int) -> str:
    """Return the time that stands behind or before a date, with its offset."""
    found = _TIME.match(text, end)
    if found is not None and _joined(found[1]) and (clock := _told(found, text)):
        at = found.end()
        return clock + offset(text, at, short=found[5] is not None and text[at : at + 1] in ("+", "-"))
    found = _TIME.search(text, max(0, start - 40), start) if ":" in text[:start] else None
    if found is not None and _joined(text[found.end() : start]) and (clock := _told(found, text)):
        return clock + (offset(text, found.end()) or offset(text, end))
    return ""


def _joined(between: str) -> bool:
    """Say whether what stands between a date and a time makes them one."""
    return between in ("", " ", ", ", "t") or all(
        len(word) <= 3 or word in AT or word in WEEKDAYS for word in _WORD.findall(between)
    )


def _told(found: re.Match[str], text: str) -> str:
    before, hour, mark, minute, second, half = found.groups()
    if mark == "." and not (_WORD.search(before) or "uhr" in text[found.end() : found.end() + 4]):
        return ""  # 15.32 alone may be a price
    if half is None and not before.isascii():
        found_before = _HALF_BEFORE.search(before)
        half = found_before and found_before[0]
    return written(int(hour), int(minute), int(second or 0), half)


def written(hour: int, minute: int, second: int, half: str | None = None) -> str:
    """Return a time in ISO 8601, or nothing if there is none such."""
    begins = HALVES.get(half.replace(".", "").replace(" ", "")) if half else None
    if begins is not None and hour <= 12:
        hour = hour % 12 + begins
    return f"T{hour:02}:{minute:02}:{second:02}" if hour < 24 and minute < 60 and second < 60 else ""


def offset(text: str, at: int, *, short: bool = False) -> str:
    """Return the offset that begins at a place; hours alone are one where a machine wrote them, or after GMT."""
    found = _ZONE.match(text, at) if at < len(text) else None
    if found is None:
        return ""
    name, sign, hours, minutes = found.groups()
    if sign is None:
        return ZONES.get(name, "")
    if (name and name not in ZONES) or not (minutes or short or name in ("utc", "gmt")):
        return ""
    hour, minute = int(hours), int(minutes or 0)
    return f"{sign}{hour:02}:{minute:02}" if hour <= 14 and minute < 60 else ""
