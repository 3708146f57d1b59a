"""A site's part of the frontier: its registered domain, its queue and who visits it."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from anansi.frontier.corners import Corners


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
    listed: bool = False
    """Whether it stands in the schedule: in the heap or parked."""

    @property
    def unclaimed(self) -> int:
        """Count the URLs that could be claimed."""
        return self.row.queued - self.claimed
