"""Extraction actions: a page of a known level → objects.

A property's expression is evaluated once a page, for all containers together, and each node found goes to the
nearest container around it. A container that lacks what its object needs is none: what it holds goes to the next one
around it, so an expression that also finds parts of a post does no harm.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final
from urllib.parse import quote

from anansi.act import text
from anansi.act.dates import Reader as DateReader
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.search import Search, about_exchange, about_linked
from anansi.knowledge.xpath import LAST, Expression, Position, Step
from anansi.model import Value, WebObject
from anansi.url import resolve

MOST: Final = 2000
"""Objects of one kind on a page; more is an attack."""

MOST_VALUES: Final = 500
"""Values of one property of an object."""

LONGEST: Final = 1 << 20
"""Characters of one value."""

_MATCHED: Final = 10_000  # characters of a value that a regular expression is looked for in
_NUMBER: Final = re.compile(r"\d{1,3}(?:[.,'\u2019\s]\d{3})+(?!\d)|\d+")
_IN_FRAGMENT: Final = "!$%&'()*+,-./:;=?@_~"


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
    linked: Callable[[], Any] = lambda: None
    """What the page says of itself in JSON-LD, read when it is asked for."""


@dataclass(slots=True, eq=False)
class _Container:
    """A place that may be an object. Mutable while a page is read."""

    element: Any
    found: dict[str, list[Value]] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    """Properties that an earlier expression has found."""


class _Containers:
    """The containers of one kind of object on a page.

    Mutable state: `_there`, element → container; `_around`, element → the nearest container, once asked for.
    """

    def __init__(self, elements: Iterable[Any], *, run: bool = False):
        self._there: dict[Any, _Container] = {element: _Container(element) for element in elements}
        self._around: dict[Any, _Container | None] = dict(self._there)
        self.run = run
        """Whether a container reaches up to the next one."""
        for element, container in self._there.items() if run else ():
            beside = takewhile(lambda each: each not in self._there, element.itersiblings())
            self._around.update(dict.fromkeys(beside, container))

    def __iter__(self) -> Iterator[_Container]:
        return iter(self._there.values())

    def around(self, element: Any) -> _Container | None:
        """Return the nearest container that an element stands in, or is."""
        passed = []
        while element is not None and element not in self._around:
            passed.append(element)
            element = element.getparent()
        found = self._around.get(element)
        self._around.update(dict.fromkeys(passed, found))
        return found

    def complete(self, action: Extraction) -> list[_Container]:
        """Return the containers that are objects; what the others hold goes to the next one around them."""
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


class Extractor:
    """Runs extraction actions."""

    def __init__(self) -> None:
        self._search = Search()

    def objects(self, place: Place, actions: Iterable[Extraction]) -> list[WebObject]:
        """Return the objects of a page, those that others are part of first."""
        found: list[WebObject] = []
        uris: dict[str, dict[Any, str]] = {}
        for action in _wholes_first(actions):
            wholes = uris.get(action.part_of, {})
            mine = uris.setdefault(action.object, {})
            for number, container in enumerate(self._containers(place, action), start=1):
                uri = _uri(place, action, container, number)
                if not action.each and any(each.uri == uri for each in found):
                    uri = f"{uri}#{action.object}"  # two objects that are the page
                mine[container.element] = uri
                values = tuple((name, value) for name in action.names for value in container.found.get(name, ()))
                found.append(WebObject(action.object, uri, values, _whole(container.element, wholes)))
        return found

    # ── containers ───────────────────────────────────────────────────────────────────────────────────────────────

    def _containers(self, place: Place, action: Extraction) -> list[_Container]:
        """Find the containers and fill them."""
        if not action.each:
            page = _Containers([place.tree])
            self._fill(place, action, page, None)
            return page.complete(action)
        for each in action.each:
            elements = self._find(place, each)[:MOST]
            if not elements:
                continue
            containers = _Containers(elements, run=each in action.runs)
            self._fill(place, action, containers, each)
            complete = containers.complete(action)
            if complete:
                return complete
        return []

    def _fill(self, place: Place, action: Extraction, containers: _Containers, each: Expression | None) -> None:
        for prop in action.properties:
            name, most = prop.name, MOST_VALUES if prop.many else 1
            if all(name in container.settled for container in containers):
                continue
            without = {node for expression in prop.without for node in self._find(place, expression)}
            filled: Counter[_Container] = Counter()
            for container, node in self._nodes(place, prop, containers, each):
                if name in container.settled or filled[container] >= most:
                    continue
                value = _value(place, prop, node, without)
                if value is not None:
                    container.found.setdefault(name, []).append(value)
                    filled[container] += 1
            for container in filled:
                container.settled.add(name)

    def _nodes(
        self, place: Place, prop: Property, containers: _Containers, each: Expression | None
    ) -> Iterator[tuple[_Container, Any]]:
        """Find the nodes of a property and the containers they belong to.

        An attribute or a text is (its element, its step): lxml's strings that know their parents cost more.
        """
        *above, last = prop.expression.steps
        part = last if last.test == "text()" or last.test.startswith("@") else None
        if part is not None and not above:  # the container's own
            yield from ((container, (container.element, part)) for container in containers)
            return
        path = prop.expression if part is None else Expression(tuple(above))
        nodes = self._find(place, path) if each is None or containers.run else self._find(place, each, path)
        if part is not None and part.axis == "//":
            nodes = list(dict.fromkeys(below for node in nodes for below in node.iter()))
        (page, *_) = containers
        for node in nodes:
            container = page if each is None else containers.around(node)
            if container is not None:
                yield container, node if part is None else (node, part)

    def _find(self, place: Place, *path: Expression) -> list[Any]:
        if about_exchange(path[0]):
            return self._search.find(place.exchange, None, *path)
        if about_linked(path[0]):
            said = place.linked()
            return self._search.find(said, None, *path) if said is not None else []
        return self._search.find(place.tree, place.source, *path)


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _value(place: Place, prop: Property, node: Any, without: AbstractSet[Any]) -> Value | None:
    """Read the value of a node; None when there is none."""
    raw = _raw(prop, node, without)
    if prop.match:
        found = _regex(prop.match).search(raw[:_MATCHED])
        raw = "" if found is None else (found[1] if found.re.groups else found[0]) or ""
    raw = raw.strip()[:LONGEST]
    return _READERS[prop.read_as](place, prop, raw) if raw else None


def _raw(prop: Property, node: Any, without: AbstractSet[Any]) -> str:
    if isinstance(node, tuple):
        return _part(*node)
    if prop.read_as is As.LINK:
        return str(node.get("href") or node.get("src") or "")
    if prop.read_as is As.DATE:
        machine = node.get("datetime") or node.get("content")
        if machine:
            return str(machine)
    return text.of(node, without)


def _part(element: Any, step: Step) -> str:
    """Return an attribute of an element, or the text that stands in it and not deeper."""
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
    return Value(read, As.DATE.value, text.line(raw)) if read else None


def _link(place: Place, _prop: Property, raw: str) -> Value | None:
    """Read a link with its fragment, which tells a post from the thread it stands in."""
    link = resolve(raw, place.base)
    if link is None:
        return None
    fragment = quote(raw.partition("#")[2], safe=_IN_FRAGMENT)
    return Value(f"{link}#{fragment}" if fragment else link, As.LINK.value)


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
    As.BODY: lambda _place, _prop, raw: Value(raw, As.BODY.value),
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
            if value.read_as == As.LINK.value:
                return value.text
            return f"{place.whole}#{quote(value.text, safe='')}"
    return f"{place.url}#{action.object}-{number}"


@lru_cache(2000)
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
