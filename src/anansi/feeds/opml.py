"""Lists of subscriptions (OPML) → the feeds that they name."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, NamedTuple

from lxml import etree

from anansi.feeds.decoding import decode, opened
from anansi.feeds.names import name_of
from anansi.feeds.parsing import parse
from anansi.url import resolve

LARGEST: Final = 16 << 20
"""Bytes of a list; whoever has more feeds has several lists."""

MOST_FEEDS: Final = 50_000
"""Feeds of a list."""


class Subscription(NamedTuple):
    """A feed that a list names."""

    url: str
    title: str = ""
    page: str = ""
    groups: tuple[str, ...] = ()
    """Those it stands in, the outermost first."""


def subscriptions(data: bytes, url: str = "") -> tuple[Subscription, ...] | None:
    """Read a list, well-formed or not: each feed once, in the list's order; None when it is no OPML.

    `url` is the list's own, if it has one.
    """
    if len(data) > LARGEST:
        return None
    source = opened(decode(data))
    if not source.text:
        return None
    root = parse(source).root
    if not any(name_of(each) == "opml" for each in islice(root.iter(etree.Element), 100)):
        return None
    found: dict[str, Subscription] = {}
    for outline in root.iter(etree.Element):
        if name_of(outline) == "outline" and (each := _subscription(outline, url)) is not None:
            found.setdefault(each.url, each)
            if len(found) >= MOST_FEEDS:
                break
    return tuple(found.values())


def _subscription(outline: Any, base: str) -> Subscription | None:
    said = _said(outline)
    address = said.get("xmlurl", "").strip()
    if address.startswith("feed:"):
        address = address.removeprefix("feed:") if address.startswith("feed:http") else f"http:{address[5:]}"
    url = resolve(address, base or None) if address else None
    if url is None:
        return None
    outer = [_named(_said(each)) for each in outline.iterancestors() if name_of(each) == "outline"]
    page = resolve(said["htmlurl"].strip(), base or None) if said.get("htmlurl", "").strip() else None
    return Subscription(url, _named(said), page or "", tuple(name for name in reversed(outer) if name))


def _said(outline: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in outline.attrib.items()}


def _named(said: dict[str, str]) -> str:
    return " ".join((said.get("title") or said.get("text") or "").split())
