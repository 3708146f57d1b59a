"""`anansi feeds`: what a collection holds of feeds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, table
from anansi.errors import UserError
from anansi.evaluate.feeds import of_collection
from anansi.evaluate.feeds_page import domain_row, duration, share, write_feeds
from anansi.evaluate.watched import watched
from anansi.feeds import opml
from anansi.feeds.statistics import QUARTILES, Statistics, of_channels
from anansi.url import canonical, site_of

app = typer.Typer(help="Look at the feeds of a collection.", no_args_is_help=True, rich_markup_mode=None)

_DIR = "A collection that holds feeds."
_WATCHED = "A collection that `anansi watch` writes; it may be running."
_OUTPUT = "Write feeds.html, with figures, into this folder."
_GROUPS = "An OPML file whose groups are the domains; by default a domain is what is registered (example.org)."


@app.callback()
def _group() -> None:
    """Hold commands of its own, however few they are."""


@app.command("stats")
def stats(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_DIR)],
    groups: Annotated[Path | None, typer.Option("--groups", metavar="OPML", help=_GROUPS, show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help=_OUTPUT, show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Count the feeds of a collection: types, items, elements about time, update intervals, domains.

    A feed that was captured several times counts once, with the dates of all items that were seen in it.
    """
    if output is not None and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder for the report")
    domain_of = _by_group(groups) if groups is not None else site_of
    channels, notes = of_collection(folder)
    counted = of_channels(channels, domain_of)
    written = write_feeds(output, counted) if output is not None else None
    if json:
        as_json({**_plain(counted), "notes": notes, "report": str(written) if written else None})
        return
    _print(counted)
    for note in notes:
        say(f"note       {note}")
    say(f"report     {written}" if written else "(--output FOLDER writes a report with figures)")


@app.command("list")
def listed(folder: Annotated[Path, typer.Argument(metavar="DIR", help=_WATCHED)], json: Json = False) -> None:
    """List the feeds that are watched: what they brought, when the next visit is due, what may be lost until then.

    LOST counts visits that found no item of the visit before: others may have come and gone between the two.
    """
    collection = Collection(folder)
    collection.require()
    rows = watched(collection)
    if json:
        as_json([dataclasses.asdict(row) for row in rows])
        return
    if not rows:
        say(f"No feed of {folder} is watched yet; `anansi watch FEED -o {folder}` begins.")
        return
    headings = ("feed", "last visit", "visits", "items", "lost", "next visit", "risk")
    table(
        headings, [(r.url, _minute(r.last), r.visits, r.items, r.lost, _minute(r.due), f"{r.risk:.1%}") for r in rows]
    )


def _minute(moment: str) -> str:
    """Write a moment so that a row stays short; JSON has it in full."""
    return moment[:16].replace("T", " ")


def _by_group(path: Path) -> Callable[[str], str]:
    with guarded(path):
        data = path.read_bytes() if path.is_file() else None
    listed = opml.subscriptions(data) if data is not None else None
    if listed is None:
        raise UserError(f"{path} is no OPML file (or larger than {opml.LARGEST >> 20} MB)")
    names = {canonical(each.url): each.groups[0] if each.groups else "(no group)" for each in listed}
    return lambda url: names.get(canonical(url), "(not listed)")


def _plain(counted: Statistics) -> dict[str, object]:
    """Give rows their names."""
    plain = {field.name: getattr(counted, field.name) for field in dataclasses.fields(counted)}
    plain["types"] = dict(counted.types)
    plain["sizes"] = dict(counted.sizes)
    plain["elements"] = [each._asdict() for each in counted.elements]
    plain["domains"] = [each._asdict() for each in counted.domains]
    plain["quartiles"] = [
        {"url": each.url, "intervals": each.intervals, **dict(zip(QUARTILES, each.values, strict=True))}
        for each in counted.quartiles
    ]
    return plain


def _print(counted: Statistics) -> None:
    say(
        f"{counted.feeds:,} feeds, {counted.items:,} items, {counted.captures:,} captures; "
        f"{counted.ill_formed:,} feeds are not well-formed\n"
    )
    table(("type", "feeds", "share"), [(name, count, share(count, counted.feeds)) for name, count in counted.types])
    say("")
    table(
        ("items", "feeds", "share"),
        [(name, count, share(count, counted.feeds)) for name, count in counted.sizes if count],
    )
    say("")
    rows = [
        (each.name, share(each.feeds, counted.feeds), share(each.items, counted.items)) for each in counted.elements
    ]
    table(("element", "of feeds", "of items"), rows)
    say("")
    if not counted.quartiles:
        say("No feed has two dates: there are no update intervals.")
        return
    table(("over feeds", "shortest", "median", "longest"), [_over(counted, place) for place in range(len(QUARTILES))])
    say("")
    table(("domain", "feeds", "mean interval", "pooled deviation"), [domain_row(each) for each in counted.domains])


def _over(counted: Statistics, place: int) -> tuple[str, str, str, str]:
    """Say how a quartile of the intervals differs between feeds."""
    values = sorted(each.values[place] for each in counted.quartiles)
    return QUARTILES[place], duration(values[0]), duration(values[len(values) // 2]), duration(values[-1])
