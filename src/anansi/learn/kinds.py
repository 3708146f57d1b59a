"""What a template is for: it lists, it shows again what others show, or it is content.

Blocks of a list have a link each that no other block has, to pages of another template, and say little themselves. A
view says what other pages say, too: archives, searches, pages to print. Content says what none says but it.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

from anansi.induce.blocks import Block
from anansi.induce.fields import Parts
from anansi.induce.outline import Outline
from anansi.learn.address_kinds import shape_of
from anansi.learn.templates import Template
from anansi.url import resolve, site_of

OFTEN: Final = 0.2
"""Share of a site's pages above which an item is boilerplate."""
FEW: Final = 10
"""Pages below which nothing can be told to be boilerplate."""
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


def said_again(templates: Sequence[Template], lists: Sequence[bool]) -> list[float]:
    """Return of each template which share of what it says others say, too: larger ones, and lists after all else."""
    counts: Counter[int] = Counter(item for each in templates for items in each.items for item in items)
    pages = sum(len(each.items) for each in templates)
    most = OFTEN * pages if pages >= FEW else pages
    own = [{item for items in each.items for item in items if counts[item] <= most} for each in templates]
    known: set[int] = set()
    again = [0.0] * len(templates)
    for number in sorted(range(len(templates)), key=lambda each: (lists[each], -len(own[each]))):
        again[number] = len(own[number] & known) / len(own[number]) if own[number] else 0.0
        if again[number] < AGAIN:
            known |= own[number]
    return again


def leads_on(
    blocks: Sequence[Block], parts: Parts, own: Container[str], taken: Sequence[int]
) -> tuple[int, str] | None:
    """Return the place of the link that each block has to a page of its own, of another template, and its shape."""
    places = parts.places
    for place, nodes in parts.nodes.items():
        beside = not any(places.below(place, each) or places.below(each, place) for each in taken)
        if not re.match(r"a(?![a-z])", places.step[place]) or not beside or len(nodes) < LED * len(blocks):
            continue
        said = {(id(blocks[number].page), parts.text(number, each)) for number, each in nodes.items()}
        if sum(len(text) for _, text in said) < TITLE * len(said) or len(said) < LED * len(nodes):
            continue
        links = ((blocks[number].page, parts.element(number, each).get("href")) for number, each in nodes.items())
        targets = {(id(page), _whole(href, page)) for page, href in links if href}
        site = site_of(blocks[0].page.url)
        inside = (target for _, target in targets if target and site_of(target) == site)
        shapes = Counter(shape for target in inside if (shape := shape_of(target)) not in own)
        if shapes.total() >= LED * len(nodes):
            return place, shapes.most_common(1)[0][0]
    return None


def _whole(href: str, page: Outline) -> str:
    return resolve(href, page.url) or ""
