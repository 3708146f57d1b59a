"""What is known of feeds in numbers, in one place; limits of size stand beside what they limit.

When URLs publish and when to come back was found on synthetic feeds of six kinds and on those of three recorded
sites; re-run `bench/schedule.py --check` when one of these changes. What an item and its page say was found on the
1,555 items of three recorded sites (`bench/extraction.py`) and on pairs of pages (`tests/change`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of reading, expecting and rebuilding."""

    # ── when a URL publishes (`rhythm`, `forecast`) ───────────────────────────────────────────────────────────────
    scales: tuple[float, float, float, float, float, float] = (
        1800.0,
        3 * 3600.0,
        86400.0,
        7 * 86400.0,
        45 * 86400.0,
        300 * 86400.0,
    )
    """Seconds in which a publication loses its influence, each to 1/e."""
    weights: tuple[float, float, float, float, float, float] = (0.1, 0.1, 0.1, 0.15, 0.25, 0.3)
    """How much each scale counts before anything is known."""
    swift: int = 2
    """Scales that know what time it is: hours and days bear on the others only."""
    whole: int = 8
    """What a publication counts for the hours and days, unless an earlier one of the same hours brought it."""
    doubt: float = 4.0
    """Publications that must be seen until what is learned of the scales counts as much as `weights`."""
    moments: int = 24
    """Latest publications that are kept one by one."""
    visits: int = 12
    """Latest visits that are kept one by one."""
    most_new: int = 500
    """New publications of one visit that are looked at; the latest count."""
    largest_batch: int = 50
    """Items that one publication counts for at most: more are a site that moved, not its custom."""
    forget: int = 120
    """Publications after which older ones count half, for the day, the week and the scales."""
    least_window: int = 10
    """Items that a feed is taken to show at least, as long as nothing fell out of it."""
    filled: float = 1.0
    """Share of a window: feeds are visited in the shortest time in which so much of it was ever published."""
    floor: float = 0.1
    """Publications that are expected in as much time again as has passed since the last one, whatever is known."""
    prior: float = 7 * 86400.0
    """Seconds to the first publication of a URL that never had one."""
    faint: float = 0.03
    """What is left of the rate at hours at which nothing was ever published."""
    tiny: float = 1e-4
    """Publications still to come of a scale from which on it counts."""
    least_counts: int = 4
    """Publications of which hours and days are read."""
    hours: tuple[int, int, int, int] = (0, 1, 3, 7)
    """Half-hours on both sides over which the hours of the day are smoothed."""
    weekdays: tuple[int, int] = (0, 1)
    """Days on both sides over which the days of the week are smoothed."""
    least_gaps: int = 4
    """Intervals between publications of which regularity is read."""
    regular: tuple[float, float] = (0.2, 0.7)
    """Spread of intervals (between their quartiles, over the median) up to which they are regular, from which not."""

    # ── when to come back (`schedule`) ────────────────────────────────────────────────────────────────────────────
    risk: float = 0.001
    """Probability that items are lost before the next visit, up to which the price decides."""
    steps: int = 32
    """Moments at which a visit may be planned."""
    ahead: float = 5.0
    """How far to plan, in intervals that would be best if the rate were steady."""
    closest: float = 900.0
    """Seconds; the densest time of the past cuts no interval to less: a site that moved has dense dates, too."""
    soonest: float = 60.0
    """Seconds: no URL is asked for more often, whatever it promises."""
    dearest: float = 1e12
    """A price at which every URL has its longest interval."""

    # ── what an item says (`context`) ─────────────────────────────────────────────────────────────────────────────
    most_words: int = 120
    """Words of a description that are looked for; what a feed cuts has about fifty."""
    most_concepts: int = 30
    """Words that tell an item from others which are kept, the outstanding ones."""

    # ── what stands on a page (`article`, `story`, `noise`) ───────────────────────────────────────────────────────
    before_text: int = 60
    """Words (title, author, date, buttons) that may stand before the beginning of a text and are left out."""
    before_headline: int = 25
    """Lines above a text among which its headline is looked for."""
    byline: int = 40
    """Words of a line that says who wrote a text and when."""
    beyond: int = 4
    """Lines below an article that may say so, too."""
    told: int = 5
    """Words of a line outside of the article that tells something; those of menus and boxes are shorter or links."""
    above: int = 2
    """Lines above something told that may say who tells it."""
    who: int = 8
    """Words of a line that says who tells something."""
    linked: float = 0.5
    """Share of a line's letters in links, above which it leads elsewhere and tells nothing."""
    short: int = 160
    """Characters of a line that may be a counter, a time ago or a button; a longer one is a sentence."""
    head: int = 60
    """Characters of a line above a text that says who wrote it and when."""
    heads: int = 2
    """Lines above a text that say who wrote it and when."""
    edge: int = 5
    """Lines at the beginning and at the end of a text that may be such; further in they are part of what is told."""

    # ── entries made anew (`mould`, `rebuilding`) ─────────────────────────────────────────────────────────────────
    common: float = 0.6
    """Share of the entries that say a text which is the template's."""
    least_summary: int = 6
    """Words of a text that may be a summary."""
    nearest: float = 1.0
    """Seconds from a capture within which the page counts as captured."""


SETTINGS: Final = Settings()
