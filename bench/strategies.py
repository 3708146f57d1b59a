"""Strategies compared on recorded sites, in memory: blind, along learned patterns, by the chooser.

    python bench/strategies.py SITE.warc.gz… [--content REGEX] [--keep DIR] [--seeds 5]

No HTTP and no committed data: name WARC files of whole sites (a `warcinfo` record with `site-base` and `site-aliases`
says where they begin and which hosts are theirs; otherwise the first page does). Requests of learning are included:
the sample of the patterns counts. Shares are of what a blind crawl brings: own 2-grams without boilerplate, those of
content pages, links to other sites from content pages; `best` is the share beside a greedy choice of as many pages by
someone who knows them all, `below` the tenths of the requests at which breadth-first had more. Reading takes minutes
for ten thousand pages; `--keep` keeps what was read.
"""

from __future__ import annotations

import heapq
import pickle
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from measure import conclude, machine, options, show_machine, table

from anansi.archive.reader import records
from anansi.evaluate.recorded import Recorded, read, sampled
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, learn
from anansi_lab.strategies import Measure, chosen, followed

VERSION = 5  # of what is kept; raise it when reading changes

Strategy = Callable[[Recorded, Random], list[str]]


def patterns(site: Recorded, rng: Random) -> list[str]:
    """Sample, learn, follow: the paper."""
    sitemap, asked = sampled(site, Attributes.ID, rng)
    return list(dict.fromkeys([*asked, *followed(site, learn(sitemap, Parameters()).patterns)]))


STRATEGIES: dict[str, Strategy] = {"patterns": patterns, "chooser": chosen}


def main() -> int:
    """Compare on each site."""
    parser = options(__doc__)
    parser.add_argument("warcs", nargs="+", type=Path, metavar="WARC")
    parser.add_argument("--content", default=".", metavar="REGEX", help="addresses of content pages (default: all)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what was read there")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="runs of each strategy (default 5)")
    asked = parser.parse_args()
    facts = machine()
    show_machine(facts)
    numbers: dict[str, Any] = {}
    for warc in asked.warcs:
        name = warc.name.partition(".")[0]
        measure = Measure(load(warc, asked.keep), lambda key: re.search(asked.content, key) is not None)
        runs = compared(measure, range(1 if asked.quick else asked.seeds))
        numbers[name] = runs
        print(f"\n{name}: {len(measure.order):,} requests blind")
        headings = list(runs[0])
        table(headings, [[run[heading] for heading in headings] for run in runs])
    return conclude("strategies", facts, numbers, [], check=asked.check)


def compared(measure: Measure, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """Run every strategy with every seed, and the means."""
    best, blind = greedy(measure), course(measure, measure.order)
    runs = []
    for name, strategy in STRATEGIES.items():
        own = [_run(name, strategy, measure, seed, best, blind) for seed in seeds]
        runs += own
        mean = {key: round(fmean(run[key] for run in own), 4) for key in own[0] if key not in ("strategy", "below")}
        runs.append({**own[0], **mean, "strategy": f"{name}, mean", "seed": "", "below": ""})
    return runs


def _run(
    name: str, strategy: Strategy, measure: Measure, seed: int, best: list[int], blind: list[float]
) -> dict[str, Any]:
    began = time.process_time()
    order = strategy(measure.site, Random(seed))
    seconds = time.process_time() - began
    brought, mine = measure.of(order), course(measure, order)
    tenth = max(1, len(order) // 10)
    marks = [number for number in range(tenth, len(order) + 1, tenth) if number <= len(blind)]
    oracle = best[min(len(order), len(best) - 1)] / max(1, len(measure.own))
    return {
        "strategy": name,
        "seed": seed,
        "requests": brought.requests,
        "saving": round(brought.saving, 2),
        "own": round(brought.own, 4),
        "content": round(brought.content, 4),
        "content links": round(brought.content_links, 4),
        "best": round(brought.own / oracle, 4) if oracle else 1.0,
        "below": sum(mine[number - 1] < blind[number - 1] - 0.0005 for number in marks),
        "ms a page": round(1000 * seconds / max(1, len(order)), 2),
    }


def course(measure: Measure, order: Sequence[str]) -> list[float]:
    """Return the share of own items after each request."""
    had: set[int] = set()
    shares = []
    for key in order:
        had.update(measure.own.intersection(measure.site.get(key).items))
        shares.append(len(had) / max(1, len(measure.own)))
    return shares


def greedy(measure: Measure) -> list[int]:
    """Return how many own items 0, 1, 2, … pages hold that are chosen greedily by someone who knows all pages."""
    texts = {page.items.tobytes(): page.items for page in map(measure.site.page, measure.order) if page is not None}
    left = [measure.own.intersection(items) for items in texts.values()]
    heap = [(-len(items), number) for number, items in enumerate(left)]
    heapq.heapify(heap)
    had: set[int] = set()
    counts = [0]
    while heap:
        _, number = heapq.heappop(heap)
        left[number] -= had
        gain = len(left[number])
        if heap and gain < -heap[0][0]:
            heapq.heappush(heap, (-gain, number))
        elif gain:
            had |= left[number]
            counts.append(counts[-1] + gain)
    return counts


def load(warc: Path, keep: Path | None) -> Recorded:
    """Read a WARC file, or what was kept of it."""
    kept = keep / f"{warc.name}.{VERSION}.pickle" if keep else None
    if kept is not None and kept.exists():
        with kept.open("rb") as file:
            site: Recorded = pickle.load(file)
        return site
    site = read([warc], *_told(warc))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("wb") as file:
            pickle.dump(site, file, protocol=5)
    return site


def _told(warc: Path) -> tuple[str, frozenset[str]]:
    """Return where a site begins and its hosts, if the file tells."""
    first = next(iter(records(warc)))
    told = first.peek().decode("utf-8", "replace") if first.kind == "warcinfo" else ""
    base, aliases = (re.search(rf"^{name}: (.*?)\s*$", told, re.M) for name in ("site-base", "site-aliases"))
    if base is None:
        return "", frozenset()
    host = re.match(r"https?://([^/:]+)", base[1])
    return base[1], frozenset([*(aliases[1].split() if aliases else ()), *([host[1]] if host else ())])


if __name__ == "__main__":
    raise SystemExit(main())
