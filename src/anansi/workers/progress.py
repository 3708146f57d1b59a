"""What a person sees while a crawl runs: a live display on a terminal, plain lines otherwise."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

SHOWN = 8  # sites
LINE_EVERY = 10.0  # seconds between plain lines
WINDOW = 15.0  # seconds over which the rate is taken


class Progress:
    """Shows summaries. Mutable state: `_past`, (time, pages) of the last seconds, for the rate; `_told`, an event.

    With a limit of pages, the time left is the time until it is reached.
    """

    def __init__(self, *, quiet: bool = False, limit: int | None = None):
        self._console = Console(stderr=True, highlight=False)
        shown = self._console.is_terminal and not quiet
        self._live = Live(console=self._console, refresh_per_second=4, transient=True) if shown else None
        self._quiet, self._limit, self._told = quiet, limit, ""
        self._past: deque[tuple[float, int]] = deque()
        self._said = time.monotonic()

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, summary: dict[str, Any], *, workers: int, event: str) -> None:
        """Show where the crawl stands."""
        if self._quiet:
            return
        rate = self._rate(summary["pages"])
        left = _time_left(summary, rate, self._limit)
        if self._live is not None:
            self._live.update(_display(summary, rate, left, workers, event))
        elif time.monotonic() - self._said >= LINE_EVERY:
            self._said = time.monotonic()
            news, self._told = (f"; {event}" if event != self._told else ""), event
            self._console.print(_line(summary, rate, left) + news, soft_wrap=True, markup=False)

    def _rate(self, pages: int) -> float:
        now = time.monotonic()
        self._past.append((now, pages))
        while self._past[0][0] < now - WINDOW:
            self._past.popleft()
        then, before = self._past[0]
        return (pages - before) / (now - then) if now - then > 0.2 else 0.0


def _line(summary: dict[str, Any], rate: float, left: str) -> str:
    return (
        f"{summary['requests']} requests, {summary['pages']} pages ({rate:.1f}/s), {summary['queued']} queued, "
        f"{_size(summary['bytes'])}, {_errors(summary)} errors, {left}"
    )


def _display(summary: dict[str, Any], rate: float, left: str, workers: int, event: str) -> Group:
    head = Text.assemble(
        ("Anansi ", "bold"),
        f"{summary['requests']:,} requests · {summary['pages']:,} pages · ",
        (f"{rate:.1f} pages/s", "green"),
        f" · {summary['queued']:,} queued · {_size(summary['bytes'])} · {workers} workers · ",
        (f"{_errors(summary):,} errors", "red" if _errors(summary) else ""),
        f" · {left}",
    )
    table = Table(box=None, pad_edge=False)
    for name in ("site", "requests", "pages", "queued", "state"):
        table.add_column(name, justify="left" if name in ("site", "state") else "right")
    for name, site in list(summary["sites"].items())[:SHOWN]:
        counts = (str(site[each]) for each in ("requests", "pages", "queued"))
        table.add_row(Text(name), *counts, Text(site["state"]))  # not markup: `[fe80::1]` is a name, too
    more = len(summary["sites"]) + summary["sites_not_listed"] - SHOWN
    rest = [Text(f"… and {more:,} more sites", style="dim")] if more > 0 else []
    return Group(head, table, *rest, *([Text(event, style="dim")] if event else []))


def _errors(summary: dict[str, Any]) -> int:
    refusals = (count for code, count in summary["statuses"].items() if code >= "500")
    return int(sum(summary["faults"].values()) + sum(refusals))


def _time_left(summary: dict[str, Any], rate: float, limit: int | None) -> str:
    """Estimate the time for what is queued now, or to the limit; what is not found yet cannot be known."""
    if not summary["queued"]:
        return "nothing queued"
    if rate <= 0:
        return "time left unknown"
    limited = limit is not None and limit - summary["pages"] <= summary["queued"]
    seconds = int((max(0, (limit or 0) - summary["pages"]) if limited else summary["queued"]) / rate)
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    time_left = f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {seconds % 60:02d} s"
    return f"{time_left} {'to the limit' if limited else 'for the queue'}"


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
