"""A page's tree → its regions with their texts, and from these what scoring goes by: terms, and where links stand.

A page is walked once; what is read of it does not depend on any topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, Literal
from urllib.parse import unquote

import msgspec
from lxml import etree

from anansi.focus.settings import SETTINGS
from anansi.state import Block, PageTerms, Reference
from anansi.text import tree as html
from anansi.text.elements import BLOCKS
from anansi.text.terms import terms, terms_of_each

DEFAULT_LANGUAGE: Final = "en"
"""What a page is read as whose language nothing tells."""

_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "title", "option", "svg"))
_FRAME: Final = frozenset(("nav", "footer", "header", "aside", "form"))
"""Elements that hold what is not the page's own text."""
_LISTS: Final = frozenset(("ul", "ol", "dl", "table"))
_IN_LISTS: Final = frozenset(("li", "dd", "dt", "td", "th", "tr", "tbody", "p"))
_LANGUAGE: Any = etree.XPath("string(/html/@lang)", smart_strings=False)
_STAYS: Final = re.compile(r"[A-Za-z_-]{3,}")

Kind = Literal["title", "heading", "main", "frame"]
Find = Callable[[str], str | None]
"""What a link refers to, as written → the key of the address, None when it leads nowhere."""


class Anchor(msgspec.Struct, frozen=True, gc=False):
    """A link as it is written."""

    href: str
    text: str


class Region(msgspec.Struct, frozen=True, gc=False):
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


def regions(tree: Any) -> tuple[Region, ...]:
    """Read the regions of a page, in its order; those without text and links are left out.

    A walk that ends as soon as enough was read: a list of all nodes of a page with a million links takes 300 MB.
    """
    walk = _Walk()
    title = html.title(tree)
    if title:
        walk.found.append(Region("title", "title", title))
    pieces, longest = walk.pieces, SETTINGS.longest_text
    for event, node in islice(etree.iterwalk(tree, events=("start", "end")), SETTINGS.most_steps):
        if event == "end":
            if after := node.tail:
                pieces.append(after)
            continue
        tag = node.tag
        if tag in BLOCKS:
            walk.close()
            walk.element = node
            if walk.length > longest or len(walk.found) >= SETTINGS.most_regions:
                break
        elif tag == "a":
            walk.link(node)
        elif tag == "br":
            pieces.append(" ")
        if (text := node.text) and tag not in _UNSEEN:
            pieces.append(text)
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


def region_terms(found: Iterable[Region], language: str) -> list[list[str]]:
    """Return the terms of each region, in its order."""
    return terms_of_each([each.text for each in found], language or DEFAULT_LANGUAGE)


def page_terms(
    found: Sequence[Region],
    key: str,
    find: Find,
    language: str = "",
    said: Sequence[Sequence[str]] | None = None,
) -> PageTerms:
    """Read the regions of a page as terms of its language, and its links with where they stand.

    `said` has the terms of each region, where somebody read them before (`region_terms`).
    """
    language = language or DEFAULT_LANGUAGE
    mine: list[Sequence[str]] = []
    others: list[Sequence[str]] = []
    blocks: list[Block] = []
    references: list[Reference] = []
    for region, told in zip(found, said if said is not None else region_terms(found, language), strict=True):
        if region.kind == "title":
            continue
        links = _links(region, len(blocks), find, language) if region.anchors else ()
        main = not region.framed and (not links or 2 * sum([len(each.anchor) for each in links]) <= len(told))
        (mine if main else others).append(told)
        if links:
            references += links
            blocks.append(Block(tuple(dict.fromkeys(told)), len(told), main, region.framed))
    counts = Counter(chain.from_iterable(mine))
    every = counts.copy()
    every.update(chain.from_iterable(others))
    first = SETTINGS.most_distinct
    return PageTerms(
        key,
        tuple(blocks),
        tuple(references),
        dict(islice(every.items(), first)),
        dict(islice((counts or every).items(), first)),
    )


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
        self._places: dict[Any, _Place] = {None: _ROOT}
        self._groups: dict[Any, int] = {}

    def link(self, node: Any) -> None:
        """Take notice of a link."""
        href = node.get("href")
        if href and self._links < SETTINGS.most_links:
            self._links += 1
            text = (node.text or "") if not len(node) else _text_within(node)
            line = " ".join(text[: SETTINGS.longest_anchor].split())
            self._anchors.append(Anchor(href, line or node.get("title", "")[: SETTINGS.longest_anchor]))

    def close(self) -> None:
        """End the region that is being read."""
        pieces, anchors = self.pieces, self._anchors
        text = " ".join("".join(pieces)[: SETTINGS.longest_text].split()) if pieces else ""
        pieces.clear()
        if not text and not anchors:
            return
        self.length += len(text)
        place = self._place(self.element)
        kind: Kind = "main"
        if place.framed or (anchors and 2 * sum([len(each.text) for each in anchors]) > len(text)):
            kind = "frame"
        elif self.element is not None and self.element.tag in _HEADINGS:
            kind = "heading"
        if not anchors:
            self.found.append(Region(kind, place.path, text, framed=place.framed))
            return
        self.found.append(Region(kind, place.path, text, tuple(anchors), place.framed, self._group()))
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
            found = places[each] = _step(found, each.tag, each.get("id") or each.get("class") or "")
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """The way to an element, and whether it leads through the frame of the page."""

    path: str = ""
    depth: int = 0
    framed: bool = False


_ROOT: Final = _Place()


@lru_cache(SETTINGS.remembered)
def _step(above: _Place, tag: str, name: str) -> _Place:
    """Go one step on from a place; pages of a site share most of theirs."""
    stays = _STAYS.search(name[:200]) if name and tag not in ("html", "body") else None
    last = f"{tag}.{stays[0]}" if stays else tag
    framed = above.framed or tag in _FRAME
    if above.depth < SETTINGS.deepest:
        return _Place(f"{above.path}/{last}" if above.path else last, above.depth + 1, framed)
    return _Place(f"{above.path.partition('/')[2]}/{last}", above.depth, framed)


def _text_within(element: Any) -> str:
    """Return the text of an element that holds others: of many, no more than the first, for anchors may nest."""
    few = SETTINGS.within_anchor
    inside = list(islice(element.iterdescendants(), few + 1))
    if len(inside) <= few:
        return "".join(element.itertext())
    return " ".join(filter(None, (element.text, *(each.text for each in inside))))


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
