"""The regions of a template: what repeats on its pages (posts, comments, rows), and the one block that does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final, NamedTuple

from anansi.learn.outline import Outline, Places
from anansi.learn.templates import Template

REPEATED: Final = 0.15
"""Share of a template's pages on which a place must repeat to be a region: many threads have one post."""
SHORTEST: Final = 12
"""Characters of the shortest block, in the mean: its text or its links."""
REGIONS: Final = 24
"""Regions of a template that are looked into, those with most text first."""
MANY: Final = 40
"""Blocks of a page that are looked into."""
SAME: Final = 0.9
"""Share of the pages on which two places must be found equally often to be the outside and the inside of one thing."""

_INLINE: Final = frozenset(("a", "b", "i", "u", "em", "strong", "font", "br", "img", "small", "big", "code", "option"))


class Block(NamedTuple):
    """An element of a page."""

    page: Outline
    element: int


@dataclass(frozen=True, slots=True)
class Region:
    """A place that repeats, with what stands there on some pages of the template."""

    place: int
    blocks: tuple[Block, ...]
    repeated: int
    """Pages on which it repeats."""
    own: float
    """Share of the pages' own text that stands in it."""
    linked: float
    """Share of its text that stands in links."""


def regions(template: Template, places: Places) -> list[Region]:
    """Return the regions of a template, those that hold most first."""
    counts = {
        place: repeated
        for place in template.counts
        if (repeated := sum(len(page.by_place.get(place, ())) > 1 for page in template.pages))
        and repeated >= REPEATED * len(template.pages)
        and places.step[place].partition("[")[0] not in _INLINE
    }
    outer = [place for place in counts if not _is_inside(place, counts, template, places)]
    found = [_region(place, counts[place], template) for place in outer]
    long = [each for each in found if fmean(_length(block) for block in each.blocks) >= SHORTEST]
    return sorted(long, key=lambda each: -(each.own + 0.1 * each.linked))[:REGIONS]


def _is_inside(place: int, counts: dict[int, int], template: Template, places: Places) -> bool:
    """Tell whether a place is always the inside of another one that repeats as often."""
    above = places.above[place]
    while above > 0:
        if above in counts:
            pages = [page for page in template.pages if page.by_place.get(place)]
            same = sum(len(page.by_place[place]) == len(page.by_place.get(above, ())) for page in pages)
            return same >= SAME * len(pages)
        above = places.above[above]
    return False


def _length(block: Block) -> int:
    return block.page.own(block.element) + block.page.links(block.element)


def _region(place: int, repeated: int, template: Template) -> Region:
    blocks, shares, own, linked = [], [], 0, 0
    for page in template.pages:
        here = page.by_place.get(place, [])
        blocks += [Block(page, each) for each in here[:MANY]]
        said, total = sum(map(page.own, here)), page.own(0) if page.elements else 0
        own += said
        linked += sum(map(page.links, here))
        if here and total:
            shares.append(said / total)
    return Region(place, tuple(blocks), repeated, fmean(shares) if shares else 0.0, linked / max(1, own + linked))


def single(template: Template, without: Sequence[Block] = ()) -> tuple[Block, ...]:
    """Return the pages of a template as blocks of their own, each being the whole page.

    What they hold besides some blocks must be worth it: see `rest`.
    """
    return tuple(Block(page, 0) for page in template.pages if page.elements)


def rest(page: Outline, blocks: Sequence[int]) -> int:
    """Return how many characters of a page's own text stand in none of some elements."""
    return page.own(0) - sum(map(page.own, blocks)) if page.elements else 0


def usual(numbers: Sequence[int]) -> float:
    """Return the median, and 0 where there is none."""
    return float(median(numbers)) if numbers else 0.0
