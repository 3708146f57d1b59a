"""`anansi relevance`: how much of what a crawl brought is what the archive is about?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from anansi.cli.output import Json, as_json, say, table
from anansi.cli.subject import compiled, focused
from anansi.config import Definition
from anansi.errors import UserError
from anansi.evaluate.holding import index_of
from anansi.evaluate.relevance import Relevance, measure
from anansi.evaluate.relevance_page import (
    PAGES,
    SITES,
    TRUTHS,
    harvested,
    headings,
    listed,
    mentions,
    sites,
    truths,
    write_relevance,
)
from anansi.evaluate.source import Crawl, open_crawl
from anansi.evaluate.texts import shown, texts_at
from anansi.focus.definition import Subject

SHOWN = 10  # rows of a list; --json has more

_COLLECTIONS = "Collections of crawls that have ended; several are compared by the same definition."
_DEFINITION = "What the pages are held against; by default the definition that the first collection was crawled by."
_OUTPUT = "Write relevance.html, with figures, into this folder."

Collections = Annotated[list[Path], typer.Argument(metavar="DIR…", help=_COLLECTIONS, show_default=False)]
File = Annotated[Path | None, typer.Option("--definition", metavar="FILE", help=_DEFINITION, show_default=False)]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FOLDER", help=_OUTPUT, show_default=False)]


def command(collections: Collections, definition: File = None, output: Output = None, json: Json = False) -> None:
    """Hold what crawls brought against a definition: pages with each keyword, name and topic, and how near pages are.

    Similarity is the cosine of tf-idf vectors; rarity is that of the crawl itself. Nothing is fetched.
    """
    if output is not None and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder for the report")
    asked = focused(definition or collections[0])
    crawls = [open_crawl(folder) for folder in collections]
    subject = compiled(asked, lambda urls: texts_at(crawls, urls))
    results = [_measured(crawl, subject, asked, quiet=json) for crawl in crawls]
    written = write_relevance(output, results) if output is not None else None
    if json:
        as_json({"crawls": [each.to_json() for each in results], "report": str(written) if written else None})
        return
    _print(results)
    say(f"report     {written}" if written else "(--output FOLDER writes a report with figures)")


def _measured(crawl: Crawl, subject: Subject, definition: Definition, *, quiet: bool) -> Relevance:
    if not quiet:
        typer.echo(f"reading {crawl.folder} …", err=True)
    index = index_of(shown(crawl), subject, definition.focus)
    if not index.pages:
        raise UserError(f"{crawl.folder} holds no page with text: there is nothing to measure")
    found = measure(str(crawl.folder), index, subject, definition)
    return replace(found, notes=(*crawl.notes, *found.notes))


def _print(results: list[Relevance]) -> None:
    table(headings(results), mentions(results))
    for each in results:
        say("")
        say(f"{each.folder}: {harvested(each)}")
        for note in each.notes:
            say(f"note       {note}")
        table(TRUTHS, truths(each))
        say("")
        table(SITES, sites(each)[:SHOWN])
        say("")
        say("nearest")
        table(PAGES, listed(each.best[:SHOWN]))
        say("")
        say("off the subject, the longest first")
        table(PAGES, listed(each.worst[:SHOWN]))
