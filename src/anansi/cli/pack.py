"""`anansi pack`: one file that other people can replay."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.archive.layout import Collection
from anansi.archive.wacz import pack
from anansi.cli.output import Json, as_json, say
from anansi.inspection.texts import texts


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where to write; by default DIR.wacz.", show_default=False
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the package.")] = "",
    text: Annotated[
        bool, typer.Option("--text/--no-text", help="Add the text of pages, so that readers can search in them.")
    ] = True,
    json: Json = False,
) -> None:
    """Pack the collection into a WACZ file, which ReplayWeb.page opens and pywb takes in.

    It holds all that belongs to the collection: archive and indexes, objects, definition, reports, and what was
    learned; `anansi unpack` makes a collection of it again.
    """
    collection = Collection(folder)
    collection.require()
    root = folder.resolve()
    target = output or root.parent / f"{root.name}.wacz"
    with collection.lock():
        written = pack(collection, target, title=title, texts=texts if text else None)
    size = written.stat().st_size
    if json:
        as_json({"file": str(written), "bytes": size})
    else:
        say(f"packed     {written} ({size:,} bytes); open it at ReplayWeb.page")
