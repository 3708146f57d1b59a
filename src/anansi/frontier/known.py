"""What the frontier has been told already."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, repeat
from typing import Final, TypeVar

from anansi.model import Link, Skip

KNOWN = 25_000  # links remembered in each of two generations, to tell the frontier only news: 10 MB a worker
MET = 10_000  # links remembered themselves, 4 MB at the most: others hold them, too

_NEVER: Final = 1 << 30

Told = TypeVar("Told", Link, Skip)


class Known:
    """The links that the frontier has been told of already, and at which depth.

    Mutable state: two generations of link keys; when the young one is full it becomes the old one. Of a key the
    address is remembered, too: a page may be found at one only of several. `_met`, the depth by a link's place in
    memory, and `_links`, which keep those places: whoever reads links remembers them, so that most come again as the
    very same, and a page of sixty is told to hold no news without a look at each.
    """

    def __init__(self) -> None:
        self._young: dict[str, tuple[int, str]] = {}
        self._old: dict[str, tuple[int, str]] = {}
        self._met: dict[int, int] = {}
        self._links: list[Link | Skip] = []

    def __contains__(self, key: object) -> bool:
        return key in self._young or key in self._old

    def news(self, links: Sequence[Told], depth: int) -> list[Told]:
        """Return the links of a page at that depth that are news, and remember them."""
        met = list(map(self._met.get, map(id, links), repeat(_NEVER)))
        if max(met, default=0) <= depth:
            return []
        unmet = list(compress(links, map(depth.__lt__, met)))
        if len(self._links) + len(unmet) > MET:
            self._met, self._links = {}, []
        self._met.update(zip(map(id, unmet), repeat(depth)))
        self._links += unmet
        return self._news(unmet, depth)

    def _news(self, links: Sequence[Told], depth: int) -> list[Told]:
        young, old = self._young, self._old
        fresh: list[Told] = []
        for link in links:
            known = young.get(link.identity)
            if known is None or known[0] > depth or known[1] != link.url:
                known = old.get(link.identity)
                if known is None or known[0] > depth or known[1] != link.url:
                    fresh.append(link)
        for link in fresh:
            young[link.identity] = depth, link.url
        if len(young) >= KNOWN:
            self._old, self._young = young, {}
        return fresh

    def places(self, links: Sequence[Link], depth: int) -> list[Link]:
        """Return the links that are news where they stand, and remember them: one may stand in several places."""
        young, old = self._young, self._old
        fresh: list[Link] = []
        for link in links:
            place = f"{link.identity} {link.path}"
            known = young.get(place) or old.get(place)
            if known is None or known[0] > depth:
                young[place] = depth, ""
                fresh.append(link)
        if len(young) >= KNOWN:
            self._old, self._young = young, {}
        return fresh
