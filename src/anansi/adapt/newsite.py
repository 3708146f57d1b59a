"""Algorithm 2: a type is detected and its actions find nothing.

1. What a page of the level cannot do without is missing: the action failed.
2. Containers: expressions that still work, relaxed ones, groups of elements that repeat.
3. In each of the best groups, every property: rules that still work, else relaxed ones and what looks like it.
4. The group in which most properties are found is the likeliest. Whether it is right, further pages tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from anansi.adapt import looks, proof
from anansi.adapt.choose import Chooser
from anansi.adapt.favour import Favoured, words_of
from anansi.adapt.mend import Mend, Rules
from anansi.adapt.scene import Scene
from anansi.adapt.spans import squeezed
from anansi.knowledge.entry import As, Extraction
from anansi.knowledge.relax import relaxations, words
from anansi.knowledge.xpath import Expression
from anansi.model import WebObject

NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "thread": ("title",),
    "post": ("author", "date", "text"),
    "article": ("title", "author", "date", "text"),
    "comment": ("author", "date", "text"),
    "question": ("title", "author", "date", "text"),
    "answer": ("author", "date", "text"),
    "status": ("author", "date", "text"),
    "document": ("title", "text"),
}
"""What every object of a kind has; a page on which it is missing has another template, or is no such page."""

OPTIONAL: Final = frozenset(("comment", "answer"))
"""Objects that a page may be without."""

CALLED: Final = {
    "comment": frozenset(("comment", "comments", "reply", "replies", "response", "responses")),
    "answer": frozenset(("answer", "answers", "suggested", "accepted")),
}
"""What such objects are called where they are; else any group of elements might be taken for them."""

MISSING: Final = 0.5
"""Share of the objects that must have a property for its rule to hold."""

TELLING: Final = 2
"""Properties that must be found in containers: one may be a chance, two are an object."""

RELAXED: Final = 150
"""Relaxed expressions for containers that are tried."""

GROUPS: Final = 4
"""Groups of elements in which properties are looked for."""

TOLD: Final = 40
"""Characters of a text by which it is known for an object of another kind."""

SHORTEST: Final = 12
"""Characters of the shortest object."""

ENOUGH: Final = 0.35
"""How much values must look like a property."""


def failures(actions: Sequence[Extraction], objects: Sequence[WebObject]) -> dict[str, set[str]]:
    """Say of each kind of object which properties a page should have and does not."""
    failed: dict[str, set[str]] = {}
    for action in actions:
        needed = [name for name in NEEDED.get(action.object, ()) if name in action.names]
        found = [each for each in objects if each.kind == action.object]
        if not found:
            missing = set(needed)
        else:
            missing = {name for name in needed if sum(bool(each.get(name)) for each in found) < MISSING * len(found)}
        if missing:
            failed.setdefault(action.object, set()).update(missing)
    return failed


def wanting(actions: Sequence[Extraction], objects: Sequence[WebObject]) -> bool:
    """Tell, by a glance, whether something may be missing: it is asked of every page."""
    for action in actions:
        needed = NEEDED.get(action.object)
        if needed is None:
            continue
        of_kind = [each for each in (objects[0], objects[-1]) if each.kind == action.object] if objects else []
        if not of_kind:
            of_kind = [each for each in objects if each.kind == action.object][:1]
        if not of_kind:
            return True
        there = {name for name, _ in of_kind[0].properties}
        if len(of_kind) > 1:
            there.update(name for name, _ in of_kind[1].properties)
        if any(name not in there and name in action.names for name in needed):
            return True
    return False


def mends(scene: Scene, failed: dict[str, set[str]], favoured: Favoured) -> Iterator[Mend]:
    """Suggest rules in the place of failed ones."""
    for action in scene.level.extraction:
        names = failed.get(action.object)
        if not names or scene.tired:
            continue
        if not action.each:
            mend = _filled(scene, action, None, names, favoured)
            if mend.rules and _unmixed(scene, action, None, mend):
                yield mend
        else:
            yield from _in_containers(scene, action, names, favoured)


def _in_containers(scene: Scene, action: Extraction, names: set[str], favoured: Favoured) -> Iterator[Mend]:
    there = any(each.kind == action.object for each in scene.objects)
    if not there and action.object in OPTIONAL and not _may_have(scene, action):
        return
    groups = _working(scene, action) if there else _groups(scene, action, favoured)
    found = [_filled(scene, action, each, names, favoured) for each in groups]
    whole = [mend for mend in found if there or _complete(scene, action, mend)]
    pure = [
        mend
        for each, mend in zip(groups, found, strict=True)
        if mend in whole and _unmixed(scene, action, each, mend)
    ]
    yield from sorted(pure, key=lambda mend: -mend.score)[:2]


def _unmixed(scene: Scene, action: Extraction, each: Expression | None, mend: Mend) -> bool:
    """Tell whether objects that come to light have no text of old rules that is more than the text."""
    there = any(found.kind == action.object for found in scene.objects)
    if there and not any(name in mend.rules for name in action.needs):
        return True
    pure = proof.unmixed(scene, action, each, mended=mend.rules)
    return pure and (mend.each is None or proof.kept(scene, action, each, mended=mend.rules))


def _may_have(scene: Scene, action: Extraction) -> bool:
    """Tell whether a page that may be without some objects has what numbers them: an id, or a link to one."""
    stem = re.compile(rf"(?:^|[#/=-])[a-z]*{action.object}s?[-_=/]?\d|#c\d+$", re.I)
    return any(
        stem.search(each.get(name, "")) for each in scene.spans.elements for name in ("id", "href") if each.get(name)
    )


def _working(scene: Scene, action: Extraction) -> list[Expression]:
    """Return the expression for containers by which objects were found."""
    return next(([each] for each in action.each if scene.find(each)), [])


def _complete(scene: Scene, action: Extraction, mend: Mend) -> bool:
    """Tell whether what an object cannot be without is found: by what was mended, or by what still works."""

    def found(name: str) -> bool:
        return name in mend.rules or name not in action.names or _holds(scene, action, mend.each, name)

    core = [name for name in NEEDED.get(action.object, ()) if name in action.names]
    return all(map(found, action.needs)) and sum(map(found, core)) >= min(TELLING, len(core))


def _holds(scene: Scene, action: Extraction, each: Expression | None, name: str) -> bool:
    expressions: list[Expression | None] = [each] if each is not None else [*action.each] or [None]
    return any(
        working(scene, action, expression, name, len(scene.find(expression)) if expression else 1)
        for expression in expressions
    )


# ── containers ───────────────────────────────────────────────────────────────────────────────────────────────────


def _groups(scene: Scene, action: Extraction, favoured: Favoured) -> list[Expression]:
    """Return expressions for what may be the containers, the likeliest first."""
    seen: dict[frozenset[Any], tuple[float, Expression]] = {}
    texts = (squeezed(each.get("text"))[:TOLD] for each in scene.objects if each.kind != action.object)
    others = [text for text in texts if len(text) == TOLD]
    for relaxed, expression in _suggested(scene, action, favoured):
        if scene.tired:
            break
        elements = scene.find(expression)
        if not elements or any(map(str.isdigit, str(expression))) or not proof.numbered(elements):
            continue
        if not proof.dated_once(elements):
            continue
        if not _named(action, expression, elements, favoured):
            continue
        if any(text in scene.spans.of(each) for each in elements[:60] for text in others):
            continue
        score = _grouped(scene, elements) - 0.08 * relaxed
        key = frozenset(elements)
        if score > 0 and (key not in seen or seen[key][0] < score):
            seen[key] = score, expression
    ranked = sorted(seen.values(), key=lambda each: -each[0])
    return [expression for _, expression in ranked[:GROUPS]]


def _suggested(scene: Scene, action: Extraction, favoured: Favoured) -> Iterator[tuple[int, Expression]]:
    yield from ((0, each) for each in action.each)
    page = words(scene.spans.elements)
    share = max(10, RELAXED // max(1, len(action.each)))
    for each in action.each:
        for relaxed in relaxations(each, page, favoured=favoured.names, most=share):
            yield relaxed.changes, relaxed.expression
    for step, elements in scene.features.groups():
        if step.predicates and 2 <= len(elements) <= 500:
            yield 3, Expression((step,))


def _named(action: Extraction, expression: Expression, elements: Sequence[Any], favoured: Favoured) -> bool:
    """Tell whether something says that elements are containers: a name that rules know, or numbers."""
    if action.object in CALLED:
        said = (elements[0].get(name, "") for name in ("class", "id", "itemprop"))
        if not CALLED[action.object] & {word for names in said for word in words_of(names)}:
            return False
    kept = set(expression.strings()) & {string for each in action.each for string in each.strings()}
    if any(len(string) > 2 for string in kept) or favoured.says("each", expression.strings()):
        return True
    return len(elements) > 1 and all(any(map(str.isdigit, each.get("id", ""))) for each in elements)


def _grouped(scene: Scene, elements: Sequence[Any]) -> float:
    """Say how much elements are like the posts of a page: some, side by side, with most of the text in them."""
    if not elements or len(elements) > 500:
        return 0.0
    if any(next(each.iter("h1", "nav", "form"), None) is not None for each in elements[:5]):
        return 0.0
    there = set(elements)
    nested = sum(any(up in there for up in each.iterancestors()) for each in elements[:60])
    lengths = sorted(scene.spans.length(each) for each in elements)
    if nested > 0.2 * min(60, len(elements)) or lengths[len(lengths) // 2] < SHORTEST:
        return 0.0
    share = min(1.0, sum(lengths) / max(1, scene.body_length))
    numbered = sum(any(map(str.isdigit, each.get("id", ""))) for each in elements) / len(elements)
    return share + 0.3 * numbered + (0.1 if len(elements) > 1 else 0.0)


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────


def working(scene: Scene, action: Extraction, each: Expression | None, name: str, containers: int) -> bool:
    """Tell whether the old rules of a property still find what looks like it."""
    page = scene.old(action, each, name)
    return len(page) >= MISSING * containers and looks.plausible(name, page, containers) >= ENOUGH


def _filled(scene: Scene, action: Extraction, each: Expression | None, names: set[str], favoured: Favoured) -> Mend:
    """Look for every property in some containers."""
    scopes = scene.find(each) if each is not None else [scene.place.tree]
    chooser = Chooser(scene, action, each, scopes, favoured)
    rules: dict[str, tuple[Rules, ...]] = {}
    score = 0.0
    core = NEEDED.get(action.object, ())
    wanted = [name for name in action.names if (name in names and name in core) or name in action.needs]
    others = [name for name in action.names if name not in wanted and not scene.old(action, each, name)]
    dates = scene.old(action, each, "date")
    bodies = {prop.name for prop in action.properties if prop.name != "text"}
    for name in sorted(wanted, key=lambda name: name == "text"):
        mixed = name == "text" and not proof.unmixed(scene, action, each, mended=bodies)
        if working(scene, action, each, name, len(scopes)) and not mixed:
            score += 1.2
            continue
        ranked = chooser.rules(name)
        if name == "text":
            ranked = [(at, proof.unquoted(scene, action, each, one)) for at, one in ranked]
        found = [one for one in ranked if proof.stands(scene, action, each, one[1:])]
        if name == "date" and found:
            dates = scene.values(action, each, found[0][1])
        if name == "text":
            found = [one for one in found if not looks.mixed(scene.values(action, each, one[1]), dates)]
        if found:
            rules[name] = tuple((prop,) for _, prop in found)
            score += found[0][0]
    if "author-link" in others and "author" in rules:
        linked = tuple((replace(one, name="author-link", read_as=As.LINK),) for (one,) in rules["author"])
        rules["author-link"] = tuple(one for one in linked if proof.stands(scene, action, each, one))
        others.remove("author-link")
    for name in others:
        if found := [one for one in chooser.anchored(name) if proof.stands(scene, action, each, one[1:])]:
            rules[name] = tuple((prop,) for _, prop in found)
    return Mend(action.object, each if each not in action.each else None, rules, score / max(1, len(wanted)))
