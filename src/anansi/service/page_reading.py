"""Pages that other crawlers post: taken, handed to a reader process, and answered; too many are refused in time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anansi import __version__
from anansi.errors import UserError
from anansi.service import admission
from anansi.service.answering import answer, answer_json
from anansi.service.bodies import Room
from anansi.service.page_reading_description import description
from anansi.service.posted_page import JSON, LARGEST_BODY, MESSAGE, Asked
from anansi.service.problem import Problem, Refused
from anansi.service.reader_process import ReadPage
from anansi.service.reader_processes import ReaderProcesses
from anansi.service.start_page import start_page

WAITING: Final = 4
"""Pages a process that wait for it or are read by it; those that are still being received do not count."""
ROOM: Final = 4 * LARGEST_BODY
"""Bytes a process of all that was received and not answered: 8 processes hold 1 GB at the most."""

_BUSY: Final = Problem("busy", "as many requests as the service takes are under way")
_INERT: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",
}


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


class PageReading:
    """Answers requests.

    Mutable state: `_read`, pages so far; `_busy`, pages that reader processes have or that wait for one; `_requests`
    and `_refused`, counted; `room`.
    """

    def __init__(self, settings: Settings, readers: ReaderProcesses, url: str):
        self._settings, self._readers, self._url = settings, readers, url
        self._started = time.time()
        self._read = self._busy = self._requests = self._refused = 0
        self.room = Room(ROOM * len(readers), _BUSY)

    @property
    def token(self) -> str:
        """Return what clients must show; nothing when they need not."""
        return self._settings.token

    # ── what is asked ────────────────────────────────────────────────────────────────────────────────────────

    async def start_page(self, _request: Request) -> Response:
        """Explain the service to people."""
        page = start_page(self._url, self._settings.types, guarded=bool(self.token))
        return answer(page, "text/html; charset=utf-8", **_INERT)

    async def tell_health(self, _request: Request) -> Response:
        """Say how the service is."""
        return answer_json(self.health())

    async def describe(self, _request: Request) -> Response:
        """Describe the service to programs."""
        return answer_json(description())

    async def read_page(self, request: Request) -> Response:
        """Have a page read; its body is not looked into here."""
        kind = admission.media_type(request.headers)
        if admission.coded(request.headers) and kind in (JSON, MESSAGE):
            raise Refused(Problem("bad-coding", "a request that holds a page's headers is not decompressed"))
        self._refuse_crowds()
        body = await request.body()
        self._refuse_crowds()
        asked = Asked(kind, request.headers.items(), dict(request.query_params), body)
        self._busy += 1
        try:
            reply = await self._readers.read(ReadPage(asked, time.time()))
        finally:
            self._busy -= 1
        if isinstance(reply, Problem):
            raise Refused(reply)
        self._read += 1
        return answer(reply.body)

    def _refuse_crowds(self) -> None:
        if self._busy >= WAITING * len(self._readers):
            raise Refused(_BUSY)

    # ── what was done ────────────────────────────────────────────────────────────────────────────────────────

    def health(self) -> dict[str, Any]:
        """Say how the service is."""
        return {
            "status": "ok",
            "version": __version__,
            "seconds": round(time.time() - self._started, 1),
            "types": self._settings.types,
            "workers": len(self._readers),
            "busy": self._busy,
            "requests": self._requests,
            "pages": self._read,
            "refused": self._refused,
            "sites": self._readers.sites,
            "restarts": self._readers.deaths,
        }

    def counted(self, app: ASGIApp) -> ASGIApp:
        """Count what an application is asked, and what it refuses."""

        async def count(scope: Scope, receive: Receive, send: Send) -> None:
            async def sent(message: Message) -> None:
                self._refused += message.get("status", 0) >= 400
                await send(message)

            self._requests += scope["type"] == "http"
            await app(scope, receive, sent)

        return count
