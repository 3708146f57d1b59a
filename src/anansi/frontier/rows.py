"""The rows of the frontier on disk: opened, read, written together.

Four column families:

    urls     canonical key → state byte + what that state needs (see `record`)
    queue    site · requisite or page · descending score · sequence number → visit  (the token of a claim)
    waiting  due time · sequence number → site · visit
    meta     sites, counters, what workers remember about sites

All changes gather in one write batch (`rocks`); `commit` makes them durable together, so a page is never settled
without its links. While a crawl runs they are held back until what they tell of is on the disk (`crawl.commits`).

Mutable state: `_rocks` (changes not committed), `_sequence`, `totals`, the sites' rows, `_touched` (sites whose row
changed, emptied by `commit`), `_next_due` (at which change of what waits, and when).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from anansi.errors import DamagedError
from anansi.frontier.lifecycle import State
from anansi.frontier.memory import Memory
from anansi.frontier.record import DUE, SITE, TOKEN_TAIL, Done, Queued, Refused, Totals, decode_visit, read_record
from anansi.frontier.rocks import DAMAGED, Family, Rocks
from anansi.frontier.site import Site, SiteRow
from anansi.model import Visit

FORMAT = b"2"
"""Raised when records are written in another way: what another version wrote is refused, and rebuilt by a repair."""
WIDTHS = {"queue": SITE.size, "meta": 4 + SITE.size}
"""Bytes of keys that tell the site: a queue is read by site, and so is what is remembered."""


class Rows:
    """What is known about the URLs of one collection, and about their sites."""

    def __init__(self, path: Path, *, writable: bool = True):
        self._writable = writable
        ordered = ("queue", "waiting", "meta")
        self._rocks = Rocks(path, points=("urls",), ordered=ordered, widths=WIDTHS, writable=writable)
        self._urls, self._queue = self._rocks["urls"], self._rocks["queue"]
        self._waiting, self._meta = self._rocks["waiting"], self._rocks["meta"]
        self._touched: set[Site] = set()
        self._next_due: tuple[int, float | None] = -1, None
        self.sites: dict[str, Site] = {}
        self.by_id: dict[int, Site] = {}
        self.totals = Totals()
        self.memory = Memory(self._meta, self._under)
        self._sequence = 0
        self.before_commit: Callable[[], None] = lambda: None
        """Adds to a commit what was not written as it came."""
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
        """Go through every URL ever seen by its identity, in byte order."""
        for key, value in self._scan(self._urls, b"\0"):
            yield key.decode(), State(value[0])

    def histories(self) -> Iterator[tuple[str, State, Done | Refused | None]]:
        """Go through every URL ever seen, with what is kept of its last visit, or why it was refused."""
        for key, value in self._scan(self._urls, b"\0"):
            state = State(value[0])
            record = read_record(value) if state not in (State.SCHEDULED, State.WAITING) else None
            yield key.decode(), state, None if isinstance(record, Queued) else record

    def miscounted(self) -> Iterator[str]:
        """Name the sites whose queues do not hold what is counted."""
        queued: Counter[int] = Counter()
        waiting: Counter[int] = Counter()
        for token, _ in self._scan(self._queue, b"\0"):
            queued[SITE.unpack_from(token)[0]] += 1
        for _, value in self._scan(self._waiting, b"\0"):
            waiting[SITE.unpack_from(value)[0]] += 1
        for site in self.by_id.values():
            if (site.row.queued, site.row.waiting) != (queued.pop(site.id, 0), waiting.pop(site.id, 0)):
                yield site.row.name
        for identity in queued.keys() | waiting.keys():
            yield f"site {identity}, which is not known"

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
        """Return when the next waiting URL falls due; it is looked for when something changed."""
        version, due = self._next_due
        if version != self._waiting.version:
            first = next(self._scan(self._waiting, b"\0"), None)
            due = DUE.unpack(first[0])[0] / 1000 if first else None
            self._next_due = self._waiting.version, due
        return due

    def commit(self) -> None:
        """Make everything since the last commit durable, all or nothing."""
        if not self._rocks.holding:  # `seal` does it, for many commits at once
            self._put_rows()
        self._rocks.commit()

    def _put_rows(self) -> None:
        self.before_commit()
        for site in self._touched:
            self._meta.put(b"site" + SITE.pack(site.id), msgspec.msgpack.encode(site.row))
        self._meta.put(b"format", FORMAT)
        self._meta.put(b"sequence", TOKEN_TAIL.pack(self._sequence))
        self._meta.put(b"totals", msgspec.msgpack.encode(self.totals))
        self._touched.clear()

    def hold(self, told: Callable[[], None] | None) -> None:
        """Hold back from the disk what is committed from now on, and tell of each commit; None ends it."""
        self._rocks.hold(told)

    def seal(self) -> None:
        """Let all that changed up to now be the next to be written."""
        self._put_rows()
        self._rocks.seal()

    def write(self) -> None:
        """Give what was sealed to RocksDB, whose log may reach the disk at any moment from now on."""
        self._rocks.write()

    @property
    def held(self) -> int:
        """Count the changes that wait in memory."""
        return self._rocks.pending

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
            if self._writable:
                self.commit()
        finally:
            self._rocks.close()

    def _scan(self, family: Family, start: bytes, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Go through a family from a key on; what is read back goes to the disk first, unless it is held back."""
        if self._rocks.pending and not self._rocks.holding:
            self.commit()
        return family.scan(start, prefix)

    def _under(self, family: Family, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Go through what a family holds under a prefix."""
        return self._scan(family, prefix, prefix)

    def _read_meta(self) -> None:
        written = self._meta.get(b"totals") is not None
        if written and self._meta.get(b"format") != FORMAT:
            self._rocks.close()
            raise DamagedError(DAMAGED.format("another version of Anansi wrote it"))
        self._sequence = TOKEN_TAIL.unpack(self._meta.get(b"sequence") or bytes(8))[0]
        try:
            if raw := self._meta.get(b"totals"):
                self.totals = msgspec.msgpack.decode(raw, type=Totals)
            for key, value in self._under(self._meta, b"site"):
                site = Site(id=SITE.unpack(key[4:])[0], row=msgspec.msgpack.decode(value, type=SiteRow))
                self.sites[site.row.name] = self.by_id[site.id] = site
        except msgspec.DecodeError as error:
            raise DamagedError(DAMAGED.format(error)) from None
