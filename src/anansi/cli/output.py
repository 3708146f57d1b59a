"""Printing: tables for people, JSON for programs."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anansi.crawl.report import words as telling

WIDE = 100_000
"""Characters of a line that goes to a program."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """Return where to print: what stands between colons in an address is no picture."""
    return Console(stderr=stderr, width=width, highlight=False, emoji=False)


def visible(text: str) -> str:
    """Write control characters as one can see them: pages of others may hold some that a terminal obeys."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def say(text: str) -> None:
    """Print a line for people."""
    console().print(visible(text), markup=False, soft_wrap=True)


def report(text: str) -> None:
    """Print on standard error how far something is; standard output may go to a program."""
    console(stderr=True).print(visible(text), markup=False, soft_wrap=True)


def complain(text: str) -> None:
    """Print an error."""
    console(stderr=True).print(f"anansi: {visible(text)}", markup=False, soft_wrap=True, style="red")


def warn(text: str) -> None:
    """Print what may be a mistake and stops nothing."""
    words = f"anansi: warning: {visible(text)}"
    console(stderr=True).print(words, markup=False, soft_wrap=True, style="yellow")


def as_json(value: Any) -> None:
    """Print a value as one line of JSON, at once: a program may wait for it."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def table(headings: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a table for people; numbers stand right."""
    lines = [list(row) for row in rows]
    shown = Table(box=None, pad_edge=False)
    for number, heading in enumerate(headings):
        right = all(isinstance(row[number], int | float) for row in lines)
        shown.add_column(heading, justify="right" if right else "left", overflow="fold")
    for row in lines:
        shown.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else visible(str(cell))) for cell in row))
    # a program reads it: no address is broken
    console(width=None if console().is_terminal else WIDE).print(shown)


def summary_lines(summary: dict[str, Any]) -> None:
    """Print how a crawl stands: its numbers, what was kept, what is missing and what to do."""
    gaps = sum(gap["count"] for gap in summary.get("gaps", {}).values())
    with_gaps = f", with gaps ({gaps:,})" if gaps and summary["state"] == "finished" else ""
    say(
        f"{summary['state']}{with_gaps}: {summary['requests']:,} requests, {summary['pages']:,} pages, "
        f"{summary['bytes']:,} bytes in {summary['seconds']:.1f} s ({summary['pages_per_second']:.1f} pages/s)"
    )
    _headed(telling.content_lines(summary))
    statuses = ", ".join(f"{code}: {count:,}" for code, count in summary["statuses"].items())
    faults = ", ".join(f"{name}: {count:,}" for name, count in summary["faults"].items())
    reasons = ", ".join(f"{reason}: {count:,}" for reason, count in summary["skipped"].items())
    if parts := summary.get("requisites"):
        say(f"requisites {parts:,} of these requests, for images, styles, scripts and fonts that pages show")
    say(f"answers    {statuses or 'none'}")
    if faults:
        say(f"faults     {faults}")
    say(f"skipped    {sum(summary['skipped'].values()):,}" + (f" ({reasons})" if reasons else ""))
    say(f"queued     {summary['queued']:,}   retries {summary['retries']:,}   duplicates {summary['duplicates']:,}")
    content_lines(summary.get("complete", {}))
    _headed(telling.missing_lines(summary))
    _headed(("now", telling.doing(each, time.time())) for each in summary.get("now", []))


def _headed(lines: Iterable[tuple[str, str]]) -> None:
    for heading, line in lines:
        say(f"{heading:<10} {line}")


def _many(count: int, noun: str, one: str, several: str) -> str:
    return f"{telling.counted(count, noun)} {one if count == 1 else several}"


def content_lines(complete: dict[str, Any], shown: int = 3) -> None:
    """Say what sites state that they hold, against what was kept of it."""
    for level, kinds in complete.get("levels", {}).items():
        for kind, each in kinds.items():
            kept = f"{each['kept']:,} of {each['stated']:,} {kind}s"
            short, grown = each.get("short", 0) if level != "site" else 0, each.get("grown", 0)
            of = f"the {level} states" if level == "site" else _many(each["of"], level, "states", "state")
            less = f"; {_many(short, level, 'is', 'are')} short" if short else ""
            more = f"; {_many(grown, level, 'has', 'have')} grown since" if grown else ""
            say(f"complete   {kept} that {of}{less}{more}")
    for each in complete.get("worst", [])[:shown]:
        say(f"short      {each['kept']:,} of {each['stated']:,} {each['kind']}s: {each['of']}")
