"""The names of elements: `{http://purl.org/dc/elements/1.1/}Date` and `DC:date` are both `dc:date`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

ITEMS: Final = frozenset({"item", "entry"})
XML: Final = "{http://www.w3.org/XML/1998/namespace}"

_OWN: Final = "-"  # namespaces whose elements need no prefix: those of feeds themselves
_SPACES: Final = {
    "http://backend.userland.com/rss": _OWN,
    "http://blogs.law.harvard.edu/tech/rss": _OWN,
    "http://purl.org/rss/1.0/": _OWN,
    "http://my.netscape.com/rdf/simple/0.9/": _OWN,
    "http://channel.netscape.com/rdf/simple/0.9/": _OWN,
    "http://example.com/newformat#": _OWN,
    "http://example.com/necho": _OWN,
    "http://purl.org/echo/": _OWN,
    "uri/of/echo/namespace#": _OWN,
    "http://purl.org/pie/": _OWN,
    "http://purl.org/atom/ns#": _OWN,
    "http://www.w3.org/2005/atom": _OWN,
    "http://purl.org/rss/1.0/modules/rss091#": _OWN,
    "http://backend.userland.com/rss2": _OWN,
    "http://purl.org/net/rss1.1#": _OWN,
    "http://www.w3.org/1999/xhtml": "xhtml",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://purl.org/dc/elements/1.0/": "dc",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://purl.org/rss/1.0/modules/syndication/": "sy",
    "http://purl.org/rss/1.0/modules/slash/": "slash",
    "http://wellformedweb.org/commentapi/": "wfw",
    "http://purl.org/syndication/thread/1.0": "thr",
    "http://search.yahoo.com/mrss": "media",
    "http://search.yahoo.com/mrss/": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "http://www.w3.org/xml/1998/namespace": "xml",
}
_USUAL: Final = {
    "atom": _OWN, "atom10": _OWN, "atom03": _OWN, "a10": _OWN, "rss": _OWN, "html": "xhtml", "dct": "dcterms",
}  # fmt: skip
"""What a prefix means where nobody says."""


def prefix_of(space: str, given: str = "") -> str:
    """Return the usual prefix of a namespace, or what `given` or the namespace itself (a prefix, then) stands for."""
    known = _SPACES.get(space.strip().lower()) or _USUAL.get(given or space, given or space)
    return "" if known == _OWN else known


@lru_cache(4096)
def of_tag(tag: str, prefix: str | None = None) -> str:
    """Write a tag as lxml has it, and the document's own prefix, with the usual prefix."""
    if not tag.startswith("{"):
        return tag.lower()
    space, _, local = tag[1:].partition("}")
    usual = prefix_of(space)
    if usual == space and ("/" in space or ":" in space):  # nobody knows it
        usual = prefix.lower() if prefix else ""
    return f"{usual}:{local.lower()}" if usual else local.lower()


def name_of(element: Any) -> str:
    """Return the name of an element; nothing for comments and the like."""
    return of_tag(element.tag, element.prefix) if isinstance(element.tag, str) else ""
