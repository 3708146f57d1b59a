"""A capture in words: its line in the CDXJ index, and its line in the list of pages."""

from __future__ import annotations

import json
import re
from typing import Final

import msgspec

from anansi.model import Hop
from anansi.url import surt

PAGES_HEADER: Final = b'{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}\n'
NO_PAGE: Final = ("", "")
REVISIT: Final = "warc/revisit"
UNKNOWN: Final = "unk"

_json: Final = msgspec.json.Encoder().encode
_HTML: Final = frozenset(("text/html", "application/xhtml+xml", "application/xhtml"))
_NOT_PAGES: Final = (Hop.EMBED.value, Hop.PREREQUISITE.value, Hop.MANIFEST.value)
_SPACE: Final = re.compile(r"\s")
_DIGITS: Final = re.compile(r"[^0-9]+")
_USUAL: Final = len("2024-01-01T00:00:00.000Z")
_EARLIEST: Final = "10000101000000"


class Capture(msgspec.Struct, frozen=True):
    """A response, revisit or resource record, and where it stands."""

    url: str
    date: str
    """As `WARC-Date` has it."""
    identity: str
    """The UUID of the record, or whatever its identifier is."""
    mime: str
    status: str
    digest: str
    filename: str
    offset: int
    length: int


class About(msgspec.Struct, frozen=True):
    """What the metadata record says about a capture."""

    title: str = ""
    mime: str = ""
    hops: str = ""
    key: str = ""
    """What the URL is known by, where that is another one."""
    apart: bool = False
    """Whether no frontier need know of it: nobody linked to it, or loading a page took it."""


def timestamp(date: str) -> str:
    """Write a date as the fourteen digits of CDX; WARC 1.1 allows dates as short as a year."""
    if len(date) == _USUAL:
        return date[:4] + date[5:7] + date[8:10] + date[11:13] + date[14:16] + date[17:19]
    digits = _DIGITS.sub("", date)[:14]
    return digits + _EARLIEST[len(digits) :]


def cdxj_line(capture: Capture) -> bytes:
    """Write the line of the index."""
    fields = {
        "url": capture.url,
        "mime": capture.mime or UNKNOWN,
        "status": capture.status,
        "digest": capture.digest,
        "length": str(capture.length),
        "offset": str(capture.offset),
        "filename": capture.filename,
    }
    key = _SPACE.sub("%20", surt(capture.url)).encode("utf-8", "replace")
    told = fields if capture.status and capture.digest else {name: each for name, each in fields.items() if each}
    return b"%b %b %b\n" % (key, timestamp(capture.date).encode(), _json(told))


def page_line(capture: Capture, served: str, about: About) -> bytes | None:
    """Write the line of the list of pages, or nothing when the capture is not a page people read.

    `served` is the media type that the server named; what identification found goes before it.
    """
    revisited_unseen = capture.mime == REVISIT and not capture.status
    if not (capture.status.startswith("2") or revisited_unseen) or about.hops.endswith(_NOT_PAGES):
        return None
    if (about.mime or served) not in _HTML:
        return None
    page: dict[str, object] = {"id": capture.identity, "url": capture.url, "ts": capture.date}
    if about.title:
        page["title"] = about.title
    if not about.hops:
        page["seed"] = True
    return _json(page) + b"\n"


def page_key(line: bytes) -> tuple[str, str]:
    """Return what the lines of the list of pages are sorted by; `NO_PAGE` for the header and for what is no page."""
    try:
        page = json.loads(line)
    except ValueError:
        return NO_PAGE
    if not isinstance(page, dict) or "ts" not in page:
        return NO_PAGE
    return str(page["ts"]), str(page.get("id", ""))
