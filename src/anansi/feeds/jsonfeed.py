"""JSON Feed → a feed; members of the wrong kind are taken as not there."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from anansi.feeds.dates import seconds
from anansi.feeds.elements import MOST_VALUES, name_for, plain
from anansi.feeds.feed import Feed
from anansi.state import Comments, Enclosure, Item, Stamp
from anansi.url import resolve

_VERSION: Final = re.compile(r"jsonfeed\.org/version/(\d[\d.]{0,5})")
_DATES: Final = {"date_published": "published", "date_modified": "updated"}


def feed_of(text: str, url: str, most: int) -> Feed | None:
    """Read a feed; None when it is none."""
    try:
        said = msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("items"), list):
        return None
    version = _VERSION.search(_text(said, "version"))
    if version is None and not any(_text(said, name) for name in ("title", "home_page_url", "feed_url")):
        return None
    items = [each for each in said["items"] if isinstance(each, dict)]
    hubs = (_link(each, "url", url) for each in _list(said, "hubs"))
    return Feed(
        "json",
        version[1].rstrip(".") if version else "",
        title=plain(_text(said, "title")),
        link=_link(said, "home_page_url", url),
        description=_text(said, "description"),
        language=_text(said, "language"),
        hubs=tuple(hub for hub in hubs if hub),
        self_link=_link(said, "feed_url", url),
        next_link=_link(said, "next_url", url),
        items=tuple(_item(each, url) for each in items[:most]),
        cut=len(items) > most,
    )


def _item(said: dict[str, Any], url: str) -> Item:
    link = _link(said, "url", url) or _link(said, "external_url", url)
    title = plain(_text(said, "title"))
    description, content = _text(said, "summary"), _text(said, "content_html") or _text(said, "content_text")
    writers = [said["author"]] if isinstance(said.get("author"), dict) else _list(said, "authors")
    stamps = ((element, _text(said, name)) for name, element in _DATES.items())
    tags = said.get("tags")
    return Item(
        id=_text(said, "id") or link or name_for(title, description, content),
        link=link,
        title=title,
        description=description,
        content=content,
        author=", ".join(name for each in writers if (name := _text(each, "name"))),
        dates=tuple(Stamp(element, text, seconds(text)) for element, text in stamps if text),
        categories=tuple(tag for tag in tags[:MOST_VALUES] if isinstance(tag, str)) if isinstance(tags, list) else (),
        enclosures=tuple(_enclosures(said, url)),
        comments=Comments(),
    )


def _enclosures(said: dict[str, Any], url: str) -> list[Enclosure]:
    found = ((_link(each, "url", url), each) for each in _list(said, "attachments"))
    return [
        Enclosure(link, _text(each, "mime_type"), _number(each.get("size_in_bytes"))) for link, each in found if link
    ]


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and 0 <= value < 1 << 53 else None


def _list(said: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = said.get(name)
    return [each for each in value[:MOST_VALUES] if isinstance(each, dict)] if isinstance(value, list) else []


def _text(said: dict[str, Any], name: str) -> str:
    value = said.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):  # an id may be a number, against the standard
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def _link(said: dict[str, Any], name: str, url: str) -> str:
    address, mark, fragment = _text(said, name).partition("#")
    whole = resolve(address, url or None) if address else None
    return f"{whole}{mark}{fragment}" if whole else ""
