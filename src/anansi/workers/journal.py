"""What is written about a crawl while it runs: crawl.log, skipped.jsonl, events.jsonl.

Lines are written before the frontier commits: after a crash a line may stand twice, but none is missing.
"""

from __future__ import annotations

import json
import time
from typing import IO, Any

from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.archive.log import log_line
from anansi.model import Outcome, Visit


class Journal:
    """The three logs of a collection, appended to."""

    def __init__(self, collection: Collection):
        self._paths = (collection.crawl_log, collection.skipped, collection.events)
        self._files: list[IO[str]] = []
        for path in self._paths:
            with guarded(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                _end_torn_line(path)
                self._files.append(path.open("a", encoding="utf-8", errors="backslashreplace"))
        self._log, self._skipped, self._events = self._files
        self.last = ""
        """The last event, for people who watch."""

    def visited(self, worker: int, visit: Visit, outcome: Outcome) -> None:
        """Log a visit."""
        self._log.write(log_line(visit, outcome, worker=worker))

    def skipped(self, url: str, reason: str, detail: str) -> None:
        """Explain why a URL is not fetched."""
        self._skipped.write(json.dumps({"url": url, "reason": reason, "detail": detail}, ensure_ascii=False) + "\n")

    def event(self, name: str, **fields: Any) -> None:
        """Log something that happened to the crawl itself."""
        self.last = " ".join([name, *(f"{key}={value}" for key, value in fields.items())])
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self._events.write(json.dumps({"at": stamp, "event": name, **fields}, ensure_ascii=False) + "\n")
        self._events.flush()

    def flush(self) -> None:
        """Give the lines to the operating system."""
        for path, file in zip(self._paths, self._files, strict=True):
            with guarded(path):
                file.flush()

    def close(self) -> None:
        """Write what is left."""
        for path, file in zip(self._paths, self._files, strict=True):
            with guarded(path):
                file.close()


def _end_torn_line(path: Any) -> None:
    """End a line that a crash cut in the middle, so that the next one stands alone."""
    if path.exists() and path.stat().st_size:
        with path.open("rb+") as file:
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
