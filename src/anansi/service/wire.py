"""HTTP/1.1 as RFC 9112 has it, read strictly and within limits; what is wrong comes back as a problem.

Every wait has an end: a connection may be idle, a head and a body may be under way, and an answer may be taken, for
so long and no longer.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl, unquote

from anansi.service.problem import MEDIA_TYPE, Problem

LARGEST_HEAD: Final = 64 << 10
"""Bytes of a request's head: a page's headers may be in it, and servers send up to 32 KB of them."""

LARGEST_BODY: Final = 32 << 20
"""Bytes of a request's body; what a crawl would parse of a page is as much."""

IDLE: Final = 60.0
"""Seconds that a connection may wait for its next request."""

HEAD_SECONDS: Final = 10.0
BODY_SECONDS: Final = 30.0
PACE: Final = 256 << 10
"""Bytes of a body that must come within `PACE_SECONDS`, again and again, or the rest of it."""
PACE_SECONDS: Final = 5.0
WRITE_SECONDS: Final = 30.0
LINGER: Final = 2.0
"""Seconds in which a client may still send after it was refused, so that it sees the refusal before a reset."""

_REQUEST_LINE: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) ([!-~]{1,16384}) HTTP/(\d)\.(\d)")
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*")
_CHUNK: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
_PIECE: Final = 1 << 16
_FIELDS: Final = 200  # in a query, and header lines


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a request."""

    method: str
    path: str
    query: dict[str, str]
    headers: list[tuple[str, str]]
    keep: bool
    """Whether the connection goes on after it."""
    length: int = 0
    chunked: bool = False

    def header(self, name: str, default: str = "") -> str:
        """Return the first header of that (lower-case) name."""
        return next((value for key, value in self.headers if key == name), default)

    @property
    def has_body(self) -> bool:
        """Tell whether a body follows."""
        return self.chunked or self.length > 0


@dataclass(frozen=True, slots=True)
class Response:
    """What is answered."""

    status: int
    body: bytes
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def refusal(problem: Problem, **headers: str) -> Response:
    """Answer with a problem."""
    return Response(problem.status, problem.body(), MEDIA_TYPE, headers)


class Room:
    """Bytes for the bodies that are received or wait to be read. Mutable: `held`, bytes that are taken.

    A body takes what has come of it: one that comes slowly keeps no others out.
    """

    def __init__(self, most: int):
        self._most, self.held = most, 0

    @contextmanager
    def seat(self) -> Iterator[Callable[[int], bool]]:
        """Offer a way to take room, piece by piece, which tells whether there is any; it is given back at the end."""
        taken = 0

        def take(size: int) -> bool:
            nonlocal taken
            if self.held + size > self._most:
                return False
            taken += size
            self.held += size
            return True

        try:
            yield take
        finally:
            self.held -= taken


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def read_head(reader: asyncio.StreamReader) -> Head | Problem | None:
    """Read the head of the next request; None when there is none."""
    try:
        first = await asyncio.wait_for(reader.readexactly(1), IDLE)
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        return None
    try:
        data = first + await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
    except TimeoutError:
        return Problem("too-slow", f"the head was not complete after {HEAD_SECONDS:g} s")
    except asyncio.LimitOverrunError:
        return Problem("head-too-large", f"a head has at most {LARGEST_HEAD:,} bytes")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return parse_head(data.lstrip(b"\r\n"))


def parse_head(data: bytes) -> Head | Problem:
    """Read a head with the empty line that ends it."""
    first, *lines = data.removesuffix(b"\r\n\r\n").split(b"\r\n")
    line = _REQUEST_LINE.fullmatch(first)
    if line is None:
        return Problem("bad-request", "the request line is not METHOD TARGET HTTP/VERSION")
    if line[3] != b"1":
        return Problem("bad-version", f"HTTP/{line[3].decode()} was asked for")
    fields = [_FIELD.fullmatch(each) for each in lines[: _FIELDS + 1]]
    if len(lines) > _FIELDS:
        return Problem("head-too-large", f"a head has at most {_FIELDS} lines")
    headers = [(found[1].decode().lower(), found[2].decode("latin-1")) for found in fields if found is not None]
    if len(headers) < len(fields):
        return Problem("bad-request", "a header line is not NAME: VALUE")
    return _framed(line, headers)


def _framed(line: re.Match[bytes], headers: list[tuple[str, str]]) -> Head | Problem:
    """Find out how long the body is; what could be understood in two ways is refused."""
    values = {name: [value for key, value in headers if key == name] for name, _ in headers}
    newer = line[4] >= b"1"
    if newer and len(values.get("host", ())) != 1:
        return Problem("bad-request", "there must be one `Host`")
    codings = [part.strip().lower() for value in values.get("transfer-encoding", ()) for part in value.split(",")]
    lengths = values.get("content-length", [])
    if codings and (lengths or not newer):
        return Problem("bad-request", "the length of the body is said in two ways")
    if codings not in ([], ["chunked"]):
        return Problem("bad-transfer", f"transfer coding {', '.join(codings)[:100]!r}")
    if len(set(lengths)) > 1 or not all(re.fullmatch(r"\d{1,18}", each, re.ASCII) for each in lengths):
        return Problem("bad-request", "`Content-Length` is not one number")
    length = int(lengths[0]) if lengths else 0
    if length > LARGEST_BODY:
        return too_large(LARGEST_BODY)
    options = {part.strip().lower() for value in values.get("connection", ()) for part in value.split(",")}
    keep = "close" not in options and (newer or "keep-alive" in options)
    path, _, query = line[2].decode().partition("#")[0].partition("?")
    try:
        fields = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_FIELDS, errors="replace"))
    except ValueError:
        return Problem("bad-request", f"a query has at most {_FIELDS} parameters")
    return Head(line[1].decode(), unquote(path, errors="replace"), fields, headers, keep, length, bool(codings))


def too_large(most: int) -> Problem:
    """Say how large a body may be."""
    return Problem("too-large", f"a body has at most {most:,} bytes")


async def read_body(
    reader: asyncio.StreamReader, head: Head, most: int = LARGEST_BODY, *, take: Callable[[int], bool] = bool
) -> bytes | Problem | None:
    """Read the body that belongs to a head; None when the client went away. `take` says whether there is room."""
    if head.length > most:
        return too_large(most)
    try:
        async with asyncio.timeout(BODY_SECONDS), asyncio.timeout(PACE_SECONDS) as pace:
            body = _Body(reader, pace, take)
            return await body.chunks(most) if head.chunked else await body.exactly(head.length)
    except TimeoutError:
        each = f"{PACE_SECONDS:g} s for each {PACE >> 10} KB"
        return Problem("too-slow", f"the body came too slowly: {BODY_SECONDS:g} s are left for all of it, {each}")
    except _NoRoomError:
        return Problem("busy", "there is no room for more bodies at the moment")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    except asyncio.LimitOverrunError:
        return Problem("bad-request", "the chunks are not in order")


class _NoRoomError(Exception):
    """Others have taken all the room there is."""


class _Body:
    """Reads a body at its pace. Mutable: `_came`, bytes since the last time that the clock was set back."""

    def __init__(self, reader: asyncio.StreamReader, pace: asyncio.Timeout, take: Callable[[int], bool]):
        self._reader, self._pace, self._take = reader, pace, take
        self._came = 0

    async def exactly(self, size: int) -> bytes:
        """Read so many bytes."""
        parts: list[bytes] = []
        while size:
            part = await self._reader.read(min(size, _PIECE))
            if not part:
                raise asyncio.IncompleteReadError(b"", size)
            if not self._take(len(part)):
                raise _NoRoomError
            parts.append(part)
            size -= len(part)
            self._came += len(part)
            if self._came >= PACE:
                self._came = 0
                self._pace.reschedule(asyncio.get_running_loop().time() + PACE_SECONDS)
        return b"".join(parts)

    async def chunks(self, most: int) -> bytes | Problem:
        """Read chunk after chunk."""
        parts: list[bytes] = []
        size = 0
        while True:
            line = _CHUNK.fullmatch(await self._reader.readuntil(b"\n"))
            if line is None:
                return Problem("bad-request", "a chunk does not begin with its size")
            length = int(line[1], 16)
            if not length:
                return await _end_of_chunks(self._reader, b"".join(parts))
            size += length
            if size > most:
                return too_large(most)
            parts.append(await self.exactly(length))
            if await self._reader.readexactly(2) != b"\r\n":
                return Problem("bad-request", "a chunk is not as long as it says")


async def _end_of_chunks(reader: asyncio.StreamReader, body: bytes) -> bytes | Problem:
    for _ in range(_FIELDS):
        if await reader.readuntil(b"\n") == b"\r\n":
            return body
    return Problem("head-too-large", f"a trailer has at most {_FIELDS} lines")


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def write(writer: asyncio.StreamWriter, response: Response, *, keep: bool, bodiless: bool = False) -> bool:
    """Write a response; return whether the client took it."""
    head = [
        f"HTTP/1.1 {response.status} {HTTPStatus(response.status).phrase}",
        f"Date: {formatdate(usegmt=True)}",
        f"Content-Type: {response.media_type}",
        f"Content-Length: {len(response.body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        f"Connection: {'keep-alive' if keep else 'close'}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in response.headers.items()),
    ]
    writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + (b"" if bodiless else response.body))
    return await _drained(writer)


async def allow_body(writer: asyncio.StreamWriter) -> bool:
    """Tell a client that waits for it that its body is welcome."""
    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return await _drained(writer)


async def _drained(writer: asyncio.StreamWriter) -> bool:
    try:
        await asyncio.wait_for(writer.drain(), WRITE_SECONDS)
    except (TimeoutError, ConnectionError):
        return False
    return True


async def linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """End our side, and pass over what the client still sends, for a moment."""
    try:
        writer.write_eof()
        async with asyncio.timeout(LINGER):
            while await reader.read(_PIECE):
                pass
    except (TimeoutError, OSError):
        return
