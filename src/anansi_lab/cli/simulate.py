"""`python -m anansi_lab simulate`: focused crawls of a recorded web, every strategy on the same topics and seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.cli.output import Json, as_json, say, table
from anansi.errors import UserError
from anansi_lab import trials
from anansi_lab.settings import chosen
from anansi_lab.trials import Draws
from anansi_lab.trials_page import HEADINGS, line, write_trials
from anansi_lab.webs import load, read_labels

_WEB = "WARC files, or collections; what was not recorded is not there."
_LABELS = "What each page is about: a URL, a tab and a subject (levels parted by dots) a line."
_SETTINGS = "A setting to try, more than once for several; all by default."
_OUTPUT = "Write simulation.html, with figures, into this folder."
_SEEDS = "Pages of a topic that a crawl starts from."
_SAMPLES = "How often seeds are drawn for each topic."
_LEAST = "Pages that a topic has at least."
_MOST = "Pages that a topic has at most."
_LEVEL = "Level of the subjects that are topics."
_HALF = "Every other topic only (0 or 1), by the hash of its name: tune on one half, report on the other."
_CHANCE = "Where chance begins; the same number gives the same figures."

Places = Annotated[list[Path], typer.Argument(metavar="WARC…", help=_WEB, show_default=False)]
Labels = Annotated[Path, typer.Option("--labels", metavar="FILE", help=_LABELS, show_default=False)]
Settings = Annotated[list[str] | None, typer.Option("--setting", metavar="NAME", help=_SETTINGS, show_default=False)]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help=_OUTPUT, show_default=False)]
Seeds = Annotated[int, typer.Option("--seeds", min=1, max=1000, help=_SEEDS)]
Samples = Annotated[int, typer.Option("--samples", min=1, max=100, help=_SAMPLES)]
Least = Annotated[int, typer.Option("--least", min=2, help=_LEAST)]
Most = Annotated[int, typer.Option("--most", min=2, help=_MOST)]
Level = Annotated[int, typer.Option("--level", min=1, max=20, help=_LEVEL)]
Half = Annotated[int | None, typer.Option("--half", min=0, max=1, help=_HALF, show_default=False)]
Chance = Annotated[int, typer.Option("--seed", metavar="NUMBER", help=_CHANCE)]


def command(
    web: Places,
    labels: Labels,
    setting: Settings = None,
    output: Output = None,
    seeds: Seeds = 20,
    samples: Samples = 3,
    least: Least = 80,
    most: Most = 400,
    level: Level = 2,
    half: Half = None,
    seed: Chance = 0,
    json: Json = False,
) -> None:
    """Crawl a recorded web as if it were live, without a request, and measure how well strategies keep to a topic.

    Topics are subjects of the labels, which no strategy sees; seeds are drawn at random from a topic's pages.
    """
    if output is not None and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder for the report")
    settings = chosen(setting or [])
    subjects = read_labels(labels)
    tell = _silent if json else _tell
    tell("reading the web …")
    recorded = load(web)
    tell(f"{len(recorded.pages):,} pages")
    draws = Draws(seeds, samples, least, most, level, half, seed)
    results = trials.run(recorded, subjects, settings, draws, tell)
    written = write_trials(output, results) if output is not None else None
    if json:
        as_json({**results.to_json(), "report": str(written) if written else None})
        return
    table(HEADINGS, [line(results, row) for row in results.rows])
    say(f"report     {written}" if written else "(--output FOLDER writes a report with figures)")


def _tell(text: str) -> None:
    """Say what is being done, beside the output."""
    typer.echo(text, err=True)


def _silent(_: str) -> None:
    """Say nothing: what is printed is for a program."""
