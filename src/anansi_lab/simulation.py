"""A crawl of a recorded web as if it were live: no network, no clock, the same pages in the same order every time.

The queue is the frontier's in small: scores are held in its four bytes, merged by its update functions, of equal
scores the older goes first, and a site gives `per_turn` URLs a turn. The turn is that of the site whose best is best.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from anansi.frontier.priority import UPDATES, single
from anansi.state import PageTerms
from anansi.url import site_of

Scored = tuple[str, float]
"""The key of a URL, and a score for it."""


class Strategy(Protocol):
    """A way of crawling: pages in, scores for URLs out. It sees what a crawler sees, and nothing else."""

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        """Take notice of pages that were fetched, and score what they link to; seeds come first, all at once."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How a crawl takes its turns."""

    update: str = "max"
    batch: int = 1
    """Pages that are fetched before what they link to is scheduled."""
    per_turn: int = 1
    """URLs that a site gives a turn; the paper's `bl`."""


@dataclass(slots=True)
class _Entry:
    score: float
    times: int
    number: int


class Queue:
    """What is scheduled. Mutable: `_entries` and `_known` by key, `_heaps` by site, some of it out of date."""

    def __init__(self, update: str) -> None:
        self._update = UPDATES[update]
        self._entries: dict[str, _Entry] = {}
        self._known: set[str] = set()
        self._heaps: dict[str, list[tuple[float, int, str]]] = {}
        self._sites: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def forget(self, keys: Iterable[str]) -> None:
        """Take notice of what was fetched without being scheduled."""
        self._known.update(keys)

    def offer(self, scored: Iterable[Scored]) -> None:
        """Schedule what is new, and update the scores of what is scheduled."""
        for key, score in scored:
            entry = self._entries.get(key)
            if entry is not None:
                merged = single(self._update(entry.score, entry.times, single(score)))
                entry.times += 1
                if merged != entry.score:
                    entry.score = merged
                    self._push(key, entry)
            elif key not in self._known:
                self._known.add(key)
                self._entries[key] = entry = _Entry(single(score), 1, len(self._known))
                self._push(key, entry)

    def _push(self, key: str, entry: _Entry) -> None:
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = site_of(key)
        heapq.heappush(self._heaps.setdefault(site, []), (-entry.score, entry.number, key))

    def turn(self, most: int) -> list[str]:
        """Take the best URLs of the site whose best is best."""
        heads = [(head, site) for site, heap in self._heaps.items() if (head := self._head(heap)) is not None]
        if not heads:
            return []
        heap = self._heaps[min(heads)[1]]
        taken: list[str] = []
        while len(taken) < most and (head := self._head(heap)) is not None:
            heapq.heappop(heap)
            del self._entries[head[2]]
            taken.append(head[2])
        return taken

    def _head(self, heap: list[tuple[float, int, str]]) -> tuple[float, int, str] | None:
        """Return the best entry of a site that is not out of date."""
        while heap:
            entry = self._entries.get(heap[0][2])
            if entry is not None and -heap[0][0] == entry.score:
                return heap[0]
            heapq.heappop(heap)
        return None


def crawl(
    web: Mapping[str, PageTerms], seeds: Sequence[str], strategy: Strategy, *, budget: int, pace: Pace
) -> list[str]:
    """Crawl a web until the budget is spent; return what was fetched after the seeds, in order."""
    queue = Queue(pace.update)
    queue.forget(seeds)
    queue.offer(strategy.read([web[key] for key in seeds]))
    fetched: list[str] = []
    waiting: list[PageTerms] = []
    while len(fetched) < budget:
        turn = queue.turn(min(pace.per_turn, budget - len(fetched)))
        if not turn and not waiting:
            break
        fetched += turn
        for key in turn:
            waiting.append(web[key])
            if len(waiting) >= pace.batch and pace.batch > 1:
                queue.offer(strategy.read(waiting))
                waiting = []
        if pace.batch <= 1 or not turn or not len(queue):
            for page in [waiting] if pace.batch > 1 else [[each] for each in waiting]:
                queue.offer(strategy.read(page))
            waiting = []
    return fetched
