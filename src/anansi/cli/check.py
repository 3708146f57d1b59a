"""`anansi check`: is the collection sound?"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from anansi.archive.check import Report
from anansi.archive.completeness import Completeness, completeness
from anansi.archive.layout import Collection
from anansi.archive.repair import Repair
from anansi.cli.output import Json, as_json, content_lines, say
from anansi.crawl.restore.restore import Restored, restore
from anansi.crawl.restore.soundness import check as check_collection
from anansi.errors import UserError

SHOWN = 50
SHORT = 100_000
"""Of what is short, how much `--json` lists."""
SHORT_CODE = 20

_CONTENT = "Instead of records: are the posts, threads and comments there that the sites state?"

_REPAIR = "Mend what can be mended; what is gone from the archive is fetched again by the next crawl."


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    repair: Annotated[bool, typer.Option("--repair", help=_REPAIR)] = False,
    content: Annotated[bool, typer.Option("--content", help=_CONTENT)] = False,
    json: Json = False,
) -> None:
    """Check every record and every list of a collection, and whether archive, logs and frontier agree.

    Exit code 4 when something is wrong, or waits to be fetched again. With --content, hold what was kept against what
    the sites themselves state; exit code 20 when something is short.
    """
    collection = Collection(folder)
    collection.require()
    if content:
        raise typer.Exit(_check_content(collection, repair=repair, json=json))
    done = Restored()
    if repair:
        with collection.lock():
            done = restore(collection)
    report = check_collection(collection)
    if json:
        as_json({"ok": report.ok, **dataclasses.asdict(report), **_done(done)})
    else:
        _print_done(done)
        _print(report)
    raise typer.Exit(0 if report.ok else 4)


def _done(done: Restored) -> dict[str, Any]:
    """Say for programs what a repair did."""
    return {
        "mended": [dataclasses.asdict(each) for each in done.mended],
        "rebuilt": done.rebuilt,
        "due_again": done.reconciled.due,
        "logged": done.reconciled.logged,
        "restored": list(done.restored),
    }


def _print_done(done: Restored) -> None:
    for each in done.mended:
        say(f"mended     {_in_words(each)}")
    for words in done.restored:
        say(f"restored   {words}")
    if done.rebuilt is not None:
        say(f"rebuilt    the frontier from {done.rebuilt:,} archived pages")
    if done.reconciled.logged:
        say(f"logged     {done.reconciled.logged:,} captures that crawl.log did not tell of")
    if done.reconciled.due:
        say(f"due again  {done.reconciled.words}")


def _print(report: Report) -> None:
    for problem in report.problems[:SHOWN]:
        say(f"{problem.file} at {problem.offset}: {problem.what}\n           {problem.cure}")
    if report.problem_count > SHOWN:
        say(f"… and {report.problem_count - SHOWN:,} more (--json lists up to {len(report.problems):,})")
    for note in report.notes:
        say(f"note       {note}")
    if report.lost:
        say(f"lost       {report.lost:,} captures, earlier (reports/lost.jsonl)")
    say(f"{report.records:,} records in {report.files:,} WARC files: {_verdict(report)}")


def _verdict(report: Report) -> str:
    parts = []
    if report.problem_count:
        parts.append(f"{report.problem_count:,} problems; `anansi check DIR --repair` mends what can be mended")
    if report.due:
        parts.append(
            f"{report.due:,} URLs whose captures were lost are due again; `anansi crawl -o DIR` fetches them"
        )
    if report.gone:
        parts.append(f"{report.gone:,} URLs whose captures were lost could not be fetched again")
    return "; ".join(parts if not report.ok else ["sound", *parts])


def _in_words(mended: Repair) -> str:
    kept = f"{mended.captures:,} captures kept" if mended.kept else "removed, for it held no record"
    torn = f", {mended.torn:,} damaged bytes moved to {mended.saved}" if mended.torn else ""
    return f"{mended.file}: {kept}{torn}"


def _check_content(collection: Collection, *, repair: bool, json: bool) -> int:
    if repair:
        raise UserError("--content finds what was not captured, which --repair cannot mend; give one of the two")
    found = completeness(collection, SHORT if json else SHOWN)
    if json:
        sites = {name: tally.row() for name, tally in found.sites.items()}
        as_json({"ok": not found.short, **found.row(), "sites": sites})
    elif found.levels:
        content_lines(found.row(), SHOWN)
        say("complete: all that the sites state was kept" if not found.short else _short(found))
    else:
        say("no page of this collection states how much there is, or it was crawled before such numbers were read")
    return SHORT_CODE if found.short else 0


def _short(found: Completeness) -> str:
    more = f" (the worst {SHOWN} are named; --json lists all)" if found.short > SHOWN else ""
    do = "logs/crawl.log and reports/skipped.jsonl say what became of their pages"
    return f"{found.short:,} threads, boards or sites are short{more}; {do}"
