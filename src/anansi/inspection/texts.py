"""What the pages of a collection say: text for whoever searches in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from anansi.archive.head import head_of
from anansi.archive.layout import Collection
from anansi.archive.reader import Record, records
from anansi.archive.wacz import Said
from anansi.errors import DamagedError
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.text import tree as html

LARGEST: Final = 8 << 20
"""Bytes of a page that are read, as it came and decoded."""
LONGEST: Final = 100_000
"""Characters of a page that are kept."""


def texts(collection: Collection) -> Iterator[Said]:
    """Read the text of every page in the archive; of a damaged file those before the damage."""
    for warc in collection.warcs():
        with suppress(DamagedError):  # `check` says where
            for record in records(warc):
                if record.kind == "response" and (text := _text(record)):
                    identity = record.get("warc-record-id").strip("<>").removeprefix("urn:uuid:")
                    yield Said(record.get("warc-date"), identity, text)


def _text(record: Record) -> str:
    """Return what a response says, if it is a page."""
    if not mime.is_html(record.get("warc-identified-payload-type") or "text/html"):
        return ""
    block = bytearray()
    for piece in record.chunks():
        block += piece[: LARGEST - len(block)]
    head = head_of(bytes(block))
    status, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    declared = named.get("content-type", "")
    if not 200 <= status < 300:
        return ""
    payload, _ = decode.transfer_decode(headers, bytes(block[len(head) :]))
    data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
    if not mime.is_html(mime.sniff(declared, data[: mime.HEAD], record.url.partition("?")[0])):
        return ""
    tree = html.parse(data, charset.detect(declared, data))
    return " ".join(html.text(tree).split())[:LONGEST] if tree is not None else ""
