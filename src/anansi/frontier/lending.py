"""Visits that a worker makes of a site that another one holds."""

from __future__ import annotations

from collections.abc import Iterable

from anansi.frontier.site import Site


class Lending:
    """Knows who has what. Mutable state: `_guests` (token → worker), and how much of each site is lent."""

    def __init__(self) -> None:
        self._guests: dict[bytes, tuple[int, Site]] = {}

    def lend(self, worker: int, site: Site, tokens: Iterable[bytes]) -> None:
        """Let a worker have visits of a site that it does not hold."""
        for token in tokens:
            self._guests[token] = worker, site
            site.lent += 1

    def end(self, token: bytes) -> None:
        """Take notice that a visit was made or given back, if it was lent."""
        _, site = self._guests.pop(token, (-1, None))
        if site is not None:
            site.lent -= 1

    def guest(self, token: bytes) -> int | None:
        """Return the worker that a visit is lent to, if it is."""
        found = self._guests.get(token)
        return found[0] if found is not None else None

    def to(self, worker: int) -> list[bytes]:
        """List what is lent to a worker."""
        return [token for token, (guest, _) in self._guests.items() if guest == worker]
