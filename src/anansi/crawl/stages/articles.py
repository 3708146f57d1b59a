"""Where feeds meet knowing: the objects of pages that feeds tell of, and what these teach about their sites.

page + what feeds say of it ─► the nodes that are about it ─► text, references, images, comments ─► objects
several such pages of a site ─► a wrapper ─► an entry of the knowledge base, for pages that no feed tells of

Mutable state: `_sites` (site → items found on pages, the wrappers that they taught), the latest last;
`lessons`, emptied by who tells them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from anansi import clock
from anansi.archive.layout import Collection
from anansi.archive.learned import keep_entry
from anansi.archive.lessons import note
from anansi.errors import AnansiError
from anansi.feeds.article import article_of
from anansi.feeds.context import Context, context_of
from anansi.feeds.lines import Lines, lines_of
from anansi.feeds.nodes import Match, find
from anansi.feeds.objects import objects_of
from anansi.feeds.wrapper import Sample, Wrapper, action, learn, refined
from anansi.knowledge.entry import Kind, Level, Pattern, Type
from anansi.knowledge.lessons import Lessons
from anansi.knowledge.xpath import parse
from anansi.learn.lesson import CATEGORY, entry_name
from anansi.model import WebObject
from anansi.pages.interpreter import Interpreter
from anansi.state import Item
from anansi.url import site_of

SITES: Final = 50
"""Sites whose items are kept."""
LEARNS_AT: Final = (5, 10, 20, 40)
"""Items after which the wrappers of a site are learned anew."""


@dataclass(slots=True)
class _Site:
    """What is known of a site. Mutable: all of it."""

    samples: list[Sample] = field(default_factory=list)
    count: int = 0
    wrappers: tuple[Wrapper, ...] = ()


class Articles:
    """Takes the objects that feeds tell of out of their pages."""

    def __init__(self, collection: Collection, interpreter: Interpreter | None = None):
        self._collection, self._interpreter = collection, interpreter
        self._sites: dict[str, _Site] = {}
        self.lessons = Lessons()

    def wrappers(self, url: str) -> tuple[Wrapper, ...]:
        """Return what is known about where the objects of a site stand."""
        site = self._sites.get(site_of(url))
        return site.wrappers if site is not None else ()

    def of_page(self, tree: Any, url: str, items: Sequence[Item]) -> list[WebObject]:
        """Tell the objects of a page apart that several items of feeds are about; of one not found nothing."""
        lines = lines_of(tree)
        objects: list[WebObject] = []
        for item, context, match in _found(lines, tree, items):
            better, without = refined(lines, match, context, self.wrappers(url))
            objects += objects_of(item.link or url, article_of(lines, better, context, without=without), item)
        return objects

    def study(self, tree: Any, url: str, items: Sequence[Item]) -> None:
        """Look where the objects stand that items are about; when enough were seen, learn where others do."""
        site = self._site(site_of(url))
        if site.count >= LEARNS_AT[-1]:
            return
        lines = lines_of(tree)
        before = site.count
        site.samples += [Sample(lines, match) for _, _, match in _found(lines, tree, items)]
        site.count = len(site.samples)
        if not any(before < number <= site.count for number in LEARNS_AT):
            return
        site.wrappers = learn(site.samples)
        if site.count >= LEARNS_AT[-1]:
            site.samples = []  # pages are large, and more of them teach nothing new
        if site.wrappers:
            self._teach(url, site.wrappers)

    def _site(self, name: str) -> _Site:
        site = self._sites[name] = self._sites.pop(name, _Site())
        if len(self._sites) > SITES:
            del self._sites[next(iter(self._sites))]
        return site

    def _teach(self, url: str, wrappers: tuple[Wrapper, ...]) -> None:
        """Hand the wrappers of a site to the knowledge base, for this crawl and later ones."""
        entry = entry_of(url, wrappers)
        with suppress(AnansiError):  # what cannot be written down, or is no good, is let go
            note(self._collection, site_of(url), entry.id, clock.latest())
            kept = keep_entry(self._collection, entry)
            self.lessons.add(site_of(url), kept)
            if self._interpreter is not None:
                self._interpreter.learn(kept)


def _found(lines: Lines, tree: Any, items: Sequence[Item]) -> Iterator[tuple[Item, Context, Match]]:
    """Go through the items that are found on a page, with what they say and where it stands."""
    language = tree.get("lang") or ""
    for item in items:
        context = context_of(item.title, item.description, language=language)
        match = find(lines, context)
        if match is not None:
            yield item, context, match


def entry_of(url: str, wrappers: tuple[Wrapper, ...]) -> Type:
    """Write wrappers as an entry of the site that a URL is of; it is detected where one of its levels is."""
    site = site_of(url)
    here = parse(f"url[contains(host,'{site.partition(':')[0]}')]")
    levels = []
    for number, wrapper in enumerate(wrappers):
        extraction = action(wrapper)
        name = extraction.object if number == 0 else f"{extraction.object}-{number + 1}"
        pattern = Pattern((here, wrapper.expression))
        levels.append(Level(name=name, kind=Kind.TERMINAL, detection=(pattern,), extraction=(extraction,)))
    return Type(
        id=f"{CATEGORY}/{entry_name(site)}",
        title=site,
        about=f"Learned from the items of feeds of {site}.",
        detection=tuple(level.detection[0] for level in levels),
        levels=tuple(levels),
    )
