"""The frontier alone, in this process, at 1 million and at 10 million URLs.

Links come as pages bring them: 60 of one board at a time, 9 of 10 known already (any URL of that board, not only the
newest, which is harder than life), a commit a page. Claims and settlements come in reports of 24 as the workers send
them. Updates are links to URLs that are scheduled, each with a new score that moves its URL in the queue. What the
benchmark itself needs to make up the links is not counted. The rounds repeat the measuring, not the filling. They
begin when RocksDB has merged what the filling left, which comes at a hundred times the speed of a crawl; what the
measured work itself causes to be merged is merged beside it.
"""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

from forums import SITES, check, visit_of
from measure import Floor, conclude, disk_bytes, machine, middle, options, resident, show_machine, table

from anansi import config
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Outcome, Validators, Visit

SIZES, QUICK_SIZES = (1_000_000, 10_000_000), (100_000, 1_000_000)
LINKS, QUICK_LINKS = 300_000, 60_000
VISITS, QUICK_VISITS = 20_000, 5_000  # before the last turns are settled and no more are claimed
UPDATES, QUICK_UPDATES = 90_000, 30_000

PAGE = 60  # links a page
NEWS = 6  # of which are new
REPORT = 24  # settlements a report
FILL = 1000  # URLs a commit while filling
MERGING = 180.0  # seconds at most that the filling may be merged for

DISCOVER, CLAIM, UPDATE = 60_000.0, 5_000.0, 20_000.0  # a second
BYTES = 200.0  # a URL on disk
KEPT = 0.7  # of the rates at the smaller size

How = Literal["first", "max", "avg"]
Pages = Iterator[list[Visit]]


class Boards:
    """How many URLs of each board the frontier knows. Mutable: `known`, by `fresh` alone."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.known = [0] * SITES

    def fresh(self, site: int, count: int) -> list[Visit]:
        """Make URLs of a board that were never seen."""
        first = self.known[site]
        self.known[site] += count
        return [visit_of(site, number) for number in range(first, first + count)]

    def page(self) -> list[Visit]:
        """Make the links of a page, 9 of 10 of them known."""
        site = self.rng.randrange(SITES)
        most = self.known[site]
        links = [visit_of(site, self.rng.randrange(most)) for _ in range(PAGE - NEWS)]
        links += self.fresh(site, NEWS)
        self.rng.shuffle(links)
        return links

    def scheduled(self) -> list[Visit]:
        """Make links to URLs that no claim has reached (the queue is taken from its head), with new scores."""
        site = self.rng.randrange(SITES)
        most = self.known[site]
        score = self.rng.random
        return [visit_of(site, self.rng.randrange(most // 2, most), score=0.5 + score() / 2) for _ in range(PAGE)]


def main() -> int:
    """Fill, measure, and judge at each size."""
    parser = options(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", metavar="URLS", help=f"URLs known (default {SIZES})")
    asked = parser.parse_args()
    sizes = asked.sizes or (QUICK_SIZES if asked.quick else SIZES)
    check()
    facts = machine()
    show_machine(facts)
    found: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="anansi-bench-") as place:
        path = Path(place) / "frontier"
        boards = Boards(random.Random(11))
        for size in sorted(sizes):
            numbers = _fill(path, boards, size)
            numbers |= _measure(path, boards, quick=asked.quick, rounds=asked.rounds)
            found[size] = {**numbers, "bytes a URL": disk_bytes(path) / sum(boards.known)}
            print(f"{size:,} URLs measured", flush=True)
    _show(found)
    return conclude(
        "frontier", facts, {f"{size}": each for size, each in found.items()}, _floors(found), check=asked.check
    )


@contextmanager
def opened(path: Path, update: How) -> Iterator[Embedded]:
    """Open the frontier with a rule for scores, and close it with the block."""
    assert update in get_args(How)
    settings = config.Frontier(update=update)
    frontier = Embedded(path, Policy(config.Scope(), settings, {}), _address)
    try:
        yield frontier
    finally:
        frontier.close()


def _address(host: str) -> str:
    """Give every board an address of its own."""
    number = int(host.partition("-")[2].partition(".")[0])
    return f"10.0.{number >> 8}.{number & 255}"


def _fill(path: Path, boards: Boards, size: int) -> dict[str, float]:
    """Discover new URLs until there are enough."""
    spent = 0.0
    before = sum(boards.known)
    share = -(-(size - before) // SITES)
    with opened(path, "first") as frontier:
        for piece in _pieces(boards, share):
            began = time.perf_counter()
            frontier.discover(piece, time.time())
            frontier.store.commit()
            spent += time.perf_counter() - began
    return {"fill": (sum(boards.known) - before) / spent}


def _merged(frontier: Embedded) -> None:
    """Wait until no table of RocksDB waits to be merged."""
    deadline = time.monotonic() + MERGING
    while frontier.store.merging and time.monotonic() < deadline:
        time.sleep(0.5)


def _pieces(boards: Boards, share: int) -> Pages:
    """Make the same number of new URLs for every board, in turns, as a crawl that goes on everywhere."""
    turns = -(-share // 100)
    for turn in range(turns):
        count = min(100, share - 100 * turn)
        links = itertools.chain.from_iterable(boards.fresh(site, count) for site in range(SITES))
        while piece := list(itertools.islice(links, FILL)):
            yield piece


def _measure(path: Path, boards: Boards, *, quick: bool, rounds: int) -> dict[str, float]:
    links, visits, updates = (QUICK_LINKS, QUICK_VISITS, QUICK_UPDATES) if quick else (LINKS, VISITS, UPDATES)
    numbers = {}
    began = time.perf_counter()
    with opened(path, "first") as frontier:
        numbers["open, s"] = time.perf_counter() - began
        _merged(frontier)
        numbers["discover"] = middle(_discover(frontier, boards.page, links) for _ in range(rounds))
        numbers["claim + settle"] = middle(_claim_and_settle(frontier, visits, boards.rng) for _ in range(rounds))
        numbers["memory, MB"] = _resident_now()
    for update in ("max", "avg"):
        with opened(path, update) as frontier:
            rates = (_discover(frontier, boards.scheduled, updates) for _ in range(rounds))
            numbers[f"update {update}"] = middle(rates)
    return numbers


def _resident_now() -> float:
    return resident(os.getpid()) / 1e6


def _discover(frontier: Embedded, page: Callable[[], list[Visit]], links: int) -> float:
    """Bring in the links of pages, a commit each; return links a second."""
    spent, done = 0.0, 0
    while done < links:
        pages = [page() for _ in range(200)]  # made up beforehand, so that the clock measures the frontier alone
        began = time.perf_counter()
        for each in pages:
            frontier.discover(each, time.time())
            frontier.store.commit()
        spent += time.perf_counter() - began
        done += sum(map(len, pages))
    return done / spent


def _claim_and_settle(frontier: Embedded, visits: int, rng: random.Random) -> float:
    """Take turns and settle them in reports, as the hub does for a worker; return visits a second."""
    frontier.join(0)
    began = time.perf_counter()
    claimed = claim_more(frontier)
    taken = time.perf_counter() - began
    rng.shuffle(claimed)  # boards answer in any order
    began = time.perf_counter()
    done = 0
    while claimed:
        now = time.time()
        report = [Settlement(token, outcome(now), now) for token in claimed[-REPORT:]]
        del claimed[-REPORT:]
        done += len(frontier.settle(0, report, now))
        if done < visits:  # then no more, so that nothing is claimed that is not settled
            claimed += claim_more(frontier)
    spent = time.perf_counter() - began + taken
    frontier.leave(0, time.time())
    return done / spent


def claim_more(frontier: Embedded) -> list[bytes]:
    """Claim what is due, as the hub does; return the tokens."""
    now = time.time()
    return [token for _, turn in (*frontier.top_up(now), *frontier.claim(now)) for token, _ in turn.visits]


def outcome(now: float) -> Outcome:
    """Return how a visit ended well."""
    kept = Validators('"5e3f-61a"', "Sat, 16 Mar 2024 10:00:00 GMT", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", now)
    return Outcome(ended=Ended.DONE, status=200, requests=1, page=True, size=28_000, validators=kept, started=now)


def _show(found: dict[int, dict[str, float]]) -> None:
    names = list(next(iter(found.values())))
    sizes = sorted(found)
    table(
        ("a second", *(f"{size:,} URLs" for size in sizes), "largest ÷ smallest"),
        [
            (name, *(found[size][name] for size in sizes), found[sizes[-1]][name] / found[sizes[0]][name])
            for name in names
        ],
    )


def _floors(found: dict[int, dict[str, Any]]) -> list[Floor]:
    sizes = sorted(found)
    least = {"discover": DISCOVER, "claim + settle": CLAIM, "update max": UPDATE, "update avg": UPDATE}
    floors = [
        Floor(f"{name} at {size:,}", found[size][name], limit) for size in sizes for name, limit in least.items()
    ]
    floors += [Floor(f"bytes a URL at {size:,}", found[size]["bytes a URL"], BYTES, most=True) for size in sizes]
    small, large = found[sizes[0]], found[sizes[-1]]
    if small is not large:
        floors += [Floor(f"{name}, largest ÷ smallest", large[name] / small[name], KEPT) for name in least]
    return floors


if __name__ == "__main__":
    raise SystemExit(main())
