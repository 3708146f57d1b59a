"""`anansi evaluate`: what did a crawl bring, and what did it cost?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.cli.output import Json, as_json, say, table
from anansi.errors import UserError
from anansi.evaluate.compare import Compared, compare, pair_up, to_json
from anansi.evaluate.report import HEADINGS, label, row, write_report

_BLIND = "A collection that was crawled blindly; the measure of the others."
_AGAINST = "A collection of the same site to measure; with several --blind, the same number for each, in their order."
_MORE = "More collections to measure, as with --against."
_OUTPUT = "Write report.html, with figures, into this folder."

Blind = Annotated[list[Path], typer.Option("--blind", metavar="DIR", help=_BLIND)]
Against = Annotated[list[Path], typer.Option("--against", metavar="DIR", help=_AGAINST)]
More = Annotated[list[Path] | None, typer.Argument(metavar="DIR…", help=_MORE, show_default=False)]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help=_OUTPUT, show_default=False)]


def command(blind: Blind, against: Against, more: More = None, output: Output = None, json: Json = False) -> None:
    """Compare crawls of the same site: requests, and how much of what a blind crawl brings each of them has.

    Shares are of the blind crawl's distinct 2-grams (two words in a row), links to other domains, and content pages.
    """
    if more and len(blind) > 1:
        raise UserError("with several --blind, name every other collection with an --against of its own")
    pairs = pair_up(blind, [*against, *(more or [])])
    if output is not None and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder for the report")
    sites = [compare(one, others, tell=_silent if json else _tell) for one, others in pairs]
    written = write_report(output, sites) if output is not None else None
    if json:
        as_json({**to_json(sites), "report": str(written) if written else None})
        return
    for site in sites:
        _print(site)
    say(f"report     {written}" if written else "(--output FOLDER writes a report with figures)")


def _tell(text: str) -> None:
    """Say what is being done, beside the output."""
    typer.echo(text, err=True)


def _silent(_: str) -> None:
    """Say nothing: what is printed is for a program."""


def _print(site: Compared) -> None:
    say(f"{site.name}{f' ({site.type})' if site.type else ''}: {site.blind.content.of:,} content pages")
    say(f"content    {site.content_by}")
    table(HEADINGS, [row(score) for score in site.scores])
    for score in site.scores:
        for each in score.notes:
            say(f"note       {label(score)}: {each}")
    say("")
