"""Expressions in use: what they find on a page, each part of them looked for once.

Most expressions name an element by its class or id, and many begin alike: the page's model lists the elements that
have a class or an id once, and what the beginning of each path found is remembered. Expressions beyond that (what is
said of an exchange, attributes and texts as results) go to libxml2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from anansi.knowledge.elements import Elements, Wanted, wanted
from anansi.knowledge.xpath import Expression, Predicate, Step, compiled, telling
from anansi.text.page_model import PageModel

ABOUT_EXCHANGE = ("url", "http")
"""How expressions begin that are about the exchange, not about the page."""
ABOUT_LINKED = "ld"
"""How expressions begin that are about what a page says of itself in JSON-LD."""


FEW_ELEMENTS: Final = 6
"""Elements of a tag for each place below which they are wanted, up to which to ask each where it stands (0.1 µs)
takes less than to go through the places (0.6 µs)."""


def about_exchange(expression: Expression) -> bool:
    """Tell whether an expression is about the exchange."""
    return expression.steps[0].test in ABOUT_EXCHANGE


def about_linked(expression: Expression) -> bool:
    """Tell whether an expression is about what a page says of itself in JSON-LD."""
    return expression.steps[0].test == ABOUT_LINKED


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """A path made ready. Two of one path are one, so that what it found is remembered by it."""

    asked: Wanted | None = None
    """The last step; None when libxml2 takes the whole path."""
    above: Trail | None = None
    """The steps before it."""
    child: bool = False
    """Whether it stands in what is above, and not deeper."""
    call: Any = None
    telling: str = ""
    """What must stand in a page's source; empty when there is nothing that tells."""


class Search:
    """Finds what expressions point to. Mutable: `_trails`, the paths made ready, and `_page`, the latest page."""

    def __init__(self) -> None:
        self._paths: dict[tuple[Expression, ...], Trail] = {}
        self._trails: dict[tuple[Step, ...], Trail] = {}
        self._wanted: dict[tuple[str, tuple[Predicate, ...]], Wanted | None] = {}
        self._page = _Page(PageModel(None))

    def find(self, page: PageModel, *path: Expression) -> list[Any]:
        """Return what an expression finds below those before it.

        The list is not the caller's: it may be returned again.
        """
        return self.follow(page, self.trail(*path))

    def trail(self, *path: Expression) -> Trail:
        """Make a path ready."""
        known = self._paths.get(path)
        if known is None:
            steps = tuple(step for expression in path for step in expression.steps)
            known = self._paths[path] = self._ready(steps)
        return known

    def follow(self, page: PageModel, trail: Trail) -> list[Any]:
        """Return what a path finds."""
        if trail.asked is None:
            found: list[Any] = trail.call(page.tree) if page.may_hold(trail.telling) else []
            return found
        seen = self._page if self._page.model is page else self._on(page)
        known = seen.found.get(trail)
        return seen.find(trail) if known is None else known

    def around(self, page: PageModel, trail: Trail) -> Around:
        """Return what tells in which of the elements at the end of a path another one stands."""
        if trail.asked is None:
            return Around(self.follow(page, trail))
        return self._on(page).around(trail)

    def _on(self, page: PageModel) -> _Page:
        if self._page.model is not page:
            self._page = _Page(page)
        return self._page

    def _ready(self, steps: tuple[Step, ...]) -> Trail:
        known = self._trails.get(steps)
        if known is None:
            known = self._trails[steps] = self._by_steps(steps) or _as_a_whole(steps)
        return known

    def _by_steps(self, steps: tuple[Step, ...]) -> Trail | None:
        if steps[0].test in (*ABOUT_EXCHANGE, ABOUT_LINKED):
            return None
        asked = self._asked(steps[-1])
        above = self._ready(steps[:-1]) if len(steps) > 1 else None
        if asked is None or (above is not None and above.asked is None):
            return None
        return Trail(asked, above, steps[-1].axis == "/")

    def _asked(self, step: Step) -> Wanted | None:
        kind = step.test, step.predicates
        if kind not in self._wanted:
            self._wanted[kind] = wanted(step)
        return self._wanted[kind]


def _as_a_whole(steps: tuple[Step, ...]) -> Trail:
    joined = Expression(steps)
    return Trail(call=compiled(joined), telling=telling(joined))


class Around:
    """Tells in which of some elements another one stands. Mutable: `_nearest`, filled as it is asked."""

    __slots__ = ("_nearest",)

    def __init__(self, elements: list[Any], belonging: dict[Any, Any] | None = None) -> None:
        """Begin with the elements themselves, and those that belong to one without standing in it."""
        self._nearest: dict[Any, Any] = {None: None}
        if belonging:
            self._nearest.update(belonging)
        self._nearest.update(zip(elements, elements, strict=True))

    def nearest(self, element: Any) -> Any:
        """Return the nearest of the elements around an element, itself included; None for none, and of none."""
        known = self._nearest
        if element in known:
            return known[element]
        passed = []
        while element not in known:
            passed.append(element)
            element = element.getparent()
        found = known[element]
        for each in passed:
            known[each] = found
        return found


class _Page:
    """What was found on a page. Mutable: everything but `model`."""

    __slots__ = ("_apart", "_around", "_elements", "found", "model")

    def __init__(self, model: PageModel) -> None:
        self.model = model
        self._elements = Elements(model)
        self.found: dict[Trail, list[Any]] = {}
        self._around: dict[Trail, Around] = {}
        self._apart: dict[Trail, bool] = {}

    def find(self, trail: Trail) -> list[Any]:
        found = self.found.get(trail)
        if found is None:
            found = self.found[trail] = self._look(trail)
        return found

    def around(self, trail: Trail) -> Around:
        known = self._around.get(trail)
        if known is None:
            known = self._around[trail] = Around(self.find(trail))
        return known

    def _look(self, trail: Trail) -> list[Any]:
        asked, above = trail.asked, trail.above
        assert asked is not None
        if above is None:
            return self._elements.fitting(asked)
        if self._elements.are_listed(asked):
            found = self._elements.fitting(asked)
            return self._below(trail, found) if found else found
        there = self.find(above)
        every = self.model.of(asked.test) if there else there
        if not every:
            return every
        if len(every) > FEW_ELEMENTS * len(there) and self._are_apart(above):
            # what stands below one after another stands in the order of the page
            return asked.among([below for each in there for below in _of(each, asked.test, child=trail.child)])
        return asked.among(self._below(trail, every))

    def _below(self, trail: Trail, elements: list[Any]) -> list[Any]:
        """Keep the elements that stand where a path leads, its last step left out; brothers do so together."""
        assert trail.above is not None
        there = self.find(trail.above)
        if not there:
            return there
        if trail.child:
            parents = set(there)
            return [each for each in elements if each.getparent() in parents]
        nearest = self.around(trail.above).nearest
        return [each for each in elements if nearest(each.getparent()) is not None]

    def _are_apart(self, trail: Trail) -> bool:
        """Tell whether none of the elements at the end of a path stands in another."""
        known = self._apart.get(trail)
        if known is None:
            found = self.find(trail)
            known = len(found) < 2
            if not known:
                nearest = self.around(trail).nearest
                known = all(nearest(each.getparent()) is None for each in found)
            self._apart[trail] = known
        return known


def _of(element: Any, tag: str, *, child: bool) -> Iterator[Any]:
    found: Iterator[Any] = element.iterchildren(tag) if child else element.iterdescendants(tag)
    return found
