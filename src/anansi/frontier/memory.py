"""What workers learned about sites, and facts about the whole crawl: small values that outlive whoever wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from anansi.frontier.rocks import Family
from anansi.frontier.site import Site

PAGES = "pages"
"""The name under which the number of pages of a site stands that were visited."""

_ADDED, _SUMMED = b"read", b"summ"

Under = Callable[[Family, bytes], Iterator[tuple[bytes, bytes]]]
"""Goes through what a family holds under a prefix, changes not committed included."""


class Memory:
    """A few rows of the family `meta`; they become durable with the store's next commit."""

    def __init__(self, family: Family, under: Under):
        self._family, self._under = family, under

    def remember(self, site: Site, name: str, value: bytes) -> None:
        """Keep what a worker learned about a site, for whichever worker holds it next."""
        self._family.put(_place(site) + name.encode(), value)

    def recall(self, site: Site) -> dict[str, bytes]:
        """Return all that workers learned about a site, and how many of its pages they have seen."""
        place = _place(site)
        learned = {key[len(place) :].decode(): value for key, value in self._under(self._family, place)}
        return learned | {PAGES: str(site.row.pages).encode()}

    def recalled(self, site: Site, name: str) -> bytes | None:
        """Return one thing that was learned about a site."""
        return self._family.get(_place(site) + name.encode())

    def forget(self, site: Site, name: str) -> None:
        """Forget one thing that was learned about a site."""
        self._family.delete(_place(site) + name.encode())

    def keep(self, site: Site, name: str, value: bytes) -> None:
        """Keep what the frontier itself learned about a site; workers do not hear of it."""
        self._family.put(_own_place(site) + name.encode(), value)

    def kept(self, site: Site, name: str) -> bytes | None:
        """Return one thing that `keep` kept."""
        return self._family.get(_own_place(site) + name.encode())

    def drop(self, site: Site, name: str) -> None:
        """Forget one thing that `keep` kept."""
        self._family.delete(_own_place(site) + name.encode())

    def add(self, number: int, value: bytes) -> None:
        """Keep one more of a series of values, by its number."""
        self._family.put(_ADDED + number.to_bytes(8), value)

    def added(self) -> Iterator[tuple[int, bytes]]:
        """Go through the series, in its order, as (number, value)."""
        for key, value in self._under(self._family, _ADDED):
            yield int.from_bytes(key[len(_ADDED) :]), value

    def sum_up(self, values: Iterable[bytes]) -> None:
        """Keep what the series amounts to, in place of it and of what was kept so before."""
        for prefix in (_ADDED, _SUMMED):
            for key in [key for key, _ in self._under(self._family, prefix)]:
                self._family.delete(key)
        for number, value in enumerate(values):
            self._family.put(_SUMMED + number.to_bytes(8), value)

    def summed_up(self) -> Iterator[bytes]:
        """Go through what `sum_up` kept, in its order."""
        return (value for _, value in self._under(self._family, _SUMMED))

    def note(self, name: str, values: list[str]) -> None:
        """Keep a fact about the whole crawl."""
        self._family.put(b"note" + name.encode(), msgspec.msgpack.encode(values))

    def noted(self, name: str) -> list[str]:
        """Return a fact kept by `note`, or nothing."""
        found = self._family.get(b"note" + name.encode())
        return msgspec.msgpack.decode(found, type=list[str]) if found else []


def _place(site: Site) -> bytes:
    return b"know" + site.id.to_bytes(4)


def _own_place(site: Site) -> bytes:
    return b"keep" + site.id.to_bytes(4)
