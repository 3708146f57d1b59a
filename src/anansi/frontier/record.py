"""How the frontier's facts look on disk: the first byte of a URL's record is its state."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple, Self

import msgspec

from anansi.errors import DamagedError
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import descending
from anansi.frontier.rocks import DAMAGED
from anansi.model import Outcome, Role, Validators, Visit
from anansi.state import Watched

_SCHEDULED = struct.Struct(">B?fHHIQ")  # state, requisite, score, times found, depth, site, sequence number
_WAITING = struct.Struct(">B?fHHIQQ")  # the same, and the due time in milliseconds
DUE = struct.Struct(">QQ")
SITE = struct.Struct(">I")
TOKEN_TAIL = struct.Struct(">Q")
_NOT_DUE = (0,)

_encode = msgspec.msgpack.Encoder().encode
_visit_decoder = msgspec.msgpack.Decoder(Visit)


class Queued(NamedTuple):
    """A URL that is scheduled or waiting."""

    state: int
    """A `State` without its name, which costs more than all the rest."""
    requisite: bool
    score: float
    times: int
    depth: int
    site: int
    sequence: int
    due: int = 0

    @property
    def token(self) -> bytes:
        """The key under which it stands in the queue, or among those that wait."""
        if self.state == State.SCHEDULED:
            return token_of(self.site, self.score, self.sequence, requisite=self.requisite)
        return DUE.pack(self.due, self.sequence)

    def pack(self) -> bytes:
        """Write the record; of the token only what the rest does not tell."""
        state, requisite, score, times, depth, site, sequence, due = self
        known = state, requisite, score, min(times, 65535), min(depth, 65535), site, sequence
        return _SCHEDULED.pack(*known) if state == State.SCHEDULED else _WAITING.pack(*known, due)


REQUISITE = b"\0"
_PAGE = b"\1"
SCORE = slice(5, 9)
"""Where the score stands in a token."""


def token_of(site: int, score: float, sequence: int, *, requisite: bool = False) -> bytes:
    """Return the key of a scheduled URL in the queue: what pages need comes before pages."""
    return site.to_bytes(4) + (REQUISITE if requisite else _PAGE) + descending(score) + sequence.to_bytes(8)


def read_queued(raw: bytes) -> Queued:
    """Read the record of a scheduled or waiting URL."""
    try:
        return Queued._make(
            _SCHEDULED.unpack(raw) + _NOT_DUE if len(raw) == _SCHEDULED.size else _WAITING.unpack(raw)
        )
    except struct.error:
        raise DamagedError(DAMAGED.format("another version of Anansi wrote it")) from None


def encode_visit(visit: Visit) -> bytes:
    """Write a visit in short: no URL when it equals the key, no origin for a page or seed on the same host."""
    key = visit.key
    end = key.find("/", 8)  # behind the scheme's slashes
    if end < 0:
        return _encode(visit)
    origin, via, seed = key[: end + 1], visit.via, visit.seed
    return _encode(
        msgspec.structs.replace(
            visit,
            url="" if visit.url == key else visit.url,
            via=via[end:] if via.startswith(origin) else via,
            seed=seed[end:] if seed.startswith(origin) else seed,
        )
    )


def with_score(raw: bytes, score: float) -> bytes:
    """Return a visit, as it is written, with another score."""
    return _encode(msgspec.structs.replace(_visit_decoder.decode(raw), score=score))


def nearer(visit: Visit, way: Visit) -> Visit:
    """Return a visit on the way by which it was found again; as a page, where it was part of one."""
    role = visit.role if not visit.requisite else Role.PAGE if way.corner else way.role
    return msgspec.structs.replace(visit, hops=way.hops, depth=way.depth, role=role, via=way.via, seed=way.seed)


def decode_visit(raw: bytes) -> Visit:
    """Read a visit."""
    visit = _visit_decoder.decode(raw)
    via, seed = visit.via, visit.seed
    if visit.url and via[:1] != "/" and seed[:1] != "/":
        return visit
    origin = visit.key[: visit.key.find("/", 8)]
    return msgspec.structs.replace(
        visit,
        url=visit.url or visit.key,
        via=origin + via if via[:1] == "/" else via,
        seed=origin + seed if seed[:1] == "/" else seed,
    )


class Done(msgspec.Struct, frozen=True, array_like=True):
    """A URL that was visited, with what a later visit needs."""

    site: int
    status: int
    when: float
    hops: str = ""
    depth: int = 0
    role: Role = Role.PAGE
    url: str = ""
    fault: str = ""
    validators: Validators | None = None
    tries: int = 0
    """Other addresses of the same key that were tried before."""
    watched: Watched | None = None

    @classmethod
    def of(cls, visit: Visit, outcome: Outcome, site: int, now: float) -> Self:
        """Keep of a visit what is worth keeping."""
        return cls(
            site=site,
            status=outcome.status,
            when=round(now, 3),
            hops=visit.hops,
            depth=visit.depth,
            role=visit.role,
            url=visit.url if visit.url != visit.key else "",
            fault=outcome.fault,
            validators=outcome.validators,
            tries=visit.tries,
            watched=outcome.watched,
        )

    @property
    def failed(self) -> bool:
        """Tell whether no answer was had."""
        return self.fault != ""

    def pack(self, state: State) -> bytes:
        """Write the record."""
        return bytes((state,)) + _encode(self)

    def visit(self, key: str) -> Visit:
        """Return the visit that fetches the URL anew."""
        return Visit(
            url=self.url or key,
            key=key,
            hops=self.hops,
            depth=self.depth,
            role=self.role,
            validators=self.validators,
            watched=self.watched,
        )


class Refused(msgspec.Struct, frozen=True, array_like=True):
    """A URL that will not be fetched."""

    reason: str
    detail: str = ""
    never: bool = False
    """Whether nothing that is learned of its kind makes it worth a visit."""

    def pack(self) -> bytes:
        """Write the record."""
        return bytes((State.SKIPPED,)) + _encode(self)


_READERS: dict[State, Any] = {
    State.DONE: msgspec.msgpack.Decoder(Done),
    State.FAILED: msgspec.msgpack.Decoder(Done),
    State.MISSING: msgspec.msgpack.Decoder(Done),
    State.SKIPPED: msgspec.msgpack.Decoder(Refused),
}


def read_record(raw: bytes) -> Queued | Done | Refused:
    """Read a URL's record, whatever its state."""
    state = State(raw[0])
    if state in (State.SCHEDULED, State.WAITING):
        return read_queued(raw)
    record: Done | Refused = _READERS[state].decode(raw[1:])
    return record


class Totals(msgspec.Struct):
    """What was counted since the collection began; the numbers of `summary.json`."""

    requests: int = 0
    requisites: int = 0
    """Requests for parts of pages, among the others."""
    pages: int = 0
    bytes: int = 0
    retries: int = 0
    duplicates: int = 0
    failed: int = 0
    queued: int = 0
    waiting: int = 0
    seconds: float = 0.0
    statuses: dict[str, int] = {}
    skipped: dict[str, int] = {}
    faults: dict[str, int] = {}

    def add(self, outcome: Outcome, *, requisite: bool = False) -> None:
        """Count one settled visit."""
        self.requests += outcome.requests
        self.requisites += outcome.requests if requisite else 0
        self.pages += outcome.page
        self.bytes += outcome.size
        self.retries += outcome.ended == "retry"
        self.duplicates += outcome.duplicate
        self.failed += outcome.ended == "failed"
        if outcome.status > 0:
            self.statuses[str(outcome.status)] = self.statuses.get(str(outcome.status), 0) + 1
        if outcome.fault:
            self.faults[outcome.fault] = self.faults.get(outcome.fault, 0) + 1

    def skip(self, reason: str) -> None:
        """Count one URL that will not be fetched."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def unskip(self, reason: str) -> None:
        """Take back a skip."""
        self.skipped[reason] -= 1
