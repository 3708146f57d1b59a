"""`anansi status`: where a crawl stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, summary_lines, table
from anansi.crawl.report import words as telling
from anansi.crawl.report.summary import read_summary
from anansi.errors import CollectionError

MOST_EXAMPLES = 20


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    sites: Annotated[int, typer.Option(min=0, help="Sites to list.")] = MOST_EXAMPLES,
    json: Json = False,
) -> None:
    """Show what was fetched, what is queued and how each site stands; works while the crawl runs."""
    status = read_status(Collection(folder))
    if json:
        as_json(status)
        return
    summary_lines(status)
    rows = [
        (name, each["requests"], each["pages"], each["queued"], each["state"], telling.kept(each))
        for name, each in list(status["sites"].items())[:sites]
    ]
    if rows:
        say("")
        table(("site", "requests", "pages", "queued", "state", "what it is, and what was kept"), rows)


def read_status(collection: Collection) -> dict[str, Any]:
    """Read the last summary; one that says `running` without a running crawl was cut off."""
    collection.require()
    summary = read_summary(collection)
    if summary is None:
        raise CollectionError(
            f"{collection.root} has no summary yet: no crawl has run there; `anansi crawl` begins one"
        )
    if summary.get("state") == "running" and not collection.locked:
        summary |= {"state": "cut off (run the same crawl command again to go on)", "now": []}
    return summary
