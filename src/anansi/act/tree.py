"""A page's bytes → its tree."""

from __future__ import annotations

from typing import Any

from lxml import etree


_TEXT = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)


def parse(data: bytes, charset: str) -> Any | None:
    """Parse HTML; None when nothing of it can be parsed."""
    if not data:
        return None
    # no network, and no `huge_tree`: libxml2's own limits on depth and size hold against hostile nesting
    parser = etree.HTMLParser(encoding=charset, no_network=True, remove_comments=True, remove_pis=True, collect_ids=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.LxmlError, LookupError, ValueError, AssertionError):
        return None


def title(tree: Any) -> str:
    """Return the page's title in one line."""
    found = next(tree.iter("title"), None)
    return " ".join("".join(found.itertext()).split())[:500] if found is not None else ""


def text(tree: Any) -> str:
    """Return the page's text with its line breaks, scripts and styles left out."""
    return "\n".join(_TEXT(tree))
