"""Which site may be visited now, and by whom.

A site is in exactly one place: unknown here (nothing queued), in the heap (due at a time), held by a worker,
parked (its IP address is held by another site, or its name is being resolved), or stopped (given up, paused,
over budget). An IP address is held by one site at a time and rests after it as long as that site does.

Mutable state: `_heap` (filled by `list_site`, emptied by `next_due`), `_slots` (IP address → who holds it, who waits;
filled by `wait_for`, emptied by `let_go` and `pass_on`), `_resolving` (host → sites that wait for its address).
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field

from anansi.frontier.site import Site


@dataclass(slots=True)
class _Slot:
    """An IP address: the site that holds it, when it may be used next, and the sites that wait for it."""

    holder: Site | None = None
    free_at: float = 0.0
    waiters: deque[Site] = field(default_factory=deque)


class Schedule:
    """The order in which sites are due."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Site]] = []
        self._ticket = itertools.count()
        self._slots: dict[str, _Slot] = {}
        self._resolving: dict[str, list[Site]] = {}

    def __repr__(self) -> str:
        counts = len(self._heap), len(self._slots), len(self._resolving)
        return "Schedule({} due or soon, {} addresses, {} resolving)".format(*counts)

    def list_site(self, site: Site, due: float) -> None:
        """Put a site that is nowhere into the heap."""
        if not site.listed and site.owner < 0:
            site.listed = True
            heapq.heappush(self._heap, (due, next(self._ticket), site))

    def next_due(self, now: float) -> Site | None:
        """Take the site that has been due for longest."""
        if not self._heap or self._heap[0][0] > now:
            return None
        site = heapq.heappop(self._heap)[2]
        site.listed = False
        return site

    def next_time(self) -> float | None:
        """Return when the next site is due."""
        return self._heap[0][0] if self._heap else None

    @property
    def sites(self) -> int:
        """Count the sites that are due or will be."""
        return len(self._heap)

    @property
    def parked(self) -> int:
        """Count the sites that wait for an address."""
        return sum(map(len, self._resolving.values())) + sum(len(slot.waiters) for slot in self._slots.values())

    def waits(self, most: int) -> list[tuple[Site, str, float]]:
        """Say of a few sites why they wait, and until when if that is known."""
        names = ((site, f"the address of {host}", 0.0) for host, sites in self._resolving.items() for site in sites)
        held = (
            (site, f"{address} is visited for another site", 0.0)
            for address, slot in self._slots.items()
            for site in slot.waiters
        )
        resting = ((site, "delay", due) for due, _, site in self._heap[:most])
        return list(itertools.islice(itertools.chain(names, held, resting), most))

    # ── IP addresses ─────────────────────────────────────────────────────────────────────────────────────────

    def hold(self, address: str, site: Site, now: float) -> bool:
        """Reserve an address for a site; False when another site has it or it still rests after one."""
        slot = self._slots.setdefault(address, _Slot())
        if slot.holder is site:
            return True
        if slot.holder is not None or slot.free_at > now:
            return False
        slot.holder = site
        site.addresses += (address,)
        return True

    def wait_for(self, address: str, site: Site) -> None:
        """Park a site until an address is free."""
        slot = self._slots[address]
        if slot.holder is None:
            self.list_site(site, slot.free_at)
        else:
            site.listed = True
            slot.waiters.append(site)

    def wanted(self, site: Site) -> bool:
        """Tell whether another site waits for an address that this one holds."""
        return any(self._slots[address].waiters for address in site.addresses)

    def let_go(self, site: Site, free_at: float) -> None:
        """Give back a site's addresses, to be used again from a time on."""
        for address in site.addresses:
            slot = self._slots[address]
            slot.holder, slot.free_at = None, free_at
            self._offer(address, slot)
        site.addresses = ()

    def pass_on(self, site: Site) -> None:
        """Offer the address that a site was woken for, if it did not take it, to the next one that waits."""
        address, site.offered = site.offered, ""
        slot = self._slots.get(address)
        if slot is not None and slot.holder is None:
            self._offer(address, slot)

    def _offer(self, address: str, slot: _Slot) -> None:
        if slot.waiters:
            waiter = slot.waiters.popleft()
            waiter.listed, waiter.offered = False, address
            self.list_site(waiter, max(slot.free_at, waiter.row.not_before))

    def forget_idle(self, now: float) -> None:
        """Drop addresses that nobody holds, waits for or must spare."""
        for name, slot in list(self._slots.items()):
            if slot.holder is None and not slot.waiters and slot.free_at <= now:
                del self._slots[name]

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────

    def wait_for_name(self, host: str, site: Site) -> bool:
        """Park a site until a host's address is known; return whether the host was not being resolved already."""
        first = host not in self._resolving
        self._resolving.setdefault(host, []).append(site)
        site.listed = True
        return first

    def resolved(self, host: str, now: float) -> None:
        """List the sites that waited for a host."""
        for site in self._resolving.pop(host, ()):
            site.listed = False
            self.list_site(site, max(now, site.row.not_before))
