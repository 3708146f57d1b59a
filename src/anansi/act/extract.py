"""Extraction actions: a page of a known level → objects.

A property's expression is evaluated once a page, for all containers together, and each node found goes to the
nearest container around it. A container that lacks what its object needs is none: what it holds goes to the next one
around it, so an expression that also finds parts of a post does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final

from anansi.act.values import LONGEST, Place, Reading, anchored
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.search import Around, Search, Trail, about_exchange, about_linked
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject

__all__ = ["LONGEST", "MOST", "MOST_VALUES", "Extractor", "Place"]

MOST: Final = 2000
"""Objects of one kind on a page; more is an attack."""

MOST_VALUES: Final = 500
"""Values of one property of an object."""

READY: Final = 2000
"""Actions kept ready, several KB each; the built-in entries have a hundred."""

_NOTHING: Final[frozenset[Any]] = frozenset()
_LINK: Final = As.LINK.value  # an enum's value costs a call


@dataclass(slots=True, eq=False)
class _Container:
    """A place that may be an object. Mutable while a page is read."""

    element: Any
    found: dict[str, list[Value]] = field(default_factory=dict)


class _Containers:
    """The containers of one kind of object on a page.

    Mutable state: `_there`, element → container; `_lacking`, name → containers that no expression has found it for.
    """

    def __init__(self, elements: list[Any], around: Around):
        self._there: dict[Any, _Container] = {element: _Container(element) for element in elements}
        self._lacking: dict[str, set[_Container]] = {}
        self._nearest = around.nearest

    def __iter__(self) -> Iterator[_Container]:
        return iter(self._there.values())

    def lacking(self, name: str) -> set[_Container]:
        """Return the containers that a property has not been found for; whoever finds it takes them out."""
        known = self._lacking.get(name)
        if known is None:
            known = self._lacking[name] = set(self._there.values())
        return known

    def around(self, element: Any) -> _Container | None:
        """Return the nearest container that an element stands in, or is."""
        nearest = self._nearest(element)
        return self._there[nearest] if nearest is not None else None

    def complete(self, action: Extraction) -> list[_Container]:
        """Return the containers that are objects; what the others hold goes to the next one around them."""
        if all(_complete(container, action) for container in self):
            return list(self)
        own = {container: frozenset(container.found) for container in self}
        many = {prop.name for prop in action.properties if prop.many}
        for element, container in reversed(list(self._there.items())):  # the inner ones, and the last ones, first
            if _complete(container, action):
                continue
            del self._there[element]
            outer = next((self._there[each] for each in element.iterancestors() if each in self._there), None)
            for name, values in container.found.items() if outer is not None else ():
                assert outer is not None
                if name in many:
                    outer.found[name] = (values + outer.found.get(name, []))[:MOST_VALUES]
                elif name not in own[outer]:
                    outer.found[name] = values
        return list(self)


@dataclass(frozen=True, slots=True)
class _Sought:
    """A property made ready for one kind of container."""

    name: str
    most: int
    """Values of one container."""
    reading: Reading
    trail: Trail | None
    """Where its elements stand; None when it is the container's own attribute or text."""
    elsewhere: Callable[[Place], Any] | None
    """What of the virtual document it is about, if not the page."""
    deeper: bool
    """Whether what stands below those elements is meant, too."""
    without: tuple[Trail, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """A place where containers may stand."""

    each: Trail | None
    """None when the page is the container."""
    run: bool
    """Whether a container reaches up to the next one."""
    properties: tuple[_Sought, ...]
    """What is sought below them."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """An action made ready."""

    action: Extraction
    names: tuple[str, ...]
    ways: tuple[_Way, ...]


class Extractor:
    """Runs extraction actions. Mutable: `_ready` and `_orders`, actions and levels made ready, by their identity."""

    def __init__(self, search: Search | None = None) -> None:
        self._search = Search() if search is None else search
        self._ready: dict[int, _Ready] = {}
        self._orders: dict[int, tuple[tuple[Extraction, ...], tuple[_Ready, ...]]] = {}

    def objects(self, place: Place, actions: Iterable[Extraction]) -> list[WebObject]:
        """Return the objects of a page, those that others are part of first."""
        found: list[WebObject] = []
        uris: dict[str, dict[Any, str]] = {}
        for ready in self._in_order(actions):
            action = ready.action
            wholes = uris.get(action.part_of, {})
            mine = uris.setdefault(action.object, {})
            for number, container in enumerate(self._containers(place, ready), start=1):
                uri = _uri(place, action, container, number)
                if not action.each and any(each.uri == uri for each in found):
                    uri = f"{uri}#{action.object}"  # two objects that are the page
                mine[container.element] = uri
                held = container.found
                values = tuple([(name, value) for name in ready.names if name in held for value in held[name]])
                found.append(WebObject(action.object, uri, values, _whole(container.element, wholes)))
        return found

    # ── actions ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _in_order(self, actions: Iterable[Extraction]) -> tuple[_Ready, ...]:
        """Make actions ready, those whose objects others are part of first; those of a level once."""
        if not isinstance(actions, tuple):
            return tuple(self._made_ready(action) for action in _wholes_first(actions))
        known = self._orders.get(id(actions))
        if known is None or known[0] is not actions:
            if len(self._orders) >= READY:
                self._orders.clear()
            known = self._orders[id(actions)] = (
                actions,
                tuple(self._made_ready(action) for action in _wholes_first(actions)),
            )
        return known[1]

    def _made_ready(self, action: Extraction) -> _Ready:
        known = self._ready.get(id(action))
        if known is None or known.action is not action:
            if len(self._ready) >= READY:
                self._ready.clear()
            known = self._ready[id(action)] = _Ready(
                action,
                action.names,
                tuple(
                    _Way(
                        self._search.trail(each) if each is not None else None,
                        each in action.runs,
                        tuple(
                            self._sought(prop, None if each in action.runs else each) for prop in action.properties
                        ),
                    )
                    for each in action.each or (None,)
                ),
            )
        return known

    def _sought(self, prop: Property, each: Expression | None) -> _Sought:
        """Make a property ready.

        An attribute or a text is found by its element: lxml's strings that know their parents cost more.
        """
        reading = Reading.of(prop)
        *above, _ = prop.expression.steps
        path: tuple[Expression, ...] = (
            (prop.expression,) if reading.part is None else (Expression(tuple(above)),) if above else ()
        )
        if each is not None and path:
            path = (each, *path)
        return _Sought(
            name=prop.name,
            most=MOST_VALUES if prop.many else 1,
            reading=reading,
            trail=self._search.trail(*path) if path else None,
            elsewhere=_elsewhere(path[0]) if path else None,
            deeper=bool(path) and reading.part is not None and reading.part.axis == "//",
            without=tuple(self._search.trail(expression) for expression in prop.without),
        )

    # ── containers ───────────────────────────────────────────────────────────────────────────────────────────────

    def _containers(self, place: Place, ready: _Ready) -> list[_Container]:
        """Find the containers and fill them."""
        for way in ready.ways:
            each = way.each
            if each is None:
                elements, around = [place.tree], Around([place.tree])
            else:
                elements = self._search.follow(place.tree, place.source, each)
                around = self._search.around(place.tree, each)
                if len(elements) > MOST:
                    elements = elements[:MOST]
                    around = Around(elements)
            if not elements:
                continue
            containers = _Containers(elements, _reaching(elements) if way.run else around)
            for sought in way.properties:
                self._fill(place, sought, containers, whole=each is None)
            complete = containers.complete(ready.action)
            if complete:
                return complete
        return []

    def _fill(self, place: Place, sought: _Sought, containers: _Containers, *, whole: bool) -> None:
        """Give the containers that lack a property what an expression finds for them."""
        name, most, value_of = sought.name, sought.most, sought.reading.value
        lacking = containers.lacking(name)
        nodes = self._nodes(place, sought, containers) if lacking else ()
        if not nodes:
            return
        without = self._without(place, sought)
        filled: dict[_Container, list[Value]] = {}
        (page,) = containers if whole else (None,)
        for node in nodes:
            container = page or containers.around(node)
            if container is None or container not in lacking:
                continue
            values = filled.get(container)
            if values is not None and len(values) >= most:
                continue
            value = value_of(place, node, without)
            if value is None:
                continue
            if values is None:
                filled[container] = [value]
            else:
                values.append(value)
        for container, values in filled.items():
            container.found[name] = values
            lacking.discard(container)

    def _nodes(self, place: Place, sought: _Sought, containers: _Containers) -> list[Any]:
        """Find the elements of a property."""
        if sought.trail is None:
            nodes = [container.element for container in containers]
        elif sought.elsewhere:
            about = sought.elsewhere(place)
            nodes = self._search.follow(about, None, sought.trail) if about is not None else []
        else:
            nodes = self._search.follow(place.tree, place.source, sought.trail)
        if sought.deeper:
            return list(dict.fromkeys(below for node in nodes for below in node.iter()))
        return nodes

    def _without(self, place: Place, sought: _Sought) -> AbstractSet[Any]:
        if not sought.without:
            return _NOTHING
        tree, source, follow = place.tree, place.source, self._search.follow
        return {node for trail in sought.without for node in follow(tree, source, trail)}


def _reaching(elements: list[Any]) -> Around:
    """Return what tells in which container an element stands, where each reaches up to the next one beside it."""
    starts = set(elements)
    beside = {
        each: start for start in elements for each in takewhile(lambda each: each not in starts, start.itersiblings())
    }
    return Around(elements, beside)


def _elsewhere(expression: Expression) -> Callable[[Place], Any] | None:
    if about_exchange(expression):
        return lambda place: place.exchange()
    return (lambda place: place.linked()) if about_linked(expression) else None


# ── objects ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _wholes_first(actions: Iterable[Extraction]) -> list[Extraction]:
    """Sort actions so that what others are part of comes before them."""
    rest, done = list(actions), []
    while rest:
        waiting = {each.object for each in rest}
        ready = [each for each in rest if each.part_of not in waiting - {each.object}] or rest
        done += ready
        rest = [each for each in rest if each not in ready]
    return done


def _whole(element: Any, wholes: dict[Any, str]) -> str:
    """Return the URI of the object that one belongs to: the one it stands in, or the first."""
    if len(wholes) <= 1:
        return next(iter(wholes.values()), "")
    while element is not None:
        if element in wholes:
            return wholes[element]
        element = element.getparent()
    return next(iter(wholes.values()), "")


def _complete(container: _Container, action: Extraction) -> bool:
    return bool(container.found) and all(name in container.found for name in action.needs)


def _uri(place: Place, action: Extraction, container: _Container, number: int) -> str:
    if not action.each:
        return f"{place.whole}#{action.object}" if action.part_of else place.whole
    for name in ("id", "link"):
        for value in container.found.get(name, ()):
            if value.read_as == _LINK:
                return value.text
            return f"{place.whole}#{anchored(value.text)}"
    return f"{place.url}#{action.object}-{number}"
