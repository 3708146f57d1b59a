"""What a page says of itself in JSON-LD, as a tree that expressions can be about.

    <ld>
      <Article type="NewsArticle">        one element a thing, named by its type; all kinds of articles are `Article`
        <headline>Rain at last</headline>
        <author><Person><name>Hal</name></Person></author>

Things in `@graph` stand beside the others, lists become elements of one name, and a thing that is only named by its
`@id` is filled in from where it is described. What is not JSON says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any, Final

from lxml import etree

from anansi.text.page_model import PageModel

LONGEST: Final = 1 << 19
"""Characters of one script that are read."""
MOST: Final = 2000
"""Elements of the tree."""
DEEPEST: Final = 12
"""Things within things."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_ARTICLE: Final = re.compile(r"(?:Article|BlogPosting|Report)$")
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def linked(page: PageModel) -> Any:
    """Read the scripts of a page."""
    root = etree.Element("document")
    things = [thing for script in _scripts(page) for thing in _things(script)]
    named = {thing["@id"]: thing for thing in things if isinstance(thing.get("@id"), str) and len(thing) > 1}
    writer = _Writer(named)
    parent = etree.SubElement(root, "ld")
    for thing in things:
        writer.write(parent, thing, 0)
    return root


def _scripts(page: PageModel) -> Iterator[Any]:
    for script in page.of("script"):
        if script.get("type", "").strip().lower() == "application/ld+json" and script.text:
            try:
                yield json.loads(script.text[:LONGEST], strict=False)
            except (ValueError, RecursionError):
                continue


def _things(said: Any) -> Iterator[dict[str, Any]]:
    """Go through the things that a script is about."""
    for each in said if isinstance(said, list) else [said]:
        if isinstance(each, dict) and isinstance(each.get("@graph"), list):
            yield from (thing for thing in each["@graph"] if isinstance(thing, dict))
        elif isinstance(each, dict):
            yield each


class _Writer:
    """Writes things as elements. Mutable state: `_left`, how many more may be written."""

    def __init__(self, named: dict[str, dict[str, Any]]):
        self._named = named
        self._left = MOST

    def write(self, parent: Any, value: Any, depth: int) -> None:
        """Write a value below an element."""
        if isinstance(value, dict):
            self._thing(parent, value, depth)
        elif isinstance(value, str | int | float):
            text = "true" if value is True else str(value)
            parent.text = (parent.text or "") + _NOT_XML.sub("", unescape(text))

    def _thing(self, parent: Any, thing: dict[str, Any], depth: int) -> None:
        if set(thing) == {"@id"} and isinstance(thing["@id"], str):
            thing = self._named.get(thing["@id"], thing)
        if depth > DEEPEST or self._left <= 0:
            return
        self._left -= 1
        kind = _kind(thing.get("@type"))
        element = etree.SubElement(parent, "Article" if _ARTICLE.search(kind) else kind, {"type": kind})
        for name, value in thing.items():
            if name.startswith("@") or _NAME.fullmatch(name) is None:
                continue
            for each in value if isinstance(value, list) else [value]:
                if self._left <= 0:
                    return
                self._left -= 1
                self.write(etree.SubElement(element, name), each, depth + 1)


def _kind(said: Any) -> str:
    """Return the name of a type without its vocabulary."""
    first = next((each for each in said if isinstance(each, str)), "") if isinstance(said, list) else said
    name = re.split(r"[/#:]", first)[-1] if isinstance(first, str) else ""
    return name if _NAME.fullmatch(name) else "Thing"
