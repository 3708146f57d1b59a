"""Links that are named like a page that was seen: most likely they lead to it, by another address.

A list names its threads by their titles, and a thread that was reached in another way (the next one, its last post)
has that title. So a title tells what an address does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from zlib import crc32

LEAST: Final = 8
"""Characters of a name; shorter ones (`next`, `12`) name nothing."""
LONGEST: Final = 200
"""Characters of a name that count."""
NAMES: Final = 200_000
"""Links whose names are remembered, and titles; about 100 bytes each."""

_PARTS: Final = re.compile(r"\s+[-–—|•·»«:›/]+\s+|::")


def name_of(text: str) -> int:
    """Return the hash of a link's text or a page's title; 0 for one that names nothing."""
    plain = " ".join(text[:LONGEST].split()).casefold()
    return crc32(plain.encode("utf-8", "surrogatepass")) or 1 if len(plain) >= LEAST else 0


def names_in(title: str) -> list[int]:
    """Return the hashes of a page's title and of its parts: sites put their name before or behind."""
    parts = dict.fromkeys([title, *_PARTS.split(title[: 2 * LONGEST])])
    return [name for name in map(name_of, parts) if name]


class Titles:
    """Knows names. Mutable state: `names` (key → name of a link), `pages` (titles of pages)."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.pages: set[int] = set()

    def call(self, key: str, name: int) -> None:
        """Take notice of the name of a link."""
        if name and key not in self.names and len(self.names) < NAMES:
            self.names[key] = name

    def see(self, names: Iterable[int]) -> None:
        """Take notice of the title of a page."""
        if len(self.pages) < NAMES:
            self.pages.update(names)

    def seen(self, key: str) -> bool:
        """Tell whether a link is named like a page that was seen."""
        name = self.names.get(key)
        return name is not None and name in self.pages

    def forget(self, key: str) -> None:
        """Forget a link that was followed."""
        self.names.pop(key, None)
