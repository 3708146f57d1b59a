"""Extraction actions: a page of a known level → objects.

A property's expression is evaluated once a page, for all containers together, and each node found goes to the
nearest container around it. A container that lacks what its object needs is none: what it holds goes to the next one
around it, so an expression that also finds parts of a post does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, Final

from anansi.act import inside
from anansi.act.text import Cut
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

_NOTHING: Final = Cut()
_LINK: Final = As.LINK.value  # an enum's value costs a call


_INSIDE: Final = {"reference": "in text: reference", "image": "in text: image", "media": "in text: media"}
"""Properties that are taken with a text, and the names that they are kept under beside those that have rules."""


_TEXTS: Final = frozenset(("text", "quote"))

Found = dict[str, list[Value]]
"""What was found for an object: values by the name of their property."""


class _Containers:
    """The places of one kind of object on a page.

    Mutable state: `found`, element → what it holds; `_lacking`, name → elements that no expression has found it for.
    """

    def __init__(self, elements: list[Any], nearest: Callable[[Any], Any]):
        self.found: dict[Any, Found] = {element: {} for element in elements}
        self.nearest = nearest
        """Returns the container that an element stands in, or is; None for none."""
        self._lacking: dict[str, set[Any]] = {}

    def lacking(self, name: str) -> set[Any]:
        """Return the containers that a property has not been found for; whoever finds it takes them out."""
        known = self._lacking.get(name)
        if known is None:
            known = self._lacking[name] = set(self.found)
        return known

    def complete(self, action: Extraction) -> dict[Any, Found]:
        """Return the containers that are objects; what the others hold goes to the next one around them."""
        found = self.found
        if all(_complete(held, action) for held in found.values()):
            return found
        own = {element: frozenset(held) for element, held in found.items()}
        many = {prop.name for prop in action.properties if prop.many}
        for element, held in reversed(list(found.items())):  # the inner ones, and the last ones, first
            if _complete(held, action):
                continue
            del found[element]
            outer = next((each for each in element.iterancestors() if each in found), None)
            for name, values in held.items() if outer is not None else ():
                if name in many:
                    found[outer][name] = (values + found[outer].get(name, []))[:MOST_VALUES]
                elif name not in own[outer]:
                    found[outer][name] = values
        return found


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
    properties: tuple[tuple[str, tuple[_Sought, ...]], ...]
    """What is sought below them: names, each with its expressions as far as they stand together."""


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
            for number, (element, held) in enumerate(self._containers(place, ready).items(), start=1):
                uri = _uri(place, action, held, number)
                if not action.each and any(each.uri == uri for each in found):
                    uri = f"{uri}#{action.object}"  # two objects that are the page
                mine[element] = uri
                values = [(name, value) for name in ready.names if name in held for value in held[name]]
                if place.inside:
                    values += _inside(held, values)
                found.append(WebObject(action.object, uri, tuple(values), _whole(element, wholes)))
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
                            (name, tuple(self._sought(prop, None if each in action.runs else each) for prop in props))
                            for name, props in groupby(action.properties, attrgetter("name"))
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

    def _containers(self, place: Place, ready: _Ready) -> dict[Any, Found]:
        """Find the containers and fill them."""
        for way in ready.ways:
            containers = self._at(place, way)
            if not containers.found:
                continue
            for name, alternatives in way.properties:
                lacking = containers.lacking(name)
                for sought in alternatives:
                    if not lacking:
                        break
                    self._fill(place, sought, containers, lacking)
            complete = containers.complete(ready.action)
            if complete:
                return complete
        return {}

    def _at(self, place: Place, way: _Way) -> _Containers:
        if way.each is None:
            return _Containers([place.tree], lambda _: place.tree)
        elements = self._search.follow(place.tree, place.source, way.each)
        if len(elements) > MOST:
            elements = elements[:MOST]
            around = Around(elements)
        else:
            around = self._search.around(place.tree, way.each)
        return _Containers(elements, (_reaching(elements) if way.run else around).nearest)

    def _fill(self, place: Place, sought: _Sought, containers: _Containers, lacking: set[Any]) -> None:
        """Give the containers that lack a property what an expression finds for them."""
        nodes = self._nodes(place, sought, containers)
        if not nodes:
            return
        name, most, reading = sought.name, sought.most, sought.reading
        prop, raw_of, read = reading.prop, reading.raw, reading.read
        found, nearest = containers.found, containers.nearest
        cut = self._cut(place, sought)
        taking = place.inside and prop.read_as is As.BODY and name in _TEXTS
        filled: dict[Any, list[Value]] = {}
        for node in nodes:
            container = nearest(node)
            if container not in lacking:
                continue
            within = _without_furniture(node, cut) if taking else cut
            raw = raw_of(place, node, within)
            value = read(place, prop, raw[:LONGEST]) if raw else None
            if value is None:
                continue
            if taking:
                _take(place, node, within, found[container])
            if most == 1:
                found[container][name] = [value]
                lacking.discard(container)
                continue
            values = filled.setdefault(container, [])
            values.append(value)
            if len(values) == most:
                lacking.discard(container)
        for container, values in filled.items():
            found[container][name] = values
        lacking.difference_update(filled)

    def _nodes(self, place: Place, sought: _Sought, containers: _Containers) -> list[Any]:
        """Find the elements of a property."""
        if sought.trail is None:
            nodes = list(containers.found)
        elif sought.elsewhere is None:
            nodes = self._search.follow(place.tree, place.source, sought.trail)
        else:
            about = sought.elsewhere(place)
            nodes = self._search.follow(about, None, sought.trail) if about is not None else []
        if sought.deeper:
            return list(dict.fromkeys(below for node in nodes for below in node.iter()))
        return nodes

    def _cut(self, place: Place, sought: _Sought) -> Cut:
        tree, source, follow = place.tree, place.source, self._search.follow
        elements = (
            {node for trail in sought.without for node in follow(tree, source, trail)} if sought.without else None
        )
        return Cut.of(elements) if elements else _NOTHING


def _reaching(elements: list[Any]) -> Around:
    """Return what tells in which container an element stands, where each reaches up to the next one beside it."""
    starts = set(elements)
    beside = {
        each: start for start in elements for each in takewhile(lambda each: each not in starts, start.itersiblings())
    }
    return Around(elements, beside)


def _without_furniture(node: Any, cut: Cut) -> Cut:
    """Leave out of a text what is of the template, too."""
    parts = inside.furniture(node)
    return Cut.of({*cut.elements, *parts}) if parts else cut


def _take(place: Place, node: Any, cut: Cut, held: Found) -> None:
    """Keep what stands inside a text."""
    for name, value in inside.values(node, cut, place.resolve, place.base):
        values = held.setdefault(_INSIDE[name], [])
        if len(values) < inside.MOST and value not in values:
            values.append(value)


def _inside(held: Found, values: list[tuple[str, Value]]) -> list[tuple[str, Value]]:
    """Return what stands inside the texts of an object, without what its rules found."""
    known = set(values)
    every = [(name, value) for name, kept in _INSIDE.items() for value in held.get(kept, ())]
    return [each for each in every if each not in known]


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


def _complete(held: Found, action: Extraction) -> bool:
    return bool(held) and all(name in held for name in action.needs)


def _uri(place: Place, action: Extraction, held: Found, number: int) -> str:
    if not action.each:
        return f"{place.whole}#{action.object}" if action.part_of else place.whole
    for name in ("id", "link"):
        for value in held.get(name, ()):
            if value.read_as == _LINK:
                return value.text
            return f"{place.whole}#{anchored(value.text)}"
    return f"{place.url}#{action.object}-{number}"
