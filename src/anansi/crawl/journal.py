"""What is written about a crawl while it runs: crawl.log, skipped.jsonl, events.jsonl.

Lines are flushed before the frontier commits, and synced before its log can reach the disk (`commits`): after a crash
a line may stand twice, but none is missing.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from anansi.archive.disk import guarded, sync_folder, write_all
from anansi.archive.layout import Collection
from anansi.archive.log import log_line
from anansi.model import Outcome, Visit


class Log:
    """One file that lines are appended to.

    Mutable state: `_waiting`, filled by `add` and emptied by `flush`; `_unsynced`, set by `flush`, reset by `sync`.
    """

    def __init__(self, path: Path):
        self._path = path
        self._waiting: list[str] = []
        self._unsynced = True
        with guarded(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            self._end_torn_line()
            sync_folder(path.parent)

    def _end_torn_line(self) -> None:
        """End a line that a crash cut in the middle, so that the next one stands alone."""
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            write_all(self._descriptor, b"\n")

    def add(self, line: str) -> None:
        """Take a line, with its end."""
        self._waiting.append(line)

    def flush(self) -> None:
        """Give the lines to the operating system."""
        if self._waiting:
            data = "".join(self._waiting).encode("utf-8", "backslashreplace")
            self._waiting.clear()
            with guarded(self._path):
                write_all(self._descriptor, data)
            self._unsynced = True

    def sync(self) -> None:
        """Wait until the disk itself has all that was flushed; may be called in a thread of its own."""
        if self._unsynced:
            self._unsynced = False
            with guarded(self._path):
                os.fdatasync(self._descriptor)

    def close(self) -> None:
        """Write what is left, safe on the disk, and let the file go."""
        try:
            self.flush()
            self.sync()
        finally:
            os.close(self._descriptor)


class Journal:
    """The three logs of a collection."""

    def __init__(self, collection: Collection):
        self._log, self._skipped = Log(collection.crawl_log), Log(collection.skipped)
        self._events = Log(collection.events)
        self.last = ""
        """The last event, for people who watch."""

    def visited(self, worker: int, visit: Visit, outcome: Outcome) -> None:
        """Log a visit."""
        self._log.add(log_line(visit, outcome, worker=worker))

    def skipped(self, url: str, reason: str, detail: str) -> None:
        """Explain why a URL is not fetched."""
        self._skipped.add(json.dumps({"url": url, "reason": reason, "detail": detail}, ensure_ascii=False) + "\n")

    def event(self, name: str, **fields: Any) -> None:
        """Log something that happened to the crawl itself, at once."""
        self.last = " ".join([name, *(f"{key}={value}" for key, value in fields.items())])
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._events.add(json.dumps({"at": stamp, "event": name, **fields}, ensure_ascii=False) + "\n")
        self._events.flush()

    def flush(self) -> None:
        """Give all lines to the operating system."""
        for log in (self._log, self._skipped, self._events):
            log.flush()

    def sync(self) -> None:
        """Wait until the disk itself has all lines that were flushed."""
        for log in (self._log, self._skipped, self._events):
            log.sync()

    def close(self) -> None:
        """Write what is left."""
        for log in (self._log, self._skipped, self._events):
            log.close()
