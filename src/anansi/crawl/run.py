"""One crawl, from its definition to its reports."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from anansi import __version__, clock
from anansi.archive import lessons, objects, seal
from anansi.archive.completeness import completeness
from anansi.archive.disk import guarded, replacing
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.repair import repair
from anansi.config import LEFT_OUT, Definition, dump
from anansi.crawl import guides
from anansi.crawl.guides import write_ways
from anansi.crawl.hub import Hub
from anansi.crawl.journal import Journal
from anansi.crawl.loader import Loading
from anansi.crawl.member import Started, forked
from anansi.crawl.posted import Listen, Posts
from anansi.crawl.report.ending import how_it_ended
from anansi.crawl.report.progress import SHOWN, Progress
from anansi.crawl.report.summary import summarise, with_content, write_summary
from anansi.crawl.restore import requisites as completing
from anansi.crawl.restore.reconcile import Reconciled, log_untold, require_whole, resume
from anansi.errors import INTERRUPTED, UserError
from anansi.fetch.credentials import NONE, Credentials
from anansi.fetch.resolve import Resolver
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import policy_of
from anansi.frontier.scope import compile_scope
from anansi.frontier.store import Store
from anansi.model import Reason
from anansi.url import has_credentials, resolve

if TYPE_CHECKING:  # a crawl that is about nothing starts sooner without
    from anansi.crawl.scoring import Scoring

_GIVEN = "given along"
LONGEST = 200  # characters of what is no seed that are repeated
SHOW_EVERY = 0.5  # seconds
SHOW_SHARE = 50  # with many sites less often: it may take a fiftieth of the time

EXIT_CODES = {
    "finished": 0,
    "limit": 10,
    "interrupted": INTERRUPTED,
    "failed": 12,
    "gaps": 13,
    "incomplete": 14,
}
"""How a crawl ended → exit code (see docs/reference/exit-codes.md)."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a crawl ended."""

    ended: str
    summary: dict[str, Any]
    loaded: bool = True
    """Whether all objects are in the store; if not, the next query loads the rest."""
    reconciled: Reconciled | None = None
    """What was mended because the run before did not end properly."""

    @property
    def exit_code(self) -> int:
        """Return the exit code for a shell."""
        return EXIT_CODES[self.ended]


@dataclass(frozen=True, slots=True)
class How:
    """How a crawl is run, beside its definition."""

    recrawl: bool = False
    until: float | None = None
    """What falls due later is left to the next run."""
    listen: Listen | None = None
    scoring: Scoring | None = None
    quiet: bool = False
    given: Credentials = NONE
    forked: list[Started] = field(default_factory=list)
    """Processes that wait to be workers; the hub takes them from here."""
    written: float | None = None
    """When the definition was written that the crawl begins with."""


def check_seeds(seeds: list[str]) -> list[str]:
    """Return the seeds as absolute URLs, or say what is wrong with one."""
    found = []
    for seed in seeds:
        whole = seed if "://" in seed else f"https://{seed}"
        if has_credentials(whole):
            words = (
                "a seed holds a user name or password; they would be archived with every request, so leave them out"
            )
            raise UserError(words)
        url = resolve(whole)
        if url is None:
            raise UserError(f"{seed[:LONGEST]!r} is not a web address; a seed looks like https://example.org/")
        found.append(url)
    return list(dict.fromkeys(found))


def _refuse_excluded(seeds: list[str], definition: Definition) -> None:
    scope = compile_scope(definition.scope, seeds)
    for seed in seeds:
        if pattern := scope.excludes(seed):
            raise UserError(f"{seed} would never be fetched: it matches --exclude {pattern!r}; change one of the two")


def agent_of(definition: Definition) -> str:
    """Return the User-Agent: who we are and where our operator can be reached."""
    contact = definition.archive.contact
    return definition.fetch.user_agent or f"Anansi/{__version__}" + (f" (+{contact})" if contact else "")


def crawl(
    definition: Definition,
    collection: Collection,
    *,
    recrawl: bool = False,
    until: float | None = None,
    listen: Listen | None = None,
    quiet: bool = False,
    given: Credentials = NONE,
) -> Result:
    """Begin or resume a crawl; returns when it has ended. What falls due after `until` is left to the next run."""
    seeds = check_seeds(definition.seeds)
    if not seeds and not collection.exists():
        raise UserError("nothing to crawl: name at least one seed, as in `anansi crawl https://example.org/ -o DIR`")
    if not collection.exists():
        _refuse_excluded(seeds, definition)
    if f"{LEFT_OUT}@" in (definition.fetch.proxy or ""):
        words = (
            f"the password of the proxy is not kept in {collection.definition}; name the definition that holds it:"
        )
        raise UserError(f"{words} --config FILE")
    collection.create()
    with collection.lock():
        shutil.rmtree(collection.state / "spool", ignore_errors=True)
        repairs = repair(collection)
        objects.repair(collection)
        with guarded(collection.definition), replacing(collection.definition) as target:
            target.write_text(dump(definition), encoding="utf-8")
        written = collection.definition.stat().st_mtime
        journal = Journal(collection)
        for each in repairs:
            journal.event("archive mended", what=str(each))
        _restore_learned(collection, journal)
        workers = forked_workers(definition, collection)
        try:
            how = How(recrawl, until, listen, _scoring(definition), quiet, given, workers, written)
            result = asyncio.run(_crawl(definition, collection, journal, seeds, how))
        finally:
            for worker in workers:
                worker.dismiss()
            journal.close()
        seal.end(collection)
        return result


def forked_workers(definition: Definition, collection: Collection) -> list[Started]:
    """Fork the workers; what they need is imported, and what is known of applications read, once for all of them."""
    from anansi.crawl import process  # here: whoever asks for a crawl's exit codes does without
    from anansi.crawl.pipeline import known_types

    known_types(definition, collection)
    return forked(workers_of(definition), process.serve)


def workers_of(definition: Definition) -> int:
    """Return the number of workers."""
    return definition.workers or os.cpu_count() or 1


def _restore_learned(collection: Collection, journal: Journal) -> None:
    """Restore learned rules that were damaged, where there are any."""
    if not any(collection.knowledge.rglob("*")) and not seal.copies(collection).exists():
        return
    from anansi.crawl.restore.restore import restore_learned  # a crawl that learned nothing starts sooner without

    for words in restore_learned(collection):
        journal.event("rules restored", what=words)


def open_frontier(collection: Collection, definition: Definition, resolver: Resolver) -> Embedded:
    """Open the frontier in the collection's folder."""
    guide = guides.guides(definition, collection)
    return Embedded(collection.state / "frontier", policy_of(definition, definition), resolver.address, guide)


async def _crawl(
    definition: Definition, collection: Collection, journal: Journal, seeds: list[str], how: How
) -> Result:
    resolver = Resolver(definition.fetch)
    frontier = open_frontier(collection, definition, resolver)
    store, agent = frontier.store, agent_of(definition)
    hub = Hub(collection, definition, journal, frontier, resolver, agent=agent, scores=how.scoring)
    frontier.horizon = how.until - time.time() + clock.now() if how.until is not None else None
    hub.given, hub.forked, hub.written = how.given, how.forked, how.written
    if how.listen is not None:
        hub.posts = Posts(collection, hub, how.listen)
    loading = Loading(collection, journal, wanted=definition.archive.store)
    try:
        require_whole(store, collection)
        reconciled = _reconcile(hub, store, collection)
        if not seeds and not store.sites:
            words = "nothing to crawl: name at least one seed, as in `anansi crawl https://example.org/ -o DIR`"
            raise UserError(words)
        if how.recrawl:
            journal.event("recrawl", urls=store.recrawl())
            hub.accounts.begin_anew(frontier.sites())
            hub.frontier.change(hub.frontier.policy, 0.0)
        _obey_signals(hub)
        _note_given(hub, how.given)
        await _complete(hub, store, collection, definition)
        journal.event("crawl begins", version=__version__, seeds=seeds)
        with Progress(quiet=how.quiet, limit=definition.scope.limit) as progress:
            watcher = asyncio.create_task(_watch(hub, collection, definition, progress, loading))
            ended = await _end(hub, seeds, definition)
            watcher.cancel()
        journal.event("crawl ends", how=ended)
        if learned := write_ways(frontier.guides.led, hub.seeds, collection):
            journal.event("ways learned", sites=learned)
        summary = _report(hub, collection, definition, ended)
        _explain_stopped(hub, journal)
    except BaseException:
        loading.stop()
        raise
    finally:
        hub.close()
    if ended == "interrupted":
        loading.stop()
    repair(collection)  # files of workers that died are closed, too
    if hub.died:
        hub.journal.flush()
        log_untold(collection)
    objects.repair(collection)
    merge(collection)
    if ended != "interrupted":
        await _read_again(hub, collection)
        summary = with_content(summary, completeness(collection))
        write_summary(collection, summary)
    return Result(ended, summary, await loading.finish(), reconciled)


def _note_given(hub: Hub, given: Credentials) -> None:
    """Say it when a crawl goes on without the headers or cookies that it was made with: they are kept nowhere."""
    memory = hub.frontier.memory
    if memory.noted(_GIVEN) and not given:
        hub.journal.event("without the headers and cookies of an earlier run", option="--header, --cookies")
    memory.note(_GIVEN, ["headers" if given.headers else "", "cookies" if given.cookies else ""] if given else [])


def _reconcile(hub: Hub, store: Store, collection: Collection) -> Reconciled:
    """Make due what a run that did not end properly settled and the archive does not hold."""
    done = resume(collection, store)
    if done:
        told = {"due": done.due, "lost": done.lost, "logged": done.logged, "examples": done.examples}
        hub.journal.event("archive compared", **told)
    if done.due:
        hub.frontier.change(hub.frontier.policy, 0.0)
    seal.begin(collection)
    return done


async def _read_again(hub: Hub, collection: Collection) -> None:
    """Read the pages again that were captured before rules of their sites were learned."""
    learned = lessons.noted(collection)
    if not learned:
        return
    from anansi.crawl.restore.reread import read_sites_again  # a crawl that learned nothing does without

    done = await asyncio.to_thread(read_sites_again, collection, learned, lambda: hub.interrupted)
    if not hub.interrupted:
        lessons.forget(collection)
    hub.journal.event("pages read again", pages=done.pages, changed=done.changed, objects=done.objects)


async def _complete(hub: Hub, store: Store, collection: Collection, definition: Definition) -> None:
    """Schedule what the pages of an archive need, when it was begun without; a signal stops that, too."""
    if not completing.lacking(store, collection, definition):
        return
    hub.journal.event("pages are read again for what they need to be shown")
    added = 0
    for found in completing.complete(store, collection, definition):
        added += found
        await asyncio.sleep(0)
        if hub.interrupted:
            return
    hub.journal.event("parts of pages scheduled", urls=added)
    hub.frontier.change(hub.frontier.policy, 0.0)


def _scoring(definition: Definition) -> Scoring | None:
    """Return what scores the crawl, where it is about something; examples that a topic names are read now."""
    if not definition.focus.is_set():
        return None
    from anansi.crawl.scoring import Scoring, examples_of

    return Scoring(definition, examples_of(definition, agent_of(definition)))


async def _end(hub: Hub, seeds: list[str], definition: Definition) -> str:
    ended = await hub.run(seeds, workers_of(definition))
    hub.accounts.take_back_forms({site.row.name: site for site in hub.frontier.sites()})
    return how_it_ended(ended, hub.frontier, hub.accounts, hub.seeds, again=_comes_back(definition))


def _comes_back(definition: Definition) -> bool:
    """Tell whether URLs wait to be visited again, so that they are not left over."""
    return definition.watch.what != "nothing" or definition.frontier.revisit_after is not None


async def _watch(
    hub: Hub, collection: Collection, definition: Definition, progress: Progress, loading: Loading
) -> None:
    """Report twice a second; what prevents it (a full disk) ends the crawl."""
    cost = 0.0
    try:
        while True:
            await asyncio.sleep(max(SHOW_EVERY, cost * SHOW_SHARE))
            began = time.monotonic()
            summary = _report(hub, collection, definition, "running")
            hub.journal.flush()
            progress.show(summary, workers=hub.alive, event=hub.journal.last)
            loading.look()
            cost = time.monotonic() - began
    except Exception as error:
        hub.fail(error)


def _report(hub: Hub, collection: Collection, definition: Definition, state: str) -> dict[str, Any]:
    again = _comes_back(definition)
    summary = summarise(hub.frontier, hub.accounts, state=state, strategy=definition.strategy, again=again)
    now = [msgspec.to_builtins(each) for each in hub.doing(SHOWN)] if state == "running" else []
    summary["now"] = [dict(zip(("site", "url", "why", "until"), each, strict=True)) for each in now]
    write_summary(collection, summary)
    return summary


def _explain_stopped(hub: Hub, journal: Journal) -> None:
    """Say of every URL that its site's end kept from being fetched that it did; the next run goes on with them."""
    for site in hub.frontier.sites():
        stopped = hub.frontier.stopped(site)
        if stopped == Reason.BUDGET:
            reason, detail = Reason.BUDGET, "the site's budget of requests is used up"
        elif site.given_up:
            reason, detail = Reason.GIVEN_UP, site.given_up
        else:
            continue
        for visit in hub.frontier.pending(site):
            journal.skipped(visit.url, reason, detail)


def _obey_signals(hub: Hub) -> None:
    """Finish cleanly on the first signal, quickly on the second."""
    seen: list[int] = []

    def stop(number: int) -> None:
        seen.append(number)
        hub.stop("interrupted", at_once=len(seen) > 1)

    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop, name)
