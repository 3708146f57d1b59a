"""Objects on pages that are built alike: what repeats on them, the one text that does not, and how sure that is.

    pages of one template ─► regions (what repeats) ─► fields (date, author, text) ─► extraction actions

The confidence of a property is the share of the blocks that have it, by how regular its values look. That of an
action is the mean over the properties that its object should have, by the share of the pages that have one, by
n / (n + 1) for n pages: what two pages agree on is less sure than what twenty do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from anansi.induce import actions
from anansi.induce.blocks import Region, regions, rest, single, usual
from anansi.induce.fields import Found, Parts, ReadDate, Slot, author_of, date_of, text_of
from anansi.induce.names import COMMENT
from anansi.induce.outline import Outline, Places, SitePage, outline, weigh
from anansi.knowledge.entry import Extraction

LEAST: Final = 2
"""Pages that there must be: of one page nobody can tell what stays."""
SURE: Final = 0.4
"""Confidence from which on an action is proposed."""
COVERED: Final = 0.4
"""Share of a page's own text that the blocks of a thread hold."""
NAMED: Final = 0.5
"""Confidence of an author from which on blocks are posts."""
WHOLE: Final = 150
"""Characters that the one text of an article has, in the median."""
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


def objects(pages: Iterable[SitePage], read: ReadDate) -> tuple[Extraction, ...]:
    """Propose what to take from pages that are built alike: actions, each with its confidence; none when unsure."""
    places = Places()
    outlines = [outline(page, places) for page in pages]
    weigh(outlines)
    _, blocks = repeated(outlines, places, read)
    return content(outlines, blocks, places, read)


def repeated(pages: Sequence[Outline], places: Places, read: ReadDate) -> tuple[list[Region], Blocks | None]:
    """Return what repeats on pages, and of that what may be their objects."""
    if len(pages) < LEAST:
        return [], None
    found = regions(pages, places)
    may = [each for each in (_judged(region, places, read) for region in found) if _are_objects(each)]
    outer = [each for each in may if not any(_is_part(each, other, places) for other in may)]
    return found, max(outer, key=lambda each: each.score, default=None)


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


# ── content ──────────────────────────────────────────────────────────────────────────────────────────────────────


def content(
    pages: Sequence[Outline], blocks: Blocks | None, places: Places, read: ReadDate
) -> tuple[Extraction, ...]:
    """Return the actions of pages, given what repeats on them: a thread with posts, or an article with comments."""
    if len(pages) < LEAST:
        return ()
    if blocks is not None and blocks.own < COVERED and not _are_comments(blocks, places):
        blocks = None  # parts of a text that look like names or dates
    title, titled = actions.title_of(pages, places)
    article = _article(pages, blocks, titled, places, read)
    if article is None and (blocks is None or blocks.own < COVERED or not _are_signed(blocks)):
        return ()
    if article is None:
        assert blocks is not None
        posts = actions.blocks_action("post", "thread", blocks.place, blocks.parts, _properties(blocks), pages)
        if posts is None or "author" not in posts.names:
            return ()
        whole = actions.title_action("thread", title)
        return _sure((whole, posts) if whole is not None else (actions.alone(posts),))
    made = actions.page_action(article.parts, _properties(article), title)
    part_of = made.object if made is not None else ""
    if made is None or blocks is None:
        return _sure((made,))
    notes = actions.blocks_action("comment", part_of, blocks.place, blocks.parts, _properties(blocks), pages)
    return _sure((made, notes))


def _are_signed(blocks: Blocks) -> bool:
    """Tell whether blocks have authors: what has none, or one author all over a page, is found by a search."""
    return blocks.author is not None and blocks.author.confidence >= NAMED


def _are_comments(blocks: Blocks, places: Places) -> bool:
    """Tell whether blocks beside a text are said of it: dated, and by someone or by their name."""
    named = COMMENT.search(" ".join(places.steps(blocks.place)[-2:])) is not None
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
    pages: Sequence[Outline], blocks: Blocks | None, titled: list[Slot], places: Places, read: ReadDate
) -> Blocks | None:
    """Return the one block of text that pages have besides what repeats; None where there is none to speak of."""
    parts = Parts(single(pages), places)
    if blocks is not None:
        around = [each for each in parts.nodes if _beside(each, blocks.place, places)]
        parts.nodes = {place: parts.nodes[place] for place in around}
    date = date_of(parts, read)
    author = author_of(parts, read, date.slots if date is not None else ())
    text = text_of(parts, [*titled, *(slot for each in (date, author) if each is not None for slot in each.slots)])
    if text is None:
        return None
    lengths = [parts.blocks[number].page.own(each) for number, each in text.slots[0].nodes.items()]
    outside = [rest(page, page.by_place.get(blocks.place, []) if blocks else []) for page in pages]
    total = [page.own(0) for page in pages if page.elements]
    if usual(lengths) < WHOLE or usual(lengths) < MAIN * usual(outside):
        return None
    if blocks is not None and usual(lengths) < MAIN / 2 * usual(total) and blocks.own >= COVERED:
        return None
    return Blocks(places.within(0, "html"), parts, date, author, text)


def _beside(place: int, other: int, places: Places) -> bool:
    return not places.below(place, other) and not places.below(other, place)
