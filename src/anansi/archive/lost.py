"""What was lost, written down: captures that are gone, and bytes of WARC files that are no record any more.

`reports/lost.jsonl` has one JSON object a line: a capture (`url`, `captured`), or bytes that were cut out of a file
(`file`, `offset`, `bytes`, `kept`: where they are now); `why`, and when it was `noted`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anansi.archive.disk import guarded, write_all
from anansi.archive.layout import Collection
from anansi.archive.sort import lines_of


@dataclass(frozen=True, slots=True)
class Lost:
    """One thing that was lost."""

    why: str
    url: str = ""
    captured: str = ""
    """When the capture was made, in fourteen digits."""
    file: str = ""
    offset: int = 0
    bytes: int = 0
    kept: str = ""

    def line(self, noted: str) -> str:
        """Write it as a line."""
        capture = {"url": self.url, "captured": self.captured}
        cut = {"file": self.file, "offset": self.offset, "bytes": self.bytes, "kept": self.kept}
        told: dict[str, Any] = {**(capture if self.url else cut), "why": self.why, "noted": noted}
        return json.dumps(told, ensure_ascii=False) + "\n"


def note(collection: Collection, losses: Iterable[Lost]) -> int:
    """Write losses down, safe on the disk, and return how many."""
    noted = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    count = 0
    path = collection.lost
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                write_all(descriptor, b"\n")
            for loss in losses:
                write_all(descriptor, loss.line(noted).encode("utf-8", "backslashreplace"))
                count += 1
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return count


def losses(path: Path) -> Iterator[Lost]:
    """Read what was lost; lines that cannot be read are left out."""
    for line in lines_of(path) if path.exists() else ():
        if (loss := _read(line)) is not None:
            yield loss


def _read(line: bytes) -> Lost | None:
    try:
        told = json.loads(line)
        texts = {name: str(told.get(name, "")) for name in ("why", "url", "captured", "file", "kept")}
        return Lost(**texts, offset=int(told.get("offset", 0)), bytes=int(told.get("bytes", 0)))
    except (ValueError, TypeError, AttributeError):
        return None
