"""A web, a clock and workers that exist only in memory, to run whole crawls through a real frontier in milliseconds.

The workers do what real ones do: they make a site's visits one after the other, keep its rest, report late and in
batches, and die. Whatever a frontier must never do raises `AssertionError` at once.

Mutable state of a `Crawl`: `now`, `_events` (what happens by itself), the `_hands` of the workers (what they hold),
`resolved` (what the resolver knows), and the observations (`sent`, `busy`, `rests`).
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from anansi.config import Frontier as Settings
from anansi.config import Override, Scope
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.turn import REFUSED, Settlement, Turn
from anansi.model import Ended, Link, Outcome, Reason, Visit

START = 1_700_000_000.0
PATIENCE = 20_000  # rounds after which a crawl is said to hang


@dataclass(frozen=True)
class Leaf:
    """A page: what it links to and how each attempt on it ends (the last one for ever)."""

    links: tuple[str, ...] = ()
    ends: tuple[Ended, ...] = (Ended.DONE,)
    strike: bool = False


@dataclass(frozen=True)
class World:
    """Pages by URL, addresses by host, and how the crawl is run."""

    pages: dict[str, Leaf]
    addresses: dict[str, str]
    seeds: tuple[str, ...]
    workers: int = 2
    per_turn: int = 4
    crashes: int = 0
    shared: bool = False
    """Whether idle workers help with the sites of others; then no site needs any rest."""
    scope: Scope = field(default_factory=Scope)
    overrides: dict[str, Override] = field(default_factory=dict)

    def reachable(self) -> set[str]:
        """Follow the links as a faultless crawl would."""
        found: set[str] = set()
        ahead = list(self.seeds)
        while ahead:
            url = ahead.pop()
            if url not in found:
                found.add(url)
                if self.ends(url) is Ended.DONE:
                    ahead += self.pages[url].links
        return found

    def ends(self, url: str) -> Ended:
        """Say how a URL ends at last."""
        refused = self.addresses[host(url)] == REFUSED
        return Ended.SKIPPED if refused else self.pages[url].ends[-1]


def host(url: str) -> str:
    return url.split("/")[2]


def site(url: str) -> str:
    return ".".join(host(url).split(".")[-2:])


@dataclass
class Hand:
    """What a worker holds: a queue a site, and reports not sent."""

    queues: dict[int, deque[tuple[bytes, Visit]]] = field(default_factory=dict)
    tokens: set[bytes] = field(default_factory=set)
    """The visits not reported."""
    ready: dict[int, float] = field(default_factory=dict)
    busy: set[int] = field(default_factory=set)
    reports: list[Settlement] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    """Where the visits of `reports` were; what rest they need dies with the worker."""


class Crawl:
    """Runs a world through a frontier."""

    def __init__(self, world: World, folder: Path, rng: random.Random):
        self.world, self.rng, self.now = world, rng, START
        policy = Policy(world.scope, Settings(per_turn=world.per_turn), dict(world.overrides), world.shared)
        self.resolved: dict[str, str] = {}
        self.frontier = Embedded(folder, policy, self.resolved.get)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._ticket = itertools.count()
        self._hands = {number: Hand() for number in range(world.workers)}
        self._crashes = world.crashes
        self.sent: Counter[str] = Counter()
        self.attempts: Counter[str] = Counter()
        self.busy: dict[str, int] = {}
        """IP address or site → the site that talks to it now."""
        self.rests: dict[str, float] = {}
        """IP address or site → not to be asked before."""
        for number in self._hands:
            self.frontier.join(number)
        self.frontier.discover((Visit(url=seed, key=seed, seed=seed) for seed in world.seeds), self.now)
        self.frontier.store.commit()

    def run(self) -> None:
        """Crawl to the end; fail if it never comes."""
        for _ in range(PATIENCE):
            self.frontier.tick(self.now)
            self._hand_out()
            for number in self._hands:
                self._begin(number)
            if self.frontier.finished:
                assert not any(hand.queues for hand in self._hands.values()), "finished while workers have visits"
                return
            self._wait()
        raise AssertionError(f"the crawl hangs: {self.frontier._schedule!r}")

    def run_for(self, rounds: int) -> None:
        """Crawl a little."""
        for _ in range(rounds):
            self._hand_out()
            for number in self._hands:
                self._begin(number)
            if self.frontier.finished:
                return
            self._wait()

    # ── what the hub does ────────────────────────────────────────────────────────────────────────────────────

    def _hand_out(self) -> None:
        for number, turn in [*self.frontier.top_up(self.now), *self.frontier.claim(self.now)]:
            self._take(number, turn)
        while self.frontier.unresolved:
            name = self.frontier.unresolved.pop()
            self._at(self.now + self.rng.random(), lambda name=name: self._resolve(name))  # type: ignore[misc]
        room = self.frontier._room()
        for each in self.frontier.store.by_id.values():
            idle = each.unclaimed > 0 and each.owner < 0 and not self.frontier.stopped(each)
            assert not idle or each.listed or room <= 0, f"{each} is forgotten"

    def _take(self, number: int, turn: Turn) -> None:
        assert turn.visits
        for other, hand in self._hands.items():
            alone = other == number or turn.site not in hand.queues
            assert alone or self.world.shared, "two workers hold one site"
            assert hand.tokens.isdisjoint(token for token, _ in turn.visits), "a visit is claimed twice"
        hand = self._hands[number]
        hand.tokens.update(token for token, _ in turn.visits)
        assert self.world.shared or (turn.memory is None) == (turn.site in hand.queues)
        hand.queues.setdefault(turn.site, deque()).extend(turn.visits)
        hand.ready[turn.site] = max(hand.ready.get(turn.site, 0.0), turn.not_before)

    def _resolve(self, name: str) -> None:
        self.resolved[name] = self.world.addresses[name]
        self.frontier.resolved(name, self.now)

    # ── what workers do ──────────────────────────────────────────────────────────────────────────────────────

    def _begin(self, number: int) -> None:
        hand = self._hands[number]
        for name, queue in hand.queues.items():
            if queue and name not in hand.busy and hand.ready[name] <= self.now:
                hand.busy.add(name)
                token, visit = queue.popleft()
                self._open(name, visit)
                end = self.now + self.rng.random()
                self._at(end, lambda name=name, token=token, visit=visit: self._end(number, name, token, visit, hand))  # type: ignore[misc]

    def _open(self, name: int, visit: Visit) -> None:
        assert visit.address == self.world.addresses[host(visit.url)]
        self.sent[visit.url] += 1
        for place in filter(None, (site(visit.url), visit.address)):
            assert place not in self.busy or self.world.shared, f"{place} is asked by two at once"
            assert self.rests.get(place, 0.0) <= self.now, f"{place} has no rest"
            self.busy[place] = name

    def _end(self, number: int, name: int, token: bytes, visit: Visit, hand: Hand) -> None:
        rest = self.now + (0.0 if self.world.shared else self.rng.choice((0.0, 0.0, 1.0, 10.0)))
        for place in filter(None, (site(visit.url), visit.address)):
            if self._hands[number] is hand:  # else the worker died in the middle of it
                self.busy.pop(place, None)
                self.rests[place] = rest
                hand.places.add(place)
        if self._hands[number] is not hand:
            return
        hand.busy.discard(name)
        hand.ready[name] = rest
        hand.reports.append(self._settlement(token, visit, rest))
        self._at(self.now + self.rng.choice((0.0, 0.02, 0.5)), lambda: self._report(number, hand))

    def _settlement(self, token: bytes, visit: Visit, rest: float) -> Settlement:
        page = self.world.pages[visit.url]
        ended = page.ends[min(self.attempts[visit.key], len(page.ends) - 1)]
        self.attempts[visit.key] += 1
        wait = self.rng.choice((0.0, 0.5, 30.0)) if ended in (Ended.RETRY, Ended.DEFER) else 0.0
        reason = Reason.ROBOTS if ended is Ended.SKIPPED else ""
        status = 200 if ended is Ended.DONE else -2
        done = ended is Ended.DONE
        outcome = Outcome(ended, status, reason=reason, wait=wait, requests=1, page=done, strike=page.strike)
        return Settlement(token, outcome, rest, [Link(url, url) for url in page.links] if done else [])

    def _report(self, number: int, hand: Hand) -> None:
        if self._hands[number] is not hand or not hand.reports:
            return
        if self._crashes and self.rng.random() < 0.2:
            self._crash(number)
            return
        reports, hand.reports = hand.reports, []
        hand.places.clear()
        assert len(self.frontier.settle(number, reports, self.now)) == len(reports), "a report was not taken"
        hand.tokens.difference_update(each.token for each in reports)
        for turn in self.frontier.top_up(self.now):
            self._take(*turn)
        for name in [name for name in hand.queues if not self._holds(number, name)]:
            assert not hand.queues.pop(name), "a site was taken from a worker that has visits of it"

    def _holds(self, number: int, name: int) -> bool:
        mine = any(each.id == name for each in self.frontier._workers[number])
        return mine or any(int.from_bytes(token[:4]) == name for token in self._hands[number].tokens)

    def _crash(self, number: int) -> None:
        self._crashes -= 1
        hand, self._hands[number] = self._hands[number], Hand()
        for place, name in list(self.busy.items()):
            if name in hand.busy:
                del self.busy[place]
        for place in hand.places:
            self.rests.pop(place, None)
        self.frontier.leave(number, self.now)
        assert not self.frontier.store.claimed or len(self._hands) > 1
        self.frontier.join(number)

    # ── time ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _at(self, when: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._events, (when, next(self._ticket), what))

    def _wait(self) -> None:
        """Go to the next time at which something happens by itself."""
        times = [when for when, _, _ in self._events[:1]]
        for hand in self._hands.values():
            times += [hand.ready[name] for name, queue in hand.queues.items() if queue and name not in hand.busy]
        due = self.frontier.next_time()
        if due is not None and (due > self.now or not times):
            times.append(due)
        assert times, f"nothing will ever happen again: {self.frontier._schedule!r}"
        self.now = max(self.now, min(times)) + 0.001  # times on disk are milliseconds
        while self._events and self._events[0][0] <= self.now:
            heapq.heappop(self._events)[2]()
