"""Ways a site answers for /robots.txt; add each under `/robots.txt`."""

from __future__ import annotations

from tests.web.breaks import hang
from tests.web.exchange import Behaviour, Connection, Reply, Request
from tests.web.replies import redirect

PLAIN = ("Content-Type", "text/plain; charset=utf-8")
COMMENT = b"# " + b"-" * 61 + b"\n"
"""A line of 64 bytes that says nothing."""


def robots(*disallowed: str, agent: str = "*", delay: float | None = None, extra: str = "") -> Reply:
    """Answer with rules for one agent, and whatever lines follow."""
    lines = [f"User-agent: {agent}", *(f"Disallow: {path}" for path in disallowed)]
    lines += [] if delay is None else [f"Crawl-delay: {delay}"]
    return robots_text("\n".join([*lines, extra, ""]))


def robots_text(text: str) -> Reply:
    """Answer with a robots.txt word for word."""
    return Reply(200, (PLAIN,), text.encode())


def robots_error(status: int = 503) -> Reply:
    """Fail: RFC 9309 says that 5xx forbids everything."""
    return Reply(status, (PLAIN,), b"User-agent: *\nAllow: /\n")


def robots_missing(status: int = 404) -> Reply:
    """Have none: RFC 9309 says that 4xx allows everything, whatever the body says."""
    return Reply(status, (PLAIN,), b"User-agent: *\nDisallow: /\n")


def robots_timeout() -> Behaviour:
    """Never answer."""
    return hang()


def robots_huge(size: int = 10 * 1024 * 1024, *, early: str = "/early/", late: str = "/late/") -> Reply:
    """Answer with `size` bytes: `early` forbidden at once, `late` in the last line."""
    first, last = f"User-agent: *\nDisallow: {early}\n".encode(), f"Disallow: {late}\n".encode()
    filling = COMMENT * ((size - len(first) - len(last)) // len(COMMENT))
    return Reply(200, (PLAIN,), first + filling + last)


def robots_redirect(to: str, *, status: int = 301) -> Reply:
    """Keep the rules elsewhere."""
    return redirect(to, status=status)


def robots_redirects(hops: int, rules: Reply) -> Behaviour:
    """Redirect `hops` times before the rules come (RFC 9309: follow five at least)."""

    async def behave(request: Request, connection: Connection) -> None:
        step = int(request.target.partition("?hop=")[2] or 0)
        await (rules if step >= hops else redirect(f"/robots.txt?hop={step + 1}"))(request, connection)

    return behave
