"""Can what was found be nothing but the property? Asked where nothing is known of a site.

A value that looks like a property may still be another one's: the author of the first comment, a paragraph of a text,
a text with somebody's quote in it. Only what the page itself vouches for stands; the rest stays missing, for what is
missing can be mended later and what is wrong is believed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from anansi.act import tree as html
from anansi.adapt import looks
from anansi.adapt.favour import words_of
from anansi.adapt.purity import NUMBERED, TIME, clean, largest, only, quotes, whole
from anansi.adapt.scene import Scene
from anansi.adapt.spans import squeezed
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import Expression, Position, Predicate, Step

TELLING: Final = 3
"""Characters of a string that names something."""

LOOKED_INTO: Final = 40
"""Containers that are looked into."""

_SWAPPED: Final = frozenset(("span", "div", "article", "section", "li", "ul", "dd", "dl"))
"""Tags that templates use for one another."""

CALLED: Final = frozenset(("author", "username", "poster", "writer", "byline", "creator", "nickname", "vcard"))
"""What authors are called."""

PERSON: Final = re.compile(r"user|member|profile|author|account|people|[?&;]u(?:id)?=|/u/|/@", re.I)
"""What stands in addresses of people."""

_EDITED: Final = re.compile(r"edit|modif|chang|update|bearbeit|geänd", re.I)
_DIGIT: Final = re.compile(r"\d")
_SEPARATORS: Final = re.compile(r"\s+[-–—|·•»«:/>]+\s+|\s*[|»•·]\s*")
_OTHERS: Final = frozenset(("comment", "comments", "reply", "replies", "response", "responses", "answer", "answers"))
_ANCHOR: Final = re.compile(r"(?:^|[#/=?&;_-])[a-z_-]{0,20}[-_=/]?(\d+)/?$", re.I)


@dataclass(frozen=True)
class _Found:
    """What rules of one property find on a page."""

    scene: Scene
    action: Extraction
    each: Expression | None
    rule: Property
    scopes: Sequence[Any]
    elements: Sequence[Sequence[Any]]
    """Of each container that has any."""


def stands(scene: Scene, action: Extraction, each: Expression | None, rules: Sequence[Property]) -> bool:
    """Tell whether what rules find on a page can be nothing but the property."""
    return all(_stands(_found(scene, action, each, rule)) for rule in rules)


def unmixed(
    scene: Scene, action: Extraction, each: Expression | None, *, mended: Collection[str] = frozenset()
) -> bool:
    """Tell whether the texts that old rules would find in mended objects are texts and nothing else."""
    bodies = [prop for prop in action.properties if prop.read_as is As.BODY and prop.name not in mended]
    done: set[tuple[str, Any]] = set()
    for prop in bodies:
        found = _found(scene, action, each, prop)
        fresh = [one[0] for one in found.elements if (prop.name, _scope(one[0], found.scopes)) not in done]
        done.update((prop.name, _scope(one, found.scopes)) for one in fresh)
        if not all(clean(one, _left_out(scene, prop)) for one in fresh):
            return False
    return True


def kept(scene: Scene, action: Extraction, each: Expression | None, *, mended: Collection[str]) -> bool:
    """Tell whether what old rules find in containers that are new can be nothing but their properties."""
    for name in action.names:
        rules = [prop for prop in action.properties if prop.name == name]
        first = next((prop for prop in rules if scene.values(action, each, prop)), None)
        if first is None or name in mended:
            continue
        values = looks.texts(scene.values(action, each, first))
        if name in ("id", "link") and (len(set(values)) < len(values) or not all(map(_DIGIT.search, values))):
            return False
        if name in ("author", "date", "text") and not stands(scene, action, each, (first,)):
            return False
    return True


def numbered(elements: Sequence[Any]) -> bool:
    """Tell whether containers are told apart by numbers: each has an id, an anchor or a link of its own."""
    if all(each.get("itemtype") for each in elements):
        return True
    own = [_numbers(each) for each in elements[:LOOKED_INTO]]
    counted = Counter(number for mine in own for number in mine)
    return all(any(counted[number] == 1 for number in mine) for mine in own)


def dated_once(elements: Sequence[Any]) -> bool:
    """Tell whether no container has the dates of several objects in a machine's words."""
    dates = (
        {each.get("datetime") for each in one.iter("time") if each.get("datetime")} for one in elements[:LOOKED_INTO]
    )
    return all(len(each) <= 1 for each in dates)


def _numbers(element: Any) -> set[str]:
    found = set()
    for each in element.iter():
        for name in ("id", "name", "href", "data-id", "data-post-id", "data-content"):
            match = _ANCHOR.search(each.get(name, "")) if isinstance(each.tag, str) else None
            if match:
                found.add(match[1])
    return found


def unquoted(scene: Scene, action: Extraction, each: Expression | None, rule: Property) -> Property:
    """Let a rule for a text leave out the quotes that stand in it."""
    if rule.read_as is not As.BODY:
        return rule
    found = _found(scene, action, each, rule)
    without = _left_out(scene, rule)
    boxes = [box for one in found.elements for box in quotes(scene.spans, one[0]) if box not in without]
    named = (next((step for step in scene.features.steps(box) if step.predicates), None) for box in boxes)
    more = dict.fromkeys(Expression((step,)) for step in named if step is not None)
    return replace(rule, without=(*rule.without, *more)) if more else rule


# ── what a rule finds ────────────────────────────────────────────────────────────────────────────────────────────


def _found(scene: Scene, action: Extraction, each: Expression | None, rule: Property) -> _Found:
    scopes = scene.find(each)[:LOOKED_INTO] if each is not None else [scene.place.tree]
    steps = rule.expression.steps
    part = steps[-1].test == "text()" or steps[-1].test.startswith("@")
    path = steps[:-1] if part else steps
    there = scene.find(Expression(path)) if path else list(scopes)
    inside: dict[Any, list[Any]] = {}
    for element in there:
        scope = _scope(element, scopes)
        if scope is not None:
            inside.setdefault(scope, []).append(element)
    return _Found(scene, action, each, rule, scopes, list(inside.values()))


def _scope(element: Any, scopes: Sequence[Any]) -> Any:
    at = element
    while at is not None and at not in scopes:
        at = at.getparent()
    return at


def _stands(found: _Found) -> bool:
    if not found.elements or any(_in_head(one) for several in found.elements for one in several):
        return False
    if not found.rule.many and not all(_one_value(found, several) for several in found.elements):
        return False
    if found.each is None and found.rule.name != "title" and not _before_others(found):
        return False
    return _JUDGES.get(found.rule.name, _faithful)(found)


def _in_head(element: Any) -> bool:
    return element.tag == "head" or any(up.tag == "head" for up in element.iterancestors())


def _one_value(found: _Found, elements: Sequence[Any]) -> bool:
    """Tell whether all elements that a rule finds in a container say the same; else the first may be wrong."""
    last = found.rule.expression.steps[-1].test
    if found.rule.read_as is As.BODY:
        return len(elements) == 1
    if last.startswith("@"):
        return len({one.get(last[1:]) for one in elements} - {None, ""}) <= 1
    if found.rule.read_as is As.LINK:
        return len({one.get("href") for one in elements}) == 1
    if found.rule.read_as is As.DATE and all(one.get("datetime") for one in elements):
        return len({one.get("datetime") for one in elements}) == 1
    return len({found.scene.spans.of(one) for one in elements} - {""}) <= 1


def _before_others(found: _Found) -> bool:
    """Tell whether what is said of a page stands before its comments or answers, and in none of them."""
    if not any(action.each for action in found.scene.level.extraction if action is not found.action):
        return True
    first = found.elements[0][0]
    for up in (first, *first.iterancestors()):
        if _OTHERS & words_of(f"{up.get('class', '')} {up.get('id', '')} {up.get('itemtype', '')}"):
            return False
    for element in found.scene.spans.elements:
        if element is first:
            return True
        if isinstance(element.tag, str) and any(
            NUMBERED.search(element.get(name, "")) for name in ("id", "href", "name")
        ):
            return False
    return False


# ── by property ──────────────────────────────────────────────────────────────────────────────────────────────────


def _faithful(found: _Found) -> bool:
    """Tell whether a rule asks for all that an old one asked for; the tag of what has a name may be another one."""
    old = (prop.expression for prop in found.action.properties if prop.name == found.rule.name)
    return any(_kept(each.steps, found.rule.expression.steps) for each in old)


def _kept(old: Sequence[Step], new: Sequence[Step]) -> bool:
    return len(old) == len(new) and all(map(_kept_step, old, new))


def _kept_step(old: Step, new: Step) -> bool:
    if old.predicates != new.predicates:
        return False
    named = any(_naming(each) for each in new.predicates)
    swapped = old.test == new.test or (named and (old.test == "*" or {old.test, new.test} <= _SWAPPED))
    return swapped and (old.axis == new.axis or named)


def _naming(predicate: Predicate) -> bool:
    return not isinstance(predicate, Position) and predicate.value != "@rel" and len(predicate.string) >= TELLING


def _author(found: _Found) -> bool:
    """A name stands alone in its element, and where people are linked, it is the only one that is."""
    called = _faithful(found) or CALLED & words_of(" ".join(found.rule.expression.strings()))
    for several in found.elements:
        if _chunks(several[0]) != 1 or not (called or person(several[0])):
            return False
        linked = _people(found, several[0])
        if linked and linked != {found.scene.spans.of(several[0])}:
            return False
    return True


def _people(found: _Found, element: Any) -> set[str]:
    """Return the names that link to people in the container of an element; of a page there are too many."""
    if found.each is None:
        return set()
    scope = _scope(element, found.scopes)
    links = (each for each in scope.iter("a") if PERSON.search(each.get("href", "")) and _chunks(each) == 1)
    return {found.scene.spans.of(each) for each in links}


def person(element: Any) -> bool:
    """Tell whether an element is, or alone holds, or stands in a link to a person."""
    if any(each is not None and PERSON.search(each.get("href", "")) for each in (element, element.getparent())):
        return True
    inner = next(element.iter("a"), None)
    return inner is not None and PERSON.search(inner.get("href", "")) is not None and _line(inner) == _line(element)


def _author_link(found: _Found) -> bool:
    hrefs = [several[0].get("href", "") for several in found.elements]
    return found.each is not None and all(map(PERSON.search, hrefs)) and _author(found)


def _chunks(element: Any) -> int:
    return sum(bool(text.strip()) for text in element.itertext())


def _date(found: _Found) -> bool:
    """What says when is the only one in its container that does, and says it in a machine's words if it can."""
    for several in found.elements:
        one, scope = several[0], _scope(several[0], found.scopes)
        machine = {each.get("datetime") for each in scope.iter("time") if each.get("datetime")}
        clocks = _clocks(scope)
        if found.each is not None and (len(machine) > 1 or len(clocks) > 1):
            return False
        if found.each is not None and not machine and clocks and not any(each in _line(one) for each in clocks):
            return False
        if found.rule.expression.steps[-1].test.startswith("@"):
            continue
        if one.get("datetime") is None and any(
            each.get(name) for each in one.iter() for name in ("datetime", "title")
        ):
            return False
        if one.get("datetime") is None and (_chunks(one) != 1 or found.rule.match) and not _faithful(found):
            return False
    return True


def _clocks(scope: Any) -> set[str]:
    """Return the short texts of a container that have the time of a day in them."""
    texts = (" ".join(text.split()) for text in scope.itertext())
    return {text for text in texts if len(text) <= looks.NAME and TIME.search(text) and not _EDITED.search(text)}


def _line(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _title(found: _Found) -> bool:
    """A title is what the page's head says, whole."""
    said = _head_says(found.scene)
    values = looks.texts(found.scene.values(found.action, found.each, found.rule))
    return found.each is None and bool(values) and squeezed(values[0]) in said


def _head_says(scene: Scene) -> set[str]:
    whole = html.title(scene.place.tree)
    parts = [whole, *_SEPARATORS.split(whole)[:1]]
    parts += (each.get("content", "") for each in scene.place.tree.iter("meta") if each.get("property") == "og:title")
    return {squeezed(each) for each in parts} - {""}


def _text(found: _Found) -> bool:
    """A text has a name, all of it stands there, and nothing else does."""
    without = _left_out(found.scene, found.rule)
    firsts = [several[0] for several in found.elements]
    if not _called(found.rule.expression) or not all(clean(each, without) and whole(each) for each in firsts):
        return False
    return all(
        largest(found.scene.spans, _scope(each, found.scopes), each)
        if found.each is not None
        else only(found.scene.spans, each)
        for each in firsts
    )


def _called(expression: Expression) -> bool:
    return any(
        not isinstance(each, Position) and len(each.string) >= TELLING for each in expression.steps[-1].predicates
    )


def _left_out(scene: Scene, rule: Property) -> frozenset[Any]:
    return frozenset(element for each in rule.without for element in scene.find(each))


def _body(found: _Found) -> bool:
    without = _left_out(found.scene, found.rule)
    return _faithful(found) and all(clean(one, without) for several in found.elements for one in several)


_JUDGES: Final[dict[str, Callable[[_Found], bool]]] = {
    "author": _author,
    "date": _date,
    "author-link": _author_link,
    "title": _title,
    "text": _text,
    "quote": _body,
    "signature": _body,
}
