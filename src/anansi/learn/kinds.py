"""What a template is for: it lists, it shows again what others show, or it is content.

Blocks of a list have a link each that no other block has, to pages of another template, and say little themselves. A
view says what other pages say, too: archives, searches, pages to print. Content says what none says but it.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from anansi.learn.blocks import Block
from anansi.learn.fields import Parts
from anansi.learn.outline import Outline
from anansi.learn.shapes import shape_of
from anansi.learn.templates import Template
from anansi.url import resolve

OFTEN: Final = 0.2
"""Share of a site's pages above which an item is boilerplate."""
AGAIN: Final = 0.7
"""Share of what a template says that other ones must say for it to be a view."""
LED: Final = 0.6
"""Share of the blocks of a list that have a link of their own."""
TITLE: Final = 8
"""Characters of such a link's text, in the mean."""


class Kind(enum.StrEnum):
    """What a template is for."""

    DETAIL = "detail"
    LIST = "list"
    VIEW = "view"
    OTHER = "other"


def said_again(templates: Sequence[Template]) -> dict[int, float]:
    """Return of each template, by its identity, which share of what it says larger ones say, too."""
    counts: Counter[int] = Counter(item for each in templates for items in each.items for item in items)
    most = OFTEN * sum(len(each.items) for each in templates)
    many = sum(len(each.items) for each in templates) >= 10
    own = [{i for items in each.items for i in items if not many or counts[i] <= most} for each in templates]
    known: set[int] = set()
    again: dict[int, float] = {}
    for said, template in sorted(zip(own, templates, strict=True), key=lambda each: -len(each[0])):
        share = len(said & known) / len(said) if said else 0.0
        again[id(template)] = share
        if share < AGAIN:
            known |= said
    return again


def leads_on(
    blocks: Sequence[Block], parts: Parts, elsewhere: frozenset[str], taken: Iterable[int]
) -> tuple[int, str] | None:
    """Return the place of the link that each block has to a page of its own, of another template, and its shape."""
    out = set(taken)
    for place, nodes in parts.nodes.items():
        if not parts.places.step[place].startswith("a") or place in out or len(nodes) < LED * len(blocks):
            continue
        said = {(id(blocks[number].page), parts.text(number, each)) for number, each in nodes.items()}
        if sum(len(text) for _, text in said) < TITLE * len(said) or len(said) < LED * len(nodes):
            continue
        links = ((blocks[number].page, parts.element(number, each).get("href")) for number, each in nodes.items())
        targets = {(id(page), _whole(href, page)) for page, href in links if href}
        shapes = Counter(shape for _, target in targets if target and (shape := shape_of(target)) in elsewhere)
        if shapes.total() >= LED * len(nodes):
            return place, shapes.most_common(1)[0][0]
    return None


def _whole(href: str, page: Outline) -> str:
    return resolve(href, page.url) or ""
