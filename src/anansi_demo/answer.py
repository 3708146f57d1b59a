"""What a page of the example site is asked with, and what it answers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import parse_qsl, unquote

ORIGIN = "http://demo.invalid"
"""Stands for scheme, host and port in the few pages that need absolute addresses (sitemap, feed)."""

SESSION = "5e551011" * 4
"""Stands for the session id in forum links: 32 hexadecimal digits, the form crawlers know from phpBB."""

FOUNDED = datetime(2023, 1, 9, 8, 0, tzinfo=UTC)
LATEST = datetime(2025, 1, 31, 20, 0, tzinfo=UTC)
"""The day the site stopped growing; pages without a date of their own carry it."""

HTML = "text/html; charset=utf-8"
_MAX_FIELDS = 20
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Request:
    """A path and its query, decoded; the first of repeated fields counts, and the session id never does."""

    path: str
    query: dict[str, str] = field(default_factory=dict)

    def number(self, name: str, default: int | None = None) -> int | None:
        """Return a field as a number: `default` when it is absent, None when it is no number."""
        if name not in self.query:
            return default
        return whole(self.query[name])


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, and what it is for whoever judges a crawl."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    kind: str = ""
    """What the page is: `thread`, `board`, `print`, `trap` and so on; `missing` for a 404."""
    shows: str = ""
    """The content URL whose posts, comments or text the page shows in full, or nothing."""

    def header(self, name: str) -> str:
        """Return the header of that name, as written here, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")


def whole(text: str) -> int | None:
    """Read a whole number of at most nine digits, with or without a sign."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
        return None
    return int(text)


def read(path_and_query: str) -> Request:
    """Read the target of a request."""
    path, _, query = path_and_query.partition("#")[0].partition("?")
    fields = "&".join(query.split("&", _MAX_FIELDS)[:_MAX_FIELDS])
    pairs = parse_qsl(fields, keep_blank_values=True, errors="replace")
    return Request(unquote(path, errors="replace"), {name: text for name, text in reversed(pairs) if name != "sid"})


def respond(
    kind: str, text: str | bytes, *, mime: str = HTML, status: int = 200, shows: str = "", modified: datetime = LATEST
) -> Answer:
    """Make an answer with its validators."""
    body = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    headers = (
        ("Content-Type", mime),
        ("ETag", _tag(body)),
        ("Last-Modified", format_datetime(modified, usegmt=True)),
    )
    return Answer(status, headers if status == 200 else headers[:1], body, kind, shows)


def redirect(target: str) -> Answer:
    """Make a permanent redirect to a path of this site."""
    headers = (("Content-Type", "text/plain; charset=utf-8"), ("Location", target))
    return Answer(301, headers, f"Moved to {target}\n".encode(), "redirect")


def _tag(body: bytes) -> str:
    """Compute the ETag: weak where only the session id changes from one answer to the next."""
    digest = hashlib.blake2b(body, digest_size=8).hexdigest()
    return f'W/"{digest}"' if SESSION.encode() in body else f'"{digest}"'
