"""10,000 feeds watched by one worker: is every visit made when it is due, and what does that cost?

`feed_hosts.py` plays the hosts. Every feed is looked at between once a
minute and once in two, far more often than anybody would, so that there is something to measure.

A visit is due when the one before was settled (its line in logs/crawl.log) plus what that line says (`again`). How
late it is, is the time from then to the begin of its request. The first visits are left out: all
are due at once then.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from measure import (
    Floor,
    children,
    conclude,
    ended,
    give_up,
    machine,
    options,
    processor_time,
    resident,
    show_machine,
    table,
)
from peers import ANANSI, HERE, free_port, require, wait_for
from simulated import address

FEEDS, SECONDS = 10_000, 300.0
QUICK_FEEDS, QUICK_SECONDS = 300, 150.0
LATE = 1.0
"""Seconds: what 99% of the visits keep within."""
SHORTEST, LONGEST = 60, 120
_NOTE = re.compile(r"feed:new=\d+;changed=\d+;lost=\d+;again=([0-9.]+)")

DEFINITION = """
workers: 1
politeness: {{floor: 0.2, ceiling: 5.0, factor: 1.0, robots: ignore}}
fetch: {{private_addresses: allow, timeout: 20}}
seeds: {seeds}
"""


def main() -> int:
    """Watch, and judge."""
    parser = options(__doc__)
    parser.add_argument("--feeds", type=int, help=f"feeds (default {FEEDS:,}, quick {QUICK_FEEDS:,})")
    parser.add_argument("--seconds", type=float, help=f"how long (default {SECONDS:g}, quick {QUICK_SECONDS:g})")
    asked = parser.parse_args()
    feeds = asked.feeds or (QUICK_FEEDS if asked.quick else FEEDS)
    seconds = asked.seconds or (QUICK_SECONDS if asked.quick else SECONDS)
    require()
    facts = machine()
    show_machine(facts)
    found = [_round(feeds, seconds) for _ in range(asked.rounds)]
    worst = max(found, key=lambda each: each["late_99"])
    floors = [Floor("seconds late, 99% of visits", worst["late_99"], LATE, most=True)]
    return conclude("watched", facts, {"rounds": found}, floors, check=asked.check)


def _round(feeds: int, seconds: float) -> dict[str, Any]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        with ended(subprocess.Popen([sys.executable, str(HERE / "feed_hosts.py"), str(port)])):
            wait_for(f"http://{address(0)}:{port}/feed.xml")
            cost = _watch(feeds, port, seconds, Path(place))
        late = lateness(Path(place) / "collection" / "logs" / "crawl.log")
    if not late:
        give_up("no feed was visited twice: the run was too short")
    row = {"feeds": feeds, "visits": len(late), **cost}
    for share in (50, 99, 99.9):
        row[f"late_{share:g}"] = round(late[min(len(late) - 1, int(len(late) * share / 100))], 3)
    row["late_most"] = round(late[-1], 3)
    table(list(row), [list(row.values())])
    return row


def _watch(feeds: int, port: int, seconds: float, folder: Path) -> dict[str, Any]:
    """Watch for a while; return what it cost."""
    seeds = [f"http://{address(host)}:{port}/feed.xml" for host in range(feeds)]
    definition = folder / "definition.yaml"
    definition.write_text(DEFINITION.format(seeds=json.dumps(seeds)))
    often = ["--shortest", str(SHORTEST), "--longest", str(LONGEST)]
    where: list[str | Path] = ["-o", folder / "collection", "--config", definition]
    command = [ANANSI, "watch", *where, *often, "--json"]
    with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder)) as process:
        time.sleep(seconds)
        processes = [process.pid, *children(process.pid)]
        memory, cpu = sum(map(resident, processes)), sum(map(processor_time, processes))
        process.send_signal(signal.SIGINT)
        if process.wait(120) != 0:
            give_up(f"anansi watch ended with code {process.returncode}")
    summary = json.loads((folder / "collection" / "reports" / "summary.json").read_text())
    requests = summary["requests"]
    return {"MB": round(memory / 1e6), "requests": requests, "cpu_ms_a_request": round(1000 * cpu / requests, 2)}


def lateness(log: Path) -> list[float]:
    """Return how late every visit but the first of each feed was, in seconds, in order."""
    due: dict[str, float] = {}
    late = []
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            columns = line.split()
            note = _NOTE.search(columns[-1])
            if note is None:
                continue
            begun = datetime.strptime(columns[8].partition("+")[0], "%Y%m%d%H%M%S%f").replace(tzinfo=UTC).timestamp()
            if columns[3] in due:
                late.append(max(0.0, begun - due[columns[3]]))
            due[columns[3]] = datetime.fromisoformat(columns[0]).timestamp() + float(note[1])
    return sorted(late)


if __name__ == "__main__":
    sys.exit(main())
