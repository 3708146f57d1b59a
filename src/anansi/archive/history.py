"""The life of a page or of an object: its captures, the versions of what stands there, and what changed between them.

Statements are written when an object changed; a capture without any since the last version shows the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anansi.archive.captures import Captured, captures
from anansi.archive.difference import Passage, differences
from anansi.archive.iri import iri
from anansi.archive.known import dated, objects_in, pages_in
from anansi.archive.layout import Collection
from anansi.archive.lines import timestamp
from anansi.archive.objects import pieces, segments
from anansi.archive.parts import joined
from anansi.archive.readings import current, replaced
from anansi.errors import DiskError
from anansi.model import WebObject
from anansi.url import host_of, surt

MOST_RECORDS: Final = 5000
"""Records of statements that are read for one history; of more, the latest."""
COUNTERS: Final = frozenset(("views", "likes", "replies", "number", "modified"))
"""What changes without anyone having written anything."""

_ANSWERED: Final = ("2", "304")


@dataclass(frozen=True, slots=True)
class Edit:
    """A property whose values changed."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def passages(self) -> list[Passage]:
        """Return the difference word by word."""
        return differences("\n".join(self.before), "\n".join(self.after))


@dataclass(frozen=True, slots=True)
class Revision:
    """What became of objects from one version to the next."""

    added: tuple[WebObject, ...] = ()
    removed: tuple[WebObject, ...] = ()
    edited: tuple[tuple[WebObject, tuple[Edit, ...]], ...] = ()
    """The object as it is now, and its changes."""


@dataclass(frozen=True, slots=True)
class Version:
    """The objects of a page between two changes."""

    number: int
    first: str
    """When they were first seen so, in fourteen digits."""
    last: str
    """When they were last seen so."""
    captures: int
    """How often."""
    objects: tuple[WebObject, ...]
    revision: Revision
    """What is new in it; empty in the first."""


@dataclass(frozen=True, slots=True)
class History:
    """What a collection knows of a URL."""

    url: str
    captures: tuple[Captured, ...]
    versions: tuple[Version, ...]

    def version_at(self, capture: Captured) -> Version | None:
        """Return the version that a capture shows; None when it shows none (an error, or before the first)."""
        if not (capture.status.startswith(_ANSWERED) or (capture.revisit and not capture.status)):
            return None
        return next((each for each in reversed(self.versions) if each.first <= capture.at), None)

    def begins(self, capture: Captured) -> bool:
        """Tell whether a capture is the first that shows its version."""
        version = self.version_at(capture)
        shown = (each for each in self.captures if version is not None and each.at == version.first)
        return next(shown, None) is capture


def history(collection: Collection, address: str) -> History:
    """Read the history of a page's URL or of an object's URI; of an object, the captures are those of its pages."""
    pages = [address] if "#" not in address else []
    found = [each for url in pages for each in captures(collection, url)]
    records = _records(collection, _of_page(address)) if found else []
    if not found:
        records = _records(collection, _of_object(address))
        where = dict.fromkeys(page for _, page, _ in records)
        found = [each for url in where for each in captures(collection, url)]
        records = [(date, page, [each for each in told if each.uri == iri(address)]) for date, page, told in records]
        records = list(_wholes(records, found))
    ordered = sorted(found, key=lambda each: each.at)
    return History(address, tuple(ordered), tuple(_versions(records, ordered)))


Record = tuple[str, str, list[WebObject]]
"""When statements were made, of which page, and the objects."""


def _records(collection: Collection, wanted: Callable[[str, bytes], bool]) -> list[Record]:
    """Read the statements that are asked for, the first first."""
    found: list[Record] = []
    stale = replaced(collection)
    for segment in segments(collection):
        try:
            for piece in current(pieces(segment), stale.get(segment.name)):
                for page, begin, end in pages_in(piece.data):
                    data = piece.data[begin:end]
                    if wanted(page, data):
                        found.append((timestamp(dated(data)), page, objects_in(data)))
        except DiskError:
            continue  # what is lost is not known
        found = found[-MOST_RECORDS:]
    return sorted(found, key=lambda each: each[0])


def _wholes(records: Sequence[Record], found: Sequence[Captured]) -> Iterator[Record]:
    """Put what pages say of one object together: a record for each time that its pages were gone through."""
    latest: dict[str, WebObject] = {}
    begun = ""
    met: set[str] = set()
    told = {(date, page): each for date, page, each in records}
    events = {*((each.at, iri(each.url)) for each in found if each.status.startswith(_ANSWERED)), *told}
    for date, page in sorted(events):
        if page in met and begun:
            yield begun, page, [_joined(latest)]
            begun = ""
        met = (met if page not in met else set()) | {page}
        for each in told.get((date, page), ()):
            latest.pop(page, None)
            latest[page] = each
            begun = begun or date
    if begun:
        yield begun, "", [_joined(latest)]


def _joined(latest: dict[str, WebObject]) -> WebObject:
    """Return an object with the text of all its pages; the one that was captured last says the rest."""
    newest = list(reversed(latest.values()))
    texts = {page: each.get("text") for page, each in reversed(latest.items()) if each.get("text")}
    one = next((each for each in newest if each.get("text")), newest[0])
    if len(texts) <= 1:
        return one
    text = joined(texts, one.uri)
    named = ((name, value._replace(text=text) if name == "text" else value) for name, value in one.properties)
    return replace(one, properties=tuple(named))


def _of_page(address: str) -> Callable[[str, bytes], bool]:
    same, host, key = iri(address), host_of(address), surt(address)
    return lambda page, _: page == same or (host in page and surt(page) == key)


def _of_object(uri: str) -> Callable[[str, bytes], bool]:
    subject = f"<{iri(uri)}> <".encode()
    return lambda _, data: data.startswith(subject) or b"\n" + subject in data


# ── versions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _versions(records: Sequence[Record], found: Sequence[Captured]) -> Iterator[Version]:
    """Go through the versions; records that say the same follow each other where a crawl wrote them all."""
    starts: list[Record] = []
    for record in records:
        if record[2] and (not starts or _content(record[2]) != _content(starts[-1][2])):
            starts.append(record)
    ends = [*(date for date, _, _ in starts[1:]), "9" * 14][: len(starts)]
    before: list[WebObject] = []
    for number, ((date, _, told), end) in enumerate(zip(starts, ends, strict=True), start=1):
        shown = [each.at for each in found if date <= each.at < end and each.status.startswith(_ANSWERED)]
        shown += [record[0] for record in records if date <= record[0] < end] if not shown else []
        revision = _revised(before, told) if number > 1 else Revision()
        yield Version(number, date, max(shown, default=date), len(shown), tuple(told), revision)
        before = told


def _content(objects: Sequence[WebObject]) -> dict[str, dict[str, tuple[str, ...]]]:
    return {key: _said(each) for key, each in _keyed(objects).items()}


def _revised(before: Sequence[WebObject], after: Sequence[WebObject]) -> Revision:
    old, new = _keyed(before), _keyed(after)
    edited = [(new[key], tuple(_edits(old[key], new[key]))) for key in new if key in old]
    return Revision(
        tuple(each for key, each in new.items() if key not in old),
        tuple(each for key, each in old.items() if key not in new),
        tuple(each for each in edited if each[1]),
    )


def _keyed(objects: Sequence[WebObject]) -> dict[str, WebObject]:
    """Name objects by their addresses; those that a page only counts are known by what they say."""
    found: dict[str, WebObject] = {}
    for each in objects:
        counted = bool(each.part_of) and not (each.get("id") or each.get("link"))
        found.setdefault(f"{each.kind} {each.get('text')}" if counted else each.uri, each)
    return found


def _edits(before: WebObject, after: WebObject) -> Iterator[Edit]:
    old, new = _said(before), _said(after)
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield Edit(name, old.get(name, ()), new.get(name, ()))


def _said(each: WebObject) -> dict[str, tuple[str, ...]]:
    """Return what an object says by property, without what counts."""
    said: dict[str, list[str]] = {}
    for name, value in each.properties:
        if name not in COUNTERS:
            said.setdefault(name, []).append(value.text)
    return {name: tuple(values) for name, values in said.items()}
