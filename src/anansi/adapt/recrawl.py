"""Algorithm 1: an address that was crawled before and whose template has changed.

1. What was known is looked for in the page: an object that is gone is not missed, a value that changed is not either.
2. A value that stands on the page and is not found by its rule: the rule failed.
3. Where the known values stand now, expressions are made that find them, containers first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from anansi.adapt.induce import Inducer
from anansi.adapt.locate import Spot
from anansi.adapt.mend import Mend, variants
from anansi.adapt.scene import Scene
from anansi.adapt.spans import squeezed
from anansi.knowledge.entry import Extraction, Property
from anansi.knowledge.xpath import Expression
from anansi.model import Value, WebObject

TELLING: Final = 8
"""Characters from which on a text does not stand on a page by chance."""

OBJECTS: Final = 40
"""Known objects of one kind that are looked for."""

MISSED: Final = 0.2
"""Share of known values that a rule must miss: below that it is chance (a short name that stands elsewhere)."""

HEIGHT: Final = 4
"""Elements around the smallest one that holds an object, that are tried as its container."""

CONTAINERS: Final = 6
"""Expressions for containers that are tried."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A known object that is still on the page, and where its values stand."""

    known: WebObject
    spots: dict[str, list[Spot]]


def changes(scene: Scene) -> dict[str, set[str]]:
    """Say of each kind of object which properties' rules failed: what is known stands there and was not found."""
    failed: dict[str, set[str]] = {}
    for action in scene.level.extraction:
        there = _present(scene, action.object)
        now = [each for each in scene.objects if each.kind == action.object]
        names = {name for name in action.names if _missed(scene, name, there, now)}
        if names:
            failed.setdefault(action.object, set()).update(names)
    return failed


def _missed(scene: Scene, name: str, there: Sequence[WebObject], now: Sequence[WebObject]) -> bool:
    wanted = _values(scene, name, there)
    got = Counter(_plain(value) for each in now for key, value in each.properties if key == name)
    missing = sum((wanted - got).values())
    return missing > MISSED * sum(wanted.values())


def _values(scene: Scene, name: str, objects: Sequence[WebObject]) -> Counter[str]:
    """Count the known values of a property that still stand on the page."""
    found = (value for each in objects for key, value in each.properties if key == name)
    return Counter(_plain(value) for value in found if scene.locator.stands(name, value))


def _plain(value: Value) -> str:
    return squeezed(value.text)


def _present(scene: Scene, kind: str) -> list[WebObject]:
    """Return the known objects that did not vanish: a telling value, or most values, stand on the page."""
    found = []
    for each in scene.known:
        if each.kind != kind or len(found) >= OBJECTS:
            continue
        standing = [name for name, value in each.properties if scene.locator.stands(name, value)]
        telling = [
            value
            for name, value in each.properties
            if name in standing and name in ("text", "title", "id") and len(_plain(value)) >= TELLING
        ]
        if telling or len(standing) * 2 > len(each.properties):
            found.append(each)
    return found


# ── mending ──────────────────────────────────────────────────────────────────────────────────────────────────────


def mends(scene: Scene, failed: dict[str, set[str]]) -> Iterator[Mend]:
    """Align failed actions with where the known values stand now."""
    for action in scene.level.extraction:
        names = failed.get(action.object)
        if names:
            found = [_found(scene, each) for each in _present(scene, action.object)]
            if found:
                yield from _mended(scene, action, found, names)


def _found(scene: Scene, known: WebObject) -> _Found:
    spots: dict[str, list[Spot]] = {}
    for name, value in known.properties:
        spots.setdefault(name, []).extend(scene.locator.spots(name, value)[:40])
    return _Found(known, {name: each for name, each in spots.items() if each})


def _mended(scene: Scene, action: Extraction, found: Sequence[_Found], names: set[str]) -> Iterator[Mend]:
    if not action.each:
        yield _filled(scene, action, None, found, names)
        return
    ranked = [_filled(scene, action, each, found, names) for each in _containers(scene, action, found)]
    yield from sorted(ranked, key=lambda mend: -mend.score)[:2]


def _containers(scene: Scene, action: Extraction, found: Sequence[_Found]) -> list[Expression]:
    """Return expressions for the containers of known objects: those that still work, then new ones."""
    anchors = _anchors(found)
    working = [each for each in action.each if _separates(scene, each, anchors)]
    chains = _chains(anchors, found)
    inducer = Inducer(scene.features, [scene.place.tree])
    new: list[Expression] = []
    for height in range(HEIGHT):
        elements = [chain[min(height, len(chain) - 1)] for chain in chains if chain]
        new += inducer.expressions_of_all(elements)[:3]
    right = [each for each in dict.fromkeys(new) if _separates(scene, each, anchors)]
    return [*working[:2], *right[:CONTAINERS]]


def _separates(scene: Scene, each: Expression, anchors: Sequence[Any]) -> bool:
    """Tell whether an expression puts each object in a container of its own."""
    there = set(scene.find(each))
    holders = [next((up for up in anchor.iterancestors() if up in there), None) for anchor in anchors]
    return all(each is not None for each in holders) and len(set(holders)) == len(holders)


def _anchors(found: Sequence[_Found]) -> list[Any]:
    """Return an element of each object that is no other's: where its most telling value stands."""
    anchors = []
    for each in found:
        order = sorted(each.spots, key=lambda name: (_ORDER.get(name, 5), len(each.spots[name])))
        spot = next((each.spots[name][0] for name in order), None)
        if spot is not None:
            anchors.append(spot[0])
    return list(dict.fromkeys(anchors))


_ORDER: Final = {"text": 0, "id": 1, "link": 2, "title": 2, "date": 3, "author": 4}


def _chains(anchors: Sequence[Any], found: Sequence[_Found]) -> list[list[Any]]:
    """Return, for each anchor, the elements around it that hold one object, from the smallest that holds all of it."""
    crowded: Counter[Any] = Counter(up for anchor in anchors for up in anchor.iterancestors())
    chains = []
    for anchor, each in zip(anchors, found, strict=False):
        alone = [anchor, *(up for up in anchor.iterancestors() if crowded[up] == 1 and up.tag not in ("html", "body"))]
        covered = [sum(_holds(up, spots) for spots in each.spots.values()) for up in alone]
        best = covered.index(max(covered))
        chains.append(alone[best if best or len(alone) == 1 else 1 :])
    return chains


def _holds(element: Any, spots: Sequence[Spot]) -> bool:
    return any(each is element or element in each.iterancestors() for each, _ in spots)


def _filled(
    scene: Scene, action: Extraction, each: Expression | None, found: Sequence[_Found], names: set[str]
) -> Mend:
    """Find rules for the properties in some containers."""
    scopes = scene.find(each) if each is not None else [scene.place.tree]
    inducer = Inducer(scene.features, scopes)
    rules: dict[str, tuple[Property, ...]] = {}
    right = wanted = 0
    for name in action.names:
        known = _values(scene, name, [one.known for one in found])
        if not known:
            continue
        wanted += 1
        if any(_agrees(scene, action, each, prop, known) for prop in action.properties if prop.name == name):
            right += 1
        elif new := _rules(scene, action, each, name, inducer, found, known):
            rules[name] = new
            right += 1
    kept = {name: each for name, each in rules.items() if name in names}
    return Mend(action.object, each if each not in action.each else None, kept, right / max(wanted, 1), known=True)


def _rules(
    scene: Scene,
    action: Extraction,
    each: Expression | None,
    name: str,
    inducer: Inducer,
    found: Sequence[_Found],
    known: Counter[str],
) -> tuple[Property, ...]:
    """Return rules that find the known values of a property."""
    many = any(prop.many for prop in action.properties if prop.name == name)
    good: list[Property] = []
    for part, elements in _target_sets(inducer, name, found):
        expressions = inducer.expressions_of_all(elements, part) if many else inducer.expressions(elements, part)
        for expression in expressions:
            for prop in variants(action, name, expression):
                if len(good) < 4 and prop not in good and _agrees(scene, action, each, prop, known):
                    good.append(prop)
    return tuple(good)


def _target_sets(inducer: Inducer, name: str, found: Sequence[_Found]) -> list[tuple[str, list[Any]]]:
    """Group where a property's values stand by how: the same attribute, tag and class in as many objects as can be."""
    groups: dict[tuple[str, str, str], dict[Any, list[Any]]] = {}
    for each in found:
        for element, part in each.spots.get(name, ()):
            scope = inducer.scope_or_self(element)
            if scope is not None:
                attribute = f"@{part}" if part and part != "text()" else part
                key = attribute, element.tag, element.get("class", "")
                groups.setdefault(key, {}).setdefault(scope, []).append(element)
    ranked = sorted(groups.items(), key=lambda group: -len(group[1]))[:8]
    sets = [(key[0], [element for elements in group.values() for element in elements]) for key, group in ranked]
    if ranked and len(ranked[0][1]) < len(found):  # no one way holds for all: take what tags have in common
        for attribute in dict.fromkeys(key[0] for key, _ in ranked):
            merged = {s: e[0] for key, group in reversed(ranked) if key[0] == attribute for s, e in group.items()}
            sets.append((attribute, list(merged.values())))
    return sets


def _agrees(
    scene: Scene, action: Extraction, each: Expression | None, prop: Property, known: Counter[str]
) -> bool:
    """Tell whether a rule finds the known values, and in other containers at most one more each."""
    page = scene.values(action, each, prop)
    got = Counter(_plain(value) for values in page for value in values)
    recovered, all_known = sum((known & got).values()), sum(known.values())
    spare = max(len(page) - all_known, 0) if not prop.many else MISSED * all_known
    return recovered > 0 and recovered >= 0.9 * all_known and sum(got.values()) - recovered <= spare

