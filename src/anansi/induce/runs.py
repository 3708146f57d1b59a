"""Objects that no element holds: what begins one, and all that follows beside it up to the next.

dt dd dd dt dd dd: the elements between one object's text and the text before it are looked through for what all
objects have there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from anansi.induce.expressions import Inducer
from anansi.induce.page import StudiedPage
from anansi.knowledge.xpath import Expression

BEFORE: Final = 12
"""Elements before the first object's text that may begin it."""

MOST: Final = 6
"""Expressions for what begins objects."""

_MAIN: Final = ("text", "id", "link", "title")
"""Properties by whose places objects are told apart."""


def expressions(studied: StudiedPage, objects: Sequence[Mapping[str, Sequence[tuple[Any, str]]]]) -> list[Expression]:
    """Return expressions for what may begin objects, given where the values of each stand."""
    inducer = Inducer(studied.features, [studied.place.tree])
    found: list[Expression] = []
    for name in _MAIN:
        if all(each.get(name) for each in objects):
            for starts in _starts([each[name][0][0] for each in objects]):
                found += inducer.expressions_of_all(starts)[:2]
    return list(dict.fromkeys(found))[:MOST]


def keys(element: Any) -> tuple[tuple[str, str], ...]:
    """Say what elements that are of one kind share: tag and first class, tag and how ids begin."""
    stem = element.get("id", "").rstrip("0123456789")
    by_id = ((element.tag, f"#{stem}"),) if stem != element.get("id", "") else ()
    return ((element.tag, " ".join(element.get("class", "").split()[:1])), *by_id)


def _starts(places: Sequence[Any]) -> list[list[Any]]:
    """Return sets of elements of one kind, one before each place, beside each other."""
    parent = _common(places)
    if parent is None:
        return []
    beside = [each for each in parent if isinstance(each.tag, str)]
    at = sorted(next(number for number, each in enumerate(beside) if each in _above(place)) for place in places)
    if len(set(at)) != len(at):
        return []
    begins = [max(0, at[0] - BEFORE), *(number + 1 for number in at)]
    ranges = [beside[begin : end + 1][::-1] for begin, end in zip(begins, at, strict=False)]
    shared = dict.fromkeys(key for each in reversed(ranges[-1]) for key in keys(each))
    sets = [[next((each for each in one if key in keys(each)), None) for one in ranges] for key in shared]
    return [one for one in sets if None not in one]


def _above(element: Any) -> set[Any]:
    return {element, *element.iterancestors()}


def _common(places: Sequence[Any]) -> Any:
    """Return the innermost element that several stand in."""
    if len(places) < 2:
        return None
    shared = set.intersection(*(set(each.iterancestors()) for each in places))
    return next((each for each in places[0].iterancestors() if each in shared), None)
