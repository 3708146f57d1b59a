"""Traps: URLs that go on for ever and lead nowhere new.

Two ways to tell. By the URL alone: path segments that repeat, too many parameters, a calendar years ahead of ours
(one that goes back may be an archive of old newspapers: there only what comes back can tell).
By what comes back: many pages in a row under one URL pattern of which none holds a line of text (digits aside) that
an earlier page of that pattern did not hold. The pattern is then closed; its URLs are skipped with the reason.
Pages that are made up while they are asked for always hold something new; those are found by `mazes`.

Mutable state of `Traps`: `closed` (pattern or area → reason), `_watched` (pattern → what its pages held), by `note`;
that of `mazes`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from anansi.frontier.mazes import Mazes, area
from anansi.url import pattern

REPEATS = 3  # equal runs of path segments: /a/b/a/b/a/b
PARAMETERS = 20  # more in a query is a form or a loop, never an address people link to
LONGEST = 1800  # characters; what is longer grew by accident (Heritrix refuses at 2083)
YEARS_AHEAD = 3

GRACE = 10  # pages of a pattern before it is watched: most sites of a broad crawl have fewer, and cost nothing
FULL_WATCH = 100  # first pages of a pattern that are all looked at: enough to see a calendar's months come round
BARREN = 25  # pages in a row without a new line; a calendar repeats its month names after 12
LINES = 20_000  # lines remembered a pattern, 4 bytes each
PATTERNS = 200  # patterns watched a site

# whole words only: `update`, `candidate` and `cal_id` hold numbers that are no years
_YEAR = re.compile(
    r"[?&;](?:[a-z]+[_-])*(?:year|date|month|calendar|cal|yr|y)=(\d{4})(?!\d)"
    r"|/(?:calendar|events?)/(\d{4})(?=[/?-]|$)",
    re.I,
)
_WORD = 0xFFFFFFFF
SAMPLE = 16  # a healthy pattern is looked at on every SAMPLE-th page: 0.02 ms a page instead of 0.3


def shape_fault(url: str, year: int) -> str:
    """Say what is wrong with the shape of a URL, or nothing."""
    if len(url) > LONGEST:
        return f"longer than {LONGEST} characters"
    head, _, query = url.partition("?")
    if query and query.count("&") >= PARAMETERS:
        return f"more than {PARAMETERS} parameters"
    if query.count("&") >= REPEATS - 1 and _surplus(query.split("&")) >= REPEATS - 1:
        return "parameters repeat"
    if _repeats(list(filter(None, head.split("/")[3:]))):
        return "path segments repeat"
    found = _YEAR.search(url)
    if found:
        told = int(found[1] or found[2])
        if told > year + YEARS_AHEAD:
            return f"calendar at the year {told}"
    return ""


def _surplus(parts: list[str]) -> int:
    return len(parts) - len(set(parts))


def _repeats(segments: list[str]) -> bool:
    if _surplus(segments) < REPEATS - 1:
        return False
    for period in range(1, 5):
        run = 0
        for left, right in zip(segments, segments[period:], strict=False):
            run = run + 1 if left == right else 0
            # a number may well stand three times in a row (/2011/11/11); words do not
            if run >= period * (REPEATS - 1) * (3 if right.isdigit() else 1):
                return True
    return False


@dataclass(slots=True)
class _Watched:
    pages: int = 0
    barren: int = 0
    lines: array[int] = field(default_factory=lambda: array("I"))
    """Hashes of lines; a set of them takes 20 times the memory, and a worker watches thousands of patterns."""


class Traps:
    """What is known about one site's traps."""

    def __init__(self, closed: dict[str, str] | None = None):
        self.closed: dict[str, str] = dict(closed or {})
        self._watched: dict[str, _Watched] = {}
        self.mazes = Mazes()

    def fault(self, url: str, year: int) -> str:
        """Say why a URL is a trap, or nothing."""
        return shape_fault(url, year) or (self._closed(url) if self.closed else "")

    def _closed(self, url: str) -> str:
        return self.closed.get(pattern(url), "") or self.closed.get(area(url), "")

    def judge(self, url: str, text: str | None) -> str | None:
        """Take the answer to an address that was made up; return the area that is closed by it."""
        found = self.mazes.judge(url, text)
        if found is None:
            return None
        self.closed[found[0]] = found[1]
        return found[0]

    def note(self, url: str, text: Callable[[], str]) -> str | None:
        """Take notice of a page; return its pattern when that is closed by it. `text` is called only if need be."""
        name = pattern(url)
        watched = self._watched.get(name)
        if watched is None:
            if len(self._watched) >= PATTERNS:
                self._watched.pop(next(iter(self._watched)))
            watched = self._watched[name] = _Watched()
        watched.pages += 1
        # one barren page puts a pattern under full watch again
        healthy = watched.pages > FULL_WATCH and watched.barren == 0
        if watched.pages <= GRACE or (healthy and watched.pages % SAMPLE):
            return None
        if not self._is_barren(watched, text()):
            watched.barren = 0
            return None
        watched.barren += 1
        if watched.barren < BARREN:
            return None
        self.closed[name] = f"{BARREN} pages in a row under {name} held nothing new"
        del self._watched[name]
        return name

    @staticmethod
    def _is_barren(watched: _Watched, text: str) -> bool:
        lines = {hash(line) & _WORD for line in map(str.strip, without_digits(text).split("\n")) if line}
        new = lines.difference(watched.lines)
        if len(watched.lines) + len(new) > LINES:
            watched.lines = array("I", lines)
        else:
            watched.lines.extend(new)
        return not new


def without_digits(text: str) -> str:
    """Take the digits out of a text; as bytes, for `str.translate` takes 2 ms for a page that is not all ASCII."""
    return text.encode("utf-8", "surrogatepass").translate(None, b"0123456789").decode("utf-8", "surrogatepass")
