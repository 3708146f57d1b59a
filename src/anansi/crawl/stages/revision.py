"""What stands on a page now, and in which version: what a visit hands to the next one.

objects of a recognised page, or an item of a feed and Algorithm 1, or the page's own words ─► version ─► change
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anansi.feeds.change import version_of
from anansi.feeds.context import Context, context_of
from anansi.feeds.lines import lines_of
from anansi.feeds.noise import is_relative
from anansi.feeds.objects import objects_of
from anansi.feeds.story import Story, story_of
from anansi.feeds.wrapper import Wrapper
from anansi.knowledge.catalogue import specificity
from anansi.model import Recognition, Value, WebObject
from anansi.state import Item, Version

LANGUAGE = "string(/html/@lang)"


@dataclass(frozen=True, slots=True)
class Look:
    """A page, as a visit finds it."""

    url: str
    tree: Any
    objects: Sequence[WebObject] = ()
    """What extraction actions found."""
    recognition: Recognition | None = None
    links: Sequence[str] = ()
    """Content that it leads to, where it is a list of a known type."""
    item: Item | None = None
    """What a feed says of the page."""
    wrappers: Sequence[Wrapper] = ()
    """What other items of the site taught."""
    digest: str = ""
    """Of the payload."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page holds."""

    objects: Sequence[WebObject]
    """To be kept: what actions or a feed told of. A page that neither knows has none."""
    version: Version


def seen(look: Look) -> Seen:
    """Say what stands on a page and in which version."""
    kind = look.recognition.type if look.recognition is not None else ""
    if kind and specificity(kind) >= 1 and any(each.get("text") for each in look.objects):
        return Seen(look.objects, version_of(look.objects, by=kind, page=look.digest))
    if kind and specificity(kind) >= 1 and look.links and not look.objects:
        return Seen((), version_of(map(_listed, look.links), by=f"{kind} list", page=look.digest))
    if look.tree is None:
        return Seen(look.objects, version_of(look.objects, by=kind, page=look.digest))
    lines = lines_of(look.tree)
    story = story_of(lines, _context(look), look.wrappers)
    found = objects_of(look.url, story.article, look.item, title=story.headline)
    version = version_of(
        [*found, *_rest(look.url, story)],
        by="feed" if look.item is not None else "page",
        page=look.digest,
        beside=(*story.byline, *_makers(look.objects)),
    )
    kept = found if look.item is not None and story.article.text else look.objects
    return Seen(kept, version)


def _listed(link: str) -> WebObject:
    """Return what a list leads to as a part of it."""
    return WebObject("post", link, (("link", Value(link, "link")),))


def _context(look: Look) -> Context | None:
    if look.item is None:
        return None
    about = look.item.description or look.item.content
    return context_of(look.item.title, about, language=str(look.tree.xpath(LANGUAGE)))


def _makers(objects: Sequence[WebObject]) -> list[str]:
    """Return who made a page and when, as it says itself in words of a standard."""
    names = ("author", "date", "tag")
    found = [(name, value) for each in objects for name, value in each.properties if name in names]
    return [value.text for name, value in found if name != "date" or not is_relative(value.original)]


def _rest(url: str, story: Story) -> list[WebObject]:
    """Return what is told outside of the article as parts of the page, known by their words."""
    return [WebObject("comment", url, (("text", Value(text, "body")),), url) for text in story.rest]
