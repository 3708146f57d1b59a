"""A page on which something failed, with what is needed to mend it, each made once and only when needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from anansi.adapt.induce import Features
from anansi.adapt.locate import Locator
from anansi.adapt.page_text import PageText, squeezed
from anansi.knowledge.entry import Extraction, Level, Property, Type
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject
from anansi.pages.extract import Extractor, Place
from anansi.text import tree as html

WORK: Final = 1_500_000
"""Elements passed by evaluations of expressions on one page: a quarter of a second."""

LOOKS: Final = 1500
"""Evaluations of expressions a page at most, however small it is."""


@dataclass(frozen=True)
class FailedPage:
    """A page of a known level. Mutable inside: memos, and how many looks are left."""

    place: Place
    entry: Type
    level: Level
    objects: Sequence[WebObject] = ()
    """What the rules found."""
    known: Sequence[WebObject] = ()
    """What an earlier crawl found at this address."""

    @cached_property
    def spans(self) -> PageText:
        """The page's text."""
        return PageText(self.place.tree)

    @cached_property
    def locator(self) -> Locator:
        """Where known values stand."""
        return Locator(self.place, self.spans)

    @cached_property
    def features(self) -> Features:
        """How its elements can be described."""
        return Features(self.spans.elements)

    @cached_property
    def too_large(self) -> bool:
        """Tell whether the page is larger or deeper than any template makes it."""
        return not self.spans.whole

    @cached_property
    def body_length(self) -> int:
        """The characters of its text."""
        return len(self.spans.text)

    @cached_property
    def title(self) -> str:
        """What its head says that it is about, without spaces."""
        return squeezed(html.title(self.place.tree))

    def titled(self, text: str) -> float:
        """Say how much a text is like the page's title: as much as its head has of it."""
        plain = squeezed(text)
        if not plain or not self.title:
            return 0.5
        if plain in self.title and len(plain) > 3:
            return 0.5 + 0.5 * min(1.0, 2 * len(plain) / len(self.title))
        return 0.7 if self.title in plain else 0.3

    @cached_property
    def _extractor(self) -> Extractor:
        return Extractor()

    @cached_property
    def _search(self) -> Search:
        return Search()

    @cached_property
    def _left(self) -> list[int]:
        return [min(LOOKS, WORK // max(1, len(self.spans.elements)))]

    @cached_property
    def _memo(self) -> dict[tuple[Expression | Property | bool | None, ...], list[list[Value]]]:
        return {}

    @cached_property
    def _seen(self) -> dict[Expression, list[Any]]:
        return {}

    @cached_property
    def _there(self) -> dict[str, list[WebObject]]:
        return {}

    def present(self, kind: str, look: Callable[[FailedPage, str], list[WebObject]]) -> list[WebObject]:
        """Return the known objects of a kind that are still on the page, looked for once."""
        if kind not in self._there:
            self._there[kind] = look(self, kind)
        return self._there[kind]

    @property
    def tired(self) -> bool:
        """Tell whether the page has had its share of time."""
        return self._left[0] <= 0

    def find(self, expression: Expression) -> list[Any]:
        """Return the elements that an expression finds."""
        if expression not in self._seen:
            self._left[0] -= 1
            if self.tired:
                return []
            found = self._search.find(self.place.page, expression)
            self._seen[expression] = [each for each in found if not isinstance(each, str)]
        return self._seen[expression]

    def container(self, action: Extraction) -> Expression | None:
        """Return the first of an action's expressions that finds containers."""
        return next((each for each in action.each if self.find(each)), None)

    def values(self, action: Extraction, each: Expression | None, *rules: Property) -> list[list[Value]]:
        """Return what rules of one property find together, one list a container that has any."""
        asked = each in action.runs, each, *rules
        if asked not in self._memo:
            self._left[0] -= 1
            alone = replace(action, each=(each,) if each else (), properties=rules, needs=(), part_of="")
            found = [] if self.tired else self._extractor.objects(self.place, [alone])
            self._memo[asked] = [[value for _, value in each.properties] for each in found]
        return self._memo[asked]

    def old(self, action: Extraction, each: Expression | None, name: str) -> list[list[Value]]:
        """Return what the old rules of a property find."""
        return self.values(action, each, *(prop for prop in action.properties if prop.name == name))

    def extracted(self, actions: Sequence[Extraction]) -> list[WebObject]:
        """Return the objects that actions find."""
        self._left[0] -= 1
        return self._extractor.objects(self.place, actions)
