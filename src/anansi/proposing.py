"""Where crawling and learning meet: pages of unknown sites are compared, and what stands on all of them is proposed.

An unknown site yields objects, too: when enough of its pages were seen, those that are built alike show where author,
date and text stand. What is proposed is an entry of the knowledge base, by which later pages are read as those of any
known type, and those that were seen before it are read once more.

Mutable state: `_sites` (site → pages kept, and when to look next), the latest last; `lessons`, emptied by who
tells them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from anansi.act import tree as html
from anansi.act.dates import Reader as Dates
from anansi.archive.layout import Collection
from anansi.archive.learned import keep_entry
from anansi.archive.objects import ObjectLog
from anansi.awareness import Awareness
from anansi.errors import AnansiError
from anansi.knowledge.lessons import Lessons
from anansi.learn.drafts import draft_of
from anansi.learn.regions import SitePage, propose
from anansi.recognise.document import Document
from anansi.url import site_of

KEPT: Final = 40
"""Pages of a site that are kept to be compared."""
LARGEST: Final = 400_000
"""Characters of a page that is kept."""
SITES: Final = 20
"""Sites whose pages are kept: 80 pages of 60 KB make 5 MB."""
FIRST, FACTOR = 40, 8  # pages after which a site is looked at, and how many times as many before the next look


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as it is kept."""

    url: str
    source: str
    started: float
    identity: str
    """Of its capture."""


@dataclass(slots=True)
class _Site:
    """What is kept of a site. Mutable: all of it."""

    pages: list[Seen] = field(default_factory=list)
    count: int = 0
    due: int = FIRST


class Proposer:
    """Proposes what stands on the pages of unknown sites."""

    def __init__(self, awareness: Awareness, collection: Collection, log: ObjectLog):
        self._awareness, self._collection, self._log = awareness, collection, log
        self._sites: dict[str, _Site] = {}
        self.lessons = Lessons()

    def look(self, document: Document, started: float, identity: str) -> None:
        """Look at a page of which nothing is known; when enough of a site were seen, propose what stands on them."""
        if not identity or len(document.source) > LARGEST:
            return
        page, site = Seen(document.url, document.source, started, identity), site_of(document.url)
        known = self._sites[site] = self._sites.pop(site, _Site())
        if len(self._sites) > SITES:
            del self._sites[next(iter(self._sites))]
        if len(known.pages) < KEPT:
            known.pages.append(page)
        else:
            known.pages[known.count % KEPT] = page
        known.count += 1
        if known.count >= known.due:
            known.due *= FACTOR
            self._propose(site, known.pages)

    def _propose(self, site: str, pages: list[Seen]) -> None:
        trees = [(each, html.parse(each.source.encode("utf-8", "replace"), "utf-8")) for each in pages]
        read = [SitePage(each.url, tree) for each, tree in trees if tree is not None]
        proposal = propose(read, Dates(pages[-1].started).read)
        entry = draft_of(proposal, pages[-1].url)
        if not any(level.extraction for level in entry.levels):
            return
        try:
            self._awareness.learn(keep_entry(self._collection, entry))
        except AnansiError:  # what cannot be written down, or is no good, is let go
            return
        self.lessons.add(site, entry)
        for each, tree in trees:
            if tree is not None:
                self._read_again(each, tree, site)

    def _read_again(self, page: Seen, tree: object, site: str) -> None:
        document = Document(tree, page.source, page.url, 200, ())
        found = self._awareness.recognise(document, site)
        if found is not None:
            objects = self._awareness.objects(document, found, site, page.started)
            if objects:
                self._log.write(page.url, page.started, page.identity, found, objects)
