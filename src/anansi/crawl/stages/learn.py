"""Pages of sites that nobody knows, made ready for who learns which of their links lead to content.

Mutable state: `_met` (site → pages met), `_places` (links by where they stand, told), `_known` (links told, which
`judge` fills), the learner's novelty of sites.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

import msgspec

from anansi.config import LED, Definition
from anansi.crawl.findings import Findings, replace
from anansi.crawl.settings import SETTINGS
from anansi.frontier.known import Known
from anansi.model import Link, Page
from anansi.state import PageHashes
from anansi.text.page_model import PageModel
from anansi.url import site_of

if TYPE_CHECKING:  # a blind crawl starts sooner without
    from anansi.crawl.stages.read import Reader
    from anansi.learn.learner import Learner

SITES: Final = 5000
"""Sites whose pages are counted."""
ANCHOR: Final = 200
"""Characters of a link's text that are kept."""
ELSEWHERE: Final = "elsewhere"
"""The label of links that do not stand in anchors."""


class Learn:
    """Says what pages of unknown sites say, and where their links stand."""

    def __init__(self, definition: Definition, reader: Reader, known: Known, learner: Learner):
        self._reader, self._known, self._learner = reader, known, learner
        self._always = definition.strategy in LED
        # every rediscovery counts unless the first score stands
        self._filtered = definition.frontier.update == "first"
        self._places = Known()
        self._met: dict[str, int] = {}

    def look(self, page: Page, found: Findings) -> Findings:
        """Add the places of links, and what the page says, where its site is to be learned."""
        site = site_of(page.visit.url)
        model = found.model
        if not found.unknown or model is None or not (self._always or not self._learner.novelty(site).complete):
            return found
        links = self._placed(page, model, found.links)
        if not self._always and self._met[site] <= SETTINGS.soon:
            return replace(found, links=links, placed=True, said=PageHashes())
        items, names = self._learner.items(model.text), self._learner.names(model.title)
        self._learner.novelty(site).note(items)
        return replace(found, links=links, placed=True, said=PageHashes(items, names))

    def met(self, site: str, pages: int) -> None:
        """Take notice that others have met so many pages of a site before."""
        if pages > self._met.get(site, 0):
            self._met[site] = pages

    def said(self, model: PageModel) -> set[int]:
        """Return what a page says, as hashes."""
        return set(array("I", self._learner.items(model.text)))

    def _placed(self, page: Page, model: PageModel, links: list[Link]) -> list[Link]:
        """Say where the links of a page stand: of all at first, later of those that are news."""
        site, depth = site_of(page.visit.url), page.visit.depth + 1
        seen = self._met[site] = self._met.pop(site, 0) + 1
        if len(self._met) > SITES:
            del self._met[next(iter(self._met))]
        if not self._filtered:
            return self._where(model, page.visit.url, links)
        if seen <= SETTINGS.young:
            return self._places.places(self._where(model, page.visit.url, links), depth)
        return self._where(model, page.visit.url, self._known.news(links, depth))

    def _where(self, model: PageModel, url: str, links: list[Link]) -> list[Link]:
        """Return links of a page with their text and the label of the first place where each stands."""
        base, wanted = self._reader.base(model, url), {link.url: link for link in links}
        found, places = [], self._learner.places(model)
        for href, anchor in places.anchors:
            link = wanted.pop(self._reader.resolved(href, base) or "", None)
            if link is not None:
                text = places.text(anchor)[:ANCHOR]
                found.append(msgspec.structs.replace(link, path=places.label(anchor), anchor=text))
        return found + [msgspec.structs.replace(link, path=ELSEWHERE) for link in wanted.values()]
