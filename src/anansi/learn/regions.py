"""Objects on the pages of an unknown site: which of its templates are content, and what stands where on their pages.

    pages ─► templates (pages built alike) ─► regions (what repeats on them) ─► fields (date, author, text)
          ─► kind: list, view, detail ─► extraction actions of the knowledge base, each with a confidence

The confidence of a property is the share of the blocks that have it, by how regular its values look. That of an
action is the mean over the properties that its object should have, by the share of the pages that have one, by
n / (n + 1) for n pages: what two pages agree on is less sure than what twenty do.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

from anansi.knowledge.entry import Extraction
from anansi.knowledge.xpath import Expression
from anansi.learn import actions, kinds
from anansi.learn.blocks import Region, regions, rest, single, usual
from anansi.learn.expressions import container
from anansi.learn.fields import Found, Parts, ReadDate, Slot, author_of, date_of, text_of
from anansi.learn.kinds import Kind
from anansi.learn.outline import Places, SitePage
from anansi.learn.templates import Site, Template, gathered

__all__ = ["Draft", "Proposal", "SitePage", "propose"]

LEAST: Final = 2
"""Pages that a template must have: of one page nobody can tell what stays."""
SURE: Final = 0.4
"""Confidence from which on an action is proposed."""
TELLING: Final = 80
"""Characters of a list's rows from which on they are excerpts of what they lead to."""
COVERED: Final = 0.4
"""Share of a page's own text that the blocks of a thread hold."""
NAMED: Final = 0.5
"""Confidence of an author from which on blocks are posts."""
WHOLE: Final = 150
"""Characters that the one text of an article has, in the median."""
_COMMENT: Final = re.compile(r"comment|repl(?:y|ies)|response|review|answer|pingback", re.I)
MAIN: Final = 0.35
"""Share of what stands outside of comments that the text of an article is."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """A region with the properties that were found in it."""

    place: int
    parts: Parts
    date: Found | None
    author: Found | None
    text: Found | None
    own: float = 1.0
    """Share of the pages' own text that stands in it."""

    @property
    def slots(self) -> list[Slot]:
        """All slots but those of the text."""
        return [slot for each in (self.date, self.author) if each is not None for slot in each.slots]

    @property
    def score(self) -> float:
        """How likely these are what the pages are about."""
        return self.own * (0.2 + sum(each.confidence for each in (self.date, self.author) if each is not None))


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
    if len(template.pages) < LEAST:
        return _Look(template)
    found = regions(template, places)
    judged = [_judged(each, places, read) for each in found]
    may = [each for each in judged if _are_objects(each)]
    outer = [each for each in may if not any(_is_part(each, other, places) for other in may)]
    blocks = max(outer, key=lambda each: each.score, default=None)
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
    made = _content(template, look.blocks, places, read) if len(template.pages) >= LEAST else ()
    marks = tuple(each for action in made for each in (action.each or _texts(action)))
    return Draft(Kind.DETAIL if made else Kind.OTHER, template, pages, again, marks, made)


def _texts(action: Extraction) -> tuple[Expression, ...]:
    return tuple(each.expression for each in action.properties if each.name == "text")[:1]


def _judged(region: Region, places: Places, read: ReadDate) -> Blocks:
    parts = Parts(region.blocks, places)
    date = date_of(parts, read)
    author = author_of(parts, read, date.slots if date is not None else ())
    others = [slot for each in (date, author) if each is not None for slot in each.slots]
    return Blocks(region.place, parts, date, author, text_of(parts, others), region.own)


def _is_part(one: Blocks, other: Blocks, places: Places) -> bool:
    """Tell whether blocks are parts of others that are more: the answers to comments."""
    inside = one.place != other.place and places.below(one.place, other.place)
    return (
        inside and len(one.parts.blocks) < len(other.parts.blocks) and one.date is not None and other.date is not None
    )


def _are_objects(blocks: Blocks) -> bool:
    return blocks.text is not None and (blocks.date is not None or blocks.author is not None)


def _listing(found: list[Region], blocks: Blocks | None, places: Places, own: Container[str]) -> _Listing | None:
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
        link = actions.link_below(led[0], region, there, parts)
        if there is not None and link is not None:
            return _Listing(there.expression, link, led[1], usual([page.own(each) for page, each in region.blocks]))
    return None


# ── content ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _content(template: Template, blocks: Blocks | None, places: Places, read: ReadDate) -> tuple[Extraction, ...]:
    """Return the actions of a template: a thread with posts, or an article with comments."""
    if blocks is not None and blocks.own < COVERED and not _are_comments(blocks, places):
        blocks = None  # parts of a text that look like names or dates
    title, titled = actions.title_of(template, places)
    article = _article(template, blocks, titled, places, read)
    if article is None and (blocks is None or blocks.own < COVERED or not _are_signed(blocks)):
        return ()
    if article is None:
        assert blocks is not None
        posts = actions.blocks_action("post", "thread", blocks.place, blocks.parts, _properties(blocks), template)
        if posts is None or "author" not in posts.names:
            return ()
        whole = actions.title_action("thread", title)
        return _sure((whole, posts) if whole is not None else (actions.alone(posts),))
    made = actions.page_action(article.parts, _properties(article), title)
    part_of = made.object if made is not None else ""
    if made is None or blocks is None:
        return _sure((made,))
    notes = actions.blocks_action("comment", part_of, blocks.place, blocks.parts, _properties(blocks), template)
    return _sure((made, notes))


def _are_signed(blocks: Blocks) -> bool:
    """Tell whether blocks have authors: what has none, or one author all over a page, is found by a search."""
    return blocks.author is not None and blocks.author.confidence >= NAMED


def _are_comments(blocks: Blocks, places: Places) -> bool:
    """Tell whether blocks beside a text are said of it: dated, and by someone or by their name."""
    named = _COMMENT.search(" ".join(places.steps(blocks.place)[-2:])) is not None
    return blocks.date is not None and (blocks.author is not None or named)


def _properties(blocks: Blocks) -> dict[str, Found]:
    found = {"author": blocks.author, "date": blocks.date, "text": blocks.text}
    return {name: each for name, each in found.items() if each is not None}


def _sure(made: Iterable[Extraction | None]) -> tuple[Extraction, ...]:
    """Leave out what is not sure enough; a part goes with its whole."""
    kept = [each for each in made if each is not None and each.confidence >= SURE]
    whole = {each.object for each in kept}
    if any(each.object == "thread" for each in kept) and len(kept) == 1:
        return ()
    return tuple(actions.alone(each) if each.part_of not in whole else each for each in kept)


def _article(
    template: Template, blocks: Blocks | None, titled: list[Slot], places: Places, read: ReadDate
) -> Blocks | None:
    """Return the one block of text that pages have besides what repeats; None where there is none to speak of."""
    parts = Parts(single(template), places)
    if blocks is not None:
        around = [each for each in parts.nodes if _beside(each, blocks.place, places)]
        parts.nodes = {place: parts.nodes[place] for place in around}
    date = date_of(parts, read)
    author = author_of(parts, read, date.slots if date is not None else ())
    text = text_of(parts, [*titled, *(slot for each in (date, author) if each is not None for slot in each.slots)])
    if text is None:
        return None
    lengths = [parts.blocks[number].page.own(each) for number, each in text.slots[0].nodes.items()]
    outside = [rest(page, page.by_place.get(blocks.place, []) if blocks else []) for page in template.pages]
    total = [page.own(0) for page in template.pages if page.elements]
    if usual(lengths) < WHOLE or usual(lengths) < MAIN * usual(outside):
        return None
    if blocks is not None and usual(lengths) < MAIN / 2 * usual(total) and blocks.own >= COVERED:
        return None
    return Blocks(places.within(0, "html"), parts, date, author, text)


def _beside(place: int, other: int, places: Places) -> bool:
    return not places.below(place, other) and not places.below(other, place)
