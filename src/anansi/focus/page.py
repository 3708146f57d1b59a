"""A page's tree → its regions with their texts, and from these what scoring goes by: terms, and where links stand.

A page is walked once; what is read of it does not depend on any topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal
from urllib.parse import unquote

import msgspec
from lxml import etree

from anansi.focus.settings import SETTINGS
from anansi.text.elements import BLOCKS
from anansi.text.terms import terms

DEFAULT_LANGUAGE: Final = "en"
"""What a page is read as whose language nothing tells."""

_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "title", "option", "svg"))
_FRAME: Final = frozenset(("nav", "footer", "header", "aside", "form"))
"""Elements that hold what is not the page's own text."""
_LISTS: Final = frozenset(("ul", "ol", "dl", "table"))
_IN_LISTS: Final = frozenset(("li", "dd", "dt", "td", "th", "tr", "tbody", "p"))
_NODES: Any = etree.XPath("descendant-or-self::node()", smart_strings=False)
_TITLE: Any = etree.XPath("string(descendant::title[not(ancestor::svg)])", smart_strings=False)
_LANGUAGE: Any = etree.XPath("string(/html/@lang)", smart_strings=False)
_STAYS: Final = re.compile(r"[A-Za-z_-]{3,}")

Kind = Literal["title", "heading", "main", "frame"]
Find = Callable[[str], str | None]
"""What a link refers to, as written → the key of the address, None when it leads nowhere."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as it is written."""

    href: str
    text: str


@dataclass(frozen=True, slots=True)
class Region:
    """A paragraph, a heading, a cell, an entry of a list …"""

    kind: Kind
    place: str
    """The way to it, in tags and classes."""
    text: str
    """In one line."""
    anchors: tuple[Anchor, ...] = ()
    framed: bool = False
    """Whether it stands in the frame of the page: menu, header, footer, margin, form."""
    group: int = 0
    """Number of the list, table or paragraph whose links stand together."""


class Block(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A region with links in it, as terms."""

    terms: tuple[str, ...]
    """Its terms, each once."""
    size: int
    """Its terms, each as often as it stands there."""
    main: bool
    """Whether it is text of the page's own: neither its frame nor a list of links."""
    framed: bool = False


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link as it stands on a page."""

    key: str
    anchor: tuple[str, ...]
    address: tuple[str, ...]
    """Terms of the last part of its path."""
    block: int
    """Number of the block it stands in."""
    group: int
    """Number of the list, table or paragraph that it shares with other links."""
    label: str
    """The way from the root to it, in tags and classes."""


class PageTerms(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A page as scoring sees it."""

    key: str
    blocks: tuple[Block, ...] = ()
    references: tuple[Reference, ...] = ()
    terms: dict[str, int] = {}
    """All terms of the page, as often as they stand there."""
    own: dict[str, int] = {}
    """Those of its main text."""


def regions(tree: Any) -> tuple[Region, ...]:
    """Read the regions of a page, in its order; those without text and links are left out."""
    walk = _Walk()
    title = " ".join(str(_TITLE(tree))[:500].split())
    if title:
        walk.found.append(Region("title", "title", title))
    pieces, hidden = walk.pieces, None
    for node in _NODES(tree):
        if type(node) is str:
            if hidden is None or node != hidden:
                pieces.append(node)
            hidden = None
            continue
        tag = node.tag
        hidden = node.text if tag in _UNSEEN else None
        if tag in BLOCKS:
            walk.close()
            walk.element = node
            if walk.length > SETTINGS.longest_text:
                break
        elif tag == "a":
            walk.link(node)
        elif tag == "br":
            pieces.append(" ")
    walk.close()
    return tuple(walk.found)


def own(found: Iterable[Region]) -> list[Region]:
    """Return what a page says itself: its title, headings and paragraphs; all of it where that is nothing."""
    every = list(found)
    mine = [each for each in every if each.kind != "frame"]
    return mine if any(each.kind == "main" for each in mine) else every


def text_of(found: Iterable[Region]) -> str:
    """Return the text of regions, a line each."""
    return "\n".join([each.text for each in found])[: SETTINGS.longest_text]


def declared(tree: Any) -> str:
    """Return the language that a page says it is in."""
    return str(_LANGUAGE(tree))[:20]


def page_terms(found: Iterable[Region], key: str, find: Find, language: str = "") -> PageTerms:
    """Read the regions of a page as terms of its language, and its links with where they stand."""
    language = language or DEFAULT_LANGUAGE
    mine: list[Sequence[str]] = []
    others: list[Sequence[str]] = []
    blocks: list[Block] = []
    references: list[Reference] = []
    for region in found:
        if region.kind == "title":
            continue
        said = terms(region.text, language)
        links = _links(region, len(blocks), find, language) if region.anchors else ()
        main = not region.framed and 2 * sum([len(each.anchor) for each in links]) <= len(said)
        (mine if main else others).append(said)
        if links:
            references += links
            blocks.append(Block(tuple(dict.fromkeys(said)), len(said), main, region.framed))
    counts = dict(Counter(chain.from_iterable(mine)))
    every = dict(Counter(chain.from_iterable((*mine, *others)))) if others else counts
    return PageTerms(key, tuple(blocks), tuple(references), every, counts or every)


def _links(region: Region, block: int, find: Find, language: str) -> list[Reference]:
    group, place = region.group, region.place
    return [
        Reference(key, short_terms(each.text, language), address_terms(key, language), block, group, place)
        for each in region.anchors
        if (key := find(each.href)) is not None
    ]


class _Walk:
    """Goes through a page. Mutable: what was read so far, and the region that is being read."""

    def __init__(self) -> None:
        self.found: list[Region] = []
        self.pieces: list[str] = []
        self.element: Any = None
        self.length = self._links = 0
        self._anchors: list[Anchor] = []
        self._places: dict[Any, _Place] = {None: _Place("", 0, False)}
        self._groups: dict[Any, int] = {}

    def link(self, node: Any) -> None:
        """Take notice of a link."""
        href = node.get("href")
        if href and self._links < SETTINGS.most_links:
            self._links += 1
            text = (node.text or "") if not len(node) else "".join(node.itertext())
            line = " ".join(text[: SETTINGS.longest_anchor].split())
            self._anchors.append(Anchor(href, line or node.get("title", "")[: SETTINGS.longest_anchor]))

    def close(self) -> None:
        """End the region that is being read."""
        pieces, anchors = self.pieces, self._anchors
        text = " ".join("".join(pieces)[: SETTINGS.longest_text].split())
        pieces.clear()
        if not text and not anchors:
            return
        self.length += len(text)
        place = self._place(self.element)
        framed = place.framed
        kind: Kind = "main"
        if framed or (anchors and 2 * sum([len(each.text) for each in anchors]) > len(text)):
            kind = "frame"
        elif self.element is not None and self.element.tag in _HEADINGS:
            kind = "heading"
        group = self._group() if anchors else 0
        self.found.append(Region(kind, place.path, text, tuple(anchors), framed, group))
        anchors.clear()

    def _group(self) -> int:
        """Number what the links of a region share with others: its list or table, or the region alone."""
        element = above = self.element
        while above is not None and above.tag not in _LISTS:
            above = above.getparent() if above.tag in _IN_LISTS else None
        return self._groups.setdefault(above if above is not None else element, len(self._groups))

    def _place(self, element: Any) -> _Place:
        """Return the way to an element."""
        places, unknown = self._places, []  # pages nest deeper than functions may call themselves
        while element not in places:
            unknown.append(element)
            element = element.getparent()
        found = places[element]
        for each in reversed(unknown):
            found = places[each] = found.step(each)
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """The way to an element, and whether it leads through the frame of the page."""

    path: str
    depth: int
    framed: bool

    def step(self, element: Any) -> _Place:
        tag = element.tag
        last = _named(tag, element.get("id") or element.get("class") or "")
        if self.depth < SETTINGS.deepest:
            path, depth = (f"{self.path}/{last}" if self.path else last), self.depth + 1
        else:
            path, depth = f"{self.path.partition('/')[2]}/{last}", self.depth
        return _Place(path, depth, self.framed or tag in _FRAME)


@lru_cache(SETTINGS.remembered)
def _named(tag: str, name: str) -> str:
    """Name an element by its tag and the part of its id or class that other pages share."""
    stays = _STAYS.search(name[:200]) if name and tag not in ("html", "body") else None
    return f"{tag}.{stays[0]}" if stays else str(tag)


@lru_cache(SETTINGS.remembered)
def short_terms(text: str, language: str) -> tuple[str, ...]:
    """Return the terms of an anchor; most are met again."""
    return tuple(terms(text, language))


@lru_cache(SETTINGS.remembered)
def address_terms(key: str, language: str = DEFAULT_LANGUAGE) -> tuple[str, ...]:
    """Return the terms of the last part of a path that has any."""
    path, _, query = key.partition("?")
    parts = path.partition("://")[2].split("/")[1:]
    last = next((part for part in reversed(parts) if part), "")
    name = unquote(unquote(last)) if "%" in last else last
    stem, dot, end = name.rpartition(".")
    return tuple(terms(f"{stem if dot and len(end) <= 5 else name} {query}"[:300].replace("_", " "), language))
