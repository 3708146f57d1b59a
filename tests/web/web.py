"""The scripted web: a server on loopback that sends any byte sequence a test wants to see survived.

with ScriptedWeb() as web:
    web.add("/", html("Home", ["/a"]))
    web.add("/a", reset_at("mid body"))
    …crawl web.url…
    assert web.count("/a") == 1
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from tests.web import tls as certificates
from tests.web.exchange import Behaviour, Connection, Reply, Request

ON_CONNECT = "(connect)"
"""The pseudo-path of what happens to a connection before its first request (after the handshake, with TLS).

To spoil the handshake itself, run a web without TLS and address it as `https://`.
"""
HEAD_LIMIT = 4 * 1024 * 1024
"""Bytes of request head accepted: far above any URL a test would send."""
BODY_LIMIT = 16 * 1024 * 1024
START_SECONDS = 60.0
END_SECONDS = 30.0
FAREWELL_SECONDS = 0.3
"""How long cancelled conversations get to end: shutting down stays well under a second."""
HANDSHAKE_SECONDS = 60.0
GONE = (ConnectionError, TimeoutError, asyncio.IncompleteReadError, ssl.SSLError)
"""What a client does by leaving; never the script's mistake."""

NOT_FOUND = Reply(404, {"Content-Type": "text/plain"}, b"nothing here\n")
BAD_REQUEST = Reply(400, {"Content-Type": "text/plain"}, b"not a request\n", close=True)


def _understand(raw: bytes, connection: int) -> Request:
    """Read a request head; one that is not HTTP has an empty method and its first line as target."""
    first, *lines = raw.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, version = rest.rpartition(" ")
    if not (target and version.startswith("HTTP/")):
        method, target, version = "", first, "HTTP/1.0"
    headers: dict[str, str] = {}
    for name, _, value in (line.partition(":") for line in lines):
        key = name.strip().lower()
        headers[key] = f"{headers[key]}, {value.strip()}" if key in headers else value.strip()
    return Request(time.monotonic(), method, target, headers, connection, raw, version=version)


class ScriptedWeb:
    """A loopback server in its own thread that answers as scripted and remembers what it was asked.

    Mutable state, shared with the server's thread under `_lock`: the routes (filled by `add`), the log, the
    script's own errors. `_talks`, `_arriving` (before the handshake is done) and `_open` (after it) belong to the
    server's thread alone.
    """

    def __init__(self, *, address: str = "127.0.0.1", port: int = 0, tls: certificates.Kind | None = None) -> None:
        self.address = address
        self.port = port
        self.tls = tls
        self._lock = threading.Lock()
        self._exact: dict[str, Behaviour] = {}
        self._prefixes: dict[str, Behaviour] = {}
        self._log: list[Request] = []
        self._errors: list[Exception] = []
        self._connections = 0
        self._sent = 0
        self._talks: set[asyncio.Task[None]] = set()
        self._arriving: set[socket.socket] = set()
        self._open: dict[Connection, asyncio.Task[None]] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._ready = threading.Event()

    def __repr__(self) -> str:
        return f"<ScriptedWeb {self.url} tls={self.tls} requests={len(self._log)} connections={self._connections}>"

    def __enter__(self) -> Self:
        self._listener = socket.create_server((self.address, self.port), backlog=1024)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._context = self._make_context()
        self._thread = threading.Thread(target=self._run, name=f"scripted-web-{self.port}", daemon=True)
        self._thread.start()
        if not self._ready.wait(START_SECONDS):
            raise RuntimeError(f"the scripted web on {self.url} did not start in {START_SECONDS} s")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(END_SECONDS)
        if self._folder is not None:
            self._folder.cleanup()
        if self._errors and error is None:
            raise self._errors[0]
        if self._thread.is_alive() and error is None:
            raise RuntimeError(f"a script of {self.url} never awaits: its thread did not end in {END_SECONDS} s")

    def _make_context(self) -> ssl.SSLContext | None:
        """Make the TLS context, when there is to be one."""
        if self.tls is None:
            return None
        self._folder = tempfile.TemporaryDirectory(prefix="scripted-web-")
        certificates.write_authority(Path(self._folder.name))
        return certificates.server_context(self.tls, self.address, Path(self._folder.name))

    @property
    def url(self) -> str:
        """Return the address to crawl, without a final slash."""
        return f"{'https' if self.tls else 'http'}://{self.address}:{self.port}"

    @property
    def ca_file(self) -> Path:
        """Return the file with the authority that vouches for `good`, `expired` and `wrong-host`."""
        if self._folder is None:
            raise RuntimeError("ca_file exists only inside `with ScriptedWeb(tls=…)`")
        return Path(self._folder.name) / "ca.pem"

    @property
    def log(self) -> list[Request]:
        """Return what was asked so far, in order."""
        with self._lock:
            return list(self._log)

    @property
    def connections(self) -> int:
        """Count the connections accepted so far."""
        return self._connections

    @property
    def sent(self) -> int:
        """Count the bytes handed to the kernel so far, over all connections."""
        return self._sent + sum(connection.sent for connection in tuple(self._open))

    def add(self, path: str, behaviour: Behaviour) -> str:
        """Script a path (a target with query, a path, or `/prefix/*`; the closest wins) and return its URL."""
        with self._lock:
            if path.endswith("*"):
                self._prefixes[path[:-1]] = behaviour
            else:
                self._exact[path] = behaviour
        return self.url + path

    def count(self, path: str) -> int:
        """Count the requests for a target, a path with any query, or everything below `/prefix/*`."""
        if path.endswith("*"):
            return sum(request.path.startswith(path[:-1]) for request in self.log)
        return sum(path in (request.target, request.path) for request in self.log)

    def paths(self) -> list[str]:
        """List the targets asked for so far, in order."""
        return [request.target for request in self.log]

    def _behaviour(self, request: Request) -> Behaviour:
        """Choose what answers: the exact target, then the path, then the longest prefix."""
        if not request.method:
            return BAD_REQUEST
        with self._lock:
            found = self._exact.get(request.target) or self._exact.get(request.path)
            if found is None:
                fitting = [prefix for prefix in self._prefixes if request.path.startswith(prefix)]
                found = self._prefixes[max(fitting, key=len)] if fitting else NOT_FOUND
        return found

    def _run(self) -> None:
        """Be the server's thread."""
        self._loop = asyncio.new_event_loop()
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._listener.close()
            self._loop.close()

    async def _serve(self) -> None:
        """Accept until told to stop, then leave nothing behind."""
        self._stopping = asyncio.Event()
        self._loop.add_reader(self._listener, self._accept)
        self._ready.set()
        await self._stopping.wait()
        self._loop.remove_reader(self._listener)
        for wire in self._arriving:
            # Cancelling a handshake that asyncio has not begun would leak the socket; at its end it fails by itself.
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        for talk in self._open.values():
            talk.cancel()
        if self._talks:
            await asyncio.wait(self._talks, timeout=FAREWELL_SECONDS)
        for connection in tuple(self._open):
            connection.abort()
        # An aborted transport closes its socket in the next turn of the loop; TLS over it needs one more.
        for _ in range(3):
            await asyncio.sleep(0)

    def _accept(self) -> None:
        """Start a conversation with whoever has connected."""
        # Not `loop.sock_accept`: cancelled at the wrong moment, it loses a socket that it has accepted.
        with contextlib.suppress(BlockingIOError, ConnectionError):
            while True:
                wire, _ = self._listener.accept()
                wire.setblocking(False)
                wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._connections += 1
                self._arriving.add(wire)
                talk = self._loop.create_task(self._attend(wire, self._connections))
                self._talks.add(talk)
                talk.add_done_callback(self._talks.discard)

    async def _attend(self, wire: socket.socket, number: int) -> None:
        """Hold one conversation; a client that leaves ends it, a script that fails is remembered."""
        try:
            connection = await self._greet(wire, number)
        except GONE:
            return  # a failed handshake has closed the socket
        finally:
            self._arriving.discard(wire)
        self._open[connection] = cast("asyncio.Task[None]", asyncio.current_task())
        try:
            await self._converse(connection)
            await connection.close_fully()
        except GONE:
            pass
        except Exception as error:  # whatever the script did wrong is raised in the test, at the end of `with`
            with self._lock:
                self._errors.append(error)
        finally:
            connection.abort()
            del self._open[connection]
            self._sent += connection.sent

    async def _greet(self, wire: socket.socket, number: int) -> Connection:
        """Wrap an accepted socket, with the TLS handshake when there is one."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=HEAD_LIMIT)
        protocol = asyncio.StreamReaderProtocol(reader)
        patience = HANDSHAKE_SECONDS if self._context else None
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol, wire, ssl=self._context, ssl_handshake_timeout=patience
        )
        return Connection(number, reader, asyncio.StreamWriter(transport, protocol, reader, loop), self._stopping)

    async def _converse(self, connection: Connection) -> None:
        """Answer one request after the other until either side closes."""
        greeting = self._exact.get(ON_CONNECT)
        if greeting is not None:
            await greeting(Request(time.monotonic(), "", ON_CONNECT, {}, connection.number), connection)
        while not connection.closed:
            request = await self._hear(connection)
            await self._behaviour(request)(request, connection)
            if request.last:
                connection.close()

    async def _hear(self, connection: Connection) -> Request:
        """Read the next request and write it in the log."""
        try:
            raw = await connection.reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            raw = b"GET (head too large) HTTP/1.0\r\n\r\n"
        request = _understand(raw, connection.number)
        size = request.headers.get("content-length", "0")
        if size.isdecimal() and 0 < int(size) <= BODY_LIMIT:
            body = await connection.reader.readexactly(int(size))
            request = replace(request, body=body)
        with self._lock:
            self._log.append(request)
        return request
