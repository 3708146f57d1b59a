"""`anansi crawl`: from seeds to an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from anansi import config
from anansi.archive.layout import Collection
from anansi.cli.given import Cookies, Headers, SeedFile, all_seeds, given
from anansi.cli.output import Json, as_json, say, summary_lines, warn
from anansi.config import Definition, load
from anansi.crawl.definition import definition_in, restore
from anansi.crawl.posted import Listen, place_of
from anansi.crawl.run import EXIT_CODES, Result, check_seeds
from anansi.crawl.run import crawl as run_crawl
from anansi.errors import UserError
from anansi.fetch.credentials import Credentials
from anansi.frontier import politeness


def option(section: type[msgspec.Struct], name: str, **more: Any) -> Any:
    """Make the option that sets a setting, with the help that the setting has."""
    return typer.Option(help=config.about(section, name), **more)


_INTO = "The collection: the folder that the crawl writes, or resumes."
_DELAY = "A fixed wait between requests to a site instead of the adaptive one."
_ANEW = "Visit everything anew, asking only for what has changed."
_LISTEN = "Take scored URLs from other processes at this address while the crawl runs (port 0: any)."
_DRY = "Fetch a few dozen pages, say what a crawl would bring and cost, and keep nothing."
_STAY = "With --listen: when nothing is left, wait for URLs instead of ending."

Seeds = Annotated[list[str] | None, typer.Argument(metavar="SEED…", help="Where to begin.", show_default=False)]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help=_INTO)]
File = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A definition (crawl.yaml); options given here win.")
]
Workers = Annotated[int | None, option(Definition, "workers", min=1, max=256)]
Delay = Annotated[float | None, typer.Option(min=0, metavar="S", help=_DELAY)]
Limit = Annotated[int | None, option(config.Scope, "limit", min=1, metavar="PAGES")]
Hops = Annotated[int | None, option(config.Scope, "max_hops", min=0)]
Scope = Annotated[Literal["page", "prefix", "host", "domain", "custom"] | None, option(config.Scope, "kind")]
Include = Annotated[list[str] | None, option(config.Scope, "include", metavar="REGEX")]
Exclude = Annotated[list[str] | None, option(config.Scope, "exclude", metavar="REGEX")]
Requisites = Annotated[
    bool | None, typer.Option("--requisites/--no-requisites", help=config.about(config.Scope, "requisites"))
]
Lists = Annotated[bool | None, typer.Option("--lists/--no-lists", help=config.about(config.Scope, "lists"))]
Agent = Annotated[str | None, option(config.Fetch, "user_agent")]
Operator = Annotated[str | None, option(config.Archive, "operator", metavar="NAME")]
Contact = Annotated[str | None, option(config.Archive, "contact", metavar="EMAIL_OR_URL")]
Robots = Annotated[Literal["obey", "ignore"] | None, option(config.Politeness, "robots")]
Resolve = Annotated[list[str] | None, option(config.Fetch, "resolve", metavar="HOST:PORT:ADDR")]
Strategy = Annotated[Literal["auto", "learn", "patterns", "sample", "blind"] | None, option(Definition, "strategy")]
Chance = Annotated[int | None, option(Definition, "chance", min=0, metavar="NUMBER")]
Recrawl = Annotated[bool, typer.Option("--recrawl", help=_ANEW)]
Place = Annotated[str | None, typer.Option("--listen", metavar="HOST:PORT", help=_LISTEN, show_default=False)]
Stay = Annotated[bool, typer.Option("--stay", help=_STAY)]
Dry = Annotated[bool, typer.Option("--dry-run", help=_DRY)]


def command(
    seeds: Seeds = None,
    seed_file: SeedFile = None,
    output: Output = Path("collection"),
    config_file: File = None,
    workers: Workers = None,
    delay: Delay = None,
    limit: Limit = None,
    max_hops: Hops = None,
    scope: Scope = None,
    include: Include = None,
    exclude: Exclude = None,
    requisites: Requisites = None,
    lists: Lists = None,
    header: Headers = None,
    cookies: Cookies = None,
    user_agent: Agent = None,
    operator: Operator = None,
    contact: Contact = None,
    robots: Robots = None,
    resolve: Resolve = None,
    strategy: Strategy = None,
    chance: Chance = None,
    recrawl: Recrawl = False,
    listen: Place = None,
    stay: Stay = False,
    dry_run: Dry = False,
    json: Json = False,
) -> None:
    """Crawl SEED… into the collection DIR; on a DIR that has been crawled before, go on where it stopped.

    The first Ctrl-C finishes the pages under way and writes the reports; a second one stops at once.
    Either way nothing is lost: the same command goes on.
    """
    collection = Collection(output)
    definition = definition_of(collection, config_file, all_seeds(seeds, seed_file))
    limits = {"limit": limit, "max_hops": max_hops, "kind": scope, "requisites": requisites, "lists": lists}
    waits = politeness.fixed(delay, definition.politeness) if delay is not None else {}
    chosen: dict[str, dict[str, Any]] = {
        "": {"workers": workers, "strategy": strategy, "chance": chance},
        "scope": {**limits, "include": include or None, "exclude": exclude or None},
        "politeness": {"robots": robots, **waits},
        "fetch": {"user_agent": user_agent, "resolve": resolve or None},
        "archive": {"operator": operator, "contact": contact},
    }
    complete = with_options(definition, chosen)
    _warn_of(complete)
    along = given(header, cookies, complete.seeds)
    if dry_run:
        raise typer.Exit(_dry_run(complete, along, json=json))
    place = listening(listen, stay=stay, json=json)
    result = run_crawl(complete, collection, recrawl=recrawl, listen=place, quiet=json, given=along)
    print_result(result, collection, json=json)
    raise typer.Exit(result.exit_code)


def _dry_run(definition: Definition, along: Credentials, *, json: bool) -> int:
    """Try the definition on a few pages; say what would come of the whole."""
    from anansi.cli.dry import print_dry_run  # here, for a crawl needs none of it
    from anansi.crawl.dry_run import dry_run

    if not definition.seeds:
        raise UserError("nothing to try: name at least one seed, as in `anansi crawl https://example.org/ --dry-run`")
    told = dry_run(definition, along)
    if json:
        as_json(told)
    else:
        print_dry_run(told)
    if told["seeds"] and told["ended"] != "interrupted":
        return EXIT_CODES["gaps"]
    return EXIT_CODES[told["ended"]] if told["ended"] in ("interrupted", "failed") else 0


def definition_of(collection: Collection, config_file: Path | None, seeds: list[str]) -> Definition:
    """Start from the file that is named, else from what the collection was crawled by, else from the defaults."""
    if config_file is not None:
        definition = load(config_file)
    else:
        if restored := restore(collection):
            warn(restored)
        definition = definition_in(collection) or Definition()
    return msgspec.structs.replace(definition, seeds=list(dict.fromkeys([*definition.seeds, *check_seeds(seeds)])))


def with_options(definition: Definition, chosen: dict[str, dict[str, Any]]) -> Definition:
    """Put the options that were given over the definition, with the same checks as for a file."""
    plain = msgspec.to_builtins(definition)
    for section, options in chosen.items():
        target = plain[section] if section else plain
        target.update({name: value for name, value in options.items() if value is not None})
    return config.convert(plain, "command line")


def _warn_of(definition: Definition) -> None:
    """Say what few people mean; languages are only loaded where something is looked for."""
    if definition.focus.is_set():
        from anansi.focus.definition import doubts

        for doubt in (*config.doubts(definition), *doubts(definition.focus)):
            warn(doubt)


def listening(place: str | None, *, stay: bool, json: bool) -> Listen | None:
    """Say where to listen, and print that once it is so."""
    if place is None:
        if stay:
            raise UserError("--stay waits for URLs that are posted; say where to listen, too: --listen 127.0.0.1:0")
        return None

    def ready(url: str, name: str) -> None:
        if json:
            as_json({"event": "listening", "url": url, "id": name})
        else:
            say(f"listening  {url}/v1/crawls/{name}/urls  (the token is in state/token, or in ANANSI_TOKEN)")
            sys.stdout.flush()  # it may be a file that someone watches

    host, port = place_of(place)
    return Listen(host, port, stay, ready)


def print_result(result: Result, collection: Collection, *, json: bool) -> None:
    """Say how a crawl ended."""
    if json:
        as_json(result.summary)
        return
    summary_lines(result.summary)
    if result.reconciled is not None and result.reconciled.due:
        say(f"due again  {result.reconciled.words}")
    say(f"kept in    {collection.root}  (anansi status, anansi check, anansi pack)")
    if not result.loaded:
        say("objects    not all of them are in the store yet; the next `anansi query` loads the rest")
    if result.ended in ("limit", "interrupted") or (result.ended == "incomplete" and result.summary["left"]):
        say("to go on   run the same command again" + (" with a larger --limit" if result.ended == "limit" else ""))
