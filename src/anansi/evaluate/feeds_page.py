"""The statistics of feeds on one page: tables and figures as the paper has them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from anansi.evaluate.figures import Figure, bars, cumulated
from anansi.evaluate.report import framed, shown, tabulated, write_page
from anansi.feeds.statistics import QUARTILES, Domain, Quartiles, Statistics

NAME: Final = "feeds.html"

_UNITS: Final = (("d", 86_400), ("h", 3600), ("min", 60))
_MARKS: Final = (
    ("1 s", 1.0),
    ("10 s", 10.0),
    ("1 min", 60.0),
    ("1 h", 3600.0),
    ("1 day", 86_400.0),
    ("1 week", 604_800.0),
    ("1 month", 2_592_000.0),
    ("1 year", 31_536_000.0),
)


def write_feeds(folder: Path, statistics: Statistics) -> Path:
    """Write the page into a folder, which is made when it is missing."""
    return write_page(folder / NAME, page(statistics))


def page(statistics: Statistics) -> str:
    """Write the page."""
    types = [(name, f"{count:,}", share(count, statistics.feeds)) for name, count in statistics.types]
    elements = [
        (each.name, share(each.feeds, statistics.feeds), share(each.items, statistics.items))
        for each in statistics.elements
    ]
    parts = [
        "<h2>Types</h2>",
        tabulated(("type", "feeds", "share"), types),
        *map(shown, figures(statistics)),
        "<h2>Elements about time</h2>",
        tabulated(("element", "feeds", "items"), elements),
        "<h2>Update intervals by domain</h2>",
        tabulated(("site", "feeds", "mean", "pooled deviation"), [domain_row(each) for each in statistics.domains]),
        "<h2>Update intervals by feed</h2>",
        tabulated(("site", *QUARTILES), [quartiles_row(each) for each in statistics.quartiles]),
    ]
    return framed("Feeds", parts)


def figures(statistics: Statistics) -> list[Figure]:
    """Draw Figures 1 and 2."""
    series = [(name, [each.values[place] for each in statistics.quartiles]) for place, name in enumerate(QUARTILES)]
    return [
        bars("items", "Feeds by their number of items (Figure 1)", [("items", statistics.sizes)]),
        cumulated("intervals", "Share of feeds by a quartile of their update intervals (Figure 2)", series, _MARKS),
    ]


def domain_row(domain: Domain) -> tuple[str, str, str, str]:
    """Write a domain for a table."""
    deviation = duration(domain.deviation) if domain.deviation is not None else "–"
    return domain.name, f"{domain.feeds:,}", duration(domain.mean), deviation


def quartiles_row(quartiles: Quartiles) -> tuple[str, ...]:
    """Write the intervals of a feed for a table."""
    return quartiles.url, *map(duration, quartiles.values)


def duration(seconds: float) -> str:
    """Write a time in the largest unit that it has one of."""
    return next((f"{seconds / unit:,.1f} {name}" for name, unit in _UNITS if seconds >= unit), f"{seconds:.0f} s")


def share(count: int, of: int) -> str:
    """Write a share."""
    return f"{count / of:.1%}" if of else "–"
