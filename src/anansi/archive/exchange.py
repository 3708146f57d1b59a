"""An exchange on its way into the archive: which records it becomes, and which lines point to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from anansi.archive import record
from anansi.archive.dedup import Original, earlier_capture
from anansi.archive.head import is_chunked, mime_of, status_of
from anansi.archive.lines import REVISIT, About, Capture, cdxj_line, page_line
from anansi.model import Body, Exchange

TITLE: Final = 512
"""Characters of a title that are kept."""


class Notes(msgspec.Struct, frozen=True):
    """What the other stages know about an exchange: media type and digest before it is read, the rest after."""

    title: str = ""
    mime: str = ""
    """The media type that identification found."""
    charset: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    digest: str = ""
    """The payload digest, when it is known already."""


class Place(msgspec.Struct, frozen=True):
    """Where an exchange stands in the archive."""

    filename: str
    offset: int
    length: int
    """Of the response or revisit record, compressed."""
    identity: str
    """`WARC-Record-ID` of the response or revisit record, without angle brackets."""
    date: str
    digest: str
    revisit: bool


class Records(msgspec.Struct, frozen=True):
    """An exchange on its way into the archive: what its records and its lines must agree on."""

    identity: str
    subject: record.Subject
    digests: record.Digests
    origin: record.Origin | None
    block: bytes
    """The head that the response or revisit record holds."""
    mime: str
    hops: str

    @classmethod
    def of(cls, exchange: Exchange, payload: Body, notes: Notes, revisit_of: Original | None) -> Records:
        """Decide what kind of record the response becomes, and under which digests."""
        unmodified = exchange.status == 304
        if unmodified and revisit_of is None:
            revisit_of = earlier_capture(exchange)
        block = b"" if revisit_of is not None and (unmodified or _misframed(exchange, revisit_of)) else exchange.head
        digest = revisit_of.digest if revisit_of else notes.digest or record.payload_digest(payload)
        whole = "" if revisit_of else record.block_digest(exchange.head, exchange.body)
        mime = record.one_line(notes.mime)
        return cls(
            identity=record.new_id(),
            subject=record.Subject(
                record.uri(exchange.visit.url), record.warc_date(exchange.started), exchange.ip, exchange.protocol
            ),
            digests=record.Digests(whole, digest, mime, exchange.cut),
            origin=_origin(revisit_of, record.NOT_MODIFIED if unmodified else record.IDENTICAL),
            block=block,
            mime=mime,
            hops=record.one_line(exchange.visit.hops),
        )

    def whole(self, exchange: Exchange) -> bytes:
        """Build the response or revisit record of a body in memory."""
        if self.origin is not None:
            return record.revisit(self.identity, self.subject, self.origin, self.digests.payload, self.block)
        return b"".join(self.pieces(exchange))

    def pieces(self, exchange: Exchange) -> Iterator[bytes]:
        """Yield the response record piece by piece."""
        yield record.response_header(self.identity, self.subject, self.digests, len(self.block) + exchange.body.size)
        yield self.block
        yield from record.chunks(exchange.body)
        yield record.END

    def request(self, exchange: Exchange) -> bytes:
        """Build the request record; nothing when no request is known."""
        return record.request(self.identity, self.subject, exchange.request) if exchange.request else b""

    def metadata(self, exchange: Exchange, notes: Notes) -> bytes:
        """Build the metadata record."""
        pairs = [
            ("via", record.uri(exchange.visit.via)),
            ("hopsFromSeed", self.hops),
            ("seed", record.uri(exchange.visit.seed)),
            ("key", record.one_line(known) if (known := exchange.visit.identity) != exchange.visit.url else ""),
            ("fetchTimeMs", str(round(exchange.seconds * 1000))),
            ("title", _title(notes)),
            ("mime", self.mime),
            ("charset", notes.charset),
            # A block that stays empty for the sake of replay: its head is kept here, to the byte.
            ("responseHead", record.quoted(exchange.head) if not self.block else ""),
            *notes.fields,
        ]
        return record.metadata(self.identity, self.subject, pairs)

    def place(self, filename: str, offset: int, length: int) -> Place:
        """Say where the response or revisit record stands."""
        return Place(
            filename=filename,
            offset=offset,
            length=length,
            identity=self.identity.strip("<>"),
            date=self.subject.date,
            digest=self.digests.payload,
            revisit=self.origin is not None,
        )

    def lines(self, place: Place, notes: Notes) -> tuple[bytes, bytes | None]:
        """Word the index line and, for pages, the page line."""
        served = mime_of(self.block)
        capture = Capture(
            url=self.subject.url,
            date=self.subject.date,
            identity=place.identity.removeprefix("urn:uuid:"),
            mime=REVISIT if place.revisit else served,
            status=status_of(self.block),
            digest=place.digest,
            filename=place.filename,
            offset=place.offset,
            length=place.length,
        )
        about = About(_title(notes), self.mime, self.hops)
        return cdxj_line(capture), page_line(capture, served, about)


class Kept(msgspec.Struct, frozen=True):
    """An exchange whose response and request the archive has."""

    records: Records
    place: Place


def _title(notes: Notes) -> str:
    return record.one_line(" ".join(notes.title[: 4 * TITLE].split()), TITLE)


def _misframed(exchange: Exchange, original: Original) -> bool:
    """Tell whether the page's head would misread the body of the original.

    pywb reads the earlier record's body by the later record's head: without its Transfer-Encoding, the sizes of the
    chunks would show as text. A revisit record without a head makes it use the earlier one.
    """
    return original.chunked is not False and not is_chunked(exchange.head)


def _origin(original: Original | None, profile: str) -> record.Origin | None:
    if original is None:
        return None
    return record.Origin(record.uri(original.url), record.warc_date(original.date), profile)
