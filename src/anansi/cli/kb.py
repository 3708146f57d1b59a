"""`anansi kb`: what is known about Web applications."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from anansi.cli import discover, learned
from anansi.cli.knowledge import Knowledge, catalogue_of
from anansi.cli.output import Json, as_json, say, table
from anansi.errors import AnansiError, KnowledgeError, UserError
from anansi.inspection import story
from anansi.inspection.look import Inspector
from anansi.knowledge import catalogue as types
from anansi.knowledge import shelf, writing
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Extraction, Level, Type

app = typer.Typer(
    help="Look into the knowledge base, check entries, and test them.", no_args_is_help=True, rich_markup_mode=None
)

app.command("learned")(learned.learned)
app.command("promote")(learned.promote)
app.command("forget")(learned.forget)
app.command("discover")(discover.command)

_TYPE = "A type, such as forum/phpbb."
_ENTRIES = "Entries, or folders of them; by default the built-in ones."
_TESTED = "An entry, or a folder of entries, with a folder `pages` beside or in it; or such a folder of pages."
_PAGES = "Where the pages are, if not in `pages`."

Name = Annotated[str, typer.Argument(metavar="TYPE", help=_TYPE, show_default=False)]
Entries = Annotated[list[Path] | None, typer.Argument(metavar="FILE_OR_DIR…", help=_ENTRIES, show_default=False)]
Tested = Annotated[Path, typer.Argument(metavar="FILE_OR_DIR", help=_TESTED, show_default=False)]
Pages = Annotated[Path | None, typer.Option("--pages", metavar="DIR", help=_PAGES, show_default=False)]


@app.command("list")
def list_types(knowledge: Knowledge = None, json: Json = False) -> None:
    """List the types that are known."""
    known = catalogue_of(knowledge)
    if json:
        as_json([_summary(known, name) for name in sorted(known.types)])
        return
    rows = [
        (each["type"], each["title"], each["patterns"], ", ".join(each["levels"]), ", ".join(each["objects"]))
        for each in (_summary(known, name) for name in sorted(known.types))
    ]
    table(("type", "title", "patterns", "levels", "objects"), rows)


def _summary(known: Catalogue, name: str) -> dict[str, Any]:
    entry = known[name]
    objects = dict.fromkeys(each.object for level in entry.levels for each in level.extraction)
    return {
        "type": entry.id,
        "title": entry.title,
        "about": entry.about,
        "patterns": len(entry.detection),
        "levels": [level.name for level in entry.levels],
        "objects": list(objects),
    }


# ── show ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("show")
def show(name: Name, knowledge: Knowledge = None, json: Json = False) -> None:
    """Show what an entry says, with what it inherits: in words, then as XML."""
    known = catalogue_of(knowledge)
    entry = known.types.get(name)
    if entry is None:
        near = ", ".join(sorted(each for each in known.types if name.rpartition("/")[2] in each)[:5])
        raise UserError(
            f"there is no type `{name}`; " + (f"did you mean {near}?" if near else "see `anansi kb list`")
        )
    xml = writing.write(entry).decode()
    if json:
        as_json({**_summary(known, name), "source": entry.source, "xml": xml})
    else:
        _show(entry)
        say(xml.rstrip())


def _show(entry: Type) -> None:
    say(f"{entry.id}: {entry.title}")
    say(entry.about)
    _section("detected by", [f"{each}  ({each.seen})" if each.seen else str(each) for each in entry.detection])
    _section("not followed", dict.fromkeys(row.skip for row in entry.addresses if row.skip))
    _section("followed on every page", map(str, entry.navigation))
    for level in entry.levels:
        _show_level(entry, level)
    _section("shortcuts", map(str, entry.shortcuts))
    for known in entry.learned:
        ways = [f"{each.pages:,} pages, {each.items:,} 2-grams: {each.pattern}" for each in known.follows]
        _section(f"learned at {known.site}, from {known.pages:,} pages", ways)
    say("")


def _show_level(entry: Type, level: Level) -> None:
    addresses = sum(row.leads == level.name for row in entry.addresses)
    lines = [f"detected by {each}" for each in level.detection]
    lines += [f"known by {addresses} rows of addresses"] if addresses else []
    lines += [f"follows {each}" for each in level.navigation]
    lines += [f"takes {each.object}: {', '.join(each.names)}{_sure(each)}" for each in level.extraction]
    _section(f"level {level.name} ({level.kind})", lines)


def _sure(action: Extraction) -> str:
    return f"  (learned, confidence {action.confidence:.2f})" if action.confidence < 1 else ""


def _section(title: str, lines: Iterable[str]) -> None:
    shown = list(lines)
    if shown or title.startswith("level"):
        say(f"\n{title}")
        for line in shown:
            say(f"  {line}")


# ── check ────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("check")
def check(paths: Entries = None, json: Json = False) -> None:
    """Check entries: every problem is told with its file, its line and what to do; exit code 2 when there is one."""
    entries, problems = _read(paths) if paths else _read_files(shelf.built_in_files())
    count = len(entries)
    if paths:
        own = {entry.id for entry in entries}
        entries = [*(entry for entry in shelf.built_in() if entry.id not in own), *entries]
    problems += types.problems(entries)
    if json:
        as_json({"ok": not problems, "entries": count, "problems": problems})
    else:
        for problem in problems:
            say(problem)
        verdict = f"{len(problems):,} problem{'s' if len(problems) > 1 else ''}" if problems else "no problems"
        say(f"{count:,} entr{'y' if count == 1 else 'ies'}: {verdict}")
    raise typer.Exit(2 if problems else 0)


def _read(paths: list[Path]) -> tuple[list[Type], list[str]]:
    files: list[Path] = []
    for path in paths:
        found = shelf.files(path) if path.is_dir() else [path]
        if not found:
            raise UserError(f"{path} holds no entries (*.xml)")
        files += found
    return _read_files(files)


def _read_files(files: Iterable[Path]) -> tuple[list[Type], list[str]]:
    entries, problems = [], []
    for path in files:
        try:
            entries.append(shelf.in_file(path))
        except KnowledgeError as error:
            problems += str(error).splitlines()
    return entries, problems


# ── test ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("test")
def test(path: Tested, pages: Pages = None, json: Json = False) -> None:
    """Test entries on pages: is each what the file beside it expects? Exit code 2 when one is not.

    A page is `TYPE/NAME.html` (dots for the slashes of TYPE); `NAME.yaml` has its url, level, links and objects.
    """
    own, folder = _tested(path, pages)
    replaced = {entry.id for entry in own}
    entries = [*(entry for entry in shelf.built_in() if entry.id not in replaced), *own]
    inspector = Inspector(Catalogue(entries))
    found = story.pages(folder)
    if path.is_file():
        found = [page for page in found if story.type_of(page) == own[0].id.replace(".", "/")]
    if not found:
        raise UserError(f"{folder} holds no pages; a page is {folder}/TYPE/NAME.html, with NAME.yaml beside it")
    told = {page: _tested_on(inspector, page) for page in found}
    wrong = {page: differences for page, differences in told.items() if differences}
    if json:
        as_json({"ok": not wrong, "pages": len(found), "wrong": {str(page): each for page, each in wrong.items()}})
    else:
        for page, differences in wrong.items():
            say("\n  ".join([str(page), *differences]))
        verdict = f"{len(wrong):,} not as expected" if wrong else "all as expected"
        say(f"{len(found):,} page{'s' if len(found) > 1 else ''}: {verdict}")
    raise typer.Exit(2 if wrong else 0)


def _tested(path: Path, pages: Path | None) -> tuple[list[Type], Path]:
    """Return the entries to test and the folder of their pages."""
    if path.is_file():
        own, folder = [shelf.in_file(path)], path.parent / "pages"
    elif path.is_dir():
        own = list(shelf.in_folder(path))
        folder = path / "pages" if (path / "pages").is_dir() else path
    else:
        raise UserError(f"{path}: no such file or folder; name an entry or a folder of entries")
    chosen = pages or folder
    if not chosen.is_dir():
        raise UserError(f"{chosen} is not a folder; put the pages there, or name their folder with `--pages`")
    return own, chosen


def _tested_on(inspector: Inspector, page: Path) -> list[str]:
    try:
        told, document = story.read(page)
    except AnansiError as error:
        return [str(error)]
    return story.differences(story.type_of(page), told, inspector.look(document, story.NOW))
