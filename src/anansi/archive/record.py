"""WARC 1.1 records as bytes, and the gzip member that holds each.

Whatever comes from outside (URL, title, type) passes through `uri` or `one_line` before it stands in a header, so
that no carriage return or line feed of a page can begin a header of ours.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

import msgspec
from isal import igzip_lib, isal_zlib

from anansi.archive.settings import SETTINGS
from anansi.model import Body, Cut

CHUNK: Final = 1 << 20
"""Bytes read at a time from a body that lies in a file."""

IDENTICAL: Final = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED: Final = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
CONFORMS_TO: Final = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"

_VALUE_LIMIT: Final = 8192
_FIELD_LIMIT: Final = 1 << 20
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_URI_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029<>\"]")
_NAME_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]+")


def _spread(width: int) -> int:
    """Return the mask of the upper halves, of so many bits, of groups that are far enough apart for five a byte."""
    return sum(((1 << width) - 1) << (place + width) for place in range(0, 256, 16 * width // 5))


_BASE32: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".ljust(256)
_random: Final = random.Random(os.urandom(32))  # one system call a process, not one a record
os.register_at_fork(after_in_child=lambda: _random.seed(os.urandom(32)))
_SPREAD: Final = tuple((_spread(width), (1 << 3 * width // 5) - 1) for width in (80, 40, 20, 10, 5))
"""The 160 bits of a digest are halved, and halved again, until each five have a byte: which move, and how far."""
END: Final = b"\r\n\r\n"
"""The two empty lines that end every record."""


class Subject(msgspec.Struct, frozen=True):
    """What the records of one exchange share: URL and date as they stand in the headers, address, protocols."""

    url: str
    date: str
    ip: str = ""
    protocol: str = ""


class Origin(msgspec.Struct, frozen=True):
    """The earlier capture that a revisit record refers to, as it stands in the headers."""

    url: str
    date: str
    profile: str


def new_id() -> str:
    """Make a record identifier: a random UUID (version 4), without the cost of `uuid.uuid4`."""
    digits = f"{_random.getrandbits(128):032x}"
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}>"


@lru_cache(maxsize=64)
def _to_the_second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


_ROUNDING: Final = 1e-3
"""Thousandths: a time that was written and read back is a float a little below it, and must be written the same."""


def warc_date(seconds: float) -> str:
    """Write a time with milliseconds, which warcio, pywb, FastWARC and ReplayWeb.page all read."""
    whole, thousandths = divmod(int(seconds * 1000 + _ROUNDING), 1000)
    return f"{_to_the_second(whole)}.{thousandths:03d}Z"


def one_line(text: str, limit: int = _VALUE_LIMIT) -> str:
    """Make a header value of any text: one line, no control characters, valid UTF-8, at most `limit` characters."""
    if text.isascii() and text.isprintable():  # most are, and these two tests cost less than the substitution
        return text[:limit].strip()
    return _CONTROLS.sub(" ", text[:limit]).strip().encode("utf-8", "replace").decode()


@lru_cache(maxsize=4096)  # a page's address comes again as that of the page that led to others
def uri(url: str) -> str:
    """Make a URL safe for a header: what may not stand in a URI is percent-encoded."""
    safe = _URI_UNSAFE.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), url)
    return safe.encode("utf-8", "replace").decode()


def digest_text(digest: bytes) -> str:
    """Write a SHA-1 digest as WARC does: in base 32, all letters at once (`base64` takes three times as long)."""
    number = int.from_bytes(digest)
    for upper, way in _SPREAD:
        number += (number & upper) * way
    return "sha1:" + number.to_bytes(32).translate(_BASE32).decode()


def chunks(body: Body) -> Iterator[bytes]:
    """Yield the bytes of a body, a bounded piece at a time."""
    if body.file is None:
        yield body.data
        return
    body.file.seek(0)
    left = body.size
    while left:
        piece = body.file.read(min(left, CHUNK))
        if not piece:
            raise ValueError(f"body of {body.size} bytes ends {left} bytes early")
        left -= len(piece)
        yield piece


def payload_digest(payload: Body) -> str:
    """Compute the digest of a payload, transfer coding undone."""
    return block_digest(b"", payload)


def block_digest(head: bytes, body: Body) -> str:
    """Compute the digest of a block: head and body as they came."""
    sha1 = hashlib.sha1(head, usedforsecurity=False)
    for piece in chunks(body):
        sha1.update(piece)
    return digest_text(sha1.digest())


def _digest(block: bytes) -> str:
    return digest_text(hashlib.sha1(block, usedforsecurity=False).digest())


def _header(kind: str, identity: str, date: str, fields: str, size: int) -> bytes:
    """Write the header of a record, whose own fields are lines that end."""
    text = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {identity}\r\nWARC-Date: {date}\r\n"
        f"{fields}Content-Length: {size}\r\n\r\n"
    )
    return text.encode()


def _line(name: str, value: str) -> str:
    """Write a field; nothing when it has no value."""
    return f"{name}: {value}\r\n" if value else ""


@lru_cache(maxsize=1024)  # the same for all pages of a host
def _where(ip: str, protocol: str) -> str:
    """Write the fields that say whom was asked, and how."""
    names = one_line(protocol).replace(",", " ").split()
    return _line("WARC-IP-Address", one_line(ip)) + "".join(_line("WARC-Protocol", name) for name in names)


def _about(subject: Subject) -> str:
    return _line("WARC-Target-URI", subject.url) + _where(subject.ip, subject.protocol)


class Digests(msgspec.Struct, frozen=True):
    """The digests of a response, and what identification found in it."""

    block: str
    payload: str
    mime: str = ""
    cut: Cut | None = None


def response_header(identity: str, subject: Subject, digests: Digests, size: int) -> bytes:
    """Write the header of a response record; `size` bytes of block and `END` must follow."""
    fields = (
        f"{_about(subject)}WARC-Payload-Digest: {digests.payload}\r\nWARC-Block-Digest: {digests.block}\r\n"
        f"{_line('WARC-Identified-Payload-Type', one_line(digests.mime))}"
        f"{_line('WARC-Truncated', digests.cut.value if digests.cut else '')}"
        "Content-Type: application/http; msgtype=response\r\n"
    )
    return _header("response", identity, subject.date, fields, size)


def revisit(identity: str, subject: Subject, origin: Origin, payload: str, head: bytes) -> bytes:
    """Build a revisit record: the payload is that of `origin`.

    Without a head, replay tools show that of `origin`. So must it be for a 304, which they would otherwise answer the
    reader with.
    """
    # "A WARC-Truncated header with reason 'length' shall be used for any identical-digest truncation."
    truncated = "length" if origin.profile == IDENTICAL else ""
    fields = (
        f"{_about(subject)}WARC-Profile: {origin.profile}\r\n"
        f"WARC-Refers-To-Target-URI: {origin.url}\r\nWARC-Refers-To-Date: {origin.date}\r\n"
        f"{_line('WARC-Payload-Digest', payload)}WARC-Block-Digest: {_digest(head)}\r\n"
        f"{_line('WARC-Truncated', truncated)}Content-Type: application/http; msgtype=response\r\n"
    )
    return _header("revisit", identity, subject.date, fields, len(head)) + head + END


def request(concurrent: str, subject: Subject, block: bytes) -> bytes:
    """Build the request record of the exchange whose response is `concurrent`."""
    fields = (
        f"{_about(subject)}WARC-Concurrent-To: {concurrent}\r\nWARC-Block-Digest: {_digest(block)}\r\n"
        "Content-Type: application/http; msgtype=request\r\n"
    )
    return _header("request", new_id(), subject.date, fields, len(block)) + block + END


def metadata(concurrent: str, subject: Subject, pairs: Iterable[tuple[str, str]]) -> bytes:
    """Build the metadata record of the exchange whose response is `concurrent`."""
    block = _warc_fields(pairs)
    fields = (
        f"{_line('WARC-Target-URI', subject.url)}WARC-Concurrent-To: {concurrent}\r\n"
        f"WARC-Block-Digest: {_digest(block)}\r\nContent-Type: application/warc-fields\r\n"
    )
    return _header("metadata", new_id(), subject.date, fields, len(block)) + block + END


def warcinfo(filename: str, date: str, info: Mapping[str, str]) -> bytes:
    """Build the record that begins a file: who wrote it, with what, for whom."""
    block = _warc_fields({"format": "WARC File Format 1.1", "conformsTo": CONFORMS_TO, **info}.items())
    fields = (
        f"{_line('WARC-Filename', one_line(filename))}WARC-Block-Digest: {_digest(block)}\r\n"
        "Content-Type: application/warc-fields\r\n"
    )
    return _header("warcinfo", new_id(), date, fields, len(block)) + block + END


def _warc_fields(pairs: Iterable[tuple[str, str]]) -> bytes:
    lines = [f"{_field_name(name)}: {one_line(value, _FIELD_LIMIT)}\r\n" for name, value in pairs if value]
    return "".join(lines).encode()


@lru_cache(maxsize=256)
def _field_name(name: str) -> str:
    return _NAME_UNSAFE.sub("-", name)


def quoted(head: bytes) -> str:
    """Write the exact bytes of a head as one JSON string, for a metadata field."""
    return json.dumps(head.decode("latin-1"))


def squeeze(record: bytes) -> bytes:
    """Compress a whole record into one gzip member."""
    level = SETTINGS.level if len(record) >= SETTINGS.small_record else 0
    member: bytes = igzip_lib.compress(record, level, igzip_lib.COMP_GZIP)
    return member


def squeeze_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress a record that comes in pieces into one gzip member, without holding it."""
    deflate = isal_zlib.compressobj(SETTINGS.level, isal_zlib.DEFLATED, 31)
    for piece in pieces:
        if squeezed := deflate.compress(piece):
            yield squeezed
    yield deflate.flush()
