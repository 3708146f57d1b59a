"""`anansi kb discover`: which of the sites that were learned are made by the same software?"""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, say, table
from anansi.errors import KnowledgeError, UserError
from anansi.evaluate.trees import pages_in
from anansi.knowledge import catalogue, notation, shelf, writing
from anansi.knowledge.entry import Type
from anansi.knowledge.xpath import Expression, compiled
from anansi.learn.discovery import Discovered, Holds, by_rules, discover
from anansi.learn.lesson import CATEGORY
from anansi.learn.likeness import ALIKE, features, likenesses

SITES: Final = 300
"""Sites that are compared, all with all."""
PAGES: Final = 100
"""Pages of a site on which patterns are tried."""

_SITES = "Collections that were learned, folders of learned entries, or entries."
_NAME = "The id of the type to draft, such as forum/some-software."
_TO = "Where drafts go: a file for one, a folder for several; without it nothing is written."

Sites = Annotated[list[Path], typer.Argument(metavar="DIR…", help=_SITES, show_default=False)]
Name = Annotated[str, typer.Option("--name", metavar="TYPE", help=_NAME)]
Into = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE_OR_DIR", help=_TO, show_default=False)]


def command(sites: Sites, name: Name = f"{CATEGORY}/alike", output: Into = None, json: Json = False) -> None:
    """Put learned sites together that are built alike; draft an entry for each group, to be named and corrected."""
    found = _learned(sites)
    entries = [entry for entry, _ in found.values()]
    drafts = discover(entries, name, _holds(found))
    for each in drafts:
        _check(each.entry)
    files = _written(drafts, output) if output is not None and drafts else []
    if json:
        as_json(_plain(entries, drafts, files))
    else:
        _print(entries, drafts, files)


def _learned(paths: list[Path]) -> dict[str, tuple[Type, Path | None]]:
    """Return the learned entries of folders, each with the collection that it was learned at, if it is there."""
    found: dict[str, tuple[Type, Path | None]] = {}
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: no such file or folder; name collections, folders of entries, or entries")
        collection = Collection(path) if path.is_dir() and Collection(path).exists() else None
        folder = collection.knowledge if collection is not None else path
        files = [path] if path.is_file() else shelf.files(folder) if folder.is_dir() else []
        entries = [
            entry for entry in map(shelf.in_file, files) if entry.category == CATEGORY and entry.id != CATEGORY
        ]
        if not entries:
            cure = "learn it first with `anansi learn`" if collection is not None else "name a folder that holds some"
            raise UserError(f"{path} holds no learned site (an entry `{CATEGORY}/…`); {cure}")
        for entry in entries:
            found.setdefault(entry.id, (entry, path if collection is not None else None))
    if len(found) > SITES:
        raise UserError(f"{len(found):,} learned sites are too many to compare; name {SITES} at the most")
    return found


def _holds(found: dict[str, tuple[Type, Path | None]]) -> Holds:
    """Return what says on which share of a site's pages an expression finds something; by its rules without pages."""
    told = by_rules(entry for entry, _ in found.values())

    @cache
    def trees(site: str) -> list[Any]:
        path = found[site][1]
        return [page.tree for page in islice(pages_in(Collection(path).warcs()), PAGES)] if path is not None else []

    def share(site: str, expression: Expression) -> float:
        search = compiled(expression)
        pages = trees(site)
        return sum(bool(search(tree)) for tree in pages) / len(pages) if pages else told(site, expression)

    return share


def _check(entry: Type) -> None:
    """Refuse a draft that nobody could read."""
    read = notation.read(writing.write(entry), f"the draft {entry.id}")
    if problems := catalogue.problems([*shelf.built_in(), read]):
        raise KnowledgeError("\n".join(problems))


def _written(drafts: list[Discovered], output: Path) -> list[Path]:
    single = output.suffix == ".xml"
    if single and len(drafts) > 1:
        raise UserError(f"{len(drafts)} types were found and {output} is one file; name a folder")
    if not single and output.exists() and not output.is_dir():
        raise UserError(f"{output} is a file; name a folder, or a file that ends in .xml")
    paths = []
    for each in drafts:
        path = output if single else output / f"{each.entry.id}.xml"
        with guarded(path), replacing(path) as target:
            target.write_bytes(writing.write(each.entry))
        paths.append(path)
    return paths


def _plain(entries: list[Type], drafts: list[Discovered], files: list[Path]) -> dict[str, Any]:
    alike = likenesses({entry.id: features(entry) for entry in entries})
    return {
        "sites": [entry.id for entry in entries],
        "threshold": ALIKE,
        "likeness": [{"of": list(pair), "alike": round(value, 3)} for pair, value in alike.items()],
        "types": [
            {
                "type": each.entry.id,
                "sites": list(each.sites),
                "alike": round(each.alike, 3),
                "levels": [level.name for level in each.entry.levels],
                "file": str(files[number]) if files else None,
                "xml": writing.write(each.entry).decode(),
            }
            for number, each in enumerate(drafts)
        ],
    }


def _print(entries: list[Type], drafts: list[Discovered], files: list[Path]) -> None:
    alike = likenesses({entry.id: features(entry) for entry in entries})
    if len(entries) < 2:
        say(f"one site was learned ({entries[0].title}); two are needed to find what they have in common")
        return
    most = max(alike.values())
    if not drafts:
        say(f"{len(entries)} sites, no two of one template: the most alike are so by {most:.2f}, {ALIKE} is needed")
        return
    rows = [(each.entry.id, ", ".join(each.sites), f"{each.alike:.2f}", *_about(each.entry)) for each in drafts]
    table(("type", "sites", "alike by", "patterns", "levels", "objects"), rows)
    for path in files:
        say(f"draft      {path}  (name and correct it, then `anansi kb check {path}`)")
    if not files:
        say("nothing was written; `-o FILE_OR_DIR` writes the drafts, `--name TYPE` names them")


def _about(entry: Type) -> tuple[int, str, str]:
    objects = dict.fromkeys(action.object for level in entry.levels for action in level.extraction)
    return len(entry.detection), ", ".join(level.name for level in entry.levels), ", ".join(objects)
