"""Guides as the frontier sees them; and one whose calls are written down, so that another knows what it knew.

A guide decides by what it was told, in that order, and by a chance that begins alike. So what it knows survives the
death of any process at the price of a few bytes a call, written in the commit that makes them true; and from time to
time all that it knows is written at once, and the calls before are forgotten.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias
from zlib import crc32

import msgspec

from anansi.model import Ended, Link, Outcome, Visit
from anansi.state import PageHashes


class Guide(Protocol):
    """The plug of learning: chooses among the URLs of one site that is learned while it is crawled."""

    @property
    def pages(self) -> int:
        """Count the visits that it was told of."""
        ...

    @property
    def enough(self) -> bool:
        """Tell whether the site was seen enough: what is left stays queued for another crawl, and is not refused."""
        ...

    @property
    def needless(self) -> bool:
        """Tell whether nothing is to be chosen at the site: nothing comes twice there."""
        ...

    def offer(self, key: str, label: str) -> None:
        """Take notice of a URL that may be visited, and of where the link to it stands."""
        ...

    def next(self) -> str | None:
        """Return the key of the URL to visit now; None when there is none that is worth it."""
        ...

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        """Take in what a visit brought: what the page says, and which links, with labels, may be followed now."""
        ...

    def drop(self, key: str) -> None:
        """Forget that a URL was to be visited."""
        ...

    def why(self, key: str, label: str) -> str:
        """Say why a URL is not worth a visit, in words for people."""
        ...

    def pack(self) -> bytes:
        """Write what it knows, for one that goes on with the site."""
        ...


class _Offer(msgspec.Struct, frozen=True, array_like=True, tag=0):
    key: str
    label: str


class _Next(msgspec.Struct, frozen=True, array_like=True, tag=1):
    key: str | None
    """What it named then."""


class _Drop(msgspec.Struct, frozen=True, array_like=True, tag=2):
    key: str


class _Want(msgspec.Struct, frozen=True, array_like=True, tag=3):
    key: str


class _Learn(msgspec.Struct, frozen=True, array_like=True, tag=4):
    """What guides go by of a visit, and of the links of its page: key, anchor and label each."""

    key: str
    label: str
    page: bool
    said: PageHashes | None
    links: list[tuple[str, str, str]]


Call: TypeAlias = _Offer | _Next | _Drop | _Want | _Learn

_calls = msgspec.msgpack.Decoder(list[Call])


class _Whole(msgspec.Struct, frozen=True, array_like=True):
    """A guide as it is written at once."""

    asked: list[str]
    known: bytes
    told: bytes


class Recorded:
    """Passes calls on to a guide and writes them down.

    Mutable state: the guide's; `asked` (what it named and nobody told it the outcome of, in that order); `_fresh`
    (calls that are not written yet, emptied by `calls`); `_told` (links it was told of while a site is young, with
    where they stand, as hashes).
    """

    def __init__(self, guide: Guide, asked: Iterable[str] = (), told: bytes = b""):
        self.guide = guide
        self._told: set[int] = set(array("I", told))
        self.asked: dict[str, None] = dict.fromkeys(asked)
        self._fresh: list[Call] = []

    @property
    def pages(self) -> int:
        """Count the visits that it was told of."""
        return self.guide.pages

    @property
    def enough(self) -> bool:
        """Tell whether the site was seen enough."""
        return self.guide.enough

    def offer(self, key: str, label: str) -> None:
        """Take notice of a URL that may be visited."""
        self._fresh.append(_Offer(key, label))
        self.guide.offer(key, label)

    def next(self) -> str | None:
        """Return the key of the URL to visit now."""
        key = self.guide.next()
        self._fresh.append(_Next(key))
        if key is not None:
            self.asked[key] = None
        return key

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        """Take in what a visit brought."""
        found = [(link.key, link.anchor, label) for link, label in links]
        self._fresh.append(_Learn(visit.key, visit.label, outcome.page, outcome.said, found))
        self.asked.pop(visit.key, None)
        self.guide.learn(visit, outcome, links)

    def is_new(self, key: str, label: str) -> bool:
        """Tell whether it was not told before of a link that stands there."""
        told = crc32(f"{key} {label}".encode("utf-8", "surrogatepass"))
        if told in self._told:
            return False
        self._told.add(told)
        return True

    def drop(self, key: str) -> None:
        """Forget that a URL was to be visited."""
        self._fresh.append(_Drop(key))
        self.asked.pop(key, None)
        self.guide.drop(key)

    def want(self, key: str) -> None:
        """Remember that a URL which it named before, and which could not be had then, is due again."""
        self._fresh.append(_Want(key))
        self.asked[key] = None

    def why(self, key: str, label: str) -> str:
        """Say why a URL is not worth a visit."""
        return self.guide.why(key, label)

    def pack(self) -> bytes:
        """Write all that it knows at once; nothing for a guide that must be told everything again."""
        known = self.guide.pack()
        told = array("I", self._told).tobytes()
        return msgspec.msgpack.encode(_Whole(list(self.asked), known, told)) if known else b""

    def calls(self) -> bytes:
        """Write the calls since the last time, or nothing."""
        fresh, self._fresh = self._fresh, []
        return msgspec.msgpack.encode(fresh) if fresh else b""

    def hear(self, written: bytes) -> None:
        """Make calls once more that were written down."""
        for call in _calls.decode(written):
            self._make(call)
        self._fresh.clear()

    def _make(self, call: Call) -> None:
        match call:
            case _Offer(key, label):
                self.is_new(key, label)
                self.offer(key, label)
            case _Next(key):
                self._name(key)
            case _Drop(key):
                self.drop(key)
            case _Want(key):
                self.want(key)
            case _Learn(key, label, page, said, found):
                links = [(Link("", each, anchor=anchor), where) for each, anchor, where in found]
                outcome = Outcome(Ended.DONE, page=page, said=said)
                for each, _, where in found:
                    self.is_new(each, where)
                self.learn(Visit(key, key, label=label), outcome, links)

    def _name(self, key: str | None) -> None:
        """Have it name what it named then; another version of it may name something else, which waits on."""
        named = self.next()
        if named != key and named is not None:
            self.drop(named)
            self.offer(named, "")
        if key is not None:
            self.asked[key] = None


def made(make: Callable[[bytes | None], Guide], written: bytes | None) -> Recorded:
    """Make a guide that goes on with what another wrote by `pack`; with nothing if that cannot be read."""
    try:
        whole = msgspec.msgpack.decode(written, type=_Whole) if written else None
    except msgspec.DecodeError:
        whole = None
    return Recorded(make(whole.known), whole.asked, whole.told) if whole is not None else Recorded(make(None))
