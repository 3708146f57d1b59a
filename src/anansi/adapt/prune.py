"""Texts with something in their middle that is not theirs: what to leave out is learned from what is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from anansi.adapt.induce import Inducer
from anansi.adapt.locate import edge_of
from anansi.adapt.scene import Scene
from anansi.adapt.spans import squeezed
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import Expression
from anansi.model import WebObject

MOST: Final = 8
"""Elements that are left out of a text."""

DEEPEST: Final = 6
"""Levels below an element in which they are looked for."""


def pruned(
    scene: Scene, action: Extraction, each: Expression | None, name: str, known: Sequence[WebObject]
) -> Iterator[Property]:
    """Suggest rules for a text that leave out what it does not hold, where known texts say so."""
    rule = next((prop for prop in action.properties if prop.name == name), None)
    if rule is None or rule.read_as is not As.BODY:
        return
    inducer = Inducer(scene.features, scene.find(each) if each is not None else [scene.place.tree])
    everywhere = Inducer(scene.features, [scene.place.tree])
    wanted = [squeezed(value.text) for one in known for key, value in one.properties if key == name]
    holders = [_holder(scene, text) for text in wanted]
    for height in range(3):
        targets = [_up(holder, height) for holder in holders if holder is not None]
        excluded: list[Any] = []
        for target, text in zip(targets, wanted, strict=False):
            excluded += _foreign(scene, target, text)
        said = dict.fromkeys(first for one in excluded for first in everywhere.expressions_of_all([one])[:1])
        if len(said) <= MOST:
            for expression in inducer.expressions(targets)[:3]:
                yield Property(name, expression, As.BODY, without=tuple(said))


def _holder(scene: Scene, text: str) -> Any:
    edge = edge_of(text)
    found = scene.spans.around(text[:edge], text[-edge:]) if edge else []
    found = found or scene.spans.holding(text)[-1:]
    return found[0] if found else None


def _up(element: Any, height: int) -> Any:
    for _ in range(height):
        parent = element.getparent()
        element = element if parent is None else parent
    return element


def _foreign(scene: Scene, element: Any, text: str, depth: int = 0) -> list[Any]:
    """Return the largest elements in one that hold nothing of a text."""
    found: list[Any] = []
    for child in element:
        said = scene.spans.of(child) if isinstance(child.tag, str) else ""
        if not said or said in text or len(found) > MOST:
            continue
        below = _foreign(scene, child, text, depth + 1) if depth < DEEPEST and len(child) else []
        left = said
        for one in below:
            left = left.replace(scene.spans.of(one), "", 1)
        found += below if below and left and left in text else [child]
    return found
