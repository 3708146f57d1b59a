"""Steps of expressions in use: which elements of a page they ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from anansi.knowledge.xpath import LAST, Contains, Equals, Expression, Position, Predicate, Step, telling
from anansi.text.page_model import PageModel

LISTED: Final = ("@class", "@id")
"""Attributes that most expressions are about."""

_WORD: Final = re.compile(r"[\w-]+")
_TAG: Final = re.compile(r"[a-z][a-z0-9]*|\*")


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What a step asks of an element. Two of one kind are one, so that what fits is remembered by it."""

    test: str
    listed: Contains | Equals | None
    """What it says of an attribute, of a class or an id if it does."""
    telling: str
    written: re.Pattern[str] | None
    """How an attribute that equals something stands in a page's source."""
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
        return Wanted(step.test, None, "", None, predicates, predicates)
    listed = next((each for each in about if each.value in LISTED), about[0])
    told = telling(Expression((Step("//", step.test, (listed,)),)))
    rest = tuple(each for each in predicates if each is not listed)
    return Wanted(step.test, listed, told, _written(listed) if told else None, rest, predicates)


def _written(predicate: Contains | Equals) -> re.Pattern[str] | None:
    """Return how an attribute is written that equals a word: a short one stands in the texts of many pages."""
    if isinstance(predicate, Contains) or not _WORD.fullmatch(predicate.string):
        return None
    return re.compile(rf"""=\s*["']?{re.escape(predicate.string)}(?![\w-])""")


def _is_simple(predicate: Predicate) -> bool:
    """Tell whether a predicate is about a position or an attribute; every element contains the empty text."""
    if isinstance(predicate, Position):
        return True
    return predicate.value.startswith("@") and predicate.value != "@*" and predicate.string != ""


class Elements:
    """The elements of a page that steps ask for. Mutable: `_fitting`, what was asked for already."""

    __slots__ = ("_fitting", "_page")

    def __init__(self, page: PageModel) -> None:
        self._page = page
        self._fitting: dict[Wanted, list[Any]] = {}

    def fitting(self, asked: Wanted) -> list[Any]:
        """Return the elements that are wanted, in their order."""
        found = self._fitting.get(asked)
        if found is None:
            found = self._fitting[asked] = asked.left(self._look(asked))
        return found

    def are_listed(self, asked: Wanted) -> bool:
        """Tell whether finding what is wanted takes no more than a look, or a look tells that there is nothing."""
        if asked.listed is None:
            return False
        name = asked.listed.value
        return name == "@class" or self._page.is_listed(name[1:]) or not self._page.may_hold(asked.telling)

    def _look(self, asked: Wanted) -> list[Any]:
        predicate, test, page = asked.listed, asked.test, self._page
        if predicate is None:
            return page.of(test)
        name = predicate.value[1:]
        # most expressions are about a class: one list for all
        listed = name == "class" or page.is_listed(name)
        if not page.is_listed(name) and not _may_hold(page, asked):
            return []
        having = page.having(name, "*" if listed else test)
        found = (
            having.equal(predicate.string) if isinstance(predicate, Equals) else having.containing(predicate.string)
        )
        return [each for each in found if each.tag == test] if listed and test != "*" else found


def _may_hold(page: PageModel, asked: Wanted) -> bool:
    """Tell whether a page may hold what is wanted; to look how it is written takes less than to list attributes."""
    if not page.may_hold(asked.telling):
        return False
    return asked.written is None or not page.source or asked.written.search(page.source) is not None


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
