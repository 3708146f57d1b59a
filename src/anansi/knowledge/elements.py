"""The elements of a page, by class and by id.

libxml2 takes 0.2 µs an element to compare an attribute: 120 µs for `*[contains(@class,'x')]` on a page of 600. To
list the classes of all elements once takes little more, and whatever is asked then is a look at sixty different ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from lxml import etree

from anansi.knowledge.xpath import LAST, Contains, Equals, Expression, Position, Predicate, Step, telling

LISTED: Final = ("@class", "@id")
"""Attributes that most expressions are about."""

_TAG: Final = re.compile(r"[a-z][a-z0-9]*|\*")
_IDS: Any = etree.XPath("/descendant::*/@id")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What a step asks of an element. Two of one kind are one, so that what fits is remembered by it."""

    test: str
    listed: Contains | Equals | None
    """What it says of an attribute, of a class or an id if it does."""
    telling: str
    rest: tuple[Predicate, ...]
    """What is left to be looked at, one element at a time."""
    every: tuple[Predicate, ...]

    @property
    def plain(self) -> bool:
        """Whether it is a tag and perhaps a position, which is found soonest below where it is wanted."""
        return self.listed is None

    def among(self, elements: list[Any]) -> list[Any]:
        """Return those of some elements of its tag, all brothers there, that are wanted."""
        for predicate in self.every:
            elements = _kept(elements, predicate) if elements else elements
        return elements

    def left(self, found: list[Any]) -> list[Any]:
        """Return the elements that the rest leaves."""
        for predicate in self.rest:
            found = _kept(found, predicate) if found else found
        return found


def wanted(step: Step) -> Wanted | None:
    """Make a step ready; None when it is more than a tag with its attributes and its position."""
    if _TAG.fullmatch(step.test) is None or not all(map(_is_simple, step.predicates)):
        return None
    predicates = step.predicates
    count = next((number for number, each in enumerate(predicates) if isinstance(each, Position)), len(predicates))
    about = [each for each in predicates[:count] if not isinstance(each, Position)]
    if not about:
        return Wanted(step.test, None, "", predicates, predicates)
    listed = next((each for each in about if each.value in LISTED), about[0])
    told = telling(Expression((Step("//", step.test, (listed,)),)))
    return Wanted(step.test, listed, told, tuple(each for each in predicates if each is not listed), predicates)


def _is_simple(predicate: Predicate) -> bool:
    """Tell whether a predicate is about a position or an attribute; every element contains the empty text."""
    if isinstance(predicate, Position):
        return True
    return predicate.value.startswith("@") and predicate.value != "@*" and predicate.string != ""


class Elements:
    """The elements of a page.

    Mutable: `_all` and `_by_tag`, filled as they are asked for, `_listed`, by attribute and tag, and `_fitting`, what
    was asked for already.
    """

    __slots__ = ("_all", "_by_tag", "_fitting", "_listed", "_source", "_tree")

    def __init__(self, tree: Any, source: str | None = None) -> None:
        """List a page's elements as they are asked for; its source may tell that there are none."""
        self._tree, self._source = tree, source
        self._all: list[Any] = []  # kept, for lxml makes an element anew whenever nobody holds it
        self._by_tag: dict[str, list[Any]] = {}
        self._listed: dict[tuple[str, str], _Listed] = {}
        self._fitting: dict[Wanted, list[Any]] = {}

    def fitting(self, asked: Wanted) -> list[Any]:
        """Return the elements that are wanted, in their order."""
        found = self._fitting.get(asked)
        if found is None:
            found = self._fitting[asked] = asked.left(self._look(asked))
        return found

    def of(self, tag: str) -> list[Any]:
        """Return the elements of a tag in their order."""
        if not self._all:
            self._all = list(self._tree.iter("*"))
        if tag == "*":
            return self._all
        found = self._by_tag.get(tag)
        if found is None:
            found = self._by_tag[tag] = list(self._tree.iter(tag))
        return found

    def are_listed(self, asked: Wanted) -> bool:
        """Tell whether finding what is wanted takes no more than a look, or a look tells that there is nothing."""
        if asked.listed is None:
            return False
        name = asked.listed.value
        return name == "@class" or (name, "*") in self._listed or not self._may_hold(asked)

    def _look(self, asked: Wanted) -> list[Any]:
        predicate, test = asked.listed, asked.test
        if predicate is None:
            return self.of(test)
        name = predicate.value
        # most expressions are about a class: one list for all
        about = (name, "*") if name == "@class" or (name, "*") in self._listed else (name, test)
        listed = self._listed.get(about)
        if listed is None:
            if not self._may_hold(asked):
                return []
            listed = self._listed[about] = self._list(*about)
        found = listed.fitting(predicate)
        return found if about[1] == test else [each for each in found if each.tag == test]

    def _list(self, name: str, tag: str) -> _Listed:
        if name == "@id" and tag == "*":  # few have one: libxml2 finds those in a third of the time
            return _Listed([(each, each.getparent()) for each in _IDS(self._tree)])
        attribute = name[1:].encode()  # as libxml2 has it: lxml need not encode it for each
        return _Listed([(value, each) for each in self.of(tag) if (value := each.get(attribute)) is not None])

    def _may_hold(self, asked: Wanted) -> bool:
        return not self._source or asked.telling in self._source


class _Listed:
    """The elements that have an attribute, by its value. Frozen once made."""

    __slots__ = ("_by_value", "_owners", "_values")

    def __init__(self, owners: list[tuple[str, Any]]) -> None:
        by_value: defaultdict[str, list[int]] = defaultdict(list)
        for number, (value, _) in enumerate(owners):
            by_value[value].append(number)
        self._owners = owners
        self._by_value = dict(by_value)
        self._values = "\n".join(by_value)

    def fitting(self, predicate: Contains | Equals) -> list[Any]:
        string, owners = predicate.string, self._owners
        if isinstance(predicate, Equals):
            return [owners[number][1] for number in self._by_value.get(string, ())]
        if string not in self._values:
            return []
        fits = [numbers for value, numbers in self._by_value.items() if string in value]
        found = fits[0] if len(fits) == 1 else sorted(chain.from_iterable(fits))
        return [owners[number][1] for number in found]


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
