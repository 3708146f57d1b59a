"""The templates of a site: pages that are built alike, put together by the places that they have.

Addresses of one shape are mostly of one template, and a template mostly has few shapes. So some pages of every shape
are looked at, and put with those that have the same places; how much a place tells is how few pages have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from anansi.induce.outline import Outline, Places, SitePage, common_texts, outline, weigh
from anansi.learn.address_kinds import shape_of
from anansi.learn.items import ItemReader, Items

PAGES: Final = 3000
"""Pages of a site that are looked at; as many as a sample has."""
KEPT: Final = 20
"""Pages of one shape of address that are looked at closely."""
SHAPES: Final = 400
"""Shapes of addresses; pages of further ones are left out."""
HELD: Final = 800_000
"""Elements of all pages that are looked at closely, about 300 bytes each."""
ALIKE: Final = 0.5
"""Share of the places, by what they tell, that a page must have in common with a template to be of it.

Not sensitive: on six recorded sites (`bench/regions.py`) 0.3 to 0.7 find the same text, author and date, while the
templates of a blog's lists grow from 3 to 34.
"""


@dataclass(slots=True, eq=False)
class Template:
    """Pages that are built alike. Mutable while pages are put together."""

    pages: list[Outline] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)
    """Place → pages that have it."""
    shapes: Counter[str] = field(default_factory=Counter)
    items: list[Items] = field(default_factory=list)
    """What every page says, those that are not looked at closely included."""

    @property
    def core(self) -> set[int]:
        """The places that at least half of the pages have."""
        return {place for place, count in self.counts.items() if 2 * count >= len(self.pages)}


@dataclass(slots=True)
class Site:
    """The pages of a site. Mutable while they are gathered."""

    places: Places = field(default_factory=Places)
    templates: list[Template] = field(default_factory=list)
    pages: int = 0
    refused: int = 0
    """Pages beyond what is looked at, and those that are no page."""


def gathered(pages: Iterable[SitePage]) -> Site:
    """Look at pages and put them together by their templates."""
    site, reader = Site(), ItemReader()
    shelves: dict[str, _Shelf] = {}
    held = 0
    for page in pages:
        if site.pages >= PAGES:
            break
        shape = shape_of(page.url)
        if not hasattr(page.tree, "iter") or (shape not in shelves and len(shelves) >= SHAPES):
            site.refused += 1
            continue
        site.pages += 1
        items = reader.of_tree(page.tree)
        shelf = shelves.setdefault(shape, _Shelf())
        shelf.said.append(items)
        if held < HELD and shelf.wants(len(items)):
            held += shelf.put(outline(page, site.places), len(items))
    site.templates = _together({shape: [page for _, page in each.kept] for shape, each in shelves.items()})
    for shape, each in shelves.items():
        most = max(site.templates, key=lambda template: template.shapes[shape], default=None)
        if most is not None and most.shapes[shape]:
            most.items += each.said
    often = common_texts([page for template in site.templates for page in template.pages])
    for template in site.templates:
        weigh(template.pages, often)
    return site


@dataclass(slots=True)
class _Shelf:
    """The pages of one shape. Mutable: what is kept, each with how much it says, and what all say."""

    kept: list[tuple[int, Outline]] = field(default_factory=list)
    said: list[Items] = field(default_factory=list)

    def wants(self, size: int) -> bool:
        """Tell whether a page is worth a closer look: one of the first, or one that says more than the later ones."""
        return len(self.kept) < KEPT or size > min(kept for kept, _ in self.kept[KEPT // 2 :])

    def put(self, page: Outline, size: int) -> int:
        """Keep a page, in the place of a smaller one if there are enough; return how many elements more that is."""
        more = len(page.elements)
        if len(self.kept) >= KEPT:
            least = min(range(KEPT // 2, KEPT), key=lambda number: self.kept[number][0])
            more -= len(self.kept.pop(least)[1].elements)
        self.kept.append((size, page))
        return more


def _together(close: dict[str, list[Outline]]) -> list[Template]:
    sets = {shape: [frozenset(page.by_place) for page in pages] for shape, pages in close.items()}
    everywhere = Counter(place for those in sets.values() for each in those for place in each)
    total = max(1, sum(map(len, sets.values())))
    weights = {place: 1.05 - count / total if count > 1 else 0.0 for place, count in everywhere.items()}
    templates: list[Template] = []
    for shape, pages in close.items():
        for page, places in zip(pages, sets[shape], strict=True):
            best = max(templates, key=lambda each: _alike(places, each, shape, weights), default=None)
            if best is None or _alike(places, best, shape, weights) < ALIKE:
                best = Template()
                templates.append(best)
            best.pages.append(page)
            best.counts.update(places)
            best.shapes[shape] += 1
    return templates


def _alike(places: frozenset[int], template: Template, shape: str, weights: dict[int, float]) -> float:
    """Say how much a page is like a template, from 0 to 1; the same shape of address speaks for it, too."""
    core = template.core
    common = sum(weights[place] for place in places & core)
    every = sum(weights[place] for place in places | core)
    bonus = 0.1 if shape in template.shapes else 0.0
    return common / every + bonus if every else 1.0
