"""What a crawl asks of whoever fetches, whatever it fetches with.

`start` takes a visit and calls back once: with the page that the visit brought, which says itself what the web did
wrong (a `Fault`, a `Cut`), or with what the disk said. A page holds the exchange that it is read from and, where
loading it took more, the others, each with a visit of its own. All of them are bytes as they came over the wire.
`tests/fetch/test_contract.py` holds every implementation to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from anansi.errors import DiskError
from anansi.model import Page, Visit

Done = Callable[[Page], None]
Failed = Callable[[DiskError], None]


class Fetch(Protocol):
    """The plug for fetching: visit → page."""

    def start(self, visit: Visit, done: Done, failed: Failed) -> None:
        """Begin a visit now, or when there is room; call back later, never from here, and once."""

    @property
    def busy(self) -> int:
        """Count the visits under way or waiting for room."""

    def close(self) -> None:
        """Drop everything; visits under way are forgotten, and nobody is called back."""
