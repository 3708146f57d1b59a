"""Exchanges written to the archive, before anything parses them and again when that is done.

    payload, media type ─► capture (response, request) ─► … parse, recognise … ─► note (metadata)

Mutable state: the WARC writer's file; `_dedup`, payloads that were seen.
"""

from __future__ import annotations

from anansi.archive.dedup import Dedup
from anansi.archive.exchange import Notes
from anansi.archive.objects import ObjectLog
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from anansi.crawl.findings import Captured, Findings, replace
from anansi.model import Exchange, Page, Validators


class Archive:
    """Writes pages, and what stands on them, to the archive."""

    def __init__(self, writer: WarcWriter, objects: ObjectLog | None):
        self._writer, self._objects = writer, objects
        self._dedup = Dedup()

    def capture(self, page: Exchange, found: Findings) -> Findings:
        """Write the exchange, as a revisit when its payload is there already; add where it stands.

        It is the operating system's when this returns: a page that kills whoever reads it is kept all the same.
        """
        if page.fault is not None:
            return found
        payload = found.payload
        digest = payload_digest(payload)
        original = self._dedup.find(page, digest, payload.size)
        notes = Notes(mime=found.mime, digest=digest)
        kept = self._writer.write_exchange(page, payload, notes, revisit_of=original)
        identity = kept.place.identity if kept is not None else ""
        if original is None:
            self._dedup.remember(page, digest, payload.size)
        before = page.visit.validators
        if page.status == 304 and before is not None:
            return replace(found, captured=Captured(identity, validators=before, kept=kept))
        modified, etag = page.header("last-modified")[:100], page.header("etag")[:200]
        validators = Validators(etag, modified, digest, page.started)
        return replace(found, captured=Captured(identity, original is not None, validators, kept))

    def note(self, page: Exchange, found: Findings) -> Findings:
        """Write what reading found behind the exchange."""
        if found.captured.kept is not None:
            notes = Notes(found.title, charset=found.charset, fields=found.fields)
            self._writer.write_notes(page, found.captured.kept, notes)
        return found

    def describe(self, page: Page, found: Findings) -> Findings:
        """Write what stands on the page to the log of objects, and what it states of others."""
        if self._objects is not None and (found.objects or found.stated) and found.captured.identity:
            about = page.visit.url, page.started, found.captured.identity, found.recognition
            self._objects.write(*about, found.objects, stated=found.stated)
        return found
