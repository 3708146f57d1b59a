"""What the stages and the hub decide by, in numbers; limits, and what belongs to one part alone, stand there.

Those of unknown sites and samples were found on seven recorded forums and blogs with `bench/strategies.py`;
re-run it when one changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of a crawl."""

    # ── sites that nobody knows (`guides`, `stages/learn`, `stages/propose`) ──────────────────────────────────────
    early: int = 100
    """Pages of a site before which nothing of it is refused under `auto`: small sites are kept whole."""
    young: int = 100
    """Pages of a site on which every place of a link is looked at; later the first one."""
    soon: int = 20
    """Pages of a site by which a worker learns nothing: most sites of a broad crawl have fewer."""
    first_look: int = 40
    """Pages after which a site is looked at."""
    look_factor: int = 8
    """How many times as many pages before the next look."""

    # ── samples (`stages/weigh`) ──────────────────────────────────────────────────────────────────────────────────
    novel: float = 0.1
    """Share of what a page says that must be new for it to count: the rest frames it; a form says but a name."""
    first_said: int = 2000
    """Hashes of what the first pages of a site say, a dozen pages of four hundred words."""

    # ── rules that fail (`stages/mend`, `stages/gaps`) ────────────────────────────────────────────────────────────
    compared: int = 5
    """Pages of a level that are compared with what was known though nothing is missing; then one of `every`."""
    every: int = 40
    """Pages of which one is compared then."""
    wall_objects: int = 3
    """Objects of a page that may be a wall: an article or a thread, and what is said there."""

    # ── watching (`stages/watch`, `budget`) ───────────────────────────────────────────────────────────────────────
    price: float = 600.0
    """What a request is worth where no budget says: so many seconds that an item waits to be seen."""
    told_at: float = 0.05
    """Share by which the price must change before workers are told."""

    # ── what a crawl says of itself (`report`) ────────────────────────────────────────────────────────────────────
    spread: float = 0.15
    """Of an estimate from samples, how much it may be wrong either way where nothing else says how much."""
    double: float = 2.0
    """What a list of unknown length may hold, and what pages may lead to that lead to each other, as a multiple of
    what is known of it. With it the ranges of eight recorded sites hold what their crawls took (decision 0036)."""
    ways: int = 32
    """Pages of a site from which on a form is not the only way in: a page that is a form links to fewer."""


SETTINGS: Final = Settings()
