"""The service: it listens, asks its clerks, and says no in time."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from anansi import __version__
from anansi.errors import UserError
from anansi.service import admission, wire
from anansi.service.clerk import Order, Told
from anansi.service.clerks import Clerks
from anansi.service.description import description
from anansi.service.front import start_page
from anansi.service.listening import Listening, address, listener, too_busy
from anansi.service.posting import JSON, MESSAGE, Asked
from anansi.service.problem import Problem
from anansi.service.wire import Head, Response, refusal

WAITING: Final = 4
"""Pages a clerk that wait for it or are read by it; those that are still being received do not count."""
ROOM: Final = 4 * wire.LARGEST_BODY
"""Bytes a clerk of all that was received and not answered: 8 clerks hold 1 GB at the most."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the service is run."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""
    workers: int = 1
    knowledge: Path | None = None
    types: int = 0
    """Types that are known, to be shown."""

    def check(self) -> None:
        """Refuse to be open to everyone."""
        if not self.token and not admission.is_loopback(self.host):
            raise UserError(
                f"{self.host} can be reached from other machines: give the service a token (`--token FILE`, or the "
                "environment's ANANSI_TOKEN), or listen on 127.0.0.1"
            )


class Service:
    """Answers requests.

    Mutable state: `_read`, pages so far; `_busy`, pages that clerks have or wait for; `_room`; that of `Listening`.
    """

    def __init__(self, settings: Settings, clerks: Clerks):
        self._settings, self._clerks = settings, clerks
        self._url = ""
        self._started = time.time()
        self._listening = Listening(self._respond)
        self._read = self._busy = 0
        self._room = wire.Room(ROOM * len(clerks))
        self._pages: dict[str, Callable[[], Response]] = {
            "/": lambda: Response(200, self._front(), "text/html; charset=utf-8", _INERT),
            "/health": lambda: Response(200, msgspec.json.encode(self.health())),
            "/openapi.json": lambda: Response(200, msgspec.json.encode(description())),
        }

    # ── listening ────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self, ready: Callable[[str], None]) -> None:
        """Serve until a signal comes; `ready` is told the address once it can be asked."""
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stopped.set)
        place = listener(self._settings.host, self._settings.port, "--port")
        self._url = address(place)
        try:
            await self._clerks.start()
            server = await self._listening.start(place)
            ready(self._url)
            await stopped.wait()
            await self._listening.finish(server)
        finally:
            await self._clerks.close()

    def health(self) -> dict[str, Any]:
        """Say how the service is."""
        return {
            "status": "ok",
            "version": __version__,
            "seconds": round(time.time() - self._started, 1),
            "types": self._settings.types,
            "workers": len(self._clerks),
            "busy": self._busy,
            "requests": self._listening.requests,
            "pages": self._read,
            "refused": self._listening.refused,
            "sites": self._clerks.sites,
            "restarts": self._clerks.deaths,
        }

    def _front(self) -> bytes:
        return start_page(self._url, self._settings.types, guarded=bool(self._settings.token))

    # ── requests ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _respond(
        self, head: Head | Problem, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[Response | None, bool]:
        """Return the response, and whether all of the request was read; no response when the client went away."""
        if isinstance(head, Problem):
            return refusal(head), False
        refused = self._refused(head)
        if refused is not None:
            return refused, not head.has_body
        if head.path != "/pages":
            return self._pages[head.path](), not head.has_body
        if self._crowded:
            return too_busy(), not head.has_body
        with self._room.seat() as take:
            return await self._read_page(head, reader, writer, take)

    @property
    def _crowded(self) -> bool:
        return self._busy >= WAITING * len(self._clerks)

    async def _read_page(
        self, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, take: Callable[[int], bool]
    ) -> tuple[Response | None, bool]:
        if head.header("expect") and head.has_body and not await wire.allow_body(writer):
            return None, False
        body = await wire.read_body(reader, head, take=take)
        self._listening.received()
        if body is None:
            return None, False
        if isinstance(body, Problem):
            return (too_busy() if body.kind == "busy" else refusal(body)), False
        if self._crowded:
            return too_busy(), True
        asked = Asked(admission.media_type(head), head.headers, head.query, body)
        self._busy += 1
        try:
            reply = await self._clerks.ask(Order(asked, time.time()))
        finally:
            self._busy -= 1
        if isinstance(reply, Told):
            self._read += 1
            return Response(200, reply.body), True
        return (too_busy() if reply.kind == "busy" else refusal(reply)), True

    # ── saying no ────────────────────────────────────────────────────────────────────────────────────────────

    def _refused(self, head: Head) -> Response | None:
        """Refuse what needs no look at the body."""
        known = head.path == "/pages" or head.path in self._pages
        if not known:
            return refusal(Problem("not-found", f"{head.path[:200]!r}"))
        allowed = ("POST",) if head.path == "/pages" else ("GET", "HEAD")
        if head.method not in allowed:
            return refusal(Problem("bad-method", f"{head.method} {head.path}"), Allow=", ".join(allowed))
        stranger = admission.stranger(head, guarded=bool(self._settings.token))
        if stranger is not None:
            return refusal(stranger)
        if head.path == "/pages" and self._settings.token and not admission.entitled(head, self._settings.token):
            return refusal(Problem("no-token", "this service asks for a token"), WWW_Authenticate="Bearer")
        unexpected = admission.expected(head)
        if unexpected is not None:
            return refusal(unexpected)
        if admission.coded(head) and admission.media_type(head) in (JSON, MESSAGE):
            return refusal(Problem("bad-coding", "a request that holds a page's headers is not decompressed"))
        return None


_INERT: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",
}


def serve(settings: Settings, ready: Callable[[str], None]) -> dict[str, Any]:
    """Run the service until SIGINT or SIGTERM; return what it did."""
    settings.check()
    return asyncio.run(_serve(settings, ready))


async def _serve(settings: Settings, ready: Callable[[str], None]) -> dict[str, Any]:
    service = Service(settings, Clerks(settings.workers, settings.knowledge))
    await service.run(ready)
    return service.health()
