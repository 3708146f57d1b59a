"""Entries that were learned during a crawl and others have not heard of yet."""

from __future__ import annotations

from anansi.knowledge import writing
from anansi.knowledge.entry import Type


class Lessons:
    """Holds entries until they are told. Mutable: the entries, filled by `add` and emptied by `take`."""

    def __init__(self) -> None:
        self._fresh: list[tuple[str, Type]] = []

    def __len__(self) -> int:
        return len(self._fresh)

    def add(self, site: str, entry: Type) -> None:
        """Keep what was learned at a site."""
        self._fresh.append((site, entry))

    def take(self, site: str) -> list[tuple[str, bytes]]:
        """Return what was learned at a site, as it is written, by type; it is told now."""
        mine = [(entry.id, writing.write(entry)) for where, entry in self._fresh if where == site]
        self._fresh = [each for each in self._fresh if each[0] != site]
        return mine
