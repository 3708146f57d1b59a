"""Repair: finish what a crawl that died left unfinished, and cut out what is damaged.

An exchange is kept record by record: a response whose request or metadata was torn is a valid capture. Every whole
record stays, also behind damage; bytes that are cut out or off are kept in `state/torn`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

from anansi.archive import lost
from anansi.archive.disk import guarded, replacing, sync_file, sync_folder
from anansi.archive.index import INDEXED, Indexer, Lines, Told, known_ends, lines_of_warc, renew, write_segments
from anansi.archive.layout import OPEN, Collection
from anansi.archive.reader import Damage, Ends, Record, inflates, is_gzipped, past_damage
from anansi.archive.segment import CDXJ, PAGES
from anansi.errors import DiskError

WARCINFO = "warcinfo"


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done to one file."""

    file: str
    """Its final name; a file that held nothing was removed."""
    records: int
    captures: int
    kept: int
    """Bytes."""
    torn: int
    """Bytes cut out or off."""
    saved: str = ""
    """Where the bytes that were cut off are kept, the first of several places."""
    reason: str = ""


@dataclass(slots=True)
class _Walk:
    """What of a file is whole. Mutable state, filled by `lines`."""

    path: Path
    ends: Ends
    told: Told | None = None
    records: int = 0
    captures: int = 0
    contents: int = 0
    """Records beside those that only say what the file is."""
    damages: list[Damage] = field(default_factory=list)

    def lines(self) -> Iterator[Lines]:
        """Yield the lines of the whole records."""
        indexer = Indexer(self.path.name.removesuffix(OPEN), self.told)

        def take(record: Record) -> Iterable[Lines]:
            lines = indexer.take(record)
            self.records += 1
            self.captures += record.kind in INDEXED
            self.contents += record.kind != WARCINFO
            return lines

        yield from past_damage(self.path, take, self.damages.append, ends=self.ends)
        yield from indexer.rest()


# ── files that were being written ────────────────────────────────────────────────────────────────────────────────


def repair(collection: Collection) -> list[Repair]:
    """Finish every WARC file that no living process writes, and its segments; call it before a crawl goes on."""
    collection.require()
    repairs = [done for path in collection.unfinished() if (done := _repair_unused(collection, path)) is not None]
    _clear(collection)
    return repairs


def _repair_unused(collection: Collection, path: Path) -> Repair | None:
    """Repair a file, unless a worker that outlived its crawl for a moment has it, or finishes it right now."""
    try:
        return _repair(collection, path)
    except DiskError:
        if path.exists():
            raise
        return None


def _repair(collection: Collection, path: Path) -> Repair | None:
    with guarded(path), path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        name = path.name.removesuffix(OPEN)
        walk = _Walk(path, cache(lambda: known_ends(collection, name)))
        write_segments(collection, name, walk.lines())
        # The order survives another crash: what is cut is safe before, the lines before the final name.
        saved = _cut(collection, path, file, walk.damages)
        if walk.damages[:-1] or (walk.damages and path.stat().st_size > walk.damages[-1].start):
            write_segments(collection, name, lines_of_warc(collection, path))  # records stand elsewhere now
        kept = path.stat().st_size
        if walk.contents:
            sync_file(path)  # whoever wrote it may have died before the disk had it
            path.rename(collection.archive / name)
        else:
            path.unlink()
            _forget_segments(collection, name)
        sync_folder(collection.archive)
    return _told(name, walk, kept, saved)


def _told(name: str, walk: _Walk, kept: int, saved: list[str]) -> Repair:
    torn = sum(damage.end - damage.start for damage in walk.damages)
    reason = walk.damages[0].reason if walk.damages else ""
    return Repair(name, walk.records, walk.captures, kept, torn, saved[0] if saved else "", reason)


def _forget_segments(collection: Collection, name: str) -> None:
    for suffix in (CDXJ, PAGES):
        (collection.segments / (name + suffix)).unlink(missing_ok=True)


# ── finished files ───────────────────────────────────────────────────────────────────────────────────────────────


def mend(collection: Collection, told: Told | None = None) -> list[Repair]:
    """Read every finished WARC file, cut out what is damaged, and make the indexes anew from what is whole.

    `told` hears of every capture.
    """
    with guarded(collection.segments):
        for suffix in (CDXJ, PAGES):
            for path in collection.segments.glob(f"*{suffix}"):
                path.unlink()
    repairs = [done for path in collection.warcs() if (done := _mend(collection, path, told)) is not None]
    renew(collection)
    return repairs


def _mend(collection: Collection, path: Path, told: Told | None) -> Repair | None:
    """Index a file; bytes that are no gzip member of any kind are cut out before."""
    walk = _Walk(path, cache(lambda: known_ends(collection, path.name)), told)
    write_segments(collection, path.name, walk.lines())
    if not walk.damages:
        return None
    walk.damages = [each for each in walk.damages if is_gzipped(path) and not inflates(path, each.start)]
    with guarded(path), path.open("r+b") as file:
        saved = _cut(collection, path, file, walk.damages)
        if path.stat().st_size:
            write_segments(collection, path.name, lines_of_warc(collection, path))
        else:
            path.unlink()
            _forget_segments(collection, path.name)
        kept = path.stat().st_size if path.exists() else 0
        sync_folder(collection.archive)
    return _told(path.name, walk, kept, saved) if walk.damages else None


# ── cutting ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _cut(collection: Collection, path: Path, file: BinaryIO, damages: list[Damage]) -> list[str]:
    """Take damaged bytes out of a file, after they were copied; return where they are kept."""
    saved = [_save(collection, path, damage) for damage in damages]
    size = os.fstat(file.fileno()).st_size
    if path.name.endswith(OPEN) and len(damages) == 1 and damages[0].end == size:
        # What a crash tore was not settled: nothing is lost with it.
        file.truncate(damages[0].start)
        os.fsync(file.fileno())
    elif damages:
        name = path.name.removesuffix(OPEN)
        lost.note(
            collection,
            (
                lost.Lost(
                    why=damage.reason, file=name, offset=damage.start, bytes=damage.end - damage.start, kept=where
                )
                for damage, where in zip(damages, saved, strict=True)
            ),
        )
        with replacing(path) as target, target.open("wb") as copy:
            for start, end in _between(damages, size):
                _copy(file, copy, start, end)
    return saved


def _between(damages: list[Damage], size: int) -> Iterator[tuple[int, int]]:
    """Yield what lies between damages."""
    start = 0
    for damage in damages:
        yield start, damage.start
        start = damage.end
    yield start, size


def _copy(source: BinaryIO, target: BinaryIO, start: int, end: int) -> None:
    source.seek(start)
    while start < end and (data := source.read(min(1 << 20, end - start))):
        target.write(data)
        start += len(data)


def _save(collection: Collection, path: Path, damage: Damage) -> str:
    """Copy what is about to be cut into the collection's state, and return where."""
    collection.torn.mkdir(parents=True, exist_ok=True)
    target = _unused(collection.torn / f"{path.name.removesuffix(OPEN)}.{damage.start}")
    with path.open("rb") as source, target.open("wb") as copy:
        _copy(source, copy, damage.start, damage.end)
        copy.flush()
        os.fsync(copy.fileno())
    return str(target)


def _unused(path: Path) -> Path:
    """Return a path that no file has: an earlier repair may have cut at the same place."""
    number, found = 1, path
    while found.exists():
        number, found = number + 1, path.with_name(f"{path.name}.{number}")
    return found


def _clear(collection: Collection) -> None:
    """Finish segments whose WARC file was finished without them, and remove what a crash left of a merge."""
    with guarded(collection.segments):
        segments = sorted(collection.segments.glob(f"*{OPEN}"))
        # Looked for after the segments, which are made after their WARC file: none of a living worker's is taken.
        unfinished = {path.name.removesuffix(OPEN) for path in collection.unfinished()}
        for path in segments:
            name = path.name.removesuffix(OPEN).removesuffix(CDXJ).removesuffix(PAGES)
            if name in unfinished:
                continue
            warc = collection.archive / name
            if warc.exists():
                write_segments(collection, name, lines_of_warc(collection, warc))
            path.unlink(missing_ok=True)
        _clear_orphans(collection)
        for path in collection.archive.glob("*.new"):
            path.unlink(missing_ok=True)
        for folder in (collection.index.parent, collection.pages.parent):
            for path in folder.glob(".merge-*"):
                shutil.rmtree(path, ignore_errors=True)
            for path in folder.glob("*.new"):
                path.unlink(missing_ok=True)


def _clear_orphans(collection: Collection) -> None:
    """Remove the lines of WARC files that are gone."""
    for suffix in (CDXJ, PAGES):
        for path in collection.segments.glob(f"*.warc*{suffix}"):
            name = path.name.removesuffix(suffix)
            if not any((collection.archive / each).exists() for each in (name, name + OPEN)):
                path.unlink(missing_ok=True)
