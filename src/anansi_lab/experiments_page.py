"""The experiments on one page: figures as the paper has them, and its table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from anansi.evaluate.figures import Figure, boxes, curves
from anansi.evaluate.report import framed, shown, tabulated, write_page
from anansi_lab.experiments import Results

NAME: Final = "experiments.html"


def write_experiments(folder: Path, results: Results) -> Path:
    """Write the page into a folder, which is made when it is missing."""
    return write_page(folder / NAME, page(results))


def page(results: Results) -> str:
    """Write the page."""
    sites = [(name, f"{requests:,}", f"{items:,}") for name, requests, items in results.sites]
    parts = [
        tabulated(("site", "requests of the blind crawl", "distinct 2-grams without boilerplate"), sites),
        *map(shown, figures(results)),
        "<h2>Levels</h2>",
        tabulated(("steps", "completion ratio", "requests", "2-grams", "external links"), _levels(results)),
        "<h2>Runs that reached the most, by sample size</h2>",
        tabulated(("pages", "2-grams", "runs at their best", "runs"), _runs(results)),
    ]
    return framed("Learning: the paper's experiments", parts)


def figures(results: Results) -> list[Figure]:
    """Draw Figures 6, 8, 9 and 10."""
    sizes = [("share of 2-grams, %", [(each.pages, _percent(each.share)) for each in results.sizes])]
    patterns = [
        ("share of 2-grams, %", [(each.patterns, _percent(each.share)) for each in results.selected]),
        (
            "requests, % of the blind crawls",
            [(each.patterns, _part(each.requests, results)) for each in results.selected],
        ),
    ]
    ratios = [("share of 2-grams, %", [(_percent(each.ratio), _percent(each.share)) for each in results.ratios])]
    drawn = [
        curves("size", "2-grams crawled by what a sample of so many pages taught (Figure 6)", sizes, "sampled pages"),
        curves("patterns", "2-grams and requests of the first so many patterns (Figure 8)", patterns, "patterns"),
        curves("ratio", "2-grams crawled by the completion ratio (Figure 10)", ratios, "completion ratio, %"),
    ]
    for dynamic in (False, True):
        for limited in (False, True):
            title = (
                f"{'dynamic' if dynamic else 'complete'} site map, {'+ restricted' if limited else '+ unrestricted'}"
            )
            groups = [
                (each.attributes, each.shares)
                for each in results.settings
                if (each.dynamic, each.limited) == (dynamic, limited)
            ]
            name = f"attributes-{int(dynamic)}{int(limited)}"
            drawn.append(boxes(name, f"2-grams crawled by attributes: {title} (Figure 9)", groups))
    return drawn


def _levels(results: Results) -> Iterable[tuple[str, ...]]:
    for each in results.depths:
        shares = (f"{each.ratio:.0%}", f"{each.requests:,}", f"{each.items:.1%}", f"{each.links:.1%}")
        yield str(each.steps), *shares


def _runs(results: Results) -> Iterable[tuple[str, ...]]:
    for each in results.sizes:
        yield f"{each.pages:,}", f"{each.share:.1%}", str(each.best), str(each.runs)


def _percent(share: float) -> int:
    return round(100 * share)


def _part(requests: int, results: Results) -> int:
    return _percent(requests / max(1, sum(blind for _, blind, _ in results.sites)))
