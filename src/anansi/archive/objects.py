"""Objects beside the WARC files: segments of N-Quads, append-only, each page whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from anansi.archive.disk import guarded, sync_folder, write_all
from anansi.archive.layout import OPEN, Collection
from anansi.archive.quads import END, Capture, nquads
from anansi.archive.record import warc_date
from anansi.errors import DiskError
from anansi.model import Recognition, Stated, WebObject

MAX_BYTES: Final = 64_000_000
"""Bytes of a segment, from which on another is begun."""
PIECE: Final = 8 << 20
"""Bytes read at a time; no page has more, unless someone wrote it to be so."""
LARGEST: Final = 256 << 20
"""Bytes of one page at most: 2,000 objects of the longest values are less."""

_SUFFIX: Final = ".nq"
_SERIALS: Final = 100_000


def folder(collection: Collection) -> Path:
    """Return the folder of the segments and the store."""
    return collection.root / "objects"


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


class ObjectLog:
    """Append the objects of pages to segments of a collection.

    Mutable state: `_waiting`, filled by `write` and emptied by `flush`; the open segment, its descriptor and size,
    and how much of it `unsynced` told of.
    Nothing reaches the disk before `flush`, so that no object stands there before its WARC record does: flush the
    WARC file first. When a write fails the segment is cut back, and what waited must be written again.
    """

    def __init__(self, collection: Collection, number: int, max_bytes: int = MAX_BYTES) -> None:
        self._folder = folder(collection)
        self._number = number
        self._max_bytes = max_bytes
        self._serial = 0
        self._waiting: list[bytes] = []
        self._path = Path()
        self._descriptor = -1
        self._size = 0
        self._told = 0

    def __repr__(self) -> str:
        return f"ObjectLog({self._path.name or 'no segment'}, {self._size} bytes, {len(self._waiting)} pages waiting)"

    def write(
        self,
        page_url: str,
        date: float,
        record_id: str,
        recognition: Recognition | None,
        objects: Sequence[WebObject],
        *,
        stated: Sequence[Stated] = (),
        again: bool = False,
        unless: Callable[[bytes], bool] | None = None,
    ) -> bool:
        """Take the objects of a page captured at `date` (seconds since the epoch), to be written by `flush`.

        `stated` are the numbers that it states of others. A page without both leaves nothing. With `again` it was
        read before, and this reading counts from now on; what `unless` says of its statements may speak against that.
        Return whether there is something to write.
        """
        if not objects and not stated:
            return False
        read = warc_date(time.time()) if again else ""
        statements = nquads(Capture(page_url, warc_date(date), record_id, recognition, read), objects, stated)
        if unless is not None and unless(statements):
            return False
        self._waiting.append(statements)
        return True

    def flush(self) -> None:
        """Give everything to the operating system."""
        if not self._waiting:
            return
        data = b"".join(self._waiting)
        self._waiting.clear()
        with guarded(self._folder):
            if self._descriptor < 0:
                self._open()
            try:
                write_all(self._descriptor, data)
            except OSError:
                os.ftruncate(self._descriptor, self._size)
                os.lseek(self._descriptor, self._size, os.SEEK_SET)
                raise
        self._size += len(data)
        if self._size >= self._max_bytes:
            self._finish()

    def unsynced(self) -> list[Path]:
        """Return the segment, if something was flushed to it since this was asked last that the disk may not have."""
        if self._descriptor < 0 or self._size == self._told:
            return []
        self._told = self._size
        return [self._path]

    def close(self) -> None:
        """Write what waits and give the segment its final name, safe on the disk."""
        self.flush()
        if self._descriptor >= 0:
            self._finish()

    def abandon(self) -> None:
        """Let go of the segment without finishing it; a repair finishes it later."""
        self._waiting.clear()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime())
        for _ in range(_SERIALS):
            name = f"objects-{stamp}-{self._number:03d}-{self._serial:05d}{_SUFFIX}"
            self._serial = (self._serial + 1) % _SERIALS
            path = self._folder / (name + OPEN)
            try:
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            except FileExistsError:
                continue
            # A repair that runs beside this crawl sees that the file is in use.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not (self._folder / name).exists():
                self._path, self._descriptor, self._size, self._told = path, descriptor, 0, 0
                return
            os.close(descriptor)
            path.unlink()
        raise FileExistsError(errno.EEXIST, "every segment name of this second is taken")

    def _finish(self) -> None:
        with guarded(self._path):
            os.fsync(self._descriptor)
            self._path.rename(_final(self._path))
            os.close(self._descriptor)
            sync_folder(self._folder)
        self._descriptor = -1


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole pages of a segment."""

    data: bytes
    end: int
    """The offset in the segment that follows them."""


def segments(collection: Collection) -> list[Path]:
    """List the segments by their final names, those being written included."""
    where = folder(collection)
    names = [*where.glob(f"*{_SUFFIX}"), *where.glob(f"*{_SUFFIX}{OPEN}")] if where.is_dir() else []
    return sorted({_final(path) for path in names})


def pieces(segment: Path, start: int = 0, size: int = PIECE) -> Iterator[Piece]:
    """Read a segment, finished or not, from an offset on, in pieces of about `size` bytes.

    What a crash or a writer at work left incomplete at the end is not returned.
    """
    with guarded(segment), _opened(segment) as file:
        finished = not str(file.name).endswith(OPEN)
        file.seek(start)
        rest = b""
        while chunk := file.read(size):
            data = rest + chunk
            end = last_end(data) or (data.rfind(b"\n") + 1 if len(data) > LARGEST else 0)
            if end:
                start += end
                yield Piece(data[:end], start)
            rest = data[end:]
        end = rest.rfind(b"\n") + 1
        if finished and end:
            yield Piece(rest[:end], start + end)


def last_end(data: bytes) -> int:
    """Return where the last whole page in some lines ends; 0 when there is none."""
    where = len(data)
    while (where := data.rfind(END, 0, where)) >= 0:
        begins = data.rfind(b"\n", 0, where) + 1
        ends = data.find(b"\n", where) + 1
        if ends and data.startswith(b"<", begins) and b" " not in data[begins:where]:  # not quoted in someone's text
            return ends
    return 0


def _opened(segment: Path) -> BinaryIO:
    """Open a segment, which may be given its final name at this moment."""
    for path in (segment, segment.with_name(segment.name + OPEN)):
        try:
            return path.open("rb")
        except FileNotFoundError:
            continue
    return segment.open("rb")


# ── repair ───────────────────────────────────────────────────────────────────────────────────────────────────────


def repair(collection: Collection) -> int:
    """Finish the segments that no living process writes, without their incomplete ends; return the bytes cut off."""
    where = folder(collection)
    return sum(_repair(path) for path in sorted(where.glob(f"*{_SUFFIX}{OPEN}"))) if where.is_dir() else 0


def _repair(path: Path) -> int:
    try:
        with guarded(path), path.open("r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 0
            size = os.fstat(file.fileno()).st_size
            end = max((piece.end for piece in pieces(_final(path))), default=0)
            file.truncate(end)
            os.fsync(file.fileno())
            if end:
                path.rename(_final(path))
            else:
                path.unlink()
            return size - end
    except DiskError:
        if path.exists():
            raise
        return 0  # a worker that outlived its crawl finished it at this moment


def _final(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(OPEN))
