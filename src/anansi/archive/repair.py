"""Repair: finish what a crawl that died left unfinished.

An exchange is kept record by record: a response whose request or metadata was torn is a valid capture.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from anansi.archive.disk import guarded, sync_folder
from anansi.archive.index import INDEXED, Indexer, Lines, lines_before_damage, write_segments
from anansi.archive.layout import OPEN, Collection
from anansi.archive.reader import records
from anansi.archive.segment import CDXJ, PAGES
from anansi.errors import DamagedError, DiskError


@dataclass(frozen=True, slots=True)
class Repair:
    """What was done to one file."""

    file: str
    """Its final name; a file that held no capture was removed."""
    records: int
    captures: int
    kept: int
    """Bytes."""
    torn: int
    """Bytes cut off."""
    saved: str = ""
    """Where the bytes that were cut off are kept."""
    reason: str = ""


@dataclass(slots=True)
class _Walk:
    """How far a file is whole. Mutable state, filled by `lines`."""

    path: Path
    records: int = 0
    captures: int = 0
    end: int = 0
    reason: str = ""

    def lines(self) -> Iterator[Lines]:
        """Yield the lines of the whole records; stop at the first that is not whole."""
        indexer = Indexer(self.path.name.removesuffix(OPEN))
        try:
            for record in records(self.path):
                yield from indexer.take(record)
                self.records += 1
                self.captures += record.kind in INDEXED
                self.end = record.offset + record.length
        except DamagedError as error:
            self.reason = str(error)
        yield from indexer.rest()


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
        walk = _Walk(path)
        write_segments(collection, name, walk.lines())
        torn = os.fstat(file.fileno()).st_size - walk.end
        saved = _save_tail(collection, path, walk.end) if torn else ""
        # The order survives another crash: the tail is safe before it is cut, the lines before the final name.
        file.truncate(walk.end)
        os.fsync(file.fileno())
        if walk.captures:
            path.rename(collection.archive / name)
        else:
            path.unlink()
            for suffix in (CDXJ, PAGES):
                (collection.segments / (name + suffix)).unlink(missing_ok=True)
        sync_folder(collection.archive)
    return Repair(name, walk.records, walk.captures, walk.end, torn, saved, walk.reason)


def _save_tail(collection: Collection, path: Path, start: int) -> str:
    """Copy what is about to be cut off into the collection's state, and return where."""
    collection.torn.mkdir(parents=True, exist_ok=True)
    target = collection.torn / f"{path.name.removesuffix(OPEN)}.{start}"
    with path.open("rb") as source, target.open("wb") as copy:
        source.seek(start)
        shutil.copyfileobj(source, copy, 1 << 20)
        copy.flush()
        os.fsync(copy.fileno())
    return str(target)


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
                write_segments(collection, name, lines_before_damage(warc))
            path.unlink(missing_ok=True)
        for folder in (collection.index.parent, collection.pages.parent):
            for path in folder.glob(".merge-*"):
                shutil.rmtree(path, ignore_errors=True)
            for path in folder.glob("*.new"):
                path.unlink(missing_ok=True)
