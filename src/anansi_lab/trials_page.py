"""Focused crawls on one page: the paper's Tables 1 and 2, the curves over time, and every figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from anansi.evaluate.figures import Figure, bars, curves
from anansi.evaluate.report import framed, shown, tabulated, write_page
from anansi_lab.trials import POINTS, Row, Trials

NAME: Final = "simulation.html"
HEADINGS: Final = (
    "setting",
    "label share",
    "± error",
    "of the oracle",
    "area under curve",
    "harvest ratio",
    "average similarity",
    "subtopics",
)
_PAPER: Final = ("batch", "bl", "update function", "harvest ratio", "average similarity", "subtopics", "label share")
_DRAWN: Final = 6


def write_trials(folder: Path, trials: Trials) -> Path:
    """Write the page into a folder, which is made when it is missing."""
    return write_page(folder / NAME, page(trials))


def line(trials: Trials, row: Row) -> tuple[str, ...]:
    """Write the figures of a setting."""
    part = trials.of_oracle(row)
    return (
        row.setting.name,
        f"{row.mean('share'):.3f}",
        f"{row.error('share'):.3f}",
        f"{part:.2f}" if part is not None else "",
        f"{row.mean('area'):.3f}",
        f"{row.mean('harvest'):.3f}",
        f"{row.mean('similarity'):.3f}",
        f"{row.mean('subtopics'):.3f}",
    )


def page(trials: Trials) -> str:
    """Write the page."""
    draws = trials.draws
    topics = [(name, f"{count:,}") for name, count in trials.topics.items()]
    first = [row for row in trials.rows if row.setting.group == "Table 1"]
    again = {"paper-first", "paper-avg"}
    second = [row for row in trials.rows if row.setting.group == "Table 2" or row.setting.name in again]
    said = (
        f"{len(trials.topics)} topics, {draws.samples} draws of {draws.seeds} seeds each; a crawl fetches as many "
        "pages as its topic has, the seeds among them; seeds are not counted."
    )
    parts = [
        f"<p>{said}</p>",
        tabulated(HEADINGS, [line(trials, row) for row in trials.rows]),
        *map(shown, figures(trials)),
        *(["<h2>Update functions (Table 1)</h2>", tabulated(_PAPER, _lines(first))] if first else []),
        *(["<h2>Batches and turns (Table 2)</h2>", tabulated(_PAPER, _lines(second))] if second else []),
        "<h2>Topics</h2>",
        tabulated(("topic", "pages"), topics),
    ]
    return framed("Focused crawls of a recorded web", parts)


def figures(trials: Trials) -> list[Figure]:
    """Draw the shares of all settings, and the curves of the best."""
    shares = [(row.setting.name, round(1000 * row.mean("share"))) for row in trials.rows]
    best = sorted(trials.rows, key=lambda row: -row.mean("share"))[:_DRAWN]
    lines = [(row.setting.name, _points(row.curve())) for row in best]
    return [
        bars("shares", "Pages with the topic's label, in a thousand", [("setting", shares)]),
        curves("course", "Relevant pages over time, in a thousand of the budget", lines, "% of the budget"),
    ]


def _points(curve: Sequence[float]) -> list[tuple[int, int]]:
    return [(100 * number // POINTS, round(1000 * value)) for number, value in enumerate(curve, 1)]


def _lines(rows: Iterable[Row]) -> Iterable[tuple[str, ...]]:
    for row in rows:
        pace = row.setting.pace
        figures = (f"{row.mean(name):.4f}" for name in ("harvest", "similarity", "subtopics", "share"))
        yield "yes" if pace.batch > 1 else "no", str(pace.per_turn), pace.update.upper(), *figures
