"""The text of an element as a reader sees it."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from anansi.text.elements import BLOCKS

UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "head", "select", "button", "svg"))
PLAIN: Final = frozenset(
    """a abbr acronym b bdi bdo big cite code del dfn em font i img input ins kbd label mark q s samp small span
    strike strong sub sup time tt u var wbr""".split()  # noqa: SIM905 - a word list
)
"""Elements that stand in a line and leave their text as it is; what holds no others is read at once."""
DEEPEST: Final = 200
"""Levels below an element that are read; no post nests deeper."""
SHALLOW: Final = 2
"""Levels at which a block may be read at once: trying costs a walk through all that stands in it."""

_BREAK: Final = "\0"  # where a line ends; no tree holds this character
_WRITTEN: Final = re.compile("[\r\n]")
_BELOW: Any = etree.XPath("descendant::node()", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left out of the texts of a page."""

    elements: AbstractSet[Any] = frozenset()
    around: AbstractSet[Any] = frozenset()
    """The elements around those: the texts of all others are whole."""

    @classmethod
    def of(cls, elements: set[Any]) -> Cut:
        """Leave out some elements."""
        around: set[Any] = set()
        for each in elements:
            above = each.getparent()
            while above is not None and above not in around:
                around.add(above)
                above = above.getparent()
        return cls(elements, around)


def line(text: str) -> str:
    """Put a text in one line."""
    return " ".join(text.split())


def of(element: Any, without: AbstractSet[Any] = frozenset()) -> str:
    """Return the text of an element in its paragraphs, some elements left out."""
    written = element.tag == "pre"
    if not written and not len(element):
        return line(element.text or "")
    pieces: list[str] = []
    if written or element[0].tag in BLOCKS or not _in_line(element, without, pieces, 0):
        _gather(element, without, pieces, 0, written=written)
    text = "".join(pieces)
    if _BREAK not in text:
        return line(text)
    return "\n".join([each for each in map(line, text.split(_BREAK)) if each])


def _in_line(element: Any, without: AbstractSet[Any], pieces: list[str], depth: int) -> bool:
    """Take the pieces of a text that only line breaks divide; where there is more to it, say so."""
    below = _BELOW(element)
    if depth + len(below) > DEEPEST:
        return False
    start = len(pieces)
    for node in below:
        if type(node) is str:
            pieces.append(node)
        elif node.tag == "br":
            pieces.append(_BREAK)
        elif node.tag not in PLAIN or node in without:
            del pieces[start:]
            return False
    return True


def _gather(element: Any, without: AbstractSet[Any], pieces: list[str], depth: int, *, written: bool) -> None:
    """Take the pieces of a text; where it is written so, lines are broken as they are written."""
    add = pieces.append
    if text := element.text:
        add(_WRITTEN.sub(_BREAK, text) if written else text)
    for child in element:
        tag = child.tag
        if tag == "br":
            add(_BREAK)
        elif isinstance(tag, str) and tag not in UNSEEN and child not in without and depth < DEEPEST:
            block = tag in BLOCKS
            if block:
                add(_BREAK)
            if written or tag == "pre":
                _gather(child, without, pieces, depth + 1, written=True)
            elif len(child):
                if not (block and depth < SHALLOW and _in_line(child, without, pieces, depth + 1)):
                    _gather(child, without, pieces, depth + 1, written=False)
            elif text := child.text:
                add(text)
            if block:
                add(_BREAK)
        if text := child.tail:
            add(_WRITTEN.sub(_BREAK, text) if written else text)
