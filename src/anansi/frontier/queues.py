"""Every URL in the one place where it belongs: in the queue of its site, or among those that wait for their time."""

from __future__ import annotations

import msgspec

from anansi.frontier.lifecycle import State
from anansi.frontier.priority import single
from anansi.frontier.record import SITE, Queued, decode_visit, encode_visit
from anansi.frontier.rows import Rows
from anansi.frontier.site import Site
from anansi.model import Visit


class Queues(Rows):
    """The queues of one collection on disk. Mutable state, besides that of `Rows`: none."""

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
