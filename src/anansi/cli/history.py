"""`anansi history`: when a page was captured, and what changed on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from anansi.archive.captures import Captured, near
from anansi.archive.difference import Passage
from anansi.archive.history import Edit, History, Revision, Version, history
from anansi.archive.layout import Collection
from anansi.cli.output import Json, as_json, console, say, table, visible
from anansi.errors import UserError
from anansi.model import WebObject
from anansi.url import resolve

SHOWN: Final = 120
"""Characters of an object that came or went."""

_URL = "The URL of a page, or the URI of an object (`anansi objects` has them)."
_FOLDER = "A collection."
_DIFF = "Show what changed from version to version, word by word."
_STYLES: Final = {"same": "", "gone": "red strike", "new": "green"}
_MARKS: Final = {"same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=_FOLDER)],
    url: Annotated[str, typer.Argument(metavar="URL", help=_URL)],
    diff: Annotated[bool, typer.Option("--diff", help=_DIFF)] = False,
    json: Json = False,
) -> None:
    """List the captures of a page and the versions of what stands on it, with when each was first and last seen.

    A capture that shows the objects of an earlier one is unchanged, whatever its bytes are.
    """
    collection = Collection(folder)
    collection.require()
    found = history(collection, _address(url))
    if not found.captures and not found.versions:
        raise UserError(_unknown(collection, url))
    if json:
        as_json(_plain(found))
    else:
        _print(found, diff=diff)


def _address(url: str) -> str:
    """Return the URL as it was crawled; the fragment of an object stays."""
    page, cut, fragment = url.partition("#")
    link = resolve(page) if "://" in page else resolve(f"http://{page}")
    if link is None:
        raise UserError(f"{url} is no address; give the URL of a page, as `https://example.org/page`")
    return link + cut + fragment


def _unknown(collection: Collection, url: str) -> str:
    others = near(collection, _address(url).partition("#")[0])
    if not others:
        return f"{collection.root} holds no captures yet; `anansi crawl {url} -o {collection.root}` makes some"
    listed = "".join(f"\n  {each}" for each in others)
    return f"{url} was never captured in {collection.root}; these were, and begin alike:{listed}"


# ── for people ───────────────────────────────────────────────────────────────────────────────────────────────────


def _print(found: History, *, diff: bool) -> None:
    say(found.url)
    say(f"{len(found.captures):,} captures, {len(found.versions):,} versions of what stands there")
    say("")
    table(
        ("captured", "status", "what"),
        [(each.date, each.status or "-", _what(found, each)) for each in found.captures],
    )
    if not found.versions:
        say("")
        say("no objects were found there: nothing is known of the site's type, and no feed tells of the page")
        return
    for version in found.versions:
        say("")
        say(f"version {version.number}: first seen {_date(version.first)}, last seen {_date(version.last)}")
        say(f"  {_kinds(version.objects)}")
        _tell(version.revision, diff=diff)
    if len(found.versions) > 1 and not diff:
        say("")
        say("(--diff shows the words)")


def _what(found: History, capture: Captured) -> str:
    version = found.version_at(capture)
    if version is None:
        return "the same bytes" if capture.revisit else ""
    return f"version {version.number}" if found.begins(capture) else "unchanged"


def _tell(revision: Revision, *, diff: bool) -> None:
    for sign, objects in (("added", revision.added), ("removed", revision.removed)):
        for each in objects:
            say(f"  {sign}    {each.kind} {each.uri}")
            if diff:
                _show([("new" if sign == "added" else "gone", _words(each))])
    for each, edits in revision.edited:
        say(f"  changed  {each.kind} {each.uri}: {', '.join(edit.name for edit in edits)}")
        for edit in edits if diff else ():
            _show(edit.passages, edit.name)


def _show(passages: Iterable[Passage], name: str = "") -> None:
    """Print a difference: coloured on a terminal, with marks elsewhere."""
    shown = console()
    line = Text(f"    {name}: " if name else "    ")
    for sign, words in passages:
        begin, end = ("", "") if shown.is_terminal and not shown.no_color else _MARKS[sign]
        line.append(f"{begin}{visible(words)}{end}", style=_STYLES[sign])
        line.append(" ")
    shown.print(line, soft_wrap=True)


def _words(each: WebObject) -> str:
    by = each.get("author")
    text = " ".join((each.get("text") or each.get("title")).split())
    shown = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return f"{by}: {shown}" if by else shown


def _kinds(objects: Iterable[WebObject]) -> str:
    return ", ".join(
        f"{count:,} {kind}{'s' if count > 1 else ''}" for kind, count in Counter(e.kind for e in objects).items()
    )


def _date(at: str) -> str:
    return f"{at[:4]}-{at[4:6]}-{at[6:8]} {at[8:10]}:{at[10:12]}:{at[12:14]}"


# ── for programs ─────────────────────────────────────────────────────────────────────────────────────────────────


def _plain(found: History) -> dict[str, Any]:
    return {
        "url": found.url,
        "captures": [_capture(found, each) for each in found.captures],
        "versions": [_version(each) for each in found.versions],
    }


def _capture(found: History, each: Captured) -> dict[str, Any]:
    version = found.version_at(each)
    return {
        "url": each.url,
        "captured": each.date,
        "status": each.status,
        "same_bytes": each.revisit,
        "file": each.filename,
        "offset": each.offset,
        "version": version.number if version is not None else None,
        "changed": found.begins(each),
    }


def _version(each: Version) -> dict[str, Any]:
    return {
        "version": each.number,
        "first": _date(each.first),
        "last": _date(each.last),
        "captures": each.captures,
        "objects": [_object(one) for one in each.objects],
        "added": [one.uri for one in each.revision.added],
        "removed": [one.uri for one in each.revision.removed],
        "changed": [
            {"uri": one.uri, "kind": one.kind, "properties": [_edit(edit) for edit in edits]}
            for one, edits in each.revision.edited
        ],
    }


def _object(each: WebObject) -> dict[str, Any]:
    said: dict[str, list[str]] = {}
    for name, value in each.properties:
        said.setdefault(name, []).append(value.text)
    return {"uri": each.uri, "type": each.kind, "part_of": each.part_of or None, **said}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"name": edit.name, "before": list(edit.before), "after": list(edit.after)}
