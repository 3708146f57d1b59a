"""Which visit kills workers: found by handing out suspects one at a time.

A worker that dies may have thousands of visits in hand, and one at most is to blame. From then on all of them are
suspects, and a worker is given suspects one by one among its other visits, so that a second death tells more. After
it a visit waits, and what comes behind it at its site, so that it is not given up for workers that something else
killed, several in a row, and the order stays; when a third worker dies over it, it is given up.

Mutable state: `_hands` (worker → visits sent to it and not reported, token → key; filled by `sift` and `due`, emptied
by `report` and `bury`), `_deaths` (key → workers that died with it in hand, and when it may be tried again; emptied
when it is reported), `_held`
(worker → heap of turns of one suspect each, and of what comes behind at its site; filled by `sift`, emptied by `due`
and `bury`), `_out` (worker → the one suspect that it has in hand, as token).
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable

import msgspec

from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Outcome, Visit

DEATHS = 3  # workers that may die over a visit
PAUSE = 5.0  # seconds before its last chance: longer than it takes to kill a crawl's workers one after the other


class Suspects:
    """What workers have in hand, and what is known against it."""

    def __init__(self) -> None:
        self._hands: dict[int, dict[bytes, str]] = {}
        self._deaths: dict[str, tuple[int, float]] = {}
        self._held: dict[int, list[tuple[float, int, Turn]]] = {}
        self._out: dict[int, bytes] = {}
        self._ticket = itertools.count()

    def __repr__(self) -> str:
        held, in_hand = (sum(map(len, each.values())) for each in (self._held, self._hands))
        return f"Suspects({len(self._deaths)} visits, {held} held back, {in_hand} visits in hand)"

    def sift(self, worker: int, turn: Turn) -> Turn | None:
        """Return what of a turn goes to its worker now; suspects in it are held back."""
        held = self._held.setdefault(worker, [])
        waits = any(each.site == turn.site for _, _, each in held)
        if not waits and self._deaths.keys().isdisjoint(visit.identity for _, visit in turn.visits):
            return self._sent(worker, turn)
        first, *rest = self._parts(turn)
        if waits or self._is_suspect(first):
            rest.insert(0, first)
        when = max(turn.not_before, *(when for when, _, each in held if each.site == turn.site), 0.0)
        for each in rest:
            when = max(when, self._deaths.get(each.visits[0][1].identity, (0, 0.0))[1])
            heapq.heappush(held, (when, next(self._ticket), each))
        return None if waits or self._is_suspect(first) else self._sent(worker, first)

    def _parts(self, turn: Turn) -> list[Turn]:
        """Part a turn so that suspects are alone, in the order of its visits: what comes of one decides about others.

        What the site's next holder must know goes with the first part.
        """
        parts: list[list[tuple[bytes, Visit]]] = []
        for each in turn.visits:
            alone = each[1].identity in self._deaths
            if alone or not parts or parts[-1][0][1].identity in self._deaths:
                parts.append([each])
            else:
                parts[-1].append(each)
        made = [msgspec.structs.replace(turn, visits=part, memory=None) for part in parts]
        return [msgspec.structs.replace(made[0], memory=turn.memory), *made[1:]]

    def _is_suspect(self, turn: Turn) -> bool:
        return turn.visits[0][1].identity in self._deaths

    def due(self, now: float) -> list[tuple[int, Turn]]:
        """Return what was held back and may go now, as (worker, turn): a worker has one suspect in hand at a time."""
        turns = []
        for worker, held in self._held.items():
            while held and held[0][0] <= now and worker not in self._out:
                turn = heapq.heappop(held)[2]
                if self._is_suspect(turn):
                    self._out[worker] = turn.visits[0][0]
                turns.append((worker, self._sent(worker, turn)))
        return turns

    def _sent(self, worker: int, turn: Turn) -> Turn:
        self._hands.setdefault(worker, {}).update((token, visit.identity) for token, visit in turn.visits)
        return turn

    def report(self, worker: int, settlements: Iterable[Settlement]) -> None:
        """Take visits that a worker has done out of its hand; nothing is held against them any more."""
        hand = self._hands.get(worker, {})
        for each in settlements:
            self._deaths.pop(hand.pop(each.token, ""), None)
            if self._out.get(worker) == each.token:
                del self._out[worker]

    def bury(self, worker: int, now: float, *, crashed: bool) -> list[Settlement]:
        """Forget a worker; if it crashed, return what becomes of visits over which it was the last."""
        self._held.pop(worker, None)
        self._out.pop(worker, None)
        hand = self._hands.pop(worker, {})
        if not crashed:
            return []
        for key in hand.values():
            deaths = self._deaths.get(key, (0, 0.0))[0] + 1
            self._deaths[key] = deaths, now + PAUSE if deaths == DEATHS - 1 else 0.0
        given_up = Outcome(
            Ended.FAILED, -5, fault="the worker died on it", started=now, annotations=f"workersDied:{DEATHS}"
        )
        return [
            Settlement(token, given_up, rest=now) for token, key in hand.items() if self._deaths[key][0] >= DEATHS
        ]
