"""A worker: one process, one event loop, the sites it holds.

    turn ─► robots ─► wait ─► fetch ─► pipeline ─► report

Each site runs by itself: at most `connections` exchanges at a time (one by default), the next one begun before the
last page is worked on when no wait is due, so that the network and this process are never idle together.

Mutable state: `_runs` (site → its run; filled by turns, kept while the site is held), `_settlements` and the like
(filled by finished visits, emptied by `_send`), `_looking_up` (hosts that a robots.txt moved to, until their address
is known).
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

import msgspec

from anansi import __version__, clock
from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.writer import WarcWriter
from anansi.config import Definition, Override
from anansi.crawl import robots_visits as asking
from anansi.crawl import site_memory, wire
from anansi.crawl.pipeline import Pipeline, Tools, known_types, verdict_on
from anansi.fetch import retry
from anansi.fetch import robots as robotstxt
from anansi.fetch.curl import Fetcher
from anansi.fetch.protocol import Fetch
from anansi.fetch.resolve import REFUSED, Resolver
from anansi.fetch.robots import Robots
from anansi.framing import frame
from anansi.frontier import politeness
from anansi.frontier.memory import PAGES
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Fault, Link, Outcome, Page, Reason, Visit
from anansi.url import host_of, origin_of

REPORT_EVERY = 0.02  # seconds; shorter ones cost a message a page, longer ones delay the next turn
REPORT_AT = 16  # settled visits: half a turn, so that the next one comes before this one is done
BACKLOG = 256 << 10  # bytes of reports that the hub has not taken, from which on nothing new is begun
RUNS = 2500  # sites kept in mind; a quarter more than the hub lets a worker hold
TELL_EVERY = 0.25  # seconds between tellings of what is done at this moment
TOLD = 8  # sites of which it is told
ROBOTS = 8 << 20  # characters of robots.txt files kept in mind of one site; others are asked for again
FEW_ORIGINS = 16  # of a site, whose files are smaller than that together
HEARTBEAT = 5.0  # seconds between signs of life; a lease is many of them

_TRAPS = "traps"


@dataclass(slots=True, eq=False)
class _Run:
    """A site that this worker holds. Mutable: everything but `site` and `name`."""

    site: int
    name: str
    queue: deque[tuple[bytes, Visit]] = field(default_factory=deque)
    active: int = 0
    ready_at: float = 0.0
    timer: asyncio.TimerHandle | None = None
    robots: dict[str, Robots] = field(default_factory=dict)
    asking: str = ""
    """Origin whose robots.txt is being fetched."""
    traps: Traps = field(default_factory=Traps)
    fetching: str = ""
    """The URL that was asked for last."""
    why: str = ""
    """Why it waits until `ready_at`."""
    known: site_memory.SiteKnowledge = site_memory.NOTHING
    """What the hub knows about the applications that it is made of."""


class Worker:
    """Runs visits until told to stop."""

    def __init__(self, setup: wire.Setup, writer: asyncio.StreamWriter):
        self._definition: Definition = setup.definition
        self._overrides: dict[str, Override] = dict(setup.definition.sites)
        self._agent = setup.agent
        self._up = writer
        collection = Collection(Path(setup.root))
        spool = collection.state / "spool"
        with guarded(spool):
            spool.mkdir(parents=True, exist_ok=True)
        archive = setup.definition.archive
        self._warc = WarcWriter(collection, archive.prefix, socket.gethostname(), _info(setup), archive.warc_size)
        scope = compile_scope(setup.definition.scope, setup.seeds)
        self._objects = ObjectLog(collection, setup.number)
        known = known_types(setup.definition, collection)
        tools = Tools(setup.definition, self._warc, known, self._objects, collection)
        self._pipeline = Pipeline(tools, scope, spool)
        self._fetcher: Fetch = Fetcher(setup.definition.fetch, setup.agent, spool, setup.given)
        self._resolver = Resolver(setup.definition.fetch, setup.private)
        self._looking_up: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._runs: dict[int, _Run] = {}
        self._settlements: list[Settlement] = []
        self._extras: list[tuple[Visit, Outcome]] = []
        self._memories: list[wire.Memory] = []
        self._traps: list[tuple[str, str]] = []
        self._sender: asyncio.TimerHandle | None = None
        self._told = 0.0
        self._stopping = False
        self.failed: BaseException | None = None
        self.quiet = asyncio.Event()

    # ── what the hub says ────────────────────────────────────────────────────────────────────────────────────

    def take(self, turns: list[Turn]) -> None:
        """Begin or go on with sites."""
        for turn in turns:
            run = self._runs.get(turn.site)
            if run is None:
                self._forget_idle()
                run = self._runs[turn.site] = _Run(turn.site, turn.name)
            if turn.memory is not None:
                _recall(run, turn.memory)
                self._remind(run, turn.memory)
            run.ready_at = max(run.ready_at, turn.not_before)
            run.queue.extend(turn.visits)
            self._go_on(run)

    def change(self, message: wire.Change) -> None:
        """Go by changed overrides, another scope or a site's wish for rest from now on."""
        if message.overrides is not None:
            self._overrides = message.overrides
        for site, until in (message.rests or {}).items():
            if site in self._runs:
                self._runs[site].ready_at = max(self._runs[site].ready_at, until)
        if message.price is not None and self._pipeline.watcher is not None:
            self._pipeline.watcher.price = message.price
        if message.scope is not None:
            self._pipeline.judge.scope = compile_scope(*message.scope)

    def stop(self, *, at_once: bool) -> None:
        """Begin nothing new; `quiet` is set when nothing is under way any more."""
        self._stopping = True
        for run in self._runs.values():
            if run.timer is not None:
                run.timer.cancel()
        if at_once or not self._fetcher.busy:
            self.quiet.set()

    def finish(self) -> None:
        """Report what is left and close the archive."""
        self._fetcher.close()
        self._send()
        self._warc.close()
        self._objects.close()

    def abandon(self) -> None:
        """Leave the archive as it is: what was flushed is whole, and a repair mends the rest."""
        self._fetcher.close()
        self._warc.abandon()
        self._objects.abandon()

    def _forget_idle(self) -> None:
        """Drop the oldest runs that have nothing to do; their memory comes back with their next turn."""
        if len(self._runs) > RUNS:
            idle = [name for name, run in self._runs.items() if not run.queue and not run.active and not run.asking]
            for name in idle[: RUNS // 10]:
                del self._runs[name]

    # ── the run of a site ────────────────────────────────────────────────────────────────────────────────────

    def _go_on(self, run: _Run) -> None:
        """Begin as many exchanges of a site as are allowed now."""
        most = self._definition.politeness.connections
        while run.queue and not run.asking and not self._stopping and run.active < most:
            wait = run.ready_at - clock.now()
            if wait > 0.0005:
                if run.timer is None:
                    run.timer = self._loop.call_later(wait, self._wake, run)
                return
            if (
                self._up.transport.get_write_buffer_size() > BACKLOG
            ):  # the hub is behind: what it does not know is lost work
                if run.timer is None:
                    run.timer = self._loop.call_later(0.05, self._wake, run)
                return
            token, visit = run.queue.popleft()
            self._begin(run, token, visit)

    def _wake(self, run: _Run) -> None:
        run.timer = None
        self._guard(self._go_on, run)

    def _begin(self, run: _Run, token: bytes, visit: Visit) -> None:
        if pattern := self._pipeline.judge.scope.excludes(visit.url):  # scheduled before the pattern was there
            self._skip(run, token, Reason.BLACKLISTED, f"matches the exclude pattern {pattern}")
            return
        if self._definition.politeness.robots == "obey" and not self._robots_allow(run, token, visit):
            return
        if not visit.asked_for and (spared := self._spared(run, visit)):
            self._skip(run, token, *spared)
            return
        if not visit.address and self._definition.fetch.proxy is None:
            page = Page(visit, time.time(), 0.0, fault=Fault.DNS, detail="the name has no address")
            run.active += 1
            self._loop.call_soon(self._guard, self._done, run, token, page)
            return
        run.active += 1
        run.fetching = visit.url
        self._fetcher.start(visit, lambda page: self._guard(self._done, run, token, page), self._fail)

    def _done(self, run: _Run, token: bytes, page: Page) -> None:
        run.active -= 1
        verdict = verdict_on(page)
        wait = self._wait_after(run, page, verdict.slow)
        run.ready_at = max(run.ready_at, clock.now() + wait)
        run.why = self._why_wait(run, page, verdict.slow) if wait else ""
        if not run.known.types:  # at a known site what a page says may spare the next visit
            self._go_on(run)
        self._extras += self._pipeline.capture_loaded(page)
        outcome, links, skips, closed = self._pipeline.process(page, verdict, run.traps)
        self._note_known(run)
        if closed is not None:
            self._traps.append((closed, run.traps.closed[closed]))
            self._memories.append(wire.Memory(run.site, _TRAPS, msgspec.msgpack.encode(run.traps.closed)))
        self._settlements.append(Settlement(token, outcome, run.ready_at, links, skips))
        self._go_on(run)
        if outcome.slow:
            self._send()  # others may be visiting the site, too
        self._schedule_report()

    def _note_known(self, run: _Run) -> None:
        """Tell whoever holds the site next what is known about it."""
        run.known, news = site_memory.news(self._pipeline.interpreter, run.name, run.known)
        news += site_memory.lessons(self._pipeline.teachers, run.name) + site_memory.kept(
            self._pipeline.proposer, run.name
        )
        self._memories += [wire.Memory(run.site, name, value) for name, value in news]

    def _remind(self, run: _Run, memory: dict[str, bytes]) -> None:
        sitemaps = [url for known in run.robots.values() for url in robotstxt.sitemaps(known)]
        site_memory.study(self._pipeline.mender, memory)
        site_memory.keep(self._pipeline.proposer, run.name, memory)
        if self._pipeline.learn is not None:
            self._pipeline.learn.met(run.name, int(memory.get(PAGES, 0)))
        run.known = site_memory.remind(self._pipeline.interpreter, run.name, memory, sitemaps)

    def _wait_after(self, run: _Run, page: Page, slow: float = 0.0) -> float:
        known = run.robots.get(origin_of(page.visit.url))
        asked = robotstxt.delay(known, self._agent) if known is not None and known.text else None
        override = self._overrides.get(run.name)
        return politeness.wait(self._definition.politeness, page.seconds, override=override, asked=asked, slow=slow)

    def _why_wait(self, run: _Run, page: Page, slow: float) -> str:
        if slow:
            return f"the server asks for it (status {page.status})"
        usual = self._wait_after(run, page)
        known = run.robots.get(origin_of(page.visit.url))
        asked = robotstxt.delay(known, self._agent) if known is not None and known.text else None
        return "robots.txt asks for it" if asked is not None and asked >= usual > 0 else "delay"

    def _doing(self) -> list[wire.Doing] | None:
        """Say what is done with a few sites, those that are fetched first; None when it was said a moment ago."""
        if time.monotonic() - self._told < TELL_EVERY:
            return None
        self._told = time.monotonic()
        busy = (run for run in self._runs.values() if run.active or run.asking)
        waiting = (run for run in self._runs.values() if run.queue and not run.active and not run.asking)
        return [_what(run) for run in islice(chain(busy, waiting), TOLD)]

    def _skip(self, run: _Run, token: bytes, reason: Reason, detail: str, links: Sequence[Link] = ()) -> None:
        self._settle(run, token, Outcome(Ended.SKIPPED, retry.HERITRIX[reason], reason=reason, detail=detail), links)

    def _settle(self, run: _Run, token: bytes, outcome: Outcome, links: Sequence[Link] = ()) -> None:
        self._settlements.append(Settlement(token, outcome, run.ready_at, list(links)))
        self._schedule_report()

    def _spared(self, run: _Run, visit: Visit) -> tuple[Reason, str] | None:
        """Say why a visit that was worth it when it was scheduled is so no more, or None when it is."""
        trap = run.traps.closed and run.traps.fault(visit.url, time.gmtime(clock.now()).tm_year)
        return (Reason.TRAP, trap) if trap else self._pipeline.left_out(visit)

    # ── robots.txt ───────────────────────────────────────────────────────────────────────────────────────────

    def _robots_allow(self, run: _Run, token: bytes, visit: Visit) -> bool:
        """Tell whether a visit may be made; otherwise settle it, or fetch robots.txt first and put it back."""
        origin = origin_of(visit.url)
        known = run.robots.get(origin)
        now = clock.now()
        if known is None or not robotstxt.fresh(known, now):
            run.queue.appendleft((token, visit))
            self._ask_robots(run, origin, visit)
            return False
        if robotstxt.allowed(known, visit.url, self._agent):
            return True
        if known.rule != "disallow all" or not known.failures:
            self._skip(run, token, Reason.ROBOTS, "forbidden by robots.txt", self._pipeline.instead(visit))
        elif self._is_out_of_reach(known, visit, now):
            self._skip(run, token, Reason.ROBOTS, "robots.txt could not be had in time")
        else:
            wait = robotstxt.renewal(known) - now
            self._settle(run, token, Outcome(Ended.DEFER, retry.HERITRIX_ROBOTS_UNREACHABLE, wait=wait))
        return False

    def _is_out_of_reach(self, known: Robots, visit: Visit, now: float) -> bool:
        """Tell whether a robots.txt is waited for no longer; for a part of a page it is asked for twice."""
        deadline = self._definition.politeness.robots_deadline
        return robotstxt.expired(known, now, deadline) or (visit.requisite and known.failures > 1)

    def _ask_robots(self, run: _Run, origin: str, visit: Visit) -> None:
        run.asking = origin
        self._request_robots(run, origin, asking.ask(origin, visit))

    def _request_robots(self, run: _Run, origin: str, ask: Visit) -> None:
        if ask.address or self._definition.fetch.proxy is not None:
            self._fetcher.start(ask, lambda page: self._guard(self._robots_done, run, origin, page), self._fail)
            return
        page = Page(ask, time.time(), 0.0, fault=Fault.DNS, detail="the name has no address")
        self._loop.call_soon(self._guard, self._robots_done, run, origin, page)

    def _robots_done(self, run: _Run, origin: str, page: Page) -> None:
        outcome, body = self._pipeline.capture_only(page)
        self._extras.append((page.visit, outcome))
        moved = asking.onward(page)
        if moved is None:
            self._robots_known(run, origin, page, body)
        elif moved.address:
            self._request_robots(run, origin, moved)
        else:
            task = self._loop.create_task(self._request_elsewhere(run, origin, page, moved))
            self._looking_up.add(task)
            task.add_done_callback(self._looking_up.discard)

    async def _request_elsewhere(self, run: _Run, origin: str, page: Page, moved: Visit) -> None:
        """Follow a robots.txt that moved to another host; one in a private network counts as not there."""
        address = await self._resolver.find(host_of(moved.url))
        if address == REFUSED:
            self._guard(self._robots_known, run, origin, page, b"")
        else:
            there = msgspec.structs.replace(moved, address=address)
            self._guard(self._request_robots, run, origin, there)

    def _robots_known(self, run: _Run, origin: str, page: Page, body: bytes) -> None:
        answer = page.fault if page.fault is not None else page.status
        known = robotstxt.read(origin, answer, body, clock.now(), before=run.robots.get(origin))
        _keep(run, known)
        self._remind(run, {})
        self._memories.append(wire.Memory(run.site, asking.remembered(origin), msgspec.msgpack.encode(known)))
        run.ready_at = max(run.ready_at, clock.now() + self._wait_after(run, page))
        run.asking = ""
        self._go_on(run)
        self._schedule_report()

    # ── reports ──────────────────────────────────────────────────────────────────────────────────────────────

    def _schedule_report(self) -> None:
        if len(self._settlements) >= REPORT_AT or not self._fetcher.busy:  # an idle worker needs its next turn
            self._send()
        elif self._sender is None:
            self._sender = self._loop.call_later(REPORT_EVERY, self._guard, self._send)
        if self._stopping and not self._fetcher.busy:
            self.quiet.set()

    def _send(self) -> None:
        """Report; what was captured is flushed before, and the hub syncs it before it is settled for good."""
        if self._sender is not None:
            self._sender.cancel()
            self._sender = None
        if self.failed is not None:
            return  # pages may be missing from the archive: what was not reported is fetched again
        self._warc.flush()
        self._objects.flush()
        written = [str(path) for path in (*self._warc.unsynced(), *self._objects.unsynced())]
        told = self._settlements, self._extras, self._memories, self._traps
        self._settlements, self._extras, self._memories, self._traps = [], [], [], []
        self._up.write(frame(wire.Report(*told, self._fetcher.busy, self._doing(), written)))

    async def beat(self) -> None:
        """Give signs of life."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            self._guard(self._send)

    def _guard(self, call: object, *arguments: object) -> None:
        """Run a callback; an error of ours ends the worker instead of vanishing in the event loop."""
        try:
            call(*arguments)  # type: ignore[operator]
        except BaseException as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.failed = self.failed or error
        self._stopping = True
        self.quiet.set()


def _what(run: _Run) -> wire.Doing:
    if run.asking:
        return wire.Doing(run.name, run.asking + "/robots.txt")
    if run.active:
        return wire.Doing(run.name, run.fetching)
    return wire.Doing(run.name, run.queue[0][1].url, run.why or "delay", run.ready_at)


def _recall(run: _Run, memory: dict[str, bytes]) -> None:
    """Take over what others learned about a site."""
    for name, value in memory.items():
        if name.startswith(asking.ROBOTS):
            _keep(run, msgspec.msgpack.decode(value, type=Robots))
        elif name == _TRAPS:
            run.traps.closed |= msgspec.msgpack.decode(value, type=dict[str, str])


def _keep(run: _Run, known: Robots) -> None:
    """Remember what the robots.txt of an origin says; a site may have many, of half a megabyte each."""
    run.robots.pop(known.origin, None)
    run.robots[known.origin] = known
    size = sum(len(each.text) for each in run.robots.values()) if len(run.robots) > FEW_ORIGINS else 0
    while size > ROBOTS and len(run.robots) > 1:
        size -= len(run.robots.pop(next(iter(run.robots))).text)


def _info(setup: wire.Setup) -> dict[str, str]:
    """Write who crawls and how, for warcinfo."""
    definition = setup.definition
    info = {
        "software": f"Anansi/{__version__}",
        "operator": definition.archive.operator or "",
        "http-header-from": definition.archive.contact or "",
        "http-header-user-agent": setup.agent,
        "robots": definition.politeness.robots,
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "tls-verification": "" if definition.fetch.verify_tls else "off",
    }
    return {name: value for name, value in info.items() if value}
