"""A page as every stage reads it: its elements, texts and references, each listed once, in the page's order.

lxml walks a tree in C, 0.01 µs an element; what costs is to look at each element from Python (0.1 µs, and as much for
an attribute). So each list is made when somebody first asks for it, by one walk in C that passes what is not wanted,
and is then there for all: what a crawl does not ask of a page it does not pay for.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

from lxml import etree

from anansi.text import tree as html

# `//a` looks at texts, too, and takes half as long again
_ELEMENTS: Any = etree.XPath("/descendant::*")
_IDS: Any = etree.XPath("/descendant::*/@id")
_HREFS: Any = etree.XPath("/descendant::a/@href", smart_strings=False)
_REFERRING: Final = ("base", "area", "frame", "iframe", "link", "meta")
"""Elements, anchors aside, that refer to other pages, or say what references are relative to."""


class PageModel:
    """A page. Mutable: all but `tree` and `source`, filled as it is asked for.

    Elements that were listed are kept: lxml makes an element anew whenever nobody holds it.
    """

    __slots__ = (
        "_all",
        "_anchors",
        "_by_tag",
        "_hrefs",
        "_listed",
        "_referring",
        "_text",
        "_title",
        "source",
        "tree",
    )

    def __init__(self, tree: Any, source: str | None = None) -> None:
        """Read a parsed page; its source, the text with its markup, may tell that something is not there."""
        self.tree, self.source = tree, source
        self._all: list[Any] = []
        self._by_tag: dict[str, list[Any]] = {}
        self._listed: dict[tuple[str, str], Listed] = {}
        self._hrefs: list[str] | None = None
        self._anchors: list[tuple[str, Any]] | None = None
        self._referring: list[Any] | None = None
        self._text: str | None = None
        self._title: str | None = None

    # ── elements ─────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def elements(self) -> list[Any]:
        """All elements."""
        if not self._all:
            self._all = _ELEMENTS(self.tree)
        return self._all

    def of(self, tag: str) -> list[Any]:
        """Return the elements of a tag; all for `*`."""
        if tag == "*":
            return self.elements
        found = self._by_tag.get(tag)
        if found is None:
            found = self._by_tag[tag] = list(self.tree.iter(tag))
        return found

    def having(self, attribute: str, tag: str = "*") -> Listed:
        """Return the elements of a tag that have an attribute, by its value."""
        found = self._listed.get((attribute, tag))
        if found is None:
            found = self._listed[attribute, tag] = self._having(attribute, tag)
        return found

    def is_listed(self, attribute: str) -> bool:
        """Tell whether somebody asked for all elements that have an attribute."""
        return (attribute, "*") in self._listed

    def _having(self, attribute: str, tag: str) -> Listed:
        if attribute == "id" and tag == "*":  # few have one: libxml2 finds those in a third of the time
            return Listed([(each, each.getparent()) for each in _IDS(self.tree)])
        name = attribute.encode()  # as libxml2 has it: lxml need not encode it for each
        every = self.tree.iter() if tag == "*" else self.of(tag)  # comments have no attributes
        return Listed([(value, each) for each in every if (value := each.get(name)) is not None])

    def may_hold(self, text: str) -> bool:
        """Tell whether something may stand in the markup; what has no source may hold anything."""
        return not self.source or text in self.source

    # ── references ───────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def hrefs(self) -> list[str]:
        """What anchors refer to, as it is written."""
        if self._hrefs is None:
            self._hrefs = _HREFS(self.tree)
        return self._hrefs

    @property
    def anchors(self) -> list[tuple[str, Any]]:
        """The same, each with its element."""
        if self._anchors is None:
            every, hrefs = self.of("a"), self.hrefs
            if len(every) != len(hrefs):  # some name a place of the page
                every = [each for each in every if each.get(b"href") is not None]
            self._anchors = list(zip(hrefs, every, strict=True))
        return self._anchors

    @property
    def links(self) -> list[tuple[str, Any]]:
        """The same with the areas of maps."""
        areas = self.of("area")
        if not areas:
            return self.anchors
        every = self.tree.iter("a", "area")
        return [(href, each) for each in every if (href := each.get("href")) is not None]

    @property
    def base(self) -> str | None:
        """What the page says that references are relative to, as it is written."""
        return next((href for each in self.of("base") if (href := each.get("href")) is not None), None)

    @property
    def referring(self) -> list[Any]:
        """The elements that refer to other pages and are no anchors, and those that name the base."""
        if self._referring is None:
            self._referring = list(self.tree.iter(*_REFERRING))
        return self._referring

    # ── texts ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def title(self) -> str:
        """The page's title in one line."""
        if self._title is None:
            self._title = html.title(self.tree)
        return self._title

    @property
    def text(self) -> str:
        """The page's text with its line breaks, scripts and styles left out."""
        if self._text is None:
            self._text = html.text(self.tree)
        return self._text


class Listed:
    """The elements that have an attribute, by its value. Frozen once made.

    libxml2 takes 0.2 µs an element to compare an attribute: 120 µs for `*[contains(@class,'x')]` on a page of 600. To
    list the classes of all once takes little more, and whatever is asked then is a look at sixty different ones.
    """

    __slots__ = ("_by_value", "_owners", "_values")

    def __init__(self, owners: list[tuple[str, Any]]) -> None:
        self._owners = owners
        self._by_value = by_value = dict[str, list[int]]()
        for number, (value, _) in enumerate(owners):
            if value in by_value:
                by_value[value].append(number)
            else:
                by_value[value] = [number]
        self._values = "\n".join(by_value)

    def equal(self, value: str) -> list[Any]:
        """Return the elements whose attribute has a value."""
        owners = self._owners
        return [owners[number][1] for number in self._by_value.get(value, ())]

    def containing(self, text: str) -> list[Any]:
        """Return the elements whose attribute holds a text."""
        if text not in self._values:
            return []
        owners = self._owners
        fits = [numbers for value, numbers in self._by_value.items() if text in value]
        found = fits[0] if len(fits) == 1 else sorted(chain.from_iterable(fits))
        return [owners[number][1] for number in found]


NO_PAGE: Final = PageModel(None)
