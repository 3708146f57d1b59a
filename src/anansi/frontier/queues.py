"""Every URL in the one place where it belongs: in the queue of its site, or among those that wait for their time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from anansi.frontier.lifecycle import State
from anansi.frontier.priority import clamp, descending, single
from anansi.frontier.record import SITE, Queued, decode_visit, encode_visit, read_queued, token_of, with_score
from anansi.frontier.rows import Rows
from anansi.frontier.site import Site
from anansi.model import Visit

QUEUED = (State.SCHEDULED, State.WAITING)
"""States in which a URL has a score."""


class Queues(Rows):
    """The queues of one collection on disk.

    Mutable state, besides that of `Rows`: `claimed` (token → visit as stored, filled by `take` and `claim`, emptied
    by `settle` and `release`).
    """

    def __init__(self, path: Path):
        super().__init__(path)
        self.claimed: dict[bytes, bytes] = {}

    def everything(self) -> Iterator[tuple[bytes, Visit]]:
        """Go through all that is scheduled, then all that waits, as it stood when this began: (score, visit)."""
        for token, value in self._scan(self._queue, b"\0"):
            yield token[SITE.size : 2 * SITE.size], decode_visit(value)
        for _, value in self._scan(self._waiting, b"\0"):
            visit = decode_visit(value[SITE.size :])
            yield descending(visit.score), visit

    def rescore(self, scores: Mapping[str, float]) -> int:
        """Give URLs that are scheduled or wait other scores, by their keys; return how many had others before.

        What a worker has in hand stays as it is, and so does what is neither scheduled nor waiting (any more).
        """
        keys = [key.encode() for key in scores]
        found = zip(keys, scores.values(), self._urls.get_all(keys), strict=True)
        known = [(key, single(clamp(score)), raw) for key, score, raw in found if raw and raw[0] in QUEUED]
        read = ((key, score, read_queued(raw)) for key, score, raw in known)
        moved = [(key, score, queued, queued.token) for key, score, queued in read if score != queued.score]
        moved = [each for each in moved if each[3] not in self.claimed]
        waiting = [each for each in moved if each[2].state == State.WAITING]
        scheduled = [each for each in moved if each[2].state == State.SCHEDULED]
        stored = self._queue.get_all([token for _, _, _, token in scheduled])
        for (key, score, queued, token), raw in zip(scheduled, stored, strict=True):
            assert raw is not None
            site, again = self.by_id[queued.site], token_of(queued.site, score, queued.sequence)
            self._queue.delete(token)
            self._queue.put(again, with_score(raw, score))
            self._urls.put(key, queued._replace(score=score).pack())
            if again < site.cursor:
                site.cursor = again
        for _, score, queued, _ in waiting:
            self._weigh(queued, score)
        return len(moved)

    def _schedule(self, site: Site, visit: Visit, times: int, *, place: int = 0) -> None:
        """Put a visit into its site's queue, behind those of its score or at the place it has among them."""
        place = place or self._next()
        queued = Queued(State.SCHEDULED, single(visit.score), times, visit.depth, site.id, place)
        token = queued.token
        self._urls.put(visit.key.encode(), queued.pack())
        self._queue.put(token, encode_visit(visit))
        self._count(site, queued=1)
        if site.cursor and token < site.cursor:
            site.cursor = token

    def _wait(self, site: Site, visit: Visit, due: float) -> None:
        queued = Queued(State.WAITING, visit.score, 1, visit.depth, site.id, self._next(), int(due * 1000))
        self._urls.put(visit.key.encode(), queued.pack())
        self._waiting.put(queued.token, SITE.pack(site.id) + encode_visit(visit))
        self._count(site, waiting=1)

    def _next(self) -> int:
        self._sequence += 1
        return self._sequence

    def _stored(self, queued: Queued, raw: bytes | None = None) -> Visit:
        """Return a scheduled visit as it stands in the queue."""
        stored = raw or self._queue.get(queued.token)
        assert stored is not None
        return decode_visit(stored)

    def _move(self, queued: Queued, visit: Visit, score: float, times: int) -> None:
        """Put a scheduled URL where its new score belongs."""
        self._withdraw(queued)
        moved = msgspec.structs.replace(visit, score=score)
        self._schedule(self.by_id[queued.site], moved, times, place=queued.sequence)

    def _weigh(self, queued: Queued, score: float) -> None:
        """Let a URL that waits have another score when its time comes."""
        visit = msgspec.structs.replace(self._waiting_visit(queued), score=score)
        self._waiting.put(queued.token, SITE.pack(queued.site) + encode_visit(visit))
        self._urls.put(visit.key.encode(), queued._replace(score=score).pack())

    def _withdraw(self, queued: Queued) -> None:
        """Take a URL out of the queue, or from among those that wait."""
        scheduled = queued.state == State.SCHEDULED
        (self._queue if scheduled else self._waiting).delete(queued.token)
        self._count(self.by_id[queued.site], queued=-scheduled, waiting=scheduled - 1)

    def _count(self, site: Site, *, queued: int = 0, waiting: int = 0) -> None:
        site.row.queued += queued
        site.row.waiting += waiting
        self.totals.queued += queued
        self.totals.waiting += waiting
        self._touched.add(site)

    def _waiting_visit(self, queued: Queued) -> Visit:
        """Return a visit that waits for its time."""
        stored = self._waiting.get(queued.token)
        assert stored is not None
        return decode_visit(stored[SITE.size :])
