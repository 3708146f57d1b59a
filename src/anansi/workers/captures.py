"""Captures read back as pages: what the archive knows about visits, for a frontier that has forgotten them."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from anansi.archive.head import head_of
from anansi.archive.layout import Collection
from anansi.archive.lines import REVISIT
from anansi.archive.reader import Record, records
from anansi.archive.sort import lines_of
from anansi.errors import DamagedError
from anansi.fetch.curl import parse_head
from anansi.model import Body, Cut, Hop, Page, Validators, Visit
from anansi.url import Rules, canonical

LARGEST = 32 << 20  # bytes of a response that is read for its links

_CUTS = {cut.value: cut for cut in Cut}


@dataclass(frozen=True, slots=True)
class Capture:
    """A page as it was answered, and the one that holds its body: itself, or what its revisit record refers to."""

    page: Page
    source: Page
    validators: Validators


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
        """Read every capture in the order of the archive; of a damaged file those before the damage."""
        for warc in self._collection.warcs():
            yield from self._read(warc)

    def of(self, urls: Container[str]) -> Iterator[Page]:
        """Read the captures of some URLs."""
        for line in self._index():
            if line.get("url") in urls and (page := self._at(line["filename"], int(line["offset"]))) is not None:
                yield page

    def types(self) -> Iterator[tuple[str, str]]:
        """Read what pages were recognised as, as (URL, type)."""
        for warc in self._collection.warcs():
            with suppress(DamagedError):
                for record in records(warc):
                    if record.kind == "metadata" and (found := _fields(record.peek()).get("recognisedType")):
                        yield record.url, found

    def _index(self) -> Iterator[dict[str, Any]]:
        for line in lines_of(self._collection.index) if self._collection.index.exists() else ():
            yield json.loads(line.split(b" ", 2)[2])

    def _read(self, warc: Path) -> Iterator[Capture]:
        """Read one file, holding each capture until its metadata record, which follows, has been seen."""
        held: Capture | None = None
        identity = ""
        with suppress(DamagedError):  # `check` says where; what stands behind it is fetched anew
            for record in records(warc):
                if record.kind in ("response", "revisit"):
                    done, held, identity = held, self._capture(record), record.get("warc-record-id")
                    if done is not None:
                        yield done
                elif held is not None and record.kind == "metadata" and record.get("warc-concurrent-to") == identity:
                    held = _told(held, record.peek())
        if held is not None:
            yield held

    def _capture(self, record: Record) -> Capture:
        page = self._page(record)
        digest = record.get("warc-payload-digest")
        place = self._originals.get(digest) if record.kind == "revisit" else None
        source = place and self._at(*place)
        validators = Validators(page.header("etag")[:200], page.header("last-modified")[:100], digest, page.started)
        return Capture(page, source or page, validators)

    def _at(self, filename: str, offset: int) -> Page | None:
        with suppress(DamagedError, OSError):
            for record in records(self._collection.archive / filename, offset):
                return self._page(record)
        return None

    def _page(self, record: Record) -> Page:
        block = bytearray()
        for chunk in record.chunks():
            block += chunk[: LARGEST - len(block)]
        head = head_of(bytes(block))
        body = bytes(block[len(head) :])
        visit = Visit(url=record.url, key=canonical(record.url, self._rules))
        cut = _CUTS.get(record.get("warc-truncated"))
        page = Page(visit, _seconds(record.get("warc-date")), 0.0, body=Body(len(body), data=body), cut=cut)
        return _headed(page, head)


def _headed(page: Page, head: bytes) -> Page:
    status, headers = parse_head(head.splitlines(keepends=True))
    return replace(page, head=head, status=status, headers=headers)


def _told(capture: Capture, block: bytes) -> Capture:
    """Add what the metadata record says: the way to the page, its key, a head that its own record could not hold."""
    fields = _fields(block)
    hops = fields.get("hopsFromSeed", "")
    before = capture.page.visit
    key = fields.get("key", before.key)
    visit = Visit(before.url, key, hops, _depth(hops), fields.get("via", ""), seed=fields.get("seed", ""))
    page = replace(capture.page, visit=visit)
    if "responseHead" in fields:
        page = _headed(page, json.loads(fields["responseHead"]).encode("latin-1"))
    return replace(capture, page=page, source=page if capture.source is capture.page else capture.source)


def _fields(block: bytes) -> dict[str, str]:
    pairs = (line.decode("utf-8", "replace").partition(": ") for line in block.split(b"\r\n"))
    return {name: value for name, _, value in pairs}


def _depth(hops: str) -> int:
    """Count the links in a hop path; steps that it only numbers (`123+L…`) count as links."""
    count, _, shown = hops.rpartition("+")
    return int(count or 0) + shown.count(Hop.LINK.value)


def _seconds(date: str) -> float:
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0
