"""A page that expressions are made for and tried on: its text, its elements, what rules find, each made once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from anansi.induce.expressions import Features
from anansi.induce.page_text import PageText, squeezed
from anansi.knowledge.entry import Extraction, Property
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression
from anansi.model import Value
from anansi.pages.extract import Extractor, Place
from anansi.text import tree as html

WORK: Final = 1_500_000
"""Elements passed by evaluations of expressions on one page: a quarter of a second."""

LOOKS: Final = 1500
"""Evaluations of expressions a page at most, however small it is."""


@dataclass(frozen=True)
class StudiedPage:
    """A page that is looked at closely. Mutable inside: memos, and how many looks are left."""

    place: Place

    @cached_property
    def spans(self) -> PageText:
        """The page's text."""
        return PageText(self.place.tree)

    @cached_property
    def features(self) -> Features:
        """How its elements can be described."""
        return Features(self.spans.elements)

    @cached_property
    def title(self) -> str:
        """What its head says that it is about, without spaces."""
        return squeezed(html.title(self.place.tree))

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

    def values(self, action: Extraction, each: Expression | None, *rules: Property) -> list[list[Value]]:
        """Return what rules of one property find together, one list a container that has any."""
        asked = each in action.runs, each, *rules
        if asked not in self._memo:
            self._left[0] -= 1
            alone = replace(action, each=(each,) if each else (), properties=rules, needs=(), part_of="")
            found = [] if self.tired else self._extractor.objects(self.place, [alone])
            self._memo[asked] = [[value for _, value in each.properties] for each in found]
        return self._memo[asked]
