"""What frontier, crawl.log and archive say of each capture, held against one another in bounded memory.

Each source makes claims, which are sorted by URL; under one URL stands then what all of them say of it.

| claim | says |
|---|---|
| kept | the archive holds a capture of the URL, of that second |
| held | so does an earlier run's part of it |
| hollow | it is a revisit record, and the payload that it refers to is not there |
| logged | crawl.log tells of one |
| settled | the frontier takes it for the last one |
| lost | `reports/lost.jsonl` tells that it is gone |
| named | a capture names this key as its URL's |
| known | the frontier knows the key, in that state |
| queued | the frontier has it queued under another key |
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from anansi.archive.layout import Collection
from anansi.archive.lines import REVISIT, About, Capture, timestamp
from anansi.archive.log import visits
from anansi.archive.lost import losses
from anansi.archive.record import uri, warc_date
from anansi.archive.segment import CDXJ
from anansi.archive.sort import Sorter, lines_of
from anansi.frontier.lifecycle import State
from anansi.frontier.record import Done
from anansi.frontier.store import Store
from anansi.model import Role, parted, role_of

KEPT, HELD, HOLLOW, LOGGED, SETTLED, LOST = b"kept", b"held", b"hollow", b"logged", b"settled", b"lost"
NAMED, KNOWN, QUEUED = b"named", b"known", b"queued"

_DUE: Final = frozenset(b'"%d"\n' % state for state in (State.SCHEDULED, State.WAITING))


class Kind(enum.Enum):
    """What can be wrong with a capture."""

    MISSING = "the frontier takes it for archived, but the archive does not hold it"
    HOLLOW = "its payload stands in another capture, which the archive does not hold"
    UNTRUE = "crawl.log tells of it, but the archive does not hold it"
    UNTOLD = "the archive holds it, but crawl.log does not tell of it"
    FORGOTTEN = "the archive holds it, but the frontier does not know its URL"
    DUE = "it was lost and is due again"
    GONE = "it was lost and could not be fetched again"
    UNSETTLED = "the archive holds it, but its visit did not end; it is due"


class Finding(NamedTuple):
    """What is wrong with one capture."""

    kind: Kind
    url: str
    at: str
    """Fourteen digits; empty for all captures of the URL."""
    key: str = ""
    """What the frontier knows the URL by, where it takes it for archived."""
    hops: str = ""
    unknown: bool = False
    """Whether the frontier does not know the URL, and nothing of it is kept."""


_Said = dict[bytes, dict[bytes, bytes]]
"""All that is said of one URL: claim → second → what belongs to it."""
_NOTHING: Final[dict[bytes, bytes]] = {}


def _findings(url: str, said: _Said) -> Iterator[Finding]:
    """Say what does not agree about a URL."""
    of = said.get
    kept, held, logged = of(KEPT, _NOTHING), of(HELD, _NOTHING), of(LOGGED, _NOTHING)
    if len(said) == 2 and kept and kept.keys() == logged.keys():  # most of what is compared
        return
    lost, hollow, settled = of(LOST, _NOTHING), of(HOLLOW, _NOTHING), of(SETTLED, _NOTHING)
    there = kept.keys() | held.keys()
    for at, key in settled.items():
        if not (at in there if at else there):
            yield Finding(Kind.MISSING, url, at.decode(), _text(key))
        elif at in hollow:
            yield Finding(Kind.HOLLOW, url, at.decode(), _text(key))
    for at in sorted(hollow.keys() - settled.keys() - lost.keys()):
        yield Finding(Kind.HOLLOW, url, at.decode())
    unknown = not (there or settled or KNOWN in said or QUEUED in said)
    for at in sorted(logged.keys() - there - lost.keys() - settled.keys()):
        hops = _text(logged[at])
        yield Finding(Kind.UNTRUE, url, at.decode(), hops=hops, unknown=unknown and not _is_robots(hops))
    for at in sorted(kept.keys() - logged.keys()):
        yield Finding(Kind.UNTOLD, url, at.decode())
    yield from _known(url, said, there - hollow.keys())


def _known(url: str, said: _Said, whole: AbstractSet[bytes]) -> Iterator[Finding]:
    """Say what the frontier does not know, and what became of what was lost, or kept by a visit that did not end."""
    named, known = said.get(NAMED), said.get(KNOWN, _NOTHING)
    if named and not known:
        address, _, hops = _text(next(iter(named.values()))).rpartition(" ")
        yield Finding(Kind.FORGOTTEN, address or url, "", url, hops)
    due = QUEUED in said or any(state in _DUE for state in known.values())
    if LOST in said and not whole:
        yield Finding(Kind.DUE if due else Kind.GONE, url, "")
    elif named and due and SETTLED not in said:
        yield Finding(Kind.UNSETTLED, url, "")


class _Line(msgspec.Struct):
    """What is read of a line of the index."""

    url: str
    digest: str = ""
    mime: str = ""


_decode: Final = msgspec.json.Decoder(_Line).decode


class Claims:
    """Claims of any number. Mutable state: the sorters and `_revisits`, filled by the methods that name a source."""

    def __init__(self, folder: Path):
        self._claims, self._payloads = Sorter(folder), Sorter(folder)
        self._revisits = False

    def capture(self, capture: Capture, about: About | None) -> None:
        """Take what the archive says, record by record."""
        at = timestamp(capture.date)
        self._keep(capture.url, at, capture.digest, revisit=capture.mime == REVISIT)
        if about is not None and not about.apart and not _is_robots(about.hops):
            self._add(about.key or capture.url, "", NAMED, f"{uri(capture.url)} {about.hops}")

    def segments(self, collection: Collection) -> None:
        """Take what the archive says from lines that are not in its index yet."""
        for path in sorted(collection.segments.glob(f"*.warc*{CDXJ}")):
            self._index(path, KEPT)

    def index(self, path: Path, *, earlier: bool = False) -> None:
        """Take what the archive says from its index; of an earlier run's captures nothing else is compared."""
        self._index(path, HELD if earlier else KEPT)

    def _index(self, path: Path, claim: bytes) -> None:
        for line in lines_of(path) if path.exists() else ():
            with suppress(ValueError, msgspec.MsgspecError):
                _, at, text = line.split(b" ", 2)
                told = _decode(text)
                self._keep(told.url, at.decode("ascii"), told.digest, revisit=told.mime == REVISIT, claim=claim)

    def log(self, path: Path, start: int = 0) -> None:
        """Take what crawl.log says, from an offset on."""
        for visit in visits(path, start) if path.exists() else ():
            if visit.status > 0 and visit.fetched:
                self._add(visit.url, visit.fetched, LOGGED, visit.hops)

    def losses(self, path: Path) -> int:
        """Take what was lost before; return how many captures that are."""
        count = 0
        for loss in losses(path):
            if loss.url:
                self._add(loss.url, loss.captured, LOST)
                count += 1
        return count

    def frontier(self, store: Store) -> None:
        """Take what the frontier says of every URL."""
        for key, state, done in store.histories():
            self._add(key, "", KNOWN, str(int(state)))
            if isinstance(done, Done) and state is not State.FAILED and done.status > 0:
                self._settle(key, done)
        for _, visit in store.everything():
            if visit.validators is not None:
                self._add(visit.url, second(visit.validators.date), SETTLED, visit.identity)
            if visit.url != visit.identity:
                self._add(visit.url, "", QUEUED)

    def findings(self) -> Iterator[Finding]:
        """Say what does not agree, URL by URL."""
        if self._revisits:
            self._find_hollow()
        for url, group in groupby(self._claims.sorted(), key=_first):
            said: _Said = {}
            for line in group:
                _, at, claim, more = line.split(b"\t")
                said.setdefault(claim, {})[at] = more
            yield from _findings(url.decode("utf-8", "replace"), said)

    def _find_hollow(self) -> None:
        """Claim of revisit records that no capture holds their payload."""
        for digest, group in groupby(self._payloads.sorted(), key=_first):
            captures = [line.rstrip(b"\n").split(b"\t") for line in group]
            if digest and all(len(each) > 2 for each in captures):
                for _, url, at in captures:
                    self._add(url.decode(), at.decode(), HOLLOW)

    def _keep(self, url: str, at: str, digest: str, *, revisit: bool, claim: bytes = KEPT) -> None:
        self._add(url, at, claim)
        self._revisits = self._revisits or revisit
        payload = f"{digest}\t{uri(url)}\t{at}\n" if revisit else f"{digest}\t\n"
        self._payloads.add(payload.encode("utf-8", "replace"))

    def _settle(self, key: str, done: Done) -> None:
        at = second(done.validators.date) if done.validators is not None else ""
        self._add(done.url or parted(key)[0], at, SETTLED, key)

    def _add(self, url: str, at: str, claim: bytes, more: str = "") -> None:
        told = json.dumps(more).encode() if more else b""
        line = b"%s\t%s\t%s\t%s\n" % (uri(url).encode("utf-8", "replace"), at.encode(), claim, told)
        self._claims.add(line)


def _first(line: bytes) -> bytes:
    return line[: line.index(b"\t")]


def _text(more: bytes) -> str:
    return str(json.loads(more)) if more.strip() else ""


def _is_robots(hops: str) -> bool:
    """Tell whether a hop path is that of robots.txt, which is asked for beside the frontier."""
    return role_of(hops) is Role.ROBOTS


def second(date: float) -> str:
    """Write a time as captures are told apart by it."""
    return timestamp(warc_date(date))
