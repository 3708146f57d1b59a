"""`anansi kb learned`, `promote` and `forget`: what a collection learned, with its evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from anansi.archive import learned as lessons
from anansi.archive.layout import Collection
from anansi.archive.learned import Learned
from anansi.cli.output import Json, as_json, say
from anansi.errors import UserError
from anansi.knowledge import shelf
from anansi.knowledge.entry import Type

_DIR = "The collection."
_RULE = "The name of a rule, or its beginning, as `anansi kb learned` shows it."
_TO = "A folder of entries, or the file of one; by default the entries of the person who crawls."

Folder = Annotated[Path, typer.Argument(metavar="DIR", help=_DIR, show_default=False)]
RuleName = Annotated[str, typer.Argument(metavar="RULE", help=_RULE, show_default=False)]
Target = Annotated[Path | None, typer.Option("--to", metavar="FILE_OR_DIR", help=_TO, show_default=False)]


def learned(directory: Folder, json: Json = False) -> None:
    """List what a collection learned: mended rules with their evidence, and sites that no entry describes."""
    collection = _collection(directory)
    found, sites = lessons.rules(collection), lessons.entries(collection)
    if json:
        as_json([*map(_told, found), *(_told_of_site(path, entry) for path, entry in sites)])
        return
    if not found and not sites:
        say(f"{directory}: nothing was learned")
    for each in found:
        _say(each)
    for path, entry in sites:
        _say_site(path, entry)


def promote(directory: Folder, rule: RuleName, to: Target = None, json: Json = False) -> None:
    """Put a rule that a collection learned where every later crawl finds it."""
    found = lessons.find(_collection(directory), rule)
    path = lessons.promote(found, to if to is not None else shelf.personal())
    if json:
        as_json({**_told(found), "file": str(path)})
    else:
        say(f"{found.evidence.rule} is now in {path}")


def forget(directory: Folder, rule: RuleName, json: Json = False) -> None:
    """Undo what a collection learned: take one rule out."""
    collection = _collection(directory)
    if collection.locked:
        raise UserError(f"{directory} is being crawled; stop the crawl first, for it goes by the rule until it ends")
    found = lessons.find(collection, rule)
    lessons.forget(collection, found)
    if json:
        as_json(_told(found))
    else:
        say(f"{found.evidence.rule} is forgotten")


def _collection(directory: Path) -> Collection:
    collection = Collection(directory)
    collection.require()
    return collection


def _told(each: Learned) -> dict[str, Any]:
    said = each.evidence
    return {
        "rule": said.rule,
        "type": each.entry.id,
        "action": said.action,
        "how": said.how,
        "mends": said.mends,
        "when": said.when,
        "pages": list(said.pages),
        "values": list(said.values),
        "file": str(each.path),
    }


def _told_of_site(path: Path, entry: Type) -> dict[str, Any]:
    ways = [str(each.pattern) for known in entry.learned for each in known.follows]
    objects = {level.name: [each.object for each in level.extraction] for level in entry.levels if level.extraction}
    return {"type": entry.id, "how": "the site's own pages", "ways": ways, "objects": objects, "file": str(path)}


def _say_site(path: Path, entry: Type) -> None:
    told = _told_of_site(path, entry)
    say(f"{entry.id}  {len(told['ways'])} ways to content, from {sum(each.pages for each in entry.learned):,} pages")
    for level, kinds in told["objects"].items():
        say(f"          takes {', '.join(dict.fromkeys(kinds))} from pages of the level {level}")
    if not told["objects"]:
        say("          no objects: where they stand on its pages was not found")
    say(f"          in {path}")


def _say(each: Learned) -> None:
    said = each.evidence
    say(f"{said.rule}  {each.entry.id}  {said.action}")
    say(f"          {said.how}, {said.when}, held on {len(said.pages)} pages")
    if said.mends:
        say(f"          mends {said.mends}")
    for page in said.pages[:3]:
        say(f"          at {page}")
    for value in said.values[:3]:
        say(f"          found {value}")
