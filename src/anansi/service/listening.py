"""Connections: taken, served one request after another, and ended in time.

What is answered is somebody else's affair: a `Respond` is given the head of each request.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from typing import Final

from anansi.errors import UserError
from anansi.service import wire
from anansi.service.problem import Problem
from anansi.service.wire import Head, Response, refusal

CONNECTIONS: Final = 256
"""Open at a time. For one more, the one is ended whose client has kept us waiting longest, for `PATIENCE` at least;
when all are being answered, it is told that the service is busy."""

PATIENCE: Final = 1.0

RETRY_AFTER: Final = 1
"""Seconds: a request takes some hundredths of one."""

GRACE: Final = 10.0
"""Seconds for requests under way when the service is stopped."""

Respond = Callable[
    [Head | Problem, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[tuple[Response | None, bool]]
]
"""Gives the response, and whether all of the request was read; no response when the client went away."""


class Listening:
    """Serves connections.

    Mutable state: `requests` and `refused` (counted), `_connections` (task → whether it has a request), `_waiting`
    (task → since when its client is to send something, the longest first), `_closing`.
    """

    def __init__(self, respond: Respond):
        self._respond = respond
        self.requests = self.refused = 0
        self._connections: dict[asyncio.Task[None], bool] = {}
        self._waiting: dict[asyncio.Task[None], float] = {}
        self._closing = False

    async def start(self, listener: socket.socket) -> asyncio.Server:
        """Take connections from now on."""
        return await asyncio.start_server(self._connected, sock=listener, limit=wire.LARGEST_HEAD)

    async def finish(self, server: asyncio.Server) -> None:
        """Let requests under way be answered; connections without one end at once."""
        server.close()
        self._closing = True
        for task, busy in self._connections.items():
            if not busy:
                task.cancel()
        if self._connections:
            await asyncio.wait(set(self._connections), timeout=GRACE)
        for task in self._connections:
            task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        crowded = len(self._connections) >= CONNECTIONS and not self._make_room()
        self._connections[task] = False
        try:
            if crowded:
                await wire.write(writer, too_busy(), keep=False)
                return
            while await self._exchange(reader, writer, task) and not self._closing:
                pass
        except asyncio.CancelledError:
            return  # we are stopped; asyncio would print a cancelled handler
        finally:
            self._connections.pop(task, None)
            self._waiting.pop(task, None)
            writer.close()

    def received(self) -> None:
        """Take notice that the client of this task has sent all that it is to send."""
        task = asyncio.current_task()
        if task is not None:
            self._waiting.pop(task, None)

    def _make_room(self) -> bool:
        """End the connection whose client has kept us waiting longest, if any has for a while."""
        task, since = next(iter(self._waiting.items()), (None, 0.0))
        if task is None or asyncio.get_running_loop().time() - since < PATIENCE:
            return False
        del self._waiting[task]
        del self._connections[task]
        task.cancel()
        return True

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]
    ) -> bool:
        """Answer one request; return whether another may follow."""
        self._waiting[task] = asyncio.get_running_loop().time()
        head = await wire.read_head(reader)
        if head is None:
            return False
        self._connections[task] = True
        self.requests += 1
        if not isinstance(head, Head) or not head.has_body:
            self.received()
        response, whole = await self._respond(head, reader, writer)
        self.received()
        if response is None:
            return False
        self.refused += response.status >= 400
        keep = whole and isinstance(head, Head) and head.keep and not self._closing
        bodiless = isinstance(head, Head) and head.method == "HEAD"
        self._waiting[task] = asyncio.get_running_loop().time()
        taken = await wire.write(writer, response, keep=keep, bodiless=bodiless)
        if taken and not whole:
            await wire.linger(reader, writer)
        self._connections[task] = False
        self.received()
        return taken and keep


def too_busy() -> Response:
    """Answer that there is too much to do."""
    problem = Problem("busy", "as many requests as the service takes are under way")
    return refusal(problem, Retry_After=str(RETRY_AFTER))


def listener(host: str, port: int, option: str) -> socket.socket:
    """Open the place to listen at; what prevents that names the option that chooses it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=CONNECTIONS)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None)  # Python's own words name the address a second time
        why = os.strerror(number) if number and number > 0 else str(error)
        words = f"cannot listen on {host}, port {port}: {why}; choose another with {option} (0: any)"
        raise UserError(words) from None


def address(listening: socket.socket) -> str:
    """Return the URL of a place that is listened at."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
