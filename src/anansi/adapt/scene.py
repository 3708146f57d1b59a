"""A page on which something failed, with what is needed to mend it, each made once and only when needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from anansi.act.extract import Extractor, Place
from anansi.adapt.induce import Features
from anansi.adapt.locate import Locator
from anansi.adapt.spans import Spans
from anansi.knowledge.entry import Extraction, Level, Property, Type
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject

LARGEST: Final = 30_000
"""Elements of the largest page that is looked at; more are no template's."""

LOOKS: Final = 1500
"""Evaluations of expressions a page: half a millisecond each on a large page."""


@dataclass(frozen=True)
class Scene:
    """A page of a known level. Mutable inside: memos, and how many looks are left."""

    place: Place
    entry: Type
    level: Level
    objects: Sequence[WebObject] = ()
    """What the rules found."""
    known: Sequence[WebObject] = ()
    """What an earlier crawl found at this address."""

    @cached_property
    def spans(self) -> Spans:
        """The page's text."""
        return Spans(self.place.tree)

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
        """Tell whether the page is larger than any template makes it."""
        return len(self.spans.elements) > LARGEST

    @cached_property
    def _extractor(self) -> Extractor:
        return Extractor()

    @cached_property
    def _search(self) -> Search:
        return Search()

    @cached_property
    def _left(self) -> list[int]:
        return [LOOKS]

    @cached_property
    def _memo(self) -> dict[tuple[Expression | None, Property], list[list[Value]]]:
        return {}

    @property
    def tired(self) -> bool:
        """Tell whether the page has had its share of time."""
        return self._left[0] <= 0

    def find(self, expression: Expression) -> list[Any]:
        """Return the elements that an expression finds."""
        self._left[0] -= 1
        if self.tired:
            return []
        found = self._search.find(self.place.tree, self.place.source, expression)
        return [each for each in found if not isinstance(each, str)]

    def values(self, action: Extraction, each: Expression | None, prop: Property) -> list[list[Value]]:
        """Return what a rule finds, one list a container that has any."""
        asked = each, prop
        if asked not in self._memo:
            self._left[0] -= 1
            alone = replace(action, each=(each,) if each else (), properties=(prop,), needs=(), part_of="")
            found = [] if self.tired else self._extractor.objects(self.place, [alone])
            self._memo[asked] = [[value for _, value in each.properties] for each in found]
        return self._memo[asked]

    def extracted(self, actions: Sequence[Extraction]) -> list[WebObject]:
        """Return the objects that actions find."""
        self._left[0] -= 1
        return self._extractor.objects(self.place, actions)
