"""uvicorn with bounds: how many connections there are, and how long a client may keep each of them waiting.

uvicorn has no bound on the time of a head, on the silence of a new connection, or on a client that does not take its
answer, and no application sees any of them: a request is handed to it once its head is whole. So the protocol is
ours by one step; HTTP itself is read and written by h11.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Final, Literal

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from anansi.service.admission import LARGEST_HEAD
from anansi.service.problem import MEDIA_TYPE, RETRY_AFTER, Problem

CONNECTIONS: Final = 256
"""Open at a time. For one more, the one is ended whose client has kept us waiting longest, for `PATIENCE` at least;
when none has, the new one is told that the service is busy."""

PATIENCE: Final = 1.0

IDLE: Final = 60
"""Seconds that a connection may wait for its next request."""

HEAD_SECONDS: Final = 10.0
WRITE_SECONDS: Final = 30.0
"""For a client to take what was answered."""

GRACE: Final = 10
"""Seconds for requests under way when the service is stopped."""


Wait = Literal["asks", "sends a head", "takes an answer"]
"""What a client is waited for to do."""


class Connection(H11Protocol):
    """One connection.

    Mutable state, beside that of uvicorn: `_wait` and `_timer` (what the client is to do, and until when), `since`
    (when it began to be waited for), `_begun` (whether a head has begun to come), `_ended` (whether the client has
    said that it sends no more).
    """

    _wait: Wait | None = None
    _timer: asyncio.TimerHandle | None = None
    since = 0.0
    _begun = _ended = False

    # ── what happens ─────────────────────────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, if there is room for it."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self._follow()
        if len(self.connections) > CONNECTIONS and not self._make_room():
            self._refuse(Problem("busy", "as many connections as the service takes are open"))

    def data_received(self, data: bytes) -> None:
        """Take what the client sent."""
        self._begun = self.conn.their_state is h11.IDLE
        super().data_received(data)
        self._follow()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer what a client asked before it ended its side; what is half asked is nothing."""
        self._ended = True
        return self._answering and not self.cycle.more_body

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self.since = self.loop.time()
        self._follow()
        if not self._answering and (self._ended or self.conn.their_state is h11.SEND_BODY):
            self.transport.close()  # nothing more can come, or what was refused has not come in the time for it

    def pause_writing(self) -> None:
        """Give the client a while to take what was answered."""
        super().pause_writing()
        self._follow()

    def resume_writing(self) -> None:
        """Go on, now that the client has taken it."""
        super().resume_writing()
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the clock."""
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    # ── how long it may take ─────────────────────────────────────────────────────────────────────────────────

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _waits_for(self) -> Wait | None:
        """Say what the client is to do; nothing while we are to answer. How a body comes is seen to by `bodies`."""
        if self.flow.write_paused:
            return "takes an answer"
        if self._answering:
            self._begun = False
            return None
        return "sends a head" if self._begun and self.conn.their_state is h11.IDLE else "asks"

    def _follow(self) -> None:
        """Set the clock by what the client is to do; going on with the same gets it no more time."""
        wait = self._waits_for()
        if wait == self._wait:
            return
        self._wait = wait
        if wait is not None:
            seconds = {"asks": IDLE, "sends a head": HEAD_SECONDS, "takes an answer": WRITE_SECONDS}
            self._set_clock(seconds[wait], self._out_of_time)
        elif self._timer is not None:
            self._timer.cancel()

    def _set_clock(self, seconds: float, end: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, end)

    def _out_of_time(self) -> None:
        """End the connection: with a word to who was about to ask."""
        if self._wait == "sends a head" and not self.transport.is_closing():
            self._refuse(Problem("too-slow", f"the head was not complete after {HEAD_SECONDS:g} s"))
        else:
            self.transport.abort()

    def _make_room(self) -> bool:
        """End the connection whose client has kept us waiting longest, if any has for a while."""
        waiting = [each for each in self.connections if isinstance(each, Connection) and each.owes]
        longest = min(waiting, key=lambda each: each.since)
        if self.loop.time() - longest.since < PATIENCE:
            return False
        self.connections.discard(longest)
        longest.transport.abort()
        return True

    @property
    def owes(self) -> bool:
        """Tell whether the client is to send something, or to take it."""
        return self._wait is not None or self.cycle.more_body

    # ── saying no ────────────────────────────────────────────────────────────────────────────────────────────

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; uvicorn calls this while it handles h11's complaint."""
        complaint = sys.exception()
        hint = complaint.error_status_hint if isinstance(complaint, h11.RemoteProtocolError) else 400
        self._refuse(_COMPLAINTS.get(hint) or Problem("bad-request", msg))

    def _refuse(self, problem: Problem) -> None:
        """Answer without an application, and end the connection."""
        if self.cycle is not None:
            self.cycle.disconnected = True  # what the application still answers goes nowhere
        body = problem.body()
        headers = [("Content-Type", MEDIA_TYPE), ("Content-Length", str(len(body))), ("Connection", "close")]
        if problem.status == 503:
            headers.append(("Retry-After", str(RETRY_AFTER)))
        with contextlib.suppress(h11.LocalProtocolError):  # an answer is under way already
            head = self.conn.send(h11.Response(status_code=problem.status, headers=headers))
            self.transport.write((head or b"") + body)
        self.transport.close()
        self._set_clock(WRITE_SECONDS, self.transport.abort)


_COMPLAINTS: Final = {
    431: Problem("head-too-large", f"a head has at most {LARGEST_HEAD:,} bytes"),
    501: Problem("bad-transfer", "a transfer coding other than chunked"),
}
"""What h11 hints at → what is said."""


class Server(uvicorn.Server):
    """A server that leaves signals to who runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take no signal."""
        yield


def server_of(application: ASGIApp) -> Server:
    """Make the server of an application; `serve(sockets=[…])` runs it until `should_exit` is set."""
    return Server(
        uvicorn.Config(
            application,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=CONNECTIONS,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            timeout_keep_alive=IDLE,
            timeout_graceful_shutdown=GRACE,
        )
    )
