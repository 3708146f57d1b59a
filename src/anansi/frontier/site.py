"""A site's part of the frontier: its registered domain, its queue and who visits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from anansi.frontier.corners import Corners
from anansi.model import Link, Outcome, Visit


class SiteRow(msgspec.Struct, array_like=True):
    """What is stored of a site."""

    name: str
    queued: int = 0
    """URLs scheduled, those now claimed included; waiting ones not."""
    waiting: int = 0
    requests: int = 0
    pages: int = 0
    bytes: int = 0
    not_before: float = 0.0
    """No request before this time (its delay, a Retry-After)."""


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


STRIKES: Final = 5
"""Faults in a row after which a host is given up for this run."""
REST: Final = 3600.0
"""Seconds that it is left alone then by who watches it."""


@dataclass(slots=True, eq=False)
class Site:
    """A site in memory.

    Mutable state: `row` (changed by the store, written with each commit); `cursor`, a lower bound of the queue keys
    that are not claimed (the store); everything else by the schedule alone.
    """

    id: int
    row: SiteRow
    cursor: bytes = b""
    claimed: int = 0
    lent: int = 0
    """How many of the claimed ones a worker has that is not the owner."""
    owner: int = -1
    """Worker that holds it now, or -1."""
    last_owner: int = -1
    """Worker that held it last: connections to it may still be open there."""
    addresses: tuple[str, ...] = ()
    offered: str = ""
    """IP address it waited for and was woken by; the next one that waits gets it if this one does not take it."""
    strikes: int = 0
    given_up: str = ""
    origins: set[str] = field(default_factory=set)
    """Where visits have been made in this run, kept only when workers may help each other."""
    corners: Corners | None = None
    """What came of its corners, once it was asked for."""
    guide: Guide | None = None
    """What chooses among its URLs while it is learned, once it was asked for."""
    taught: int = 0
    """Pages that the guide had been told of when what it knows was last written."""
    known: bool = False
    """Whether it need not be learned: its type is known, or nothing comes twice there."""
    listed: bool = False
    """Whether it stands in the schedule: in the heap or parked."""

    @property
    def unclaimed(self) -> int:
        """Count the URLs that could be claimed."""
        return self.row.queued - self.claimed

    def note_health(self, outcome: Outcome, *, patient: bool) -> None:
        """Count the faults in a row; after several the site is given up for this run, or left alone for a while."""
        if not outcome.strike:
            self.strikes = 0 if outcome.status > 0 else self.strikes
            return
        self.strikes += 1
        if self.strikes >= STRIKES and patient:
            self.strikes = 0
            self.row.not_before = max(self.row.not_before, outcome.started + REST)
        elif self.strikes >= STRIKES:
            self.given_up = outcome.fault or f"status {outcome.status}"
