"""RocksDB: column families that change together, and what can go wrong with them in words of ours.

Changes gather in one write batch and are read back at once; `commit` makes them durable, all or nothing.
RocksDB's log survives the death of the process at any instant. Once `hold` is called, what is committed waits here:
RocksDB gets nothing before `seal` and `write`, between which the caller makes sure of what must be on the disk first.
The operating system may write RocksDB's log back before any other file.

Mutable state: `batch` and the families' `fresh` (the same changes twice: for the disk, and to be read before they
are there), `_sealed` and the families' `sealed` (those on their way to RocksDB), both also by what their keys begin
with (`_fresh_groups`, `_sealed_groups`), `_held` (told of commits that wait),
`_failed` (the error of a commit that did not succeed: no later one may, or half of the changes would be missing).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from heapq import heapify, heappop
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rocksdict import AccessType, BlockBasedOptions, Cache, DBCompressionType, Options, Rdict, WriteBatch

from anansi.errors import AnansiError, CollectionError, DamagedError, DiskError

CACHE_BYTES = 32 << 20  # data blocks only; 96 MB read no faster at 10 M URLs: re-run bench/frontier.py when changed
BUFFER_BYTES = 32 << 20

_MERGING = ("rocksdb.num-running-flushes", "rocksdb.num-running-compactions", "rocksdb.compaction-pending")

DAMAGED = "the frontier in state/ cannot be read ({}); `anansi check DIR --repair` rebuilds it from the archive"
_FULL = "the disk is full ({}); free some space and run the same command again: nothing was lost"
_REFUSED = (
    "the collection's state/ cannot be written ({}); mend that and run the same command again: nothing was lost"
)
_NAMELESS = "the name of the collection's folder is not UTF-8 ({}); choose another"
_HELD = "another process holds this collection's frontier ({}); stop it first"

# RocksDB raises bare exceptions; only the text says what happened
_MEANINGS: tuple[tuple[str, type[AnansiError], str], ...] = (
    ("No space left", DiskError, _FULL),
    ("Disk quota exceeded", DiskError, _FULL),
    ("File too large", DiskError, _REFUSED),
    ("Read-only file system", DiskError, _REFUSED),
    ("Permission denied", DiskError, _REFUSED),
    ("Input/output error", DiskError, _REFUSED),
    ("Too many open files", DiskError, _REFUSED),
    ("Writer has previous error", DiskError, _REFUSED),  # it says what was wrong to the first who wrote only
    ("/LOCK: ", CollectionError, _HELD),
    ("surrogates not allowed", CollectionError, _NAMELESS),
)


def translated(call: Callable[..., Any], *arguments: Any) -> Any:
    """Call RocksDB; what it raises becomes an error of ours."""
    try:
        return call(*arguments)
    except Exception as error:
        raise _meaning(str(error)) from None


def _meaning(text: str) -> AnansiError:
    for mark, kind, words in _MEANINGS:
        if mark in text:
            return kind(words.format(text))
    return DamagedError(DAMAGED.format(text))


class Family:
    """One column family, with the changes that are not committed yet.

    A scan under a prefix of `width` bytes or more looks only at changes whose keys begin so: with thousands of sites
    there are tens of thousands of changes, and a scan a site.
    """

    def __init__(self, owner: Rocks, stored: Rdict, handle: Any, width: int = 0):
        self._owner, self._stored, self._handle, self._width = owner, stored, handle, width
        self.fresh: dict[bytes, bytes | None] = {}
        self.sealed: dict[bytes, bytes | None] = {}
        self.version = 0
        """Changes so far."""
        self._fresh_groups: dict[bytes, list[bytes]] = {}
        self._sealed_groups: dict[bytes, list[bytes]] = {}

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key."""
        for changes in (self.fresh, self.sealed):
            if key in changes:
                return changes[key]
        found: bytes | None = translated(self._stored.get, key)
        return found

    def get_all(self, keys: list[bytes]) -> list[bytes | None]:
        """Return the values of many keys, much faster than one by one."""
        found: list[bytes | None] = translated(self._stored.__getitem__, keys) if keys else []
        for changes in (self.sealed, self.fresh):
            if changes:
                found = [changes.get(key, value) for key, value in zip(keys, found, strict=True)]
        return found

    def put(self, key: bytes, value: bytes) -> None:
        """Give a key a value."""
        self._change(key, value)
        self._owner.batch.put(key, value, self._handle)

    def delete(self, key: bytes) -> None:
        """Remove a key."""
        self._change(key, None)
        self._owner.batch.delete(key, self._handle)

    def _change(self, key: bytes, value: bytes | None) -> None:
        if self._width and key not in self.fresh:
            self._fresh_groups.setdefault(key[: self._width], []).append(key)
        self.fresh[key] = value
        self.version += 1

    def seal(self) -> None:
        """Let the changes up to now be the next to be written."""
        self.sealed, self.fresh = self.fresh, {}
        self._sealed_groups, self._fresh_groups = self._fresh_groups, {}

    def written(self) -> None:
        """Let go of what was sealed: RocksDB has it."""
        self.sealed, self._sealed_groups = {}, {}

    def scan(self, start: bytes, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Go through what begins with a prefix in byte order, from a key on, as it stands when this begins."""
        start = max(start, prefix)
        changes = self._changes(start, prefix)
        cursor = self._stored.iter()
        cursor.seek(start)
        while cursor.valid() and (key := cursor.key()).startswith(prefix):
            while changes and changes[0][0] < key:
                yield from _there(heappop(changes))
            if changes and changes[0][0] == key:
                yield from _there(heappop(changes))
            else:
                yield key, cursor.value()
            cursor.next()
        translated(cursor.status)  # a block that cannot be read ends the scan, too
        while changes:
            yield from _there(heappop(changes))

    def _changes(self, start: bytes, prefix: bytes) -> list[tuple[bytes, bytes | None]]:
        """Make a heap of the changes under a prefix, from a key on, that RocksDB does not know of."""
        fresh, sealed = self.fresh, self.sealed
        young: Iterable[bytes] = fresh
        old: Iterable[bytes] = sealed
        if self._width and len(prefix) >= self._width:
            group = prefix[: self._width]
            young, old = self._fresh_groups.get(group, ()), self._sealed_groups.get(group, ())
        changes = [(key, fresh[key]) for key in young if key >= start and key.startswith(prefix)]
        changes += [(key, sealed[key]) for key in old if key >= start and key not in fresh and key.startswith(prefix)]
        heapify(changes)
        return changes

    @property
    def merging(self) -> bool:
        """Tell whether tables of the family are being written or merged, or wait for that."""
        return any(translated(self._stored.property_int_value, name) for name in _MERGING)

    def close(self) -> None:
        """Let the family go; its handle alone would keep the whole database open."""
        self._handle = None
        translated(self._stored.close)


class Rocks:
    """A database of a few column families."""

    def __init__(
        self,
        path: Path,
        points: Iterable[str],
        ordered: Iterable[str],
        *,
        widths: Mapping[str, int] | None = None,
        writable: bool = True,
    ):
        """Open or make it; `points` are families that are looked up by key, `ordered` those that are gone through.

        The changes of a family that has a width are grouped by as many bytes of their keys. One that is not writable
        must be there, and nothing in its folder is changed.
        """
        cache = Cache(CACHE_BYTES)
        by_point, by_order = _options(cache, point=True), _options(cache, point=False)
        families = dict.fromkeys(points, by_point) | dict.fromkeys(ordered, by_order)
        self._view = None if writable else TemporaryDirectory(prefix="anansi-frontier-")
        if self._view is None:
            translated(lambda: path.mkdir(parents=True, exist_ok=True))
        else:
            path = translated(_view, path, Path(self._view.name))
        access = AccessType.read_write() if writable else AccessType.read_only()
        self._db = translated(lambda: Rdict(str(path), by_order, families, access_type=access))
        self.batch = WriteBatch(raw_mode=True)
        self._sealed: WriteBatch | None = None
        self._held: Callable[[], None] | None = None
        self._failed: AnansiError | None = None
        self._families = {name: self._family(name, (widths or {}).get(name, 0)) for name in families}

    def __getitem__(self, name: str) -> Family:
        return self._families[name]

    def __repr__(self) -> str:
        return f"Rocks({', '.join(f'{name}: {len(each.fresh)} changes' for name, each in self._families.items())})"

    def _family(self, name: str, width: int) -> Family:
        return Family(self, self._db.get_column_family(name), self._db.get_column_family_handle(name), width)

    @property
    def pending(self) -> int:
        """Count the changes that RocksDB does not know of."""
        return sum(len(family.fresh) + len(family.sealed) for family in self._families.values())

    @property
    def merging(self) -> bool:
        """Tell whether tables are being written or merged in the background, or wait for that."""
        return any(family.merging for family in self._families.values())

    def commit(self) -> None:
        """Make all changes durable, all or nothing; while they are held, tell that they wait."""
        if self._failed is not None:
            raise self._failed
        if self._held is not None:
            self._held()
            return
        self.seal()
        self.write()

    def hold(self, told: Callable[[], None] | None) -> None:
        """Hold back what is committed from now on, and tell of each commit; None ends it."""
        self._held = told

    @property
    def holding(self) -> bool:
        """Tell whether what is committed is held back."""
        return self._held is not None

    def seal(self) -> None:
        """Let the changes up to now be the next to be written; what comes later waits for the next time."""
        assert self._sealed is None
        self._sealed, self.batch = self.batch, WriteBatch(raw_mode=True)
        for family in self._families.values():
            family.seal()

    def write(self) -> None:
        """Give RocksDB what was sealed, if anything was."""
        if self._sealed is None:
            return
        batch, self._sealed = self._sealed, None
        try:
            translated(self._db.write, batch)
        except AnansiError as error:
            self._failed = error
            raise
        for family in self._families.values():
            family.written()

    def sync(self) -> None:
        """Push the log to the disk itself, against power loss."""
        translated(self._db.flush_wal, True)

    def close(self) -> None:
        """Write the tables and let the files go, each of them whatever the disk says about another."""
        with ExitStack() as closing:
            closing.callback(translated, self._db.close)
            for family in self._families.values():
                closing.callback(family.close)
            if self._view is None:
                translated(self._db.flush)
            else:
                closing.callback(self._view.cleanup)


def _view(path: Path, folder: Path) -> Path:
    """Show a database's files in another folder: to read one, too, its configuration and its messages are written."""
    for file in path.iterdir():
        if file.suffix == ".json":
            shutil.copyfile(file, folder / file.name)
        elif not file.name.startswith(("LOG", "LOCK")):
            (folder / file.name).symlink_to(file.absolute())
    return folder


def _there(change: tuple[bytes, bytes | None]) -> Iterator[tuple[bytes, bytes]]:
    """Yield a change that put something there."""
    key, value = change
    if value is not None:
        yield key, value


def _options(cache: Cache, *, point: bool) -> Options:
    table = BlockBasedOptions()
    table.set_block_cache(cache)
    # filters stay out of the cache: above 2 M URLs one does not fit a shard of it and would be read at every look-up
    table.set_cache_index_and_filter_blocks(False)
    table.set_block_size(4 << 10)
    table.set_bloom_filter(10, False)
    options = Options(raw_mode=True)
    options.create_if_missing(True)
    options.create_missing_column_families(True)
    options.set_block_based_table_factory(table)
    # what is looked up link by link is not compressed: 118 bytes a URL in all instead of 71, and a tenth faster
    options.set_compression_type(DBCompressionType.none() if point else DBCompressionType.lz4())
    options.set_write_buffer_size(BUFFER_BYTES)
    options.set_memtable_whole_key_filtering(True)
    options.set_memtable_prefix_bloom_ratio(0.05)
    options.set_max_background_jobs(2)
    options.set_level_compaction_dynamic_level_bytes(True)
    options.set_keep_log_file_num(2)
    options.set_max_total_wal_size(64 << 20)
    if not point:  # a queue is eaten from its head: compact away runs of deletions, or claims get slow
        options.add_compact_on_deletion_collector_factory(4096, 2048, 0.5)
    return options
