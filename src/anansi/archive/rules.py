"""What a record must satisfy by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from anansi.archive.digest import Digester, parse_digest
from anansi.archive.reader import Record

_DATE: Final = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?)?)?")
_IDENTITY: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]+>")
_TARGET: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_KINDS: Final = frozenset(
    ("warcinfo", "request", "response", "revisit", "resource", "metadata", "conversion", "continuation")
)
_TARGETED: Final = frozenset(("request", "response", "revisit", "resource", "conversion", "continuation"))

# A rule: what is wrong when it does not hold, and the test of the record.
_RULES: Final[tuple[tuple[str, Callable[[Record], bool]], ...]] = (
    ("WARC-Type is missing or unknown", lambda record: record.kind in _KINDS),
    (
        "WARC-Record-ID is missing or not an <URI>",
        lambda record: bool(_IDENTITY.fullmatch(record.get("warc-record-id"))),
    ),
    ("WARC-Date is missing or not a date", lambda record: bool(_DATE.fullmatch(record.get("warc-date")))),
    (
        "WARC-Target-URI is missing or not a URI",
        lambda record: record.kind not in _TARGETED or bool(_TARGET.fullmatch(record.url)),
    ),
    ("Content-Type is missing", lambda record: record.size == 0 or bool(record.get("content-type"))),
    ("WARC-Profile is missing", lambda record: record.kind != "revisit" or bool(record.get("warc-profile"))),
    (
        "WARC-Refers-To-Target-URI or -Date is missing: the revisit cannot be replayed",
        lambda record: (
            record.kind != "revisit"
            or bool(record.get("warc-refers-to-target-uri") and record.get("warc-refers-to-date"))
        ),
    ),
)


def header_faults(record: Record) -> Iterator[str]:
    """Say what is wrong with the fields of a record."""
    for fault, holds in _RULES:
        if not holds(record):
            yield fault


def digest_faults(record: Record) -> Iterator[str]:
    """Read the block and say which digests do not match it."""
    http = "http" in record.get("content-type")
    beginning = record.peek()
    wanted = {name: parse_digest(record.get(name)) for name in ("warc-block-digest", "warc-payload-digest")}
    algorithms = {found[0] for found in wanted.values() if found}
    digesters = {algorithm: Digester(algorithm, beginning, http=http) for algorithm in algorithms}
    for piece in record.chunks():
        for digester in digesters.values():
            digester.feed((piece,))
    block, payload = wanted["warc-block-digest"], wanted["warc-payload-digest"]
    if block and digesters[block[0]].block() != block[1]:
        yield "WARC-Block-Digest does not match the block"
    # The payload of a revisit lies in another record.
    if payload and record.kind in ("response", "resource") and payload[1] not in digesters[payload[0]].payloads():
        yield "WARC-Payload-Digest does not match the payload"
