"""The corners of all sites, as the store keeps them: what may be visited, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from anansi.frontier.corners import MOST, SAMPLES, Corners, Holdings
from anansi.frontier.memory import Memory
from anansi.frontier.site import Site
from anansi.model import Corner, CornerKind, Link, Outcome, Visit

AT_ONCE: Final = 3
"""Visits to one kind of list that tells news; of others one, for what it leads to decides about the next."""

LAST: Final = CornerKind.LAST
_NAME: Final = "corners"


class SiteCorners:
    """Asks and tells corners. Mutable state: each site's `corners`, read when first needed."""

    def __init__(self, memory: Memory):
        self._memory = memory

    def closed(self, site: Site, visit: Visit) -> str:
        """Say why a visit to a corner is not worth its request any more, in words for people, or nothing."""
        corner = visit.corner
        if corner is None or corner.kind is LAST:
            return ""
        why = self._corners(site).closed(corner, site.row.pages, _known(site))
        if not why:
            return ""
        return corner.why if corner.kind is SAMPLES else f"such pages ({corner}) {why}"

    def must_wait(self, site: Site, visit: Visit, before: Sequence[tuple[bytes, Visit]], *, idle: bool) -> bool:
        """Tell whether what is under way at a site may make a visit to a corner needless, or decide about it."""
        corner, under_way = visit.corner, [each.corner for _, each in before]
        if corner is None:
            return False
        if not idle or None in under_way:
            return True
        if corner.kind is LAST:
            return any(each != corner for each in under_way)
        return under_way.count(corner) >= (AT_ONCE if self._corners(site).tells_news(corner) else 1)

    def note(self, site: Site, visit: Visit, outcome: Outcome, children: Sequence[Visit], news: int) -> None:
        """Take notice of what came of a visit to a corner."""
        corner = visit.corner
        if corner is None or corner.kind is LAST:
            return
        corners = self._corners(site)
        for child in children:
            if child.corner is not None:
                corners.meet(child.corner, corner)
        if outcome.novel and corners.misread(_known(site)):
            news = max(1, news)
        listed = outcome.listed if outcome.page else None
        corners.note(corner, news=news, listed=listed, claimed=outcome.claimed)
        site.row.lost = max(0, site.row.lost - news)
        self._keep(site)

    def meet(self, site: Site, links: Sequence[Link]) -> None:
        """Take notice of the kinds of links that are not followed at a site."""
        samples = [(link.corner, link) for link in links if link.corner is not None and link.corner.kind is SAMPLES]
        if not samples:
            return
        corners, found = self._corners(site), {corner for corner, _ in samples}
        fresh = not found <= corners.kinds and len(corners.kinds) < MOST
        corners.kinds |= found if fresh else set()
        counted = [corners.count(corner, link.url) for corner, link in samples if not link.repeats]
        if fresh or any(counted):
            self._keep(site)

    def unseen(self, site: Site) -> dict[str, list[str]]:
        """Return what of a site's refused kinds nobody looked at, as what is said against each → some addresses."""
        found: dict[str, list[str]] = {}
        for corner, urls in self._corners(site).unseen().items():
            found.setdefault(corner.why, []).extend(urls)
        return found

    def credit(self, site: Site, corner: Corner) -> None:
        """Take notice that a page says something new to which only a sample has led."""
        self._corners(site).credit(corner)
        self._keep(site)

    def opened(self, site: Site) -> list[Corner]:
        """Return the kinds that were refused at a site and turned out to lead to content."""
        return self._corners(site).opened(site.row.pages, _known(site))

    def in_need(self, site: Site) -> list[Corner]:
        """Return, once, the kinds that were given up at a site before its lists broke off."""
        kinds = self._corners(site).in_need(site.row.pages, _known(site)) if site.row.lost else []
        if kinds:
            self._keep(site)
        return kinds

    def _keep(self, site: Site) -> None:
        self._memory.keep(site, _NAME, msgspec.msgpack.encode(site.corners))

    def _corners(self, site: Site) -> Corners:
        if site.corners is None:
            stored = self._memory.kept(site, _NAME)
            site.corners = msgspec.msgpack.decode(stored, type=Corners) if stored else Corners()
        return site.corners


def _known(site: Site) -> Holdings:
    return Holdings(site.row.content, site.row.lost, site.row.queued)
