"""The pages of WARC files, parsed, for whoever learns from their structure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, status_of
from anansi.archive.reader import Record, records
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.induce.outline import SitePage
from anansi.text import tree as html

LARGEST: Final = 32 << 20
"""Bytes of a page that are read; a crawl parses no more either."""


def pages_in(warcs: Iterable[Path]) -> Iterator[SitePage]:
    """Go through the pages of WARC files, one address once, in the order they were fetched in."""
    seen: set[str] = set()
    for warc in warcs:
        with guarded(warc):
            for record in records(warc):
                if record.kind == "response" and record.url not in seen:
                    seen.add(record.url)
                    tree = tree_of(record.url, _block(record))
                    if tree is not None:
                        yield SitePage(record.url, tree)
                record.finish()


def _block(record: Record) -> bytes:
    block = bytearray()
    for piece in record.chunks():
        block += piece[: LARGEST - len(block)]
    return bytes(block)


def tree_of(url: str, block: bytes) -> Any | None:
    """Parse a response as it came; None when it is no page that was answered in full."""
    head = head_of(block)
    if status_of(head) != "200":
        return None
    _, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    payload, _ = decode.transfer_decode(headers, block[len(head) :])
    data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
    declared = named.get("content-type", "")
    if not mime.is_html(mime.sniff(declared, data[: mime.HEAD], url.partition("?")[0])):
        return None
    return html.parse(data, charset.detect(declared, data))
