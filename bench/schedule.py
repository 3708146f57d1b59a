"""When to come back to feeds: the learned schedule beside polling at a fixed interval, in a simulation.

Feeds show the latest items of their publication histories, as many as their window holds; what falls out unseen is
missed. The schedule sees what it would see of real feeds: items and dates, and no parameter of how they were made.
Every visit counts from the first one on, and so does every item from then on: there is no time to warm up. An item
that is not seen at the end has waited until then.

Fixed polling visits all feeds at one interval, chosen so that the requests are as many; for each kind of feeds alone,
the interval is the one at which that kind takes as many requests.

Synthetic histories go on for 60 days, after 60 days of which the first visit shows the end; they are made by chance
of seeds that were not used when the schedule was tuned (those were 1 and 2). Recorded ones are those of feeds in WARC
files (`--sites`, files or folders of them): each feed with five items or more, from its first item to a day after the
last one of any feed of the file; and all items of a file together, as a feed of the whole site would show them. Feeds
are taken to show their 20 latest items.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from measure import Floor, conclude, machine, options, show_machine, table

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import msgspec  # noqa: E402
from tests.feeds.publishing import (  # noqa: E402
    DAY,
    KINDS,
    LIMITS,
    NOTHING,
    History,
    Told,
    kept,
    polled,
    same_requests,
    synthetic,
    watched,
)

from anansi.evaluate.feeds import captures, channels  # noqa: E402
from anansi.feeds.rhythm import began, noted  # noqa: E402
from anansi.feeds.schedule import due  # noqa: E402

MISSED, DELAY = 0.1, 0.5
"""What is to be reached: per cent of items missed, and delay beside fixed polling."""
DECISION = 400.0
"""Microseconds of processor time for a visit: what it brought is noted, and the next one decided."""
LEAST_ITEMS = 5
WINDOW = 20
SEEDS = (101, 102, 103)
PRICES = {"synthetic": 180.0, "recorded": 4 * 3600.0}
"""Seconds that items wait, for which a request is worth it."""
BUDGET = 12.0
"""Requests a feed and day that a purse is to keep."""


def main() -> int:
    """Simulate, compare, judge."""
    parser = options(__doc__)
    parser.add_argument("--sites", type=Path, nargs="*", default=[], help="WARC files with feeds, or folders of them")
    parser.add_argument("--price", type=float, help="seconds; another price for synthetic histories")
    parser.add_argument("--recorded-price", type=float, help="seconds; another price for recorded histories")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    number = 4 if asked.quick else 25
    made = [each for seed in SEEDS[: asked.rounds] for each in synthetic(seed, number, 60 * DAY)]
    floors = report("synthetic", made, list(KINDS), asked.price or PRICES["synthetic"])
    if asked.sites:
        found = recorded(asked.sites)
        floors += report(
            "recorded", found, sorted({each.kind for each in found}), asked.recorded_price or PRICES["recorded"]
        )
    floors += budget(made[:: max(1, len(made) // 60)])
    floors += cost(made[0])
    return conclude("schedule", facts, {}, floors, check=asked.check)


def report(name: str, histories: Sequence[History], kinds: Sequence[str], price: float) -> list[Floor]:
    """Compare, for all histories and for each kind of them."""
    with ProcessPoolExecutor(2) as pool:
        told = list(pool.map(partial(watched, price=price), histories, chunksize=8))
    rows = []
    for kind in ("all", *kinds):
        chosen = [index for index, each in enumerate(histories) if kind in ("all", each.kind)]
        rows.append(compared(kind, [histories[index] for index in chosen], [told[index] for index in chosen]))
    heads = ["histories", "feeds", "items", "requests a day", "delay", "fixed", "ratio", "missed", "fixed", "noticed"]
    print(f"\n{name} histories, a request worth {price:.0f} s")
    table(heads, [row[0] for row in rows])
    _, own, ratio = rows[0]
    return [
        Floor(f"{name}: per cent of items missed", 100 * own.missed / max(1, own.items), MISSED, most=True),
        Floor(f"{name}: delay beside fixed polling", ratio, DELAY, most=True),
    ]


def compared(kind: str, histories: Sequence[History], told: Sequence[Told]) -> tuple[list[str], Told, float]:
    own = sum(told, NOTHING)
    interval = same_requests(histories, own.requests)
    other = sum((polled(each, interval) for each in histories), NOTHING)
    days = sum(each.end - each.start for each in histories) / DAY
    ratio = own.delay / other.delay if other.delay else 1.0
    shares = [f"{100 * each.missed / max(1, each.items):.3f}%" for each in (own, other)]
    cells = [f"{own.requests / days:.1f}", minutes(own.delay), minutes(other.delay), f"{ratio:.2f}"]
    return [kind, str(len(histories)), f"{own.items:,}", *cells, *shares, str(own.noticed)], own, ratio


def minutes(seconds: float) -> str:
    return f"{seconds / 60:,.0f} min" if seconds < 2 * DAY else f"{seconds / DAY:.1f} days"


def recorded(paths: Iterable[Path]) -> list[History]:
    """Read the histories of the feeds of WARC files."""
    found = []
    for path in paths:
        for file in sorted(path.glob("*.warc.gz")) if path.is_dir() else [path]:
            feeds = [each.published for each in channels(captures([file]))]
            union = {at: None for each in feeds for at in each.values()}
            series = [sorted(each.values()) for each in feeds if len(each) >= LEAST_ITEMS]
            found += [history("recorded feeds", each, max(union)) for each in series]
            found += [history("recorded sites", sorted(union), max(union))] if len(union) >= LEAST_ITEMS else []
    return found


def history(kind: str, moments: Sequence[float], end: float) -> History:
    return History(kind, tuple(moments), WINDOW, moments[0], end + DAY)


def budget(histories: Sequence[History]) -> list[Floor]:
    """Watch feeds together with a purse, and see whether it keeps its budget after ten days."""
    spent = kept(histories, BUDGET * len(histories))
    rest = spent[10:]
    off = max(abs(each / (BUDGET * len(histories)) - 1) for each in rest)
    mean = statistics.fmean(rest) / (BUDGET * len(histories))
    row = [str(len(histories)), f"{BUDGET * len(histories):.0f}", f"{100 * mean:.1f}%", f"{100 * off:.0f}% off"]
    table(["feeds", "requests a day allowed", "made from the eleventh day on", "worst day"], [row])
    return [Floor("budget: per cent off in the mean", 100 * abs(mean - 1), 5.0, most=True)]


def cost(history: History) -> list[Floor]:
    """Measure what a visit costs, and how large a rhythm is."""
    rhythm = began(history.moments[:20], history.moments[20], window=20)
    started = time.process_time()
    count = 3000
    at = rhythm.last
    for number in range(count):
        at += 3600.0
        rhythm = noted(rhythm, [at - 60.0] if number % 3 == 0 else [], at, window=20)
        due(rhythm, at, LIMITS, 720.0)
    each = (time.process_time() - started) / count
    size = len(msgspec.msgpack.encode(rhythm))
    print(f"\na visit noted and the next decided: {each * 1e6:.0f} µs; a rhythm: {size} bytes")
    return [
        Floor("microseconds of processor time a visit", each * 1e6, DECISION, most=True),
        Floor("bytes of a rhythm", size, 1024, most=True),
    ]


if __name__ == "__main__":
    sys.exit(main())
