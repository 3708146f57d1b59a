"""A damaged frontier, made anew from the archive: what was captured is done, what it leads to is queued.

The index must be whole before (`archive.index.rebuild`): it tells where the payload of a revisit record stands.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import msgspec

from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.captures import Capture, Captures
from anansi.crawl.definition import definition_in
from anansi.crawl.findings import Findings
from anansi.crawl.pipeline import known_types, seen_on, verdict_on
from anansi.crawl.report.account import Accounts
from anansi.crawl.restore.reconcile import require_whole
from anansi.crawl.stages.read import Reader
from anansi.errors import DamagedError
from anansi.fetch.mime import is_html
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import read_record
from anansi.frontier.rocks import Rocks
from anansi.frontier.scope import Scope, compile_scope
from anansi.frontier.store import Store
from anansi.frontier.traps import shape_fault
from anansi.model import MAX_REDIRECTS, REDIRECTS, Ended, Hop, Link, Outcome, Page, Reason, Role, Skip, Visit
from anansi.url import canonical, site_of


def rebuild_frontier(collection: Collection) -> int | None:
    """Rebuild the frontier if it cannot be read; return from how many captures, or None when it is sound."""
    if _sound(collection):
        return None
    definition = definition_in(collection) or Definition()
    fresh = collection.state / "frontier-new"
    with guarded(fresh):
        shutil.rmtree(fresh, ignore_errors=True)
        store = Store(fresh, UPDATES[definition.frontier.update])
        try:
            captured = _Refill(store, collection, definition).run()
        finally:
            store.close()
        # Whoever is stopped before here begins anew; the damaged one stays for whoever wants to look into it.
        if _folder(collection).exists():
            _folder(collection).rename(collection.state / f"frontier-damaged-{time.time_ns()}")
        fresh.rename(_folder(collection))
    return captured


def _folder(collection: Collection) -> Path:
    return collection.state / "frontier"


def _sound(collection: Collection) -> bool:
    """Read everything once: RocksDB checks each block's sum, and records of another version are noticed."""
    if not _folder(collection).exists():  # RocksDB would make one
        return not collection.warcs()
    points, ordered = ("urls",), ("queue", "waiting", "meta")
    try:
        store = Store(_folder(collection), UPDATES["first"])
        try:
            require_whole(store, collection)
            if next(store.miscounted(), None) is not None:
                return False
        finally:
            store.close()
        rocks = Rocks(_folder(collection), points, ordered)
        try:
            for _, raw in rocks["urls"].scan(b""):
                read_record(raw)
            for name in ordered:
                for _ in rocks[name].scan(b""):
                    pass
        finally:
            rocks.close()
    except DamagedError:
        return False
    return True


class _Refill:
    """Fills an empty frontier from an archive."""

    def __init__(self, store: Store, collection: Collection, definition: Definition):
        self._store = store
        self._accounts = Accounts(store.memory)
        self._reader = Reader(definition, collection.state, known_types(definition, collection))
        self._captures = Captures(collection, self._reader.rules)
        self._named = definition.seeds or self._captures.seeds()
        self._seeds = self._redirected(self._named)
        self._scope: Scope = compile_scope(definition.scope, self._seeds)
        self._traps = definition.frontier.traps
        self._remind()

    def _remind(self) -> None:
        """Know from the first page on what the sites are made of: a type has keys of its own for its addresses."""
        if (interpreter := self._reader.interpreter) is not None:
            for site, name in dict.fromkeys((site_of(url), name) for url, name in self._captures.types()):
                interpreter.remind(site, (name,))

    def _redirected(self, seeds: list[str]) -> list[str]:
        """Add to the seeds where they redirect to: the crawl widened its scope by it."""
        found = dict.fromkeys(seeds)
        fresh = set(seeds)
        for _ in range(MAX_REDIRECTS):
            redirects = [page for page in self._captures.of(fresh) if 300 <= page.status < 400]
            fresh = {
                link.url for page in redirects for link in self._reader.act(page, Findings()).links
            } - found.keys()
            found |= dict.fromkeys(fresh)
        return list(found)

    def run(self) -> int:
        """Take every capture in; return how many there were."""
        count = 0
        for capture in self._captures.all():
            self._take(capture)
            self._store.commit()
            count += 1
        visits = [
            Visit(seed, canonical(seed, self._reader.rules), score=1.0, role=Role.SEED, seed=seed)
            for seed in self._seeds
        ]
        self._store.discover((site_of(visit.url), visit) for visit in visits)
        self._store.memory.note("named", self._named)
        self._store.memory.note("seeds", self._seeds)
        self._store.commit()
        return count

    def _take(self, capture: Capture) -> None:
        """Do what settling the visit did."""
        page = capture.page
        found = self._reader.read(capture.source)
        outcome = _outcome(capture, found.mime)
        site = self._store.site(site_of(page.visit.url))
        if page.visit.role is Role.ROBOTS or page.status == 304:
            self._store.account(site, outcome)
        elif verdict_on(page).retry:
            self._store.account(site, outcome)
            self._store.discover([(site.row.name, page.visit)])
        else:
            # a part of a page leads to where it redirects, and to its own parts
            onward = not page.visit.requisite or page.status in REDIRECTS
            found = self._reader.act(page, found) if onward else found
            seen = seen_on(page, found, self._reader)
            outcome = msgspec.structs.replace(outcome, seen=seen)
            if self._store.state(page.visit.identity) not in (
                State.DONE,
                State.MISSING,
            ):  # later captures count no more
                self._accounts.note(site, page.visit, outcome)
                self._accounts.write()
            self._store.finish(site, page.visit, outcome, page.started)
            for link in (*found.links, *self._reader.requisites(page, found)):
                self._queue(link, page)
            for skip in found.skips:
                self._store.refuse(skip)

    def _queue(self, link: Link, page: Page) -> None:
        child = page.visit.child(link)
        refusal = self._refusal(link, page.visit, child.depth)
        if refusal is None:
            self._store.discover([(site_of(link.url), child)])
        else:
            self._store.refuse(Skip(link.url, link.identity, *refusal))

    def _refusal(self, link: Link, visit: Visit, depth: int) -> tuple[Reason, str] | None:
        if link.hop == Hop.REDIRECT and not visit.hops.strip(Hop.REDIRECT.value):
            return None  # a seed may lead elsewhere
        fault = shape_fault(link.url, time.gmtime().tm_year) if self._traps else ""
        return (Reason.TRAP, fault) if fault else self._scope.refuse(link.url, _hop(link, visit), depth)


def _hop(link: Link, visit: Visit) -> str:
    """Return how a link is reached, where the scope asks: what a part of a page leads to is a part of it, too."""
    return Hop.EMBED.value if visit.requisite else link.hop


def _outcome(capture: Capture, mime: str) -> Outcome:
    page = capture.page
    return Outcome(
        ended=Ended.DONE,
        status=page.status,
        requests=1,
        page=page.ok and is_html(mime),
        duplicate=capture.source is not page,
        size=len(page.head) + capture.source.body.size,
        mime=mime,
        validators=capture.validators,
        started=page.started,
    )
