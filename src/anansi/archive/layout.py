"""The folder of a collection: where each file stands, how it is made, and who may write to it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded, sync_folder
from anansi.errors import CollectionError

OPEN: Final = ".open"
"""What the name of a file ends with while it is being written."""


@dataclass(frozen=True, slots=True)
class Collection:
    """The folder a crawl writes."""

    root: Path

    @property
    def archive(self) -> Path:
        """The folder of the WARC files."""
        return self.root / "archive"

    @property
    def index(self) -> Path:
        """The CDXJ index of all captures."""
        return self.root / "indexes" / "index.cdxj"

    @property
    def segments(self) -> Path:
        """The folder of index and page lines not merged yet; a subfolder, so that replay tools overlook it."""
        return self.root / "indexes" / "segments"

    @property
    def pages(self) -> Path:
        """The list of pages (json-pages-1.0)."""
        return self.root / "pages" / "pages.jsonl"

    @property
    def crawl_log(self) -> Path:
        """The log in Heritrix's columns."""
        return self.root / "logs" / "crawl.log"

    @property
    def events(self) -> Path:
        """The log of events, one JSON object a line."""
        return self.root / "logs" / "events.jsonl"

    @property
    def summary(self) -> Path:
        """The figures of the crawl."""
        return self.root / "reports" / "summary.json"

    @property
    def skipped(self) -> Path:
        """The URLs that were not fetched, and why."""
        return self.root / "reports" / "skipped.jsonl"

    @property
    def lost(self) -> Path:
        """What was in the archive and is gone."""
        return self.root / "reports" / "lost.jsonl"

    @property
    def state(self) -> Path:
        """The folder of the frontier."""
        return self.root / "state"

    @property
    def torn(self) -> Path:
        """The folder of the bytes that a repair cut off."""
        return self.root / "state" / "torn"

    @property
    def knowledge(self) -> Path:
        """The folder of what this collection learned."""
        return self.root / "knowledge"

    @property
    def definition(self) -> Path:
        """The definition this crawl runs by."""
        return self.root / "crawl.yaml"

    def warcs(self) -> list[Path]:
        """List the finished WARC files by name."""
        if not self.archive.is_dir():
            return []
        return sorted(path for path in self.archive.iterdir() if path.name.endswith((".warc.gz", ".warc")))

    def unfinished(self) -> list[Path]:
        """List the WARC files that are being written, or were when a crawl died."""
        return sorted(self.archive.glob(f"*.warc.gz{OPEN}"))

    def exists(self) -> bool:
        """Tell whether the folder is a collection."""
        return self.archive.is_dir() or self.definition.is_file()

    def create(self) -> None:
        """Make the folders that are missing; refuse a folder that holds something else."""
        with guarded(self.root):
            if self.root.exists() and not self.root.is_dir():
                raise CollectionError(f"{self.root} is a file; name a folder for the collection")
            if self.root.is_dir() and not self.exists() and any(self.root.iterdir()):
                raise CollectionError(f"{self.root} is not empty and not a collection; name a new or an empty folder")
            made = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
            for folder in self._folders():
                folder.mkdir(parents=True, exist_ok=True)
                _refuse_read_only(folder)
            for folder in {each.parent for each in (*self._folders(), *made)}:
                sync_folder(folder)

    def require(self) -> None:
        """Refuse a folder that is not a collection."""
        if not self.exists():
            raise CollectionError(f"{self.root} is not a collection: it has no archive folder; check the path")

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from writing to the collection, until the block ends or the process dies."""
        path = self.state / "lock"
        with guarded(path):
            self.state.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._seize(descriptor)
            yield
        finally:
            os.close(descriptor)

    @property
    def locked(self) -> bool:
        """Tell whether a process is writing to the collection now."""
        try:
            descriptor = os.open(self.state / "lock", os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def _seize(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            raise CollectionError(
                f"{self.root} is in use by process {holder}; wait until it ends, stop it (`kill {holder}`), "
                "or name another folder"
            ) from None
        with guarded(self.state / "lock"):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)

    def _folders(self) -> tuple[Path, ...]:
        beside = (self.index, self.pages, self.crawl_log, self.summary)
        return (self.archive, self.state, self.knowledge, self.segments, *(path.parent for path in beside))


def _refuse_read_only(folder: Path) -> None:
    """Write and remove a file: permission bits do not tell of read-only mounts, nor of root."""
    probe = folder / f".writable-{os.getpid()}"
    os.close(os.open(probe, os.O_WRONLY | os.O_CREAT, 0o600))
    probe.unlink()
