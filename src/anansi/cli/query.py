"""`anansi query`: ask the objects of a collection."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn

import typer

from anansi.archive.layout import Collection
from anansi.cli.output import Json, complain
from anansi.errors import UserError

LARGEST: Final = 1 << 20
"""Characters of a query that are read from a file."""

_QUERY = "SPARQL: SELECT, ASK, CONSTRUCT or DESCRIBE; or @FILE that holds it, @- for standard input."
_FORMAT = "How to print; by default a table, or Turtle for CONSTRUCT and DESCRIBE."
MEMORY: Final = 2 << 30
"""Bytes that a query may take: sorting a product of everything with everything would take all there is."""
LOOK: Final = 0.1
"""Seconds between looks at how far a query is."""

_LIMIT = "How long the query may run."

Form = Literal["table", "json", "csv", "ttl"]


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    query: Annotated[str, typer.Argument(metavar="SPARQL", help=_QUERY)],
    form: Annotated[Form | None, typer.Option("--format", help=_FORMAT, show_default=False)] = None,
    timeout: Annotated[float, typer.Option(min=0.1, metavar="S", help=_LIMIT)] = 60.0,
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
    """End the process when the block takes too long or too much, or at Ctrl-C: Oxigraph cannot be told to stop.

    The store is open for reading, so nothing is lost with it.
    """
    done = threading.Event()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(done, seconds), daemon=True).start()
    try:
        yield
    finally:
        done.set()
        signal.signal(signal.SIGINT, before)


def _watch(done: threading.Event, seconds: float) -> None:
    end, most = time.monotonic() + seconds, resident() + MEMORY
    while not done.wait(max(min(LOOK, end - time.monotonic()), 0.0)):
        if time.monotonic() >= end:
            _stop(f"the query took longer than {seconds:g} s; make it narrower, or give it more time with --timeout")
        if resident() > most:
            _stop(f"the query took more than {MEMORY >> 30} GB of memory; make it narrower, or without ORDER BY")


def _stop(message: str) -> NoReturn:
    complain(message)
    os._exit(UserError.exit_code)


def resident() -> int:
    """Return the bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
