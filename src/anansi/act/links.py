"""The links of any HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from anansi.model import Hop, Link
from anansi.url import Rules, canonical, resolve

MOST = 20_000  # links taken from one page; more is a link farm or an attack

_ANCHORS = etree.XPath("//a/@href", smart_strings=False)
_BASE = etree.XPath("string(//base/@href)", smart_strings=False)
_RARE = {
    # a mark in the bytes → where such links stand; looked for only when the mark is there
    b"<area": etree.XPath("//area/@href", smart_strings=False),
    b"frame": etree.XPath("//frame/@src | //iframe/@src", smart_strings=False),
    b"next": etree.XPath("//link[@rel='next' or @rel='prev']/@href", smart_strings=False),
}
_REFRESH = etree.XPath("//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh']/@content", smart_strings=False)
_REFRESH_URL = re.compile(r"\burl\s*=\s*['\"]?\s*([^'\"\s>]+)", re.I)
_EMBEDS = etree.XPath(
    "//img/@src | //script/@src | //source/@src | //video/@src | //audio/@src | //video/@poster | //embed/@src"
    " | //object/@data | //input[@type='image']/@src"
    " | //link[contains(@rel, 'stylesheet') or contains(@rel, 'icon')]/@href",
    smart_strings=False,
)
_SRCSET = etree.XPath("//@srcset", smart_strings=False)
_CSS_URL = re.compile(r"""url\(\s*['"]?([^'")\s]+)|@import\s+['"]([^'"]+)""")


def links(tree: Any, data: bytes, url: str, rules: Rules, *, embeds: bool = False) -> list[Link]:
    """Return the links of a page, each once, in the order they stand in."""
    base = resolve(_BASE(tree), url) or url if b"<base" in data or b"<BASE" in data else url
    found = _once(_hrefs(tree, data), base, rules, Hop.LINK)
    if embeds:
        found += _once(_embedded(tree), base, rules, Hop.EMBED)
    return found


def stylesheet_links(text: str, url: str, rules: Rules) -> list[Link]:
    """Return what a style sheet needs."""
    return _once((one or two for one, two in _CSS_URL.findall(text[: 1 << 20])), url, rules, Hop.EMBED)


def redirect(location: str, url: str, rules: Rules) -> Link | None:
    """Return where a redirect leads."""
    target = resolve(location, url)
    return Link(url=target, key=canonical(target, rules), hop=Hop.REDIRECT.value) if target else None


def _hrefs(tree: Any, data: bytes) -> Iterator[str]:
    yield from _ANCHORS(tree)
    for mark, where in _RARE.items():
        if mark in data:
            yield from where(tree)
    if b"efresh" in data or b"EFRESH" in data:
        for content in _REFRESH(tree):
            if target := _REFRESH_URL.search(content):
                yield target[1]


def _embedded(tree: Any) -> Iterator[str]:
    yield from _EMBEDS(tree)
    for candidates in _SRCSET(tree):
        for candidate in candidates[:20_000].split(","):
            yield from candidate.split()[:1]
    for style in tree.iter("style"):
        yield from (one or two for one, two in _CSS_URL.findall((style.text or "")[: 1 << 20]))


def _once(raws: Iterator[str], base: str, rules: Rules, hop: Hop) -> list[Link]:
    found: dict[str, Link] = {}
    for raw in dict.fromkeys(raws):
        if raw.startswith("#"):
            continue
        url = resolve(raw, base)
        if url is None:
            continue
        key = canonical(url, rules)
        if key not in found:
            found[key] = Link(url=url, key=key, hop=hop.value)
            if len(found) >= MOST:
                break
    return list(found.values())

