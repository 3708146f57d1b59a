"""Short lists: where a list has room left, the next page that it names is most likely empty.

Some applications offer a next page whether there is one or not. What a full list of a kind holds is learned on the
way; the further pages of one that holds less than half of that are a corner of their own, left as soon as several of
them led to nothing new.
"""

from __future__ import annotations

from typing import Final

import msgspec

from anansi.knowledge.addresses import Tables
from anansi.knowledge.entry import Kind, Type
from anansi.model import CONTENT, Link
from anansi.url import host_of

SHORT: Final = 0.5
"""Share of a full list below which a list is short."""

LONG: Final = 10
"""Links to content of the fullest list, from which on lists of its kind are compared at all."""

LATE: Final = 0.35
"""Score of the further pages of short lists."""

MOST: Final = 20_000
"""Kinds of lists remembered."""


class ShortLists:
    """Tells short lists from full ones. Mutable: `_fullest` (host and kind of list → links of the fullest)."""

    def __init__(self, tables: Tables | None = None) -> None:
        self._tables = Tables() if tables is None else tables
        self._fullest: dict[tuple[str, str], int] = {}

    def weigh(self, links: list[Link], url: str, entry: Type) -> list[Link]:
        """Return the links of a page, those to its further pages put back when it is a short list."""
        here = self._tables.place(entry.addresses, url)
        level = entry.level(here.leads) if here is not None else None
        if here is None or level is None or level.kind is not Kind.INTERMEDIATE:
            return links
        action = f"{entry.id}:{level.name}"
        count = sum(link.score >= CONTENT for link in links)
        fullest = self._note((host_of(url), action), count)
        if fullest < LONG or count >= SHORT * fullest:
            return links
        return [
            _late(link, action) if link.action == action and self._is_further(link, entry, here.whole) else link
            for link in links
        ]

    def _is_further(self, link: Link, entry: Type, whole: str) -> bool:
        there = self._tables.place(entry.addresses, link.url)
        return there is not None and there.whole == whole != there.key

    def _note(self, kind: tuple[str, str], count: int) -> int:
        if len(self._fullest) >= MOST and kind not in self._fullest:
            self._fullest.clear()
        fullest = self._fullest[kind] = max(count, self._fullest.get(kind, 0))
        return fullest


def _late(link: Link, action: str) -> Link:
    return msgspec.structs.replace(link, score=LATE, corner=f"{action}, further pages of short lists")
