"""Who may ask: those who show the token, and programs rather than pages that a browser was made to open."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Final
from urllib.parse import urlsplit

from anansi.errors import UserError
from anansi.service.problem import Problem
from anansi.service.wire import Head

SHORTEST: Final = 16
"""Characters of a token."""


def stranger(head: Head, *, guarded: bool) -> Problem | None:
    """Refuse what a browser was made to ask: a name that leads to loopback, a page of another site."""
    host = head.header("host")
    if not guarded and host and not is_loopback(_name(host)):
        return Problem("wrong-host", "without a token the service answers to loopback names only")
    origin = head.header("origin")
    if origin and _host(origin) != host.lower():
        return Problem("foreign-page", "`Origin` is another site")
    return None


def entitled(head: Head, token: str) -> bool:
    """Tell whether a request shows the token, in a time that does not tell how much of it was right."""
    scheme, _, given = head.header("authorization").partition(" ")
    same = hmac.compare_digest(given.strip().encode("latin-1"), token.encode())
    return scheme.lower() == "bearer" and same


def expected(head: Head) -> Problem | None:
    """Refuse expectations other than the one that is known."""
    if head.header("expect", "100-continue").lower() == "100-continue":
        return None
    return Problem("bad-expectation", "an expectation other than 100-continue")


def media_type(head: Head) -> str:
    """Return what a request says that its body is."""
    return head.header("content-type").partition(";")[0].strip().lower()


def coded(head: Head) -> bool:
    """Tell whether the body is compressed."""
    return head.header("content-encoding", "identity").lower() != "identity"


def checked(token: str) -> str:
    """Refuse what is no token; it is never repeated."""
    token = token.strip()
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        words = f"the token must be {SHORTEST} letters or more, without spaces; `openssl rand -hex 32` writes one"
        raise UserError(words)
    return token


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
