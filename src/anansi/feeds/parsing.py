"""Text → a tree: strictly, and where that fails, loosely."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from lxml import etree

from anansi.feeds import loose
from anansi.feeds.decoding import Source
from anansi.markup import ATTRIBUTES

_STRICT: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "recover": False,
    "remove_comments": True,
    "remove_pis": True,
    "collect_ids": False,
}


_ATTRIBUTE: Final = r"""(?:\s++[^\s=<>"']++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))"""
_CROWDED: Final = re.compile(rf"<[^\s<>/!?]++{_ATTRIBUTE}{{{ATTRIBUTES + 1}}}")


class Parsed(NamedTuple):
    """A tree and whether the document was XML."""

    root: Any
    well_formed: bool


def parse(source: Source) -> Parsed:
    """Make the tree of a document."""
    root = strictly(source.text)
    return Parsed(root, True) if root is not None else Parsed(loose.parse(source), False)


def strictly(text: str) -> Any | None:
    """Parse XML without a prolog; None when it is none, or has a tag with more attributes than any person writes."""
    if _CROWDED.search(text):
        return None  # lxml takes 30 s to go through 80,000 of them
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), etree.XMLParser(encoding="utf-8", **_STRICT))
    except (etree.LxmlError, ValueError):
        return None
