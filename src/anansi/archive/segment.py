"""Segments: the index and page lines of one WARC file, until they are merged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded, sync_folder, write_all
from anansi.archive.layout import OPEN, Collection

CDXJ: Final = ".cdxj"
PAGES: Final = ".jsonl"


class Segment:
    """The lines of one WARC file in one file.

    They are synced when they are published: before that, a repair makes them anew from the records.

    Mutable state: `_lines`, filled by `add` and emptied by `flush`; `_size`, the bytes that lie in the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[bytes] = []
        self._size = 0
        with guarded(self._open_path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(self._open_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)

    def __repr__(self) -> str:
        return f"Segment({self.path.name}, {self._size} bytes, {len(self._lines)} lines waiting)"

    @property
    def _open_path(self) -> Path:
        return self.path.with_name(self.path.name + OPEN)

    def add(self, line: bytes) -> None:
        """Take a line, to be written by `flush`."""
        self._lines.append(line)

    def drop(self, count: int) -> None:
        """Forget the last lines taken: their records did not reach the disk."""
        if count:
            del self._lines[-count:]

    def flush(self) -> None:
        """Give the lines to the operating system; on failure they stay waiting."""
        data = b"".join(self._lines)
        if not data:
            return
        with guarded(self._open_path):
            try:
                write_all(self._descriptor, data)
            except OSError:
                os.ftruncate(self._descriptor, self._size)
                os.lseek(self._descriptor, self._size, os.SEEK_SET)
                raise
        self._size += len(data)
        self._lines.clear()

    def publish(self) -> None:
        """Finish the file under its final name."""
        self.flush()
        with guarded(self._open_path):
            os.fsync(self._descriptor)
            self.abandon()
            self._open_path.replace(self.path)
            sync_folder(self.path.parent)

    def discard(self) -> None:
        """Remove the file."""
        with guarded(self._open_path):
            self.abandon()
            self._open_path.unlink(missing_ok=True)

    def abandon(self) -> None:
        """Close the file as it is, for a repair to find."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def segments_of(collection: Collection, warc: str) -> tuple[Segment, Segment]:
    """Open the two segments of a WARC file: index lines and page lines."""
    return Segment(collection.segments / (warc + CDXJ)), Segment(collection.segments / (warc + PAGES))


def add_lines(segments: tuple[Segment, Segment], lines: Iterable[tuple[bytes, bytes | None]]) -> None:
    """Add pairs of an index line and, for pages, a page line."""
    index, pages = segments
    for index_line, line in lines:
        index.add(index_line)
        if line is not None:
            pages.add(line)
