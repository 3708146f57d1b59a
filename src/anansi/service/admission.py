"""Who may ask, and how: those who show the token, and programs rather than pages that a browser was made to open."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from anansi.service.answering import refusal
from anansi.service.problem import Problem, Refused

LARGEST_HEAD: Final = 64 << 10
"""Bytes of a request's head: a page's headers may be in it, and servers send up to 32 KB of them."""

FIELDS: Final = 200
"""Header lines of a request."""


class Admission:
    """Refuses what needs no look at what is asked; without a token (`guarded`) only loopback names are answered."""

    def __init__(self, app: ASGIApp, *, guarded: bool):
        self._app, self._guarded = app, guarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            mistaken = _unclear(scope, headers)
            problem = mistaken or stranger(headers, guarded=self._guarded) or _expected(headers)
            if problem is not None:
                end = {"Connection": "close"} if mistaken else {}  # what follows may be understood in two ways, too
                await refusal(problem, **end)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class TokenAsked:
    """Lets those in who show the token; without one, everybody."""

    def __init__(self, app: ASGIApp, token: str, whose: str):
        self._app, self._token, self._whose = app, token, whose

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if self._token and not entitled(Headers(scope=scope), self._token):
            raise Refused(Problem("no-token", self._whose))
        await self._app(scope, receive, send)


def _unclear(scope: Scope, headers: Headers) -> Problem | None:
    """Refuse what h11 lets pass: other versions, lengths said in two ways, large heads that came in one piece."""
    if not scope["http_version"].startswith("1."):
        return Problem("bad-version", f"HTTP/{scope['http_version'][0]} was asked for")
    if "transfer-encoding" in headers and ("content-length" in headers or scope["http_version"] == "1.0"):
        return Problem("bad-request", "the length of the body is said in two ways")
    if len(headers.raw) > FIELDS:
        return Problem("head-too-large", f"a head has at most {FIELDS} lines")
    size = len(scope["raw_path"]) + len(scope["query_string"])
    if size + sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEAD:
        return Problem("head-too-large", f"a head has at most {LARGEST_HEAD:,} bytes")
    return None


def stranger(headers: Headers, *, guarded: bool) -> Problem | None:
    """Refuse what a browser was made to ask: a name that leads to loopback, a page of another site."""
    host = headers.get("host", "")
    if not guarded and host and not is_loopback(_name(host)):
        return Problem("wrong-host", "without a token the service answers to loopback names only")
    origin = headers.get("origin", "")
    if origin and _host(origin) != host.lower():
        return Problem("foreign-page", "`Origin` is another site")
    return None


def entitled(headers: Headers, token: str) -> bool:
    """Tell whether a request shows the token, in a time that does not tell how much of it was right."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("latin-1"), token.encode())
    return scheme.lower() == "bearer" and same


def _expected(headers: Headers) -> Problem | None:
    """Refuse expectations other than the one that is known."""
    if headers.get("expect", "100-continue").lower() == "100-continue":
        return None
    return Problem("bad-expectation", "an expectation other than 100-continue")


def media_type(headers: Headers) -> str:
    """Return what a request says that its body is."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def coded(headers: Headers) -> bool:
    """Tell whether the body is compressed."""
    return headers.get("content-encoding", "identity").lower() != "identity"


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine alone."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """Return the name in a `Host` header, without port and brackets."""
    return _host(f"http://{host}", port=False).strip("[]")


def _host(url: str, *, port: bool = True) -> str:
    """Return the host of a URL, with its port if wanted; empty when there is none."""
    try:
        parts = urlsplit(url)
        return parts.netloc.lower() if port else (parts.hostname or "")
    except ValueError:
        return ""
