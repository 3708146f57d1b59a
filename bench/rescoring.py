"""A million scheduled URLs scored anew while the crawl goes on: how long it takes, and what the crawl loses.

The plug gives every URL another score, so that all of them move in their queues; what it costs itself is shown apart.
Claims and settlements go on as the hub makes them, in reports of 24, in the same process: at the pace of a crawl (500
visits a second, more than crawls fetch whose sites are left alone between visits), then at that of the frontier's
floor (5,000). The latest that a report came to be settled is shown, alone and meanwhile. What they take from the
queue was put there beside the million.
"""

from __future__ import annotations

import tempfile
import time
import zlib
from pathlib import Path

from forums import SITES, visit_of
from measure import Floor, conclude, machine, options, show_machine, table

from anansi.frontier.embedded import Embedded
from anansi.frontier.rescoring import Rescored, Rescoring
from anansi.frontier.turn import Settlement
from anansi.model import Visit
from frontier import REPORT, claim_more, opened, outcome

URLS, QUICK_URLS = 1_000_000, 100_000
SPARE, QUICK_SPARE = 100_000, 150_000  # URLs that are visited meanwhile
FILL = 1000  # URLs a commit
PACES = (500.0, 5000.0)  # visits a second
ALONE = 5.0  # seconds for the rates without rescoring
PATIENCE = 600.0  # seconds after which a pass is given up
LONGEST = 60.0  # seconds of a pass
KEPT = 0.95  # of the visits at the pace of a crawl


def main() -> int:
    """Fill, rescore at two paces, and judge."""
    asked = options(__doc__).parse_args()
    count = QUICK_URLS if asked.quick else URLS
    facts = machine()
    show_machine(facts)
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        path = Path(place) / "frontier"
        _fill(path, count + (QUICK_SPARE if asked.quick else SPARE))
        with opened(path, "first") as frontier:
            crawl = Crawl(frontier)
            found = {f"at {pace:,.0f}/s": _measure(crawl, pace) for pace in PACES}
            crawl.end()
    names = next(iter(found.values()))
    table(("", *found), [(each, *(found[pace][each] for pace in found)) for each in names])
    print(f"the plug itself: {_plug(count):.2f} s of processor time")
    floors = [Floor(f"seconds {pace}", each["seconds"], LONGEST, most=True) for pace, each in found.items()]
    floors += [Floor(f"URLs met {pace}", each["URLs"], count) for pace, each in found.items()]
    kept = [each["visits/s meanwhile"] / each["visits/s alone"] for each in found.values()]
    floors.append(Floor(f"visits kept {next(iter(found))}", kept[0], KEPT))
    return conclude("rescoring", facts, found, floors, check=asked.check)


class Crawl:
    """Claims and settlements. Mutable: `_claimed` (in hand), `visits`, `began`, `latest` (seconds that a
    report was late)."""

    def __init__(self, frontier: Embedded):
        self.frontier = frontier
        frontier.join(0)
        self._claimed: list[bytes] = []
        self.visits, self.latest, self.began = 0, 0.0, time.monotonic()

    def begin(self) -> None:
        """Count anew."""
        self.visits, self.latest, self.began = 0, 0.0, time.monotonic()

    def turn(self, pace: float) -> float:
        """Settle a report if one is due, and claim; return the seconds until the next one is."""
        due = self.began + (self.visits + REPORT) / pace
        now = time.monotonic()
        if now < due:
            return due - now
        self._claimed += claim_more(self.frontier)
        stamp = time.time()
        report = [Settlement(token, outcome(stamp), stamp) for token in self._claimed[-REPORT:]]
        del self._claimed[-REPORT:]
        self.visits += len(self.frontier.settle(0, report, stamp))
        self.latest = max(self.latest, time.monotonic() - due)
        return 0.0

    def end(self) -> None:
        """Give back what is in hand."""
        self.frontier.leave(0, time.time())


def _fill(path: Path, count: int) -> None:
    with opened(path, "first") as frontier:
        for start in range(0, count, FILL):
            frontier.discover((visit_of(each % SITES, each // SITES) for each in range(start, start + FILL)), 0.0)
            frontier.store.commit()
    print(f"{count:,} URLs scheduled", flush=True)


def _measure(crawl: Crawl, pace: float) -> dict[str, float]:
    crawl.begin()
    while time.monotonic() - crawl.began < ALONE:
        time.sleep(crawl.turn(pace))
    alone, latest = crawl.visits / ALONE, crawl.latest
    rescoring = Rescoring(crawl.frontier)
    salt = str(pace).encode()
    crawl.begin()
    used = time.process_time()
    assert rescoring.begin(str(pace), lambda visit: _score(visit, salt))
    told: Rescored | None = None
    while told is None and time.monotonic() - crawl.began < PATIENCE:
        told = rescoring.work()
        time.sleep(min(crawl.turn(pace), rescoring.pause()))
    assert told is not None, "the pass did not come to its end"
    return {
        "URLs": told.urls,
        "moved": told.moved,
        "seconds": told.seconds,
        "processor time, s": time.process_time() - used,
        "visits/s alone": alone,
        "visits/s meanwhile": crawl.visits / told.seconds,
        "latest report alone, ms": latest * 1000,
        "latest report meanwhile, ms": crawl.latest * 1000,
    }


def _score(visit: Visit, salt: bytes) -> float:
    return zlib.crc32(visit.key.encode() + salt) / (1 << 32)


def _plug(count: int) -> float:
    """Return the seconds that the plug alone needs."""
    visits = [visit_of(each % SITES, each // SITES) for each in range(10_000)]
    began = time.process_time()
    for visit in visits:
        _score(visit, b"salt")
    return (time.process_time() - began) * count / len(visits)


if __name__ == "__main__":
    raise SystemExit(main())
