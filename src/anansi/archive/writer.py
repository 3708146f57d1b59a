"""WARC files being written: exchanges in, numbered files of bounded size out."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from anansi.archive import record
from anansi.archive.dedup import Original
from anansi.archive.disk import guarded, sync_folder, write_all
from anansi.archive.exchange import Kept, Notes, Place, Records
from anansi.archive.layout import OPEN, Collection
from anansi.archive.segment import Segment, add_lines, segments_of
from anansi.errors import DiskError
from anansi.model import Body, Exchange

MAX_BYTES: Final = 1_000_000_000
_NAME_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._]+")
_SERIALS: Final = 100_000


@dataclass(slots=True)
class _File:
    """The file being written. Mutable state: see `WarcWriter`."""

    name: str
    path: Path
    descriptor: int
    index: Segment
    pages: Segment
    size: int = 0
    """Bytes that lie in the file."""
    told: int = 0
    """Bytes of them that `unsynced` told of."""
    waiting: list[bytes] = field(default_factory=list)
    """Metadata records that go out with the next exchange."""
    exchanges: int = 0


class WarcWriter:
    """Write exchanges to a collection, each whole or not at all.

    Response and request are the operating system's before a page is read, so that they outlive a reader that a page
    kills; the metadata record, which tells what reading found, follows. A visit may be settled for good once its
    exchange is flushed and what `unsynced` returns is synced; a file that is finished is synced. When a write fails,
    the file is cut back to where it was before; the writer itself stays usable.

    Mutable state: the open file with the metadata records that wait, filled by `write_notes` and emptied with the
    next exchange or by `flush`; `_serial`.
    """

    def __init__(
        self, collection: Collection, prefix: str, host: str, info: Mapping[str, str], max_bytes: int = MAX_BYTES
    ) -> None:
        self._collection = collection
        self._prefix = _NAME_UNSAFE.sub("_", prefix) or "anansi"
        self._host = _NAME_UNSAFE.sub("_", host) or "localhost"
        self._info = {**info, "hostname": info.get("hostname", host)}
        self._max_bytes = max_bytes
        self._serial = 0
        self._file: _File | None = self._open()

    def __repr__(self) -> str:
        file = self._file
        waiting = f"{len(file.waiting)} records waiting" if file else ""
        return f"WarcWriter({file.name}, {file.size} bytes, {waiting})" if file else "WarcWriter(closed)"

    def write_page(
        self, exchange: Exchange, payload: Body, notes: Notes | None = None, *, revisit_of: Original | None = None
    ) -> Place | None:
        """Write all records of an exchange that is understood already; nothing when there was no response."""
        notes = notes or Notes()
        kept = self.write_exchange(exchange, payload, notes, revisit_of=revisit_of)
        if kept is None:
            return None
        self.write_notes(exchange, kept, notes)
        return kept.place

    def write_exchange(
        self, exchange: Exchange, payload: Body, notes: Notes, *, revisit_of: Original | None = None
    ) -> Kept | None:
        """Give response and request to the operating system; `write_notes` must follow before the next exchange.

        `payload` is the body with its transfer coding undone (the body itself when it had none). Nothing is written
        when there was no response.
        """
        if not exchange.head.startswith(b"HTTP/"):
            return None
        records = Records.of(exchange, payload, notes, revisit_of)
        file = self._roomy()
        request = record.squeeze(records.request(exchange)) if exchange.request else b""
        if records.origin is None and exchange.body.file is not None:
            self._flush_records(file)
            offset = file.size
            length = self._stream(file, records.pieces(exchange), request)
        else:
            member = record.squeeze(records.whole(exchange))
            offset, length = file.size + sum(map(len, file.waiting)), len(member)
            self._append(file, [b"".join((*file.waiting, member, request))])
            file.waiting.clear()
        file.exchanges += 1
        return Kept(records, records.place(file.name, offset, length))

    def write_notes(self, exchange: Exchange, kept: Kept, notes: Notes) -> None:
        """Take what reading found: the metadata record and the lines of an exchange, to be written soon."""
        file = self._opened()
        file.waiting.append(record.squeeze(kept.records.metadata(exchange, notes)))
        add_lines((file.index, file.pages), [kept.records.lines(kept.place, notes)])

    def flush(self) -> None:
        """Give everything to the operating system: first the records, then the lines that point to them."""
        file = self._opened()
        self._flush_records(file)
        file.index.flush()
        file.pages.flush()

    def unsynced(self) -> list[Path]:
        """Return the file, if something was flushed to it since this was asked last that the disk may not have."""
        file = self._file
        if file is None or file.size == file.told:
            return []
        file.told = file.size
        return [file.path]

    def close(self) -> None:
        """Finish the file under its final name; a file without an exchange is removed."""
        if self._file is None:
            return
        self._finish(self._file)
        self._file = None

    def abandon(self) -> None:
        """Let go of the file without finishing it, when even closing fails; a repair finishes it later."""
        if self._file is not None:
            self._file.index.abandon()
            self._file.pages.abandon()
            os.close(self._file.descriptor)
            self._file = None

    def _opened(self) -> _File:
        if self._file is None:
            self._file = self._open()
        return self._file

    def _roomy(self) -> _File:
        """Return a file that is not full, after finishing one that is."""
        file = self._opened()
        if file.size < self._max_bytes or not file.exchanges:
            return file
        self.close()
        return self._opened()

    def _open(self) -> _File:
        with guarded(self._collection.archive):
            self._collection.archive.mkdir(parents=True, exist_ok=True)
            name, path, descriptor = self._create()
            # A repair that runs by mistake beside this crawl sees that the file is in use.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        segments: tuple[Segment, ...] = ()
        try:
            segments = segments_of(self._collection, name)
            file = _File(name, path, descriptor, *segments)
            self._append(file, [record.squeeze(record.warcinfo(name, record.warc_date(time.time()), self._info))])
        except DiskError:
            os.close(descriptor)
            path.unlink(missing_ok=True)
            for segment in segments:
                segment.discard()
            raise
        return file

    def _create(self) -> tuple[str, Path, int]:
        """Create a file under a name that no other worker has taken."""
        stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime())
        for _ in range(_SERIALS):
            name = f"{self._prefix}-{stamp}-{self._serial:05d}-{self._host}.warc.gz"
            self._serial = (self._serial + 1) % _SERIALS
            path = self._collection.archive / (name + OPEN)
            try:
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            except FileExistsError:
                continue
            if not (self._collection.archive / name).exists():
                return name, path, descriptor
            os.close(descriptor)
            path.unlink()
        raise FileExistsError(errno.EEXIST, "every WARC name of this second is taken")

    def _stream(self, file: _File, pieces: Iterable[bytes], request: bytes) -> int:
        """Write an exchange whose body lies in a file straight through, and return the length of its first member."""
        before = file.size
        self._append(file, record.squeeze_pieces(pieces))
        length = file.size - before
        try:
            self._append(file, [request])
        except BaseException:
            self._cut(file, before)
            raise
        return length

    def _flush_records(self, file: _File) -> None:
        if file.waiting:
            self._append(file, [b"".join(file.waiting)])
            file.waiting.clear()

    def _append(self, file: _File, pieces: Iterable[bytes]) -> None:
        """Write pieces at the end of the file: all of them or, when that fails, none."""
        before, written = file.size, 0
        try:
            with guarded(file.path):
                for piece in pieces:
                    write_all(file.descriptor, piece)
                    written += len(piece)
        except BaseException:
            self._cut(file, before)
            raise
        file.size = before + written

    def _cut(self, file: _File, size: int) -> None:
        with guarded(file.path):
            os.ftruncate(file.descriptor, size)
            os.lseek(file.descriptor, size, os.SEEK_SET)
        file.size = size

    def _finish(self, file: _File) -> None:
        """Publish the lines before the records: a crash in between leaves an open WARC, which a repair rebuilds."""
        self.flush()
        with guarded(file.path):
            os.fsync(file.descriptor)
            if not file.exchanges:
                file.index.discard()
                file.pages.discard()
                file.path.unlink()
                os.close(file.descriptor)
                return
            file.index.publish()
            file.pages.publish()
            file.path.rename(self._collection.archive / file.name)
            os.close(file.descriptor)
            sync_folder(self._collection.archive)
