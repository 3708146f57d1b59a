"""Pages read again from the archive, by what is known now, without the network.

    capture ─► read ─► recognise ─► objects ─► the log of objects, where this reading replaces the former one

A reading that says the same as the former one is not written, so whoever is stopped can begin anew at any time. A
page on which nothing is found keeps its former objects; so does one of which only standards speak (Open Graph), for a
feed may have told more of it; and where feeds are watched, what is told of an object stays, unless a rule tells it
otherwise. Files that were read wholly by the knowledge of today are not read again:
`objects/again.json` names them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Final, Self

from anansi import __version__
from anansi.archive.disk import replacing
from anansi.archive.layout import Collection
from anansi.archive.lessons import Lesson
from anansi.archive.objects import ObjectLog, folder, repair
from anansi.archive.readings import Former
from anansi.config import Definition, load
from anansi.crawl import findings
from anansi.crawl.captures import Capture, Captures
from anansi.crawl.stages.gaps import Gaps
from anansi.crawl.stages.read import Reader
from anansi.knowledge import shelf, writing
from anansi.knowledge.catalogue import Catalogue, specificity
from anansi.model import Page, WebObject
from anansi.pages.interpreter import Understanding
from anansi.url import site_of

FLUSHED: Final = 200
"""Pages after which objects are written."""

Show = Callable[["Again"], None]
"""Told now and then how far it is."""


@dataclass(frozen=True, slots=True)
class Again:
    """What reading again did."""

    pages: int = 0
    changed: int = 0
    """Pages whose objects are others now."""
    objects: int = 0
    """Of those."""
    unreadable: int = 0
    files: int = 0
    """WARC files that were read to their end."""
    of: int = 0
    """All that there are to read."""


def read_again(collection: Collection, show: Show = lambda _: None) -> Again:
    """Read all pages of a collection again that were not read by the knowledge of today; goes on where it stopped."""
    catalogue = shelf.catalogue_now(shelf.personal(), collection.knowledge)
    record = _Record(collection, catalogue)
    waiting = [warc for warc in collection.warcs() if warc.name not in record.done]
    if not waiting:
        return Again()
    repair(collection)
    reading = _Reading(collection, catalogue, show, len(waiting))
    captures = Captures(collection, reading.reader.rules)
    with reading:
        for warc in waiting:
            reading.read(captures.in_file(warc))
            reading.finish_file()
            record.note(warc)
    return reading.done


def read_sites_again(collection: Collection, learned: Mapping[str, Lesson], stopped: Callable[[], bool]) -> Again:
    """Read the pages of some sites again that were captured before something was learned there."""
    catalogue = shelf.catalogue_now(shelf.personal(), collection.knowledge)
    reading = _Reading(collection, catalogue, lambda _: None, 0)
    assert reading.reader.interpreter is not None
    for site, lesson in learned.items():
        reading.reader.interpreter.remind(site, (lesson.type,))
    moments = {site: lesson.at for site, lesson in learned.items()}
    with reading:
        captures = Captures(collection, reading.reader.rules).before(moments)
        reading.read(takewhile(lambda _: not stopped(), captures))
    return reading.done


class _Reading:
    """Reads captures. Mutable: `done`, how far it is; the log, flushed every few pages and closed at the end."""

    def __init__(self, collection: Collection, catalogue: Catalogue, show: Show, files: int):
        definition = load(collection.definition) if collection.definition.exists() else Definition()
        self.reader = Reader(definition, collection.state, catalogue)
        self.done = Again(of=files)
        self._watched = definition.watch.what != "nothing"
        self._log = ObjectLog(collection, 0)
        self._former = Former(collection)
        self._gaps = Gaps()
        self._show, self._shown = show, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()

    def read(self, captures: Iterable[Capture]) -> None:
        """Read captures, and write down what is found on them."""
        for capture in captures:
            if capture.identity and capture.page.ok:
                self._read(capture)
                if self.done.pages % FLUSHED == 0:
                    self._log.flush()
                if time.monotonic() - self._shown > 1:
                    self._shown = time.monotonic()
                    self._show(self.done)

    def finish_file(self) -> None:
        """Note that a file was read to its end."""
        self._log.flush()
        self.done = replace(self.done, files=self.done.files + 1)

    def _read(self, capture: Capture) -> None:
        page = _whole(capture)
        try:
            found = self._understood(page)
        except Exception:  # as in a crawl: one page that we cannot read ends nothing
            self.done = replace(self.done, pages=self.done.pages + 1, unreadable=self.done.unreadable + 1)
            return
        if found is None:
            return
        recognition = found.recognition
        unless = self._former.knows if recognition and specificity(recognition.type) < 0 else self._former.same
        about = page.visit.url, page.started, capture.identity, recognition
        objects = self._completed(capture.identity, found)
        written = self._log.write(*about, objects, stated=found.stated, again=True, unless=unless)
        changed = written and bool(objects)
        self.done = replace(
            self.done,
            pages=self.done.pages + 1,
            changed=self.done.changed + changed,
            objects=self.done.objects + (len(found.objects) if changed else 0),
        )

    def _completed(self, identity: str, found: Understanding) -> list[WebObject]:
        """Add what feeds told of the objects of a page to what rules learned of its site find."""
        if not (self._watched and found.recognition and specificity(found.recognition.type) <= 0):
            return found.objects
        told = {each.uri: each for each in self._former.objects(identity)}
        return [_with(each, told[each.uri]) if each.uri in told else each for each in found.objects]

    def _understood(self, page: Page) -> Understanding | None:
        """Return what a page is and what stands on it; None for what is no page of HTML."""
        interpreter = self.reader.interpreter
        assert interpreter is not None
        read = self.reader.read(page)
        if read.document is None:
            return None
        found = interpreter.act(read.document, read.recognition, site_of(page.visit.url), page.started)
        if not found.objects:
            return found
        kept = self._gaps.look(page, findings.replace(read, objects=found.objects))
        return replace(found, objects=kept.objects)


def _with(found: WebObject, told: WebObject) -> WebObject:
    """Add those properties of an object that a reading did not find."""
    names = {name for name, _ in found.properties}
    more = (each for each in told.properties if each[0] not in names)
    return replace(found, properties=(*found.properties, *more), part_of=found.part_of or told.part_of)


def _whole(capture: Capture) -> Page:
    """Return a page with its body, which may stand in an earlier record."""
    source = capture.source
    if source is capture.page:
        return source
    return replace(capture.page, body=source.body, head=source.head, headers=source.headers)


class _Record:
    """Which files were read by which knowledge. Mutable: `done`, and the file."""

    def __init__(self, collection: Collection, catalogue: Catalogue):
        self._path = folder(collection) / "again.json"
        self._knowledge = _digest(catalogue)
        self.done: set[str] = set()
        try:
            found = json.loads(self._path.read_bytes())
            if found["knowledge"] == self._knowledge:
                self.done = set(map(str, found["files"]))
        except (OSError, ValueError, KeyError, TypeError):
            return  # never, or nobody knows: all are read

    def note(self, warc: Path) -> None:
        """Note that a file was read."""
        self.done.add(warc.name)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._path) as path:
            path.write_text(json.dumps({"knowledge": self._knowledge, "files": sorted(self.done)}))


def _digest(catalogue: Catalogue) -> str:
    """Return what tells one state of knowledge, and of this program, from another."""
    digest = sha256(__version__.encode())
    for name in sorted(catalogue.types):
        digest.update(writing.write(catalogue.types[name]))
    return digest.hexdigest()
