"""The links of any HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from lxml import etree

from anansi.act.shapes import Form, form_of
from anansi.knowledge.addresses import shape_of
from anansi.model import Hop, Link
from anansi.url import Rules, canonical, origin_of, resolve

MOST = 20_000  # links taken from one page; more is a link farm or an attack
MEMO = 20_000  # links remembered, about 400 bytes each

_ANCHORS: Any = etree.XPath("//a/@href", smart_strings=False)
_RARE = ("base", "area", "frame", "iframe", "link", "meta")  # found in one walk: looking for each costs a walk each
_REFRESH_URL = re.compile(r"\burl\s*=\s*['\"]?\s*([^'\"\s>]+)", re.I)
_EMBEDS: Any = etree.XPath(
    "//img/@src | //script/@src | //source/@src | //video/@src | //audio/@src | //video/@poster | //embed/@src"
    " | //object/@data | //input[@type='image']/@src"
    " | //link[contains(@rel, 'stylesheet') or contains(@rel, 'icon')]/@href",
    smart_strings=False,
)
_SRCSET: Any = etree.XPath("//@srcset", smart_strings=False)
_CSS_URL = re.compile(r"""url\(\s*['"]?([^'")\s]+)|@import\s+['"]([^'"]+)""")


class _Memo(NamedTuple):
    """What is known of links as they are written in one place: each, and those of one shape."""

    links: dict[str, Link | None]
    forms: dict[bytes, Form | None]


class LinkFinder:
    """Finds links. A template repeats most of its links on every page, so what a link leads to is remembered.

    Mutable state: `_memos` (place → what is known) and `_size`, their links; all dropped when full. `_based`,
    the latest page and what its links are relative to, `_latest`, what is known of links in the latest place.
    """

    def __init__(self, rules: Rules, *, embeds: bool = False):
        self.rules, self._embeds = rules, embeds
        self._memos: dict[str, _Memo] = {}
        self._size = 0
        self._based: tuple[Any, str, str] = None, "", ""
        self._latest: tuple[str, str, _Memo, _Memo] | None = None

    def links(self, tree: Any, url: str) -> list[Link]:
        """Return the links of a page, each once, in the order they stand in; the rarer kinds after the anchors."""
        rare = list(tree.iter(*_RARE))
        base = base_of(rare, url)
        self._based = tree, url, base
        found = self._once([*_ANCHORS(tree), *_elsewhere(rare)], base, Hop.LINK.value)
        if self._embeds:
            found += self._once(_embedded(tree), base, Hop.EMBED.value)
        return found

    def some(self, tree: Any, raws: list[str], url: str) -> list[Link]:
        """Return the links that some references on a page stand for, each once."""
        return self._once(raws, self.base(tree, url), Hop.LINK.value) if raws else []

    def base(self, tree: Any, url: str) -> str:
        """Return what the links of a page are relative to."""
        if self._based[0] is not tree or self._based[1] != url:
            self._based = tree, url, base_of(tree.iter("base"), url)
        return self._based[2]

    def stylesheet_links(self, text: str, url: str) -> list[Link]:
        """Return what a style sheet needs."""
        raws = (one or two for one, two in _CSS_URL.findall(text[: 1 << 20]))
        return self._once(raws, url, Hop.EMBED.value) if self._embeds else []

    def redirect(self, location: str, url: str) -> Link | None:
        """Return where a redirect leads."""
        return _link(location, url, self.rules, Hop.REDIRECT.value)

    def _once(self, raws: Iterable[str], base: str, hop: str) -> list[Link]:
        # what begins with a slash or a scheme leads to the same place from every page of the origin,
        # everything else but a bare query from every page of the folder
        rooted, relative = self._memos_of(base, hop)
        found: dict[str, Link] = {}
        for raw in dict.fromkeys(raws):
            memo = rooted if raw[:1] == "/" or raw[:7] == "http://" or raw[:8] == "https://" else relative
            link = memo.links.get(raw, _UNKNOWN)
            if link is _UNKNOWN:
                link = self._find(raw, base, hop, memo)
            if link is not None:
                found[link.key] = link
        return list(found.values()) if len(found) <= MOST else list(found.values())[:MOST]

    def resolved(self, raw: str, base: str) -> str | None:
        """Return the address that a link on a page leads to; most were met when the page's links were looked for."""
        rooted, relative = self._memos_of(base, Hop.LINK.value)
        link = (rooted if raw[:1] == "/" or raw[:4] == "http" else relative).links.get(raw, _UNKNOWN)
        if link is _UNKNOWN:
            return resolve(raw, base)
        return link.url if link is not None else None

    def _memos_of(self, base: str, hop: str) -> tuple[_Memo, _Memo]:
        if self._size >= MEMO:
            self._memos.clear()
            self._latest, self._size = None, 0
        latest = self._latest
        if latest is None or latest[0] != base or latest[1] != hop:
            memo = self._memos.setdefault
            rooted, relative = memo(hop + origin_of(base), _Memo({}, {})), memo(hop + _folder(base), _Memo({}, {}))
            latest = self._latest = base, hop, rooted, relative
        return latest[2], latest[3]

    def _find(self, raw: str, base: str, hop: str, memo: _Memo) -> Link | None:
        if raw[:1] == "#":
            return None
        shape = shape_of(raw)
        form = memo.forms.get(shape)
        link = _link(raw, base, self.rules, hop) if form is None else Link(*form.filled(raw), hop)
        if raw and raw[0] != "?":
            memo.links[raw] = link
            self._size += 1
            if b"0" in shape and shape not in memo.forms and link is not None and not self.rules.rewrites:
                memo.forms[shape] = form_of(raw, link.url, link.key)
        return link


_UNKNOWN = Link("", "")


def base_of(elements: Iterable[Any], url: str) -> str:
    """Return what the links of a page are relative to."""
    bases = (each.get("href") for each in elements if each.tag == "base")
    return next((resolve(raw, url) or url for raw in bases if raw is not None), url)


def _folder(url: str) -> str:
    head = url.partition("?")[0]
    return head[: head.rfind("/") + 1]


def _link(raw: str, base: str, rules: Rules, hop: str) -> Link | None:
    url = resolve(raw, base)
    return Link(url=url, key=canonical(url, rules), hop=hop) if url is not None else None


def _elsewhere(rare: list[Any]) -> Iterator[str]:
    """Yield the links that do not stand in anchors."""
    for element in rare:
        if element.tag in ("frame", "iframe"):
            yield element.get("src", "#")
        elif element.tag == "area" or (element.tag == "link" and element.get("rel", "").lower() in ("next", "prev")):
            yield element.get("href", "#")
        elif element.tag == "meta" and element.get("http-equiv", "").lower() == "refresh":
            yield from _REFRESH_URL.findall(element.get("content", ""))[:1]


def _embedded(tree: Any) -> Iterator[str]:
    yield from _EMBEDS(tree)
    for candidates in _SRCSET(tree):
        for candidate in candidates[:20_000].split(","):
            yield from candidate.split()[:1]
    for style in tree.iter("style"):
        yield from (one or two for one, two in _CSS_URL.findall((style.text or "")[: 1 << 20]))
