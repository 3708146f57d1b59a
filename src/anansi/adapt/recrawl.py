"""Algorithm 1: an address that was crawled before and whose template has changed.

1. What was known is looked for in the page: an object that is gone is not missed, a value that changed is not either.
2. A value that stands on the page and is not found by its rule: the rule failed.
3. Where the known values stand now, expressions are made that find them, containers first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from anansi.adapt import runs
from anansi.adapt.induce import Inducer
from anansi.adapt.locate import Spot
from anansi.adapt.looks import Page
from anansi.adapt.mend import Mend, Rules, running, variants
from anansi.adapt.prune import pruned
from anansi.adapt.runs import keys
from anansi.adapt.scene import Scene
from anansi.adapt.spans import squeezed
from anansi.knowledge.entry import As, Extraction, Property
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

AROUND: Final = 12
"""Elements around an object that may be its container."""

CONTAINERS: Final = 10
"""Expressions for containers that are tried."""

ENOUGH: Final = 5
"""Rules of one property that are put on trial."""

ALIKE: Final = 3
"""Of those, rules that find the same."""

TOGETHER: Final = 30
"""Rules that find a part of the known values, of which some are put together."""

VAGUE: Final = 0.15
"""What it costs an expression for containers that it is a mere tag."""

CROWDED: Final = 0.12
"""What it costs an expression for containers that it finds much besides them."""

SPARE: Final = 0.05
"""What it costs that it finds as much again: it may be new, and it may be no object."""

OWN: Final = ("id", "name", "data-", "about")
"""How attributes begin that a container may have of its own."""


@dataclass(frozen=True, slots=True)
class _Found:
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
    """Return a value as it is compared: without spaces, the words of a text in any order, for blocks are moved."""
    return "".join(sorted(value.text.split())) if value.read_as == As.BODY.value else squeezed(value.text)


def _present(scene: Scene, kind: str) -> list[WebObject]:
    """Return the known objects that did not vanish: a telling value, or most values, stand on the page."""
    found: list[WebObject] = []
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
    if action.runs or not ranked:
        starts = runs.expressions(scene, [one.spots for one in found])
        ranked += [_filled(scene, running(action, each), each, found, names) for each in starts]
    yield from sorted(ranked, key=lambda mend: -mend.score + VAGUE * mend.vague)[:2]


def _containers(scene: Scene, action: Extraction, found: Sequence[_Found]) -> list[Expression]:
    """Return expressions for the containers of known objects: those that still work, then new ones."""
    chains = _chains(scene, found)
    smallest = [line[0] for line in chains]
    working = [each for each in action.each if _separates(scene, each, smallest)]
    inducer = Inducer(scene.features, [scene.place.tree])
    new: list[Expression] = []
    for elements in _alike(chains):
        new += inducer.expressions_of_all(elements)[:2]
    right = [each for each in dict.fromkeys(new) if _separates(scene, each, smallest)]
    return [*working[:2], *right[:CONTAINERS]]


def _alike(chains: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Go through sets of one element of each chain: at the same height, or of the same tag and class."""
    sets = [[line[min(height, len(line) - 1)] for line in chains] for height in range(HEIGHT)]
    sets = [each for each in sets if len(set(each)) == len(each)]
    for key in dict.fromkeys(key for each in chains[0] for key in keys(each)) if chains else ():
        for ordered in (list, reversed):
            same = [next((each for each in ordered(line) if key in keys(each)), None) for line in chains]
            if all(each is not None for each in same) and len(set(same)) == len(same):
                sets.append(same)
    return [list(each) for each in dict.fromkeys(tuple(dict.fromkeys(elements)) for elements in sets)]


def _separates(scene: Scene, each: Expression, smallest: Sequence[Any]) -> bool:
    """Tell whether an expression puts each object in a container of its own."""
    there = set(scene.find(each))
    holders = [next((up for up in (one, *one.iterancestors()) if up in there), None) for one in smallest]
    return bool(holders) and all(each is not None for each in holders) and len(set(holders)) == len(holders)


def _chains(scene: Scene, found: Sequence[_Found]) -> list[list[Any]]:
    """Return, for each object, the smallest element that holds it best, and those around it.

    An answer may stand in the container of what it answers, so those around it may hold other objects, too.
    """
    held = [_coverage(each) for each in found]
    chains = []
    for number, mine in enumerate(held):
        best: list[tuple[int, int, int, Any]] = []
        for element, names in mine.items():
            other = max((len(each.get(element, ())) for at, each in enumerate(held) if at != number), default=0)
            if element.tag not in ("html", "body", "head"):
                depth = sum(1 for _ in element.iterancestors())
                best.append((other - len(names), scene.spans.length(element), -depth, element))
        if best:
            smallest = min(best, key=lambda each: each[:3])[3]
            around = [up for up in smallest.iterancestors() if up.tag not in ("html", "body")]
            chains.append([smallest, *around[:AROUND]])
    return chains


def _coverage(found: _Found) -> dict[Any, set[str]]:
    """Say of each element around the places of an object's values which properties stand in it."""
    covered: dict[Any, set[str]] = {}
    for name, spots in found.spots.items():
        for element, part in spots:
            around = (element, *element.iterancestors()) if part.startswith(OWN) else element.iterancestors()
            for up in around:
                covered.setdefault(up, set()).add(name)
    return covered


def _filled(
    scene: Scene, action: Extraction, each: Expression | None, found: Sequence[_Found], names: set[str]
) -> Mend:
    """Find rules for the properties in some containers."""
    scopes = scene.find(each) if each is not None else [scene.place.tree]
    run = each is not None and each in action.runs
    inducer = Inducer(scene.features, scopes, run=run)
    found = [_inside(inducer, one) for one in found]
    rules: dict[str, tuple[Rules, ...]] = {}
    right = wanted = 0
    for name in action.names:
        known = _values(scene, name, [one.known for one in found])
        if not known:
            continue
        wanted += 1
        if _agrees(scene.old(action, each, name), known, many=_many(action, name), spare=len(scopes) - len(found)):
            right += 1
        elif new := _rules(scene, action, each, name, inducer, found, known):
            rules[name] = new
            right += 1
    more = min(1.0, (len(scopes) - len(found)) / max(1, len(found)))
    score = right / max(wanted, 1) - CROWDED * _crowded(scopes, found) - SPARE * max(0.0, more)
    new_each = each if each != scene.container(action) else None
    kept = {name: new for name, new in rules.items() if name in names or new_each is not None}
    return Mend(action.object, new_each, kept, score, known=True, run=run and new_each is not None)


def _inside(inducer: Inducer, one: _Found) -> _Found:
    """Leave out where an object's values stand outside of the container that has most of them: in quotes, in lists."""
    votes = Counter(
        scope for spots in one.spots.values() for scope in {inducer.scope_or_self(element) for element, _ in spots}
    )
    del votes[None]
    if not votes:
        return one
    own = max(votes, key=lambda scope: votes[scope])
    inside = {
        name: [spot for spot in spots if inducer.scope_or_self(spot[0]) is own] for name, spots in one.spots.items()
    }
    return replace(one, spots={name: spots for name, spots in inside.items() if spots})


def _crowded(scopes: Sequence[Any], found: Sequence[_Found]) -> bool:
    """Tell whether there are many more containers than objects, or one holds nothing but another one."""
    there = set(scopes)
    return len(scopes) > 2 * len(found) + 2 or any(each.getparent() in there for each in scopes)


def _rules(
    scene: Scene,
    action: Extraction,
    each: Expression | None,
    name: str,
    inducer: Inducer,
    found: Sequence[_Found],
    known: Counter[str],
) -> tuple[Rules, ...]:
    """Return rules that find the known values of a property, one for all objects or several together."""
    many, spare = _many(action, name), inducer.scopes - len(found)
    good: list[Rules] = []
    partly: list[_Partly] = []
    for prop in _suggested(scene, action, name, inducer, found, many=many):
        page = scene.values(action, each, prop)
        if _agrees(page, known, many=many, spare=spare):
            good.append((prop,))
        elif one := _partly(prop, page, known):
            partly.append(one)
        if len(good) >= ENOUGH:
            break
    if not good:
        good += _together(scene, action, each, partly, known, spare)
    # the text of one element keeps its paragraphs, pieces of text do not
    if not good or (not many and all(_is_text(rules[0]) for rules in good)):
        less = pruned(scene, action, inducer, name, _held(name, found))
        good[:0] = [
            (prop,) for prop in less if _agrees(scene.values(action, each, prop), known, many=many, spare=spare)
        ]
    return tuple(good)


def _held(name: str, found: Sequence[_Found]) -> list[tuple[list[Any], str]]:
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
    scene: Scene, action: Extraction, name: str, inducer: Inducer, found: Sequence[_Found], *, many: bool
) -> Iterator[Property]:
    """Go through rules that may find a property: old ones that others stood before, then new ones."""
    seen: set[Property] = set()
    old = [replace(prop, line=0) for prop in action.properties if prop.name == name]
    sets = _target_sets(scene, inducer, name, found)
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
    got = Counter(_plain(value) for values in page for value in values)
    right = got & known
    return _Partly(prop, sum(right.values()), frozenset(right), pure=not got - known) if right else None


def _right(page: Page, known: Counter[str]) -> int:
    """Say how many known values rules find, if nothing else."""
    got = Counter(_plain(value) for values in page for value in values)
    return sum(got.values()) if got and not got - known else 0


def _together(
    scene: Scene,
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
        right = _right(scene.values(action, each, *chosen, one.rule), known)
        if right > best:
            chosen, best = (*chosen, one.rule), right
    page = scene.values(action, each, *chosen) if chosen else []
    many = any(prop.many for prop in chosen)
    return [chosen] if chosen and _agrees(page, known, many=many, spare=spare) else []


def _best(partly: Sequence[_Partly]) -> list[_Partly]:
    """Return the rules that are put together: some that find the same, those first that find nothing else."""
    ranked = sorted(partly, key=lambda one: (not one.pure, -one.right))
    alike: dict[tuple[bool, frozenset[str]], list[_Partly]] = {}
    for one in ranked:
        alike.setdefault((one.pure, one.values), []).append(one)
    return [one for each in alike.values() for one in each[:ALIKE]][:TOGETHER]


def _length(scene: Scene, name: str, group: dict[Any, list[Any]]) -> float:
    """Say how long the texts of elements are: tight around a value is better, but for a text's paragraphs."""
    return 0.0 if name == "text" else sum(scene.spans.length(each[0]) for each in group.values()) / len(group)


def _target_sets(scene: Scene, inducer: Inducer, name: str, found: Sequence[_Found]) -> list[tuple[str, list[Any]]]:
    """Group where a property's values stand by how: the same attribute, tag and class in many objects."""
    groups: dict[tuple[str, str, str], dict[Any, list[Any]]] = {}
    for each in found:
        for element, part in each.spots.get(name, ()):
            scope = inducer.scope_or_self(element)
            if scope is not None:
                attribute = f"@{part}" if part and not part.startswith("text()") else part
                key = attribute, element.tag, element.get("class", "")
                groups.setdefault(key, {}).setdefault(scope, []).append(element)
    order = sorted(groups.items(), key=lambda group: (-len(group[1]), _length(scene, name, group[1])))
    ranked = order[:8]
    sets = [(key[0], [element for elements in group.values() for element in elements]) for key, group in ranked]
    if ranked and len(ranked[0][1]) < len(found):  # no one way holds for all: take what tags have in common
        for attribute in dict.fromkeys(key[0] for key, _ in ranked):
            merged = {s: e[0] for key, group in reversed(ranked) if key[0] == attribute for s, e in group.items()}
            sets.append((attribute, list(merged.values())))
    return sets


def agreement(scene: Scene, action: Extraction, name: str, page: Page, containers: int) -> bool | None:
    """Tell whether what rules found on a page is what is known of it; None when nothing is known."""
    if not scene.known:
        return None
    there = scene.present(action.object, _present)
    known = _values(scene, name, there)
    return _agrees(page, known, many=_many(action, name), spare=containers - len(there)) if known else None


def _many(action: Extraction, name: str) -> bool:
    return any(prop.many for prop in action.properties if prop.name == name)


def _agrees(page: Page, known: Counter[str], *, many: bool, spare: float) -> bool:
    """Tell whether rules find the known values, and others at most in containers of objects that were not known."""
    got = Counter(_plain(value) for values in page for value in values)
    recovered, all_known = sum((known & got).values()), sum(known.values())
    more = max(min(spare, all_known), MISSED * all_known) if many else max(spare, 0)
    return recovered > 0 and recovered >= 0.9 * all_known and sum(got.values()) - recovered <= more
