"""Serve the example site on 127.0.0.1, from a thread of its own."""

from __future__ import annotations

import argparse
import asyncio
import functools
import hashlib
import itertools
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from email.utils import formatdate
from types import TracebackType
from typing import Self

from anansi.errors import UserError
from anansi_demo.answer import Answer
from anansi_demo.site import answer
from anansi_demo.wire import MAX_BUFFER, Asked, Refused, read_request, refuse, settle, write

_HOST = "127.0.0.1"
_IDLE = 20.0
"""Seconds without a byte in either direction after which a connection is dropped."""

_MAX_CONNECTIONS = 512
_MAX_LOGGED = 200_000
"""Entries kept in the log; requests beyond are counted only."""

_PATIENCE = 10.0
"""Seconds for the thread to start or to end."""


class DemoServer:
    """Serve the example site inside a `with` block.

    Mutable state, all written by the server's own thread: the count and the log of requests (filled by
    connections, read by whoever holds the server), the session counter, the set of open connections.
    """

    def __init__(self, *, port: int = 0) -> None:
        self.port = port
        self.requests = 0
        self.log: list[tuple[int, str]] = []
        """Status and target of each request, in order."""
        self._sessions = itertools.count(1)
        self._open: set[_Connection] = set()
        self._thread: threading.Thread | None = None
        self._stop: Callable[[], object] = _nothing

    def __repr__(self) -> str:
        state = "serving" if self._thread else "stopped"
        return f"<DemoServer {self.url} {state}, {self.requests} requests>"

    @property
    def url(self) -> str:
        """Give the address of the site, without a slash at the end."""
        return f"http://{_HOST}:{self.port}"

    def __enter__(self) -> Self:
        listener = _listen(self.port)
        self.port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listener, ready), name="demo-site", daemon=True)
        self._thread.start()
        if not ready.wait(_PATIENCE):
            raise RuntimeError("the thread of the example site did not start")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        if self._thread is not None:
            self._thread.join(_PATIENCE)
        self._thread, self._stop = None, _nothing

    def reply(self, asked: Asked) -> Answer:
        """Answer a request under a session id that no other answer of this server bears, and note it."""
        session = hashlib.blake2b(b"%d" % next(self._sessions), digest_size=16).hexdigest()
        found = settle(asked, answer(asked.target, origin=self.url, session=session))
        self.note(found.status, asked.target)
        return found

    def note(self, status: int, target: str) -> None:
        """Count a request and log it."""
        self.requests += 1
        if len(self.log) < _MAX_LOGGED:
            self.log.append((status, target))

    def admit(self, connection: _Connection) -> bool:
        """Take a connection in, unless there are too many."""
        if len(self._open) >= _MAX_CONNECTIONS:
            return False
        self._open.add(connection)
        return True

    def dismiss(self, connection: _Connection) -> None:
        """Forget a connection that has ended."""
        self._open.discard(connection)

    def _run(self, listener: socket.socket, ready: threading.Event) -> None:
        asyncio.run(self._serve(listener, ready))

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        self._stop = functools.partial(loop.call_soon_threadsafe, ended.set)
        server = await loop.create_server(lambda: _Connection(self), sock=listener, backlog=256)
        ready.set()
        await ended.wait()
        # asyncio forgets to close a connection that is being accepted while its server closes: let it arrive first.
        loop.remove_reader(listener)
        if arriving := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(arriving, timeout=1.0)
        server.close()
        for connection in tuple(self._open):
            connection.drop()
        # One turn of the loop lets the dropped transports close their sockets.
        await asyncio.sleep(0)


class _Connection(asyncio.Protocol):
    """One connection. Mutable state: bytes not read yet, whether the client takes its answers, when it last moved."""

    def __init__(self, server: DemoServer) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._pending = b""
        self._blocked = False
        self._moved = self._loop.time()
        self._watch = self._loop.call_later(_IDLE, self._drop_if_idle)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._server.admit(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (the name is the protocol's)
        """End."""
        self._watch.cancel()
        self._transport = None
        self._server.dismiss(self)

    def data_received(self, data: bytes) -> None:
        """Take bytes and answer what is complete; a client that sends faster than it reads has to wait."""
        self._moved = self._loop.time()
        self._pending += data
        self._answer_pending()
        if self._transport and len(self._pending) > MAX_BUFFER:
            self._transport.pause_reading()

    def pause_writing(self) -> None:
        """Stop answering: the client does not take its answers."""
        self._blocked = True

    def resume_writing(self) -> None:
        """Go on answering."""
        self._blocked = False
        self._moved = self._loop.time()
        self._answer_pending()
        if self._transport and len(self._pending) <= MAX_BUFFER:
            self._transport.resume_reading()

    def drop(self) -> None:
        """Cut the connection."""
        if self._transport:
            self._transport.abort()

    def _answer_pending(self) -> None:
        while self._pending and not self._blocked and self._transport and not self._transport.is_closing():
            asked = read_request(self._pending)
            if asked is None:
                return
            if isinstance(asked, Refused):
                self._send_refusal(asked)
            else:
                self._send(asked)

    def _send(self, asked: Asked) -> None:
        self._pending = self._pending[asked.size :]
        found = self._server.reply(asked)
        self._write(write(found, date=_today(), keep=asked.keep, bodiless=asked.method == "HEAD"), keep=asked.keep)

    def _send_refusal(self, refused: Refused) -> None:
        self._pending = b""
        self._server.note(refused.status, "")
        self._write(write(refuse(refused.status), date=_today(), keep=False), keep=False)

    def _write(self, data: bytes, *, keep: bool) -> None:
        assert self._transport is not None
        self._transport.write(data)
        if not keep:
            self._transport.close()

    def _drop_if_idle(self) -> None:
        quiet = self._loop.time() - self._moved
        if quiet >= _IDLE:
            self.drop()
        else:
            self._watch = self._loop.call_later(_IDLE - quiet, self._drop_if_idle)


def _nothing() -> None:
    """Stop a server that does not run."""


def _today() -> str:
    return formatdate(usegmt=True)


def _listen(port: int) -> socket.socket:
    refusal = f"the example site cannot listen on {_HOST}, port {port}; choose another port, or 0 for any"
    if not 0 <= port <= 65535:
        raise UserError(refusal)
    try:
        return socket.create_server((_HOST, port), backlog=256)
    except OSError as error:
        raise UserError(f"{refusal} ({error.strerror})") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the site until interrupted, to look at it in a browser."""
    parser = argparse.ArgumentParser(prog="python -m anansi_demo.server", description=main.__doc__)
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1, 0 for any (default: 8000)")
    try:
        with DemoServer(port=parser.parse_args(arguments).port) as server:
            print(f"The example site is at {server.url}/ (Ctrl-C to stop)", flush=True)
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        return 0
    except UserError as error:
        print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
