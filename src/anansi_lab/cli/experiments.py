"""`python -m anansi_lab experiments`: the experiments of the ACEBot paper, on collections of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.cli.output import Json, as_json, say, table
from anansi.errors import UserError
from anansi.evaluate.recorded import of_collection
from anansi_lab import experiments
from anansi_lab.experiments import Studied
from anansi_lab.experiments_page import write_experiments
from anansi_lab.strategies import Measure

_COLLECTIONS = "Collections of complete blind crawls, a site each."
_OUTPUT = "Write experiments.html, with figures, into this folder."
_RUNS = "How often each sample size is tried, with other chance."
_SEED = "Where chance begins; the same seed gives the same figures."

Collections = Annotated[list[Path], typer.Argument(metavar="DIR…", help=_COLLECTIONS, show_default=False)]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help=_OUTPUT, show_default=False)]
Runs = Annotated[int, typer.Option("--runs", min=1, max=100, help=_RUNS)]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", help=_SEED)]


def command(
    collections: Collections, output: Output = None, runs: Runs = 10, seed: Seed = 0, json: Json = False
) -> None:
    """Try what learning gives: by sample size, patterns selected, attributes, completion ratio, and levels.

    Every collection is a site that was crawled completely; what was learned is followed there without a request.
    """
    if output is not None and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder for the report")
    sites = []
    for folder in collections:
        if not json:
            typer.echo(f"reading {folder} …", err=True)
        sites.append(Studied(str(folder), Measure(of_collection(folder))))
    tell = (lambda _: None) if json else (lambda text: typer.echo(text, err=True))
    results = experiments.run(sites, seed, runs, tell)
    written = write_experiments(output, results) if output is not None else None
    if json:
        as_json({**results.to_json(), "report": str(written) if written else None})
        return
    rows = [
        (each.steps, f"{each.ratio:.0%}", each.requests, f"{each.items:.1%}", f"{each.links:.1%}")
        for each in results.depths
    ]
    table(("steps", "ratio", "requests", "2-grams", "external links"), rows)
    say(f"report     {written}" if written else "(--output FOLDER writes a report with figures)")
