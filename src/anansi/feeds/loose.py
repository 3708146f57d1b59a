"""Any markup → a tree, for feeds that are no XML: whatever stands there is taken for what was meant.

A tag that closes nothing is left out, one that closes an outer element closes the inner ones, too. An item ends where
the next begins; a title, a link or a date ends where another element of feeds begins. Entities are HTML's and the
document's own.
Time and memory grow with the text only: every expression reads a character a fixed number of times.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final

from lxml import etree

from anansi.feeds.decoding import CONTROL, Source
from anansi.feeds.names import ITEMS, XML, prefix_of

DEEPEST: Final = 200
"""Elements within each other; what is deeper is put there."""

MOST_ELEMENTS: Final = 300_000
"""Elements of a document; those behind are left out. It takes two seconds to build so many."""

EXPANDED: Final = 1 << 20
"""Characters that the document's own entities may add."""

_TOKEN: Final = re.compile(
    r"<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?[^<>]*>?|<![^<>]*>?"
    r"|<(?P<close>/?)(?P<name>[A-Za-z_][\w:.-]*)(?P<rest>(?:[^<>=]|=\s*\"[^\"<]*\"|=\s*'[^'<]*'|=)*+)>?",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(r"([A-Za-z_][\w:.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_LONGEST_TAG: Final = 1 << 14
_NAME: Final = re.compile(r"[a-z_][\w.-]*", re.ASCII)
_REFERENCE: Final = re.compile(r"&(\w{1,40});")

_LEAVES: Final = frozenset(
    {
        *("title", "link", "guid", "id", "category", "comments", "author", "name", "email", "uri", "url"),
        *("pubdate", "published", "updated", "issued", "modified", "created", "lastbuilddate", "ttl"),
        *("language", "generator", "copyright", "managingeditor", "webmaster", "docs"),
    }
)
"""Elements of feeds that hold text only."""

_TEXTS: Final = frozenset({"description", "summary", "content", "content:encoded"})
_FIELDS: Final = _LEAVES | _TEXTS | {"enclosure", "source"}
_FOREIGN: Final = _FIELDS - {"title", "link", "summary", "content", "source", "name", "url", "description", "author"}
"""Elements of feeds that no HTML has: they end a text that was never closed."""


def parse(source: Source) -> Any:
    """Make the tree of a document; the root is ours, for there may be several elements or none."""
    return _Builder(source.entities).built(source.text)


class _Builder:
    """Builds a tree.

    Mutable state: `_stack` (elements that are open) and `_names` (theirs, as `dc:date`), `_spaces` (prefix →
    meaning), `_count` of elements, `_texts` (to be added to the inmost one), and `_left`, what the document's
    entities may still add.
    """

    def __init__(self, entities: dict[str, str]):
        self._entities = entities
        self._root = etree.Element("document")
        self._stack: list[Any] = [self._root]
        self._names = [""]
        self._spaces: dict[str, str] = {}
        self._count = 0
        self._texts: list[str] = []
        self._left = EXPANDED

    def built(self, text: str) -> Any:
        place = 0
        for token in _TOKEN.finditer(text):
            if token.start() > place:
                self._texts.append(self._plain(text[place : token.start()]))
            place = token.end()
            if token["name"]:
                self._tag(token)
            elif token["cdata"]:
                self._texts.append(token["cdata"])
            if self._count >= MOST_ELEMENTS:
                return self._root
        self._texts.append(self._plain(text[place:]))
        self._add_texts()
        return self._root

    def _tag(self, token: re.Match[str]) -> None:
        attributes = {} if token["close"] else self._attributes(token["rest"])
        name = self._named(token["name"].lower())
        if token["close"]:
            if name in self._names:
                self._close_to(len(self._names) - 1 - self._names[::-1].index(name))
            return
        self._make_room(name)
        self._add_texts()
        prefix, _, local = name.rpartition(":")
        safe = local if _NAME.fullmatch(local) else "unnamed"
        spaced = bool(_NAME.fullmatch(prefix))
        child = etree.SubElement(self._stack[-1], f"{{{prefix}}}{safe}" if spaced else safe, attributes)
        self._count += 1
        if not token["rest"].endswith("/") and len(self._stack) < DEEPEST:
            self._stack.append(child)
            self._names.append(name)

    def _make_room(self, name: str) -> None:
        """Close what ends where an element of this name begins."""
        if name in ITEMS:
            outer = next((place for place, each in enumerate(self._names) if each in ITEMS), 0)
            if outer:
                self._close_to(outer)
            return
        inmost = self._names[-1]
        if inmost in _LEAVES and (name in _FIELDS or ":" in name) and not (inmost == "author" and name in _LEAVES):
            self._close_to(len(self._names) - 1)
        elif name in _FOREIGN or name.startswith(("dc:", "wfw:", "slash:")):
            text = next((place for place, each in enumerate(self._names) if each in _TEXTS), 0)
            if text:
                self._close_to(text)

    def _close_to(self, place: int) -> None:
        self._add_texts()
        del self._stack[place:], self._names[place:]

    def _named(self, name: str) -> str:
        """Write a name with the prefix that its namespace usually has."""
        prefix, colon, local = name.partition(":")
        if not colon:
            return name
        usual = self._spaces.get(prefix, prefix_of(prefix))
        return f"{usual}:{local}" if usual else local

    def _attributes(self, rest: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, *values in _ATTRIBUTE.findall(rest[:_LONGEST_TAG]):
            value = self._plain("".join(values))
            prefix, colon, local = name.lower().rpartition(":")
            if not _NAME.fullmatch(local) or (colon and not _NAME.fullmatch(prefix)):
                continue
            if prefix == "xmlns":
                self._spaces[local] = prefix_of(value, local)
            elif prefix == "xml":
                found[f"{XML}{local}"] = value
            else:
                space = self._spaces.get(prefix, prefix)
                found[f"{{{space}}}{local}" if space else local] = value
        return found

    def _plain(self, text: str) -> str:
        if "&" not in text:
            return text
        return CONTROL.sub("", unescape(_REFERENCE.sub(self._replaced, text) if self._entities else text))

    def _replaced(self, reference: re.Match[str]) -> str:
        value = self._entities.get(reference[1])
        if value is None:
            return reference[0]
        if len(value) > self._left:
            return ""
        self._left -= len(value)
        return value

    def _add_texts(self) -> None:
        text, inmost = "".join(self._texts), self._stack[-1]
        self._texts.clear()
        if not text:
            return
        if len(inmost):
            inmost[-1].tail = (inmost[-1].tail or "") + text
        else:
            inmost.text = (inmost.text or "") + text
