"""Which payloads were kept before."""

from __future__ import annotations

from typing import Final

import msgspec

from anansi.archive.head import is_chunked
from anansi.archive.settings import SETTINGS
from anansi.model import Exchange

ENTRIES: Final = 10_000
"""Entries of one generation; two generations of 300 bytes an entry make 6 MB a worker."""


class Original(msgspec.Struct, frozen=True):
    """The capture that holds a payload."""

    url: str
    date: float
    digest: str
    chunked: bool | None = None
    """Whether its body is framed in chunks; None when that is not known."""


class Dedup:
    """Remember payloads, the recently used ones longest, in bounded memory.

    Mutable state: `_young` and `_old`, filled by `remember`. When `_young` is full it becomes `_old`, and what `_old`
    held is forgotten; `_recall` moves what it finds in `_old` back to `_young`.
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self._entries = entries
        self._young: dict[str, Original] = {}
        self._old: dict[str, Original] = {}

    def __repr__(self) -> str:
        return f"Dedup({len(self._young)} young, {len(self._old)} old, at most {self._entries} each)"

    def find(self, exchange: Exchange, digest: str, size: int) -> Original | None:
        """Return the earlier capture of the page's payload: at any URL in this run, at the same URL in any run."""
        earlier = earlier_capture(exchange)
        if exchange.status == 304:
            return self._recall(earlier.digest) or earlier if earlier else None
        if not _worth(exchange, size):
            return None
        return self._recall(digest) or (earlier if earlier and earlier.digest == digest else None)

    def remember(self, exchange: Exchange, digest: str, size: int) -> None:
        """Note that the page's payload is in the archive now."""
        if _worth(exchange, size):
            self._keep(Original(exchange.visit.url, exchange.started, digest, is_chunked(exchange.head)))

    def _recall(self, digest: str) -> Original | None:
        original = self._young.get(digest)
        if original is None and (original := self._old.get(digest)) is not None:
            self._keep(original)
        return original

    def _keep(self, original: Original) -> None:
        if len(self._young) >= self._entries:
            self._old = self._young
            self._young = {}
        self._young[original.digest] = original


def _worth(exchange: Exchange, size: int) -> bool:
    """Tell whether a payload may stand for another: complete, and not tiny."""
    return size >= SETTINGS.smallest_revisit and exchange.cut is None and exchange.fault is None


def earlier_capture(exchange: Exchange) -> Original | None:
    """Return the capture of the same URL that the visit knows of."""
    earlier = exchange.visit.validators
    if earlier is None or not (earlier.date and earlier.digest):
        return None
    return Original(exchange.visit.url, earlier.date, earlier.digest)
