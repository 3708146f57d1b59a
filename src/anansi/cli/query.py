"""`anansi query`: ask the objects of a collection."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from anansi.archive.layout import Collection
from anansi.cli.output import Json, complain
from anansi.errors import UserError

LARGEST: Final = 1 << 20
"""Characters of a query that are read from a file."""

_QUERY = "SPARQL: SELECT, ASK, CONSTRUCT or DESCRIBE; or @FILE that holds it, @- for standard input."
_FORMAT = "How to print; by default a table, or Turtle for CONSTRUCT and DESCRIBE."
_LIMIT = "How long the query may run."

Form = Literal["table", "json", "csv", "ttl"]


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    query: Annotated[str, typer.Argument(metavar="SPARQL", help=_QUERY)],
    form: Annotated[Form | None, typer.Option("--format", help=_FORMAT, show_default=False)] = None,
    timeout: Annotated[float, typer.Option(min=0.1, metavar="S", help=_LIMIT)] = 300.0,
    json: Json = False,
) -> None:
    """Ask the objects of a collection in SPARQL; works while the crawl runs.

    The prefixes sioc, schema, dcterms, foaf, prov, rdf and xsd need no declaration. Each capture is a named graph; a
    pattern without GRAPH is asked of all of them together.
    """
    sparql = _read(query)
    from anansi.archive.triplestore import ask, opened  # here: Oxigraph costs every command and worker 11 MB
    from anansi.cli.answers import print_answer

    with opened(Collection(folder)) as found:
        if not found.complete:
            complain("another process is using the store: what was crawled since it was loaded is left out")
        with _limited(timeout):
            print_answer(ask(found.store, sparql), "json" if json else form)
            sys.stdout.flush()


def _read(query: str) -> str:
    if not query.startswith("@"):
        return query
    try:
        if query == "@-":
            return sys.stdin.read(LARGEST)
        with Path(query[1:]).open(encoding="utf-8") as file:
            return file.read(LARGEST)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{query[1:]}: the query cannot be read: {error}") from None


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End the process when the block takes too long, or at Ctrl-C: Oxigraph cannot be told to stop.

    The store is open for reading, so nothing is lost with it.
    """

    def stop() -> None:
        complain(f"the query took longer than {seconds:g} s; make it narrower, or give it more time with --timeout")
        os._exit(UserError.exit_code)

    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
