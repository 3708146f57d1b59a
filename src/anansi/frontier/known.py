"""What the frontier has been told already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from anansi.model import Link, Skip

KNOWN = 25_000  # links remembered in each of two generations, to tell the frontier only news: 10 MB a worker

Told = TypeVar("Told", Link, Skip)

_DEEPEST = 1 << 30


class Known:
    """The links that the frontier has been told of already, and at which depth.

    Mutable state: two generations of link keys; when the young one is full it becomes the old one.
    """

    def __init__(self) -> None:
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}

    def __contains__(self, key: object) -> bool:
        return key in self._young or key in self._old

    def news(self, links: Iterable[Told], depth: int) -> list[Told]:
        """Return the links of a page at that depth that are news, and remember them."""
        young, old = self._young, self._old
        fresh = [link for link in links if young.get(link.key, _DEEPEST) > depth]
        if not fresh:
            return fresh
        if old:
            fresh = [link for link in fresh if old.get(link.key, _DEEPEST) > depth]
        for link in fresh:
            young[link.key] = depth
        if len(young) >= KNOWN:
            self._old, self._young = young, {}
        return fresh
