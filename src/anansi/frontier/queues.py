"""Every URL in the one place where it belongs: in the queue of its site, or among those that wait for their time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from anansi.frontier.lifecycle import State
from anansi.frontier.priority import clamp, descending, single
from anansi.frontier.record import (
    DUE,
    REQUISITE,
    SCORE,
    SITE,
    Queued,
    decode_visit,
    encode_visit,
    read_queued,
    token_of,
    with_score,
)
from anansi.frontier.rows import Rows
from anansi.frontier.site import Site
from anansi.model import Visit

TOKEN = len(token_of(0, 0.0, 0))  # bytes
_CLAIMS = "claims"

QUEUED = (State.SCHEDULED, State.WAITING)
"""States in which a URL has a score."""


class Queues(Rows):
    """The queues of one collection on disk.

    Mutable state, besides that of `Rows`: `claimed` (token → visit as stored, filled by `take` and `claim`, emptied
    by `settle` and `release`).
    """

    def __init__(self, path: Path, *, writable: bool = True):
        super().__init__(path, writable=writable)
        self.claimed: dict[bytes, bytes] = {}

    def everything(self) -> Iterator[tuple[bytes, Visit]]:
        """Go through all that is scheduled, then all that waits, as it stood when this began: (score, visit)."""
        for token, value in self._scan(self._queue, b"\0"):
            yield token[SCORE], decode_visit(value)
        for _, visit in self.waiting():
            yield descending(visit.score), visit

    def waiting(self) -> Iterator[tuple[float, Visit]]:
        """Go through all that waits for its time, as (due, visit), the soonest first."""
        for key, value in self._scan(self._waiting, b"\0"):
            yield DUE.unpack(key)[0] / 1000, decode_visit(value[SITE.size :])

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
            site, again = self.by_id[queued.site], queued._replace(score=score).token
            self._queue.delete(token)
            self._queue.put(again, with_score(raw, score))
            self._urls.put(key, queued._replace(score=score).pack())
            if again < site.cursor:
                site.cursor = again
        for _, score, queued, _ in waiting:
            self._weigh(queued, score)
        return len(moved)

    def take(self, site: Site, most: int, *, requisites: bool = False) -> list[tuple[bytes, bytes]]:
        """Claim up to `most` of a site's URLs, best score first, as (token, stored visit); or parts of pages only."""
        taken: list[tuple[bytes, bytes]] = []
        prefix = SITE.pack(site.id) + (REQUISITE if requisites else b"")
        for token, value in self._scan(self._queue, site.cursor or prefix, prefix):
            if len(taken) == most:
                break
            if token not in self.claimed:
                self.claimed[token] = value
                site.claims[token] = None
                taken.append((token, value))
        if taken:
            site.cursor = taken[-1][0]
        return taken

    def take_again(self, site: Site, most: int) -> tuple[list[tuple[bytes, bytes]], list[str]]:
        """Claim up to `most` of what a site must be asked again, as (token, stored visit); name the keys of the rest
        that is not scheduled any more."""
        taken: list[tuple[bytes, bytes]] = []
        gone: list[str] = []
        for token, key in [each for each in site.again.items() if each[0] not in site.claims]:
            if len(taken) == most:
                break
            stored = self._queue.get(token)
            if stored is None:
                gone.append(key)
                del site.again[token]
            else:
                self.claimed[token] = stored
                site.claims[token] = None
                taken.append((token, stored))
        return taken, gone

    def tokens(self, site: Site, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the tokens of those of some keys that are scheduled at a site and not claimed."""
        found = zip(keys, self._urls.get_all([key.encode() for key in keys]), strict=True)
        queued = ((key, read_queued(raw)) for key, raw in found if raw and raw[0] == State.SCHEDULED)
        mine = {key: each.token for key, each in queued if each.site == site.id}
        return {key: token for key, token in mine.items() if token not in self.claimed}

    def claim(self, site: Site, key: str) -> tuple[bytes, bytes] | None:
        """Claim one URL of a site, as (token, stored visit); None when it is not scheduled, or claimed already."""
        raw = self._urls.get(key.encode())
        if raw is None or raw[0] != State.SCHEDULED:
            return None
        queued = read_queued(raw)
        stored = (
            self._queue.get(queued.token) if queued.site == site.id and queued.token not in self.claimed else None
        )
        if stored is None:
            return None
        self.claimed[queued.token] = stored
        site.claims[queued.token] = None
        return queued.token, stored

    def scheduled(self, site: Site, keys: Sequence[str]) -> set[str]:
        """Return those of some keys that are scheduled at a site and not claimed."""
        return set(self.tokens(site, keys))

    def note_claims(self, site: Site) -> None:
        """Remember what is claimed of a site, in its order, for whoever goes on with it after a kill."""
        self.memory.keep(site, _CLAIMS, b"".join(dict.fromkeys([*site.claims, *site.again])))

    def recall_claims(self, site: Site) -> None:
        """Let what was claimed of a site before a kill be taken first."""
        tokens = self.memory.kept(site, _CLAIMS) if site.row.queued else None
        found = (tokens[place : place + TOKEN] for place in range(0, len(tokens), TOKEN)) if tokens else ()
        site.again = dict.fromkeys(found, "")

    def _schedule(self, site: Site, visit: Visit, times: int, *, place: int = 0) -> bytes:
        """Put a visit into its site's queue, behind those of its score or at the place it has among them.

        Returns its token."""
        place = place or self._next()
        part = visit.requisite
        queued = Queued(State.SCHEDULED, part, single(visit.score), times, visit.depth, site.id, place)
        token = queued.token
        self._urls.put(visit.identity.encode(), queued.pack())
        self._queue.put(token, encode_visit(visit))
        self._count(site, queued=1, requisite=part)
        if site.cursor and token < site.cursor:
            site.cursor = token
        return token

    def _wait(self, site: Site, visit: Visit, due: float) -> None:
        part = visit.requisite
        queued = Queued(State.WAITING, part, visit.score, 1, visit.depth, site.id, self._next(), int(due * 1000))
        self._urls.put(visit.identity.encode(), queued.pack())
        self._waiting.put(queued.token, SITE.pack(site.id) + encode_visit(visit))
        self._count(site, waiting=1, requisite=part)

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
        self._urls.put(visit.identity.encode(), queued._replace(score=score).pack())

    def _withdraw(self, queued: Queued) -> None:
        """Take a URL out of the queue, or from among those that wait."""
        scheduled = queued.state == State.SCHEDULED
        (self._queue if scheduled else self._waiting).delete(queued.token)
        site = self.by_id[queued.site]
        self._count(site, queued=-scheduled, waiting=scheduled - 1, requisite=queued.requisite)

    def _count(self, site: Site, *, queued: int = 0, waiting: int = 0, requisite: bool = False) -> None:
        site.row.queued += queued
        site.row.waiting += waiting
        site.row.requisites += queued + waiting if requisite else 0
        self.totals.queued += queued
        self.totals.waiting += waiting
        self._touched.add(site)

    def _waiting_visit(self, queued: Queued) -> Visit:
        """Return a visit that waits for its time."""
        stored = self._waiting.get(queued.token)
        assert stored is not None
        return decode_visit(stored[SITE.size :])
