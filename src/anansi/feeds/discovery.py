"""Where the feeds of a site are: those that a page names, and those that its type is known to have."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from anansi.knowledge.entry import Type
from anansi.url import resolve

MOST_FEEDS: Final = 100
"""Feeds that a page may name."""

TYPES: Final = frozenset(
    {
        *("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"),
        *("application/x.atom+xml", "application/x-atom+xml", "application/rss", "text/rss", "text/rss+xml"),
    }
)
"""What a link to a feed says that it leads to."""

_WIDE: Final = frozenset({"application/xml", "text/xml", "application/json"})
"""What it says where it is less clear; then the address or the title must speak of a feed."""

_WORDS: Final = ("rss", "atom", "feed", "rdf")


class Named(NamedTuple):
    """A feed that somebody names."""

    url: str
    title: str = ""
    type: str = ""


def named_by_page(tree: Any, url: str) -> tuple[Named, ...]:
    """Return the feeds that the `link` elements of a parsed HTML page name, each once, in the page's order."""
    bases = (each.get("href") for each in tree.iter("base"))
    base = next((resolve(raw, url) or url for raw in bases if raw is not None), url)
    found: dict[str, Named] = {}
    for link in tree.iter("link"):
        if len(found) >= MOST_FEEDS:
            break
        kind, title = _said(link, "type").partition(";")[0].strip().lower(), _said(link, "title")
        href = _said(link, "href")
        if not href or not _leads_to_feed(_said(link, "rel").lower().split(), kind, f"{href} {title}".lower()):
            continue
        address = resolve(href.removeprefix("feed:") if href.startswith("feed:http") else href, base)
        if address is not None:
            found.setdefault(address, Named(address, title, kind))
    return tuple(found.values())


def _said(link: Any, name: str) -> str:
    return " ".join((link.get(name) or "").split())


def _leads_to_feed(relations: list[str], kind: str, words: str) -> bool:
    if "feed" in relations:
        return "stylesheet" not in relations
    if "alternate" not in relations or "stylesheet" in relations:
        return False
    return kind in TYPES or (kind in _WIDE and any(word in words for word in _WORDS))


def known_by_type(entry: Type, home: str) -> tuple[Named, ...]:
    """Return the feeds that a type of application has, of a site of which `home` is the first page."""
    feeds = (each for each in entry.shortcuts if each.kind == "feed" and each.address and each.at is None)
    found = (resolve(each.address.replace("{page}", "1"), home) for each in feeds)
    return tuple(Named(url) for url in dict.fromkeys(found) if url is not None)
