"""Which item of a feed is about a page, and what a page without one says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from lxml import etree

from anansi.feeds.context import Context, context_of
from anansi.feeds.items import Item
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import SIZES, find

MOST_TRIED: Final = 500
"""Items that are held against a page which none of them links to."""

_LANGUAGE: Any = etree.XPath("string(/html/@lang)", smart_strings=False)
_TITLE: Any = etree.XPath("string((//meta[@property='og:title']/@content | //title)[last()])", smart_strings=False)
_ABOUT: Any = etree.XPath(
    "string((//meta[@property='og:description' or @name='description']/@content)[last()])", smart_strings=False
)


def context_of_item(item: Item, lines: Lines) -> Context:
    """Return what an item says of its object; the page tells the language where the feed does not."""
    return context_of(item.title, item.description, language=item.language or _said(_LANGUAGE, lines))


def own_context(lines: Lines) -> Context:
    """Return what a page says of itself in its head."""
    return context_of(_said(_TITLE, lines), _said(_ABOUT, lines), language=_said(_LANGUAGE, lines))


def item_about(items: Iterable[Item], url: str, lines: Lines, *, key: Callable[[str], str]) -> Item | None:
    """Return the item that links to a page; where none does, the first whose words stand there in sequence."""
    every = list(items)
    here = key(url)
    for item in every:
        if item.link and key(item.link) == here:
            return item
    for item in every[:MOST_TRIED]:
        match = find(lines, context_of_item(item, lines))
        if match is not None and match.begins and match.size == SIZES[0]:
            return item
    return None


def _said(search: Any, lines: Lines) -> str:
    return str(search(lines.root)) if lines.root is not None else ""
