"""What a person sees while a crawl runs: a live display on a terminal, plain lines otherwise."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from anansi.crawl.report import words as telling

SHOWN = 8  # sites
LINES = 4  # of what is missing
SURE = 5.0  # seconds over which a queue must have been watched before anything is said of its end
LINE_EVERY = 10.0  # seconds between plain lines
WINDOW = 15.0  # seconds over which the rate is taken


class _Past(NamedTuple):
    """Where a crawl stood."""

    when: float
    pages: int
    queued: int


class Progress:
    """Shows summaries. Mutable state: `_past`, where the crawl stood in the last seconds; `_told`, an event.

    With a limit of pages, the time left is the time until it is reached.
    """

    def __init__(self, *, quiet: bool = False, limit: int | None = None):
        self._console = Console(stderr=True, highlight=False, emoji=False)
        shown = self._console.is_terminal and not quiet
        self._live = Live(console=self._console, refresh_per_second=4, transient=True) if shown else None
        self._quiet, self._limit, self._told = quiet, limit, ""
        self._past: deque[_Past] = deque()
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
        self._note(summary)
        rate, left = _rate(self._past), _time_left(self._past, self._limit, _rest(summary))
        if self._live is not None:
            self._live.update(display(summary, rate, left, workers, event))
        elif time.monotonic() - self._said >= LINE_EVERY:
            self._said = time.monotonic()
            news, self._told = (f"; {event}" if event != self._told else ""), event
            self._console.print(_line(summary, rate, left) + news, soft_wrap=True, markup=False)

    def _note(self, summary: dict[str, Any]) -> None:
        now = time.monotonic()
        self._past.append(_Past(now, summary["pages"], summary["queued"]))
        while self._past[0].when < now - WINDOW:
            self._past.popleft()


def _rate(past: Sequence[_Past]) -> float:
    first, last = past[0], past[-1]
    return (last.pages - first.pages) / (last.when - first.when) if last.when - first.when > 0.2 else 0.0


def _line(summary: dict[str, Any], rate: float, left: str) -> str:
    missing = "".join(f"; {kind}: {gap['count']:,}" for kind, gap in summary.get("gaps", {}).items())
    doing = "".join(f"; {telling.doing(each, time.time())}" for each in summary.get("now", [])[:1])
    return (
        f"{summary['requests']} requests, {summary['pages']} pages ({rate:.1f}/s), {summary['queued']} queued, "
        f"{_size(summary['bytes'])}, {_errors(summary)} errors{f', {left}' if left else ''}{missing}{doing}"
    )


def display(summary: dict[str, Any], rate: float, left: str, workers: int, event: str) -> Group:
    """Draw where a crawl stands: its numbers, its sites and what they are, what is missing, what is done now."""
    head = Text.assemble(
        ("Anansi ", "bold"),
        f"{summary['requests']:,} requests · {summary['pages']:,} pages · ",
        (f"{rate:.1f} pages/s", "green"),
        f" · {summary['queued']:,} queued · {_size(summary['bytes'])} · {workers} workers · ",
        (f"{_errors(summary):,} errors", "red" if _errors(summary) else ""),
        f" · {left}" if left else "",
    )
    more = len(summary["sites"]) + summary["sites_not_listed"] - SHOWN
    rest = [Text(f"… and {more:,} more sites", style="dim")] if more > 0 else []
    news = [_one_line(event, "dim")] if event else []
    return Group(head, _table(summary), *rest, *_kept(summary), *_missing(summary), *_now(summary), *news)


def _table(summary: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("site", "requests", "pages", "queued", "state"):
        table.add_column(name, justify="left" if name in ("site", "state") else "right")
    for name, site in list(summary["sites"].items())[:SHOWN]:
        counts = (f"{site[each]:,}" for each in ("requests", "pages", "queued"))
        table.add_row(Text(name), *counts, Text(site["state"]))  # not markup: `[fe80::1]` is a name, too
    return table


def _kept(summary: dict[str, Any]) -> list[Text]:
    """Say what sites are and what was kept of them, in their own terms."""
    told = [(name, telling.kept(site)) for name, site in list(summary["sites"].items())[:SHOWN]]
    return [_one_line(f"{name}: {words}", "cyan") for name, words in told if words]


def _now(summary: dict[str, Any]) -> list[Text]:
    """Say what is fetched and why others wait."""
    return [_one_line(f"{each['site']}: {telling.doing(each, time.time())}") for each in summary.get("now", [])]


def _one_line(words: str, style: str = "") -> Text:
    return Text(words, style=style, overflow="ellipsis", no_wrap=True)


def _missing(summary: dict[str, Any]) -> list[Text]:
    """Say which gaps were met, and how many doubts there are."""
    gaps = [f"{kind}: {gap['count']:,} ({gap['do']})" for kind, gap in summary.get("gaps", {}).items()]
    doubts = [f"doubt: {words} ({each['count']:,})" for words, each in summary.get("doubts", {}).items()]
    told = [*gaps, *doubts][:LINES]
    return [_one_line(f"! {each}", "yellow") for each in told]


def _errors(summary: dict[str, Any]) -> int:
    refusals = (count for code, count in summary["statuses"].items() if code >= "500")
    return int(sum(summary["faults"].values()) + sum(refusals))


def _rest(summary: dict[str, Any]) -> float:
    """Say for how many seconds nothing will be fetched, for all that is left waits."""
    now = time.time()
    return min((each["until"] - now if each["why"] else 0.0 for each in summary.get("now", [])), default=0.0)


def _time_left(past: Sequence[_Past], limit: int | None, rest: float = 0.0) -> str:
    """Estimate the time left, or nothing: to the limit by the rate, else by how fast the queue shrinks, if it does.

    What is not found yet cannot be known: while a queue grows, nobody can say when it will be done. Neither can who
    waits for longer than the queue would take.
    """
    first, last = past[0], past[-1]
    seconds = last.when - first.when
    if not last.queued:
        return "nothing queued"
    if seconds < SURE:
        return ""
    rate = (last.pages - first.pages) / seconds
    if limit is not None and rate > 0 and limit - last.pages <= last.queued:
        return _about(max(0, limit - last.pages) / rate, rest, "to the limit")
    shrinks = (first.queued - last.queued) / seconds
    return _about(last.queued / shrinks, rest, "for the queue") if shrinks > 0 else ""


def _about(seconds: float, rest: float, what: str) -> str:
    return f"about {telling.duration(seconds)} {what}" if seconds >= rest else ""


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
