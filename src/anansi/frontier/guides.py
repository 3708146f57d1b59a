"""Sites that are learned while they are crawled: a guide chooses which of their URLs come next, and which not at all.

The queue on disk stays what it is; a guide names the URLs that are taken from it. What it was never told of (before a
restart, or more than it can hold) is offered to it when it knows of nothing better and nothing is under way. What it
does not want even then is refused. What it was told, and what it named, is written with the commit that makes it true
(`recorded`): after the death of any process it knows what it knew, and what was under way is made again, in order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from anansi.frontier.guide import Guide, Recorded, made
from anansi.frontier.record import decode_visit
from anansi.frontier.site import Site
from anansi.frontier.store import Store
from anansi.model import Ended, Hop, Link, Outcome, Visit

GUIDES: Final = 100
"""Guides in memory, up to 25 MB each at sites of 100,000 pages, mostly much less; the others rest on disk."""

REPLAYED: Final = 8
"""Rows of calls that are made once more when a guide comes back; with more, all that it knows is written first."""

IN_HAND: Final = 32
"""Visits to a site under way at the most; a guide names fewer while it knows little."""

OFFERED: Final = 1000
"""URLs that are offered to a guide at a time, in the order of their queue."""

YOUNG: Final = 100
"""Pages of a site on which every place of a link is told; later the first one. As in `crawl.py`."""

REDIRECT: Final = "redirect"
"""The label of where a redirect leads."""

_NAME: Final = "guide"
_CALLS: Final = "guide calls "
"""Before the number of a row of calls."""
_KNOWN: Final = "known"

MakeGuide = Callable[[str, bytes | None], Guide]
"""The plug that makes guides: site, and what one of it wrote by `pack` (None for the first)."""

Taken = list[tuple[bytes, bytes]]
Refuse = Callable[[bytes, Visit, str], None]


class Guides:
    """Asks and tells guides.

    Mutable state: `_led` (sites whose guides are in memory, the latest last), `_called` (those whose guides were
    called since the last commit, emptied by `write`).
    """

    def __init__(self, store: Store, make: MakeGuide | None = None, *, everywhere: bool = False):
        """Lead all sites, or those that nobody knows; none without a plug."""
        self._store, self._make, self._everywhere = store, make, everywhere
        self._led: OrderedDict[Site, None] = OrderedDict()
        self._called: dict[Site, None] = {}

    def of(self, site: Site) -> Recorded | None:
        """Return the guide of a site, if it has one."""
        if site.guide is None:
            if self._make is None or site.known:
                return None
            if not site.looked_up:
                site.looked_up = True
                site.known = self._store.memory.kept(site, _KNOWN) is not None
                site.led = not site.known and (self._everywhere or self._is_written(site))
            if not site.led:
                return None
            site.guide = self._made(self._make, site)
        self._called[site] = None
        self._led[site] = None
        self._led.move_to_end(site)
        if len(self._led) > GUIDES:
            self._rest(next(iter(self._led)))
        return site.guide

    def _is_written(self, site: Site) -> bool:
        return any(self._store.memory.kept(site, name) is not None for name in (_NAME, f"{_CALLS}0"))

    def _made(self, make: MakeGuide, site: Site) -> Recorded:
        """Make a guide that knows what an earlier one did; what that one asked for is due before all else.

        Behind what was claimed before there was a guide: it decides by the outcomes of that.
        """
        memory = self._store.memory
        guide = made(partial(make, site.row.name), memory.kept(site, _NAME))
        site.taught, site.calls = guide.pages, 0
        while (calls := memory.kept(site, f"{_CALLS}{site.calls}")) is not None:
            guide.hear(calls)
            site.calls += 1
        if not site.claimed:
            due = self._store.tokens(site, list(guide.asked))
            for key in [key for key in guide.asked if key not in due]:
                guide.drop(key)
            site.again |= {due[key]: key for key in guide.asked}
        return guide

    def write(self) -> None:
        """Write what guides were told and named since the last commit, to be part of the next one."""
        for site in self._called:
            if site.guide is not None and (calls := site.guide.calls()):
                self._store.memory.keep(site, f"{_CALLS}{site.calls}", calls)
                site.calls += 1
        self._called.clear()

    def take(self, guide: Recorded, site: Site, most: int, refuse: Refuse) -> Taken:
        """Claim the URLs that a guide wants to be visited now."""
        most = min(most, IN_HAND - site.claimed)
        if site.row.requisites and (parts := self._store.take(site, most, requisites=True)):
            return parts  # what pages need is not for the guide to choose
        taken = self._wanted(guide, site, most)
        while not taken and not site.claimed and not guide.enough and (offered := self._store.take(site, OFFERED)):
            taken = self._offer(guide, site, offered, most, refuse)
        return taken

    def _wanted(self, guide: Recorded, site: Site, most: int) -> Taken:
        taken: Taken = []
        while len(taken) < most and (key := guide.next()) is not None:
            claimed = self._store.claim(site, key)
            if claimed is None:
                guide.drop(key)
            else:
                taken.append(claimed)
        return taken

    def _offer(self, guide: Recorded, site: Site, offered: Taken, most: int, refuse: Refuse) -> Taken:
        """Let a guide choose among URLs at the head of the queue; refuse them when it wants none."""
        visits = [(token, decode_visit(raw)) for token, raw in offered]
        named = [token for token, visit in visits if _is_asked_for(visit)][: max(1, most)]
        if named:
            kept = set(named)
            self._store.release(token for token, _ in offered if token not in kept)
            return [each for each in offered if each[0] in kept]
        for _, visit in visits:
            guide.offer(visit.identity, visit.label)
        self._store.release(token for token, _ in offered)
        taken = self._wanted(guide, site, most)
        if not taken:
            for token, visit in visits:
                self._store.claim(site, visit.identity)
                refuse(token, visit, guide.why(visit.identity, visit.label))
        return taken

    def put_back(self, site: Site, visits: Iterable[Visit]) -> None:
        """Let visits wait that were taken and not handed out."""
        guide = self.of(site) if site.led else None
        if guide is not None:
            for visit in visits:
                guide.drop(visit.identity)
                guide.offer(visit.identity, visit.label)

    def forget(self, site: Site, keys: Iterable[str]) -> None:
        """Tell a guide that what it named will not be visited."""
        guide = self.of(site) if site.led else None
        if guide is not None:
            for key in keys:
                if key in guide.asked:
                    guide.drop(key)

    def due(self, site: Site, fell_due: Iterable[tuple[bytes, str]]) -> None:
        """Have visits made again that a guide had named, as (token, key): it is not asked a second time."""
        guide = self.of(site)
        if guide is not None:
            for token, key in fell_due:
                guide.want(key)
                site.again[token] = key

    def note(self, site: Site, visit: Visit, outcome: Outcome, found: Sequence[Link]) -> None:
        """Tell a guide what came of a visit."""
        if self._make is None or visit.requisite:
            return
        found = [link for link in found if link.hop != Hop.EMBED.value]
        said = outcome.said
        if outcome.page and said is None:
            self._leave(site)
            return
        guide = self.of(site)
        if guide is None and said is not None and said.items and not site.known:
            site.led = True
            guide = self.of(site)
        if guide is None:
            return
        if outcome.ended != Ended.DONE or outcome.status == 304:
            guide.drop(visit.identity)
            return
        scheduled = self._store.scheduled(site, [link.identity for link in found])
        left = self._news(guide, site, [link for link in found if link.identity in scheduled])
        # a worker that knows the site not well enough
        if outcome.page and said is not None and not said.items and not self._everywhere:
            guide.drop(visit.identity)
            for link in left:
                guide.offer(link.identity, _label(link))
            return
        guide.learn(visit, outcome, [(link, _label(link)) for link in left])
        if guide.guide.needless:
            self._leave(site)
        elif guide.pages >= site.taught * 1.2 + 50:
            self.keep(site)

    def _news(self, guide: Recorded, site: Site, found: list[Link]) -> list[Link]:
        """Return the links that a guide was not told of: a worker that takes over a site tells of all once more."""
        if site.row.pages > YOUNG:
            return [link for link in found if link.identity in self._store.found]
        return [link for link in found if guide.is_new(link.identity, _label(link))]

    def keep(self, site: Site) -> None:
        """Write what a guide knows to the disk, with the next commit."""
        if site.guide is not None and (whole := site.guide.pack()):
            site.taught = site.guide.pages
            self._store.memory.keep(site, _NAME, whole)
            site.guide.calls()
            self._forget_calls(site)

    def _forget_calls(self, site: Site) -> None:
        for number in range(site.calls):
            self._store.memory.drop(site, f"{_CALLS}{number}")
        site.calls = 0

    def keep_all(self) -> None:
        """Write what all guides know to the disk, with the next commit."""
        for site in self._led:
            self.keep(site)
        self.write()

    @property
    def led(self) -> list[Site]:
        """The sites whose guides are in memory."""
        return [site for site in self._led if site.guide is not None]

    def _leave(self, site: Site) -> None:
        """Lead a site no more: it turned out to be of a known type, or nothing comes twice there."""
        if self.of(site) is not None:
            self._forget_calls(site)
            self._store.memory.drop(site, _NAME)
            self._store.memory.keep(site, _KNOWN, b"1")
        site.known, site.led, site.guide = True, False, None
        self._led.pop(site, None)

    def _rest(self, site: Site) -> None:
        """Let a guide rest on disk, what it was told and named included: it may be called while visits are made."""
        self.write()
        if site.calls > REPLAYED:
            self.keep(site)
        site.guide = None
        del self._led[site]


def _is_asked_for(visit: Visit) -> bool:
    """Tell whether a visit needs no choice: someone asked for it, or it was made before."""
    return not visit.via or visit.hops == Hop.POSTED.value or visit.validators is not None


def _label(link: Link) -> str:
    return link.path or (REDIRECT if link.hop == Hop.REDIRECT.value else "")
