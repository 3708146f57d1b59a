"""`anansi crawl`: from seeds to an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from anansi import config
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, summary_lines
from anansi.config import Definition, check_patterns, load
from anansi.errors import UserError
from anansi.frontier import politeness
from anansi.workers.run import Result, check_seeds
from anansi.workers.run import crawl as run_crawl

Scope = Literal["page", "prefix", "host", "domain", "custom"]
Strategy = Literal["auto", "blind"]
Robots = Literal["obey", "ignore"]


def _help(section: type[msgspec.Struct], name: str) -> str:
    """Take an option's help from the setting it sets."""
    return config.about(section, name)


def command(
    seeds: Annotated[
        list[str] | None, typer.Argument(metavar="SEED…", help="Where to begin.", show_default=False)
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="DIR", help="The collection: the folder that the crawl writes, or resumes."
        ),
    ] = Path("collection"),
    config_file: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="A definition (crawl.yaml); options given here win."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help=_help(Definition, "workers"))] = None,
    delay: Annotated[
        float | None,
        typer.Option(min=0, metavar="S", help="A fixed wait between requests to a site instead of the adaptive one."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="PAGES", help=_help(config.Scope, "limit"))] = None,
    max_hops: Annotated[int | None, typer.Option(min=0, help=_help(config.Scope, "max_hops"))] = None,
    scope: Annotated[Scope | None, typer.Option(help=_help(config.Scope, "kind"))] = None,
    include: Annotated[list[str] | None, typer.Option(metavar="REGEX", help=_help(config.Scope, "include"))] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="REGEX", help=_help(config.Scope, "exclude"))] = None,
    requisites: Annotated[
        bool | None, typer.Option("--requisites/--no-requisites", help=_help(config.Scope, "requisites"))
    ] = None,
    user_agent: Annotated[str | None, typer.Option(help=_help(config.Fetch, "user_agent"))] = None,
    operator: Annotated[str | None, typer.Option(metavar="NAME", help=_help(config.Archive, "operator"))] = None,
    contact: Annotated[
        str | None, typer.Option(metavar="EMAIL_OR_URL", help=_help(config.Archive, "contact"))
    ] = None,
    robots: Annotated[Robots | None, typer.Option(help=_help(config.Politeness, "robots"))] = None,
    resolve: Annotated[
        list[str] | None, typer.Option(metavar="HOST:PORT:ADDR", help=_help(config.Fetch, "resolve"))
    ] = None,
    strategy: Annotated[Strategy | None, typer.Option(help=_help(Definition, "strategy"))] = None,
    recrawl: Annotated[
        bool, typer.Option("--recrawl", help="Visit everything anew, asking only for what has changed.")
    ] = False,
    json: Json = False,
) -> None:
    """Crawl SEED… into the collection DIR; on a DIR that has been crawled before, go on where it stopped.

    The first Ctrl-C finishes the pages under way and writes the reports; a second one stops at once.
    Either way nothing is lost: the same command goes on.
    """
    collection = Collection(output)
    definition = _definition(collection, config_file, seeds or [])
    chosen: dict[str, dict[str, Any]] = {
        "": {"workers": workers, "strategy": strategy},
        "scope": {
            "limit": limit,
            "max_hops": max_hops,
            "kind": scope,
            "include": include or None,
            "exclude": exclude or None,
            "requisites": requisites,
        },
        "politeness": {"robots": robots},
        "fetch": {"user_agent": user_agent, "resolve": resolve or None},
        "archive": {"operator": operator, "contact": contact},
    }
    definition = _with(definition, chosen)
    if delay is not None:
        fixed = politeness.fixed(delay, definition.politeness)
        changed = msgspec.structs.replace(definition.politeness, **fixed)
        definition = msgspec.structs.replace(definition, politeness=changed)
    check_patterns(definition, "command line")
    result = run_crawl(definition, collection, recrawl=recrawl, quiet=json)
    _print(result, collection, json=json)
    raise typer.Exit(result.exit_code)


def _definition(collection: Collection, config_file: Path | None, seeds: list[str]) -> Definition:
    """Start from the file that is named, else from what the collection was crawled by, else from the defaults."""
    if config_file is not None:
        definition = load(config_file)
    elif collection.definition.exists():
        definition = load(collection.definition)
    else:
        definition = Definition()
    return msgspec.structs.replace(definition, seeds=list(dict.fromkeys([*definition.seeds, *check_seeds(seeds)])))


def _with(definition: Definition, chosen: dict[str, dict[str, Any]]) -> Definition:
    """Put the options that were given over the definition, with the same checks as for a file."""
    plain = msgspec.to_builtins(definition)
    for section, options in chosen.items():
        target = plain[section] if section else plain
        target.update({name: value for name, value in options.items() if value is not None})
    try:
        return msgspec.convert(plain, Definition)
    except msgspec.ValidationError as error:
        raise UserError(f"command line: {error}") from None


def _print(result: Result, collection: Collection, *, json: bool) -> None:
    if json:
        as_json(result.summary)
        return
    summary_lines(result.summary)
    say(f"kept in    {collection.root}  (anansi status, anansi check, anansi pack)")
    if result.ended in ("limit", "interrupted"):
        say("to go on   run the same command again" + (" with a larger --limit" if result.ended == "limit" else ""))
