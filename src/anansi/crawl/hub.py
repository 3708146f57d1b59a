"""The parent process: it runs the frontier and looks after the workers.

    workers ─► report ─► log, settle, discover (one commit, see `commits`) ─► claim, top up ─► turns ─► workers

Mutable state: `_workers` (number → connection and process), `_listeners` (a task a worker, until it is buried),
`seeds` (grows when a seed redirects), `_batch` (reports held back for batch prioritisation, emptied by `_apply`),
`_suspects` (what workers have in hand), `accounts` (what the pages of sites turned out to be), `_definition` (its
`sites` and `scope.exclude` follow the file), `posts` (what other processes post, if the crawl listens), `forked`
(processes that wait to be workers, filled by `run`), `_looked` (when for an edited definition), `_stopping`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

import msgspec

from anansi import clock
from anansi.archive import lessons
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl import wire
from anansi.crawl.batch import merged
from anansi.crawl.budget import Spending
from anansi.crawl.commits import Commits
from anansi.crawl.journal import Journal
from anansi.crawl.member import Member, Started, spawned
from anansi.crawl.posted import Posts
from anansi.crawl.report.account import Accounts, marked
from anansi.crawl.scores import Scores, ScoreUpdates
from anansi.crawl.site_memory import LEARNED
from anansi.crawl.suspects import Suspects
from anansi.errors import AnansiError
from anansi.fetch.credentials import NONE, Credentials
from anansi.fetch.resolve import Resolver
from anansi.framing import frame
from anansi.frontier.policy import policy_of
from anansi.frontier.protocol import Frontier
from anansi.frontier.turn import Settlement, Turn
from anansi.model import Ended, Gap, Hop, Link, Outcome, Role, Seen, Visit
from anansi.url import Rules, canonical, host_of

LEASE = 300.0  # seconds without a sign of life after which a worker is taken for dead and killed
RESTARTS = 20  # times in a row that workers may die within a minute before the crawl gives up
SYNC_EVERY = 5.0  # seconds between pushes of the frontier's log to the disk itself
TICK = 0.25  # seconds between looks at the clock
BATCH_WAIT = 2.0  # seconds an incomplete batch is held back
HURRY = 2.0  # seconds that workers have to close the archive when the crawl is stopped at once
KILLED = 10.0  # seconds that workers have to be gone after they were killed


class Hub:
    """Runs one crawl to its end."""

    def __init__(
        self,
        collection: Collection,
        definition: Definition,
        journal: Journal,
        frontier: Frontier,
        resolver: Resolver,
        *,
        agent: str,
        scores: Scores | None = None,
    ):
        self._collection, self._definition, self._agent = collection, definition, agent
        self.journal, self.frontier, self._resolver = journal, frontier, resolver
        clock.begin(max(map(float, self.frontier.memory.noted("clock")), default=0.0))
        self.frontier.explain_refused = self._explain_refused
        self.accounts = Accounts(self.frontier.memory)
        budget = definition.watch.budget if definition.watch.what != "nothing" else None
        self._spending = Spending(budget, self.frontier.memory) if budget is not None else None
        self._rules = Rules()
        self.seeds: list[str] = []
        self._workers: dict[int, Member] = {}
        self._listeners: set[asyncio.Task[None]] = set()
        self._suspects = Suspects()
        self._batch: list[tuple[int, wire.Report]] = []
        self._batch_since = 0.0
        self._resolving: set[asyncio.Task[None]] = set()
        self._deaths: list[float] = []
        self._wake = asyncio.Event()
        self._looked = 0.0
        self._stopping = ""
        self._closing = False
        self._at_once = False
        self._deadline = float("inf")
        self.error: Exception | None = None
        self.started = time.monotonic()
        self._seconds_before = self.frontier.totals.seconds
        self.commits = Commits(self.frontier, journal, self.fail)
        self.scores = ScoreUpdates(collection, self.frontier, journal, scores)
        self.posts: Posts | None = None
        self.given: Credentials = NONE
        self.written: float | None = None
        """When the definition was written that the crawl begins with."""
        self.forked: list[Started] = []
        """Processes that wait to be workers."""
        self.died = False
        """Whether a worker died in this run."""

    # ── from start to end ────────────────────────────────────────────────────────────────────────────────────

    async def run(self, seeds: list[str], count: int) -> str:
        """Crawl until nothing is left or someone stops it; return how it ended."""
        self.scores.begin(self.written)  # before the seeds are there, which need no other score
        await self._plant(seeds)
        self.frontier.sync()  # an archive without a frontier could not be gone on with
        self.commits.begin()
        for number in range(count):
            await self._start_worker(number)
        try:
            if self.posts is not None:
                await self.posts.start(self._definition, self.seeds, self._resolver.allowed, self._wake.set)
            await self._loop()
        finally:
            if self.posts is not None:
                await self.posts.close()
            self.scores.stop()
            await self._end_workers()
            self._apply_batch()
            self._count_time()
            self.frontier.commit()
            await self.commits.finish()
        if self.error is not None:
            raise self.error
        return self._stopping or ("limit" if self.frontier.limited else "finished")

    def stop(self, why: str, *, at_once: bool = False) -> None:
        """Stop: finish what is under way, or drop it."""
        self._stopping = self._stopping or why
        if at_once and not self._at_once:
            self._at_once = True
            self._deadline = min(self._deadline, time.monotonic() + HURRY)
            self._tell_all(wire.Stop(at_once=True))
        self._wake.set()

    @property
    def interrupted(self) -> bool:
        """Tell whether someone wants the crawl to end."""
        return self._stopping == "interrupted"

    def fail(self, error: Exception) -> None:
        """End the crawl with an error, the first of several."""
        self.error = self.error or error
        self._wake.set()

    def close(self) -> None:
        """Let the frontier's files go."""
        self.frontier.close()

    async def _plant(self, seeds: list[str]) -> None:
        memory = self.frontier.memory
        named = list(dict.fromkeys([*memory.noted("named"), *seeds]))
        self.seeds = list(dict.fromkeys([*memory.noted("seeds"), *named]))
        await self._resolver.allow(map(host_of, named))  # not where a seed redirected to: anyone can send us there
        visits = (
            Visit(seed, canonical(seed, self._rules), score=1.0, role=Role.SEED, seed=seed) for seed in self.seeds
        )
        self.frontier.discover(visits, clock.now())
        memory.note("named", named)
        memory.note("seeds", self.seeds)
        self.frontier.commit()

    async def _loop(self) -> None:
        synced = time.monotonic()
        while not self._stopping and self.error is None:
            now = clock.now()
            self.frontier.tick(now)
            self._reload_definition()
            self._hand_out(now)
            if self._batch and time.monotonic() - self._batch_since > BATCH_WAIT:
                self._apply_batch()
            self.scores.work()
            if self._is_over:
                return
            self._bury_the_silent()
            if time.monotonic() - synced > SYNC_EVERY:
                synced = time.monotonic()
                self.frontier.forget_idle(now)
                self._count_time()
                self.frontier.sync()
            self._wake.clear()
            alarm = asyncio.get_running_loop().call_later(self._nap(now), self._wake.set)
            await self._wake.wait()
            alarm.cancel()

    @property
    def _is_over(self) -> bool:
        if self.posts is not None and self.posts.expected and not self.frontier.full:
            return False
        return self.frontier.finished and not self._batch and not self._resolving

    def _nap(self, now: float) -> float:
        due = self.frontier.next_time()
        return min(self.scores.pause(TICK), TICK if due is None else max(0.001, due - now))

    def _count_time(self) -> None:
        self.frontier.totals.seconds = self._seconds_before + time.monotonic() - self.started

    # ── turns ────────────────────────────────────────────────────────────────────────────────────────────────

    def _hand_out(self, now: float) -> None:
        """Send every worker what it may do now."""
        if self._stopping or self._closing or self.commits.behind:
            return
        turns: dict[int, list[Turn]] = {}
        for number, turn in [*self.frontier.top_up(now), *self.frontier.claim(now)]:
            if (clear := self._suspects.sift(number, turn)) is not None:
                turns.setdefault(number, []).append(clear)
        for number, turn in self._suspects.due(now):
            turns.setdefault(number, []).append(turn)
        for number, its in turns.items():
            self._workers[number].writer.write(frame(wire.Turns(its)))
        self._explain_refused()
        while self.frontier.unresolved:
            task = asyncio.create_task(self._resolve(self.frontier.unresolved.pop()))
            self._resolving.add(task)
            task.add_done_callback(self._resolving.discard)

    def _explain_refused(self) -> None:
        for settled in self.frontier.refused:
            self._log(0, settled.visit, settled.outcome)
        if self.frontier.refused:
            self.frontier.refused.clear()
            self.journal.flush()

    async def _resolve(self, host: str) -> None:
        await self._resolver.resolve(host)
        self.frontier.resolved(host, clock.now())
        self._wake.set()

    # ── reports ──────────────────────────────────────────────────────────────────────────────────────────────

    def _hear(self, member: Member, report: wire.Report) -> None:
        member.heard, member.busy = time.monotonic(), report.busy
        member.doing = member.doing if report.doing is None else report.doing
        self.commits.need(report.written)
        self._suspects.report(member.number, report.settlements)
        batch = self._definition.frontier.batch
        if batch == 1:
            self._apply([(member.number, report)])
        elif report.settlements or report.extras or report.memories:
            self._batch_since = self._batch_since if self._batch else time.monotonic()
            self._batch.append((member.number, report))
            pages = sum(len(each.settlements) for _, each in self._batch)
            # nothing else can come while every worker waits for us
            if pages >= batch or not any(each.busy for each in self._workers.values()):
                self._apply_batch()
        self._hand_out(clock.now())
        self._wake.set()

    def _apply_batch(self) -> None:
        batch, self._batch = self._batch, []
        self._apply(merged(batch))

    def _apply(self, reports: Iterable[tuple[int, wire.Report]]) -> None:
        """Log, then settle and discover, each report in one commit with all that follows from it."""
        for number, report in reports:
            self._apply_extras(number, report)
            settlements = [self._noted(number, each) for each in report.settlements]
            self.journal.flush()
            self.accounts.write()
            self.frontier.memory.note("clock", [str(clock.now())])  # due dates go by it
            self.frontier.settle(number, self.scores.scored(settlements), clock.now())
            if self._spending is not None and self._spending.paid(settlements, clock.now()):
                self._tell_all(wire.Change(price=self._spending.price))

    def _apply_extras(self, number: int, report: wire.Report) -> None:
        for visit, outcome in report.extras:
            self.frontier.settle_aside(visit, outcome, clock.now())
            self.journal.visited(number, visit, outcome)
            if outcome.fault:
                self.journal.event("host out of reach", url=visit.url, why=outcome.fault)
        for memory in report.memories:
            site = self.frontier.remember(memory.site, memory.name, memory.value)
            if site is not None and memory.name.startswith(LEARNED):
                self._note_learned(site, memory.name.removeprefix(LEARNED))
        for pattern, why in report.traps:
            self.journal.event("trap closed", pattern=pattern, why=why)

    def _note_learned(self, site: str, name: str) -> None:
        """Say that rules were learned; the site's earlier pages are read again by them when the crawl has ended."""
        self.journal.event("rules learned", site=site, type=name)
        lessons.note(self._collection, site, name, clock.latest())
        if (known := self.frontier.site(site)) is not None:
            self.accounts.learned(known)

    def _noted(self, number: int, each: Settlement) -> Settlement:
        """Log and count a visit; return it with what is to be known of it the next time."""
        visit = self.frontier.in_hand(number, each.token)
        if visit is None:
            return each
        if why := self.accounts.nowhere(visit, each.outcome.status, each.links, each.skips):
            seen = msgspec.structs.replace(each.outcome.seen or Seen(), gap=Gap.ERROR.value, gap_detail=why)
            each = msgspec.structs.replace(each, outcome=msgspec.structs.replace(each.outcome, seen=seen))
        self._note(number, visit, each)
        return msgspec.structs.replace(each, outcome=marked(visit, each.outcome))

    def _note(self, number: int, visit: Visit, each: Settlement) -> None:
        self._log(number, visit, each.outcome)
        site = self.frontier.site_of(each.token)
        if gap := self.accounts.note(site, visit, each.outcome):
            self.journal.event("gap", kind=gap, url=visit.url)
        if each.outcome.slow:
            self._tell_all(wire.Change(rests={int.from_bytes(each.token[:4]): each.rest}))
        for skip in each.skips:
            if self.frontier.refuse(skip):
                self.journal.skipped(skip.url, skip.reason, skip.detail)
        for link in each.links:
            if link.hop == Hop.REDIRECT and not visit.hops.strip(Hop.REDIRECT.value):
                self._follow_seed(link)

    def _log(self, number: int, visit: Visit, outcome: Outcome) -> None:
        if outcome.ended == Ended.DEFER and not outcome.status:
            return  # held back, not tried
        self.journal.visited(number, visit, outcome)
        if outcome.ended == "skipped":
            self.journal.skipped(visit.url, outcome.reason, outcome.detail)
        for doubt in outcome.seen.doubts if outcome.seen is not None else ():
            self.journal.event("doubt", what=doubt)

    def _follow_seed(self, link: Link) -> None:
        """Widen the scope to where a seed redirects (example.org → www.example.org)."""
        if link.url not in self.seeds:
            self.seeds.append(link.url)
            self.frontier.memory.note("seeds", self.seeds)
            self._tell_all(wire.Change(scope=(self._definition.scope, self.seeds)))
            self._tell_posts()
            self.journal.event("scope widened", seed=link.url)

    # ── workers ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _start_worker(self, number: int) -> None:
        started = self.forked.pop() if self.forked else spawned()
        reader, writer = await wire.open_stream(started.line)
        member = Member(number, started.process, writer)
        allowed = self._resolver.allowed
        setup = wire.Setup(
            number,
            str(self._collection.root),
            self._definition,
            self.seeds,
            self._agent,
            allowed,
            self.given,
            clock.began(),
        )
        writer.write(frame(setup))
        if self._spending is not None:
            writer.write(frame(wire.Change(price=self._spending.price)))
        self._workers[number] = member
        self.frontier.join(number)
        if self._closing:  # it began while another one, whose place it takes, was buried
            writer.write(frame(wire.Stop(at_once=self._at_once)))
        listener = asyncio.create_task(self._listen(member, reader))
        self._listeners.add(listener)
        listener.add_done_callback(self._listeners.discard)

    async def _listen(self, member: Member, reader: asyncio.StreamReader) -> None:
        try:
            while (message := await wire.read_up(reader)) is not None:
                if isinstance(message, wire.Report):
                    self._hear(member, message)
                else:
                    member.said_goodbye = True
                    if message.error:
                        self.fail(message.as_error())
            self._take_back(member)
        except Exception as error:  # the disk's or ours: either way the crawl ends with it
            self.fail(error)
        await self._bury(member)

    def _take_back(self, member: Member) -> None:
        """Have all that a worker held made by others, but what killed it."""
        self._apply_batch()
        now = clock.now()
        crashed = not member.said_goodbye and not self._closing
        self._apply([(member.number, wire.Report(self._suspects.bury(member.number, now, crashed=crashed)))])
        del self._workers[member.number]  # in one go with `leave`: whoever is known here may be handed turns
        self.frontier.leave(member.number, now)

    async def _bury(self, member: Member) -> None:
        """Wait for a worker's end and start another in its place if it was not meant to end."""
        self._workers.pop(member.number, None)
        member.writer.close()
        code = await asyncio.to_thread(member.process.wait)
        if not member.said_goodbye:
            self.journal.event("worker died", worker=member.number, code=code)
            self._count_death(code)
            if not self._closing and self.error is None:
                await self._start_worker(member.number)
        self._wake.set()

    def _count_death(self, code: int) -> None:
        self.died = True
        self._deaths = [then for then in self._deaths if then > time.monotonic() - 60] + [time.monotonic()]
        if len(self._deaths) > RESTARTS:
            words = f"workers died {RESTARTS} times within a minute (last exit code {code}); see logs/events.jsonl"
            self.fail(AnansiError(words))

    def _bury_the_silent(self) -> None:
        for member in self._workers.values():
            if time.monotonic() - member.heard > LEASE:
                self.journal.event("worker silent", worker=member.number)
                member.process.kill()

    async def _end_workers(self) -> None:
        """Ask workers to stop and wait for their goodbyes; kill those that do not answer."""
        self._closing = True
        self._tell_all(wire.Stop(at_once=self._at_once))
        patience = HURRY if self.error else self._definition.fetch.timeout + 10
        self._deadline = min(self._deadline, time.monotonic() + patience)
        while self._listeners and time.monotonic() < self._deadline + KILLED:
            await asyncio.wait(self._listeners, timeout=TICK)
            if time.monotonic() > self._deadline:
                for member in self._workers.values():
                    member.process.kill()

    def _tell_all(self, message: wire.Down) -> None:
        for member in self._workers.values():
            member.writer.write(frame(message))

    # ── changes while running ────────────────────────────────────────────────────────────────────────────────

    def _reload_definition(self) -> None:
        """Go by the overrides and the exclude patterns of an edited crawl.yaml; a mistake in it is reported only."""
        if time.monotonic() - self._looked < TICK:
            return
        self._looked = time.monotonic()
        definition = self.scores.edited()
        if definition is None:
            return
        scope = msgspec.structs.replace(self._definition.scope, exclude=definition.scope.exclude)
        self._definition = msgspec.structs.replace(self._definition, sites=definition.sites, scope=scope)
        policy = policy_of(definition, self._definition)
        self.frontier.change(policy, clock.now())
        self._tell_all(wire.Change(overrides=dict(definition.sites), scope=(scope, self.seeds)))
        self._tell_posts()
        self.journal.event("definition changed")

    def _tell_posts(self) -> None:
        if self.posts is not None:
            self.posts.tell(self._definition.scope, self.seeds)

    def doing(self, most: int) -> list[wire.Doing]:
        """Say what is done with sites at this moment: what workers said, then what waits for something else."""
        told = {each.site: each for member in self._workers.values() for each in member.doing}
        for name, why, until in self.frontier.waits(most):
            told.setdefault(name, wire.Doing(name, "", why, until))
        return list(told.values())[:most]

    @property
    def alive(self) -> int:
        """Count the workers."""
        return len(self._workers)
