"""Printing: tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def say(text: str) -> None:
    """Print a line for people."""
    Console(highlight=False).print(text, markup=False, soft_wrap=True)


def complain(text: str) -> None:
    """Print an error."""
    Console(stderr=True, highlight=False).print(f"anansi: {text}", markup=False, soft_wrap=True, style="red")


def warn(text: str) -> None:
    """Print what may be a mistake and stops nothing."""
    Console(stderr=True, highlight=False).print(
        f"anansi: warning: {text}", markup=False, soft_wrap=True, style="yellow"
    )


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
        shown.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    Console(highlight=False).print(shown)


def summary_lines(summary: dict[str, Any]) -> None:
    """Print the numbers of a crawl."""
    skipped = sum(summary["skipped"].values())
    say(
        f"{summary['state']}: {summary['requests']:,} requests, {summary['pages']:,} pages, "
        f"{summary['bytes']:,} bytes in {summary['seconds']:.1f} s ({summary['pages_per_second']:.1f} pages/s)"
    )
    statuses = ", ".join(f"{code}: {count:,}" for code, count in summary["statuses"].items())
    faults = ", ".join(f"{name}: {count:,}" for name, count in summary["faults"].items())
    reasons = ", ".join(f"{reason}: {count:,}" for reason, count in summary["skipped"].items())
    say(f"answers    {statuses or 'none'}")
    if faults:
        say(f"faults     {faults}")
    say(f"skipped    {skipped:,}" + (f" ({reasons})" if reasons else ""))
    say(f"queued     {summary['queued']:,}   retries {summary['retries']:,}   duplicates {summary['duplicates']:,}")
