"""Texts with something in their middle that is not theirs: what to leave out is learned from what is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from anansi.adapt.failed_page import FailedPage
from anansi.induce.expressions import Inducer
from anansi.induce.runs import keys
from anansi.knowledge.entry import As, Extraction, Property

MOST: Final = 8
"""Elements that are left out of a text."""

SETS: Final = 6
"""Sets of elements that are tried as what holds the texts."""

DEEPEST: Final = 6
"""Levels below an element in which they are looked for."""


def pruned(
    broken: FailedPage, action: Extraction, inducer: Inducer, name: str, held: Sequence[tuple[Sequence[Any], str]]
) -> Iterator[Property]:
    """Suggest rules for a text that leave out what it does not hold, given known texts and what they stand in."""
    rule = next((prop for prop in action.properties if prop.name == name), None)
    if rule is None or rule.read_as not in (As.BODY, As.DATE):
        return
    everywhere = Inducer(broken.features, [broken.place.tree])
    texts = [text for _, text in held]
    for targets in _alike(broken, [elements for elements, _ in held]):
        excluded: list[Any] = []
        for target, text in zip(targets, texts, strict=True):
            excluded += _foreign(broken, target, text)
        said = dict.fromkeys(first for one in excluded for first in everywhere.expressions_of_all([one])[:1])
        if len(said) <= MOST:
            for expression in inducer.expressions(targets)[:3]:
                yield Property(name, expression, rule.read_as, without=tuple(said))


def _alike(broken: FailedPage, held: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return sets of elements that hold the texts: of one tag and class, or the smallest and those around it."""
    lines = [sorted(each, key=broken.spans.length) for each in held]
    if not lines:
        return []
    lines = [[*each, *(_up(each[-1], height) for height in (1, 2))] for each in lines]
    shared = dict.fromkeys(key for each in lines[0] for key in keys(each))
    sets = [[next((each for each in line if key in keys(each)), None) for line in lines] for key in shared]
    sets = [each for each in sets if None not in each] + [[line[height] for line in lines] for height in range(3)]
    return [list(each) for each in dict.fromkeys(map(tuple, sets))][:SETS]


def _up(element: Any, height: int) -> Any:
    for _ in range(height):
        parent = element.getparent()
        element = element if parent is None else parent
    return element


def _foreign(broken: FailedPage, element: Any, text: str, depth: int = 0) -> list[Any]:
    """Return the largest elements in one that hold nothing of a text."""
    found: list[Any] = []
    for child in element:
        said = broken.spans.of(child) if isinstance(child.tag, str) else ""
        if not said or said in text or len(found) > MOST:
            continue
        below = _foreign(broken, child, text, depth + 1) if depth < DEEPEST and len(child) else []
        left = said
        for one in below:
            left = left.replace(broken.spans.of(one), "", 1)
        found += below if below and left and left in text else [child]
    return found
