"""The virtual document of a page: what a detection pattern can be about.

    html    the page's tree
    url     scheme · host · path · query (one element a parameter)
    http    status · header (one element a name, values of one name joined) · cookie (one element a name)
    ld      what the page says of itself in JSON-LD, one element a thing (`linked`)

Patterns that begin with `url`, `http` or `ld` are about those; all others about the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from lxml import etree

from anansi.knowledge.search import about_exchange, about_linked
from anansi.knowledge.xpath import Expression
from anansi.pages.linked_data import linked
from anansi.text.page_model import NO_PAGE, PageModel

LONGEST_VALUE = 4096  # characters of a header or parameter that are looked at
MOST_VALUES = 200

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_TEXT: Any = etree.XPath("string(/)", smart_strings=False)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Document:
    """A page as patterns see it."""

    tree: Any
    source: str
    """The page's text with its markup."""
    url: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    page: PageModel = NO_PAGE
    """The tree as all stages read it; made here where nobody did."""

    def __post_init__(self) -> None:
        if self.page.tree is not self.tree:
            object.__setattr__(self, "page", PageModel(self.tree, self.source))

    @cached_property
    def exchange(self) -> Any:
        """The part that does not stand in the page."""
        root = etree.Element("document")
        _address(etree.SubElement(root, "url"), self.url)
        http = etree.SubElement(root, "http")
        etree.SubElement(http, "status").text = str(self.status)
        _values(etree.SubElement(http, "header"), _joined(self.headers))
        _values(etree.SubElement(http, "cookie"), _cookies(self.headers))
        return root

    @cached_property
    def linked(self) -> Any | None:
        """What the page says of itself in JSON-LD; None when it says nothing."""
        return linked(self.page) if self.tree is not None and "ld+json" in self.source else None

    @cached_property
    def head(self) -> str:
        """All that stands in it as text, and perhaps more, for the index: the tree itself is rarely needed."""
        if len(self.headers) > MOST_VALUES:
            return str(_TEXT(self.exchange))
        values = (f"{name}={value[:LONGEST_VALUE]}" for name, value in self.headers)
        asked = unquote_plus(self.url.partition("?")[2])
        return _NOT_XML.sub("", "\n".join((self.url, asked, str(self.status), *values)))

    @cached_property
    def text(self) -> str:
        """The page's text without its markup, for the index."""
        return str(_TEXT(self.tree)) if self.tree is not None else ""

    def about(self, expression: Expression) -> PageModel:
        """Return what an expression is about."""
        if about_exchange(expression):
            return PageModel(self.exchange)
        return PageModel(self.linked) if about_linked(expression) else self.page


def _address(parent: Any, url: str) -> None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    etree.SubElement(parent, "scheme").text = _clean(parts.scheme)
    etree.SubElement(parent, "host").text = _clean(parts.hostname or "")
    etree.SubElement(parent, "path").text = _clean(parts.path)
    pairs = (part.partition("=") for part in re.split("[&;]", parts.query) if part)
    _values(etree.SubElement(parent, "query"), ((name, unquote_plus(value)) for name, _, value in pairs))


def _joined(headers: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Join the values of one name, as HTTP allows; a predicate sees the first element of a name alone."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value)
    return ((name, ", ".join(each)) for name, each in values.items())


def _cookies(headers: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for name, value in headers:
        if name == "set-cookie":
            cookie, _, content = value.partition(";")[0].partition("=")
            yield cookie.strip(), content


def _values(parent: Any, pairs: Iterable[tuple[str, str]]) -> None:
    """Write values as elements; what cannot be the name of an element is written as `other` with its name in it."""
    for number, (name, value) in enumerate(pairs):
        if number == MOST_VALUES:
            return
        fits = _NAME.fullmatch(name)
        element = etree.SubElement(parent, name if fits else "other")
        element.text = _clean(value if fits else f"{name}={value}")


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text[:LONGEST_VALUE])
