"""Lines of crawl.log for captures that it does not tell of, worded from their records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, mime_of, status_of
from anansi.archive.index import INDEXED
from anansi.archive.layout import Collection
from anansi.archive.log import log_line
from anansi.archive.reader import records
from anansi.archive.record import uri
from anansi.archive.segment import CDXJ
from anansi.archive.sort import Sorter, joined, lines_of
from anansi.errors import DamagedError
from anansi.model import Ended, Outcome, Validators, Visit

FOLLOWERS = 64
"""Records behind a capture among which its metadata record must stand."""
MARK = "fromArchive"
"""The annotation of such a line."""


def tell_of(collection: Collection, wanted: Iterator[bytes]) -> int:
    """Add lines to crawl.log for captures, given as sorted lines `URL TAB fourteen digits`; return how many."""
    count = 0
    with TemporaryDirectory(prefix="relog-", dir=collection.state) as folder:
        places = Sorter(Path(folder))
        for _, asked, found in joined(wanted, _places(collection, Path(folder)), _capture_key):
            for line in found if asked else ():
                places.add(b"\t".join(line.rstrip(b"\n").split(b"\t")[2:]) + b"\n")
        with guarded(collection.crawl_log), collection.crawl_log.open("ab") as log:
            if not _ends_line(collection.crawl_log):
                log.write(b"\n")
            for words in _lines(collection, places.sorted()):
                log.write(words.encode("utf-8", "backslashreplace"))
                count += 1
            log.flush()
            os.fsync(log.fileno())
    return count


def _ends_line(path: Path) -> bool:
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _places(collection: Collection, folder: Path) -> Iterator[bytes]:
    """Say where each capture stands, sorted by URL and second."""
    places = Sorter(folder)
    for path in (collection.index, *collection.segments.glob(f"*.warc*{CDXJ}")):
        for line in lines_of(path) if path.exists() else ():
            with suppress(ValueError, IndexError, KeyError, TypeError):
                _, at, text = line.split(b" ", 2)
                told = json.loads(text)
                place = f"{told['filename']}\t{int(told['offset']):020d}"
                places.add(f"{uri(told['url'])}\t{at.decode('ascii')}\t{place}\n".encode())
    return places.sorted()


def _capture_key(line: bytes) -> tuple[bytes, ...]:
    return tuple(line.rstrip(b"\n").split(b"\t")[:2])


def _lines(collection: Collection, places: Iterator[bytes]) -> Iterator[str]:
    rows = (line.decode().rstrip("\n").split("\t") for line in places)
    for name, group in groupby(rows, key=lambda row: row[0]):
        for _, offset in group:
            with suppress(DamagedError, OSError):
                yield _line(collection.archive / name, int(offset))


def _line(path: Path, offset: int) -> str:
    """Word the line of the capture that stands at a place."""
    about: dict[str, str] = {}
    found = records(path, offset)
    capture = next(found)
    head = head_of(capture.peek())
    url, size, revisit = capture.url, capture.size, capture.kind == "revisit"
    identity, digest = capture.get("warc-record-id"), capture.get("warc-payload-digest")
    started = _seconds(capture.get("warc-date"))
    with suppress(DamagedError):
        for record in islice(found, FOLLOWERS):
            if record.kind in INDEXED:
                break
            if record.kind == "metadata" and record.get("warc-concurrent-to") == identity:
                about = _fields(record.peek())
                break
    visit = Visit(url, url, about.get("hopsFromSeed", ""), via=about.get("via", ""), seed=about.get("seed", ""))
    outcome = Outcome(
        ended=Ended.DONE,
        status=int(status_of(head) or about.get("status", "") or 0),
        size=0 if revisit else size,
        mime=about.get("mime", "") or mime_of(head),
        validators=Validators("", "", digest, started),
        duplicate=revisit,
        started=started,
        seconds=int(about.get("fetchTimeMs", "0") or 0) / 1000,
        annotations=MARK,
    )
    return log_line(visit, outcome)


def _fields(block: bytes) -> dict[str, str]:
    pairs = (line.decode("utf-8", "replace").partition(": ") for line in block.split(b"\r\n"))
    return {name: value for name, _, value in pairs}


def _seconds(date: str) -> float:
    with suppress(ValueError):
        return datetime.fromisoformat(date).timestamp() + 0.0005  # so that its milliseconds stay as they are
    return 0.0
