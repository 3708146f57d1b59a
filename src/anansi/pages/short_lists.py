"""Short lists: where a list has room left, the next page that it names is most likely empty.

Some applications offer a next page whether there is one or not. What a full list of a kind holds is learned on the
way; the further pages of one that holds less than half of that are a corner of their own, left as soon as several of
them led to nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from anansi.knowledge.addresses import Place, Tables
from anansi.knowledge.entry import Kind, Type
from anansi.model import Corner, CornerKind, Link, Role, Visit
from anansi.url import host_of

SHORT: Final = 0.5
"""Share of a full list below which a list is short."""

LONG: Final = 10
"""Links to content of the fullest list, from which on lists of its kind are compared at all."""

LATE: Final = 0.35
"""Score of the further pages of short lists."""

MOST: Final = 20_000
"""Kinds of lists remembered."""

_CONTENT: Final = Role.CONTENT


class _Ahead(NamedTuple):
    """How far the pages of a list go."""

    last: int = 1
    """The highest number of a page that was linked; what the pages are counted by may be their rows."""
    by_page: bool = False
    lost: int = 0
    """Rows that were told to be lost."""


class ShortLists:
    """Tells short lists from full ones.

    Mutable: `_fullest` (host, kind of list → links of the fullest), `_before` (list → what its latest page shows) and
    `_ahead` (list → how far its pages go).
    """

    def __init__(self, tables: Tables | None = None) -> None:
        self._tables = Tables() if tables is None else tables
        self._fullest: dict[tuple[str, str], int] = {}
        self._before: dict[str, frozenset[str]] = {}
        self._ahead: dict[str, _Ahead] = {}

    def weigh(self, links: list[Link], url: str, entry: Type) -> list[Link]:
        """Return the links of a page, those to its further pages put back when it is a short list."""
        here = self._tables.place(entry.addresses, url)
        level = entry.level(here.leads) if here is not None else None
        if here is None or level is None or level.kind is not Kind.INTERMEDIATE:
            return links
        action = f"{entry.id}:{level.name}"
        count = sum(link.role is _CONTENT for link in links)
        fullest = self._note((host_of(url), action), count)
        further = [link for link in links if link.action == action and self._is_further(link, entry, here.whole)]
        self._look_ahead(here, further, entry)
        if fullest < LONG or count >= SHORT * fullest or not further:
            return links
        put_back = {link.key for link in further}
        return [_late(link, action) if link.key in put_back else link for link in links]

    def lost(self, visit: Visit, entries: Sequence[Type]) -> int:
        """Estimate how much more content a list has that broke off here, by the numbers of its pages."""
        if visit.corner is not None and visit.corner.kind is CornerKind.SHORT:
            return 0  # some software names a next page behind the last
        for entry in entries:
            here = self._tables.place(entry.addresses, visit.url)
            level = entry.level(here.leads) if here is not None else None
            if here is not None and level is not None:
                rows = self._fullest.get((host_of(visit.url), f"{entry.id}:{level.name}"), 0)
                return self._missing(here, rows) if level.kind is Kind.INTERMEDIATE else 0
        return 0

    def _missing(self, here: Place, rows: int) -> int:
        """Count what is behind a page of a list, as far as it was not counted before."""
        own = _number(here.key, here.whole)
        ahead = self._ahead.get(here.whole, _Ahead())
        behind = max(0, ahead.last - own)
        found = rows + (behind * rows if ahead.by_page else behind)
        more = max(0, found - ahead.lost)
        self._ahead[here.whole] = ahead._replace(lost=ahead.lost + more)
        return more

    def claimed(self, url: str, links: Sequence[Link], entry: Type) -> int:
        """Return how much content a list says it holds at least: its last page may have a single row."""
        here = self._tables.place(entry.addresses, url)
        if here is None:
            return 0
        shown = frozenset(link.key for link in links if link.role is _CONTENT)
        if len(self._before) >= MOST:
            self._before.clear()
        rows = len(shown - self._before.get(here.whole, shown))  # what frames a list stands on its other pages, too
        self._before[here.whole] = shown
        ahead = self._ahead.get(here.whole)
        if ahead is None or ahead.last <= _number(here.key, here.whole):
            return 0
        return (ahead.last - 1) * rows + min(rows, 1) if ahead.by_page else ahead.last

    def _look_ahead(self, here: Place, further: Sequence[Link], entry: Type) -> None:
        """Remember how far the pages of a list go that a page of it leads to."""
        places = (self._tables.place(entry.addresses, link.url) for link in further)
        numbers = [_number(there.key, here.whole) for there in places if there is not None]
        if not numbers:
            return
        if len(self._ahead) >= MOST:
            self._ahead.clear()
        before = self._ahead.get(here.whole, _Ahead())
        by_page = before.by_page or _number(here.key, here.whole) + 1 in numbers
        self._ahead[here.whole] = _Ahead(max(before.last, *numbers), by_page, before.lost)

    def _is_further(self, link: Link, entry: Type, whole: str) -> bool:
        there = self._tables.place(entry.addresses, link.url)
        return there is not None and there.whole == whole != there.key

    def _note(self, kind: tuple[str, str], count: int) -> int:
        if len(self._fullest) >= MOST and kind not in self._fullest:
            self._fullest.clear()
        fullest = self._fullest[kind] = max(count, self._fullest.get(kind, 0))
        return fullest


def _late(link: Link, action: str) -> Link:
    return msgspec.structs.replace(link, score=LATE, corner=Corner(CornerKind.SHORT, action))


def _number(key: str, whole: str) -> int:
    """Return the number of a page of a list by its key, or what is counted up to it; 1 for the first."""
    found = re.findall(r"\d+", key.removeprefix(whole)) if key != whole else []
    return int(found[-1][:9]) if found else 1
