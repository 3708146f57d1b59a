"""Bodies of requests, bounded: their size, their pace, and the room that all of them take together."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anansi.service.problem import Problem, Refused

BODY_SECONDS: Final = 30.0
PACE: Final = 256 << 10
"""Bytes of a body that must come within `PACE_SECONDS`, again and again, or the rest of it."""
PACE_SECONDS: Final = 5.0
LINGER: Final = 2.0
"""Seconds in which a client may still send a body that was refused, so that it sees the refusal before a reset."""


class Room:
    """Bytes for the bodies that are received or wait to be read. Mutable: `held`, bytes that are taken.

    A body takes what has come of it: one that comes slowly keeps no others out.
    """

    def __init__(self, most: int, full: Problem):
        self._most, self._full, self.held = most, full, 0

    def take(self, size: int) -> None:
        """Take room, or refuse the body for which there is none."""
        if self.held + size > self._most:
            raise Refused(self._full)
        self.held += size


class Bodies:
    """Bounds what the application behind it receives; what is too much is raised there as `Refused`."""

    def __init__(self, app: ASGIApp, most: int, room: Room):
        self._app, self._most, self._room = app, most, room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body bounded."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(scope, receive, send, self._most, self._room)
        try:
            await self._app(scope, body.receive, body.send)
        finally:
            body.release()


class _Body:
    """The body of one request.

    Mutable state: `_size` (bytes so far), `_came` (bytes since the clock was set back), `_held` (bytes of the room),
    `_end` and `_pace` (until when all of it, and the next piece, must be there), `_whole`.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, most: int, room: Room):
        self._receive, self._send, self._most, self._room = receive, send, most, room
        headers = Headers(scope=scope)
        self._length = int(headers.get("content-length", "0"))
        self._whole = not self._length and "transfer-encoding" not in headers
        self._size = self._came = self._held = 0
        self._end = self._pace = 0.0

    async def receive(self) -> Message:
        """Receive the next piece."""
        if self._whole:
            return await self._receive()
        now = asyncio.get_running_loop().time()
        if not self._end:
            self._end, self._pace = now + BODY_SECONDS, now + PACE_SECONDS
        if self._length > self._most:
            raise Refused(_too_large(self._most))
        try:
            async with asyncio.timeout_at(min(self._end, self._pace)):
                message = await self._receive()
        except TimeoutError:
            raise Refused(_too_slow()) from None
        self._keep(message)
        return message

    def _keep(self, message: Message) -> None:
        """Count what came; the pace is set back whenever enough has come."""
        size = len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        self._size += size
        self._came += size
        if self._size > self._most:
            raise Refused(_too_large(self._most))
        self._room.take(size)
        self._held += size
        if self._came >= PACE:
            self._came, self._pace = 0, asyncio.get_running_loop().time() + PACE_SECONDS

    async def send(self, message: Message) -> None:
        """Send a piece of the answer; a body that was refused may come to its end before the answer does."""
        last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if last and not self._whole:
            self.release()
            await self._send({**message, "more_body": True})
            await self._pass_over()
            message = {"type": "http.response.body"}
        await self._send(message)

    def release(self) -> None:
        """Give back the room."""
        self._room.held -= self._held
        self._held = 0

    async def _pass_over(self) -> None:
        try:
            async with asyncio.timeout(LINGER):
                while (await self._receive()).get("more_body", False):
                    pass
        except TimeoutError:
            return


def _too_large(most: int) -> Problem:
    return Problem("too-large", f"a body has at most {most:,} bytes")


def _too_slow() -> Problem:
    each = f"{PACE_SECONDS:g} s for each {PACE >> 10} KB"
    return Problem("too-slow", f"the body came too slowly: {BODY_SECONDS:g} s are left for all of it, {each}")
