"""Captures read back as pages: what the archive knows about visits, for a frontier that has forgotten them."""

from __future__ import annotations

import json
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from anansi.archive.head import head_of
from anansi.archive.layout import Collection
from anansi.archive.lines import REVISIT
from anansi.archive.reader import Damage, Record, past_damage, records
from anansi.archive.sort import lines_of
from anansi.errors import DamagedError
from anansi.fetch.curl import parse_head
from anansi.model import Body, Cut, Hop, Page, Validators, Visit, parted, role_of
from anansi.url import Rules, canonical, site_of

LARGEST = 32 << 20  # bytes of a response that is read for its links

_CUTS = {cut.value: cut for cut in Cut}


@dataclass(frozen=True, slots=True)
class Capture:
    """A page as it was answered, and the one that holds its body: itself, or what its revisit record refers to."""

    page: Page
    source: Page
    validators: Validators
    identity: str = ""
    """`WARC-Record-ID` of its response, without angle brackets."""


class Captures:
    """The captures of a collection whose index is whole."""

    def __init__(self, collection: Collection, rules: Rules):
        self._collection, self._rules = collection, rules
        wanted = {line.get("digest") for line in self._index() if line.get("mime") == REVISIT}
        self._originals = {
            line["digest"]: (line["filename"], int(line["offset"]))
            for line in self._index()
            if line.get("digest") in wanted and line.get("mime") != REVISIT
        }

    def all(self) -> Iterator[Capture]:
        """Read every capture in the order of the archive; what is damaged is left out."""
        for warc in self._collection.warcs():
            yield from self.in_file(warc)

    def before(self, moments: Mapping[str, float]) -> Iterator[Capture]:
        """Read the captures of some sites that were made before a moment, each site's own."""
        for stamp, told in self._lines():
            moment = moments.get(site_of(told.get("url", "")))
            if moment is None or stamp >= time.strftime("%Y%m%d%H%M%S", time.gmtime(moment + 1)).encode():
                continue
            if (record := self._record_at(told["filename"], int(told["offset"]))) is not None:
                yield record

    def of(self, urls: Container[str]) -> Iterator[Page]:
        """Read the captures of some URLs."""
        for line in self._index():
            if line.get("url") in urls and (page := self._at(line["filename"], int(line["offset"]))) is not None:
                yield page

    def types(self) -> Iterator[tuple[str, str]]:
        """Read what pages were recognised as, as (URL, type)."""
        for warc in self._collection.warcs():
            yield from past_damage(warc, _type_of, _overlook)

    def seeds(self) -> list[str]:
        """Read which seeds pages were found from."""
        found = (url for warc in self._collection.warcs() for url in past_damage(warc, _seed_of, _overlook))
        return list(dict.fromkeys(found))

    def _index(self) -> Iterator[dict[str, Any]]:
        for _, told in self._lines():
            yield told

    def _lines(self) -> Iterator[tuple[bytes, dict[str, Any]]]:
        for line in lines_of(self._collection.index) if self._collection.index.exists() else ():
            _, stamp, told = line.split(b" ", 2)
            yield stamp, json.loads(told)

    def in_file(self, warc: Path) -> Iterator[Capture]:
        """Read one file, holding each capture until its metadata record, which follows, has been seen."""
        held: list[tuple[str, Capture]] = []

        def take(record: Record) -> Iterator[Capture]:
            if record.kind in ("response", "revisit"):
                found = self._capture(record)
                record.finish()  # a torn record ends here, and the one held stays held
                if held:
                    yield held.pop()[1]
                held.append((record.get("warc-record-id"), found))
            elif held and record.kind == "metadata" and record.get("warc-concurrent-to") == held[0][0]:
                about = record.peek()
                record.finish()
                held[0] = held[0][0], _told(held[0][1], about)

        yield from past_damage(warc, take, _overlook)
        for _, last in held:
            yield last

    def _capture(self, record: Record) -> Capture:
        page = _page(record, self._rules)
        digest = record.get("warc-payload-digest")
        place = self._originals.get(digest) if record.kind == "revisit" else None
        source = place and self._at(*place)
        validators = Validators(page.header("etag")[:200], page.header("last-modified")[:100], digest, page.started)
        return Capture(page, source or page, validators, record.get("warc-record-id").strip("<> "))

    def _record_at(self, filename: str, offset: int) -> Capture | None:
        with suppress(DamagedError, OSError):
            for record in records(self._collection.archive / filename, offset):
                return self._capture(record) if record.kind in ("response", "revisit") else None
        return None

    def _at(self, filename: str, offset: int) -> Page | None:
        return page_at(self._collection.archive / filename, offset, self._rules)


def page_at(warc: Path, offset: int, rules: Rules) -> Page | None:
    """Read the capture that stands in a file at a place, if it can be had."""
    with suppress(DamagedError, OSError):
        for record in records(warc, offset):
            return _page(record, rules)
    return None


def _page(record: Record, rules: Rules) -> Page:
    block = bytearray()
    for chunk in record.chunks():
        block += chunk[: LARGEST - len(block)]
    head = head_of(bytes(block))
    body = bytes(block[len(head) :])
    visit = Visit(url=record.url, key=canonical(record.url, rules))
    cut = _CUTS.get(record.get("warc-truncated"))
    page = Page(visit, _seconds(record.get("warc-date")), 0.0, body=Body(len(body), data=body), cut=cut)
    return _headed(page, head)


def _overlook(_: Damage) -> None:
    """Go on behind damage: `check` says where it is."""


def _type_of(record: Record) -> list[tuple[str, str]]:
    """Read what a page was recognised as from its metadata record."""
    found = _fields(record.peek()).get("recognisedType") if record.kind == "metadata" else None
    record.finish()
    return [(record.url, found)] if found else []


def _seed_of(record: Record) -> list[str]:
    """Read from its metadata record which seed a page was found from."""
    found = _fields(record.peek()).get("seed") if record.kind == "metadata" else None
    record.finish()
    return [found] if found else []


def _headed(page: Page, head: bytes) -> Page:
    status, headers = parse_head(head.splitlines(keepends=True))
    return replace(page, head=head, status=status, headers=headers)


def _told(capture: Capture, block: bytes) -> Capture:
    """Add what the metadata record says: the way to the page, its key, a head that its own record could not hold."""
    fields = _fields(block)
    hops = fields.get("hopsFromSeed", "")
    before = capture.page.visit
    key, role = parted(fields.get("key", before.key))
    via, seed = fields.get("via", ""), fields.get("seed", "")
    visit = Visit(before.url, key, hops, depth_of(hops), via, role=role or role_of(hops), seed=seed)
    page = replace(capture.page, visit=visit)
    if "responseHead" in fields:
        page = _headed(page, json.loads(fields["responseHead"]).encode("latin-1"))
    return replace(capture, page=page, source=page if capture.source is capture.page else capture.source)


def _fields(block: bytes) -> dict[str, str]:
    pairs = (line.decode("utf-8", "replace").partition(": ") for line in block.split(b"\r\n"))
    return {name: value for name, _, value in pairs}


def depth_of(hops: str) -> int:
    """Count the links in a hop path; steps that it only numbers (`123+L…`) count as links."""
    count, _, shown = hops.rpartition("+")
    return int(count or 0) + shown.count(Hop.LINK.value)


def _seconds(date: str) -> float:
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0
