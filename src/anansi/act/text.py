"""The text of an element as a reader sees it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

BLOCKS: Final = frozenset(
    """address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hr li main nav ol p pre section table td th tr ul""".split()  # noqa: SIM905 - a word list
)
UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "head", "select", "button", "svg"))
DEEPEST: Final = 200
"""Levels below an element that are read; no post nests deeper."""


def line(text: str) -> str:
    """Put a text in one line."""
    return " ".join(text.split())


def of(element: Any, without: AbstractSet[Any] = frozenset()) -> str:
    """Return the text of an element in its paragraphs, some elements left out."""
    pieces: list[str] = []
    _gather(element, without, pieces, _Where(written=element.tag == "pre"))
    lines = (line(each) for each in "".join(pieces).split("\n"))
    return "\n".join(each for each in lines if each)


class _Where(NamedTuple):
    """Where a text stands."""

    depth: int = 0
    written: bool = False
    """Whether lines are broken as they are written."""


def _gather(element: Any, without: AbstractSet[Any], pieces: list[str], where: _Where) -> None:
    if element.text:
        pieces.append(_flat(element.text, where))
    for child in element:
        tag = child.tag
        if tag == "br":
            pieces.append("\n")
        elif isinstance(tag, str) and tag not in UNSEEN and child not in without and where.depth < DEEPEST:
            edge = "\n" if tag in BLOCKS else ""
            pieces.append(edge)
            _gather(child, without, pieces, _Where(where.depth + 1, where.written or tag == "pre"))
            pieces.append(edge)
        if child.tail:
            pieces.append(_flat(child.tail, where))


def _flat(text: str, where: _Where) -> str:
    return text.replace("\r", "\n") if where.written else text.replace("\n", " ")
