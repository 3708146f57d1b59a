"""The elements of a page, by class and by id.

libxml2 takes 0.2 µs an element to compare an attribute: 120 µs for `*[contains(@class,'x')]` on a page of 600. To list
the classes of all elements once takes as long, and whatever is asked after that is a look at some sixty different ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from lxml import etree

from anansi.knowledge.xpath import LAST, Contains, Equals, Expression, Position, Predicate, Step, compiled, telling

LISTED: Final = ("@class", "@id")
"""Attributes that most expressions are about."""

_OWNERS: Final[dict[str, Any]] = {name: etree.XPath(f"/descendant::*[{name}]") for name in LISTED}
_VALUES: Final[dict[str, Any]] = {name: etree.XPath(f"//{name}", smart_strings=False) for name in LISTED}
_TAG: Final = re.compile(r"[a-z][a-z0-9]*|\*")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What a step asks of an element. Two of one kind are one, so that what fits is remembered by it."""

    test: str
    listed: Contains | Equals | None
    """What it says of a class or an id."""
    call: Any
    """Where it says nothing of those: the rest up to a position, for libxml2."""
    telling: str
    rest: tuple[Predicate, ...]
    """What is left to be looked at, one element at a time."""


def wanted(step: Step) -> Wanted | None:
    """Make a step ready; None when it is more than a tag with its attributes and its position."""
    if _TAG.fullmatch(step.test) is None or not all(map(_is_simple, step.predicates)):
        return None
    predicates = step.predicates
    count = next((number for number, each in enumerate(predicates) if isinstance(each, Position)), len(predicates))
    listed = next((each for each in predicates[:count] if not isinstance(each, Position) and each.value in LISTED), None)
    if listed is not None:
        return Wanted(step.test, listed, None, "", tuple(each for each in predicates if each is not listed))
    if not count:
        return Wanted(step.test, None, None, "", predicates)
    alone = Expression((Step("//", step.test, predicates[:count]),))
    return Wanted(step.test, None, compiled(alone), telling(alone), predicates[count:])


def _is_simple(predicate: Predicate) -> bool:
    """Tell whether a predicate is about a position or an attribute; every element contains the empty text."""
    if isinstance(predicate, Position):
        return True
    return predicate.value.startswith("@") and predicate.value != "@*" and predicate.string != ""


class Elements:
    """The elements of a page. Mutable: `_by`, lists of attributes, and `_fitting`, what was asked for already."""

    __slots__ = ("_by", "_fitting", "_tree")

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        self._by: dict[str, _Listed] = {}
        self._fitting: dict[Wanted, list[Any]] = {}

    def fitting(self, asked: Wanted, source: str | None) -> list[Any]:
        """Return the elements that are wanted, in their order; the page's source may tell that there are none."""
        found = self._fitting.get(asked)
        if found is None:
            found = self._fitting[asked] = self._look(asked, source)
        return found

    def _look(self, asked: Wanted, source: str | None) -> list[Any]:
        if asked.listed is not None:
            found = self._listed(asked.listed.value).fitting(asked.listed)
            if asked.test != "*":
                found = [each for each in found if each.tag == asked.test]
        elif asked.call is None:
            found = list(self._tree.iter(asked.test))
        else:
            found = asked.call(self._tree) if not source or asked.telling in source else []
        for predicate in asked.rest:
            if found:
                found = _kept(found, predicate)
        return found

    def _listed(self, name: str) -> _Listed:
        known = self._by.get(name)
        if known is None:
            known = self._by[name] = _Listed(_VALUES[name](self._tree), _OWNERS[name](self._tree))
        return known


class _Listed:
    """The elements that have an attribute, by its value. Frozen once made."""

    __slots__ = ("_by_value", "_values")

    def __init__(self, values: Iterable[str], owners: Iterable[Any]) -> None:
        by_value: dict[str, list[tuple[int, Any]]] = {}
        for place, (value, owner) in enumerate(zip(values, owners, strict=True)):
            if value in by_value:
                by_value[value].append((place, owner))
            else:
                by_value[value] = [(place, owner)]
        self._by_value = by_value
        self._values = "\n".join(by_value)

    def fitting(self, predicate: Contains | Equals) -> list[Any]:
        string = predicate.string
        if isinstance(predicate, Equals):
            return [owner for _, owner in self._by_value.get(string, ())]
        if string not in self._values:
            return []
        fits = [owners for value, owners in self._by_value.items() if string in value]
        if len(fits) == 1:
            return [owner for _, owner in fits[0]]
        return [owner for _, owner in sorted([pair for owners in fits for pair in owners], key=_first)]


_first: Final = itemgetter(0)


def _kept(elements: list[Any], predicate: Predicate) -> list[Any]:
    if isinstance(predicate, Position):
        return _counted(elements, predicate)
    name, string = predicate.value[1:], predicate.string
    if isinstance(predicate, Equals):
        return [each for each in elements if each.get(name) == string]
    return [each for each in elements if string in each.get(name, "")]


def _counted(elements: list[Any], position: Position) -> list[Any]:
    """Keep of brothers the one at a position."""
    brothers: dict[Any, list[Any]] = {}
    for each in elements:
        brothers.setdefault(each.getparent(), []).append(each)
    index = -1 if position.number == LAST else position.number - 1
    chosen = {those[index] for those in brothers.values() if index < len(those)}
    return [each for each in elements if each in chosen]
