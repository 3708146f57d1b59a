"""Bytes, address and headers → a feed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from anansi.feeds import elements, jsonfeed
from anansi.feeds.decoding import decode, opened
from anansi.feeds.feed import Feed
from anansi.feeds.parsing import parse

LARGEST: Final = 16 << 20
"""Bytes of a feed that are read; the items that begin behind are left out."""

MOST_ITEMS: Final = 10_000
"""Items of a feed that are read."""


def read(data: bytes, url: str = "", headers: Iterable[tuple[str, str]] = ()) -> Feed | None:
    """Read a feed, whatever is wrong with it; None when it is none.

    The bytes are without content coding. `url` is where relative addresses start; of the headers (names in lower
    case) `content-type` names the encoding, and `content-location` and `content-language` say more.
    """
    said = dict(headers)
    base = said.get("content-location") or url
    cut = len(data) > LARGEST
    text = decode(_whole(data[:LARGEST]) if cut else data, said.get("content-type", ""))
    feed = _read_text(text, base if base.startswith("http") else url)
    if feed is None:
        return None
    language = feed.language or said.get("content-language", "").partition(",")[0].strip()
    return msgspec.structs.replace(feed, cut=feed.cut or cut, language=language.replace("_", "-"))


def _whole(data: bytes) -> bytes:
    """Leave out what was begun and is not there in full."""
    end = max(data.rfind(b"</item>"), data.rfind(b"</entry>"))
    return data[: data.index(b">", end) + 1] if end >= 0 else data


def _read_text(text: str, url: str) -> Feed | None:
    if text.lstrip()[:1] == "{":
        return jsonfeed.feed_of(text, url, MOST_ITEMS)
    source = opened(text)
    if not source.text:
        return None
    root, well_formed = parse(source)
    feed = elements.feed_of(elements.Tree(root, url), source, MOST_ITEMS)
    return msgspec.structs.replace(feed, well_formed=well_formed) if feed is not None else None
