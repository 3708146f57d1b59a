"""A page's tree → what analysis looks at: its paragraphs with their terms, and its links with where they stand.

A page is read once, in one walk; what is read does not depend on any topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from lxml import etree

from anansi.focus.terms import terms

LONGEST: Final = 400_000
"""Characters of a page's text that are read: the longest articles have a third of them; 10 MB cost no more."""
MOST_LINKS: Final = 2_000
"""Links of a page that are scored; the others get the score of the page."""
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


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a cell, an entry of a list …: the smallest region."""

    terms: dict[str, int]
    size: int
    """Terms, each as often as it stands there."""
    linked: int
    """Those of them that stand in links."""
    main: bool
    """Whether it is text of the page's own, and not its frame."""


@dataclass(frozen=True, slots=True)
class Reference:
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


@dataclass(frozen=True, slots=True)
class Reading:
    """A page, read."""

    key: str
    title: tuple[str, ...]
    blocks: tuple[Block, ...]
    references: tuple[Reference, ...]
    terms: dict[str, int] = field(default_factory=dict)
    """All terms of the page, as often as they stand there."""
    own: dict[str, int] = field(default_factory=dict)
    """Those of its main text."""


Find = Callable[[str], str | None]
"""What a link refers to, as written → the key of the address, None when it leads nowhere."""


def read(tree: Any, key: str, find: Find) -> Reading:
    """Read a page."""
    walk = _Walk(find)
    for node in _NODES(tree):
        if type(node) is str:
            walk.text(node)
        else:
            walk.element(node)
        if walk.length > LONGEST:
            break
    walk.close()
    every: Counter[str] = Counter()
    own: Counter[str] = Counter()
    for block in walk.blocks:
        every.update(block.terms)
        if block.main:
            own.update(block.terms)
    title = tuple(terms(walk.title))
    return Reading(key, title, tuple(walk.blocks), tuple(walk.references), dict(every), dict(own or every))


class _Walk:
    """Goes through a page. Mutable: what was read so far, and the block that is being read."""

    def __init__(self, find: Find) -> None:
        self.blocks: list[Block] = []
        self.references: list[Reference] = []
        self.title, self.length = "", 0
        self._find = find
        self._pieces: list[str] = []
        self._linked = 0
        self._element: Any = None
        self._skipped: str | None = None
        self._paths: dict[Any, tuple[str, bool]] = {}
        self._groups: dict[Any, int] = {}
        self._waiting: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []

    def text(self, text: str) -> None:
        if self._skipped is not None and text == self._skipped:
            self._skipped = None
            return
        self._pieces.append(text)
        self.length += len(text)

    def element(self, node: Any) -> None:
        tag = node.tag
        if tag == "a":
            if (href := node.get("href")) and len(self.references) < MOST_LINKS:
                self._link(node, href)
        elif tag in _BLOCKS:
            self.close()
            self._element = node
        elif tag in _UNSEEN:
            self._skipped = node.text
            if tag == "title" and not self.title:
                self.title = (node.text or "")[:500]

    def _link(self, node: Any, href: str) -> None:
        key = self._find(href)
        if key is None:
            return
        anchor = terms("".join(node.itertext())[:500] or node.get("title", "")[:500])
        self._linked += len(anchor)
        self._waiting.append((key, tuple(anchor), tuple(address_terms(key))))

    def close(self) -> None:
        """End the block that is being read."""
        found = terms("".join(self._pieces)) if self._pieces else []
        self._pieces = []
        if not found and not self._waiting:
            return
        path, framed = self._path(self._element) if self._element is not None else ("", False)
        linked = min(self._linked, len(found))
        main = not framed and (2 * linked <= len(found))
        number = len(self.blocks)
        self.blocks.append(Block(dict(Counter(found)), len(found), linked, main))
        if self._waiting:
            group = self._group()
            self.references += [Reference(*each, number, group, path) for each in self._waiting]
            self._waiting = []
        self._linked = 0

    def _group(self) -> int:
        """Number what a block's links share with others: its list or table, or the block alone."""
        element = above = self._element
        while above is not None and above.tag not in ("ul", "ol", "dl", "table"):
            above = above.getparent() if above.tag in ("li", "dd", "dt", "td", "th", "tr", "tbody", "p") else None
        return self._groups.setdefault(above if above is not None else element, len(self._groups))

    def _path(self, element: Any) -> tuple[str, bool]:
        """Return the way to an element, and whether it stands in the frame of the page."""
        known = self._paths.get(element)
        if known is None:
            above = element.getparent()
            path, framed = self._path(above) if above is not None else ("", False)
            steps = f"{path}/{_step(element)}".split("/")
            known = self._paths[element] = "/".join(steps[-DEEPEST:]), framed or element.tag in _FRAME
        return known


def _step(element: Any) -> str:
    name = element.get("id") or element.get("class") or ""
    stays = _STAYS.search(name[:200]) if name and element.tag != "body" else None
    return f"{element.tag}.{stays[0]}" if stays else str(element.tag)


def address_terms(key: str) -> list[str]:
    """Return the terms of the last part of a path that has any."""
    path, _, query = key.partition("?")
    parts = path.partition("://")[2].split("/")[1:]
    last = next((part for part in reversed(parts) if part), "")
    name = unquote(unquote(last)) if "%" in last else last
    stem, dot, end = name.rpartition(".")
    return terms(f"{stem if dot and len(end) <= 5 else name} {query}"[:300].replace("_", " "))
