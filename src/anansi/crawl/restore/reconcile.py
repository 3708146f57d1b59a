"""The frontier made to agree with the archive: what is settled and not kept is due again.

After a crash only what the dead run wrote can be at risk: what earlier runs wrote is on the disk itself. Its lines in
crawl.log, which is written before the frontier, tell what it settled; they are compared with its segments. When that
is not enough to tell, everything is read and compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from anansi.archive import lost, seal
from anansi.archive.disk import guarded
from anansi.archive.layout import Collection
from anansi.archive.record import uri
from anansi.archive.repair import mend
from anansi.archive.sort import Sorter
from anansi.crawl.captures import depth_of
from anansi.crawl.restore.claims import Claims, Finding, Kind, second
from anansi.crawl.restore.relog import tell_of
from anansi.crawl.robots_visits import remembered
from anansi.errors import DamagedError
from anansi.frontier.record import Done
from anansi.frontier.store import Store
from anansi.model import Hop, Visit, parted, role_of
from anansi.url import canonical, origin_of, site_of

SHOWN = 3
"""URLs that are named as examples."""
COMMIT = 1000
"""URLs made due in one commit."""
MOST_CAPTURES = 20_000
"""Captures that are looked after one by one; with more everything is compared."""

_WHY = {
    Kind.MISSING: "settled, but not in the archive",
    Kind.HOLLOW: "its payload is not in the archive",
    Kind.UNTRUE: "in crawl.log, but not in the archive",
}

SITES = 1000  # sites whose queues are looked at before a crawl goes on: 10 ms
_LOST = "the frontier in state/ {}; `anansi check DIR --repair` rebuilds it from the archive"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was done to make frontier, crawl.log and archive agree."""

    due: int = 0
    """URLs that are due again."""
    lost: int = 0
    """Captures that are gone and were noted in `reports/lost.jsonl`."""
    logged: int = 0
    """Captures that crawl.log tells of now."""
    untrue: frozenset[tuple[str, str]] = frozenset()
    """Lines of a damaged crawl.log, by URL and second, whose captures nothing else tells of."""
    examples: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.due or self.lost or self.logged)

    @property
    def words(self) -> str:
        """Say how many URLs are due again, and why."""
        such = f", such as {self.examples[0]}" if self.examples else ""
        return f"{self.due:,} URLs were made due again, for their captures were not in the archive{such}"


def require_whole(store: Store, collection: Collection) -> None:
    """Refuse a frontier that is there only in part (RocksDB takes a torn list of its files for a shorter one).

    One whose queues another version wrote is refused, too, when the first record of such a queue is read.
    """
    if not store.sites and collection.warcs():
        raise DamagedError(_LOST.format("is gone"))
    for site in itertools.islice(store.by_id.values(), SITES):
        if not site.row.queued:
            continue
        if (first := next(store.queued(site), None)) is None:
            raise DamagedError(_LOST.format(f"has lost the queue of {site.row.name}"))
        store.explain(first.identity)


def resume(collection: Collection, store: Store) -> Reconciled:
    """Reconcile after a run that did not end properly: what it settled, or everything where that is not known.

    The same when something that it left is gone or cut, however it ended.
    """
    before = seal.read(collection)
    shortened = dict(seal.shortened(collection, before))
    done = _resume(collection, store, before, shortened)
    anew = seal.name_of(collection, collection.summary)
    gone = {name: what for name, what in shortened.items() if name in before.marks and name != anew}
    if gone:
        lost.note(collection, (lost.Lost(why=what, file=name) for name, what in gone.items()))
        seal.forget(collection, gone)
    return done


def _resume(collection: Collection, store: Store, before: seal.Seal, shortened: Container[str]) -> Reconciled:
    log = collection.crawl_log
    if not (store.totals.statuses or (log.exists() and log.stat().st_size)):  # nothing was ever fetched
        return Reconciled()
    hurt = any(name in shortened for name in (*before.sizes, seal.name_of(collection, log)))
    if before.ended and not hurt:
        return Reconciled()
    start = before.log(collection)
    if not hurt and start is not None and (done := _reconcile_since(collection, store, start)) is not None:
        return done
    return reread(collection, store)


def reread(collection: Collection, store: Store) -> Reconciled:
    """Read the whole archive, mend what is damaged in it, and reconcile the frontier with what its records say."""
    with claiming(collection) as claims:
        mend(collection, claims.capture)
        return reconcile(collection, store, claims)


@contextmanager
def claiming(collection: Collection) -> Iterator[Claims]:
    """Offer a place for claims."""
    with _folder(collection) as folder:
        yield Claims(folder)


def reconcile(collection: Collection, store: Store, claims: Claims | None = None) -> Reconciled:
    """Compare all that frontier, crawl.log and archive say, and make due what is settled and not kept.

    The archive speaks by its index and segments, which must be whole, unless `claims` hold what its records say.
    """
    with _folder(collection) as folder:
        if claims is None:
            claims = Claims(folder)
            claims.segments(collection)
            claims.index(collection.index)
        claims.log(collection.crawl_log)
        claims.losses(collection.lost)
        claims.frontier(store)
        broken = (name for name, _ in seal.broken(collection, seal.read(collection)))
        trusted = not any(collection.root / name == collection.crawl_log for name in broken)
        return _Reconciling(collection, store, folder, trusted=trusted).apply(claims.findings())


@contextmanager
def _folder(collection: Collection) -> Iterator[Path]:
    """Make a folder for what does not fit into memory, on the collection's own disk."""
    with guarded(collection.state), TemporaryDirectory(prefix="reconcile-", dir=collection.state) as folder:
        yield Path(folder)


def _reconcile_since(collection: Collection, store: Store, start: int) -> Reconciled | None:
    """Compare what a run logged with its part of the archive; None when only comparing everything can tell."""
    with _folder(collection) as folder:
        found = _of_run(collection, folder, start, earlier=False)
        if any(each.kind is not Kind.UNTOLD for each in found):
            found = _of_run(collection, folder, start, earlier=True)
        known = [_keyed(each, store) for each in found]
        if len(found) >= MOST_CAPTURES or None in known:
            return None
        applied = (each for each in known if each is not None)
        return _Reconciling(collection, store, folder, trusted=True).apply(applied)


def log_untold(collection: Collection) -> int:
    """Let crawl.log tell of what dead workers archived and did not report; call it before the segments are merged."""
    start = seal.read(collection).log(collection)
    if start is None:
        return 0
    with _folder(collection) as folder:
        untold = Sorter(folder)
        for each in _of_run(collection, folder, start, earlier=False):
            if each.kind is Kind.UNTOLD:
                untold.add(_line_of(each))
        return tell_of(collection, untold.sorted())


def _line_of(finding: Finding) -> bytes:
    return f"{finding.url}\t{finding.at}\n".encode("utf-8", "replace")


def _of_run(collection: Collection, folder: Path, start: int, *, earlier: bool) -> list[Finding]:
    """List what does not agree in a run whose log begins at an offset; `earlier` runs hold what it refers to."""
    claims = Claims(folder)
    claims.segments(collection)
    claims.log(collection.crawl_log, start)
    claims.losses(collection.lost)
    if earlier:
        claims.index(collection.index, earlier=True)
    kinds = (Kind.UNTOLD, *_WHY)
    return list(itertools.islice((each for each in claims.findings() if each.kind in kinds), MOST_CAPTURES))


def _keyed(finding: Finding, store: Store) -> Finding | None:
    """Add what the frontier knows a URL by; None when it may know it by another key."""
    if finding.kind is Kind.UNTOLD or finding.hops.endswith(Hop.PREREQUISITE.value):
        return finding
    key = canonical(finding.url)
    known = store.explain(key)
    if isinstance(known, Done) and uri(known.url or key) == finding.url:
        last = known.validators is None or second(known.validators.date) == finding.at
        return finding._replace(kind=Kind.MISSING, key=key) if last else finding
    return None


class _Reconciling:
    """Makes the sources agree. Mutable state: the counts, and `_untold`, captures that crawl.log must tell of."""

    def __init__(self, collection: Collection, store: Store, folder: Path, *, trusted: bool):
        self._collection, self._store, self._trusted = collection, store, trusted
        self._untold = Sorter(folder)
        self._due = self._lost = self._told = 0
        self._examples: list[str] = []
        self._untrue: set[tuple[str, str]] = set()

    def apply(self, findings: Iterable[Finding]) -> Reconciled:
        """Take up every finding; what was lost is noted before the frontier forgets it."""
        ahead = iter(findings)
        while batch := list(itertools.islice(ahead, COMMIT)):
            gone = [each for each in batch if each.kind in _WHY and (each.key or self._trusted)]
            losses = (lost.Lost(why=_WHY[each.kind], url=each.url, captured=each.at) for each in gone)
            self._lost += lost.note(self._collection, losses) if gone else 0
            for each in batch:
                self._take(each)
            self._store.commit()
        self._store.sync()
        logged = tell_of(self._collection, self._untold.sorted()) if self._told else 0
        return Reconciled(self._due, self._lost, logged, frozenset(self._untrue), tuple(self._examples))

    def _take(self, finding: Finding) -> None:
        if finding.kind in (Kind.MISSING, Kind.HOLLOW) and finding.key:
            self._count(finding.url, self._store.lose(finding.key))
        elif finding.kind is Kind.FORGOTTEN:
            self._count(finding.url, self._find(finding, finding.key))
        elif finding.kind is Kind.UNTRUE and not self._trusted:
            self._untrue.add((finding.url, finding.at))
        elif finding.kind is Kind.UNTRUE and finding.hops.endswith(Hop.PREREQUISITE.value):
            self._ask_robots_again(finding.url)
        elif finding.kind is Kind.UNTRUE and finding.unknown:
            self._count(finding.url, self._find(finding, canonical(finding.url)))
        elif finding.kind is Kind.UNTOLD:
            self._untold.add(_line_of(finding))
            self._told += 1

    def _ask_robots_again(self, url: str) -> None:
        """Forget what a robots.txt said, so that the next visit to its site asks for it."""
        if (site := self._store.sites.get(site_of(url))) is not None:
            self._store.memory.forget(site, remembered(origin_of(url)))

    def _find(self, finding: Finding, identity: str) -> bool:
        hops, (key, role) = finding.hops, parted(identity)
        visit = Visit(finding.url, key, hops, depth_of(hops), role=role or role_of(hops))
        return bool(self._store.discover([(site_of(visit.url), visit)]))

    def _count(self, url: str, news: bool) -> None:
        self._due += news
        if news and len(self._examples) < SHOWN:
            self._examples.append(url)
