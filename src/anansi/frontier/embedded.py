"""The embedded frontier: claim · settle · discover, in one process, on RocksDB.

What comes next at a site is decided when one of its visits is settled, by what was settled before, not by when
reports come. So a crawl by one worker takes the same way each time, and after a kill first makes what was claimed.

Mutable state: the store's and the schedule's; `_workers` (worker → sites it holds, filled by `claim`, emptied by
`settle` and `leave`); `_turns` (more visits of sites that are held, filled by `settle`, emptied by `top_up` and
`leave`); `_lending` (what idle workers have of others' sites, filled by `top_up`, emptied by `settle` and `leave`);
`unresolved` (hosts to resolve) and `refused` (visits skipped because of their address or their corner),
both filled by `claim` and `settle`, and emptied by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec

from anansi.frontier.guides import Guides, MakeGuide
from anansi.frontier.lending import Lending
from anansi.frontier.policy import Policy
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import Done, Queued, Refused, Totals, decode_visit
from anansi.frontier.schedule import Schedule
from anansi.frontier.site import Site
from anansi.frontier.site_corners import AT_ONCE, SiteCorners
from anansi.frontier.store import Store
from anansi.frontier.turn import REFUSED, Address, Settled, Settlement, Turn
from anansi.model import Ended, Outcome, Reason, Role, Skip, Visit
from anansi.url import host_of, origin_of, site_of

READMITTED = 50  # of a kind that was refused and leads to content, at a time: it may not go on to
HELD = 2000  # sites a worker may hold: most sleep out their delay, which costs a timer each

_PRIVATE = "the host has a loopback or private address and no seed is there"


class Embedded:
    """The frontier of one collection, in its folder; `protocol` says what its verbs promise."""

    def __init__(self, path: Path, policy: Policy, address: Address, guide: MakeGuide | None = None):
        self.store = Store(path, UPDATES[policy.settings.update])
        self.policy = policy
        self.memory = self.store.memory
        self._address = address
        self._schedule = Schedule()
        self._site_corners = SiteCorners(self.store.memory)
        self.guides = Guides(self.store, guide, everywhere=policy.learning)
        self._workers: dict[int, dict[Site, None]] = {}
        self._turns: list[tuple[int, Turn]] = []
        self._lending = Lending()
        self.unresolved: list[str] = []
        self.refused: list[Settled] = []
        self.explain_refused: Callable[[], None] = lambda: None
        """Logs `refused` and empties it, before a commit makes it true."""
        self.store.before_commit = self._before_commit
        self.horizon: float | None = None  # what falls due later is left to the next run
        for site in self.store.by_id.values():
            if self.policy.led:
                self.store.recall_claims(site)
            self._list(site)

    def _before_commit(self) -> None:
        self.guides.write()
        if self.refused:
            self.explain_refused()

    # ── workers come and go ──────────────────────────────────────────────────────────────────────────────────

    def join(self, worker: int) -> None:
        """Let a worker take turns."""
        self._workers[worker] = {}

    def leave(self, worker: int, now: float) -> None:
        """Take back all that a worker held; it is made by others, before all else at its sites."""
        self._turns = [each for each in self._turns if each[0] != worker]
        sites = self._workers.pop(worker, {})
        lent = self._lending.to(worker)
        self.store.take_back(
            [token for site in sites for token in site.claims if self._lending.guest(token) is None] + lent
        )
        for token in lent:
            self._lending.end(token)
        for site in sites:
            site.last_owner = -1
            self._release(site, max(now, site.row.not_before))
        self.store.commit()

    # ── claim ────────────────────────────────────────────────────────────────────────────────────────────────

    def claim(self, now: float) -> list[tuple[int, Turn]]:
        """Hand out turns of all sites that are due, as (worker, turn)."""
        turns: list[tuple[int, Turn]] = []
        while (self._room() > 0 or self._lacks_parts) and (worker := self._freest()) is not None:
            site = self._schedule.next_due(now)
            if site is None:
                break
            if site.last_owner in self._workers and len(self._workers[site.last_owner]) < HELD:
                worker = site.last_owner
            turn = self._turn(site, worker, now)
            self._schedule.pass_on(site)
            if turn is not None:
                turns.append((worker, turn))
        return turns

    def _freest(self) -> int | None:
        worker = min(self._workers, key=lambda each: len(self._workers[each]), default=None)
        return worker if worker is not None and len(self._workers[worker]) < HELD else None

    def _room(self) -> int:
        """Count the visits that the page limit still allows, taking every claimed one for a page."""
        limit = self.policy.scope.limit
        return 1 << 30 if limit is None else limit - self.store.totals.pages - len(self.store.claimed)

    def _turn(self, site: Site, worker: int, now: float) -> Turn | None:
        """Claim visits of a site for a worker, or put the site where it belongs when it has none to give."""
        visits = self._visits(site, now) if not self.stopped(site) else []
        if not visits:
            if site.owner < 0:
                self._schedule.let_go(site, now)
            return None
        if self.policy.led and not site.led:  # a guide remembers by itself
            self.store.note_claims(site)
        memory = self.memory.recall(site) if site.owner < 0 else None
        site.owner = site.last_owner = worker
        self._workers[worker][site] = None
        return Turn(site.id, site.row.name, site.row.not_before, visits, memory)

    def _visits(self, site: Site, now: float) -> list[tuple[bytes, Visit]]:
        visits: list[tuple[bytes, Visit]] = []
        idle = site.claimed == 0
        taken = self._taken(site, now)
        held = False
        for number, (token, raw) in enumerate(taken):
            visit = decode_visit(raw)
            held = visit.corner is not None and self._site_corners.must_wait(site, visit, visits, idle=idle)
            if held:
                self._give_back(site, taken[number:])
                break
            if visit.corner and (why := self._site_corners.closed(site, visit)):  # asked when all else is known
                self._refuse(token, visit, Reason.NO_CONTENT, why, now)
                continue
            address = self._reserve(site, visit, now)
            if address is None:
                self._give_back(site, taken[number:])
                self._park(site, visit, first=not visits and site.owner < 0)
                break
            if address == REFUSED:
                self._refuse(token, visit, Reason.ADDRESS, _PRIVATE, now)
                continue
            visits.append((token, msgspec.structs.replace(visit, address=address) if address else visit))
        if taken and not visits and not held:
            self._readmit(site, decode_visit(taken[-1][1]))
        if not visits and taken and not held and not site.listed and site.owner < 0:
            self._list(site)  # what holds it back is under way, and lists it when it is settled
        return visits

    def _give_back(self, site: Site, taken: list[tuple[bytes, bytes]]) -> None:
        self.store.release(token for token, _ in taken)
        self.guides.put_back(site, (decode_visit(raw) for token, raw in taken if token not in site.again))

    def _taken(self, site: Site, now: float) -> list[tuple[bytes, bytes]]:
        """Take as many visits as a turn, the page limit and the site's budget allow."""
        budget, room = self.policy.budget(site), self._room()
        if room <= 0:  # the limit is of pages: those that were kept are made complete
            most = self.policy.per_turn if budget is None else min(self.policy.per_turn, budget - site.claimed)
            return self.store.take(site, most, requisites=True) if site.row.requisites and most > 0 else []
        left = room if budget is None else min(room, budget - site.claimed)
        share = max(1, room // (1 + self._schedule.sites))  # near the limit no site takes what others could do now
        most = min(self.policy.per_turn, left, share)
        if most <= 0:
            return []
        guide = self.guides.of(site)
        if site.again:
            again, gone = self.store.take_again(site, most)
            self.guides.forget(site, gone)
            if again:
                return again
        if guide is None:
            return self.store.take(site, most)
        refuse = partial(self._refuse, reason=Reason.NO_CONTENT, now=now)
        return self.guides.take(guide, site, most, lambda token, visit, why: refuse(token, visit, detail=why))

    def _refuse(self, token: bytes, visit: Visit, reason: Reason, detail: str, now: float) -> None:
        outcome = Outcome(ended=Ended.SKIPPED, reason=reason, detail=detail, started=now)
        site = self.site_of(token)
        self.store.settle(token, outcome, now)
        self.guides.forget(site, [visit.identity])
        self.refused.append(Settled(visit, outcome, []))

    def _reserve(self, site: Site, visit: Visit, now: float) -> str | None:
        """Return the address to use for a visit, held for its site; None when it cannot be had now."""
        address = self._address(host_of(visit.url))
        had = not address or address == REFUSED or self._schedule.hold(address, site, now)
        return address if had else None

    def _park(self, site: Site, visit: Visit, *, first: bool) -> None:
        """Let a site wait for what its next visit needs, unless it has others to make meanwhile."""
        if not first:
            return
        host = host_of(visit.url)
        address = self._address(host)
        if address is not None:
            self._schedule.wait_for(address, site)
        elif self._schedule.wait_for_name(host, site):
            self.unresolved.append(host)

    def resolved(self, host: str, now: float) -> None:
        """Go on with the sites that waited for a host's address."""
        self._schedule.resolved(host, now)

    # ── settle and discover ──────────────────────────────────────────────────────────────────────────────────

    def in_hand(self, worker: int, token: bytes) -> Visit | None:
        """Return a visit that a worker has in hand; None when its lease ran out: someone else has it, or had it."""
        stored = self.store.claimed.get(token)
        return decode_visit(stored) if stored is not None and self.holder(token) == worker else None

    def settle(self, worker: int, settlements: Iterable[Settlement], now: float) -> list[Settled]:
        """Record how visits ended together with what they found, all or nothing, and free their sites."""
        settled: list[Settled] = []
        for each in settlements:
            visit = self.in_hand(worker, each.token)
            if visit is None:
                continue
            site = self.site_of(each.token)
            self._lending.end(each.token)
            self.store.settle(each.token, each.outcome, now, self._revisit(each.outcome))
            self._note_health(site, each.outcome, now)
            if self.policy.shared and each.outcome.status > 0:
                site.origins.add(origin_of(visit.url))
            site.row.not_before = max(site.row.not_before, each.rest)
            for link in each.links:
                if link.cookie:
                    self.store.reopen(link.identity)
            self._discover_links(site, visit, each, now)
            self._readmit(site, visit)
            settled.append(Settled(visit, each.outcome, each.links))
            self._go_on(site, now)
        self.store.commit()
        return settled

    def _go_on(self, site: Site, now: float) -> None:
        """Take more visits of a site that is nearly done for its holder, unless others wait; release what is done."""
        if site.owner < 0:  # its owner died while a guest had visits of it
            self._list(site, now)
            return
        if site.claimed - site.lent > self.policy.per_turn // 2:
            return
        turn = self._turn(site, site.owner, now) if self._keep_going(site) else None
        if turn is not None:
            self._turns.append((site.owner, turn))
        elif site.claimed == 0:
            del self._workers[site.owner][site]
            self._release(site, site.row.not_before)

    def _discover_links(self, site: Site, visit: Visit, each: Settlement, now: float) -> None:
        """Schedule what a page leads to; of a corner, count the content among it that is new."""
        children = [visit.child(link) for link in each.links]
        for link, child in zip(each.links, children, strict=True):
            if link.since is not None and self.store.hasten(child, link.since):
                self._list(self.store.site(site_of(child.url)), now)
        self._site_corners.meet(site, each.links)
        if visit.behind and each.outcome.novel:
            self._site_corners.credit(site, visit.behind)
        if not visit.corner:
            self.discover(children, now)
            self.guides.note(site, visit, each.outcome, each.links)
            return
        news = self.discover([child for child in children if child.role is Role.CONTENT], now)
        self.discover([child for child in children if child.role is not Role.CONTENT], now)
        if each.outcome.ended == Ended.DONE:
            self._site_corners.note(site, visit, each.outcome, children, news)

    def _readmit(self, site: Site, visit: Visit) -> None:
        """Let more of what was refused be visited, of kinds that lead to content, when nothing else is left."""
        if site.row.queued or site.led or self.policy.scope.max_hops is not None:
            return
        kinds = [(corner, READMITTED) for corner in self._site_corners.opened(site)]
        kinds += [(corner, AT_ONCE) for corner in self._site_corners.in_need(site)]
        for corner, most in kinds:
            self.store.readmit(visit, corner, most)

    def _revisit(self, outcome: Outcome) -> float | None:
        after = self.policy.settings.revisit_after
        return after if after is not None and outcome.status > 0 else None

    def settle_aside(self, visit: Visit, outcome: Outcome, now: float) -> None:
        """Count an exchange that is no visit of the crawl's (robots.txt), and what it says of its host."""
        site = self.store.site(site_of(visit.url))
        self.store.account(site, outcome)
        self._note_health(site, outcome, now)

    def _note_health(self, site: Site, outcome: Outcome, now: float) -> None:
        """Count the faults in a row that speak against a host; who watches it comes back, others give it up."""
        site.note_health(outcome, now, patient=self.policy.watching)

    def discover(self, visits: Iterable[Visit], now: float) -> int:
        """Schedule URLs; not durable until the next commit. Returns how many were new."""
        pairs = [(site_of(visit.url), visit) for visit in visits]
        new = self.store.discover(pairs, limited=self.policy.scope.max_hops is not None)
        for name in dict.fromkeys(name for name, _ in pairs):
            site = self.store.sites.get(name)
            if site is not None and not site.listed and site.owner < 0:
                self._list(site, now)
        return new

    def refuse(self, skip: Skip) -> bool:
        """Remember that a URL is not to be fetched; return whether that is news."""
        return self.store.refuse(skip)

    def blacklist(self, key: str) -> bool:
        """Never fetch a URL, or never again; return whether that is news."""
        return self.store.blacklist(key)

    def score(self, visit: Visit, queued: Queued) -> float:
        """Let a URL that is scheduled or waits have one more say on its score; return the one that it has then."""
        return self.store.score(visit, queued)

    def rescore(self, scores: Mapping[str, float]) -> int:
        """Give URLs that are scheduled or wait other scores, by their keys; return how many had others before."""
        return self.store.rescore(scores)

    def remember(self, site: int, name: str, value: bytes) -> str | None:
        """Keep what a worker learned about a site for who holds it next; return its name, None when it has none."""
        known = self.store.by_id.get(site)
        if known is None:
            return None
        self.memory.remember(known, name, value)
        return known.row.name

    def top_up(self, now: float) -> list[tuple[int, Turn]]:
        """Hand out more visits of sites that workers have nearly done."""
        turns, self._turns = self._turns, []
        return turns + (self._lend(now) if self.policy.shared else [])

    def _lend(self, now: float) -> list[tuple[int, Turn]]:
        """Let workers that hold nothing help those that hold a long queue and need not wait."""
        turns: list[tuple[int, Turn]] = []
        for worker in [worker for worker, sites in self._workers.items() if not sites]:
            if len(self._lending.to(worker)) > self.policy.per_turn // 2:
                continue
            held = (site for sites in self._workers.values() for site in sites)
            site = next((site for site in held if self._lendable(site, now)), None)
            visits = self._visits_of_guest(site, now) if site is not None else []
            if site is not None and visits:
                self._lending.lend(worker, site, (token for token, _ in visits))
                turns.append((worker, Turn(site.id, site.row.name, 0.0, visits, self.memory.recall(site))))
        return turns

    def _visits_of_guest(self, site: Site, now: float) -> list[tuple[bytes, Visit]]:
        """Take visits to places where the owner has been, so that robots.txt is fetched once a host."""
        visits = self._visits(site, now)
        others = [(token, visit) for token, visit in visits if origin_of(visit.url) not in site.origins]
        self.store.release(token for token, _ in others)
        self.guides.put_back(site, (visit for _, visit in others))
        return [each for each in visits if each not in others]

    def _lendable(self, site: Site, now: float) -> bool:
        plenty = site.unclaimed >= 2 * self.policy.per_turn
        return plenty and bool(site.origins) and site.row.not_before <= now and self._keep_going(site)

    def holder(self, token: bytes) -> int:
        """Return the worker that has a claimed visit in hand."""
        guest = self._lending.guest(token)
        return self.site_of(token).owner if guest is None else guest

    def _keep_going(self, site: Site) -> bool:
        room = self._room() > 0 or site.row.requisites > 0
        return site.unclaimed > 0 and not self._schedule.wanted(site) and not self.stopped(site) and room

    @property
    def _lacks_parts(self) -> bool:
        """Tell whether parts are missing of pages that were kept."""
        return any(site.row.requisites and not self.stopped(site) for site in self.store.by_id.values())

    def _release(self, site: Site, free_at: float) -> None:
        site.owner = -1
        self._schedule.let_go(site, free_at)
        self._list(site, free_at)

    def _list(self, site: Site, now: float = 0.0) -> None:
        if site.unclaimed > 0 and not self.stopped(site):
            self._schedule.list_site(site, max(now, site.row.not_before))

    # ── time ─────────────────────────────────────────────────────────────────────────────────────────────────

    def tick(self, now: float) -> None:
        """Let waiting URLs fall due."""
        fell_due = self.store.fall_due(now)
        for site, visits in fell_due.items():
            self.guides.due(site, visits)
            self._list(site, now)
        if fell_due:
            self.store.commit()

    def forget_idle(self, now: float) -> None:
        """Forget what need not be remembered."""
        self._schedule.forget_idle(now)

    def next_time(self) -> float | None:
        """Return when something falls due by itself."""
        return min((each for each in (self._schedule.next_time(), self.store.next_due()) if each), default=None)

    def waits(self, most: int) -> list[tuple[str, str, float]]:
        """Say of a few sites that nobody holds why they wait and until when, 0 if unknown, as (site, why, until)."""
        found = [(site.row.name, why, until) for site, why, until in self._schedule.waits(most)]
        if (due := self.store.next_due()) is not None and self.store.totals.waiting and len(found) < most:
            waiting = next(
                (site for site in self.store.by_id.values() if site.row.waiting and not site.unclaimed), None
            )
            if waiting is not None:
                found.append((waiting.row.name, "another attempt", due))
        return found

    def change(self, policy: Policy, now: float) -> None:
        """Go by another policy from now on."""
        self.policy = policy
        for site in self.store.by_id.values():
            if not site.listed and site.owner < 0:
                self._list(site, now)

    def stopped(self, site: Site) -> str:
        """Say why a site is not visited any more, or nothing."""
        if site.given_up:
            return f"given up: {site.given_up}"
        if self.policy.override(site.row.name).paused:
            return "paused"
        budget = self.policy.budget(site)
        return "budget" if budget is not None and budget <= 0 else ""

    @property
    def finished(self) -> bool:
        """Tell whether there is nothing left to do in this run, now or later."""
        if any(self._workers.values()) or self.store.claimed:
            return False
        if self._room() <= 0 and not self._lacks_parts:
            return True
        if self._schedule.parked or self._schedule.next_time() is not None:
            return False
        if self.horizon is not None and (self.store.next_due() or self.horizon) >= self.horizon:
            return True
        return not any(site.row.waiting for site in self.store.by_id.values() if not self.stopped(site))

    @property
    def full(self) -> bool:
        """Tell whether the page limit is reached."""
        return self._room() <= 0

    @property
    def limited(self) -> bool:
        """Tell whether the page limit was reached with work left."""
        return self.full and self.store.totals.queued + self.store.totals.waiting > 0

    # ── questions ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def totals(self) -> Totals:
        """What was counted since the collection began."""
        return self.store.totals

    def sites(self) -> Iterable[Site]:
        """Go through all sites."""
        return self.store.by_id.values()

    def site(self, name: str) -> Site | None:
        """Return the site of that name, if there is one."""
        return self.store.sites.get(name)

    def site_of(self, token: bytes) -> Site:
        """Return the site that a visit in hand belongs to."""
        return self.store.by_id[int.from_bytes(token[:4])]

    def enough(self, site: Site) -> bool:
        """Tell whether what chooses among a site's URLs has seen enough of it."""
        guide = self.guides.of(site)
        return guide is not None and guide.enough

    def unseen(self, site: Site) -> dict[str, list[str]]:
        """Return what is refused at a site and may hold content, but was not looked at: why → some addresses."""
        return self._site_corners.unseen(site)

    def pending(self, site: Site) -> Iterator[Visit]:
        """Go through all that is left of a site: what is queued, then what waits."""
        return self.store.pending(site)

    def everything(self) -> Iterator[tuple[bytes, Visit]]:
        """Go through all that is scheduled, then all that waits, as it stood when this began: (score, visit)."""
        return self.store.everything()

    def waiting(self) -> Iterator[tuple[float, Visit]]:
        """Go through all that waits for its time, as (due, visit), the soonest first."""
        return self.store.waiting()

    def is_claimed(self, token: bytes) -> bool:
        """Tell whether somebody has a visit in hand."""
        return token in self.store.claimed

    def explain(self, key: str) -> Queued | Done | Refused | None:
        """Return all that is known about a URL."""
        return self.store.explain(key)

    # ── durability ───────────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> None:
        """Make everything since the last commit durable, all or nothing."""
        self.store.commit()

    def hold(self, told: Callable[[], None] | None) -> None:
        """Hold back from the disk what is committed from now on, and tell of each commit; None ends it."""
        self.store.hold(told)

    def seal(self) -> None:
        """Let all that changed up to now be the next to be written."""
        self.store.seal()

    def write(self) -> None:
        """Write what was sealed: what it tells of is on the disk."""
        self.store.write()

    @property
    def held(self) -> int:
        """Count the changes that wait in memory."""
        return self.store.held

    @property
    def merging(self) -> bool:
        """Tell whether the disk is busy with what was written before."""
        return self.store.merging

    def sync(self) -> None:
        """Push what was written to the disk itself, against power loss."""
        self.store.sync()

    def close(self) -> None:
        """Write everything and let the files go."""
        self.guides.keep_all()
        self.store.close()
