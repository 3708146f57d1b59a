"""What writing and reading archives goes by, in numbers that were measured; limits stand beside what they limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of archives."""

    # ── records (`record`, `dedup`) ───────────────────────────────────────────────────────────────────────────────
    level: int = 2
    """isal's compression level. Bytes and ms CPU a page, 200 pages of 30 KB of documentation: level 1 6,099 and
    0.071, level 2 6,055 and 0.071, level 3 5,831 and 0.123 (zlib -6: 5,094 and 0.485). On 28 KB pages of random
    prose: 13,687, 13,376, 13,301 (zlib -6: 13,664 and 0.614). 4% of disk is not worth 0.05 of the 1.2 ms a page
    takes."""
    small_record: int = 2048
    """Bytes from which a record gets `level`: below, its tables cost 20 µs; level 0 takes 5 µs for 100 bytes more."""
    smallest_revisit: int = 1024
    """Bytes of the smallest payload worth a revisit record: its headers take about 600 more than a response's."""

    # ── texts of several pages (`parts`) ──────────────────────────────────────────────────────────────────────────
    alike: float = 0.5
    """Share of the shorter text that must stand in the longer one for both to be one part."""
    excerpt: float = 0.5
    """Share of a text below which another one that stands in it is an excerpt, and no newer version."""
    piece: int = 8
    """Characters of the pieces that texts are compared by; unrelated texts of a language share a few of a hundred."""
    looked_at: int = 4000
    """Characters of a text that are compared."""

    # ── the store of objects (`triplestore`) ──────────────────────────────────────────────────────────────────────
    bulk: int = 1 << 20
    """Bytes from which on writing files of their own is faster than a transaction."""


SETTINGS: Final = Settings()
