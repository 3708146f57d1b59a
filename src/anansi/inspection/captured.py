"""What a collection holds of some addresses, whenever it was: index lines of a site, and the answers behind them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

from anansi.archive.disk import guarded
from anansi.archive.head import head_of
from anansi.archive.layout import OPEN, Collection
from anansi.archive.lines import REVISIT
from anansi.archive.reader import records
from anansi.archive.segment import CDXJ
from anansi.archive.sort import lines_of
from anansi.errors import DamagedError
from anansi.fetch import decode
from anansi.fetch.curl import parse_head
from anansi.url import surt

LARGEST: Final = 16 << 20
"""Bytes of an answer that are read, as it came and decoded."""
MOST_CAPTURES: Final = 2_000_000
"""Index lines of a site that are kept."""
FEEDS: Final = frozenset(
    {
        *("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"),
        *("text/xml", "application/xml"),
    }
)
"""What feeds are served as; those of other hosts are looked at for it."""

_TIME: Final = "%Y%m%d%H%M%S"


@dataclass(frozen=True, slots=True)
class Line:
    """A capture, and where it stands."""

    url: str
    at: float
    mime: str
    status: str
    digest: str
    filename: str
    offset: int

    @property
    def name(self) -> str:
        """How people find it again: file and place."""
        return f"{self.filename}@{self.offset}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answered."""

    headers: tuple[tuple[str, str], ...]
    data: bytes
    """Without codings."""
    cut: bool = False
    """Whether there was more of it than is read."""

    def header(self, name: str) -> str:
        """Return the first value of a header, or nothing."""
        return next((value for key, value in self.headers if key == name), "")


class Captured:
    """The captures of one site and the feeds of a collection. Mutable: nothing once it is made."""

    def __init__(self, collection: Collection, site: str):
        self._collection = collection
        self._by_key: dict[str, list[Line]] = {}
        self._originals: dict[str, Line] = {}
        start = surt(f"http://{site}/").partition(")")[0].encode()
        with guarded(collection.root):
            for key, line in islice(_lines(collection, start), MOST_CAPTURES):
                self._by_key.setdefault(key, []).append(line)
                if line.mime != REVISIT and line.digest:
                    self._originals.setdefault(line.digest, line)
        for lines in self._by_key.values():
            lines.sort(key=lambda line: line.at)

    def of(self, url: str) -> list[Line]:
        """Return the captures of an address by time, however it is spelled."""
        return self._by_key.get(surt(url), [])

    def all(self) -> Iterator[list[Line]]:
        """Go through the addresses that were captured."""
        yield from self._by_key.values()

    def mime(self, line: Line) -> str:
        """Return the type of an answer, also where it was one that had come before."""
        origin = self._origin(line)
        return origin.mime if origin is not None else line.mime

    def answer(self, line: Line) -> Answer | None:
        """Read an answer; None when it is damaged or not there."""
        origin = self._origin(line)
        for path in _paths(self._collection, (origin or line).filename):
            try:
                with guarded(path):
                    return _read(path, (origin or line).offset)
            except DamagedError:
                return None
        return None

    def _origin(self, line: Line) -> Line | None:
        return self._originals.get(line.digest) if line.mime == REVISIT else None


def _paths(collection: Collection, filename: str) -> list[Path]:
    both = (collection.archive / filename, collection.archive / (filename + OPEN))
    return [path for path in both if path.is_file()]


def _lines(collection: Collection, start: bytes) -> Iterator[tuple[str, Line]]:
    """Read the lines of a site and of what may be a feed, those too that no crawl has merged yet."""
    segments = sorted(collection.segments.glob(f"*{CDXJ}*")) if collection.segments.is_dir() else []
    for path in ([collection.index] if collection.index.is_file() else []) + segments:
        for raw in lines_of(path):
            if raw.startswith(start) or b"xml" in raw or b"feed+json" in raw:
                found = _line(raw)
                if found is not None and (raw.startswith(start) or found[1].mime in FEEDS):
                    yield found


def _line(raw: bytes) -> tuple[str, Line] | None:
    try:
        key, stamp, fields = raw.decode("utf-8", "replace").split(" ", 2)
        told: dict[str, Any] = json.loads(fields)
        moment = datetime.strptime(stamp, _TIME).replace(tzinfo=UTC).timestamp()
        line = Line(
            told["url"],
            moment,
            told.get("mime", ""),
            told.get("status", ""),
            told.get("digest", ""),
            told["filename"],
            int(told["offset"]),
        )
    except (ValueError, KeyError, TypeError):  # what another program, or a crash, left in the index
        return None
    return key, line


def _read(path: Path, offset: int) -> Answer | None:
    for record in islice(records(path, offset), 1):
        block = bytearray()
        for piece in record.chunks():
            block += piece[: LARGEST - len(block)]
            if len(block) >= LARGEST:
                break
        head = head_of(bytes(block))
        _, headers = parse_head(head.splitlines(keepends=True))
        named = dict(reversed(headers))
        payload, _ = decode.transfer_decode(headers, bytes(block[len(head) :]))
        decoded = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST)
        return Answer(headers, decoded.data, decoded.bomb or len(block) >= LARGEST)
    return None
