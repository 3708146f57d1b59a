"""HTTP/1.1 for the example site: bytes to a request, an answer to bytes; no socket in sight."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from anansi_demo.answer import Answer, respond

MAX_HEAD = 16 * 1024
"""Bytes of a request line with its headers."""

MAX_BODY = 64 * 1024
"""Bytes of a request body; it is read and forgotten."""

MAX_BUFFER = MAX_HEAD + MAX_BODY

_REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) ([\x21-\x7e\x80-\xff]+) HTTP/1\.([01])")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*")
_ABSOLUTE = re.compile(r"(?i)\Ahttps?://[^/?#]*")


@dataclass(frozen=True, slots=True)
class Asked:
    """A complete request; `size` is how many bytes of the stream it took."""

    method: str
    target: str
    headers: dict[str, str]
    keep: bool
    size: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Bytes that are no request this server can answer; the connection ends with this status."""

    status: int


def read_request(data: bytes) -> Asked | Refused | None:
    """Read the first request of a stream; None when more bytes are needed."""
    end = data.find(b"\r\n\r\n", 0, MAX_HEAD)
    if end < 0:
        return Refused(431) if len(data) >= MAX_HEAD else None
    first, *lines = data[:end].split(b"\r\n")
    asked = _REQUEST_LINE.fullmatch(first)
    headers = _headers(lines)
    if asked is None or headers is None:
        return Refused(400)
    length = _body_length(headers)
    if isinstance(length, Refused):
        return length
    size = end + 4 + length
    if len(data) < size:
        return None
    return _asked(asked, headers, size)


def _asked(line: re.Match[bytes], headers: dict[str, str], size: int) -> Asked | Refused:
    target = _ABSOLUTE.sub("", line[2].decode("latin-1"), count=1) or "/"
    modern = line[3] == b"1"
    if not target.startswith("/") or (modern and "host" not in headers):
        return Refused(400)
    options = headers.get("connection", "").lower()
    keep = "close" not in options if modern else "keep-alive" in options
    return Asked(line[1].decode(), target, headers, keep, size)


def _headers(lines: list[bytes]) -> dict[str, str] | None:
    """Read header lines; None when one of them is none."""
    fields = [_FIELD.fullmatch(line) for line in lines]
    if not all(fields):
        return None
    return {field[1].decode().lower(): field[2].decode("latin-1") for field in fields if field}


def _body_length(headers: dict[str, str]) -> int | Refused:
    if "transfer-encoding" in headers:
        return Refused(501)
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return Refused(400)
    # Leading zeros aside, more digits than this is too long in any case, and int() need not see them.
    return int(length) if len(length) <= 9 and int(length) <= MAX_BODY else Refused(413)


def refuse(status: int) -> Answer:
    """Make the answer to what cannot be answered."""
    return respond(
        "refused", f"{status} {HTTPStatus(status).phrase}\n", mime="text/plain; charset=utf-8", status=status
    )


def settle(asked: Asked, found: Answer) -> Answer:
    """Decide what is sent: the answer itself, 304 when the client has it, 405 for a method that changes things."""
    if asked.method not in ("GET", "HEAD"):
        refused = refuse(405)
        return Answer(405, (*refused.headers, ("Allow", "GET, HEAD")), refused.body, "refused")
    if found.status == 200 and not_modified(found, asked.headers):
        return Answer(304, found.headers[1:], b"", found.kind, found.shows)
    return found


def not_modified(found: Answer, headers: dict[str, str]) -> bool:
    """Tell whether the client's validators still hold; an ETag goes before a date (RFC 9110, 13.2.2)."""
    if "if-none-match" in headers:
        known = {tag.strip().removeprefix("W/") for tag in headers["if-none-match"].split(",")}
        return "*" in known or found.header("ETag").removeprefix("W/") in known
    since = _date(headers.get("if-modified-since", ""))
    modified = _date(found.header("Last-Modified"))
    return since is not None and modified is not None and modified <= since


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def write(found: Answer, *, date: str, keep: bool, bodiless: bool = False) -> bytes:
    """Write an answer; `bodiless` leaves the body out but not its length, as HEAD asks."""
    lines = [f"HTTP/1.1 {found.status} {HTTPStatus(found.status).phrase}", f"Date: {date}", "Server: AnansiDemo"]
    lines += [f"{name}: {value}" for name, value in found.headers]
    if found.status != 304:
        lines.append(f"Content-Length: {len(found.body)}")
    lines.append(f"Connection: {'keep-alive' if keep else 'close'}")
    head = "\r\n".join((*lines, "", "")).encode("latin-1")
    return head if bodiless else head + found.body
