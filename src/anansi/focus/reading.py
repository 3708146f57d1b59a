"""A page's tree → what analysis looks at: its paragraphs with their terms, and its links with where they stand.

A page is read once, in one walk; what is read does not depend on any topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote

import msgspec
from lxml import etree

from anansi.focus.terms import terms

LONGEST: Final = 400_000
"""Characters of a page's text that are read: the longest articles have a third of them; 10 MB cost no more."""
MOST_LINKS: Final = 2_000
"""Links of a page that are scored; the others get the score of the page."""
MEMO: Final = 50_000
"""Anchors and addresses whose terms are remembered, about 300 bytes each."""
DEEPEST: Final = 8
"""Steps of a label, counted from the link upwards."""

_BLOCKS: Final = frozenset(
    """address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table td th tr ul""".split()  # noqa: SIM905 - a word list
)
_UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "title", "option"))
_FRAME: Final = frozenset(("nav", "footer", "header", "aside", "form"))
"""Elements that hold what is not the page's own text, by their names."""
_NODES: Any = etree.XPath("descendant::node()", smart_strings=False)
_STAYS: Final = re.compile(r"[A-Za-z_-]{3,}")


class Block(msgspec.Struct, frozen=True, array_like=True):
    """A paragraph, a cell, an entry of a list … with links in it: the smallest region."""

    terms: tuple[str, ...]
    """Its terms, each once."""
    size: int
    """Its terms, each as often as it stands there."""
    linked: int
    """Those of them that stand in links."""
    main: bool
    """Whether it is text of the page's own: neither its frame nor a list of links."""
    framed: bool = False
    """Whether it stands in the frame of the page: menu, header, footer, margin, form."""


class Reference(msgspec.Struct, frozen=True, array_like=True):
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


class Reading(msgspec.Struct, frozen=True, array_like=True):
    """A page, read."""

    key: str
    title: tuple[str, ...]
    blocks: tuple[Block, ...]
    references: tuple[Reference, ...]
    terms: dict[str, int] = {}
    """All terms of the page, as often as they stand there."""
    own: dict[str, int] = {}
    """Those of its main text."""


Find = Callable[[str], str | None]
"""What a link refers to, as written → the key of the address, None when it leads nowhere."""


def read(tree: Any, key: str, find: Find, language: str = "") -> Reading:
    """Read a page in a language; without one, as English."""
    walk = _Walk(find, language)
    pieces, skipped = walk.pieces, None
    for node in _NODES(tree):
        if type(node) is str:
            if node != skipped:
                pieces.append(node)
            skipped = None
            continue
        tag = node.tag
        if tag in _BLOCKS:
            walk.close()
            walk.element = node
            if walk.length > LONGEST:
                break
        elif tag == "a":
            walk.link(node)
        elif tag in _UNSEEN:
            skipped = node.text
            if tag == "title":
                walk.title = walk.title or (skipped or "")[:500]
    walk.close()
    own = dict(Counter(walk.own))
    every = dict(Counter(walk.own + walk.framing)) if walk.framing else own
    return Reading(key, terms(walk.title, language), tuple(walk.blocks), tuple(walk.references), every, own or every)


class _Walk:
    """Goes through a page. Mutable: what was read so far, and the block that is being read."""

    def __init__(self, find: Find, language: str) -> None:
        self._language = language
        self.blocks: list[Block] = []
        self.references: list[Reference] = []
        self.title, self.length = "", 0
        self.own: list[str] = []
        self.framing: list[str] = []
        self.pieces: list[str] = []
        self.element: Any = None
        self._find = find
        self._waiting: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
        self._paths: dict[Any, tuple[str, bool]] = {}
        self._groups: dict[Any, int] = {}

    def link(self, node: Any) -> None:
        """Take notice of a link."""
        href = node.get("href")
        if not href or len(self.references) + len(self._waiting) >= MOST_LINKS:
            return
        key = self._find(href)
        if key is not None:
            text = (node.text or "") if not len(node) else "".join(node.itertext())
            anchor = short_terms(
                (text if text and not text.isspace() else node.get("title", ""))[:300], self._language
            )
            self._waiting.append((key, anchor, address_terms(key, self._language)))

    def close(self) -> None:
        """End the block that is being read."""
        text = "".join(self.pieces)
        self.pieces.clear()
        self.length += len(text)
        if not self._waiting and (not text or text.isspace()):
            return
        found = terms(text[:LONGEST], self._language)
        path, framed = self._path(self.element) if self.element is not None else ("", False)
        linked = min(sum([len(anchor) for _, anchor, _ in self._waiting]), len(found))
        main = not framed and 2 * linked <= len(found)
        (self.own if main else self.framing).extend(found)
        if self._waiting:
            number, group = len(self.blocks), self._group()
            self.blocks.append(Block(tuple(dict.fromkeys(found)), len(found), linked, main, framed))
            self.references += [Reference(*each, number, group, path) for each in self._waiting]
            self._waiting = []

    def _group(self) -> int:
        """Number what a block's links share with others: its list or table, or the block alone."""
        element = above = self.element
        while above is not None and above.tag not in ("ul", "ol", "dl", "table"):
            above = above.getparent() if above.tag in ("li", "dd", "dt", "td", "th", "tr", "tbody", "p") else None
        return self._groups.setdefault(above if above is not None else element, len(self._groups))

    def _path(self, element: Any) -> tuple[str, bool]:
        """Return the way to an element, and whether it stands in the frame of the page."""
        unknown = []  # pages nest deeper than functions may call themselves
        while element is not None and element not in self._paths:
            unknown.append(element)
            element = element.getparent()
        path, framed = self._paths[element] if element is not None else ("", False)
        for each in reversed(unknown):
            steps = f"{path}/{_step(each)}".split("/")
            path, framed = self._paths[each] = "/".join(steps[-DEEPEST:]), framed or each.tag in _FRAME
        return path, framed


def _step(element: Any) -> str:
    name = element.get("id") or element.get("class") or ""
    stays = _STAYS.search(name[:200]) if name and element.tag != "body" else None
    return f"{element.tag}.{stays[0]}" if stays else str(element.tag)


@lru_cache(MEMO)
def short_terms(text: str, language: str = "") -> tuple[str, ...]:
    """Return the terms of an anchor; most are met again."""
    return terms(text, language)


@lru_cache(MEMO)
def address_terms(key: str, language: str = "") -> tuple[str, ...]:
    """Return the terms of the last part of a path that has any."""
    path, _, query = key.partition("?")
    parts = path.partition("://")[2].split("/")[1:]
    last = next((part for part in reversed(parts) if part), "")
    name = unquote(unquote(last)) if "%" in last else last
    stem, dot, end = name.rpartition(".")
    return terms(f"{stem if dot and len(end) <= 5 else name} {query}"[:300].replace("_", " "), language)
