"""The items of a feed, as far as extraction needs them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from lxml import etree

MOST_ITEMS: Final = 10_000
"""Items of a feed that are read."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed."""

    title: str
    description: str
    """With its markup; cut, in most feeds."""
    link: str = ""
    content: str = ""
    """The whole text with its markup, where the feed has it."""
    language: str = ""
    published: str = ""
    """As the feed writes it."""
    comments: str = ""
    """The address of the feed of its comments."""


def items_of(data: bytes) -> list[Item]:
    """Read RSS, RDF or Atom; what is no XML at all has no items."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return []
    if root is None:
        return []
    found = list(islice(root.iter("{*}item", "{*}entry"), MOST_ITEMS))
    return [_item(each, _language(root)) for each in found]


def _item(element: Any, language: str) -> Item:
    content = _text(element, "encoded") or _text(element, "content")
    return Item(
        title=_text(element, "title"),
        description=_text(element, "description") or _text(element, "summary") or content,
        link=_link(element),
        content=content,
        language=element.get("{http://www.w3.org/XML/1998/namespace}lang") or language,
        published=_text(element, "pubDate") or _text(element, "published") or _text(element, "date"),
        comments=_text(element, "commentRss"),
    )


def _text(element: Any, name: str) -> str:
    found = element.find(f"{{*}}{name}")
    if found is None:
        return ""
    if found.get("type") == "xhtml" and len(found):
        return str(etree.tostring(found[0], encoding="unicode", method="html"))
    return "".join(found.itertext()).strip()


def _link(element: Any) -> str:
    for link in element.iterfind("{*}link"):
        if link.text and link.text.strip():
            return str(link.text.strip())
        if link.get("href") and link.get("rel", "alternate") == "alternate":
            return str(link.get("href"))
    return ""


def _language(root: Any) -> str:
    said = root.get("{http://www.w3.org/XML/1998/namespace}lang") or root.findtext("{*}channel/{*}language")
    return (said or "").strip()
