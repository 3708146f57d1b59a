"""What a page costs that was made to keep its reader busy: processor time and memory, shape by shape.

Each shape goes through the stages of a worker three times, as crawls of different kinds take it, in a process of its
own. Shown is the slowest of the three, and how much memory that process took beyond what it had before.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hostile_pages import SHAPES
from measure import Floor, conclude, machine, options, show_machine, table

from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.writer import WarcWriter
from anansi.config import Definition
from anansi.config.focus import Focus
from anansi.config.sections import Scope, Watch
from anansi.crawl import Pipeline, Tools, known_types, verdict_on
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.model import Body, Page, Visit
from anansi.workers import lore

SIZE, QUICK = 8 << 20, 1 << 20  # bytes of a page
SECONDS = 5.0  # of processor time that a page may take
MEMORY = 300  # MB beyond what a worker has, that a page may take
PATIENCE = 120  # seconds after which a process is ended
SEED = "http://example.org/"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n"

KINDS = {
    "blind": Definition(strategy="blind"),
    "auto": Definition(scope=Scope(requisites=True)),
    "learn": Definition(strategy="learn"),
    "watch": Definition(watch=Watch(what="pages")),
    "focus": Definition(focus=Focus(keywords=["example"], languages=["en"])),
}


class Cost(NamedTuple):
    """What a page took."""

    seconds: float
    memory: int


def main() -> int:
    """Measure each shape, and judge."""
    parser = options(__doc__)
    parser.add_argument("--size", type=float, help="megabytes of a page")
    parser.add_argument("--kind", choices=sorted(KINDS), action="append")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    size = int(asked.size * (1 << 20)) if asked.size else QUICK if asked.quick else SIZE
    kinds, shapes = asked.kind or list(KINDS), asked.shape or list(SHAPES)
    costs = {shape: [_cost(shape, size, kind) for kind in kinds] for shape in shapes}
    rows = [(shape, *(f"{each.seconds:.2f} s, {each.memory} MB" for each in of)) for shape, of in costs.items()]
    table(("page", *kinds), rows)
    floors = [
        Floor(
            "seconds of the slowest page",
            max(each.seconds for of in costs.values() for each in of),
            SECONDS,
            most=True,
        ),
        Floor("MB of the largest page", max(each.memory for of in costs.values() for each in of), MEMORY, most=True),
    ]
    return conclude("hostile", facts, {"size": size, "costs": costs}, floors, check=asked.check)


def _cost(shape: str, size: int, kind: str) -> Cost:
    """Measure a shape in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE)
        with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
            os.write(writing, repr(tuple(_measured(SHAPES[shape](size), KINDS[kind], Path(place)))).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    told = os.read(reading, 1000).decode()
    os.close(reading)
    seconds, _, memory = told.strip("()").partition(", ")
    cost = Cost(float(seconds), int(memory)) if told else Cost(float(PATIENCE), 0)
    if cost.seconds > 1:
        print(f"{kind}, {shape}: {cost.seconds:.2f} s, {cost.memory} MB", file=sys.stderr, flush=True)
    return cost


def _measured(data: bytes, definition: Definition, folder: Path) -> Cost:
    work = _worker(folder, definition)
    work(b"<p>x", 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = max(work(data, number) for number in range(1, 4))
    return Cost(seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10)


def _worker(folder: Path, definition: Definition) -> Callable[[bytes, int], float]:
    """Make what a worker does with a page; it returns the seconds that this took."""
    collection = Collection(folder)
    log = ObjectLog(collection, 0)
    tools = Tools(
        definition, WarcWriter(collection, "bench", "localhost", {}), known_types(definition, collection), log
    )
    pipeline = Pipeline(tools, compile_scope(definition.scope, [SEED]), folder)
    pipeline.mender = lore.mender(pipeline.awareness, collection, log)
    pipeline.proposer = lore.proposer(pipeline.reader, collection, log)
    pipeline.focus = lore.focus_reader(definition, pipeline.reader)
    pipeline.watcher = lore.watcher(definition, pipeline.reader, collection)
    traps = Traps()

    def work(data: bytes, number: int) -> float:
        url = f"{SEED}{number}"
        visit = Visit(url, url, hops="L", depth=1, via=SEED, seed=SEED)
        headers = (("content-type", "text/html"),)
        body = Body(len(data), data=data)
        page = Page(visit, time.time(), 0.01, b"GET / HTTP/1.1\r\n\r\n", 1, HEAD, body, status=200, headers=headers)
        began = time.process_time()
        pipeline.process(page, verdict_on(page), traps)
        log.flush()
        return time.process_time() - began

    return work


if __name__ == "__main__":
    sys.exit(main())
