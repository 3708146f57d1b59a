"""The service: it listens, asks its clerks, and says no in time."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from anansi import __version__
from anansi.errors import UserError
from anansi.service import wire
from anansi.service.clerk import Order, Told
from anansi.service.clerks import Clerks
from anansi.service.description import description
from anansi.service.front import start_page
from anansi.service.posting import JSON, MESSAGE, Asked
from anansi.service.problem import Problem
from anansi.service.wire import Head, Response, refusal

CONNECTIONS: Final = 256
"""Open at a time; more are answered that the service is busy."""

WAITING: Final = 4
"""Requests a clerk that are read or wait for it: 8 clerks hold 1 GB of the largest pages at the most."""

RETRY_AFTER: Final = 1
"""Seconds: a page takes some hundredths of one."""

GRACE: Final = 10.0
"""Seconds for requests under way when the service is stopped."""


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
        if not self.token and not _is_loopback(self.host):
            raise UserError(
                f"{self.host} can be reached from other machines: give the service a token (`--token FILE`, or the "
                "environment's ANANSI_TOKEN), or listen on 127.0.0.1"
            )


@dataclass(slots=True)
class Counts:
    """What the service did so far."""

    requests: int = 0
    pages: int = 0
    refused: int = 0


class Service:
    """Answers requests.

    Mutable state: `counts`; `_busy`, requests with a page under way; `_connections`, task → whether it has a request.
    """

    def __init__(self, settings: Settings, clerks: Clerks):
        self._settings, self._clerks = settings, clerks
        self._url = ""
        self._started = time.time()
        self.counts = Counts()
        self._busy = 0
        self._connections: dict[asyncio.Task[None], bool] = {}
        self._closing = False
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
        listener = _listener(self._settings)
        self._url = _address(listener)
        try:
            await self._clerks.start()
            server = await asyncio.start_server(self._connected, sock=listener, limit=wire.LARGEST_HEAD)
            ready(self._url)
            await stopped.wait()
            server.close()
            await self._finish()
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
            "requests": self.counts.requests,
            "pages": self.counts.pages,
            "refused": self.counts.refused,
            "sites": self._clerks.sites,
            "restarts": self._clerks.deaths,
        }

    def _front(self) -> bytes:
        return start_page(self._url, self._settings.types, guarded=bool(self._settings.token))

    async def _finish(self) -> None:
        """Let requests under way be answered; connections without one end at once."""
        self._closing = True
        for task, busy in self._connections.items():
            if not busy:
                task.cancel()
        if self._connections:
            await asyncio.wait(set(self._connections), timeout=GRACE)
        for task in self._connections:
            task.cancel()

    # ── connections ──────────────────────────────────────────────────────────────────────────────────────────

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        crowded = len(self._connections) >= CONNECTIONS
        self._connections[task] = False
        try:
            if crowded:
                await wire.write(writer, self._too_busy(), keep=False)
                return
            while await self._exchange(reader, writer, task) and not self._closing:
                pass
        except asyncio.CancelledError:
            return  # we are stopped; asyncio would print a cancelled handler
        finally:
            self._connections.pop(task, None)
            writer.close()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, task: asyncio.Task[None]
    ) -> bool:
        """Answer one request; return whether another may follow."""
        head = await wire.read_head(reader)
        if head is None:
            return False
        self._connections[task] = True
        self.counts.requests += 1
        response, whole = await self._respond(head, reader, writer)
        if response is None:
            return False
        self.counts.refused += response.status >= 400
        keep = whole and isinstance(head, Head) and head.keep and not self._closing
        bodiless = isinstance(head, Head) and head.method == "HEAD"
        taken = await wire.write(writer, response, keep=keep, bodiless=bodiless)
        if taken and not whole:
            await wire.linger(reader, writer)
        self._connections[task] = False
        return taken and keep

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
        if self._busy >= WAITING * len(self._clerks):
            return self._too_busy(), not head.has_body
        self._busy += 1
        try:
            return await self._read_page(head, reader, writer)
        finally:
            self._busy -= 1

    async def _read_page(
        self, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[Response | None, bool]:
        if head.header("expect") and head.has_body and not await wire.allow_body(writer):
            return None, False
        body = await wire.read_body(reader, head)
        if body is None:
            return None, False
        if isinstance(body, Problem):
            return refusal(body), False
        asked = Asked(_media_type(head), head.headers, head.query, body)
        reply = await self._clerks.ask(Order(asked, time.time()))
        if isinstance(reply, Told):
            self.counts.pages += 1
            return Response(200, reply.body), True
        return (self._too_busy() if reply.kind == "busy" else refusal(reply)), True

    # ── saying no ────────────────────────────────────────────────────────────────────────────────────────────

    def _refused(self, head: Head) -> Response | None:
        """Refuse what needs no look at the body."""
        known = head.path == "/pages" or head.path in self._pages
        if not known:
            return refusal(Problem("not-found", f"{head.path[:200]!r}"))
        allowed = ("POST",) if head.path == "/pages" else ("GET", "HEAD")
        if head.method not in allowed:
            return refusal(Problem("bad-method", f"{head.method} {head.path}"), Allow=", ".join(allowed))
        stranger = self._stranger(head)
        if stranger is not None:
            return refusal(stranger)
        if head.path == "/pages" and not self._entitled(head):
            return refusal(Problem("no-token", "this service asks for a token"), WWW_Authenticate="Bearer")
        if head.header("expect", "100-continue").lower() != "100-continue":
            return refusal(Problem("bad-expectation", "an expectation other than 100-continue"))
        coded = head.header("content-encoding", "identity").lower() != "identity"
        if coded and _media_type(head) in (JSON, MESSAGE):
            return refusal(Problem("bad-coding", "a request that holds a page's headers is not decompressed"))
        return None

    def _stranger(self, head: Head) -> Problem | None:
        """Refuse what a browser was made to ask: a name that leads to loopback, a page of another site."""
        host = head.header("host")
        own = _name(host)
        if not self._settings.token and host and not _is_loopback(own):
            return Problem("wrong-host", "without a token the service answers to loopback names only")
        origin = head.header("origin")
        if origin and urlsplit_host(origin) != host.lower():
            return Problem("foreign-page", "`Origin` is another site")
        return None

    def _entitled(self, head: Head) -> bool:
        if not self._settings.token:
            return True
        scheme, _, given = head.header("authorization").partition(" ")
        same = hmac.compare_digest(given.strip().encode("latin-1"), self._settings.token.encode())
        return scheme.lower() == "bearer" and same

    def _too_busy(self) -> Response:
        return refusal(
            Problem("busy", "as many requests as the service takes are under way"), Retry_After=str(RETRY_AFTER)
        )


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


def _listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=CONNECTIONS)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None)  # Python's own words name the address a second time
        why = os.strerror(number) if number and number > 0 else str(error)
        raise UserError(
            f"cannot listen on {settings.host}, port {settings.port}: {why}; choose another with --port (0: any)"
        ) from None


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _media_type(head: Head) -> str:
    return head.header("content-type").partition(";")[0].strip().lower()


def _name(host: str) -> str:
    """Return the name in a `Host` header, without port and brackets."""
    return urlsplit_host(f"http://{host}", port=False).strip("[]")


def urlsplit_host(url: str, *, port: bool = True) -> str:
    """Return the host of a URL, with its port if wanted; empty when there is none."""
    try:
        parts = urlsplit(url)
        return parts.netloc.lower() if port else (parts.hostname or "")
    except ValueError:
        return ""


def _is_loopback(host: str) -> bool:
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
