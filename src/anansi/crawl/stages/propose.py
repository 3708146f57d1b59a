"""Where crawling and learning meet: pages of unknown sites are compared, and what stands on all of them is proposed.

An unknown site yields objects, too: when enough of its pages were seen, those that are built alike show where author,
date and text stand. What is proposed is an entry of the knowledge base, by which later pages are read as those of any
known type, and those that were seen before it are read once more.

Mutable state: `_sites` (site → pages kept, and when to look next), the latest last; `_fresh` (pages kept that nobody
else has heard of) and `lessons`, emptied by who tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from anansi import clock
from anansi.archive.exchange import Place
from anansi.archive.layout import Collection
from anansi.archive.learned import keep_entry
from anansi.archive.lessons import note
from anansi.archive.objects import ObjectLog
from anansi.crawl.findings import Findings
from anansi.crawl.settings import SETTINGS
from anansi.errors import AnansiError
from anansi.knowledge.lessons import Lessons
from anansi.learn.drafts import draft_of
from anansi.learn.regions import SitePage, propose
from anansi.model import Page
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.text import tree as html
from anansi.text.dates import Reader as Dates
from anansi.url import site_of

KEPT: Final = 40
"""Pages of a site that are kept to be compared."""
LARGEST: Final = 400_000
"""Characters of a page that is kept."""
SITES: Final = 20
"""Sites whose pages are kept: 80 pages of 60 KB make 5 MB."""
SEEN: Final = "seen "
"""Before the number of a page that was kept."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A page as it is kept; one that another worker saw without its source, which the archive has."""

    url: str
    source: str
    started: float
    identity: str
    """Of its capture."""
    number: int = 0
    """Which page of its site it was."""
    filename: str = ""
    offset: int = 0
    """Where its capture stands."""


SourceAt = Callable[[str, int], str]
"""Reads a page from the archive: file and place → its source; empty when it cannot be had."""


@dataclass(slots=True)
class _Site:
    """What is kept of a site. Mutable: all of it."""

    pages: list[Seen] = field(default_factory=list)
    count: int = 0
    due: int = SETTINGS.first_look


class Proposer:
    """Proposes what stands on the pages of unknown sites."""

    def __init__(
        self, interpreter: Interpreter, collection: Collection, log: ObjectLog, source_at: SourceAt | None = None
    ):
        self._interpreter, self._collection, self._log = interpreter, collection, log
        self._source_at = source_at
        self._sites: dict[str, _Site] = {}
        self._fresh: list[tuple[str, Seen]] = []
        self.lessons = Lessons()

    def take(self, site: str) -> list[tuple[str, bytes]]:
        """Return which pages of a site were kept that nobody else has heard of, by name; they are told now."""
        mine = [
            (f"{SEEN}{page.number % KEPT}", msgspec.msgpack.encode(page))
            for where, page in self._fresh
            if where == site
        ]
        self._fresh = [each for each in self._fresh if each[0] != site]
        return mine

    def remind(self, site: str, told: Iterable[bytes]) -> None:
        """Go on with the pages that another worker kept of a site."""
        pages = sorted(
            (msgspec.msgpack.decode(each, type=Seen) for each in told), key=lambda page: page.number % KEPT
        )
        if not pages or site in self._sites:
            return
        known = self._sites[site] = _Site(pages, max(page.number for page in pages) + 1)
        while known.due <= known.count:
            known.due *= SETTINGS.look_factor

    def look(self, page: Page, found: Findings) -> Findings:
        """When enough pages of an unknown site were seen, propose what stands on them; adds nothing to this one."""
        document, captured = found.document, found.captured
        if not found.unknown or found.objects or document is None:
            return found
        if captured.identity and len(document.source) <= LARGEST:
            place = captured.kept.place if captured.kept is not None else None
            self._keep(document, page.started, captured.identity, place)
        return found

    def _keep(self, document: Document, started: float, identity: str, place: Place | None) -> None:
        """Keep a page to be compared, the oldest of its site making room."""
        site = site_of(document.url)
        known = self._sites[site] = self._sites.pop(site, _Site())
        page = Seen(document.url, document.source, started, identity, known.count)
        if place is not None and not place.revisit:
            kept = msgspec.structs.replace(page, source="", filename=place.filename, offset=place.offset)
            self._fresh.append((site, kept))
        if len(self._sites) > SITES:
            del self._sites[next(iter(self._sites))]
        if len(known.pages) < KEPT:
            known.pages.append(page)
        else:
            known.pages[known.count % KEPT] = page
        known.count += 1
        if known.count >= known.due:
            known.due *= SETTINGS.look_factor
            self._propose(site, known.pages)

    def _whole(self, page: Seen) -> Seen:
        """Return a page with its source, from the archive if need be."""
        if page.source or self._source_at is None:
            return page
        return msgspec.structs.replace(page, source=self._source_at(page.filename, page.offset))

    def _propose(self, site: str, pages: list[Seen]) -> None:
        pages[:] = map(self._whole, pages)
        trees = [(each, html.parse(each.source.encode("utf-8", "replace"), "utf-8")) for each in pages]
        read = [SitePage(each.url, tree) for each, tree in trees if tree is not None]
        proposal = propose(read, Dates(pages[-1].started).read)
        entry = draft_of(proposal, pages[-1].url)
        if not any(level.extraction for level in entry.levels):
            return
        try:
            note(self._collection, site, entry.id, clock.latest())
            self._interpreter.learn(keep_entry(self._collection, entry))
        except AnansiError:  # what cannot be written down, or is no good, is let go
            return
        self.lessons.add(site, entry)
        for each, tree in trees:
            if tree is not None:
                self._read_again(each, tree, site)

    def _read_again(self, page: Seen, tree: object, site: str) -> None:
        document = Document(tree, page.source, page.url, 200, ())
        found = self._interpreter.recognise(document, site)
        if found is not None:
            objects = self._interpreter.objects(document, found, site, page.started)
            if objects:
                stated = self._interpreter.stated(document, found, objects, None, page.started)
                about = page.url, page.started, page.identity, found
                self._log.write(*about, objects, stated=stated, again=True)
