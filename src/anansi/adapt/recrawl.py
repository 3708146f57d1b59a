"""Algorithm 1: an address that was crawled before and whose template has changed.

1. What was known is looked for in the page: an object that is gone is not missed, a value that changed is not either.
2. A value that stands on the page and is not found by its rule: the rule failed.
3. Where the known values stand now, expressions are made that find them, containers first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from anansi.adapt.align import MISSED, Found, agrees, inside, many_of, plain, rules_of
from anansi.adapt.failed_page import FailedPage
from anansi.adapt.locate import Spot
from anansi.adapt.mend import Mend, Rules, running
from anansi.induce import runs
from anansi.induce.expressions import Inducer
from anansi.induce.judges import Page
from anansi.induce.runs import keys
from anansi.knowledge.entry import Extraction
from anansi.knowledge.xpath import Expression
from anansi.model import WebObject

TELLING: Final = 8
"""Characters from which on a text does not stand on a page by chance."""

OBJECTS: Final = 40
"""Known objects of one kind that are looked for."""

HEIGHT: Final = 4
"""Elements around the smallest one that holds an object, that are tried as its container."""

AROUND: Final = 12
"""Elements around an object that may be its container."""

CONTAINERS: Final = 10
"""Expressions for containers that are tried."""

VAGUE: Final = 0.15
"""What it costs an expression for containers that it is a mere tag."""

CROWDED: Final = 0.12
"""What it costs an expression for containers that it finds much besides them."""

SPARE: Final = 0.05
"""What it costs that it finds as much again: it may be new, and it may be no object."""

OWN: Final = ("id", "name", "data-", "about")
"""How attributes begin that a container may have of its own."""


def changes(broken: FailedPage) -> dict[str, set[str]]:
    """Say of each kind of object which properties' rules failed: what is known stands there and was not found."""
    failed: dict[str, set[str]] = {}
    for action in broken.level.extraction:
        there = _present(broken, action.object)
        now = [each for each in broken.objects if each.kind == action.object]
        names = {name for name in action.names if _missed(broken, name, there, now)}
        if names:
            failed.setdefault(action.object, set()).update(names)
    return failed


def _missed(broken: FailedPage, name: str, there: Sequence[WebObject], now: Sequence[WebObject]) -> bool:
    wanted = _values(broken, name, there)
    got = Counter(plain(value) for each in now for key, value in each.properties if key == name)
    missing = sum((wanted - got).values())
    return missing > MISSED * sum(wanted.values())


def _values(broken: FailedPage, name: str, objects: Sequence[WebObject]) -> Counter[str]:
    """Count the known values of a property that still stand on the page."""
    found = (value for each in objects for key, value in each.properties if key == name)
    return Counter(plain(value) for value in found if broken.locator.stands(name, value))


def _present(broken: FailedPage, kind: str) -> list[WebObject]:
    """Return the known objects that did not vanish: a telling value, or most values, stand on the page."""
    found: list[WebObject] = []
    for each in broken.known:
        if each.kind != kind or len(found) >= OBJECTS:
            continue
        standing = [name for name, value in each.properties if broken.locator.stands(name, value)]
        telling = [
            value
            for name, value in each.properties
            if name in standing and name in ("text", "title", "id") and len(plain(value)) >= TELLING
        ]
        if telling or len(standing) * 2 > len(each.properties):
            found.append(each)
    return found


# ── mending ──────────────────────────────────────────────────────────────────────────────────────────────────────


def mends(broken: FailedPage, failed: dict[str, set[str]]) -> Iterator[Mend]:
    """Align failed actions with where the known values stand now."""
    for action in broken.level.extraction:
        names = failed.get(action.object)
        if names:
            found = [_found(broken, each) for each in _present(broken, action.object)]
            if found:
                yield from _mended(broken, action, found, names)


def _found(broken: FailedPage, known: WebObject) -> Found:
    spots: dict[str, list[Spot]] = {}
    for name, value in known.properties:
        spots.setdefault(name, []).extend(broken.locator.spots(name, value)[:40])
    return Found(known, {name: each for name, each in spots.items() if each})


def _mended(broken: FailedPage, action: Extraction, found: Sequence[Found], names: set[str]) -> Iterator[Mend]:
    if not action.each:
        yield _filled(broken, action, None, found, names)
        return
    ranked = [_filled(broken, action, each, found, names) for each in _containers(broken, action, found)]
    if action.runs or not ranked:
        starts = runs.expressions(broken, [one.spots for one in found])
        ranked += [_filled(broken, running(action, each), each, found, names) for each in starts]
    yield from sorted(ranked, key=lambda mend: -mend.score + VAGUE * mend.vague)[:2]


def _containers(broken: FailedPage, action: Extraction, found: Sequence[Found]) -> list[Expression]:
    """Return expressions for the containers of known objects: those that still work, then new ones."""
    chains = _chains(broken, found)
    smallest = [line[0] for line in chains]
    working = [each for each in action.each if _separates(broken, each, smallest)]
    inducer = Inducer(broken.features, [broken.place.tree])
    new: list[Expression] = []
    for elements in _alike(chains):
        new += inducer.expressions_of_all(elements)[:2]
    right = [each for each in dict.fromkeys(new) if _separates(broken, each, smallest)]
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


def _separates(broken: FailedPage, each: Expression, smallest: Sequence[Any]) -> bool:
    """Tell whether an expression puts each object in a container of its own."""
    there = set(broken.find(each))
    holders = [next((up for up in (one, *one.iterancestors()) if up in there), None) for one in smallest]
    return bool(holders) and all(each is not None for each in holders) and len(set(holders)) == len(holders)


def _chains(broken: FailedPage, found: Sequence[Found]) -> list[list[Any]]:
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
                best.append((other - len(names), broken.spans.length(element), -depth, element))
        if best:
            smallest = min(best, key=lambda each: each[:3])[3]
            around = [up for up in smallest.iterancestors() if up.tag not in ("html", "body")]
            chains.append([smallest, *around[:AROUND]])
    return chains


def _coverage(found: Found) -> dict[Any, set[str]]:
    """Say of each element around the places of an object's values which properties stand in it."""
    covered: dict[Any, set[str]] = {}
    for name, spots in found.spots.items():
        for element, part in spots:
            around = (element, *element.iterancestors()) if part.startswith(OWN) else element.iterancestors()
            for up in around:
                covered.setdefault(up, set()).add(name)
    return covered


def _filled(
    broken: FailedPage, action: Extraction, each: Expression | None, found: Sequence[Found], names: set[str]
) -> Mend:
    """Find rules for the properties in some containers."""
    scopes = broken.find(each) if each is not None else [broken.place.tree]
    run = each is not None and each in action.runs
    inducer = Inducer(broken.features, scopes, run=run)
    found = [inside(inducer, one) for one in found]
    rules: dict[str, tuple[Rules, ...]] = {}
    right = wanted = 0
    for name in action.names:
        known = _values(broken, name, [one.known for one in found])
        if not known:
            continue
        wanted += 1
        if agrees(broken.old(action, each, name), known, many=many_of(action, name), spare=len(scopes) - len(found)):
            right += 1
        elif new := rules_of(broken, action, each, name, inducer, found, known):
            rules[name] = new
            right += 1
    more = min(1.0, (len(scopes) - len(found)) / max(1, len(found)))
    score = right / max(wanted, 1) - CROWDED * _crowded(scopes, found) - SPARE * max(0.0, more)
    new_each = each if each != broken.container(action) else None
    kept = {name: new for name, new in rules.items() if name in names or new_each is not None}
    return Mend(action.object, new_each, kept, score, known=True, run=run and new_each is not None)


def _crowded(scopes: Sequence[Any], found: Sequence[Found]) -> bool:
    """Tell whether there are many more containers than objects, or one holds nothing but another one."""
    there = set(scopes)
    return len(scopes) > 2 * len(found) + 2 or any(each.getparent() in there for each in scopes)


def agreement(broken: FailedPage, action: Extraction, name: str, page: Page, containers: int) -> bool | None:
    """Tell whether what rules found on a page is what is known of it; None when nothing is known."""
    if not broken.known:
        return None
    there = broken.present(action.object, _present)
    known = _values(broken, name, there)
    return agrees(page, known, many=many_of(action, name), spare=containers - len(there)) if known else None
