"""Known objects of a page, and rules that find one property of theirs where it stands now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from anansi.adapt.failed_page import FailedPage
from anansi.adapt.locate import Spot
from anansi.adapt.mend import Rules, variants
from anansi.adapt.prune import pruned
from anansi.induce.expressions import Inducer
from anansi.induce.judges import Page
from anansi.induce.page_text import squeezed
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject

MISSED: Final = 0.2
"""Share of known values that a rule must miss: below that it is chance (a short name that stands elsewhere)."""

ENOUGH: Final = 5
"""Rules of one property that are put on trial."""

TOGETHER: Final = 30
"""Rules that find a part of the known values, of which some are put together."""

ALIKE: Final = 3
"""Of those, rules that find the same."""


@dataclass(frozen=True, slots=True)
class Found:
    """A known object that is still on the page, and where its values stand."""

    known: WebObject
    spots: dict[str, list[Spot]]


@dataclass(frozen=True, slots=True)
class _Partly:
    """A rule that finds some of the known values."""

    rule: Property
    right: int
    values: frozenset[str]
    pure: bool
    """Whether it finds nothing else."""


def plain(value: Value) -> str:
    """Return a value as it is compared: without spaces, the words of a text in any order, for blocks are moved."""
    return "".join(sorted(value.text.split())) if value.read_as == As.BODY.value else squeezed(value.text)


def inside(inducer: Inducer, one: Found) -> Found:
    """Leave out where values of an object stand outside of the container that has most of them: in quotes."""
    votes = Counter(
        scope for spots in one.spots.values() for scope in {inducer.scope_or_self(element) for element, _ in spots}
    )
    del votes[None]
    if not votes:
        return one
    own = max(votes, key=lambda scope: votes[scope])
    there = {
        name: [spot for spot in spots if inducer.scope_or_self(spot[0]) is own] for name, spots in one.spots.items()
    }
    return replace(one, spots={name: spots for name, spots in there.items() if spots})


def rules_of(
    broken: FailedPage,
    action: Extraction,
    each: Expression | None,
    name: str,
    inducer: Inducer,
    found: Sequence[Found],
    known: Counter[str],
) -> tuple[Rules, ...]:
    """Return rules that find the known values of a property, one for all objects or several together."""
    many, spare = many_of(action, name), inducer.scopes - len(found)
    good: list[Rules] = []
    partly: list[_Partly] = []
    for prop in _suggested(broken, action, name, inducer, found, many=many):
        page = broken.values(action, each, prop)
        if agrees(page, known, many=many, spare=spare):
            good.append((prop,))
        elif one := _partly(prop, page, known):
            partly.append(one)
        if len(good) >= ENOUGH:
            break
    if not good:
        good += _together(broken, action, each, partly, known, spare)
    # the text of one element keeps its paragraphs, pieces of text do not
    if not good or (not many and all(_is_text(rules[0]) for rules in good)):
        less = pruned(broken, action, inducer, name, _held(name, found))
        good[:0] = [
            (prop,) for prop in less if agrees(broken.values(action, each, prop), known, many=many, spare=spare)
        ]
    return tuple(good)


def _held(name: str, found: Sequence[Found]) -> list[tuple[list[Any], str]]:
    """Return the elements that known texts stand in, with what is not theirs, and the texts."""
    held: list[tuple[list[Any], str]] = []
    for one in found:
        text = next((_wording(value) for key, value in one.known.properties if key == name), "")
        holders = [element for element, part in one.spots.get(name, ()) if not part]
        if holders:
            held.append((holders, text))
    return held


def _wording(value: Value) -> str:
    """Return how a page words a value, without spaces."""
    return squeezed(value.original if value.read_as == As.DATE.value and value.original else value.text)


def _is_text(prop: Property) -> bool:
    return prop.read_as is As.BODY and prop.expression.steps[-1].test == "text()"


def _suggested(
    broken: FailedPage, action: Extraction, name: str, inducer: Inducer, found: Sequence[Found], *, many: bool
) -> Iterator[Property]:
    """Go through rules that may find a property: old ones that others stood before, then new ones."""
    seen: set[Property] = set()
    old = [replace(prop, line=0) for prop in action.properties if prop.name == name]
    sets = _target_sets(broken, inducer, name, found)
    new = (
        prop
        for part, elements in sets
        for expression in (inducer.expressions_of_all if many else inducer.expressions)(elements, part)
        for prop in variants(action, name, expression)
    )
    for prop in chain(old, new):
        if prop not in seen:
            seen.add(prop)
            yield prop


def _partly(prop: Property, page: Page, known: Counter[str]) -> _Partly | None:
    """Say what a rule finds of the known values; None when it is nothing."""
    got = Counter(plain(value) for values in page for value in values)
    right = got & known
    return _Partly(prop, sum(right.values()), frozenset(right), pure=not got - known) if right else None


def _right(page: Page, known: Counter[str]) -> int:
    """Say how many known values rules find, if nothing else."""
    got = Counter(plain(value) for values in page for value in values)
    return sum(got.values()) if got and not got - known else 0


def _together(
    broken: FailedPage,
    action: Extraction,
    each: Expression | None,
    partly: Sequence[_Partly],
    known: Counter[str],
    spare: int,
) -> list[Rules]:
    """Put rules together that find a part of the known values each: guests are written in another way."""
    chosen: Rules = ()
    best = 0
    for one in _best(partly):
        right = _right(broken.values(action, each, *chosen, one.rule), known)
        if right > best:
            chosen, best = (*chosen, one.rule), right
    page = broken.values(action, each, *chosen) if chosen else []
    many = any(prop.many for prop in chosen)
    return [chosen] if chosen and agrees(page, known, many=many, spare=spare) else []


def _best(partly: Sequence[_Partly]) -> list[_Partly]:
    """Return the rules that are put together: some that find the same, those first that find nothing else."""
    ranked = sorted(partly, key=lambda one: (not one.pure, -one.right))
    alike: dict[tuple[bool, frozenset[str]], list[_Partly]] = {}
    for one in ranked:
        alike.setdefault((one.pure, one.values), []).append(one)
    return [one for each in alike.values() for one in each[:ALIKE]][:TOGETHER]


def _length(broken: FailedPage, name: str, group: dict[Any, list[Any]]) -> float:
    """Say how long the texts of elements are: tight around a value is better, but for a text's paragraphs."""
    return 0.0 if name == "text" else sum(broken.spans.length(each[0]) for each in group.values()) / len(group)


def _target_sets(
    broken: FailedPage, inducer: Inducer, name: str, found: Sequence[Found]
) -> list[tuple[str, list[Any]]]:
    """Group where a property's values stand by how: the same attribute, tag and class in many objects."""
    groups: dict[tuple[str, str, str], dict[Any, list[Any]]] = {}
    for each in found:
        for element, part in each.spots.get(name, ()):
            scope = inducer.scope_or_self(element)
            if scope is not None:
                attribute = f"@{part}" if part and not part.startswith("text()") else part
                key = attribute, element.tag, element.get("class", "")
                groups.setdefault(key, {}).setdefault(scope, []).append(element)
    order = sorted(groups.items(), key=lambda group: (-len(group[1]), _length(broken, name, group[1])))
    ranked = order[:8]
    sets = [(key[0], [element for elements in group.values() for element in elements]) for key, group in ranked]
    if ranked and len(ranked[0][1]) < len(found):  # no one way holds for all: take what tags have in common
        for attribute in dict.fromkeys(key[0] for key, _ in ranked):
            merged = {s: e[0] for key, group in reversed(ranked) if key[0] == attribute for s, e in group.items()}
            sets.append((attribute, list(merged.values())))
    return sets


def many_of(action: Extraction, name: str) -> bool:
    """Tell whether an object may have several values of a property."""
    return any(prop.many for prop in action.properties if prop.name == name)


def agrees(page: Page, known: Counter[str], *, many: bool, spare: float) -> bool:
    """Tell whether rules find the known values, and others at most in containers of objects that were not known."""
    got = Counter(plain(value) for values in page for value in values)
    recovered, all_known = sum((known & got).values()), sum(known.values())
    more = max(min(spare, all_known), MISSED * all_known) if many else max(spare, 0)
    return recovered > 0 and recovered >= 0.9 * all_known and sum(got.values()) - recovered <= more
