"""Every URL and every queue on disk, in RocksDB.

Four column families:

    urls     canonical key → state byte + what that state needs (see `record`)
    queue    site · descending score · sequence number → visit        (the token of a claim is this key)
    waiting  due time · sequence number → site · visit
    meta     sites, counters, what workers remember about sites

A queue key holds the score, so a new score is one delete and one put: O(log n), as ARCOMEM 4.4 asks.
All changes gather in one write batch; `commit` makes them durable together, so a page is never settled without
its links. RocksDB's log survives the death of the process at any instant.

Mutable state: `_batch` and `_fresh` (this batch's changes, so that it reads its own writes), `_sequence`, `totals`,
the sites' rows, `claimed` (token → visit as stored, filled by `take`, emptied by `settle`, `release`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from rocksdict import (
    BlockBasedOptions,
    Cache,
    DBCompressionType,
    Options,
    Rdict,
    WriteBatch,
)

from anansi.errors import DamagedError, DiskError
from anansi.frontier.lifecycle import Event, State, after
from anansi.frontier.priority import Update, clamp, descending
from anansi.frontier.record import (
    Done,
    Queued,
    Refused,
    Totals,
    decode_visit,
    encode_visit,
    pack_queued,
    read_queued,
    read_record,
)
from anansi.frontier.site import Site, SiteRow
from anansi.model import Ended, Outcome, Reason, Skip, Visit

CACHE_BYTES = 96 << 20  # measured by bench/frontier.py: 10 M URLs keep 0.9 of the rates at 1 M; re-run when changed
BUFFER_BYTES = 16 << 20

_SITE = struct.Struct(">I")
_TOKEN_TAIL = struct.Struct(">Q")
_DUE = struct.Struct(">QQ")
_END = b"\xff" * 16


class Store:
    """The URLs of one collection on disk."""

    def __init__(self, path: Path, update: Update):
        self._update = update
        self._db, self._urls, self._queue, self._waiting, self._meta = _open(path)
        self._handles = {
            name: self._db.get_column_family_handle(name) for name in ("urls", "queue", "waiting", "meta")
        }
        self._batch = WriteBatch(raw_mode=True)
        self._fresh: dict[bytes, bytes] = {}
        self._touched: set[Site] = set()
        self.claimed: dict[bytes, bytes] = {}
        self.sites: dict[str, Site] = {}
        self.by_id: dict[int, Site] = {}
        self.totals = Totals()
        self._sequence = 0
        self._read_meta()

    # ── verbs ────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, visits: Iterable[tuple[str, Visit]]) -> int:
        """Schedule what is new, rescore what is scheduled; return how many were new. Takes (site, visit) pairs."""
        pairs = list(visits)
        known = self._lookup([visit.key.encode() for _, visit in pairs])
        new = 0
        for (site, visit), raw in zip(pairs, known, strict=True):
            # a key may stand twice in one batch: the first one's record is already in `_fresh`
            raw = self._fresh.get(visit.key.encode(), raw) if not raw else raw
            if not raw:
                self._schedule(self.site(site), visit, times=1)
                new += 1
            elif raw[0] == State.SCHEDULED:
                self._find_again(visit, read_queued(raw))
            elif raw[0] == State.SKIPPED:
                new += self._reconsider(site, visit, raw)
        return new

    def refuse(self, skip: Skip) -> bool:
        """Remember that a URL will not be fetched and why; return whether that is news."""
        key = skip.key.encode()
        raw = self._get(key)
        state = State(raw[0]) if raw else State.NEW
        if state is State.SKIPPED or after(state, Event.REFUSE) is not State.SKIPPED:
            return False
        if raw and state is State.SCHEDULED:
            queued = read_queued(raw)
            if queued.token in self.claimed:
                return False
            self._delete("queue", queued.token)
            self._count(self.by_id[queued.site], queued=-1)
        if raw and state is State.WAITING:
            queued = read_queued(raw)
            self._delete("waiting", queued.token)
            self._count(self.by_id[queued.site], waiting=-1)
        self._put_url(key, Refused(reason=skip.reason, detail=skip.detail).pack())
        self.totals.skip(skip.reason)
        return True

    def take(self, site: Site, most: int) -> list[tuple[bytes, bytes]]:
        """Claim up to `most` of a site's URLs, best score first, as (token, stored visit)."""
        taken: list[tuple[bytes, bytes]] = []
        prefix = _SITE.pack(site.id)
        for token, value in self._scan(self._queue, site.cursor or prefix):
            if len(taken) == most or not token.startswith(prefix):
                break
            if token not in self.claimed:
                self.claimed[token] = value
                taken.append((token, value))
        if taken:
            site.cursor = taken[-1][0]
        site.claimed += len(taken)
        return taken

    def settle(self, token: bytes, outcome: Outcome, now: float, revisit_after: float | None = None) -> Visit | None:
        """Record how a claimed visit ended; return the visit, or None when the claim is no longer held."""
        stored = self.claimed.pop(token, None)
        if stored is None:
            return None
        visit = decode_visit(stored)
        site = self.by_id[_SITE.unpack_from(token)[0]]
        site.claimed -= 1
        self._delete("queue", token)
        self._count(site, queued=-1)
        self._settle_as(outcome, visit, site, now, revisit_after)
        return visit

    def _settle_as(
        self, outcome: Outcome, visit: Visit, site: Site, now: float, revisit_after: float | None
    ) -> None:
        key = visit.key.encode()
        if outcome.ended in (Ended.RETRY, Ended.DEFER):
            attempt = visit.attempt + (outcome.ended == Ended.RETRY)
            self._wait(site, msgspec.structs.replace(visit, attempt=attempt), now + outcome.wait)
        elif outcome.ended == Ended.SKIPPED:
            self._put_url(key, Refused(reason=outcome.reason, detail=outcome.detail).pack())
            self.totals.skip(outcome.reason)
        elif outcome.ended == Ended.FAILED:
            self._put_url(key, Done.of(visit, outcome, site.id, now).pack(State.FAILED))
        elif revisit_after is not None and outcome.ended == Ended.DONE:
            again = msgspec.structs.replace(visit, attempt=0, validators=outcome.validators)
            self._wait(site, again, now + revisit_after)
        else:
            self._put_url(key, Done.of(visit, outcome, site.id, now).pack(State.DONE))
        self.account(site, outcome)

    def account(self, site: Site, outcome: Outcome) -> None:
        """Count what a visit cost and brought."""
        row = site.row
        row.requests += outcome.requests
        row.pages += outcome.page
        row.bytes += outcome.size
        self._touched.add(site)
        self.totals.add(outcome)

    def finish(self, site: Site, visit: Visit, outcome: Outcome, now: float) -> None:
        """Record a visit that was made without a claim (its capture was found in the archive)."""
        raw = self._get(visit.key.encode())
        if raw and raw[0] == State.SCHEDULED:
            self._delete("queue", read_queued(raw).token)
            self._count(self.by_id[read_queued(raw).site], queued=-1)
        self._put_url(visit.key.encode(), Done.of(visit, outcome, site.id, now).pack(State.DONE))
        self.account(site, outcome)

    def release(self, tokens: Iterable[bytes]) -> None:
        """Give claimed URLs back: they are due again."""
        for token in tokens:
            if self.claimed.pop(token, None) is not None:
                site = self.by_id[_SITE.unpack_from(token)[0]]
                site.claimed -= 1
                site.cursor = min(site.cursor, token)

    def fall_due(self, now: float, most: int = 10_000) -> list[Site]:
        """Move waiting URLs whose time has come to their queues; return the sites concerned."""
        sites: dict[int, Site] = {}
        moved = 0
        for token, value in self._scan(self._waiting, b"\0"):
            if moved == most or _DUE.unpack(token)[0] > now * 1000:
                break
            site = self.by_id[_SITE.unpack_from(value)[0]]
            self._delete("waiting", token)
            self._count(site, waiting=-1)
            self._schedule(site, decode_visit(value[4:]), times=1)
            sites[site.id] = site
            moved += 1
        if moved:
            self.commit()
        return list(sites.values())

    def next_due(self) -> float | None:
        """Return when the next waiting URL falls due."""
        first = next(self._scan(self._waiting, b"\0"), None)
        return _DUE.unpack(first[0])[0] / 1000 if first else None

    def commit(self) -> None:
        """Make everything since the last commit durable, all or nothing."""
        for site in self._touched:
            self._batch.put(b"site" + _SITE.pack(site.id), msgspec.msgpack.encode(site.row), self._handles["meta"])
        self._batch.put(b"sequence", _TOKEN_TAIL.pack(self._sequence), self._handles["meta"])
        self._batch.put(b"totals", msgspec.msgpack.encode(self.totals), self._handles["meta"])
        batch, self._batch = self._batch, WriteBatch(raw_mode=True)
        self._touched.clear()
        self._fresh.clear()
        _translated(self._db.write, batch)

    # ── what stands where ────────────────────────────────────────────────────────────────────────────────────

    def state(self, key: str) -> State | None:
        """Return the state of a URL, or None when it was never seen."""
        raw = self._get(key.encode())
        return State(raw[0]) if raw else None

    def explain(self, key: str) -> Queued | Done | Refused | None:
        """Return all that is known about a URL."""
        raw = self._get(key.encode())
        return read_record(raw) if raw else None

    def urls(self) -> Iterator[tuple[str, State]]:
        """Go through every URL ever seen, in byte order."""
        for key, value in self._scan(self._urls, b"\0"):
            yield key.decode(), State(value[0])

    def queued(self, site: Site) -> Iterator[Visit]:
        """Go through a site's queue, best score first."""
        prefix = _SITE.pack(site.id)
        for token, value in self._scan(self._queue, prefix):
            if not token.startswith(prefix):
                return
            yield decode_visit(value)

    def site(self, name: str) -> Site:
        """Return the site of that name, made now if need be."""
        site = self.sites.get(name)
        if site is None:
            site = Site(id=len(self.by_id) + 1, row=SiteRow(name=name))
            self.sites[name] = self.by_id[site.id] = site
            self._touched.add(site)
        return site

    def remember(self, site: Site, name: str, value: bytes) -> None:
        """Keep what a worker learned about a site, for whichever worker holds it next."""
        self._batch.put(b"know" + _SITE.pack(site.id) + name.encode(), value, self._handles["meta"])

    def recall(self, site: Site) -> dict[str, bytes]:
        """Return all that workers learned about a site."""
        prefix = b"know" + _SITE.pack(site.id)
        found: dict[str, bytes] = {}
        for key, value in self._scan(self._meta, prefix):
            if not key.startswith(prefix):
                break
            found[key[len(prefix) :].decode()] = value
        return found

    def note(self, name: str, value: bytes) -> None:
        """Keep a fact about the whole crawl."""
        self._batch.put(b"note" + name.encode(), value, self._handles["meta"])

    def noted(self, name: str) -> bytes | None:
        """Return a fact kept by `note`."""
        value: bytes | None = self._meta.get(b"note" + name.encode())
        return value

    def reopen(self, key: str) -> None:
        """Let a URL that answered with a redirect be discovered anew (it asked for a cookie, which we have now)."""
        raw = self._get(key.encode())
        if raw is None or raw[0] != State.DONE:
            return
        done = read_record(raw)
        if isinstance(done, Done) and 300 <= done.status < 400:
            self._fresh[key.encode()] = b""
            self._delete("urls", key.encode())

    def rescore(self, key: str, score: float) -> bool:
        """Give a scheduled URL a new score; return whether it was scheduled."""
        raw = self._get(key.encode())
        if raw is None or raw[0] != State.SCHEDULED:
            return False
        queued = read_queued(raw)
        if queued.token not in self.claimed:
            self._move(queued, key.encode(), clamp(score), queued.times)
        return True

    def recrawl(self) -> int:
        """Schedule every URL that was visited once more, with what is needed for conditional requests."""
        count = 0
        for key, raw in self._scan(self._urls, b"\0"):
            if after(State(raw[0]), Event.RECRAWL) is State.SCHEDULED:
                done = read_record(raw)
                assert isinstance(done, Done)
                self._schedule(self.by_id[done.site], done.visit(key.decode()), times=1)
                count += 1
                if count % 1000 == 0:
                    self.commit()
        self.commit()
        return count

    def sync(self) -> None:
        """Push the log to the disk itself, against power loss."""
        _translated(self._db.flush_wal, True)

    def close(self) -> None:
        """Write everything and let the files go."""
        self.commit()
        _translated(self._db.flush)
        for family in (self._urls, self._queue, self._waiting, self._meta, self._db):
            family.close()

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────

    def _schedule(self, site: Site, visit: Visit, times: int) -> None:
        self._sequence += 1
        score = visit.score
        token = _SITE.pack(site.id) + descending(score) + _TOKEN_TAIL.pack(self._sequence)
        self._put_url(visit.key.encode(), pack_queued(State.SCHEDULED, score, times, visit.depth, token))
        self._batch.put(token, encode_visit(visit), self._handles["queue"])
        self._count(site, queued=1)
        if site.cursor and token < site.cursor:
            site.cursor = token

    def _wait(self, site: Site, visit: Visit, due: float) -> None:
        self._sequence += 1
        token = _DUE.pack(int(due * 1000), self._sequence)
        record = pack_queued(State.WAITING, visit.score, 1, visit.depth, token, site.id)
        self._put_url(visit.key.encode(), record)
        self._batch.put(token, _SITE.pack(site.id) + encode_visit(visit), self._handles["waiting"])
        self._count(site, waiting=1)

    def _find_again(self, visit: Visit, queued: Queued) -> None:
        if queued.token in self.claimed:
            return
        score = self._update(queued.score, queued.times, visit.score)
        nearer = visit.depth < queued.depth
        if score != queued.score or nearer:
            self._move(queued, visit.key.encode(), score, queued.times + 1, visit if nearer else None)
        elif self._update(0.0, 1, 1.0) == 0.5:  # AVG weighs by how often a URL was found
            record = pack_queued(State.SCHEDULED, score, queued.times + 1, queued.depth, queued.token)
            self._put_url(visit.key.encode(), record)

    def _move(self, queued: Queued, key: bytes, score: float, times: int, nearer: Visit | None = None) -> None:
        """Put a scheduled URL at the place its new score gives it."""
        if nearer is None:
            stored = self._stored_visit(queued.token)
            nearer = msgspec.structs.replace(decode_visit(stored), score=score)
        else:
            nearer = msgspec.structs.replace(nearer, score=score)
        site = self.by_id[queued.site]
        self._delete("queue", queued.token)
        self._count(site, queued=-1)
        assert nearer.key.encode() == key
        self._schedule(site, nearer, times)

    def _stored_visit(self, token: bytes) -> bytes:
        stored: bytes | None = self._queue.get(token)
        if stored is None:  # scheduled in this very batch
            self.commit()
            stored = self._queue.get(token)
        assert stored is not None
        return stored

    def _reconsider(self, site: str, visit: Visit, raw: bytes) -> int:
        """Schedule a URL that only the hop limit had kept out, now that a shorter way was found."""
        refused = read_record(raw)
        if not isinstance(refused, Refused) or refused.reason != Reason.HOPS:
            return 0
        self.totals.unskip(refused.reason)
        self._schedule(self.site(site), visit, times=1)
        return 1

    def _lookup(self, keys: list[bytes]) -> list[bytes | None]:
        found: list[bytes | None] = _translated(self._urls.__getitem__, keys) if keys else []
        if self._fresh:
            return [self._fresh.get(key, value) for key, value in zip(keys, found, strict=True)]
        return found

    def _get(self, key: bytes) -> bytes | None:
        return self._fresh[key] if key in self._fresh else _translated(self._urls.get, key)

    def _put_url(self, key: bytes, value: bytes) -> None:
        self._fresh[key] = value
        self._batch.put(key, value, self._handles["urls"])

    def _delete(self, family: str, key: bytes) -> None:
        self._batch.delete(key, self._handles[family])

    def _count(self, site: Site, *, queued: int = 0, waiting: int = 0) -> None:
        site.row.queued += queued
        site.row.waiting += waiting
        self.totals.queued += queued
        self.totals.waiting += waiting
        self._touched.add(site)

    @staticmethod
    def _scan(family: Rdict, start: bytes) -> Iterator[tuple[bytes, bytes]]:
        cursor = family.iter()
        cursor.seek(start)
        while cursor.valid():
            yield cursor.key(), cursor.value()
            cursor.next()

    def _read_meta(self) -> None:
        self._sequence = _TOKEN_TAIL.unpack(self._meta.get(b"sequence") or bytes(8))[0]
        raw = self._meta.get(b"totals")
        try:
            if raw:
                self.totals = msgspec.msgpack.decode(raw, type=Totals)
            for key, value in self._scan(self._meta, b"site"):
                if not key.startswith(b"site"):
                    break
                site = Site(id=_SITE.unpack(key[4:])[0], row=msgspec.msgpack.decode(value, type=SiteRow))
                self.sites[site.row.name] = self.by_id[site.id] = site
        except msgspec.DecodeError as error:
            raise DamagedError(_CURE.format(error)) from None


_CURE = "the frontier in state/ cannot be read ({}); `anansi check DIR --repair` rebuilds it from the archive"


def _open(path: Path) -> tuple[Rdict, Rdict, Rdict, Rdict, Rdict]:
    cache = Cache(CACHE_BYTES)
    point, ordered = _options(cache, point=True), _options(cache, point=False)
    families = {"urls": point, "queue": ordered, "waiting": ordered, "meta": ordered}
    path.mkdir(parents=True, exist_ok=True)
    db = _translated(lambda: Rdict(str(path), options=ordered, column_families=families))
    return (db, *(db.get_column_family(name) for name in families))  # type: ignore[return-value]


def _options(cache: Cache, *, point: bool) -> Options:
    table = BlockBasedOptions()
    table.set_block_cache(cache)
    table.set_cache_index_and_filter_blocks(True)
    table.set_pin_l0_filter_and_index_blocks_in_cache(True)
    table.set_block_size(8 << 10)
    if point:
        table.set_bloom_filter(10, False)
    options = Options(raw_mode=True)
    options.create_if_missing(True)
    options.create_missing_column_families(True)
    options.set_block_based_table_factory(table)
    options.set_compression_type(DBCompressionType.lz4())
    options.set_bottommost_compression_type(DBCompressionType.zstd())
    options.set_write_buffer_size(BUFFER_BYTES)
    options.set_max_background_jobs(2)
    options.set_level_compaction_dynamic_level_bytes(True)
    options.set_keep_log_file_num(2)
    options.set_max_total_wal_size(64 << 20)
    if not point:  # a queue is eaten from its head: compact away runs of deletions, or claims get slow
        options.add_compact_on_deletion_collector_factory(4096, 2048, 0.5)
    return options


def _translated(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call RocksDB; what it raises (a bare Exception with text) becomes an error of ours."""
    try:
        return call(*arguments)
    except Exception as error:
        text = str(error)
        if "No space left" in text:
            raise DiskError("the disk is full; free some space and run the same command again: nothing was lost") from None
        if "Read-only" in text or "Permission denied" in text:
            raise DiskError(f"the collection's state/ cannot be written: {text}") from None
        if "lock" in text.lower() and "Resource temporarily" in text:
            raise DiskError("another process holds this collection's frontier; stop it first") from None
        raise DamagedError(_CURE.format(text)) from None
