"""Places as expressions of the XPath fragment: as short as they can be and still find what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from anansi.errors import KnowledgeError
from anansi.induce.blocks import Block
from anansi.induce.expressions import find
from anansi.induce.fields import Slot
from anansi.induce.outline import Outline, Places
from anansi.knowledge.xpath import Expression, parse

TRIED: Final = 12
"""Pages on which an expression is tried."""
STEPS: Final = 6
"""Steps of an expression at the most."""
GOOD: Final = 0.98
"""Share of the best that is enough for a shorter expression."""
STRAY: Final = 0.34
"""Share of what an expression finds that may stand elsewhere; what lacks a text there is no object anyway."""


@dataclass(frozen=True, slots=True)
class Container:
    """An expression for blocks, and what it finds on some pages."""

    expression: Expression
    found: dict[int, list[Any]] = field(default_factory=dict)
    """Identity of a page → elements."""


def _suffixes(steps: Sequence[str]) -> Iterator[Expression]:
    """Go through the ends of a path, the shortest first; one that names nothing finds too much."""
    for count in range(1, min(STEPS, len(steps)) + 1):
        if any("[" in step for step in steps[-count:]) or count == len(steps):
            try:
                yield parse("/".join(steps[-count:]))
            except KnowledgeError:
                return


def pages_of(blocks: Sequence[Block]) -> list[Outline]:
    """Return some of the pages that blocks stand on, from the first to the last."""
    every = list({id(page): page for page, _ in blocks}.values())
    return every[:: max(1, len(every) // TRIED)][:TRIED]


def container(place: int, blocks: Sequence[Block], places: Places) -> Container | None:
    """Return the shortest expression that finds blocks and little else."""
    pages = pages_of(blocks)
    wanted = {id(page): [page.elements[each] for each in page.by_place.get(place, ())] for page in pages}
    total = sum(map(len, wanted.values()))
    best: Container | None = None
    for expression in _suffixes(places.steps(place)):
        found = {id(page): find(expression, page.root) for page in pages}
        hit = sum(len(set(wanted[each]) & set(found[each])) for each in found)
        stray = sum(_strays(wanted[each], found[each]) for each in found)
        if hit < total:
            continue
        best = Container(expression, found)
        if stray <= STRAY * total:
            return best
    return best


def _strays(wanted: list[Any], found: list[Any]) -> int:
    """Count what is found elsewhere; what stands within blocks may be blocks of their own, as answers are."""
    there = set(wanted)
    others = (each for each in found if each not in there)
    return sum(not any(above in there for above in each.iterancestors()) for each in others)


def below(
    slot: Slot, place: int, blocks: Sequence[Block], found: Container | None, places: Places
) -> Expression | None:
    """Return the shortest expression that finds a slot in blocks."""
    best, most = None, 0
    for expression in _below(within(slot.place, place if found is not None else 0, places), _exact(slot, blocks)):
        right = _right(expression, slot, blocks, found)
        if right > most / GOOD:
            best, most = expression, right
    if best is None or not slot.attribute or slot.attribute in ("datetime", "content"):
        return best  # a date is read from these anyway
    return parse(f"{best}/@{slot.attribute}")


def within(place: int, of: int, places: Places) -> list[str]:
    """Return the steps from one place to another that stands in it."""
    return places.steps(place)[len(places.steps(of)) :]


def _exact(slot: Slot, blocks: Sequence[Block]) -> str:
    """Return the last step with the whole of its class, where all elements have the same one; else nothing."""
    elements = [blocks[number].page.elements[slot.nodes[number]] for number in slot.values]
    classes = {each.get("class") for each in elements}
    given = classes.pop() if len(classes) == 1 else None
    return f"{elements[0].tag}[@class='{given}']" if given and "'" not in given and len(given) < 200 else ""


def _below(steps: Sequence[str], exact: str) -> Iterator[Expression]:
    """Go through the ends of a path within a block: the shortest first, those that name something before others."""
    ends = [
        (*steps[-count:-1], last)
        for count in range(1, min(STEPS, len(steps)) + 1)
        for last in ((steps[-1], exact) if exact else (steps[-1],))
    ]
    for end in sorted(ends, key=lambda end: not any("(@" in step or "[@" in step for step in end)):
        try:
            yield parse("/".join(end))
        except KnowledgeError:
            continue


def _right(expression: Expression, slot: Slot, blocks: Sequence[Block], found: Container | None) -> int:
    """Count the blocks in which an expression finds the slot's element first."""
    pages = {id(page): page for page in pages_of(blocks)}
    first = {each: _firsts(expression, page, found) for each, page in pages.items()}
    right = 0
    for number in slot.values:
        page, element = blocks[number]
        if id(page) in pages:
            owner = page.elements[element] if found is not None else None
            right += first[id(page)].get(owner) is page.elements[slot.nodes[number]]
    return right


def _firsts(expression: Expression, page: Outline, found: Container | None) -> dict[Any, Any]:
    """Return the first element that is found in each container; the page is the container where there is none."""
    firsts: dict[Any, Any] = {}
    if found is None:
        for each in find(expression, page.root)[:1]:
            firsts[None] = each
        return firsts
    owners = set(found.found[id(page)])
    for each in find(found.expression / expression, page.root):
        owner = next((above for above in (each, *each.iterancestors()) if above in owners), None)
        firsts.setdefault(owner, each)
    return firsts
