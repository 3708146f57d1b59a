"""Indexes made from WARC files alone, and segments merged into them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from anansi.archive.digest import payload_digest_of
from anansi.archive.disk import guarded, replacing
from anansi.archive.head import head_of, mime_of, status_of
from anansi.archive.layout import OPEN, Collection
from anansi.archive.lines import NO_PAGE, PAGES_HEADER, REVISIT, About, Capture, cdxj_line, page_key, page_line
from anansi.archive.reader import Damage, Ends, Record, past_damage
from anansi.archive.segment import CDXJ, PAGES, add_lines, segments_of
from anansi.archive.sort import Key, lines_of, merged, whole, write_runs

INDEXED: Final = frozenset(("response", "revisit", "resource"))
WARC_FIELDS: Final = "application/warc-fields"
_FLUSH: Final = 10_000

Lines = tuple[bytes, bytes | None]
"""An index line and, for pages, a page line."""
Told = Callable[[Capture, About | None], None]


@dataclass(frozen=True, slots=True)
class Merged:
    """How many lines the merged files hold."""

    captures: int
    pages: int


class Indexer:
    """Make lines of the records of one file, in their order.

    Mutable state: `_capture` with its served type and `_about`, the last capture seen, held until it is known whether
    a metadata record follows it.
    """

    def __init__(self, filename: str, told: Told | None = None) -> None:
        """Make lines for a file; `told` hears of every capture, with what its metadata record says, if it has one."""
        self._filename, self._told = filename, told
        self._capture: Capture | None = None
        self._served = ""
        self._about: About | None = None

    def take(self, record: Record) -> list[Lines]:
        """Take the next record, finish it, and return the lines that it completes."""
        if record.kind in INDEXED:
            found = _capture(record, self._filename)  # a torn record ends here, and the one held stays held
            done = self.rest()
            self._capture, self._served = found
            return done
        if self._capture is not None and record.kind == "metadata" and record.get("content-type") == WARC_FIELDS:
            about = _about(record.peek())
            record.finish()
            if _identity(record.get("warc-concurrent-to")) == self._capture.identity:
                self._about = about
        record.finish()
        return []

    def rest(self) -> list[Lines]:
        """Return the lines of the capture that is still held."""
        if self._capture is None:
            return []
        capture, about = self._capture, self._about
        self._capture, self._about = None, None
        if self._told is not None:
            self._told(capture, about)
        return [(cdxj_line(capture), page_line(capture, self._served, about or About()))]


def _capture(record: Record, filename: str) -> tuple[Capture, str]:
    """Describe a record, and say which media type was served."""
    beginning = record.peek()
    http = "http" in record.get("content-type")
    head = head_of(beginning) if http else b""
    served = mime_of(head) if http else record.get("content-type").partition(";")[0].strip().lower()
    digest = record.get("warc-payload-digest")
    if not digest and record.kind != "revisit":
        digest = payload_digest_of(beginning, record.chunks(), http=http)
    capture = Capture(
        url=record.url,
        date=record.get("warc-date"),
        identity=_identity(record.get("warc-record-id")),
        mime=REVISIT if record.kind == "revisit" else served,
        status=status_of(head) if http else "200",
        digest=digest,
        filename=filename,
        offset=record.offset,
        length=record.finish(),
    )
    return capture, served


def _identity(text: str) -> str:
    return text.strip("<>").removeprefix("urn:uuid:")


def _about(block: bytes) -> About:
    """Read what the page list needs from a metadata record."""
    fields = dict(_field(line) for line in reversed(block.split(b"\r\n")))
    title, mime, hops, key = (fields.get(name, "") for name in ("title", "mime", "hopsFromSeed", "key"))
    return About(title, mime, hops, key, apart="madeUp" in fields or "loadedBy" in fields)


def _field(line: bytes) -> tuple[str, str]:
    name, _, value = line.decode("utf-8", "replace").partition(":")
    return name, value.strip(" \t")


def index_warc(path: Path, hear: Callable[[Damage], None], *, ends: Ends = dict) -> Iterator[Lines]:
    """Make the lines of a WARC file, behind damage, too; `hear` is told of it."""
    indexer = Indexer(path.name.removesuffix(OPEN))
    yield from past_damage(path, indexer.take, hear, ends=ends)
    yield from indexer.rest()


def lines_of_warc(collection: Collection, path: Path) -> Iterator[Lines]:
    """Make the lines of what is whole in a WARC file of a collection."""
    return index_warc(path, _overlook, ends=lambda: known_ends(collection, path.name.removesuffix(OPEN)))


def _overlook(_: Damage) -> None:
    """Go on; a check tells of it."""


def known_ends(collection: Collection, name: str) -> dict[int, int]:
    """Read from the index and the segments where the captures of a WARC file begin and end."""
    mark = f'"filename":"{name}"'.encode()
    lists = [collection.index, *(collection.segments / f"{name}{CDXJ}{suffix}" for suffix in ("", OPEN))]
    found: dict[int, int] = {}
    for path in lists:
        for line in lines_of(path) if path.exists() else ():
            if mark in line.replace(b": ", b":"):
                with suppress(ValueError, IndexError, KeyError, TypeError):
                    fields = json.loads(line.split(b" ", 2)[2])
                    found[int(fields["offset"])] = int(fields["offset"]) + int(fields["length"])
    return found


def write_segments(collection: Collection, name: str, lines: Iterable[Lines]) -> None:
    """Write the segments of a WARC file anew, a bounded number of lines at a time."""
    segments = segments_of(collection, name)
    try:
        for number, line in enumerate(lines, 1):
            add_lines(segments, [line])
            if number % _FLUSH == 0:
                for segment in segments:
                    segment.flush()
        for segment in segments:
            segment.publish()
    finally:
        for segment in segments:
            segment.abandon()


def merge(collection: Collection) -> Merged:
    """Merge the finished segments into the index and the list of pages, then remove them."""
    captures = _merge(collection, collection.index, CDXJ, b"", whole)
    pages = _merge(collection, collection.pages, PAGES, PAGES_HEADER, page_key)
    return Merged(captures, pages)


def rebuild(collection: Collection) -> Merged:
    """Make index and list of pages anew from the finished WARC files; what is damaged in them is left out."""
    for path in collection.warcs():
        write_segments(collection, path.name, lines_of_warc(collection, path))
    return renew(collection)


def renew(collection: Collection) -> Merged:
    """Make index and list of pages anew from segments, which must be those of all WARC files."""
    with guarded(collection.index):
        collection.index.unlink(missing_ok=True)
        collection.pages.unlink(missing_ok=True)
    return merge(collection)


def _merge(collection: Collection, target: Path, suffix: str, header: bytes, key: Key) -> int:
    count = 0
    with guarded(target):
        segments = sorted(collection.segments.glob(f"*.warc*{suffix}"))
    # Runs lie beside the target: the folder for temporary files may be memory, and smaller than an index.
    with replacing(target) as temporary, TemporaryDirectory(prefix=".merge-", dir=target.parent) as folder:
        runs = write_runs((line for path in segments for line in lines_of(path)), Path(folder), key)
        if target.exists():
            runs.append(target)
        with temporary.open("wb") as file:
            file.write(header)
            for line in merged(runs, Path(folder), key):
                if key(line) != NO_PAGE:
                    file.write(line)
                    count += 1
    with guarded(target):
        for segment in segments:
            segment.unlink(missing_ok=True)
    return count
