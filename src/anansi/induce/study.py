"""Several pages of a level of a new site, looked at together: what rules would find on all of them.

Where nothing is known of a site, one page proves nothing. What holds on several pages is told by how values differ:
a text is a page's own, a template's words are on every page, authors come again, dates do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from anansi.induce.expressions import Inducer
from anansi.induce.judges import Page, texts
from anansi.induce.numbered import Region, regions
from anansi.induce.page import StudiedPage
from anansi.induce.page_text import squeezed
from anansi.knowledge.entry import Extraction, Property
from anansi.knowledge.relax import fitted
from anansi.knowledge.xpath import Expression
from anansi.model import Value

WHOLE: Final = 0.8
"""Share of a region's text that must stand in its container."""

COVERED: Final = 0.5
"""Share of the objects that must have a text: some are pictures, or were deleted."""

BEGIN: Final = 30
"""Characters by which a text is told from others."""

COMPARED: Final = 6
"""Expressions for containers that must lead to the same numbers."""

TRIED: Final = 40
"""Expressions for containers that are tried."""

Vector = tuple[tuple[str, ...], ...]
"""By page, the values of a property, one an object."""


@dataclass(frozen=True, eq=False)
class Study:
    """The objects of one action on several pages. Mutable inside: memos."""

    action: Extraction
    pages: Sequence[Sequence[Region]]
    each: Expression | None = None
    """What finds their containers; None when each page is an object."""
    lists: Callable[[str], bool] = lambda _: False
    """Tells of an address whether it leads to a list."""
    _memo: dict[tuple[Property, ...], list[list[list[Value]]]] = field(default_factory=dict, init=False, repr=False)

    @property
    def studied_pages(self) -> list[StudiedPage]:
        """The pages."""
        return [page[0].studied for page in self.pages]

    @cached_property
    def regions(self) -> list[Region]:
        """All objects."""
        return [one for page in self.pages for one in page]

    def values(self, *rules: Property) -> list[list[list[Value]]]:
        """Return what rules of one property find on each page, one list a container that has any."""
        if rules not in self._memo:
            self._memo[rules] = [studied.values(self.action, self.each, *rules) for studied in self.studied_pages]
        return self._memo[rules]

    def old(self, name: str) -> list[list[list[Value]]]:
        """Return what the old rules of a property find."""
        return self.values(*(prop for prop in self.action.properties if prop.name == name))

    def firsts(self, found: Sequence[Page]) -> Vector:
        """Return the first values of each page."""
        return tuple(tuple(texts(page)) for page in found)

    def full(self, found: Sequence[Page]) -> bool:
        """Tell whether every object has a value."""
        return all(len(page) == len(mine) for page, mine in zip(found, self.pages, strict=True))

    def aligned(self, page: Page, mine: Sequence[Region]) -> list[Sequence[Value]] | None:
        """Give each object of a page its values, none to those that have none; None when most have none."""
        if len(page) == len(mine):
            return list(page)
        if not COVERED * len(mine) <= len(page) < len(mine):
            return None
        waiting, found = list(page), []
        for one in mine:
            begins = squeezed(waiting[0][0].text.split("\n")[0])[:BEGIN] if waiting else ""
            there = bool(begins) and begins in one.studied.spans.of(one.top)
            found.append(waiting.pop(0) if there else ())
        return found if not waiting else None

    @cached_property
    def shared(self) -> frozenset[str]:
        """The pieces of text that stand on several pages."""
        seen = Counter(text for page in self.pages for text in {each.text for one in page for each in one.pieces})
        return frozenset(text for text, count in seen.items() if count > 1)

    @cached_property
    def repeated(self) -> frozenset[str]:
        """The same without spaces."""
        return frozenset(map(squeezed, self.shared))


def studies(
    studied_pages: Sequence[StudiedPage],
    action: Extraction,
    others: Sequence[Extraction] = (),
    lists: Callable[[str], bool] = lambda _: False,
) -> Iterator[Study]:
    """Go through ways to tell the objects of an action on several pages, the likeliest first; others stand beside."""
    if not action.each:
        yield Study(action, _whole(studied_pages, action, others), lists=lists)
        return
    pages = regions(studied_pages, action)
    there = [number for number, page in enumerate(pages) if page]
    if not there:
        return
    studied_pages, pages = [studied_pages[number] for number in there], [pages[number] for number in there]
    old = next((each for each in action.each if all(studied.find(each) for studied in studied_pages)), None)
    if old is not None and _separate(old, studied_pages, pages):
        yield Study(action, _in(old, pages), old, lists)
        return
    good: list[tuple[float, int, int, int, Study]] = []
    for changes, expression in _containers(action, pages):
        if _separate(expression, studied_pages, pages):
            study = Study(action, _in(expression, pages), expression, lists)
            good.append((-_told(study), changes, len(str(expression)), len(good), study))
    ranked = [each[-1] for each in sorted(good, key=lambda each: each[:4])[:COMPARED]]
    if len({study.firsts(found) for study in ranked if study.full(found := study.old("id"))}) <= 1:
        yield from ranked[:2]  # else old rules would number them in one way or another


def _whole(
    studied_pages: Sequence[StudiedPage], action: Extraction, others: Sequence[Extraction]
) -> list[list[Region]]:
    """Return pages that are objects themselves, without the objects of other kinds on them."""
    held: list[set[Any]] = [set() for _ in studied_pages]
    for other in others:
        if other.each and other.object != action.object:
            for mine, page in zip(held, regions(studied_pages, other), strict=False):
                mine |= {one.top for one in page}
    found = []
    for studied, mine in zip(studied_pages, held, strict=True):
        body = studied.place.tree.find("body")
        found.append([Region(studied, body if body is not None else studied.place.tree, frozenset(mine))])
    return found


def _told(study: Study) -> float:
    """Say how many of the properties that an object needs old rules find in its containers."""
    names = [name for name in study.action.needs if name in study.action.names]
    return sum(study.full(study.old(name)) for name in names)


def _in(expression: Expression, pages: Sequence[Sequence[Region]]) -> list[list[Region]]:
    """Make the containers that an expression finds the regions."""
    found = []
    for page in pages:
        there = page[0].studied.find(expression)
        held = {one: next(each for each in there if _holds(one, each)) for one in page}
        order = {element: number for number, element in enumerate(there)}
        found.append([one.within(held[one]) for one in sorted(page, key=lambda one: order[held[one]])])
    return found


def _containers(action: Extraction, pages: Sequence[Sequence[Region]]) -> list[tuple[int, Expression]]:
    """Return expressions for containers: old ones relaxed, and what tells the regions from all else."""
    found: dict[Expression, int] = {}
    for page in pages[:2]:
        studied = page[0].studied
        inducer = Inducer(studied.features, [studied.place.tree])
        lines = [list(_line(one)) for one in page]
        for element in lines[0]:
            for each in action.each:
                fit = fitted(each, element, studied.place.tree)
                if fit is not None and not fit.worst:
                    found[fit.expression] = min(fit.changes, found.get(fit.expression, 9))
        for height in range(max(map(len, lines))):
            elements = [line[min(height, len(line) - 1)] for line in lines]
            for expression in inducer.expressions_of_all(elements)[:4]:
                found.setdefault(expression, 3)
    return sorted(((changes, each) for each, changes in found.items()), key=lambda each: each[0])[:TRIED]


def _line(one: Region) -> Iterator[Any]:
    """Go from the top of a region down to elements that still hold most of it."""
    length = one.studied.spans.length
    whole = length(one.top)
    at = one.top
    while at is not None:
        yield at
        at = next((each for each in at if isinstance(each.tag, str) and length(each) >= WHOLE * whole), None)


def _holds(one: Region, element: Any) -> bool:
    """Tell whether an element is the container of a region: the most of it, and of no other."""
    length = one.studied.spans.length
    inside = element is one.top or any(up is one.top for up in element.iterancestors())
    return inside and length(element) >= WHOLE * length(one.top)


def _separate(
    expression: Expression, studied_pages: Sequence[StudiedPage], pages: Sequence[Sequence[Region]]
) -> bool:
    """Tell whether an expression finds one container for each region, and nothing else."""
    for studied, page in zip(studied_pages, pages, strict=True):
        there = studied.find(expression)
        if len(there) != len(page):
            return False
        if not all(sum(_holds(one, each) for each in there) == 1 for one in page):
            return False
    return True
