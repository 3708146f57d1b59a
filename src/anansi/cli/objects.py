"""`anansi objects`: the posts, comments, articles … of a collection, for other programs."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

import typer

from anansi.archive.disk import replacing
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, report, say
from anansi.errors import UserError
from anansi.knowledge.vocabulary import OBJECTS

_KIND = f"Only objects of this kind ({', '.join(OBJECTS)})."
_FORMAT = "How to write: JSON lines, a table, Parquet (needs pyarrow) or Turtle."
_OUTPUT = "Where to write; by default standard output."
_AGAIN = "Read the pages again first, out of the archive, by what is known today; without the network."
_STORE = "Send the statements to a SPARQL 1.1 Update endpoint instead, those that were not sent to it before."

Form = Literal["jsonl", "csv", "parquet", "ttl"]


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    kinds: Annotated[list[str] | None, typer.Option("--type", metavar="KIND", help=_KIND)] = None,
    form: Annotated[Form, typer.Option("--format", help=_FORMAT)] = "jsonl",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help=_OUTPUT, show_default=False)
    ] = None,
    again: Annotated[bool, typer.Option("--again", help=_AGAIN)] = False,
    store: Annotated[str | None, typer.Option("--store", metavar="URL", help=_STORE, show_default=False)] = None,
    json: Json = False,
) -> None:
    """Write the objects of a collection, each once and whole, by its newest captures; works while the crawl runs.

    Pages can be read again first: those of a blind crawl, or of one that knew less than today. What they are found to
    hold replaces what was read before. Reading can be stopped, and goes on.
    """
    collection = Collection(folder)
    collection.require()
    for kind in kinds or ():
        if kind not in OBJECTS:
            raise UserError(f"--type {kind}: there is no such kind of object; the kinds are {', '.join(OBJECTS)}")
    if again:
        _read_again(collection, json=json and output is not None)
    if store is not None:
        if kinds or output is not None or form != "jsonl":
            raise UserError("--store sends everything that was said; leave out --type, --format and --output")
        _send(collection, store, json=json)
    elif output is not None:
        _write(collection, kinds or [], form, output, json=json)
    elif form == "parquet":
        raise UserError("Parquet is not for the terminal; name a file with --output")
    else:
        _export(collection, kinds or [], form, sys.stdout.buffer)


def _read_again(collection: Collection, *, json: bool) -> None:
    """Read the pages again; say on standard error what came of it, for objects go to standard output."""
    from anansi.crawl.restore.reread import Again, read_again

    def show(done: Again) -> None:
        report(f"reading again: {done.pages:,} pages, {done.changed:,} changed, {done.files:,} of {done.of:,} files")

    with collection.lock():
        done = read_again(collection, show)
    if json:
        as_json(dataclasses.asdict(done))
    elif not done.of:
        report("read again: nothing to do, all pages were read by what is known today")
    else:
        unread = f", {done.unreadable:,} could not be read" if done.unreadable else ""
        report(f"read again: {done.pages:,} pages, {done.changed:,} with other objects ({done.objects:,}){unread}")


def _export(collection: Collection, kinds: list[str], form: Form, output: BinaryIO) -> int:
    from anansi.archive import export  # here: Oxigraph costs every command 11 MB

    return export.FORMATS[form](export.objects(collection, kinds), output)


def _write(collection: Collection, kinds: list[str], form: Form, output: Path, *, json: bool) -> None:
    with replacing(output) as path, path.open("wb") as file:
        count = _export(collection, kinds, form, file)
    if json:
        as_json({"file": str(output), "format": form, "objects": count})
    else:
        say(f"wrote      {count:,} objects to {output}")


def _send(collection: Collection, store: str, *, json: bool) -> None:
    from anansi.archive.endpoint import send

    sent = send(collection, store)
    if json:
        as_json(dataclasses.asdict(sent))
    else:
        say(f"sent       {sent.statements:,} statements in {sent.requests:,} requests")
