"""The text of an element as a reader sees it."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Any, Final

BLOCKS: Final = frozenset(
    """address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hr li main nav ol p pre section table td th tr ul""".split()  # noqa: SIM905 - a word list
)
UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "head", "select", "button", "svg"))
DEEPEST: Final = 200
"""Levels below an element that are read; no post nests deeper."""

_BREAK: Final = "\0"  # where a line ends; no tree holds this character
_WRITTEN: Final = re.compile("[\r\n]")


def line(text: str) -> str:
    """Put a text in one line."""
    return " ".join(text.split())


def of(element: Any, without: AbstractSet[Any] = frozenset()) -> str:
    """Return the text of an element in its paragraphs, some elements left out."""
    written = element.tag == "pre"
    if not written and not len(element):
        return line(element.text or "")
    pieces: list[str] = []
    _gather(element, without, pieces, 0, written=written)
    lines = [line(each) for each in "".join(pieces).split(_BREAK)]
    return "\n".join([each for each in lines if each])


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
                _gather(child, without, pieces, depth + 1, written=False)
            elif text := child.text:
                add(text)
            if block:
                add(_BREAK)
        if text := child.tail:
            add(_WRITTEN.sub(_BREAK, text) if written else text)
