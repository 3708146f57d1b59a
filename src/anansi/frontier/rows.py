"""The rows of the frontier on disk: opened, read, written together.

Four column families:

    urls     canonical key → state byte + what that state needs (see `record`)
    queue    site · descending score · sequence number → visit        (the token of a claim is this key)
    waiting  due time · sequence number → site · visit
    meta     sites, counters, what workers remember about sites

All changes gather in one write batch (`rocks`); `commit` makes them durable together, so a page is never settled
without its links.

Mutable state: `_rocks` (changes not committed), `_sequence`, `totals`, the sites' rows, `_touched` (sites whose row
changed, emptied by `commit`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec

from anansi.errors import DamagedError
from anansi.frontier.lifecycle import State
from anansi.frontier.memory import Memory
from anansi.frontier.record import DUE, SITE, TOKEN_TAIL, Done, Queued, Refused, Totals, decode_visit, read_record
from anansi.frontier.rocks import DAMAGED, Family, Rocks
from anansi.frontier.site import Site, SiteRow
from anansi.model import Visit


class Rows:
    """What is known about the URLs of one collection, and about their sites."""

    def __init__(self, path: Path):
        self._rocks = Rocks(path, points=("urls",), ordered=("queue", "waiting", "meta"))
        self._urls, self._queue = self._rocks["urls"], self._rocks["queue"]
        self._waiting, self._meta = self._rocks["waiting"], self._rocks["meta"]
        self._touched: set[Site] = set()
        self.sites: dict[str, Site] = {}
        self.by_id: dict[int, Site] = {}
        self.totals = Totals()
        self.memory = Memory(self._meta, self._under)
        self._sequence = 0
        self._read_meta()

    def state(self, key: str) -> State | None:
        """Return the state of a URL, or None when it was never seen."""
        raw = self._urls.get(key.encode())
        return State(raw[0]) if raw else None

    def explain(self, key: str) -> Queued | Done | Refused | None:
        """Return all that is known about a URL."""
        raw = self._urls.get(key.encode())
        return read_record(raw) if raw else None

    def urls(self) -> Iterator[tuple[str, State]]:
        """Go through every URL ever seen, in byte order."""
        for key, value in self._scan(self._urls, b"\0"):
            yield key.decode(), State(value[0])

    def queued(self, site: Site) -> Iterator[Visit]:
        """Go through a site's queue, best score first."""
        for _, value in self._under(self._queue, SITE.pack(site.id)):
            yield decode_visit(value)

    def pending(self, site: Site) -> Iterator[Visit]:
        """Go through all that is left of a site: what is queued, then what waits."""
        yield from self.queued(site)
        prefix = SITE.pack(site.id)
        for _, value in self._scan(self._waiting, b"\0") if site.row.waiting else ():
            if value.startswith(prefix):
                yield decode_visit(value[len(prefix) :])

    def site(self, name: str) -> Site:
        """Return the site of that name, made now if need be."""
        site = self.sites.get(name)
        if site is None:
            site = Site(id=len(self.by_id) + 1, row=SiteRow(name=name))
            self.sites[name] = self.by_id[site.id] = site
            self._touched.add(site)
        return site

    def next_due(self) -> float | None:
        """Return when the next waiting URL falls due."""
        first = next(self._scan(self._waiting, b"\0"), None)
        return DUE.unpack(first[0])[0] / 1000 if first else None

    def commit(self) -> None:
        """Make everything since the last commit durable, all or nothing."""
        for site in self._touched:
            self._meta.put(b"site" + SITE.pack(site.id), msgspec.msgpack.encode(site.row))
        self._meta.put(b"sequence", TOKEN_TAIL.pack(self._sequence))
        self._meta.put(b"totals", msgspec.msgpack.encode(self.totals))
        self._touched.clear()
        self._rocks.commit()

    @property
    def merging(self) -> bool:
        """Tell whether RocksDB has work to do in the background."""
        return self._rocks.merging

    def sync(self) -> None:
        """Push the log to the disk itself, against power loss."""
        self._rocks.sync()

    def close(self) -> None:
        """Write everything and let the files go."""
        try:
            self.commit()
        finally:
            self._rocks.close()

    def _scan(self, family: Family, start: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Go through a family from a key on; a scan sees only what is committed, so all is committed first."""
        if self._rocks.pending:
            self.commit()
        return family.scan(start)

    def _under(self, family: Family, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Go through what a family holds under a prefix."""
        return itertools.takewhile(lambda row: row[0].startswith(prefix), self._scan(family, prefix))

    def _read_meta(self) -> None:
        self._sequence = TOKEN_TAIL.unpack(self._meta.get(b"sequence") or bytes(8))[0]
        try:
            if raw := self._meta.get(b"totals"):
                self.totals = msgspec.msgpack.decode(raw, type=Totals)
            for key, value in self._under(self._meta, b"site"):
                site = Site(id=SITE.unpack(key[4:])[0], row=msgspec.msgpack.decode(value, type=SiteRow))
                self.sites[site.row.name] = self.by_id[site.id] = site
        except msgspec.DecodeError as error:
            raise DamagedError(DAMAGED.format(error)) from None
