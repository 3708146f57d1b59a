"""Where a property may stand in the containers of a page whose rules failed, by how it looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from anansi.adapt import looks
from anansi.adapt.favour import Favoured
from anansi.adapt.induce import Inducer
from anansi.adapt.mend import variants
from anansi.adapt.proof import PERSON, person
from anansi.adapt.scene import Scene
from anansi.adapt.spans import prose, squeezed
from anansi.knowledge.entry import Extraction, Property
from anansi.knowledge.relax import fitted
from anansi.knowledge.xpath import Expression, Position, Step

CANDIDATES: Final = 8
"""Rules of one property that go on trial."""

TRIED: Final = 30
"""Places in the containers that are tried for one property."""

LOOKED_INTO: Final = 30
"""Containers that are looked into."""

PARTS: Final = 400
"""Elements of one container that are looked at."""

LEAST: Final = 0.3
"""How much values must look like a property to be on trial."""

WHOLE: Final = 0.7
"""Share of the longest text in the containers that another place must have to be taken for the text."""

PROSE: Final = 60
"""Characters of prose from which on an element speaks for itself as a text."""

_NO_TEXT: Final = ("time", "h1", "h2", "form", "nav", "textarea", "input", "script", "style", "header", "footer")
_ANY: Final = frozenset(("div", "span", "li", "a", "td", "tr", "section", "article", "table", "ul", "dd"))
_TIME: Final = re.compile(r"\d{1,2}:\d\d")


class Chooser:
    """Looks for properties in the containers of one page."""

    def __init__(
        self,
        scene: Scene,
        action: Extraction,
        each: Expression | None,
        scopes: Sequence[Any],
        favoured: Favoured,
    ):
        self._scene, self._action, self._each = scene, action, each
        self._scopes, self._favoured = scopes, favoured
        self._inducer = Inducer(scene.features, scopes)
        self._places = self._grouped()

    def rules(self, name: str) -> list[tuple[float, Property]]:
        """Return rules for a property with how good they are, the best first."""
        found: dict[Property, float] = {}
        for elements in self._likely(name):
            if self._scene.tired:
                break
            prior = self._prior(name, elements)
            if not prior:
                continue
            for expression in filter(_tells, self._expressions(name, elements)):
                for prop in variants(self._action, name, expression):
                    score = self._score(name, prop, prior)
                    if score >= LEAST:
                        found[prop] = max(score, found.get(prop, 0.0))
        ranked = sorted(((score, prop) for prop, score in found.items()), key=lambda each: (-each[0], _size(each[1])))
        return self._different(ranked)

    def anchored(self, name: str) -> list[tuple[float, Property]]:
        """Return rules for a property by relaxation alone: something that the old ones name is there still."""
        known = [prop for prop in self._action.properties if prop.name == name]
        found: dict[Property, float] = {}
        for elements in self._places.values():
            first = next(iter(elements.values()))
            scope = self._inducer.scope(first)
            for prop in known:
                fit = fitted(prop.expression, first, scope)
                if fit is None or fit.worst or not fit.changes or not _holds(prop.expression, fit.expression):
                    continue
                new = replace(prop, expression=fit.expression, line=0)
                if new not in found and self._scene.values(self._action, self._each, new):
                    found[new] = 1.0 - 0.1 * fit.changes
        return sorted(((score, prop) for prop, score in found.items()), key=lambda each: -each[0])[:3]

    def _different(self, ranked: Sequence[tuple[float, Property]]) -> list[tuple[float, Property]]:
        """Keep the best rules, at most two of those that find the same."""
        counted: Counter[tuple[str, ...]] = Counter()
        kept: list[tuple[float, Property]] = []
        for score, prop in ranked:
            values = tuple(looks.texts(self._scene.values(self._action, self._each, prop)))
            counted[values] += 1
            if counted[values] <= 2 and len(kept) < CANDIDATES:
                kept.append((score, prop))
        return kept

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _grouped(self) -> dict[tuple[str, str, str], dict[Any, Any]]:
        """Group the elements of the containers by tag, class and what stands above: the first of each container."""
        found: dict[tuple[str, str, str], dict[Any, Any]] = {}
        elsewhere = self._others() if self._each is None else frozenset()
        for scope in self._scopes[:LOOKED_INTO]:
            count = PARTS if self._each is not None else 20 * PARTS
            for number, element in enumerate(scope.iterdescendants()):
                if number >= count:
                    break
                if any(up in elsewhere for up in (element, *element.iterancestors())):
                    continue
                if isinstance(element.tag, str) and self._inducer.scope(element) is scope:
                    found.setdefault(_key(element), {}).setdefault(scope, element)
        return found

    def _others(self) -> frozenset[Any]:
        """Return the containers of the page's other objects: who wrote a comment did not write the article."""
        others = (action for action in self._scene.level.extraction if action.object != self._action.object)
        found = (next(filter(None, map(self._scene.find, action.each)), []) for action in others)
        return frozenset(element for elements in found for element in elements)

    def _likely(self, name: str) -> list[list[Any]]:
        """Return the groups in which a property may stand, those of most containers first."""
        fits = _FITS.get(name, _any)
        scopes = min(len(self._scopes), LOOKED_INTO)
        groups = []
        for number, group in enumerate(self._places.values()):
            elements = list(group.values())
            good = sum(fits(self._scene, each) for each in elements[:8]) / len(elements[:8])
            if name == "text" and sum(map(_names_people, elements[:8])) >= 0.8 * len(elements[:8]):
                continue  # the whole post, with who wrote it
            if good >= 0.5 and len(elements) >= 0.5 * scopes:
                groups.append((-min(1.0, len(elements) / scopes), -self._weight(name, elements), number, elements))
        if name == "text" and groups:  # a paragraph of a text is less than the text
            most = min(weight for _, weight, *_ in groups)
            groups = [each for each in groups if each[1] <= WHOLE * most]
        return [elements for *_, elements in sorted(groups, key=lambda each: each[:3])[:TRIED]]

    def _weight(self, name: str, elements: Sequence[Any]) -> float:
        if name == "text":
            return sum(prose(each) for each in elements) / len(elements)
        return 0.0

    def _expressions(self, name: str, elements: Sequence[Any]) -> Iterator[Expression]:
        """Go through ways to find a group: relaxed rules first, then what tells it from all others."""
        known = [prop.expression for prop in self._action.properties if prop.name == name]
        scope = self._inducer.scope(elements[0])
        fits = [fit for each in known if (fit := fitted(each, elements[0], scope)) is not None]
        plain = [fit for fit in fits if not _counted(fit.expression)]
        for fit in sorted(plain, key=lambda fit: (fit.worst, fit.changes))[:2]:
            yield fit.expression
        yield from self._inducer.expressions(elements)[:4]
        if name == "id":
            yield from _attributes(elements)
        if name == "date":
            for attribute in ("title", "data-time", "data-timestamp"):
                if elements[0].get(attribute):
                    yield from self._inducer.expressions(elements, f"@{attribute}")[:1]

    # ── how good ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _prior(self, name: str, elements: Sequence[Any]) -> float:
        """Say how likely a place is before its values are read; nothing when nothing speaks for it."""
        first = elements[0]
        known = [prop.expression for prop in self._action.properties if prop.name == name]
        scope = self._inducer.scope(first)
        fits = [(fit, each) for each in known if (fit := fitted(each, first, scope)) is not None]
        kept = [fit.changes for fit, each in fits if not fit.worst and _holds(each, fit.expression)]
        prior = 0.5 - 0.08 * min(kept) if kept else 0.0
        prior += 0.3 * self._favoured.says(name, _names(first))
        inside = self._each is not None
        if name == "author" and (prior or inside):
            prior += 0.3 * person(first)
        elif name in ("date", "modified"):
            prior += 0.3 * (first.tag in ("time", "abbr") or first.get("datetime") is not None)
            prior = prior or 0.2 * (inside and _TIME.search("".join(first.itertext())) is not None)
        elif name == "title":
            prior += 0.2 * (first.tag in ("h1", "h2", "h3") or self._scene.spans.of(first) in self._scene.title)
        elif name == "text" and (prior or inside):
            prior += 0.2 * (prose(first) >= PROSE)
        elif name == "id":
            prior += 0.2
        return prior - 0.03 * min((fit.changes for fit, _ in fits), default=3) if prior else 0.0

    def _score(self, name: str, prop: Property, prior: float) -> float:
        page = self._scene.values(self._action, self._each, prop)
        look = looks.plausible(name, page, len(self._scopes))
        if not look:
            return 0.0
        if name == "title" and self._each is None:
            look *= self._scene.titled(looks.texts(page)[0])
        if name == "author" and any(squeezed(each) in self._scene.title for each in looks.texts(page)):
            return 0.0
        return look + prior - 0.02 * _size(prop)


def _holds(old: Expression, new: Expression) -> bool:
    """Tell whether a relaxed expression still asks for a name that the old one asked for, where it matters.

    An element that another tag stands for now must have its name still; one that never had a name must have its tag.
    """
    was, now = _last(old), _last(new)
    said = set(Expression((was,)).strings())
    if said or was.test != now.test:
        return any(len(string) > 2 for string in said & set(Expression((now,)).strings()))
    return any(len(string) > 2 for string in set(old.strings()) & set(new.strings()))


def _last(expression: Expression) -> Step:
    """Return the last step that is an element's."""
    steps = [step for step in expression.steps if not step.test.startswith("@") and step.test != "text()"]
    return steps[-1] if steps else expression.steps[-1]


def _names_people(element: Any) -> bool:
    return any(PERSON.search(each.get("href", "")) for each in element.iter("a"))


def _key(element: Any) -> tuple[str, str, str]:
    parent = element.getparent()
    above = f"{parent.tag}.{parent.get('class', '')[:80]}" if parent is not None else ""
    return element.tag, element.get("class", "")[:80], above


def _names(element: Any) -> list[str]:
    """Return the names of an element; of one without, those of what it stands in."""
    for each in (element, element.getparent()):
        said = (each.get(name, "") for name in ("class", "id", "itemprop", "rel")) if each is not None else ()
        found = [token for value in said for token in value[:300].split()]
        if found:
            return found
    return []


def _attributes(elements: Sequence[Any]) -> Iterator[Expression]:
    for name, value in elements[0].attrib.items():
        if any(map(str.isdigit, value)) and len(value) < 60:
            yield Expression((Step("//", f"@{name}"),))


def _tells(expression: Expression) -> bool:
    """Tell whether an expression says more than that something is an element like most others."""
    return _last(expression).test not in _ANY or any(step.predicates for step in expression.steps)


def _counted(expression: Expression) -> bool:
    return any(isinstance(each, Position) for step in expression.steps for each in step.predicates)


def _size(prop: Property) -> int:
    return len(prop.expression.steps) + bool(prop.match)


# ── what can be a property, by a glance ──────────────────────────────────────────────────────────────────────────


def _any(_scene: Scene, _element: Any) -> bool:
    return True


def _short(scene: Scene, element: Any) -> bool:
    return 2 <= scene.spans.length(element) <= looks.NAME and not scene.spans.of(element).isdigit()


def _dated(scene: Scene, element: Any) -> bool:
    if element.get("datetime") or any(map(str.isdigit, element.get("title", ""))):
        return True
    text = scene.spans.of(element)
    return 4 <= len(text) <= 120 and any(map(str.isdigit, text))


def _headed(scene: Scene, element: Any) -> bool:
    return 3 <= scene.spans.length(element) <= looks.TITLE


def _long(scene: Scene, element: Any) -> bool:
    """Tell whether an element can be a text and nothing else: no heading, date or form in it, and not mere links."""
    if prose(element) < 15 or element.tag in _NO_TEXT or next(element.iter(*_NO_TEXT), None) is not None:
        return False
    linked = sum(scene.spans.length(each) for each in element.iter("a"))
    return linked < 0.5 * scene.spans.length(element)


def _linked(_scene: Scene, element: Any) -> bool:
    return element.get("href") is not None


_FITS: Final = {
    "author": _short,
    "date": _dated,
    "modified": _dated,
    "title": _headed,
    "text": _long,
    "link": _linked,
    "author-link": _linked,
}
