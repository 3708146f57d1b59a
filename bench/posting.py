"""Scored URLs that a running crawl takes in a second over HTTP, and what they cost it.

Four clients post batches of 500 new URLs of one site over a connection each, then the same URLs with other scores,
which move them. Processor time is told apart: the hub's, which the crawl's own work needs, and the posting
process's. The crawl
has nothing else to do (its one site is paused), so what is shown is the price of what is posted alone.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from measure import children, conclude, ended, machine, options, processor_time, show_machine, table

URLS, QUICK_URLS = 200_000, 20_000
BATCH = 500
CLIENTS = 4
SITE = "http://127.0.0.1:9/"
DEFINITION = "sites: {127.0.0.1: {paused: true}}\nfrontier: {update: last}\n"


def main() -> int:
    """Post new URLs, then new scores."""
    asked = options(__doc__).parse_args()
    count = QUICK_URLS if asked.quick else URLS
    facts = machine()
    show_machine(facts)
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        folder = Path(place)
        (folder / "crawl.yaml").write_text(DEFINITION)
        command = [sys.executable, "-m", "anansi.cli", "crawl", SITE, "-o", str(folder / "c"), "--json", "--stay"]
        command += ["--listen", "127.0.0.1:0", "--config", str(folder / "crawl.yaml"), "--workers", "1"]
        with ended(subprocess.Popen(command, stdout=subprocess.PIPE)) as process:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            token = (folder / "c" / "state" / "token").read_text().strip()
            target = told["url"].rpartition(":")[2], told["id"], token
            found = {
                name: _round(process.pid, target, count, score) for name, score in (("new", 0.3), ("moved", 0.6))
            }
    table(
        ("URLs", "posted/s", "hub, µs a URL", "posting process, µs a URL"),
        [(name, *each.values()) for name, each in found.items()],
    )
    return conclude("posting", facts, found, [], check=asked.check)


def _round(hub: int, target: tuple[str, str, str], count: int, score: float) -> dict[str, float]:
    process = next(
        each
        for each in children(hub)
        if b"anansi.service.posting_process" in Path(f"/proc/{each}/cmdline").read_bytes()
    )
    before, began = (processor_time(hub), processor_time(process)), time.monotonic()
    refused: list[int] = []
    starts = [range(client * BATCH, count, CLIENTS * BATCH) for client in range(CLIENTS)]
    threads = [threading.Thread(target=_post, args=(target, each, score, refused)) for each in starts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not refused, refused[:5]
    seconds = time.monotonic() - began
    return {
        "posted a second": count / seconds,
        "hub µs a URL": (processor_time(hub) - before[0]) / count * 1e6,
        "posting process µs a URL": (processor_time(process) - before[1]) / count * 1e6,
    }


def _post(target: tuple[str, str, str], starts: range, score: float, refused: list[int]) -> None:
    port, name, token = target
    client = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    for start in starts:
        entries = [
            {"url": f"{SITE}section/{number % 97}/page-{number}", "score": score + number % 10 / 100}
            for number in range(start, start + BATCH)
        ]
        client.request("POST", f"/v1/crawls/{name}/urls", json.dumps({"urls": entries}), headers)
        response = client.getresponse()
        response.read()
        if response.status != 200:
            refused.append(response.status)
    client.close()


if __name__ == "__main__":
    raise SystemExit(main())
