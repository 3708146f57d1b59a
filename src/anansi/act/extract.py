"""Extraction actions: a page of a known level → objects.

A property's expression is evaluated once a page, for all containers together, and each node found goes to the
nearest container around it. A container that lacks what its object needs is none: what it holds goes to the next one
around it, so an expression that also finds parts of a post does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from anansi.act import text
from anansi.act.dates import Reader as DateReader
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.search import Around, Search, Trail, about_exchange
from anansi.knowledge.xpath import LAST, Expression, Position, Step
from anansi.model import Value, WebObject
from anansi.url import resolve

MOST: Final = 2000
"""Objects of one kind on a page; more is an attack."""

MOST_VALUES: Final = 500
"""Values of one property of an object."""

LONGEST: Final = 1 << 20
"""Characters of one value."""

READY: Final = 2000
"""Actions kept ready, several KB each; the built-in entries have a hundred."""

_MATCHED: Final = 10_000  # characters of a value that a regular expression is looked for in
_NUMBER: Final = re.compile(r"\d{1,3}(?:[.,'\u2019\s]\d{3})+(?!\d)|\d+")
_IN_FRAGMENT: Final = "!$%&'()*+,-./:;=?@_~"
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9_.~-]+")  # what `quote` leaves alone
_NOTHING: Final[frozenset[Any]] = frozenset()
# an enum's value costs a call, and these are asked for by the value
_DATE, _LINK, _BODY = As.DATE.value, As.LINK.value, As.BODY.value


@dataclass(frozen=True, slots=True)
class Place:
    """Where objects are found: the page, and what it is a page of."""

    tree: Any
    source: str
    """The page's text with its markup; empty when it is not at hand."""
    exchange: Any
    """The part of the virtual document that does not stand in the page."""
    url: str
    base: str
    """What links are relative to."""
    whole: str
    """The address of the thread or article that the page shows, or shows a part of."""
    dates: DateReader


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

    prop: Property
    most: int
    """Values of one container."""
    trail: Trail | None
    """Where its elements stand; None when it is the container's own attribute or text."""
    of_exchange: bool
    part: Step | None
    """What of an element is meant: an attribute, or its text alone."""
    without: tuple[Trail, ...]
    regex: re.Pattern[str] | None
    read: Callable[[Place, Property, str], Value | None]


@dataclass(frozen=True, slots=True)
class _Ready:
    """An action made ready."""

    action: Extraction
    names: tuple[str, ...]
    ways: tuple[tuple[Trail | None, tuple[_Sought, ...]], ...]
    """Where containers may stand (None: the page is the container), each with the properties sought below them."""


class Extractor:
    """Runs extraction actions. Mutable: `_ready`, the actions made ready, by their identity."""

    def __init__(self, search: Search | None = None) -> None:
        self._search = Search() if search is None else search
        self._ready: dict[int, _Ready] = {}

    def objects(self, place: Place, actions: Iterable[Extraction]) -> list[WebObject]:
        """Return the objects of a page, those that others are part of first."""
        found: list[WebObject] = []
        uris: dict[str, dict[Any, str]] = {}
        for action in _wholes_first(actions):
            ready = self._made_ready(action)
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

    def _made_ready(self, action: Extraction) -> _Ready:
        known = self._ready.get(id(action))
        if known is None or known.action is not action:
            if len(self._ready) >= READY:
                self._ready.clear()
            known = self._ready[id(action)] = _Ready(
                action,
                action.names,
                tuple(
                    (
                        self._search.trail(each) if each is not None else None,
                        tuple(self._sought(prop, each) for prop in action.properties),
                    )
                    for each in action.each or (None,)
                ),
            )
        return known

    def _sought(self, prop: Property, each: Expression | None) -> _Sought:
        """Make a property ready.

        An attribute or a text is found by its element: lxml's strings that know their parents cost more.
        """
        *above, last = prop.expression.steps
        part = last if last.test == "text()" or last.test.startswith("@") else None
        path = (prop.expression,) if part is None else (Expression(tuple(above)),) if above else ()
        if each is not None and path:
            path = (each, *path)
        return _Sought(
            prop,
            MOST_VALUES if prop.many else 1,
            self._search.trail(*path) if path else None,
            bool(path) and about_exchange(path[0]),
            part,
            tuple(self._search.trail(expression) for expression in prop.without),
            _regex(prop.match) if prop.match else None,
            _READERS[prop.read_as],
        )

    # ── containers ───────────────────────────────────────────────────────────────────────────────────────────────

    def _containers(self, place: Place, ready: _Ready) -> list[_Container]:
        """Find the containers and fill them."""
        for each, properties in ready.ways:
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
            containers = _Containers(elements, around)
            for sought in properties:
                self._fill(place, sought, containers, whole=each is None)
            complete = containers.complete(ready.action)
            if complete:
                return complete
        return []

    def _fill(self, place: Place, sought: _Sought, containers: _Containers, *, whole: bool) -> None:
        """Give the containers that lack a property what an expression finds for them."""
        name, most = sought.prop.name, sought.most
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
            value = _value(place, sought, node, without)
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
        elif sought.of_exchange:
            nodes = self._search.follow(place.exchange, None, sought.trail)
        else:
            nodes = self._search.follow(place.tree, place.source, sought.trail)
        if sought.trail is not None and sought.part is not None and sought.part.axis == "//":
            return list(dict.fromkeys(below for node in nodes for below in node.iter()))
        return nodes

    def _without(self, place: Place, sought: _Sought) -> AbstractSet[Any]:
        if not sought.without:
            return _NOTHING
        tree, source, follow = place.tree, place.source, self._search.follow
        return {node for trail in sought.without for node in follow(tree, source, trail)}


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _value(place: Place, sought: _Sought, node: Any, without: AbstractSet[Any]) -> Value | None:
    """Read the value of an element; None when there is none."""
    prop = sought.prop
    raw = _raw(prop, node, without) if sought.part is None else _part(node, sought.part)
    if sought.regex is not None:
        found = sought.regex.search(raw[:_MATCHED])
        raw = "" if found is None else (found[1] if found.re.groups else found[0]) or ""
    raw = raw.strip()[:LONGEST]
    return sought.read(place, prop, raw) if raw else None


def _raw(prop: Property, node: Any, without: AbstractSet[Any]) -> str:
    if prop.read_as is As.LINK:
        return str(node.get("href") or node.get("src") or "")
    if prop.read_as is As.DATE:
        machine = node.get("datetime") or node.get("content")
        if machine:
            return str(machine)
    return text.of(node, without)


def _part(element: Any, step: Step) -> str:
    """Return an attribute of an element, or the text that stands in it and not deeper."""
    if not step.predicates and step.test not in ("@*", "text()"):
        return str(element.get(step.test[1:], ""))
    if not all(isinstance(each, Position) for each in step.predicates):
        return ""  # nothing stands below an attribute or a text, so nothing there can be compared
    if step.test == "@*":
        parts = list(element.attrib.values())
    elif step.test != "text()":
        parts = [str(element.get(step.test[1:], ""))]
    else:
        parts = [each for each in (element.text, *(child.tail for child in element)) if each]
    for predicate in step.predicates:
        assert isinstance(predicate, Position)
        parts = parts[-1:] if predicate.number == LAST else parts[predicate.number - 1 : predicate.number]
    return " ".join(parts)


def _date(place: Place, prop: Property, raw: str) -> Value | None:
    read = place.dates.read(raw, prop.formats)
    return Value(read, _DATE, text.line(raw)) if read else None


def _link(place: Place, _prop: Property, raw: str) -> Value | None:
    """Read a link with its fragment, which tells a post from the thread it stands in."""
    link = resolve(raw, place.base)
    if link is None:
        return None
    fragment = raw.partition("#")[2] if "#" in raw else ""
    if fragment and _UNRESERVED.fullmatch(fragment) is None:
        fragment = quote(fragment, safe=_IN_FRAGMENT)
    return Value(f"{link}#{fragment}" if fragment else link, _LINK)


def _number(_place: Place, _prop: Property, raw: str) -> Value | None:
    found = _NUMBER.search(raw)
    if found is None:
        return None
    sign = "-" if raw[0] in "-−" and found.start() == 1 else ""
    return Value(f"{sign}{int(re.sub(r'[^0-9]', '', _ascii(found[0]))[:15])}", As.NUMBER.value, text.line(raw))


def _ascii(digits: str) -> str:
    """Write the digits of any script as 0 to 9."""
    return "".join(str(int(each)) if each.isdecimal() else each for each in digits)


_READERS: Final[dict[As, Callable[[Place, Property, str], Value | None]]] = {
    As.TEXT: lambda _place, _prop, raw: Value(text.line(raw)),
    As.BODY: lambda _place, _prop, raw: Value(raw, _BODY),
    As.DATE: _date,
    As.LINK: _link,
    As.NUMBER: _number,
}


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
            plain = _UNRESERVED.fullmatch(value.text) is not None
            return f"{place.whole}#{value.text if plain else quote(value.text, safe='')}"
    return f"{place.url}#{action.object}-{number}"


@lru_cache(2000)
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
