"""`anansi unpack`: a collection out of one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anansi.archive.layout import Collection
from anansi.archive.wacz import unpack
from anansi.cli.output import Json, as_json, say, warn
from anansi.crawl.definition import set_aside_unreadable
from anansi.crawl.report.summary import summarise_unpacked
from anansi.crawl.restore.rebuild import rebuild_frontier
from anansi.crawl.restore.restore import restore


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A WACZ file.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="The collection to make; by default the file's name without `.wacz`.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make a collection of a WACZ file again: to look into it, query its objects, or go on crawling."""
    collection = Collection(output or file.with_suffix(""))
    files = unpack(file, collection)
    with collection.lock():
        unread = set_aside_unreadable(collection)
        captures = rebuild_frontier(collection) or 0
        if not collection.crawl_log.exists():  # a package of others, whose logs are not ours: the archive tells
            summarise_unpacked(collection)
            restore(collection)
    if json:
        as_json({"collection": str(collection.root), "files": files, "captures": captures, "definition": unread})
    else:
        say(f"unpacked   {collection.root}: {files:,} files, {captures:,} captures  (anansi status, anansi objects)")
        if unread:
            warn(f"{file}: {unread}")
