"""What stands inside the text of an object: where it leads, its images and media, and what is none of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from anansi.model import Value
from anansi.text.elements import image_address, is_furniture
from anansi.text.visible import Cut

MOST: Final = 200
"""References of an object, and as many images and media."""

NAMES: Final = {"a": "reference", "img": "image"}
"""What elements give; all others are media."""

_NAMED: Any = etree.XPath("descendant::*[@class or @id]", smart_strings=False)
_TELLING: Any = etree.XPath(
    "descendant::a[@href]|descendant::img|descendant::iframe[@src]|descendant::video[@src]|descendant::audio[@src]"
    "|descendant::source[@src]|descendant::embed[@src]|descendant::object[@data]",
    smart_strings=False,
)


def furniture(node: Any) -> set[Any]:
    """Return the parts of a text that are of the template, by their names."""
    return {each for each in _NAMED(node) if is_furniture(each)}


def values(node: Any, cut: Cut, resolve: Any, base: str) -> Iterator[tuple[str, Value]]:
    """Go through where a text leads and what it shows: names of properties, with addresses."""
    page = base.partition("#")[0]
    for element in _TELLING(node):
        raw = address(element)
        link = resolve(raw, base) if raw else None
        if link is None or (link == page and element.tag == "a") or (cut.elements and _inside(element, cut)):
            continue
        yield NAMES.get(element.tag, "media"), Value(link, "link")


def address(element: Any) -> str:
    """Return the address that an element names."""
    if element.tag == "img":
        return image_address(element)
    return (element.get("href") or element.get("src") or element.get("data") or "").strip()


def _inside(element: Any, cut: Cut) -> bool:
    return element in cut.elements or any(above in cut.elements for above in element.iterancestors())
