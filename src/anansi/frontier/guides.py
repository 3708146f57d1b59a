"""Sites that are learned while they are crawled: a guide chooses which of their URLs come next, and which not at all.

The queue on disk stays what it is; a guide names the URLs that are taken from it. What it was never told of (before a
restart, or more than it can hold) is offered to it when it knows of nothing better and nothing is under way. What it
does not want even then is refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from anansi.frontier.record import decode_visit
from anansi.frontier.site import Guide, Site
from anansi.frontier.store import Store
from anansi.model import Ended, Hop, Link, Outcome, Visit

GUIDES: Final = 100
"""Guides in memory, up to 25 MB each at sites of 100,000 pages, mostly much less; the others rest on disk."""

IN_HAND: Final = 32
"""Visits to a site under way at the most; a guide names fewer while it knows little."""

OFFERED: Final = 1000
"""URLs that are offered to a guide at a time, in the order of their queue."""

REDIRECT: Final = "redirect"
"""The label of where a redirect leads."""

_NAME: Final = "guide"

MakeGuide = Callable[[str, bytes | None], Guide]
"""The plug that makes guides: site, and what one of it wrote by `pack` (None for the first)."""

Taken = list[tuple[bytes, bytes]]
Refuse = Callable[[bytes, Visit, str], None]


class Guides:
    """Asks and tells guides. Mutable state: `_led` (sites whose guides are in memory, the latest last)."""

    def __init__(self, store: Store, make: MakeGuide | None = None, *, everywhere: bool = False):
        """Lead all sites, or those that nobody knows; none without a plug."""
        self._store, self._make, self._everywhere = store, make, everywhere
        self._led: OrderedDict[Site, None] = OrderedDict()

    def of(self, site: Site) -> Guide | None:
        """Return the guide of a site, if it has one."""
        if site.guide is None:
            if self._make is None or site.known or not (self._everywhere or self._store.memory.kept(site, _NAME)):
                return None
            site.guide = self._make(site.row.name, self._store.memory.kept(site, _NAME))
        self._led[site] = None
        self._led.move_to_end(site)
        if len(self._led) > GUIDES:
            self._rest()
        return site.guide

    def take(self, guide: Guide, site: Site, most: int, refuse: Refuse) -> Taken:
        """Claim the URLs that a guide wants to be visited now."""
        most = min(most, IN_HAND - site.claimed)
        taken = self._wanted(guide, site, most)
        while not taken and not site.claimed and not guide.enough and (offered := self._store.take(site, OFFERED)):
            taken = self._offer(guide, site, offered, most, refuse)
        return taken

    def _wanted(self, guide: Guide, site: Site, most: int) -> Taken:
        taken: Taken = []
        while len(taken) < most and (key := guide.next()) is not None:
            claimed = self._store.claim(site, key)
            if claimed is None:
                guide.drop(key)
            else:
                taken.append(claimed)
        return taken

    def _offer(self, guide: Guide, site: Site, offered: Taken, most: int, refuse: Refuse) -> Taken:
        """Let a guide choose among URLs at the head of the queue; refuse them when it wants none."""
        visits = [(token, decode_visit(raw)) for token, raw in offered]
        named = [token for token, visit in visits if _is_asked_for(visit)][: max(1, most)]
        if named:
            kept = set(named)
            self._store.release(token for token, _ in offered if token not in kept)
            return [each for each in offered if each[0] in kept]
        for _, visit in visits:
            guide.offer(visit.key, visit.label)
        self._store.release(token for token, _ in offered)
        taken = self._wanted(guide, site, most)
        if not taken:
            for token, visit in visits:
                self._store.claim(site, visit.key)
                refuse(token, visit, guide.why(visit.key, visit.label))
        return taken

    def put_back(self, site: Site, visits: Iterable[Visit]) -> None:
        """Let visits wait that were taken and not made."""
        if site.guide is not None:
            for visit in visits:
                site.guide.drop(visit.key)
                site.guide.offer(visit.key, visit.label)

    def note(self, site: Site, visit: Visit, outcome: Outcome, found: Sequence[Link]) -> None:
        """Tell a guide what came of a visit."""
        if self._make is None:
            return
        if outcome.page and outcome.items is None:
            self._leave(site)
            return
        if outcome.items and site.guide is None and not site.known:
            site.guide = self._make(site.row.name, self._store.memory.kept(site, _NAME))
        guide = self.of(site)
        if guide is None:
            return
        if outcome.ended != Ended.DONE or outcome.status == 304:
            guide.drop(visit.key)
            return
        left = self._store.scheduled(site, [link.key for link in found])
        if (
            outcome.page and not outcome.items and not self._everywhere
        ):  # a worker that knows the site not well enough
            guide.drop(visit.key)
            for link in found:
                if link.key in left:
                    guide.offer(link.key, _label(link))
            return
        guide.learn(visit, outcome, [(link, _label(link)) for link in found if link.key in left])
        if guide.pages >= site.taught * 1.2 + 50:
            self.keep(site)

    def keep(self, site: Site) -> None:
        """Write what a guide knows to the disk, with the next commit."""
        if site.guide is not None:
            site.taught = site.guide.pages
            self._store.memory.keep(site, _NAME, site.guide.pack())

    def keep_all(self) -> None:
        """Write what all guides know to the disk, with the next commit."""
        for site in self._led:
            self.keep(site)

    @property
    def led(self) -> list[Site]:
        """The sites whose guides are in memory."""
        return [site for site in self._led if site.guide is not None]

    def _leave(self, site: Site) -> None:
        """Lead a site no more: it turned out to be of a known type, or nothing comes twice there."""
        site.known, site.guide = True, None
        self._led.pop(site, None)

    def _rest(self) -> None:
        """Let the guide of a site where nothing is under way rest on disk."""
        site = next((site for site in self._led if not site.claimed), None)
        if site is not None:
            self.keep(site)
            site.guide = None
            del self._led[site]


def _is_asked_for(visit: Visit) -> bool:
    """Tell whether a visit needs no choice: someone asked for it, or it was made before."""
    return not visit.via or visit.hops == Hop.POSTED.value or visit.validators is not None


def _label(link: Link) -> str:
    return link.path or (REDIRECT if link.hop == Hop.REDIRECT.value else "")
