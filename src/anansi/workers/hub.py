"""The parent process: it runs the frontier and looks after the workers.

    workers ─► report ─► log, settle, discover (one commit) ─► claim, top up ─► turns ─► workers

Mutable state: `_workers` (number → connection and process), `_seeds` (grows when a seed redirects), `_batch` (reports
held back for batch prioritisation, emptied by `_apply`), `_stopping`.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from anansi.archive.layout import Collection
from anansi.config import Definition, load
from anansi.errors import AnansiError, ConfigError
from anansi.fetch.resolve import Resolver
from anansi.frontier.embedded import Frontier, Policy, Settled, Settlement, Turn
from anansi.model import Hop, Link, Visit
from anansi.url import Rules, canonical, host_of, site_of
from anansi.workers import wire
from anansi.workers.journal import Journal

LEASE = 300.0  # seconds without a sign of life after which a worker is taken for dead and killed
RESTARTS = 20  # times in a row that workers may die within a minute before the crawl gives up
SYNC_EVERY = 5.0  # seconds between pushes of the frontier's log to the disk itself
TICK = 0.25  # seconds between looks at the clock
BATCH_WAIT = 2.0  # seconds an incomplete batch is held back


@dataclass(slots=True, eq=False)
class _Member:
    """A worker as the hub sees it. Mutable: `heard`, `busy`, `said_goodbye`."""

    number: int
    process: subprocess.Popen[bytes]
    writer: asyncio.StreamWriter
    listener: asyncio.Task[None] | None = None
    heard: float = field(default_factory=time.monotonic)
    busy: int = 0
    said_goodbye: bool = False


class Hub:
    """Runs one crawl to its end."""

    def __init__(self, collection: Collection, definition: Definition, agent: str, journal: Journal):
        self._collection, self._definition, self._agent = collection, definition, agent
        self.journal = journal
        self._resolver = Resolver(definition.fetch)
        policy = Policy(definition.scope, definition.frontier, dict(definition.sites))
        self.frontier = Frontier(collection.state / "frontier", policy, self._resolver.address)
        self._rules = Rules(sort_query=definition.frontier.sort_query)
        self._seeds: list[str] = []
        self._workers: dict[int, _Member] = {}
        self._batch: list[tuple[int, wire.Report]] = []
        self._batch_since = 0.0
        self._resolving: set[asyncio.Task[None]] = set()
        self._deaths: list[float] = []
        self._wake = asyncio.Event()
        self._stopping = ""
        self._closing = False
        self._at_once = False
        self.error: AnansiError | None = None
        self.started = time.monotonic()
        self._seconds_before = self.frontier.store.totals.seconds
        self._edited = 0.0

    # ── from start to end ────────────────────────────────────────────────────────────────────────────────────

    async def run(self, seeds: list[str], count: int) -> str:
        """Crawl until nothing is left or someone stops it; return how it ended."""
        await self._plant(seeds)
        self._edited = _modified(self._collection)
        for number in range(count):
            await self._start_worker(number)
        try:
            await self._loop()
        finally:
            await self._end_workers()
            self._apply_batch()
            self._count_time()
            self.frontier.store.commit()
        if self.error is not None:
            raise self.error
        return self._stopping or ("limit" if self.frontier.limited else "finished")

    def stop(self, why: str, *, at_once: bool = False) -> None:
        """Stop: finish what is under way, or drop it."""
        self._stopping = self._stopping or why
        self._at_once = self._at_once or at_once
        if at_once:
            self._tell_all(wire.Stop(at_once=True))
        self._wake.set()

    def close(self) -> None:
        """Let the frontier's files go."""
        self.frontier.close()

    async def _plant(self, seeds: list[str]) -> None:
        store = self.frontier.store
        noted = store.noted("seeds")
        before = msgspec.msgpack.decode(noted, type=list[str]) if noted else []
        self._seeds = list(dict.fromkeys([*before, *seeds]))
        await self._resolver.allow(map(host_of, self._seeds))
        visits = (Visit(url=seed, key=canonical(seed, self._rules), score=1.0, seed=seed) for seed in self._seeds)
        self.frontier.discover(visits, time.time())
        store.note("seeds", msgspec.msgpack.encode(self._seeds))
        store.commit()

    async def _loop(self) -> None:
        synced = time.monotonic()
        while not self._stopping and self.error is None:
            now = time.time()
            self.frontier.tick(now)
            self._reload_definition()
            self._hand_out(now)
            if self._batch and time.monotonic() - self._batch_since > BATCH_WAIT:
                self._apply_batch()
            if self.frontier.finished and not self._batch and not self._resolving:
                return
            self._bury_the_silent()
            if time.monotonic() - synced > SYNC_EVERY:
                synced = time.monotonic()
                self.frontier.forget_idle(now)
                self._count_time()
                self.frontier.store.sync()
            self._wake.clear()
            await _either(self._wake.wait(), self._nap(now))

    def _nap(self, now: float) -> float:
        due = self.frontier.next_time()
        return TICK if due is None else min(TICK, max(0.001, due - now))

    def _count_time(self) -> None:
        self.frontier.store.totals.seconds = self._seconds_before + time.monotonic() - self.started

    # ── turns ────────────────────────────────────────────────────────────────────────────────────────────────

    def _hand_out(self, now: float) -> None:
        """Send every worker what it may do now."""
        if self._stopping or self._closing:
            return
        turns: dict[int, list[Turn]] = {}
        for number, turn in [*self.frontier.top_up(now), *self.frontier.claim(now)]:
            turns.setdefault(number, []).append(turn)
        for number, its in turns.items():
            self._workers[number].writer.write(wire.frame(wire.Turns(its)))
        while self.frontier.unresolved:
            task = asyncio.create_task(self._resolve(self.frontier.unresolved.pop()))
            self._resolving.add(task)
            task.add_done_callback(self._resolving.discard)

    async def _resolve(self, host: str) -> None:
        await self._resolver.resolve(host)
        self.frontier.resolved(host, time.time())
        self._wake.set()

    # ── reports ──────────────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, member: _Member, report: wire.Report) -> None:
        member.heard, member.busy = time.monotonic(), report.busy
        batch = self._definition.frontier.batch
        if batch == 1:
            self._apply([(member.number, report)])
        elif report.settlements:
            self._batch_since = self._batch_since if self._batch else time.monotonic()
            self._batch.append((member.number, report))
            pages = sum(len(each.settlements) for _, each in self._batch)
            # nothing else can come while every worker waits for us
            if pages >= batch or not any(each.busy for each in self._workers.values()):
                self._apply_batch()
        self._hand_out(time.time())
        self._wake.set()

    def _apply_batch(self) -> None:
        batch, self._batch = self._batch, []
        self._apply(_merged(batch))

    def _apply(self, reports: Iterable[tuple[int, wire.Report]]) -> None:
        """Log, then settle and discover in one commit."""
        now = time.time()
        store = self.frontier.store
        for number, report in reports:
            for visit, outcome in report.extras:
                store.account(store.site(site_of(visit.url)), outcome)
                self.journal.visited(number, visit, outcome)
            for memory in report.memories:
                if memory.site in store.by_id:
                    store.remember(store.by_id[memory.site], memory.name, memory.value)
            for pattern, why in report.traps:
                self.journal.event("trap closed", pattern=pattern, why=why)
            for each in report.settlements:
                for skip in each.skips:
                    if self.frontier.refuse(skip):
                        self.journal.skipped(skip.url, skip.reason, skip.detail)
            for settled in self.frontier.settle(number, report.settlements, now):
                self._note(number, settled)
                self._follow_seed(settled)

    def _note(self, number: int, settled: Settled) -> None:
        visit, outcome = settled.visit, settled.outcome
        self.journal.visited(number, visit, outcome)
        if outcome.ended == "skipped":
            self.journal.skipped(visit.url, outcome.reason, outcome.detail)

    def _follow_seed(self, settled: Settled) -> None:
        """Widen the scope to where a seed redirects (example.org → www.example.org)."""
        for link in settled.links:
            onward = link.hop == Hop.REDIRECT and not settled.visit.hops.strip(Hop.REDIRECT.value)
            if onward and link.url not in self._seeds:
                self._seeds.append(link.url)
                self.frontier.store.note("seeds", msgspec.msgpack.encode(self._seeds))
                self.frontier.store.commit()
                self._tell_all(wire.Change(seeds=self._seeds))
                self.journal.event("scope widened", seed=link.url)

    # ── workers ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _start_worker(self, number: int) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "anansi.workers.worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        reader, writer = await wire.open_stream(ours)
        member = _Member(number, process, writer)
        setup = wire.Setup(number, str(self._collection.root), self._definition, self._seeds, self._agent)
        writer.write(wire.frame(setup))
        self._workers[number] = member
        self.frontier.join(number)
        member.listener = asyncio.create_task(self._listen(member, reader))

    async def _listen(self, member: _Member, reader: asyncio.StreamReader) -> None:
        try:
            while (message := await wire.read_up(reader)) is not None:
                if isinstance(message, wire.Report):
                    self._hear(member, message)
                else:
                    member.said_goodbye = True
                    if message.error:
                        self._fail(_error(message))
        except AnansiError as error:
            self._fail(error)
        await self._bury(member)

    async def _bury(self, member: _Member) -> None:
        """Take back what a worker held, mend its archive and start another in its place."""
        if self._workers.pop(member.number, None) is None:
            return
        member.writer.close()
        code = await asyncio.to_thread(member.process.wait)
        crashed = not member.said_goodbye
        for settled in self.frontier.leave(member.number, time.time(), crashed=crashed):
            self._note(member.number, settled)
        if crashed:
            self.journal.event("worker died", worker=member.number, code=code)
            self._deaths = [then for then in self._deaths if then > time.monotonic() - 60] + [time.monotonic()]
            if len(self._deaths) > RESTARTS:
                words = f"workers died {RESTARTS} times within a minute (last exit code {code}); see logs/events.jsonl"
                self._fail(AnansiError(words))
        if crashed and not self._closing and self.error is None:
            await self._start_worker(member.number)
        self._wake.set()

    def _bury_the_silent(self) -> None:
        for member in self._workers.values():
            if time.monotonic() - member.heard > LEASE:
                self.journal.event("worker silent", worker=member.number)
                member.process.kill()

    async def _end_workers(self) -> None:
        """Ask workers to stop and wait for their goodbyes; kill those that do not answer."""
        self._closing = True
        members = list(self._workers.values())
        self._tell_all(wire.Stop(at_once=self._at_once))
        patience = 5.0 if self._at_once or self.error else self._definition.fetch.timeout + 10
        listeners = [member.listener for member in members if member.listener is not None]
        if not listeners:
            return
        _, late = await asyncio.wait(listeners, timeout=patience)
        for member in members if late else ():
            member.process.kill()
        if late:
            await asyncio.wait(late, timeout=10)

    def _tell_all(self, message: wire.Down) -> None:
        for member in self._workers.values():
            member.writer.write(wire.frame(message))

    def _fail(self, error: AnansiError) -> None:
        self.error = self.error or error
        self._wake.set()

    # ── changes while running ────────────────────────────────────────────────────────────────────────────────

    def _reload_definition(self) -> None:
        """Go by the overrides of an edited crawl.yaml; a mistake in it is reported and changes nothing."""
        edited = _modified(self._collection)
        if edited == self._edited:
            return
        self._edited = edited
        try:
            definition = load(self._collection.definition)
        except ConfigError as error:
            self.journal.event("definition not read", why=str(error))
            return
        policy = Policy(definition.scope, self._definition.frontier, dict(definition.sites))
        self.frontier.change(policy, time.time())
        self._tell_all(wire.Change(overrides=dict(definition.sites)))
        self.journal.event("definition changed")

    @property
    def alive(self) -> int:
        """Count the workers."""
        return len(self._workers)


def _merged(batch: list[tuple[int, wire.Report]]) -> list[tuple[int, wire.Report]]:
    """Give a URL that several pages of a batch link to the mean of its scores, so that it is scheduled by all of them."""
    scores: dict[str, list[float]] = {}
    for _, report in batch:
        for each in report.settlements:
            for link in each.links:
                scores.setdefault(link.key, []).append(link.score)
    told: set[str] = set()

    def once(link: Link) -> bool:
        new = link.key not in told
        told.add(link.key)
        return new

    merged = []
    for number, report in batch:
        settlements = [
            msgspec.structs.replace(
                each,
                links=[
                    msgspec.structs.replace(link, score=sum(scores[link.key]) / len(scores[link.key]))
                    for link in each.links
                    if once(link)
                ],
            )
            for each in report.settlements
        ]
        merged.append((number, msgspec.structs.replace(report, settlements=settlements)))
    return merged


def _error(message: wire.Goodbye) -> AnansiError:
    error = AnansiError(message.error)
    error.exit_code = message.exit_code
    return error


def _modified(collection: Collection) -> float:
    try:
        return collection.definition.stat().st_mtime
    except OSError:
        return 0.0


async def _either(waiter: object, seconds: float) -> None:
    try:
        await asyncio.wait_for(waiter, seconds)  # type: ignore[arg-type]
    except TimeoutError:
        return

