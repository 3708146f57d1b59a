"""A simulated web of 20,000 hosts, crawled politely until 100,000 pages are in.

`simulated.py` plays the hosts on 127.x.y.z: latency, errors, resets, slow hosts, robots.txt, links within and between
hosts. The crawl waits at least one second between two requests to a host, so it lives by keeping many hosts busy.
It is stopped (as Ctrl-C would) when the pages are in; what comes in after that is not counted.

Speed: the first `--ramp` seconds are left out, for they measure how fast a handful of seeds leads to thousands of
hosts; the pages after them, by the times in logs/crawl.log, are cut into ten parts of as many pages each.
Memory: resident bytes of the hub and of its workers each second; their growth is the slope of a line (least squares)
through the samples over the URLs known, of the second half of the run: in the first, caches of a fixed size fill.
A page is settled when the hub has written its line to crawl.log; pages that wait long for that are fetched again when
the crawl is killed, and mean that the hub is behind its workers. Processor time a page tells a crawl that slows down
from a machine that is busy with something else.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from calendar import timegm
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from measure import (
    PATIENCE,
    Floor,
    children,
    conclude,
    ended,
    give_up,
    machine,
    middle,
    options,
    processor_time,
    resident,
    show_machine,
    table,
)
from peers import ANANSI, HERE, free_port, require, wait_for
from simulated import HUBS, address

HOSTS, PAGES, RAMP = 20_000, 100_000, 15.0
QUICK_HOSTS, QUICK_PAGES, QUICK_RAMP = 2_000, 5_000, 3.0
STEADY = 0.9
GROWTH = 120.0  # MB a million URLs known
PARTS = 10

DEFINITION = """
strategy: {strategy}
workers: {workers}
scope: {{kind: custom, include: ['.*']}}
politeness: {{floor: {floor}, ceiling: 30.0, factor: 5.0}}
fetch: {{private_addresses: allow, timeout: 20}}
seeds: {seeds}
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen of a running crawl at one moment."""

    seconds: float
    pages: int
    known: int
    hub: int
    workers: int
    cpu: float
    """Seconds of processor time, hub and workers."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """What one crawl left behind."""

    summary: dict[str, Any]
    pages: list[tuple[float, float]]
    """When each page was complete, seconds since the epoch, in order, and how long after that it was settled."""
    began: float
    samples: list[Sample]


def main() -> int:
    """Run the crawls and judge."""
    parser = options(__doc__)
    parser.add_argument("--hosts", type=int, help=f"hosts of the web (default {HOSTS:,}, quick {QUICK_HOSTS:,})")
    parser.add_argument("--pages", type=int, help=f"pages to fetch (default {PAGES:,}, quick {QUICK_PAGES:,})")
    parser.add_argument("--ramp", type=float, help=f"seconds left out (default {RAMP}, quick {QUICK_RAMP})")
    parser.add_argument("--floor", type=float, default=1.0, help="least wait between requests to a host, in seconds")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="worker processes (default one a core)"
    )
    parser.add_argument("--strategy", default="blind", help="how the crawl follows links (default blind)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the collection of the last round there")
    asked = parser.parse_args()
    asked.hosts = asked.hosts or (QUICK_HOSTS if asked.quick else HOSTS)
    asked.pages = asked.pages or (QUICK_PAGES if asked.quick else PAGES)
    asked.ramp = (QUICK_RAMP if asked.quick else RAMP) if asked.ramp is None else asked.ramp
    require()
    facts = machine()
    show_machine(facts)
    found = [_round(asked, number) for number in range(asked.rounds)]
    best = sorted(found, key=lambda each: each["pages_per_second"])[len(found) // 2]
    return _judge(best, facts, [each["pages_per_second"] for each in found], check=asked.check)


def _round(asked: argparse.Namespace, number: int) -> dict[str, Any]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        server = [sys.executable, str(HERE / "simulated.py"), str(port), str(asked.hosts)]
        with ended(subprocess.Popen(server)):
            wait_for(f"http://{address(0)}:{port}/robots.txt")
            crawl = _crawl(asked, port, Path(place))
        if asked.keep is not None and number == asked.rounds - 1:
            (Path(place) / "collection").rename(asked.keep)
    return _show(crawl, asked)


def _crawl(asked: argparse.Namespace, port: int, folder: Path) -> Crawl:
    """Crawl until the pages are in, watching speed and memory."""
    seeds = [f"http://{address(hub)}:{port}/" for hub in range(HUBS)]
    definition = folder / "definition.yaml"
    settings = {"strategy": asked.strategy, "workers": asked.workers, "floor": asked.floor}
    definition.write_text(DEFINITION.format(**settings, seeds=json.dumps(seeds)))
    collection = folder / "collection"
    command: list[str | Path] = [
        ANANSI,
        "crawl",
        "-o",
        collection,
        "--config",
        definition,
        "--no-requisites",
        "--json",
    ]
    began = time.time()
    with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder)) as process:
        samples = _watch(process, collection, asked.pages)
        stopped = time.time()
        process.send_signal(signal.SIGINT)
        try:
            code = process.wait(120)
        except subprocess.TimeoutExpired:
            give_up("the crawl did not end within 120 s of being asked to")
    if code not in (0, 10, 11):
        give_up(f"anansi crawl ended with code {code}")
    summary = json.loads((collection / "reports" / "summary.json").read_text())
    pages = [each for each in _page_times(collection / "logs" / "crawl.log") if each[0] <= stopped]
    return Crawl(summary, pages, began, samples)


def _watch(process: subprocess.Popen[bytes], collection: Path, pages: int) -> list[Sample]:
    """Sample a crawl each second until it has its pages or ends."""
    began = time.monotonic()
    samples: list[Sample] = []
    said = 0.0
    while process.poll() is None and (not samples or samples[-1].pages < pages):
        time.sleep(1 if len(samples) > 5 else 0.5)
        sample = _sample(process.pid, collection, time.monotonic() - began)
        if sample is not None:
            samples.append(sample)
        if sample is not None and sample.seconds - said > 10:
            said = sample.seconds
            memory = (sample.hub + sample.workers) / 1e6
            print(f"{said:6.0f} s {sample.pages:9,} pages {sample.known:11,} URLs {memory:7,.0f} MB", flush=True)
        if time.monotonic() - began > PATIENCE:
            give_up(f"the crawl did not get {pages:,} pages within {PATIENCE:.0f} s")
    return samples


def _sample(hub: int, collection: Path, seconds: float) -> Sample | None:
    try:
        summary = json.loads((collection / "reports" / "summary.json").read_text())
    except (OSError, ValueError):
        return None
    workers = children(hub)
    cpu = sum(map(processor_time, [hub, *workers]))
    memory = resident(hub), sum(map(resident, workers))
    return Sample(seconds, summary["pages"], _known(summary), *memory, cpu)


def _known(summary: dict[str, Any]) -> int:
    """Count the URLs that the frontier knows: those in queues, those settled, those refused."""
    settled = summary["requests"] - summary["retries"]
    return int(summary["queued"] + settled + sum(summary["skipped"].values()))


def _page_times(log: Path) -> list[tuple[float, float]]:
    """Read from crawl.log when each HTML page was complete, and how long after that its line was written."""
    times = []
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            columns = line.split()
            if len(columns) > 8 and columns[1] == "200" and columns[6] == "text/html" and "+" in columns[8]:
                complete = _complete(columns[8])
                times.append((complete, datetime.fromisoformat(columns[0]).timestamp() - complete))
    return sorted(times)


def _complete(column: str) -> float:
    """Read `YYYYMMDDHHMMSSmmm+MS`, the begin of a fetch and how long it took."""
    stamp, _, took = column.partition("+")
    begin = timegm(time.strptime(stamp[:14], "%Y%m%d%H%M%S")) + int(stamp[14:17] or 0) / 1000
    return begin + int(took) / 1000


# ── what it means ────────────────────────────────────────────────────────────────────────────────────────────────


def _show(crawl: Crawl, asked: argparse.Namespace) -> dict[str, Any]:
    """Print one crawl's numbers and return them."""
    steady = [each for each in crawl.pages if each[0] - crawl.began >= asked.ramp]
    if len(steady) < PARTS * 10:
        give_up(
            f"only {len(steady)} pages came after the first {asked.ramp:g} s; ask for more --pages or less --ramp"
        )
    parts, lags = _parts(steady)
    ramp = (len(crawl.pages) - len(steady)) / asked.ramp
    table(
        ("part", "pages/s", "settled after, s"),
        [("ramp", ramp, ""), *zip(range(1, PARTS + 1), parts, lags, strict=True)],
    )
    samples = [each for each in crawl.samples if each.seconds >= asked.ramp]
    later = [each for each in samples if each.known >= samples[-1].known / 2]
    _show_samples(samples[:: max(1, len(samples) // 10)])
    overall = len(crawl.pages) / (crawl.pages[-1][0] - crawl.began)
    numbers: dict[str, Any] = {
        "pages": len(crawl.pages),
        "pages_per_second": round(overall, 1),
        "pages_per_second_steady": round(len(steady) / (steady[-1][0] - steady[0][0]), 1),
        "parts": [round(each, 1) for each in parts],
        "settled_after": [round(each, 2) for each in lags],
        "last_over_first": round(parts[-1] / parts[0], 3),
        "known": samples[-1].known,
        "cpu_ms_a_page": round(_cost(samples[0], samples[-1]), 2),
        "growth_mb": {name: round(_slope(later, name), 1) for name in _MEMORY},
        "peak_mb": round(max(each.hub + each.workers for each in crawl.samples) / 1e6, 1),
        "faults": crawl.summary["faults"],
        "statuses": crawl.summary["statuses"],
    }
    steady_rate = numbers["pages_per_second_steady"]
    print(
        f"\n{overall:,.0f} pages/s with the ramp, {steady_rate:,.0f} without; {steady_rate * 3600:,.0f} pages an hour"
    )
    print(f"MB a million URLs known: {numbers['growth_mb']}, peak {numbers['peak_mb']:,.0f} MB")
    return numbers


def _show_samples(samples: list[Sample]) -> None:
    """Print what was seen; processor time a page tells a slower crawl from a busier machine."""
    rows = [
        (f"{each.seconds:.0f}", each.pages, each.known, each.hub / 1e6, each.workers / 1e6, _cost(before, each))
        for before, each in pairwise(samples)
    ]
    table(("second", "pages", "URLs known", "hub MB", "workers MB", "CPU ms a page"), rows)


def _cost(before: Sample, after: Sample) -> float:
    return (after.cpu - before.cpu) / max(1, after.pages - before.pages) * 1000


def _parts(pages: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the pages a second of each tenth of the pages, and their median time from complete to settled."""
    marks = [place * (len(pages) - 1) // PARTS for place in range(PARTS + 1)]
    rates = [(last - first) / max(0.001, pages[last][0] - pages[first][0]) for first, last in pairwise(marks)]
    lags = [middle(lag for _, lag in pages[first:last]) for first, last in pairwise(marks)]
    return rates, lags


_MEMORY: dict[str, Callable[[Sample], int]] = {
    "all": lambda each: each.hub + each.workers,
    "hub": lambda each: each.hub,
    "workers": lambda each: each.workers,
}


def _slope(samples: list[Sample], name: str) -> float:
    """Return the MB that a million URLs more cost."""
    points = [(each.known / 1e6, _MEMORY[name](each) / 1e6) for each in samples]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def _judge(numbers: dict[str, Any], facts: dict[str, Any], rounds: list[float], *, check: bool) -> int:
    floors = [
        Floor("last tenth ÷ first", numbers["last_over_first"], STEADY),
        Floor("MB a million URLs", numbers["growth_mb"]["all"], GROWTH, most=True),
    ]
    return conclude("many_hosts", facts, {**numbers, "rounds": rounds}, floors, check=check)


if __name__ == "__main__":
    raise SystemExit(main())
