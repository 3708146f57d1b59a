"""Extraction actions: a page of a known level → objects.

A property's expression is evaluated once a page, for all containers together, and each node found goes to the
nearest container around it. A container that lacks what its object needs is none: what it holds goes to the next one
around it, so an expression that also finds parts of a post does no harm. Where that leaves nothing of what plainly is
an object, for it has a number or a text of its own, it is kept as incomplete: the template may be another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.search import Around, Search, Trail, about_exchange, about_linked
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject
from anansi.pages import inside_text as inside
from anansi.pages.containers import MOST_VALUES, Containers, Found, is_complete, likely, with_numbered
from anansi.pages.date_places import of_another, with_clock, with_time
from anansi.pages.values import LONGEST, Place, Reading, anchored, matched_part, regex
from anansi.text.page_model import PageModel
from anansi.text.visible import Cut

__all__ = ["LONGEST", "MOST", "MOST_VALUES", "Extractor", "Found", "Place"]

MOST: Final = 2000
"""Objects of one kind on a page; more is an attack."""

READY: Final = 2000
"""Actions kept ready, several KB each; the built-in entries have a hundred."""

SHORTEST: Final = 2
"""Characters of a title that can be held against the head; a single one stands anywhere."""
TITLES: Final = 40
"""Elements of one expression that may hold a page's title; a page has few headings of one kind."""

_OF_THE_HEAD: Final = frozenset(("title", "meta", "link"))
_NOT_WORD: Final = re.compile(r"[\W_]+")
_DAY: Final = len("2009-01-05")
_NOTHING: Final = Cut()
_LINK: Final = As.LINK.value  # an enum's value costs a call


_INSIDE: Final = {"reference": "in text: reference", "image": "in text: image", "media": "in text: media"}
"""Properties that are taken with a text, and the names that they are kept under beside those that have rules."""


_TEXTS: Final = frozenset(("text", "quote"))


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
    """What is sought below them: names, each with its expressions."""


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
                incomplete = place.lenient and not is_complete(held, action)
                uri = _uri(place, action, held, number)
                if not action.each and any(each.uri == uri for each in found):
                    uri = f"{uri}#{action.object}"  # two objects that are the page
                mine[element] = uri
                values = [(name, value) for name in ready.names if name in held for value in held[name]]
                if place.inside:
                    values += _inside(held, values)
                found.append(WebObject(action.object, uri, tuple(values), _whole(element, wholes), incomplete))
        return found

    def found(self, place: Place, action: Extraction) -> Iterable[Found]:
        """Return what each container of an action holds, at places that have something for its first property."""
        ready = self._made_ready(action)
        ways = tuple(way for way in ready.ways if any(self._nodes_at(place, each) for each in way.properties[0][1]))
        return self._containers(place, replace(ready, ways=ways)).values() if ways else ()

    def elements(self, place: Place, expression: Expression) -> list[Any]:
        """Return the elements of a page that an expression points to; none for a part of one."""
        if expression.steps[-1].test == "text()" or expression.steps[-1].test.startswith("@"):
            return []
        return self._search.follow(place.page, self._search.trail(expression))

    def _nodes_at(self, place: Place, sought: _Sought) -> list[Any] | bool:
        if sought.trail is None or sought.elsewhere is not None:
            return True
        return self._search.follow(place.page, sought.trail)

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
                            for name, props in _by_name(action.properties).items()
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
        """Find the containers and fill them; where none is complete, those that are objects all the same, likely."""
        best: dict[Any, Found] = {}
        for way in ready.ways:
            containers = self._at(place, way)
            if not containers.found:
                continue
            for name, alternatives in way.properties:
                self._seek(place, way, name, alternatives, containers)
            if all(is_complete(held, ready.action) for held in containers.found.values()):
                return containers.found
            own = {element: {**held} for element, held in containers.found.items()} if place.lenient else {}
            complete = containers.complete(ready.action)
            if complete:
                return with_numbered(complete, own) if own else complete
            kept = likely(own)
            best = kept if len(kept) > len(best) else best
        return best

    def _seek(
        self, place: Place, way: _Way, name: str, alternatives: tuple[_Sought, ...], containers: Containers
    ) -> None:
        """Find a property for all containers: by the first expression that finds it, container by container."""
        lacking = containers.lacking(name)
        if (
            way.each is None
            and name == "title"
            and lacking
            and self._titled(place, alternatives, containers, lacking)
        ):
            return
        for sought in alternatives:
            if not lacking:
                break
            self._fill(place, sought, containers, lacking)
        if name == "date":
            self._clocked(place, alternatives, containers)
        if name == "id" and lacking and way.each is not None:
            _number_before(place, alternatives, containers, lacking)

    def _clocked(self, place: Place, alternatives: tuple[_Sought, ...], containers: Containers) -> None:
        """Add to days the times of day that other expressions for dates find in the same containers."""
        days = {
            each for each, held in containers.found.items() if "date" in held and len(held["date"][0].text) == _DAY
        }
        for sought in alternatives[1:] if days else ():
            cut = self._cut(place, sought)
            for node in self._nodes(place, sought, containers):
                container = containers.nearest(node)
                if container not in days:
                    continue
                raw = sought.reading.raw(place, node, cut)
                day = containers.found[container]["date"][0]
                whole = with_clock(place, sought.reading.prop, raw, day) if raw else day
                if whole is not day:
                    containers.found[container]["date"] = [whole]
                    days.discard(container)

    def _titled(
        self, place: Place, alternatives: tuple[_Sought, ...], containers: Containers, lacking: set[Any]
    ) -> bool:
        """Take of all that may be a page's title the first that the head names, too; tell whether there is one."""
        head = _squeezed(place.page.title)
        if not head:
            return False
        for sought in alternatives:
            cut = self._cut(place, sought)
            for node in self._nodes(place, sought, containers)[:TITLES]:
                if sought.elsewhere is not None or node.tag in _OF_THE_HEAD:
                    return False  # what is written for machines is not held against the head
                raw = sought.reading.raw(place, node, cut)
                value = sought.reading.read(place, sought.reading.prop, raw[:LONGEST]) if raw else None
                title = _squeezed(value.text) if value is not None else ""
                if value is not None and len(title) < SHORTEST:
                    return False  # a title of signs alone cannot be held against the head
                if value is not None and f" {title} " in f" {head} ":
                    containers.found[place.tree]["title"] = [value]
                    lacking.discard(place.tree)
                    return True
        return False

    def _at(self, place: Place, way: _Way) -> Containers:
        if way.each is None:
            return Containers([place.tree], lambda _: place.tree)
        elements = self._search.follow(place.page, way.each)
        if len(elements) > MOST:
            elements = elements[:MOST]
            around = Around(elements)
        else:
            around = self._search.around(place.page, way.each)
        return Containers(elements, (_reaching(elements) if way.run else around).nearest)

    def _fill(self, place: Place, sought: _Sought, containers: Containers, lacking: set[Any]) -> None:
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
        own = place.elsewhere is not None and prop.read_as is As.DATE and place.tree in found
        for node in nodes:
            container = nearest(node)
            if container not in lacking or (own and of_another(place, node)):
                continue
            within = _without_furniture(node, cut) if taking else cut
            raw = raw_of(place, node, within)
            value = read(place, prop, raw[:LONGEST]) if raw else None
            if value is None:
                continue
            if prop.read_as is As.DATE and "T" not in value.text:
                value = with_time(place, prop, node, value)
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

    def _nodes(self, place: Place, sought: _Sought, containers: Containers) -> list[Any]:
        """Find the elements of a property."""
        if sought.trail is None:
            nodes = list(containers.found)
        elif sought.elsewhere is None:
            nodes = self._search.follow(place.page, sought.trail)
        else:
            about = sought.elsewhere(place)
            nodes = self._search.follow(PageModel(about), sought.trail) if about is not None else []
        if sought.deeper:
            return list(dict.fromkeys(below for node in nodes for below in node.iter()))
        return nodes

    def _cut(self, place: Place, sought: _Sought) -> Cut:
        page, follow = place.page, self._search.follow
        elements = {node for trail in sought.without for node in follow(page, trail)} if sought.without else None
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
    every = [(name, value) for name, kept in _INSIDE.items() for value in held.get(kept, ())]
    known = set(values) if every else ()
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


def _by_name(properties: Iterable[Property]) -> dict[str, list[Property]]:
    found: dict[str, list[Property]] = {}
    for each in properties:
        found.setdefault(each.name, []).append(each)
    return found


def _number_before(
    place: Place, alternatives: tuple[_Sought, ...], containers: Containers, lacking: set[Any]
) -> None:
    """Give containers the number that stands in an empty anchor right before them."""
    rules = [each for each in alternatives if each.reading.prop.match and each.reading.part is not None]
    for element in list(lacking):
        anchor = element.getprevious()
        if anchor is None or anchor.tag != "a" or anchor.text or len(anchor) or (anchor.tail or "").strip():
            continue
        name = anchor.get("id") or anchor.get("name") or ""
        for sought in rules:
            found = regex(sought.reading.prop.match).search(name)
            value = sought.reading.read(place, sought.reading.prop, matched_part(found)) if found else None
            if value is not None:
                containers.found[element]["id"] = [value]
                lacking.discard(element)
                break


def _squeezed(text: str) -> str:
    return " ".join(_NOT_WORD.split(text.lower())).strip()


def _uri(place: Place, action: Extraction, held: Found, number: int) -> str:
    if not action.each:
        return f"{place.whole}#{action.object}" if action.part_of else place.whole
    for name in ("id", "link"):
        for value in held.get(name, ()):
            if value.read_as == _LINK:
                return value.text
            return f"{place.whole}#{anchored(value.text)}"
    return f"{place.url}#{action.object}-{number}"
