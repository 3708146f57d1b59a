"""Where a property may stand in the containers of a page whose rules failed, by how it looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from anansi.adapt import looks
from anansi.adapt.induce import Inducer
from anansi.adapt.mend import variants
from anansi.adapt.scene import Scene
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

_PROSE: Final = frozenset(
    ("p", "br", "ul", "ol", "pre", "blockquote", "b", "i", "em", "strong", "a", "span", "code", "img")
)
_CUES: Final[dict[str, re.Pattern[str]]] = {
    "author": re.compile(r"auth|user|poster|member|byline|creator|\bfn\b|nick|writer|name", re.I),
    "date": re.compile(r"date|time|publ|creat|stamp|\bago\b", re.I),
    "modified": re.compile(r"modif|updat|edit", re.I),
    "title": re.compile(r"title|subject|headline|heading|topic", re.I),
    "text": re.compile(r"content|body|text|message|entry|descr|copy", re.I),
    "link": re.compile(r"perma|link|bookmark", re.I),
}
_PERSON: Final = re.compile(r"user|member|profile|author|account|people|[?&;]u(?:id)?=|/u/|/@", re.I)


class Chooser:
    """Looks for properties in the containers of one page."""

    def __init__(
        self,
        scene: Scene,
        action: Extraction,
        each: Expression | None,
        scopes: Sequence[Any],
        favoured: Collection[str],
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
            for expression in self._expressions(name, elements):
                for prop in variants(self._action, name, expression):
                    score = self._score(name, prop, prior)
                    if score >= LEAST:
                        found[prop] = max(score, found.get(prop, 0.0))
        ranked = sorted(((score, prop) for prop, score in found.items()), key=lambda each: (-each[0], _size(each[1])))
        return self._different(ranked)

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
        for scope in self._scopes[:LOOKED_INTO]:
            count = PARTS if self._each is not None else 20 * PARTS
            for number, element in enumerate(scope.iterdescendants()):
                if number >= count:
                    break
                if isinstance(element.tag, str) and self._inducer.scope(element) is scope:
                    found.setdefault(_key(element), {}).setdefault(scope, element)
        return found

    def _likely(self, name: str) -> list[list[Any]]:
        """Return the groups in which a property may stand, those of most containers first."""
        fits = _FITS.get(name, _any)
        scopes = min(len(self._scopes), LOOKED_INTO)
        groups = []
        for number, group in enumerate(self._places.values()):
            elements = list(group.values())
            good = sum(fits(self._scene, each) for each in elements[:8]) / len(elements[:8])
            if good >= 0.5 and len(elements) >= 0.5 * scopes:
                groups.append((-min(1.0, len(elements) / scopes), -self._weight(name, elements), number, elements))
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
        """Say how likely a place is before its values are read: few relaxations, telling names, people's links."""
        known = [prop.expression for prop in self._action.properties if prop.name == name]
        scope = self._inducer.scope(elements[0])
        counts = [fit.changes + fit.worst for each in known if (fit := fitted(each, elements[0], scope)) is not None]
        prior = 0.3 - 0.1 * min(counts, default=3)
        cue = _CUES.get(name)
        if cue is not None:
            prior += 0.25 * any(cue.search(each) for each in _names(elements[0]))
        if name == "author":
            prior += 0.3 * bool(_PERSON.search(_href(elements[0])))
        if name in ("title", "author"):
            prior += 0.1 * (elements[0].tag in ("h1", "h2", "h3") and name == "title")
        if name in ("date", "modified"):
            prior += 0.2 * (elements[0].tag in ("time", "abbr"))
        if any(each in self._favoured for each in _names(elements[0])):
            prior += 0.1
        return prior

    def _score(self, name: str, prop: Property, prior: float) -> float:
        page = self._scene.values(self._action, self._each, prop)
        look = looks.plausible(name, page, len(self._scopes))
        if not look:
            return 0.0
        if name == "title" and self._each is None:
            look *= self._scene.titled(looks.texts(page)[0])
        return look + prior - 0.02 * _size(prop)


def _key(element: Any) -> tuple[str, str, str]:
    parent = element.getparent()
    above = f"{parent.tag}.{parent.get('class', '')[:80]}" if parent is not None else ""
    return element.tag, element.get("class", "")[:80], above


def _names(element: Any) -> list[str]:
    found = []
    for each in (element, element.getparent()):
        if each is not None:
            said = (each.get(name, "") for name in ("class", "id", "itemprop", "rel"))
            found += [token for value in said for token in value[:300].split()]
    return found


def _href(element: Any) -> str:
    for each in (element, element.getparent()):
        if each is not None and each.get("href"):
            return str(each.get("href"))
    below = next(element.iter("a"), None)
    return str(below.get("href", "")) if below is not None else ""


def _attributes(elements: Sequence[Any]) -> Iterator[Expression]:
    for name, value in elements[0].attrib.items():
        if any(map(str.isdigit, value)) and len(value) < 60:
            yield Expression((Step("//", f"@{name}"),))


def _counted(expression: Expression) -> bool:
    return any(isinstance(each, Position) for step in expression.steps for each in step.predicates)


def _size(prop: Property) -> int:
    return len(prop.expression.steps) + bool(prop.match)


def prose(element: Any) -> int:
    """Return how many characters of an element stand in it, in its paragraphs or between its line breaks."""
    total = len((element.text or "").strip())
    for child in element:
        if isinstance(child.tag, str) and child.tag in _PROSE:
            total += len("".join(child.itertext()).strip())
        total += len((child.tail or "").strip())
    return total


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


def _long(_scene: Scene, element: Any) -> bool:
    return prose(element) >= 15


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
