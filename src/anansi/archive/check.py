"""Check: every record, every digest, every index line."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from anansi.archive.disk import guarded
from anansi.archive.index import Indexer, Lines
from anansi.archive.layout import Collection
from anansi.archive.reader import Record, next_member, records
from anansi.archive.rules import digest_faults, header_faults
from anansi.archive.segment import CDXJ, PAGES
from anansi.archive.sort import lines_of, merged, whole, write_runs
from anansi.errors import DamagedError

LISTED: Final = 1000
"""Problems that a report lists; the rest are counted."""
NEAR: Final = 64
"""Records before a request or metadata record among which the one it is concurrent to must stand."""

RESTORE: Final = "the file was changed after it was written: restore it from a copy"
REPAIR: Final = "run `anansi check DIR --repair`"
REINDEX: Final = "run `anansi check DIR --repair`"

_INDEX_FIELDS: Final = ("url", "mime", "status", "digest", "length", "offset", "filename")
_PAGE_DATE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong: where, what, and what to do."""

    file: str
    offset: int
    """Bytes into a WARC file; the line, from 1, of a list."""
    what: str
    cure: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found."""

    files: int
    bytes: int
    records: int
    kinds: dict[str, int]
    captures: int
    pages: int
    problem_count: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Tell whether nothing is wrong."""
        return self.problem_count == 0

    def to_json(self) -> str:
        """Write the report as one JSON object."""
        return json.dumps({"ok": self.ok, **asdict(self)}, indent=2)


@dataclass(slots=True)
class _Tally:
    """What was found so far. Mutable state, filled by every step of a check."""

    files: int = 0
    bytes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    captures: int = 0
    pages: int = 0
    problem_count: int = 0
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, file: str, offset: int, what: str, cure: str) -> None:
        """Note a problem."""
        self.problem_count += 1
        if len(self.problems) < LISTED:
            self.problems.append(Problem(file, offset, what, cure))

    def report(self) -> Report:
        """Close the tally."""
        return Report(
            self.files,
            self.bytes,
            sum(self.kinds.values()),
            dict(self.kinds),
            self.captures,
            self.pages,
            self.problem_count,
            tuple(self.problems),
        )


def check(collection: Collection) -> Report:
    """Read the whole collection and report what is wrong; nothing is changed."""
    collection.require()
    tally = _Tally()
    with guarded(collection.root), TemporaryDirectory(prefix="anansi-check-") as folder:
        for path in collection.unfinished():
            tally.wrong(path.name, 0, "the file is not finished", REPAIR)
        for path in sorted(collection.segments.glob(f"*{CDXJ}")) + sorted(collection.segments.glob(f"*{PAGES}")):
            tally.wrong(path.name, 0, "these lines are not in the index yet", REINDEX)
        expected = (line for path in collection.warcs() for line, _ in _check_warc(path, tally))
        runs = write_runs(expected, Path(folder), whole)
        _check_index(collection, merged(runs, Path(folder), whole), tally)
        _check_pages(collection, tally)
    return tally.report()


def _check_warc(path: Path, tally: _Tally) -> Iterator[Lines]:
    """Check one file and yield the lines that the indexes should hold; go on behind damage."""
    tally.files += 1
    tally.bytes += path.stat().st_size
    indexer = Indexer(path.name)
    near: deque[str] = deque(maxlen=NEAR)
    start: int | None = 0
    while start is not None:
        end = start
        try:
            for record in records(path, start):
                end = record.offset
                yield from _check_record(record, path.name, near, tally, indexer)
                end = record.offset + record.length
            start = None
        except DamagedError as error:
            tally.wrong(path.name, end, str(error), RESTORE)
            start = next_member(path, end) if path.suffix == ".gz" else None
    yield from indexer.rest()


def _check_record(record: Record, name: str, near: deque[str], tally: _Tally, indexer: Indexer) -> Iterator[Lines]:
    tally.kinds[record.kind] += 1
    for fault in (*header_faults(record), *digest_faults(record)):
        tally.wrong(name, record.offset, fault, RESTORE)
    concurrent = record.get("warc-concurrent-to")
    if record.kind in ("request", "metadata") and concurrent and concurrent not in near:
        tally.wrong(name, record.offset, f"WARC-Concurrent-To names no record near it: {concurrent}", RESTORE)
    near.append(record.get("warc-record-id"))
    yield from indexer.take(record)


def _check_index(collection: Collection, expected: Iterator[bytes], tally: _Tally) -> None:
    """Walk the index and what it should be side by side, key by key."""
    name = collection.index.name
    found = groupby(_sorted_lines(collection.index, tally), key=_key)
    wanted = groupby(expected, key=_key)
    left, right = next(found, None), next(wanted, None)
    while left or right:
        if right is None or (left is not None and left[0] <= right[0]):
            assert left is not None
            key, lines = left[0], {_canonical(line) for line in left[1]}
            due = {_canonical(line) for line in right[1]} if right and right[0] == key else set()
            right = next(wanted, None) if right and right[0] == key else right
            left = next(found, None)
        else:
            key, lines, due = right[0], set(), {_canonical(line) for line in right[1]}
            right = next(wanted, None)
        tally.captures += len(due)
        for line in sorted(lines - due):
            tally.wrong(name, 0, f"no such record: {key.decode('utf-8', 'replace')} {line}", REINDEX)
        for line in sorted(due - lines):
            tally.wrong(name, 0, f"not in the index: {key.decode('utf-8', 'replace')} {line}", REINDEX)


def _sorted_lines(path: Path, tally: _Tally) -> Iterator[bytes]:
    """Yield the lines of the index, noting those out of order."""
    last = b""
    for number, line in enumerate(lines_of(path) if path.exists() else (), 1):
        if line < last:
            tally.wrong(path.name, number, "the line is out of order", REINDEX)
            continue
        last = line
        yield line


def _key(line: bytes) -> bytes:
    return b" ".join(line.split(b" ", 2)[:2])


def _canonical(line: bytes) -> str:
    """Reduce the JSON of an index line to what must agree, so that other tools' spelling of it is accepted."""
    try:
        fields = json.loads(line.split(b" ", 2)[2])
        return json.dumps([str(fields.get(name, "")) for name in _INDEX_FIELDS])
    except (ValueError, IndexError, AttributeError):
        return line.decode("utf-8", "replace").strip()


def _check_pages(collection: Collection, tally: _Tally) -> None:
    path = collection.pages
    lines = lines_of(path) if path.exists() else iter(())
    header = _object(next(lines, b""))
    if (header is None or header.get("format") != "json-pages-1.0") and tally.captures:
        tally.wrong(path.name, 1, "the list does not begin with its json-pages-1.0 header", REINDEX)
    for number, line in enumerate(lines, 2):
        page = _object(line)
        if page is None or not (isinstance(page.get("url"), str) and _PAGE_DATE.fullmatch(str(page.get("ts")))):
            tally.wrong(path.name, number, "the line is not a page with url and ts", REINDEX)
        tally.pages += 1


def _object(line: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
