"""How long a crawl of a million queued URLs takes from its start to its first page request.

A collection is made whose frontier holds the URLs of 2,000 boards; `anansi crawl` then goes on with it, and a server
on loopback notes when the first request for a page (robots.txt does not count) comes in. Three collections: an empty
one (what starting costs at all), one that was closed, and one whose process was killed, so that RocksDB has its log
to read again.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from forums import SITES, visit_of
from measure import Floor, conclude, ended, give_up, machine, middle, options, show_machine, table
from peers import ANANSI, require

from anansi import config
from anansi.archive.layout import Collection
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy

URLS, QUICK_URLS = 1_000_000, 50_000
LIMIT = 5.0  # seconds
PATIENCE = 120.0  # seconds
FILL = 1000  # URLs a commit


class Door:
    """A server on every loopback address that notes when its first page was asked for."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.first = 0.0
        self.knocked = 0.0
        """When the first request of any kind came."""

    def note(self, path: str) -> None:
        """Take notice of a request."""
        self.knocked = self.knocked or time.monotonic()
        if path != "/robots.txt" and not self.asked.is_set():
            self.first = time.monotonic()
            self.asked.set()


@contextmanager
def served(door: Door) -> Iterator[int]:
    """Serve until the block ends; yields the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            door.note(self.path)
            body = b"<p>Hello." if self.path != "/robots.txt" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
            """Say nothing."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def build(folder: Path, port: int, urls: int, *, killed: bool) -> None:
    """Make a collection with that many URLs queued, and close it or leave it as a killed process would."""
    collection = Collection(folder)
    collection.create()
    politeness = config.Politeness(floor=0.0, ceiling=0.0, factor=0.0)
    fetch = config.Fetch(private_addresses="allow")
    seeds = [f"http://127.0.0.1:{port}/"]
    definition = config.Definition(seeds=seeds, politeness=politeness, fetch=fetch, strategy="blind", workers=2)
    collection.definition.write_text(config.dump(definition))
    frontier = Embedded(
        collection.state / "frontier", Policy(definition.scope, definition.frontier, {}), lambda _: ""
    )
    visits = (
        visit_of(site, number, origin=f"http://127.9.{site >> 8}.{site & 255}:{port}")
        for number, site in itertools.product(range(-(-urls // SITES)), range(min(SITES, urls)))
    )
    while piece := list(itertools.islice(visits, FILL)):
        frontier.discover(piece, time.time())
        frontier.store.commit()
    if killed:
        os._exit(0)  # as kill -9 would: nothing is flushed or closed
    frontier.close()


def main() -> int:
    """Build the collections, start crawls on them and judge."""
    if len(sys.argv) > 1 and sys.argv[1] == "build":
        folder, port, count, how = sys.argv[2:]
        build(Path(folder), int(port), int(count), killed=how == "killed")
        return 0
    parser = options(__doc__)
    parser.add_argument("--urls", type=int, help=f"URLs queued (default {URLS:,}, quick {QUICK_URLS:,})")
    asked = parser.parse_args()
    require()
    facts = machine()
    show_machine(facts)
    urls: int = asked.urls or (QUICK_URLS if asked.quick else URLS)
    kinds = {"empty": 0, "closed": urls, "killed": urls}
    found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for _ in range(asked.rounds):
        for kind, queued in kinds.items():
            found[kind].append(_round(kind, queued))
            print(f"{kind}: first page request after {found[kind][-1][1]:.2f} s", flush=True)
    return _report(found, facts, check=asked.check)


def _round(kind: str, urls: int) -> tuple[float, float]:
    """Return the seconds to the first request of any kind and to that for a page."""
    door = Door()
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place, served(door) as port:
        folder = Path(place) / "collection"
        subprocess.run([sys.executable, __file__, "build", folder, str(port), str(urls), kind], check=True)
        began = time.monotonic()
        command: list[str | Path] = [ANANSI, "crawl", "-o", folder, "--no-requisites", "--json"]
        with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)) as process:
            if not door.asked.wait(PATIENCE):
                how = "is still running" if process.poll() is None else f"ended with code {process.returncode}"
                give_up(f"no page was asked for within {PATIENCE:.0f} s; the crawl {how}")
    return door.knocked - began, door.first - began


def _report(found: dict[str, list[tuple[float, float]]], facts: dict[str, object], *, check: bool) -> int:
    medians = {kind: [middle(each) for each in zip(*rounds, strict=True)] for kind, rounds in found.items()}
    usual = medians["empty"][1]
    rows = [(kind, knock, page, page / usual) for kind, (knock, page) in medians.items()]
    table(("frontier", "first request, s", "first page, s", "÷ empty"), rows)
    floors = [
        Floor(f"seconds to the first page, {kind}", medians[kind][1], LIMIT, most=True)
        for kind in ("closed", "killed")
    ]
    numbers = {"seconds": {kind: page for kind, (_, page) in medians.items()}, "rounds": found}
    return conclude("resume", facts, numbers, floors, check=check)


if __name__ == "__main__":
    raise SystemExit(main())
