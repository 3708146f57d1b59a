"""`anansi watch`: feeds, and what they tell of, kept for as long as one likes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from anansi import config
from anansi.archive.layout import Collection
from anansi.cli.crawl import (
    Agent,
    Contact,
    Delay,
    Exclude,
    File,
    Operator,
    Output,
    Place,
    Requisites,
    Resolve,
    Robots,
    Workers,
    definition_of,
    listening,
    option,
    print_result,
    with_options,
)
from anansi.cli.given import Cookies, Headers, given
from anansi.cli.output import Json, say
from anansi.crawl.run import crawl
from anansi.errors import UserError
from anansi.evaluate.watched import watched
from anansi.feeds.opml import LARGEST, subscriptions
from anansi.frontier import politeness

FILES = (".opml", ".xml", ".rss", ".atom", ".txt")
"""Endings of files; what ends so and is none was meant as one."""
GRACE = 60.0
"""Seconds after the start in which what falls due is still visited by `--once`: what must be tried again, mostly."""

_WHAT = "Feeds, sites whose feeds are found, or files of subscriptions (OPML)."
_ONCE = "Visit what is due now and end, as for cron; by default it runs until it is stopped."
_PAGES = "Crawl the sites and watch all their pages, whether feeds tell of them or not."

What = Annotated[list[str] | None, typer.Argument(metavar="FEED_OR_SITE_OR_OPML…", help=_WHAT, show_default=False)]
Once = Annotated[bool, typer.Option("--once", help=_ONCE)]
Pages = Annotated[bool, typer.Option("--pages", help=_PAGES)]
Budget = Annotated[int | None, option(config.Watch, "budget", min=1, metavar="REQUESTS")]
Shortest = Annotated[float | None, option(config.Watch, "shortest", min=1, metavar="S")]
Longest = Annotated[float | None, option(config.Watch, "longest", min=1, metavar="S")]


def command(
    what: What = None,
    output: Output = Path("collection"),
    config_file: File = None,
    once: Once = False,
    pages: Pages = False,
    budget: Budget = None,
    shortest: Shortest = None,
    longest: Longest = None,
    workers: Workers = None,
    delay: Delay = None,
    exclude: Exclude = None,
    requisites: Requisites = None,
    header: Headers = None,
    cookies: Cookies = None,
    user_agent: Agent = None,
    operator: Operator = None,
    contact: Contact = None,
    robots: Robots = None,
    resolve: Resolve = None,
    listen: Place = None,
    json: Json = False,
) -> None:
    """Watch feeds into the collection DIR: each is visited when news is expected, and so are the pages of its items.

    The first Ctrl-C finishes the pages under way; the same command goes on, with all that is known about each feed.
    """
    collection = Collection(output)
    definition = definition_of(collection, config_file, [seed for each in what or [] for seed in _seeds(each)])
    if not definition.seeds and not collection.exists():
        raise UserError("nothing to watch: name a feed or a site, as in `anansi watch https://example.org/ -o DIR`")
    waits = politeness.fixed(delay, definition.politeness) if delay is not None else {}
    often = {"budget": budget, "shortest": shortest, "longest": longest}
    chosen: dict[str, dict[str, Any]] = {
        "": {"workers": workers},
        "scope": {"exclude": exclude or None, "requisites": requisites},
        "politeness": {"robots": robots, **waits},
        "fetch": {"user_agent": user_agent, "resolve": resolve or None},
        "archive": {"operator": operator, "contact": contact},
        "watch": {"what": what_of(definition, pages=pages), **often},
    }
    until = time.time() + GRACE if once else None
    place = listening(listen, stay=False, json=json)
    along = given(header, cookies, definition.seeds)
    result = crawl(with_options(definition, chosen), collection, until=until, listen=place, quiet=json, given=along)
    print_result(result, collection, json=json)
    if not json:
        _say_next(collection)
    raise typer.Exit(0 if result.ended == "interrupted" else result.exit_code)


def _say_next(collection: Collection) -> None:
    """Say how many feeds are watched and when the next one is due; the queue holds all that is visited again."""
    feeds = watched(collection)
    due = [feed.due for feed in feeds if feed.due != "-"]
    told = f", the next is due {due[0]}" if due else ""
    say(f"feeds      {len(feeds):,} watched{told}  (anansi feeds list {collection.root})")


def what_of(definition: config.Definition, *, pages: bool) -> str:
    """Return what is watched: what is asked for now, or was when the collection was begun."""
    return "pages" if pages or definition.watch.what == "pages" else "feeds"


def _seeds(what: str) -> list[str]:
    """Return the feeds that a file of subscriptions names, or the address itself."""
    path = Path(what)
    if "://" in what or not path.is_file():
        if "://" not in what and (path.suffix.lower() in FILES or path.is_absolute()):
            raise UserError(
                f"{what}: no such file; name a list of feeds (OPML), or an address such as https://{what}"
            )
        return [what]
    try:
        with path.open("rb") as file:
            named = subscriptions(file.read(LARGEST + 1))
    except OSError as error:
        raise UserError(f"{what} cannot be read: {error.strerror}") from None
    if not named:
        raise UserError(f"{what} is no list of feeds (OPML); name such a list, or the address of a feed")
    return [each.url for each in named]
