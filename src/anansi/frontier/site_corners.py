"""The corners of all sites, as the store keeps them: what may be visited, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from anansi.frontier.corners import MOST, Corners, Known, reason
from anansi.frontier.memory import Memory
from anansi.frontier.site import Site
from anansi.model import PATIENT, PROBE, Link, Outcome, Visit

AT_ONCE: Final = 3
"""Visits to one kind of list that tells news; of others one, for what it leads to decides about the next."""

_NAME: Final = "corners"


class SiteCorners:
    """Asks and tells corners. Mutable state: each site's `corners`, read when first needed."""

    def __init__(self, memory: Memory):
        self._memory = memory

    def closed(self, site: Site, visit: Visit) -> str:
        """Say why a visit to a corner is not worth its request any more, in words for people, or nothing."""
        if visit.corner == PATIENT:
            return ""
        why = self._corners(site).closed(visit.corner, site.row.pages, _known(site))
        if not why:
            return ""
        return reason(visit.corner) if visit.corner.startswith(PROBE) else f"such pages ({visit.corner}) {why}"

    def must_wait(self, site: Site, visit: Visit, before: Sequence[tuple[bytes, Visit]], *, idle: bool) -> bool:
        """Tell whether what is under way at a site may make a visit to a corner needless, or decide about it."""
        if not idle or not all(each.corner for _, each in before):
            return True
        if visit.corner == PATIENT:
            return any(each.corner != PATIENT for _, each in before)
        same = sum(each.corner == visit.corner for _, each in before)
        return same >= (AT_ONCE if self._corners(site).tells_news(visit.corner) else 1)

    def note(self, site: Site, visit: Visit, outcome: Outcome, children: Sequence[Visit], news: int) -> None:
        """Take notice of what came of a visit to a corner."""
        if visit.corner == PATIENT:
            return
        corners = self._corners(site)
        for child in children:
            if child.corner:
                corners.meet(child.corner, visit.corner)
        if outcome.novel and corners.misread(_known(site)):
            news = max(1, news)
        listed = outcome.listed if outcome.page else None
        corners.note(visit.corner, news=news, listed=listed, claimed=outcome.claimed)
        site.row.lost = max(0, site.row.lost - news)
        self._keep(site)

    def meet(self, site: Site, links: Sequence[Link]) -> None:
        """Take notice of the kinds of links that are not followed at a site."""
        samples = [link for link in links if link.corner.startswith(PROBE)]
        if not samples:
            return
        corners, found = self._corners(site), {link.corner for link in samples}
        fresh = not found <= corners.kinds and len(corners.kinds) < MOST
        corners.kinds |= found if fresh else set()
        counted = [corners.count(link.corner, link.url) for link in samples if not link.repeats]
        if fresh or any(counted):
            self._keep(site)

    def unseen(self, site: Site) -> dict[str, list[str]]:
        """Return what of a site's refused kinds nobody looked at, as what is said against each → some addresses."""
        found: dict[str, list[str]] = {}
        for corner, urls in self._corners(site).unseen().items():
            found.setdefault(reason(corner), []).extend(urls)
        return found

    def credit(self, site: Site, corner: str) -> None:
        """Take notice that a page says something new to which only a sample has led."""
        self._corners(site).credit(corner)
        self._keep(site)

    def opened(self, site: Site) -> list[str]:
        """Return the kinds that were refused at a site and turned out to lead to content."""
        return self._corners(site).opened(site.row.pages, _known(site))

    def in_need(self, site: Site) -> list[str]:
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


def _known(site: Site) -> Known:
    return Known(site.row.content, site.row.lost, site.row.queued)
