"""A page as it was posted → the page.

    application/json    {"url": …, "status": …, "headers": …, "body": … or "body_base64": …, …}
    application/http    a response as it came over the wire, status line and headers first, as WARC records hold it
    anything else       the page's body; `Content-Type`, `Content-Encoding` and `Page-NAME: value` are its headers

For the last two the address is `?url=` or the header `Page-Url`, and for the last the status `?status=` or
`Page-Status`; the other fields are parameters of the query, too.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from anansi.model import Page
from anansi.service.advice import page_of
from anansi.service.problem import Problem

LARGEST_BODY: Final = 32 << 20
"""Bytes of a request's body; what a crawl would parse of a page is as much."""

JSON: Final = "application/json"
MESSAGE: Final = "application/http"
PARAMETERS: Final = ("url", "status", "requisites", "fetched")
FORM: Final = "application/x-www-form-urlencoded"
"""What curl says of a body when nobody told it what the body is."""

_EARLIEST, _LATEST = 0.0, 7_258_118_400.0  # 1970 and 2200
_STATUS_LINE: Final = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: [^\r\n]*)?\r?\n")
_HEAD_END: Final = re.compile(rb"\r?\n\r?\n")
_OWN: Final = "page-"

Status = Annotated[int, Meta(ge=100, le=599)]
Time = Annotated[float, Meta(ge=_EARLIEST, le=_LATEST)]


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page, as another crawler fetched it."""

    url: Annotated[str, Meta(description="the page's address", examples=["https://forum.example/viewtopic.php?t=7"])]
    status: Annotated[Status, Meta(description="the status of the answer")] = 200
    headers: Annotated[
        dict[str, str | list[str]] | list[tuple[str, str]],
        Meta(description="the headers of the answer: name → value or values; or a list of pairs"),
    ] = {}
    body: Annotated[str | UnsetType, Meta(description="the body as text")] = UNSET
    body_base64: Annotated[
        str | UnsetType,
        Meta(description="the body as bytes, instead of `body`; a content coding that `headers` name is undone"),
    ] = UNSET
    requisites: Annotated[
        bool, Meta(description="whether the images, styles and scripts that the page shows are wanted, too")
    ] = False
    fetched: Annotated[
        Time | None,
        Meta(description="when it was fetched, in seconds since 1970; dates such as “yesterday” go by it"),
    ] = None


class Job(NamedTuple):
    """A page, and what is wanted of it."""

    page: Page
    requisites: bool


class Asked(msgspec.Struct, frozen=True):
    """A request with a page, as it came."""

    media_type: str
    headers: list[tuple[str, str]]
    """Of the request; names in lower case."""
    query: dict[str, str]
    body: bytes


def read(asked: Asked, now: float) -> Job | Problem:
    """Read what was posted."""
    if asked.media_type == JSON and asked.query:
        return Problem("bad-page", "a page in JSON is described by its body alone; leave out the query")
    if asked.media_type == JSON:
        return _read_json(asked.body, now)
    told = _told(asked)
    if isinstance(told, Problem):
        return told
    return _read_message(asked.body, told, now) if asked.media_type == MESSAGE else _read_body(asked, told, now)


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read_json(data: bytes, now: float) -> Job | Problem:
    try:
        posted = msgspec.json.decode(data, type=Posted)
    except msgspec.ValidationError as error:
        return Problem("bad-page", str(error))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return Problem("bad-json", str(error))
    body = _body(posted)
    if isinstance(body, Problem):
        return body
    pairs = posted.headers if isinstance(posted.headers, list) else _pairs(posted.headers)
    headers = [(name, value) for name, value in pairs if name.lower() != "transfer-encoding"]
    if posted.body is not UNSET:
        headers = _as_text(headers)
    return _page(posted, headers, body, now)


def _body(posted: Posted) -> bytes | Problem:
    text, coded = posted.body, posted.body_base64
    if text is not UNSET and coded is not UNSET:
        return Problem("bad-page", "both `body` and `body_base64` are given, and they may differ; send one of them")
    if text is not UNSET:
        return text.encode("utf-8", "replace")
    if coded is UNSET:
        return b""
    try:
        return b64decode("".join(coded.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        return Problem("bad-page", f"`body_base64` is not base64: {error}")


def _pairs(headers: dict[str, str | list[str]]) -> list[tuple[str, str]]:
    return [
        (name, each) for name, value in headers.items() for each in ([value] if isinstance(value, str) else value)
    ]


def _as_text(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Say of a body that came as text that it is in UTF-8 and not compressed, whatever it was on the wire."""
    kind = next((value for name, value in headers if name.lower() == "content-type"), "text/html")
    plain = [(name, value) for name, value in headers if name.lower() not in ("content-type", "content-encoding")]
    return [("content-type", f"{kind.partition(';')[0].strip()}; charset=utf-8"), *plain]


# ── messages and bare bodies ─────────────────────────────────────────────────────────────────────────────────────


def _told(asked: Asked) -> Posted | Problem:
    """Read what the query and the headers say about the page."""
    named = {name: value for name, value in asked.headers if name in ("page-url", "page-status")}
    told: dict[str, object] = {"url": named.get("page-url", ""), "status": named.get("page-status", "200")}
    unknown = asked.query.keys() - set(PARAMETERS)
    if unknown:
        return Problem("bad-page", f"unknown parameter `{min(unknown)}`; known: {', '.join(PARAMETERS)}")
    try:
        posted = msgspec.convert({**told, **asked.query}, Posted, strict=False)
    except msgspec.ValidationError as error:
        return Problem("bad-page", str(error))
    if not posted.url:
        return Problem("bad-url", "the page's address is missing: `?url=` with the address escaped, or `Page-Url`")
    return posted


def _read_body(asked: Asked, told: Posted, now: float) -> Job | Problem:
    own = [
        (name.removeprefix(_OWN), value)
        for name, value in asked.headers
        if name.startswith(_OWN) and name not in ("page-url", "page-status")
    ]
    if asked.media_type != FORM:
        own += [(name, value) for name, value in asked.headers if name == "content-type"]
    own += [(name, value) for name, value in asked.headers if name == "content-encoding"]
    headers = [(name, value) for name, value in own if name != "transfer-encoding"]
    return _page(told, headers, asked.body, now)


def _read_message(data: bytes, told: Posted, now: float) -> Job | Problem:
    while (line := _STATUS_LINE.match(data)) is not None:
        end = _HEAD_END.search(data, line.end() - 2)
        if end is None:
            return Problem("bad-page", "the message's head has no end: an empty line is missing")
        status = int(line[1])
        if status >= 200:  # interim answers may stand before the final one
            headers = _fields(data[line.end() : end.start()])
            posted = msgspec.structs.replace(told, status=min(status, 599))
            return _page(posted, headers, data[end.end() :], now)
        data = data[end.end() :]
    return Problem("bad-page", "the message does not begin with a status line such as `HTTP/1.1 200 OK`")


def _fields(head: bytes) -> list[tuple[str, str]]:
    lines = (line.partition(":") for line in head.decode("latin-1").splitlines())
    return [(name, value) for name, colon, value in lines if colon]


def _page(posted: Posted, headers: list[tuple[str, str]], body: bytes, now: float) -> Job | Problem:
    fetched = now if posted.fetched is None else posted.fetched
    page = page_of(posted.url, posted.status, tuple(headers), body, fetched)
    if page is None:
        return Problem("bad-url", f"{posted.url[:200]!r} is not an http or https address")
    return Job(page, posted.requisites)
