"""New scores for all that is scheduled or waits, after the definition changed, while the crawl goes on.

The queue is gone through as it stood when the pass began, in slices: every URL is met once, however many move
meanwhile, and the store looks anew at each before it moves it. What comes meanwhile is scored by who found it. A pass
only sets scores, so it can be begun anew at any time: after a crash, or because the definition changed once more. Its
name is written down when it has come to its end, and only then.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from anansi.frontier.priority import clamp, descending
from anansi.frontier.protocol import Frontier
from anansi.model import Visit

SLICE: Final = 0.02
"""Seconds of work at a time; a report that comes meanwhile waits so long."""

SHARE: Final = 0.8
"""Of the hub's time at the most; the rest is the crawl's. Re-run bench/rescoring.py when changed."""

TOGETHER: Final = 250
"""URLs that are looked up and moved in one commit: half a slice or less."""

Rescore = Callable[[Visit], float | None]
"""The plug that scores anew what is scheduled: visit → score in [0, 1]; None leaves it as it is."""

_NAME: Final = "rescored"


@dataclass(frozen=True, slots=True)
class Rescored:
    """What a pass did."""

    name: str
    urls: int
    moved: int
    seconds: float


class Rescoring:
    """Has everything scored anew.

    Mutable state: `_name` and `_rescore` (what is gone by), `_rows` (what is left of the pass; None without one),
    `_urls`, `_moved`, `_began` (of the pass), `_rest` (until when the crawl has its turn).
    """

    def __init__(self, frontier: Frontier):
        self._frontier = frontier
        self._name = ""
        self._rescore: Rescore | None = None
        self._rows: Iterator[tuple[bytes, Visit]] | None = None
        self._urls = self._moved = 0
        self._began = self._rest = 0.0

    def __repr__(self) -> str:
        return f"Rescoring({self._name!r}, {self._urls} done, {'under way' if self.under_way else 'at rest'})"

    @property
    def under_way(self) -> bool:
        """Tell whether there is work left."""
        return self._rows is not None

    def begin(self, name: str, rescore: Rescore) -> bool:
        """Go by what a definition of that name says; return whether something must be scored anew for that.

        A pass by another name that is under way is dropped; one by this name goes on.
        """
        if self.under_way and name == self._name:
            return True
        self.stop()
        self._name, self._rescore = name, rescore
        totals = self._frontier.totals
        if self._frontier.memory.noted(_NAME) == [name]:
            return False
        if not totals.queued + totals.waiting:
            self._note()
            return False
        self._rows = self._frontier.everything()
        self._urls = self._moved = 0
        self._began, self._rest = time.monotonic(), 0.0
        return True

    def stop(self) -> None:
        """Let go of what is left; whoever begins again begins at the beginning."""
        self._rows = None

    def pause(self) -> float:
        """Return for how many seconds the crawl has its turn now."""
        return max(0.0, self._rest - time.monotonic())

    def work(self) -> Rescored | None:
        """Do a slice, unless it is the crawl's turn; return what was done when it was the last one."""
        began = now = time.monotonic()
        if self._rows is None or now < self._rest:
            return None
        done = False
        while not done and now - began < SLICE:
            done = self._some(self._rows)
            now = time.monotonic()
        self._rest = now + (now - began) * (1 - SHARE) / SHARE
        return self._end(now) if done else None

    def _some(self, rows: Iterator[tuple[bytes, Visit]]) -> bool:
        """Score some URLs and move those whose scores are others now; return whether they were the last."""
        assert self._rescore is not None
        found = list(itertools.islice(rows, TOGETHER))
        scores: dict[str, float] = {}
        for standing, visit in found:
            score = self._rescore(visit)
            if score is not None and descending(clamp(score)) != standing:
                scores[visit.identity] = score
        if scores:
            self._moved += self._frontier.rescore(scores)
            self._frontier.commit()
        self._urls += len(found)
        return len(found) < TOGETHER

    def _end(self, now: float) -> Rescored:
        self._rows = None
        self._note()
        return Rescored(self._name, self._urls, self._moved, now - self._began)

    def _note(self) -> None:
        self._frontier.memory.note(_NAME, [self._name])
        self._frontier.commit()
