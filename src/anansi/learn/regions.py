"""What the templates of an unknown site are for, and what can be taken from their pages.

pages ─► templates (pages built alike) ─► what repeats, and may be objects ─► kind: list, view, detail
      ─► extraction actions of the knowledge base, each with a confidence
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from anansi.induce.actions import link_below
from anansi.induce.blocks import Region, usual
from anansi.induce.fields import Parts, ReadDate
from anansi.induce.objects import COVERED, Blocks, content, repeated
from anansi.induce.outline import Places, SitePage
from anansi.induce.place_expressions import container
from anansi.knowledge.entry import Extraction
from anansi.knowledge.xpath import Expression
from anansi.learn import kinds
from anansi.learn.kinds import Kind
from anansi.learn.templates import Site, Template, gathered

__all__ = ["Draft", "Proposal", "SitePage", "propose"]

TELLING: Final = 80
"""Characters of a list's rows from which on they are excerpts of what they lead to."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was found out about a template."""

    kind: Kind
    template: Template
    pages: int
    """Pages of it, those that were not looked at closely included."""
    again: float
    """Share of what it says that others say, too."""
    marks: tuple[Expression, ...] = ()
    """What its pages have: the blocks of a list, the containers of objects."""
    extraction: tuple[Extraction, ...] = ()
    leads: tuple[tuple[Expression, str], ...] = ()
    """Links of a list that lead to pages of other templates, with the shape of their addresses."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was found out about a site."""

    site: Site
    drafts: tuple[Draft, ...]
    """Those of most pages first."""

    @property
    def details(self) -> tuple[Draft, ...]:
        """The templates that are content and of which objects can be taken."""
        return tuple(each for each in self.drafts if each.extraction)


def propose(pages: Iterable[SitePage], read_date: ReadDate) -> Proposal:
    """Find the templates of a site's pages and propose what to take from those that are content."""
    site = gathered(pages)
    looks = [_look(each, site.places, read_date) for each in site.templates]
    again = kinds.said_again(site.templates, [each.listing is not None for each in looks])
    drafts = (_draft(look, site.places, share, read_date) for look, share in zip(looks, again, strict=True))
    return Proposal(site, tuple(sorted(drafts, key=lambda each: -each.pages)))


@dataclass(frozen=True, slots=True)
class _Listing:
    """What makes pages a list."""

    mark: Expression
    """Its rows."""
    lead: Expression
    """What leads on from them."""
    shape: str
    """Of the addresses that they lead to."""
    says: float
    """Characters of its own that a row has, in the median; a row with many shows a part of what it leads to."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What repeats on a template's pages."""

    template: Template
    blocks: Blocks | None = None
    """The region that may be objects."""
    listing: _Listing | None = None


def _look(template: Template, places: Places, read: ReadDate) -> _Look:
    found, blocks = repeated(template.pages, places, read)
    return _Look(template, blocks, _listing(found, blocks, places, template.shapes))


def _draft(look: _Look, places: Places, again: float, read: ReadDate) -> Draft:
    template = look.template
    pages = max(len(template.items), len(template.pages))
    if look.listing is not None:
        told = look.listing
        kind = Kind.VIEW if told.says >= TELLING else Kind.LIST
        return Draft(kind, template, pages, again, (told.mark,), (), ((told.lead, told.shape),))
    if again >= kinds.AGAIN:
        return Draft(Kind.VIEW, template, pages, again)
    made = content(template.pages, look.blocks, places, read)
    marks = tuple(each for action in made for each in (action.each or _texts(action)))
    return Draft(Kind.DETAIL if made else Kind.OTHER, template, pages, again, marks, made)


def _texts(action: Extraction) -> tuple[Expression, ...]:
    return tuple(each.expression for each in action.properties if each.name == "text")[:1]


def _listing(found: Sequence[Region], blocks: Blocks | None, places: Places, own: Container[str]) -> _Listing | None:
    """Return what makes pages a list; None where they are none."""
    for region in found:
        if blocks is not None and region.place != blocks.place:
            continue
        parts = Parts(region.blocks, places)
        taken = [slot.place for slot in blocks.slots] if blocks is not None else []
        led = kinds.leads_on(region.blocks, parts, own, taken)
        if led is None or (blocks is None and region.linked + region.own < COVERED):
            continue
        there = container(region.place, region.blocks, places)
        link = link_below(led[0], region, there, parts)
        if there is not None and link is not None:
            return _Listing(there.expression, link, led[1], usual([page.own(each) for page, each in region.blocks]))
    return None
