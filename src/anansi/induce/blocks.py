"""The regions of pages that are built alike: what repeats on them (posts, comments, rows), and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final, NamedTuple

from anansi.induce.outline import Outline, Places

REPEATED: Final = 0.1
"""Share of a template's pages on which a place must repeat to be a region: many threads have one post."""
SHORTEST: Final = 12
"""Characters of the shortest block, in the mean: its text or its links."""
REGIONS: Final = 24
"""Regions of a template that are looked into, those with most text first."""
SAID: Final = 0.3
"""Share of the pages' own text from which on a region may be the text of what stands around it."""
ONE_EACH: Final = 0.8
"""Share of such texts that must have an element around them each."""
MANY: Final = 40
"""Blocks of a page that are looked into."""
SAME: Final = 0.9
"""Share of the pages on which two places must stand equally often to be the outside and the inside of one thing."""

INLINE: Final = frozenset(("a", "b", "i", "u", "em", "strong", "font", "br", "img", "small", "big", "code", "option"))


class Block(NamedTuple):
    """An element of a page."""

    page: Outline
    element: int


@dataclass(frozen=True, slots=True)
class Region:
    """A place that repeats, with what stands there on some pages."""

    place: int
    blocks: tuple[Block, ...]
    repeated: int
    """Pages on which it repeats."""
    own: float
    """Share of the pages' own text that stands in it."""
    linked: float
    """Share of its text that stands in links."""


def regions(pages: Sequence[Outline], places: Places) -> list[Region]:
    """Return the regions of pages that are built alike, those that hold most first."""
    counts = {
        place: repeated
        for place in dict.fromkeys(place for page in pages for place in page.by_place)
        if (repeated := sum(len(page.by_place.get(place, ())) > 1 for page in pages))
        and repeated >= REPEATED * len(pages)
        and places.step[place].partition("[")[0] not in INLINE
    }
    outer = [place for place in counts if not _is_inside(place, counts, pages, places)]
    found = [_region(place, counts[place], pages) for place in outer]
    long = [each for each in found if fmean(_length(block) for block in each.blocks) >= SHORTEST]
    mixed = [_around(each, counts, pages, places) for each in long if each.own >= SAID]
    every = {(each.place, len(each.blocks)): each for each in (*filter(None, mixed), *long)}
    return sorted(every.values(), key=lambda each: -(each.own + 0.1 * each.linked))[:REGIONS]


def _around(region: Region, counts: dict[int, int], pages: Sequence[Outline], places: Places) -> Region | None:
    """Return the outermost elements that hold one block of a region each, where others stand among them.

    The rows of a table may be posts, signatures and lines between them: those that hold a text are posts.
    """
    best, above = None, places.above[region.place]
    while above in counts:
        held = [_holders(page, above, region.place) for page in pages]
        if sum(map(len, held)) < ONE_EACH * sum(len(page.by_place.get(region.place, ())) for page in pages):
            break
        best, above = (above, held), places.above[above]
    if best is None:
        return None
    only = dict(zip(map(id, pages), best[1], strict=True))
    return _region(best[0], counts[best[0]], pages, only)


def _holders(page: Outline, place: int, of: int) -> list[int]:
    """Return the elements of a place in which elements of another one stand."""
    inner = iter(page.by_place.get(of, ()))
    at, found = next(inner, None), []
    for each in page.by_place.get(place, ()):
        while at is not None and at < each:
            at = next(inner, None)
        if at is not None and at < page.ends[each]:
            found.append(each)
    return found


def _is_inside(place: int, counts: dict[int, int], pages: Sequence[Outline], places: Places) -> bool:
    """Tell whether a place is always the inside of another one that repeats as often."""
    above = places.above[place]
    while above > 0:
        if above in counts:
            there = [page for page in pages if page.by_place.get(place)]
            same = sum(len(page.by_place[place]) == len(page.by_place.get(above, ())) for page in there)
            return same >= SAME * len(there)
        above = places.above[above]
    return False


def _length(block: Block) -> int:
    return block.page.own(block.element) + block.page.links(block.element)


def _region(place: int, repeated: int, pages: Sequence[Outline], only: dict[int, list[int]] | None = None) -> Region:
    blocks, shares, own, linked = [], [], 0, 0
    for page in pages:
        here = page.by_place.get(place, []) if only is None else only[id(page)]
        blocks += [Block(page, each) for each in here[:MANY]]
        outer = outermost(page, here)
        said, total = sum(map(page.own, outer)), page.own(0) if page.elements else 0
        own += said
        linked += sum(map(page.links, outer))
        if here and total:
            shares.append(said / total)
    return Region(place, tuple(blocks), repeated, fmean(shares) if shares else 0.0, linked / max(1, own + linked))


def single(pages: Sequence[Outline]) -> tuple[Block, ...]:
    """Return pages as blocks, each being the whole page."""
    return tuple(Block(page, 0) for page in pages if page.elements)


def rest(page: Outline, blocks: Sequence[int]) -> int:
    """Return how many characters of a page's own text stand in none of some elements."""
    return page.own(0) - sum(map(page.own, outermost(page, blocks))) if page.elements else 0


def outermost(page: Outline, elements: Sequence[int]) -> list[int]:
    """Return those of some elements, in their order, that stand in none of the others."""
    found: list[int] = []
    for each in elements:
        if not found or each >= page.ends[found[-1]]:
            found.append(each)
    return found


def usual(numbers: Sequence[int]) -> float:
    """Return the median, and 0 where there is none."""
    return float(median(numbers)) if numbers else 0.0
