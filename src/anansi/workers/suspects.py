"""Which visit kills workers: found by handing out suspects one at a time.

A worker that dies may have thousands of visits in hand, and one at most is to blame. From then on all of them are
suspects, and a worker is given suspects one by one among its other visits, so that a second death tells more. After
it a visit waits, so that it is not given up for workers that something else killed, several in a row; when a third
worker dies over it, it is given up.

Mutable state: `_hands` (worker → visits sent to it and not reported, token → key; filled by `sift` and `due`, emptied
by `report` and `bury`), `_deaths` (key → workers that died with it in hand; emptied when it is reported), `_held`
(worker → heap of turns of one suspect each, filled by `sift`, emptied by `due` and `bury`), `_out` (worker → the one
suspect that it has in hand, as token).
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable

import msgspec

from anansi.fetch.retry import HERITRIX_DEFERRED
from anansi.frontier.embedded import Settlement, Turn
from anansi.model import Ended, Outcome

DEATHS = 3  # workers that may die over a visit
PAUSE = 5.0  # seconds before its last chance: longer than it takes to kill a crawl's workers one after the other


class Suspects:
    """What workers have in hand, and what is known against it."""

    def __init__(self) -> None:
        self._hands: dict[int, dict[bytes, str]] = {}
        self._deaths: dict[str, int] = {}
        self._held: dict[int, list[tuple[float, int, Turn]]] = {}
        self._out: dict[int, bytes] = {}
        self._ticket = itertools.count()

    def __repr__(self) -> str:
        held, in_hand = (sum(map(len, each.values())) for each in (self._held, self._hands))
        return f"Suspects({len(self._deaths)} visits, {held} held back, {in_hand} visits in hand)"

    def sift(self, worker: int, turn: Turn) -> Turn | None:
        """Return what of a turn goes to its worker now; suspects in it are held back."""
        if self._deaths.keys().isdisjoint(visit.key for _, visit in turn.visits):
            return self._sent(worker, turn)
        clear = [each for each in turn.visits if each[1].key not in self._deaths]
        memory = None if clear else turn.memory  # it goes with the first turn of the site that is sent
        for each in turn.visits:
            if each[1].key in self._deaths:
                one = msgspec.structs.replace(turn, visits=[each], memory=memory)
                heapq.heappush(self._held.setdefault(worker, []), (turn.not_before, next(self._ticket), one))
                memory = None
        return self._sent(worker, msgspec.structs.replace(turn, visits=clear)) if clear else None

    def due(self, now: float) -> list[tuple[int, Turn]]:
        """Return a suspect for each worker that has none in hand, as (worker, turn)."""
        turns = []
        for worker, held in self._held.items():
            if held and held[0][0] <= now and worker not in self._out:
                turn = heapq.heappop(held)[2]
                self._out[worker] = turn.visits[0][0]
                turns.append((worker, self._sent(worker, turn)))
        return turns

    def _sent(self, worker: int, turn: Turn) -> Turn:
        self._hands.setdefault(worker, {}).update((token, visit.key) for token, visit in turn.visits)
        return turn

    def report(self, worker: int, settlements: Iterable[Settlement]) -> None:
        """Take visits that a worker has done out of its hand; nothing is held against them any more."""
        hand = self._hands.get(worker, {})
        for each in settlements:
            self._deaths.pop(hand.pop(each.token, ""), None)
            if self._out.get(worker) == each.token:
                del self._out[worker]

    def bury(self, worker: int, now: float, *, crashed: bool) -> list[Settlement]:
        """Forget a worker; if it crashed, return what becomes of visits over which it was not the first."""
        self._held.pop(worker, None)
        self._out.pop(worker, None)
        hand = self._hands.pop(worker, {})
        if not crashed:
            return []
        for key in hand.values():
            self._deaths[key] = self._deaths.get(key, 0) + 1
        return [
            Settlement(token, _outcome(self._deaths[key], now), rest=now)
            for token, key in hand.items()
            if self._deaths[key] > 1
        ]


def _outcome(deaths: int, now: float) -> Outcome:
    if deaths < DEATHS:
        return Outcome(Ended.DEFER, HERITRIX_DEFERRED, wait=PAUSE, started=now, annotations=f"workersDied:{deaths}")
    return Outcome(Ended.FAILED, -5, fault="the worker died on it", started=now, annotations=f"workersDied:{deaths}")
