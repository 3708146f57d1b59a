"""Ordinary answers: pages, redirects, cookies, servers that ask for patience, conditional requests."""

from __future__ import annotations

import html as escaping
import itertools
from collections.abc import Iterable

from tests.web.exchange import Behaviour, Connection, Reply, Request

HTML = ("Content-Type", "text/html; charset=utf-8")


def markup(title: str, links: Iterable[str] = (), text: str = "") -> str:
    """Write a small page; each link is its own anchor text, in a paragraph of its own."""
    anchors = "\n".join(
        f'<p><a href="{escaping.escape(link)}">{escaping.escape(link[:80])}</a></p>' for link in links
    )
    heading = escaping.escape(title)
    return (
        f"<!DOCTYPE html>\n<html><head><title>{heading}</title></head>\n"
        f"<body><h1>{heading}</h1>\n<p>{escaping.escape(text)}</p>\n{anchors}\n</body></html>\n"
    )


def html(title: str, links: Iterable[str] = (), text: str = "", *, status: int = 200) -> Reply:
    """Answer with a small page in UTF-8."""
    return Reply(status, (HTML,), markup(title, links, text).encode())


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Answer the nth request as the nth behaviour does; the last one stays."""
    turns = itertools.chain(behaviours, itertools.repeat(behaviours[-1]))

    async def behave(request: Request, connection: Connection) -> None:
        await next(turns)(request, connection)

    return behave


def delayed(seconds: float, then: Behaviour) -> Behaviour:
    """Think for a while, then answer."""

    async def behave(request: Request, connection: Connection) -> None:
        if await connection.pause(seconds):
            await then(request, connection)

    return behave


def redirect(to: str, *, status: int = 302, body: bytes = b"moved\n") -> Reply:
    """Send the client elsewhere; `to` is put in Location as it is."""
    return Reply(status, (("Location", to), ("Content-Type", "text/plain")), body)


def redirect_self(*, status: int = 302) -> Behaviour:
    """Send the client to where it is."""

    async def behave(request: Request, connection: Connection) -> None:
        await redirect(request.target, status=status)(request, connection)

    return behave


def redirect_cycle(*targets: str, status: int = 302) -> Behaviour:
    """Send the client round the targets without end; add it under each of them."""
    following = dict(itertools.pairwise([*targets, targets[0]]))

    async def behave(request: Request, connection: Connection) -> None:
        await redirect(following[request.target], status=status)(request, connection)

    return behave


def redirect_growing(*, part: str = "again/", status: int = 302) -> Behaviour:
    """Send the client to an ever longer address; add it under a prefix ending in `/*`."""

    async def behave(request: Request, connection: Connection) -> None:
        await redirect(request.target + part, status=status)(request, connection)

    return behave


def needs_cookie(then: Behaviour, *, name: str = "seen", value: str = "1") -> Behaviour:
    """Set a cookie and redirect to the same address until the cookie comes back."""
    headers = (("Set-Cookie", f"{name}={value}; Path=/"), ("Content-Type", "text/plain"))

    async def behave(request: Request, connection: Connection) -> None:
        crumbs = {crumb.strip() for crumb in request.headers.get("cookie", "").split(";")}
        asking = Reply(302, (("Location", request.target), *headers), b"take a cookie\n")
        await (then if f"{name}={value}" in crumbs else asking)(request, connection)

    return behave


def _refusing(status: int, n: int, retry_after: int | str | None, then: Behaviour | None) -> Behaviour:
    """Refuse n times with a status, then answer."""
    patience = () if retry_after is None else (("Retry-After", str(retry_after)),)
    refusal = Reply(status, (("Content-Type", "text/plain"), *patience), b"not now\n")
    return in_turn(*[refusal] * n, then or html("At last"))


def too_many(n: int, retry_after: int | str | None = 1, *, then: Behaviour | None = None) -> Behaviour:
    """Answer 429 n times (Retry-After in seconds, an HTTP date, or anything a test wants), then a page."""
    return _refusing(429, n, retry_after, then)


def unavailable(n: int, retry_after: int | str | None = None, *, then: Behaviour | None = None) -> Behaviour:
    """Answer 503 n times, then a page."""
    return _refusing(503, n, retry_after, then)


def not_modified(etag: str, body: bytes = b"<p>still the same</p>", *, modified: str = "") -> Behaviour:
    """Answer 200 with validators, and 304 to whoever sends one of them back; `etag` comes with its quotes."""
    validators = [("ETag", etag), *([("Last-Modified", modified)] if modified else [])]

    async def behave(request: Request, connection: Connection) -> None:
        known = request.headers.get("if-none-match") == etag or (
            modified
            and "if-none-match" not in request.headers
            and request.headers.get("if-modified-since") == modified
        )
        answer = Reply(304, validators) if known else Reply(200, [*validators, HTML], body)
        await answer(request, connection)

    return behave
