"""Where the objects of a page stand when no expression for their containers holds.

Software numbers what it stores: a post's number stands in an id, a name or a link whatever the theme, written as the
rules of its type say (`p12`, `comment-12`). So each number is an object, and its region reaches up to the next one's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from anansi.induce.page import StudiedPage
from anansi.knowledge.entry import Extraction, Property
from anansi.knowledge.xpath import Contains, Equals, Expression
from anansi.text.visible import UNSEEN

OBJECTS: Final = 60
"""Objects of a page that are looked at."""

SHORTEST: Final = 12
"""Characters of the shortest object."""

DATE: Final = 80
"""Characters of the longest piece of text that may be a date."""

LETTERS: Final = 3
"""Letters of a number that tell what it numbers."""

PIECES: Final = 600
"""Pieces of text of one region that are looked at."""

_DIGITS: Final = re.compile(r"\d+(?!.*\d)")
_TOPS: Final = frozenset(("html", "body", "head"))


@dataclass(frozen=True, slots=True)
class Piece:
    """A text between two tags."""

    element: Any
    """What it stands in."""
    text: str
    """In one line."""


@dataclass(frozen=True, eq=False)
class Region:
    """What belongs to one object of a page. Mutable inside: memos."""

    studied: StudiedPage
    top: Any
    holes: frozenset[Any] = frozenset()
    """Elements in it that belong to others."""
    id: str = ""
    """The object's number, as the rules of its type read it."""
    paths: dict[Any, str] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def pieces(self) -> list[Piece]:
        """Its texts, in the order of the page."""
        return [
            Piece(element, line)
            for _, (element, text) in zip(range(PIECES), _texts(self.top, self.holes), strict=False)
            if (line := " ".join(text.split()))
        ]

    @cached_property
    def elements(self) -> list[Any]:
        """The elements in it, in the order of the page, itself first."""
        return list(_inside(self.top, self.holes))

    @cached_property
    def links(self) -> list[Any]:
        """The links in it."""
        return [each for each in self.elements if each.tag == "a" and each.get("href")]

    def within(self, element: Any) -> Region:
        """Return what of it stands in an element."""
        return self if element is self.top else Region(self.studied, element, self.holes, self.id)

    def path(self, element: Any) -> str:
        """Say where an element stands in the region: the same for the same place of a template."""
        known = self.paths.get(element)
        if known is None:
            above = "" if element is self.top or element.getparent() is None else self.path(element.getparent())
            known = self.paths[element] = f"{above}/{element.tag}.{_name(element)}"
        return known


def _name(element: Any) -> str:
    names = (each for each in element.get("class", "").split() if not any(map(str.isdigit, each)))
    return next(names, "") or element.get("id", "").rstrip("0123456789")


def _inside(top: Any, holes: frozenset[Any]) -> Iterator[Any]:
    waiting = [top]
    while waiting:
        element = waiting.pop()
        if isinstance(element.tag, str) and element not in holes and element.tag not in UNSEEN:
            yield element
            waiting += reversed(element)


def _texts(top: Any, holes: frozenset[Any]) -> Iterator[tuple[Any, str]]:
    """Go through the texts of an element with what they stand in."""
    waiting: list[tuple[Any, bool]] = [(top, False)]
    while waiting:
        element, done = waiting.pop()
        if done:
            if element is not top and element.tail:
                yield element.getparent(), element.tail
            continue
        waiting.append((element, True))
        if isinstance(element.tag, str) and element not in holes and element.tag not in UNSEEN:
            if element.text:
                yield element, element.text
            waiting += ((child, False) for child in reversed(element))


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Numbering:
    """How objects are numbered."""

    attribute: str
    read: Callable[[str], str]
    """Return an object's number as the rules read it, or nothing."""
    own: bool
    """Whether it is the container that has it."""
    plain: bool
    """Whether any number may be taken for one."""


def regions(studied_pages: Sequence[StudiedPage], action: Extraction) -> list[list[Region]]:
    """Find the regions of an action's objects on pages of one level; nothing when they cannot be told."""
    for numbering in _numberings(action):
        found = [_anchors(studied, numbering) for studied in studied_pages]
        if sum(map(bool, found)) < 0.8 * len(found) or (numbering.plain and not _differ(found)):
            continue
        pages = [_of_page(studied, anchors, numbering) for studied, anchors in zip(studied_pages, found, strict=True)]
        lengths = sorted(
            studied.spans.length(one.top) for page in pages for one in page for studied in (one.studied,)
        )
        if lengths[len(lengths) // 2] >= SHORTEST:
            return [[replace(one, id=_read(one, action)) for one in page] for page in _like_others(pages)]
    return []


def _read(one: Region, action: Extraction) -> str:
    """Return the number of an object as the first of the rules reads it that can."""
    number = _DIGITS.search(one.id)
    for prop in action.properties:
        attribute = prop.expression.steps[-1].test
        if prop.name != "id" or not attribute.startswith("@"):
            continue
        read = _reader(prop, [prop.expression] if prop.match else action.each)
        own = len(prop.expression.steps) == 1
        for element in one.elements if read is not None else ():
            value = element.get(attribute[1:])
            empty = own and not one.studied.spans.length(element)
            said = read(value) if value and read is not None and not empty else ""
            if said and number and (found := _DIGITS.search(said)) and found[0] == number[0]:
                return said
    return one.id


def _numberings(action: Extraction) -> Iterator[_Numbering]:
    """Go through the ways in which rules say that objects are numbered, the surest first."""
    rules = [prop for prop in action.properties if prop.name == "id"]
    rules.sort(key=lambda prop: prop.expression.steps[-1].test == "@href")
    for prop in rules:
        attribute = prop.expression.steps[-1].test
        if attribute.startswith("@") and attribute != "@*":
            reads = [_reader(prop, [prop.expression])] if prop.match else []
            reads += [_reader(prop, [each]) for each in action.each] if not prop.match else []
            for read in reads:
                if read is not None:
                    plain = len(re.sub(r"\\.|[^A-Za-z]", "", prop.match)) < LETTERS
                    yield _Numbering(attribute[1:], read, len(prop.expression.steps) == 1, plain)


def _reader(prop: Property, about: Sequence[Expression]) -> Callable[[str], str] | None:
    attribute = prop.expression.steps[-1].test
    said = [each for expression in about for each in _said_of(expression, attribute)]
    regex = re.compile(prop.match) if prop.match else None
    if regex is None and not attribute.startswith("@data-"):
        if not said:
            return None
        regex = re.compile(rf"^{re.escape(said[0])}[-_]?\d+$")

    def read(value: str) -> str:
        if not any(map(str.isdigit, value)) or len(value) > 300 or not all(each in value for each in said):
            return ""
        if regex is None:
            return value if value.isdigit() else ""
        match = regex.search(value)
        return "" if match is None else (match[1] if regex.groups else match[0]) or ""

    return read


def _said_of(expression: Expression, attribute: str) -> Iterator[str]:
    """Go through what an expression says of an attribute."""
    for step in expression.steps:
        for each in step.predicates:
            if isinstance(each, Contains | Equals) and each.value == attribute:
                yield each.string


Anchors = dict[str, list[tuple[Any, str]]]
"""By number, the elements that have it, and how the rules read it."""


def _anchors(studied: StudiedPage, numbering: _Numbering) -> Anchors:
    found: Anchors = {}
    for element in studied.spans.elements:
        value = element.get(numbering.attribute) if isinstance(element.tag, str) else None
        read = numbering.read(value) if value and element.tag not in _TOPS else ""
        if read and len(found) <= OBJECTS and (number := _DIGITS.search(read)):
            found.setdefault(number[0], []).append((element, read))
    return found if len(found) <= OBJECTS else {}


def _differ(pages: Sequence[Anchors]) -> bool:
    """Tell whether no number stands on most pages: a template's would."""
    counted = Counter(number for page in pages for number in page)
    return all(count <= max(1, len(pages) // 3) for count in counted.values())


def _of_page(studied: StudiedPage, anchors: Anchors, numbering: _Numbering) -> list[Region]:
    owner = {element: number for number, mine in anchors.items() for element, _ in mine}
    held: dict[Any, set[str]] = {}
    for element, number in owner.items():
        for up in (element, *element.iterancestors()):
            held.setdefault(up, set()).add(number)
    found = []
    for number, mine in anchors.items():
        first, read = next((each for each in mine if studied.spans.length(each[0]) >= SHORTEST), mine[0])
        top = first
        own = numbering.own and studied.spans.length(first) >= SHORTEST
        while not own and (up := top.getparent()) is not None and up.tag not in _TOPS and held[up] == {number}:
            top = up
        holes = frozenset(each for each in owner if owner[each] != number) if held[top] != {number} else frozenset()
        found.append(Region(studied, top, holes, read))
    return found


def _like_others(pages: list[list[Region]]) -> list[list[Region]]:
    """Let the region of a page's only object be no larger than those of pages with several."""
    shapes = Counter(_shape(one.top) for page in pages if len(page) > 1 for one in page)
    return [page if len(page) > 1 else [_narrowed(one, shapes) for one in page] for page in pages]


def _shape(element: Any) -> str:
    return f"{element.tag}.{_name(element)}"


def _narrowed(region: Region, shapes: Counter[str]) -> Region:
    for element in region.elements:
        if shapes and _shape(element) in shapes and _holds(element, region):
            return Region(region.studied, element, region.holes, region.id)
    return region if shapes else _smallest(region)


def _smallest(region: Region) -> Region:
    """Return what holds the number and something that can be read as a date."""
    anchors = [each for each in region.elements if any(region.id in value for value in each.attrib.values())]
    at = anchors[0] if anchors else region.top
    while at is not region.top and not _dated(region.studied, at):
        at = at.getparent()
    return region.within(at)


def _dated(studied: StudiedPage, element: Any) -> bool:
    if studied.spans.length(element) < SHORTEST:
        return False
    texts = (each for each in element.itertext() if len(each) < DATE and any(map(str.isdigit, each)))
    return next(element.iter("time"), None) is not None or any(
        len(studied.place.dates.read(" ".join(each.split()))) >= len("2000-01-01") for each in texts
    )


def _holds(element: Any, region: Region) -> bool:
    return any(region.id in value for below in element.iter() for value in below.attrib.values())
