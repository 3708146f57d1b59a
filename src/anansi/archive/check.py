"""Check: every record, every digest, every index line."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from anansi.archive.disk import guarded
from anansi.archive.index import Indexer, Lines, Told, known_ends
from anansi.archive.layout import Collection
from anansi.archive.lines import NO_PAGE, page_key
from anansi.archive.lost import losses
from anansi.archive.reader import Damage, Record, past_damage
from anansi.archive.rules import digest_faults, header_faults
from anansi.archive.segment import CDXJ, PAGES
from anansi.archive.sort import Sorter, joined, lines_of

LISTED: Final = 1000
"""Problems that a report lists; the rest are counted."""
NEAR: Final = 64
"""Records before a request or metadata record among which the one it is concurrent to must stand."""

RESTORE: Final = "the file was changed after it was written: restore it from a copy"
CUT: Final = f"{RESTORE}, or run `anansi check DIR --repair`: it cuts the damage out and has the URL fetched again"
REPAIR: Final = "run `anansi check DIR --repair`"

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
    lost: int = 0
    """Captures that were lost and are noted in `reports/lost.jsonl`."""
    due: int = 0
    """URLs of which no other capture is there and which are due again."""
    gone: int = 0
    """URLs of which no other capture is there, and which could not be fetched again."""
    notes: tuple[str, ...] = ()
    """What is worth knowing and not wrong."""

    @property
    def ok(self) -> bool:
        """Tell whether nothing is wrong, and nothing is waiting to be fetched again."""
        return self.problem_count == 0 and self.due == 0

    def to_json(self) -> str:
        """Write the report as one JSON object."""
        return json.dumps({"ok": self.ok, **asdict(self)}, indent=2)


@dataclass(slots=True)
class Tally:
    """What was found so far. Mutable state, filled by every step of a check."""

    files: int = 0
    bytes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    captures: int = 0
    pages: int = 0
    problem_count: int = 0
    problems: list[Problem] = field(default_factory=list)
    lost: int = 0
    due: int = 0
    gone: int = 0
    notes: list[str] = field(default_factory=list)

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
            self.lost,
            self.due,
            self.gone,
            tuple(self.notes),
        )


def check(collection: Collection) -> Report:
    """Read all WARC files and lists of a collection and report what is wrong; nothing is changed."""
    tally = Tally()
    examine(collection, tally)
    return tally.report()


def examine(collection: Collection, tally: Tally, told: Told | None = None) -> None:
    """Read all WARC files and lists and note what is wrong; `told` hears of every capture."""
    collection.require()
    with guarded(collection.root), TemporaryDirectory(prefix="anansi-check-") as folder:
        for path in collection.unfinished():
            tally.wrong(path.name, 0, "the file is not finished", REPAIR)
        for path in sorted(collection.segments.glob(f"*{CDXJ}")) + sorted(collection.segments.glob(f"*{PAGES}")):
            tally.wrong(path.name, 0, "these lines are not in the index yet", REPAIR)
        lines, pages = Sorter(Path(folder)), Sorter(Path(folder), page_key)
        cut = frozenset(loss.file for loss in losses(collection.lost) if loss.file)
        for path in collection.warcs():
            for line, page in _Reading(collection, path, tally, mended=path.name in cut).lines(told):
                lines.add(line)
                if page is not None:
                    pages.add(page)
        _check_index(collection, lines.sorted(), tally)
        _check_pages(collection, pages.sorted(), Path(folder), tally)


class _Reading:
    """One WARC file being checked. Mutable state: `_near`, the identifiers of the last records."""

    def __init__(self, collection: Collection, path: Path, tally: Tally, *, mended: bool):
        self._collection, self._path, self._tally, self._mended = collection, path, tally, mended
        self._near: deque[str] = deque(maxlen=NEAR)

    def lines(self, told: Told | None) -> Iterator[Lines]:
        """Check the file and yield the lines that the indexes should hold; go on behind damage."""
        self._tally.files += 1
        self._tally.bytes += self._path.stat().st_size
        name = self._path.name
        indexer = Indexer(name, told)

        def take(record: Record) -> Iterator[Lines]:
            self._check(record)
            yield from indexer.take(record)

        def hear(damage: Damage) -> None:
            self._tally.wrong(name, damage.start, damage.reason, CUT)

        yield from past_damage(self._path, take, hear, ends=cache(lambda: known_ends(self._collection, name)))
        yield from indexer.rest()

    def _check(self, record: Record) -> None:
        self._tally.kinds[record.kind] += 1
        for fault in (*header_faults(record), *digest_faults(record)):
            self._tally.wrong(self._path.name, record.offset, fault, RESTORE)
        concurrent = record.get("warc-concurrent-to")
        # what was cut out of a file may have been the response to a request that stays
        if record.kind in ("request", "metadata") and concurrent not in ("", *self._near) and not self._mended:
            what = f"WARC-Concurrent-To names no record near it: {concurrent}"
            self._tally.wrong(self._path.name, record.offset, what, CUT)
        self._near.append(record.get("warc-record-id"))


def _check_index(collection: Collection, expected: Iterator[bytes], tally: Tally) -> None:
    """Walk the index and what it should be side by side, key by key."""
    name = collection.index.name
    for key, found, wanted in joined(_sorted_lines(collection.index, tally), expected, _key):
        lines, due = {_canonical(line) for line in found}, {_canonical(line) for line in wanted}
        tally.captures += len(due)
        for line in sorted(lines - due):
            tally.wrong(name, 0, f"no such record: {key.decode('utf-8', 'replace')} {line}", REPAIR)
        for line in sorted(due - lines):
            tally.wrong(name, 0, f"not in the index: {key.decode('utf-8', 'replace')} {line}", REPAIR)


def _sorted_lines(path: Path, tally: Tally) -> Iterator[bytes]:
    """Yield the lines of the index, noting those out of order."""
    last = b""
    for number, line in enumerate(lines_of(path) if path.exists() else (), 1):
        if line < last:
            tally.wrong(path.name, number, "the line is out of order", REPAIR)
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


def _check_pages(collection: Collection, expected: Iterator[bytes], folder: Path, tally: Tally) -> None:
    path = collection.pages
    lines = lines_of(path) if path.exists() else iter(())
    header = _object(next(lines, b""))
    if (header is None or header.get("format") != "json-pages-1.0") and tally.captures:
        tally.wrong(path.name, 1, "the list does not begin with its json-pages-1.0 header", REPAIR)
    found = Sorter(folder, page_key)
    for number, line in enumerate(lines, 2):
        page = _object(line)
        if page is None or not (isinstance(page.get("url"), str) and _PAGE_DATE.fullmatch(str(page.get("ts")))):
            tally.wrong(path.name, number, "the line is not a page with url and ts", REPAIR)
        elif page_key(line) != NO_PAGE:
            found.add(line)
        tally.pages += 1
    for (at, identity), there, wanted in joined(found.sorted(), expected, page_key):
        if [_object(line) for line in there] != [_object(line) for line in wanted]:
            what = "no such page" if not wanted else "not in the list" if not there else "not what the archive has"
            tally.wrong(path.name, 0, f"{what}: {identity} of {at}", REPAIR)


def _object(line: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
