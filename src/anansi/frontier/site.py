"""A site's part of the frontier: its registered domain, its queue and who visits it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import msgspec

from anansi.frontier.corners import Corners
from anansi.frontier.guide import Recorded
from anansi.model import Outcome


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
    requisites: int = 0
    """Parts of pages among those scheduled and waiting."""
    content: int = 0
    """Pages that turned out to be content."""
    lost: int = 0
    """Content that lists would have told of that broke off, and that was not found otherwise since."""


STRIKES: Final = 5
"""Faults in a row after which a host is given up for this run."""
REST: Final = 3600.0
"""Seconds that it is left alone then by who watches it."""


@dataclass(slots=True, eq=False)
class Site:
    """A site in memory.

    Mutable state: `row` (changed by the store, written with each commit); `cursor`, a lower bound of the queue keys
    that are not claimed, and `claims` (the store); everything else by the schedule alone.
    """

    id: int
    row: SiteRow
    cursor: bytes = b""
    claims: dict[bytes, None] = field(default_factory=dict)
    """Tokens of what is claimed, in the order of the claims."""
    again: dict[bytes, str] = field(default_factory=dict)
    """Token → key of visits whose worker, or hub, was lost: they are made before all others, in their order."""
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
    guide: Recorded | None = None
    """What chooses among its URLs while it is learned, once it was asked for."""
    taught: int = 0
    """Pages that the guide had been told of when all that it knows was last written."""
    calls: int = 0
    """Rows of calls of the guide written since."""
    looked_up: bool = False
    """Whether it is known if a guide of it is on disk."""
    led: bool = False
    """Whether a guide chooses among its URLs, in memory or resting on disk."""
    known: bool = False
    """Whether it need not be learned: its type is known, or nothing comes twice there."""
    listed: bool = False
    """Whether it stands in the schedule: in the heap or parked."""

    @property
    def claimed(self) -> int:
        """Count the URLs that are claimed."""
        return len(self.claims)

    @property
    def unclaimed(self) -> int:
        """Count the URLs that could be claimed."""
        return self.row.queued - self.claimed

    def note_health(self, outcome: Outcome, now: float, *, patient: bool) -> None:
        """Count the faults in a row; after several the site is given up for this run, or left alone for a while."""
        if not outcome.strike:
            self.strikes = 0 if outcome.status > 0 else self.strikes
            return
        self.strikes += 1
        if self.strikes >= STRIKES and patient:
            self.strikes = 0
            self.row.not_before = max(self.row.not_before, now + REST)
        elif self.strikes >= STRIKES:
            self.given_up = outcome.fault or f"status {outcome.status}"
