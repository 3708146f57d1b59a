"""What a shortcut answers: a sitemap, an index of sitemaps, a feed or JSON → the addresses that it lists.

Nothing is believed: whatever is too large, nests too deep, defines entities or is of another kind lists nothing.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec
from lxml import etree

from anansi.url import resolve

MOST: Final = 50_000
"""Addresses of one answer: as many as the protocol of sitemaps allows."""

LARGEST: Final = 32 << 20
"""Bytes of an answer, uncompressed."""

LONGEST: Final = 1800
"""Characters of an address; what is longer grew by accident."""

_NEWS: Final = "{http://www.w3.org/2005/Atom}"
_LOCAL: Final = re.compile(r"^\{[^}]*\}")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_PAGE: Final = "{page}"


class Listing(NamedTuple):
    """The addresses that an answer lists, in its order."""

    kind: str = ""
    """`sitemap`, `feed` or `json`; empty when it is none of them."""
    links: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    """Further sitemaps, of an index."""
    next: str = ""
    """The next page of a feed, where it says so."""


def read(data: bytes, url: str, links: str = "") -> Listing:
    """Read an answer from an address; `links` says where the links stand in JSON."""
    plain = _gunzipped(data) if data[:2] == b"\x1f\x8b" else data
    if not plain or len(plain) > LARGEST:
        return Listing()
    start = plain.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] == b"<":
        return _of_xml(start, url)
    if start[:1] in (b"{", b"["):
        return _of_json(start, url, links) if links else Listing()
    return _of_text(start)


def _gunzipped(data: bytes) -> bytes:
    """Unpack what is packed; nothing of a bomb or of what is torn at its beginning."""
    unpacking = zlib.decompressobj(wbits=31)
    try:
        plain = unpacking.decompress(data, LARGEST + 1)
    except zlib.error:
        return b""
    return plain if len(plain) <= LARGEST else b""


# ── XML ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_xml(data: bytes, url: str) -> Listing:
    if b"<!ENTITY" in data:
        return Listing()
    root = _root(data)
    if root is None:
        return Listing()
    name = _name(root)
    if name == "sitemapindex":
        return Listing("sitemap", sitemaps=_addresses(_texts(root, "sitemap", "loc"), url))
    if name == "urlset":
        return Listing("sitemap", _addresses(_texts(root, "url", "loc"), url))
    if name in _FEEDS:
        return Listing("feed", _addresses(_FEEDS[name](root), url), next=_next(root, url))
    return Listing()


def _root(data: bytes) -> Any | None:
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError):
        return None
    return root


def _name(element: Any) -> str:
    return _LOCAL.sub("", element.tag).lower() if isinstance(element.tag, str) else ""


def _children(element: Any, name: str) -> Iterator[Any]:
    return (child for child in element if _name(child) == name)


def _texts(root: Any, each: str, name: str) -> Iterator[str]:
    for item in _children(root, each):
        yield from (child.text or "" for child in _children(item, name))


def _rss(root: Any) -> Iterator[str]:
    for channel in _children(root, "channel"):
        yield from _items(channel)


def _items(parent: Any) -> Iterator[str]:
    """Yield the link of each item, or its name where that is said to be an address."""
    for item in _children(parent, "item"):
        link = next((child.text for child in _children(item, "link") if (child.text or "").strip()), None)
        if link is None:
            names = (child for child in _children(item, "guid") if child.get("isPermaLink", "true") == "true")
            link = next((name.text for name in names), None)
        yield link or ""


def _atom(root: Any) -> Iterator[str]:
    for entry in _children(root, "entry"):
        found = (link.get("href", "") for link in _children(entry, "link") if link.get("rel") in (None, "alternate"))
        yield next(found, "")


_FEEDS: Final = {"rss": _rss, "rdf": _items, "feed": _atom}


def _next(root: Any, url: str) -> str:
    """Return the next page of a feed (RFC 5005), in Atom or in RSS."""
    places = (root, *_children(root, "channel"))
    links = (link for place in places for link in place if link.tag in (f"{_NEWS}link", "link"))
    raw = next((link.get("href") for link in links if link.get("rel") == "next" and link.get("href")), None)
    return (resolve(raw, url) or "") if raw else ""


# ── JSON and text ────────────────────────────────────────────────────────────────────────────────────────────────


def _of_json(data: bytes, url: str, links: str) -> Listing:
    try:
        told = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return Listing()
    return Listing("json", _addresses(_written(told, links), url))


def _of_text(data: bytes) -> Listing:
    """Read a sitemap of plain text: an address a line, and nothing else."""
    lines = data.decode("utf-8", "replace").split()
    if not lines or not all(line.startswith(("http://", "https://")) for line in lines[:100]):
        return Listing()
    return Listing("sitemap", _addresses(iter(lines), ""))


def _written(told: Any, template: str) -> Iterator[str]:
    """Yield what a way (`items.*.link`) leads to, or an address with ways in braces, once for each item."""
    ways = _BRACES.findall(template)
    if not ways:
        yield from map(str, _values(told, template.split(".")))
        return
    columns = [list(_values(told, way.split("."))) for way in ways]
    alone = template == f"{{{ways[0]}}}"
    for values in zip(*columns, strict=False):
        texts = iter([str(value) if alone else quote(str(value), safe="/:") for value in values])
        yield _BRACES.sub(lambda _, texts=texts: next(texts), template)  # type: ignore[misc]


def _values(told: Any, way: list[str]) -> Iterator[str | int]:
    if not way:
        if isinstance(told, str | int) and not isinstance(told, bool):
            yield told
    elif way[0] == "*" and isinstance(told, list | dict):
        for each in told.values() if isinstance(told, dict) else told:
            yield from _values(each, way[1:])
    elif isinstance(told, dict) and way[0] in told:
        yield from _values(told[way[0]], way[1:])


def _addresses(raws: Iterator[str], url: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for raw in raws:
        address = raw.strip()
        if address and len(address) <= LONGEST and (whole := resolve(address, url or None)) is not None:
            found[whole] = None
            if len(found) >= MOST:
                break
    return tuple(found)


# ── paging ───────────────────────────────────────────────────────────────────────────────────────────────────────


def first(address: str) -> str:
    """Write the address of a shortcut's first page."""
    return address.replace(_PAGE, "1")


def following(address: str, more: str, url: str, data: bytes) -> str:
    """Write the address behind the page that `url` answered with `data`; nothing when there is none.

    `address` and `more` are the shortcut's. `{page}` counts on; other braces hold ways into the JSON.
    """
    if not more:
        before, page, after = address.partition(_PAGE)
        shape = f"({re.escape(before)})(\\d{{1,9}}){re.escape(after)}$"
        found = re.search(shape, url) if page else None
        return f"{url[: found.start(2)]}{int(found[2]) + 1}{after}" if found else ""
    filled = more.replace(_PAGE, str(_number(more, url) + 1))
    try:
        filled = next(_written(msgspec.json.decode(data), filled), "") if "{" in filled else filled
    except (msgspec.DecodeError, RecursionError):
        return ""
    return (resolve(filled, url) or "") if filled else ""


def _number(template: str, url: str) -> int:
    """Return the number of a page; the first one may say none."""
    before, _, after = template.partition(_PAGE)
    found = re.search(f"{re.escape(before)}(\\d{{1,9}}){re.escape(after)}$", url)
    return int(found[1]) if found else 1


def answers(address: str, url: str) -> bool:
    """Tell whether an address is a page of a shortcut."""
    before, page, after = address.partition(_PAGE)
    shape = re.escape(before) + (r"\d{1,9}" + re.escape(after) if page else "")
    start = "" if before.startswith("?") else "/"
    return bool(address) and re.search(f"{start}{shape}(?:$|&)", url) is not None
