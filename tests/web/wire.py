"""Two ways to ask a scripted web: bare bytes over a socket, and Python's own client for what it can read."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.web.web import ScriptedWeb

SECONDS = 60.0
"""Guards against hanging: no test takes so long, however busy the machine is."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Everything that came over a connection, and how it ended."""

    data: bytes
    reset: bool

    @property
    def head(self) -> bytes:
        """Return what stands before the first empty line."""
        return self.data.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        """Return what stands after the first empty line."""
        return self.data.partition(b"\r\n\r\n")[2]


def soon(happened: Callable[[], bool]) -> bool:
    """Wait until something has happened; return whether it did in time."""
    until = time.monotonic() + SECONDS
    while not happened() and time.monotonic() < until:
        time.sleep(0.01)
    return happened()


def dial(web: ScriptedWeb) -> socket.socket:
    """Open a connection."""
    return socket.create_connection((web.address, web.port), timeout=SECONDS)


def say(wire: socket.socket, target: str, *lines: str, method: str = "GET") -> None:
    """Send one request head."""
    wire.sendall("\r\n".join([f"{method} {target} HTTP/1.1", "Host: test", *lines, "", ""]).encode("latin-1"))


def listen(wire: socket.socket, *, limit: int = 1 << 30, seconds: float = SECONDS) -> Heard:
    """Read until the other side ends, or `limit` bytes or the time is reached."""
    pieces: list[bytes] = []
    size, until = 0, time.monotonic() + seconds
    try:
        while size < limit and (left := until - time.monotonic()) > 0:
            wire.settimeout(left)
            piece = wire.recv(1 << 16)
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
    except TimeoutError:
        pass
    except ConnectionResetError:
        return Heard(b"".join(pieces), reset=True)
    return Heard(b"".join(pieces), reset=False)


def ended(wire: socket.socket) -> bool:
    """Wait for the other side; tell whether it ended without another word."""
    wire.settimeout(SECONDS)
    try:
        return wire.recv(1) == b""
    except ConnectionResetError:
        return True


def ask(web: ScriptedWeb, target: str, *lines: str, limit: int = 1 << 30) -> Heard:
    """Send one request that wants the connection closed, and read to the end."""
    with dial(web) as wire:
        say(wire, target, "Connection: close", *lines)
        return listen(wire, limit=limit)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as Python's own client understands it."""

    status: int
    headers: dict[str, str]
    body: bytes


def get(url: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Fetch a URL without following redirects."""
    parts = urlsplit(url)
    client = http.client.HTTPConnection(parts.netloc, timeout=SECONDS)
    try:
        client.request("GET", parts._replace(scheme="", netloc="").geturl() or "/", headers=dict(headers or {}))
        answer = client.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        client.close()
