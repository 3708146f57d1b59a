"""What a script sees of one exchange: the request that came, the connection to write to, and the usual reply."""

from __future__ import annotations

import asyncio
import http
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PIECE = 64 * 1024
"""Bytes written at once by everything that streams."""
BODILESS = frozenset({*range(100, 200), 204, 304})
LINGER_ZERO = struct.pack("ii", 1, 0)
"""SO_LINGER on with zero seconds: closing sends RST instead of FIN."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came over the wire."""

    t: float
    """`time.monotonic()` when the head was complete."""
    method: str
    target: str
    headers: dict[str, str]
    """Lower-case names; repeated headers joined by `, `."""
    connection: int
    """Which connection of the web carried it, from 1."""
    raw: bytes = b""
    """The exact bytes of the head, with the empty line that ends it."""
    body: bytes = b""
    version: str = "HTTP/1.1"

    @property
    def path(self) -> str:
        """Return the target without its query."""
        return self.target.partition("?")[0]

    @property
    def last(self) -> bool:
        """Tell whether the client wants the connection closed after the answer."""
        wish = self.headers.get("connection", "").lower()
        return "close" in wish or (self.version == "HTTP/1.0" and "keep-alive" not in wish)


def _written(place: tuple[str, int]) -> str:
    """Write an address as /proc/net/tcp does."""
    return f"{int.from_bytes(socket.inet_aton(place[0]), 'little'):08X}:{place[1]:04X}"


class Connection:
    """The server's end of one connection.

    Mutable state: `sent` (bytes handed to the kernel) and the transport; only the web's own thread touches them.
    """

    def __init__(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stopping: asyncio.Event
    ) -> None:
        self.number = number
        self.reader = reader
        self.sent = 0
        self._writer = writer
        self._stopping = stopping
        # High water 0: `send` returns only when the kernel has every byte, so a reset after it cuts exactly there.
        # TLS transports compare with >= and would pause on an empty buffer.
        encrypted = writer.get_extra_info("sslcontext") is not None
        writer.transport.set_write_buffer_limits(high=1 if encrypted else 0, low=0)

    @property
    def closed(self) -> bool:
        """Tell whether this side has closed or reset the connection."""
        return self._writer.is_closing()

    @property
    def unread(self) -> bool:
        """Tell whether the client, which is on this machine, has bytes that it has not read yet."""
        ours, theirs = (_written(self._writer.get_extra_info(name)) for name in ("sockname", "peername"))
        rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        return any(row[1:3] == [theirs, ours] and not row[4].endswith(":00000000") for row in rows)

    async def send(self, data: bytes) -> None:
        """Write bytes and wait until the kernel has taken them."""
        self._writer.write(data)
        await self._writer.drain()
        self.sent += len(data)
        await asyncio.sleep(0)

    async def stream(self, pieces: Iterable[bytes]) -> None:
        """Send pieces one after the other, never holding more than one."""
        for piece in pieces:
            await self.send(piece)

    async def pause(self, seconds: float) -> bool:
        """Wait, but not past the end of the web; return whether the web still stands."""
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return True
        return False

    async def wait_for_end(self) -> None:
        """Stay silent until the web shuts down."""
        await self._stopping.wait()

    def close(self) -> None:
        """Close in order (FIN) after what was sent."""
        self._writer.close()

    async def close_fully(self) -> None:
        """Close in order and wait until nothing of the connection is left."""
        self._writer.close()
        await self._writer.wait_closed()

    def reset(self) -> None:
        """Break the connection off with RST."""
        wire: socket.socket | None = self._writer.get_extra_info("socket")
        if wire is not None and wire.fileno() >= 0:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self.abort()

    def abort(self) -> None:
        """Drop the connection without waiting for anything."""
        self._writer.transport.abort()


Behaviour = Callable[[Request, Connection], Awaitable[None]]
"""What a path does: write bytes to the connection, which stays open for the next request unless it is closed."""
Headers = Mapping[str, str] | Sequence[tuple[str, str]]


def head_of(status: int, headers: Headers, *, reason: str | None = None, version: str = "HTTP/1.1") -> bytes:
    """Write a status line and header lines, with the empty line that ends them."""
    if reason is None:
        reason = http.HTTPStatus(status).phrase if status in set(http.HTTPStatus) else "Unknown"
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    lines = [f"{version} {status} {reason}", *(f"{name}: {value}" for name, value in pairs)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


@dataclass(frozen=True, slots=True)
class Reply:
    """A well-formed answer; it is itself a behaviour."""

    status: int = 200
    headers: Headers = ()
    body: bytes = b""
    reason: str | None = None
    length: bool = True
    """Whether to announce Content-Length."""
    close: bool = False
    """Whether to close the connection afterwards."""

    @property
    def head(self) -> bytes:
        """Return the status line and headers."""
        pairs = list(self.headers.items() if isinstance(self.headers, Mapping) else self.headers)
        if self.length and self.status not in BODILESS:
            pairs.append(("Content-Length", str(len(self.body))))
        if self.close:
            pairs.append(("Connection", "close"))
        return head_of(self.status, pairs, reason=self.reason)

    async def __call__(self, request: Request, connection: Connection) -> None:
        """Send it, without the body when the client asked for the head alone."""
        body = b"" if request.method == "HEAD" or self.status in BODILESS else self.body
        await connection.send(self.head + body)
        if self.close:
            connection.close()
