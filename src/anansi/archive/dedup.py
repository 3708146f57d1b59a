"""Which payloads were kept before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anansi.model import Page

SMALLEST: Final = 1024
"""Bytes of the smallest payload worth a revisit record: its headers take about 600 more than those of a response."""

ENTRIES: Final = 50_000
"""Entries of one generation; two generations of 300 bytes an entry make 30 MB a worker."""


@dataclass(frozen=True, slots=True)
class Original:
    """The capture that holds a payload."""

    url: str
    date: float
    digest: str


class Dedup:
    """Remember payloads, the recently used ones longest, in bounded memory.

    Mutable state: `_young` and `_old`, filled by `remember`. When `_young` is full it becomes `_old`, and what `_old`
    held is forgotten; `find` moves what it finds back to `_young`.

    A payload that came in chunks and one that did not are kept apart, although their digests agree: pywb reads the
    earlier record's body by the later record's head, and would show chunk sizes as text.
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self._entries = entries
        self._young: dict[tuple[str, bool], Original] = {}
        self._old: dict[tuple[str, bool], Original] = {}

    def __repr__(self) -> str:
        return f"Dedup({len(self._young)} young, {len(self._old)} old, at most {self._entries} each)"

    def find(self, page: Page, digest: str, size: int) -> Original | None:
        """Return the earlier capture of the page's payload: at any URL in this run, at the same URL in any run."""
        if not _worth(page, size):
            return None
        key = (digest, _chunked(page))
        original = self._young.get(key)
        if original is None and (original := self._old.get(key)) is not None:
            self._keep(key, original)
        return original or _seen_at_the_same_url(page, digest)

    def remember(self, page: Page, digest: str, size: int) -> None:
        """Note that the page's payload is in the archive now."""
        if _worth(page, size):
            self._keep((digest, _chunked(page)), Original(page.visit.url, page.started, digest))

    def _keep(self, key: tuple[str, bool], original: Original) -> None:
        if len(self._young) >= self._entries:
            self._old = self._young
            self._young = {}
        self._young[key] = original


def _worth(page: Page, size: int) -> bool:
    """Tell whether a payload may stand for another: complete, and not tiny."""
    return size >= SMALLEST and page.cut is None and page.fault is None


def _chunked(page: Page) -> bool:
    return "chunked" in page.header("transfer-encoding").lower()


def _seen_at_the_same_url(page: Page, digest: str) -> Original | None:
    earlier = page.visit.validators
    if earlier is None or not earlier.date or earlier.digest != digest:
        return None
    return Original(page.visit.url, earlier.date, digest)
