"""A page's tree → its regions with their texts, as they stand there: the title, its own paragraphs, and its frame.

What scoring goes by is read in `reading`, as terms; who shows words, finds names or tells languages needs texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from lxml import etree

LONGEST: Final = 400_000
"""Characters of a page's text that are read; a page of 10 MB costs no more."""
MOST_LINKS: Final = 2_000
"""Links of a page that are read."""
DEEPEST: Final = 5
"""Steps of a place, counted from the region upwards."""

_BLOCKS: Final = frozenset(
    """address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table td th tr ul""".split()  # noqa: SIM905 - a word list
)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "title", "option", "svg"))
_FRAME: Final = frozenset(("nav", "footer", "header", "aside", "form"))
_NODES: Any = etree.XPath("descendant-or-self::node()", smart_strings=False)
_TITLE: Any = etree.XPath("string(descendant::title[not(ancestor::svg)])", smart_strings=False)
_LANGUAGE: Any = etree.XPath("string(/html/@lang)", smart_strings=False)

Kind = Literal["title", "heading", "main", "frame"]


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


def regions(tree: Any) -> tuple[Region, ...]:
    """Read the regions of a page, in its order; those without text and links are left out."""
    walk = _Walk()
    title = " ".join(str(_TITLE(tree))[:500].split())
    if title:
        walk.found.append(Region("title", "title", title))
    hidden = None
    for node in _NODES(tree):
        if type(node) is str:
            if hidden is None or not _is_text_of(node, hidden):
                walk.pieces.append(node)
            hidden = None
            continue
        hidden = node if node.tag in _UNSEEN else None
        if node.tag in _BLOCKS:
            walk.close()
            walk.element = node
            if walk.length > LONGEST:
                break
        elif node.tag == "a":
            walk.link(node)
        elif node.tag == "br":
            walk.pieces.append(" ")
    walk.close()
    return tuple(walk.found)


def own(found: Iterable[Region]) -> list[Region]:
    """Return what a page says itself: its title, headings and paragraphs; all of it where that is nothing."""
    every = list(found)
    mine = [each for each in every if each.kind != "frame"]
    return mine if any(each.kind == "main" for each in mine) else every


def text_of(found: Iterable[Region]) -> str:
    """Return the text of regions, a line each."""
    return "\n".join([each.text for each in found])[:LONGEST]


def declared(tree: Any) -> str:
    """Return the language that a page says it is in."""
    return str(_LANGUAGE(tree))[:20]


def _is_text_of(text: str, element: Any) -> bool:
    return bool(text == element.text)


class _Walk:
    """Goes through a page. Mutable: what was read so far, and the region that is being read."""

    def __init__(self) -> None:
        self.found: list[Region] = []
        self.pieces: list[str] = []
        self.element: Any = None
        self.length = self._links = 0
        self._anchors: list[Anchor] = []
        self._places: dict[Any, tuple[str, bool]] = {}

    def link(self, node: Any) -> None:
        """Take notice of a link."""
        href = node.get("href")
        if href and self._links < MOST_LINKS:
            self._links += 1
            text = " ".join("".join(node.itertext())[:300].split())
            self._anchors.append(Anchor(href, text or node.get("title", "")[:300]))

    def close(self) -> None:
        """End the region that is being read."""
        text = " ".join("".join(self.pieces)[:LONGEST].split())
        self.pieces.clear()
        self.length += len(text)
        if text or self._anchors:
            place, framed = self._place(self.element) if self.element is not None else ("", False)
            self.found.append(Region(self._kind(text, framed=framed), place, text, tuple(self._anchors)))
            self._anchors.clear()

    def _kind(self, text: str, *, framed: bool) -> Kind:
        if framed or 2 * sum(len(each.text) for each in self._anchors) > len(text):
            return "frame"
        return "heading" if self.element is not None and self.element.tag in _HEADINGS else "main"

    def _place(self, element: Any) -> tuple[str, bool]:
        """Return the way to an element, and whether it stands in the frame of the page."""
        ahead = []
        while element is not None and element not in self._places:
            ahead.append(element)
            element = element.getparent()
        found = self._places.get(element, ("", False))
        for each in reversed(ahead):
            steps = [*found[0].split("/"), _step(each)] if found[0] else [_step(each)]
            found = self._places[each] = "/".join(steps[-DEEPEST:]), found[1] or each.tag in _FRAME
        return found


def _step(element: Any) -> str:
    name = (element.get("id") or element.get("class") or "").split()
    return f"{element.tag}.{name[0][:40]}" if name and element.tag not in ("html", "body") else str(element.tag)
