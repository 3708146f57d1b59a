"""`anansi check`: is the archive sound?"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from anansi.archive import index, objects
from anansi.archive.check import Report
from anansi.archive.check import check as check_archive
from anansi.archive.layout import Collection
from anansi.archive.repair import Repair
from anansi.archive.repair import repair as repair_archive
from anansi.cli.output import Json, as_json, say

SHOWN = 50


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A collection.")],
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Mend torn tails, rebuild the indexes and a damaged frontier from the archive."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Check every record of every WARC file and every line of the indexes; exit code 4 when something is wrong."""
    collection = Collection(folder)
    collection.require()
    mended: list[Repair] = []
    rebuilt = None
    if repair:
        with collection.lock():
            mended = repair_archive(collection)
            objects.repair(collection)
            index.rebuild(collection)
            from anansi.workers.rebuild import rebuild_frontier  # here: it doubles the start-up of every command

            rebuilt = rebuild_frontier(collection)
    report = check_archive(collection)
    if json:
        done = {"mended": [dataclasses.asdict(each) for each in mended], "rebuilt": rebuilt}
        as_json({"ok": report.ok, **dataclasses.asdict(report), **done})
    else:
        _print(report, mended, rebuilt)
    raise typer.Exit(0 if report.ok else 4)


def _print(report: Report, mended: list[Repair], rebuilt: int | None) -> None:
    for each in mended:
        say(f"mended     {_in_words(each)}")
    if rebuilt is not None:
        say(f"rebuilt    the frontier from {rebuilt:,} archived pages")
    for problem in report.problems[:SHOWN]:
        say(f"{problem.file} at {problem.offset}: {problem.what}\n           {problem.cure}")
    if report.problem_count > SHOWN:
        say(f"… and {report.problem_count - SHOWN:,} more (--json lists all)")
    problems = f"{report.problem_count:,} problems; `anansi check DIR --repair` mends what can be mended"
    verdict = "sound" if report.ok else problems
    say(f"{report.records:,} records in {report.files:,} WARC files: {verdict}")


def _in_words(mended: Repair) -> str:
    kept = f"{mended.captures:,} captures kept" if mended.captures else "removed, for it held no capture"
    torn = f", {mended.torn:,} torn bytes moved to {mended.saved}" if mended.torn else ""
    return f"{mended.file}: {kept}{torn}"
