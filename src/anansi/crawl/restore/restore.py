"""A damaged collection, restored: what can be made again is made again, what is gone is due again, nothing is hidden.

1. The definition, the summary and what was learned, from their copies.
2. The WARC files: finished, and without what is damaged in them; the indexes, from them.
3. The frontier: rebuilt from the archive if it cannot be read, and made to agree with it.
4. The logs: crawl.log from the archive, skipped.jsonl from the frontier; of events what can be read.
5. The store of objects goes when it, or what it was loaded from, is damaged: the next query loads it.

What was damaged is kept in `state/torn`, and what is lost is noted in `reports/lost.jsonl`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from anansi.archive import lost, objects, seal
from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.archive.loaded import store_of
from anansi.archive.log import read_line
from anansi.archive.record import uri
from anansi.archive.repair import Repair, mend, repair
from anansi.archive.sort import Sorter, joined, lines_of
from anansi.crawl import definition
from anansi.crawl.restore.claims import Claims
from anansi.crawl.restore.rebuild import rebuild_frontier
from anansi.crawl.restore.reconcile import Reconciled, claiming, reconcile
from anansi.crawl.restore.soundness import AGAIN, fault_in, fault_in_store, was_crawled
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import Refused
from anansi.frontier.store import Store
from anansi.model import parted
from anansi.url import canonical


@dataclass(frozen=True, slots=True)
class Restored:
    """What a repair did."""

    mended: tuple[Repair, ...] = ()
    rebuilt: int | None = None
    """From how many captures the frontier was rebuilt, if it was."""
    reconciled: Reconciled = field(default_factory=Reconciled)
    restored: tuple[str, ...] = ()
    """What else was done, in words."""


def restore(collection: Collection) -> Restored:
    """Mend a collection; the caller holds its lock."""
    crawled = was_crawled(collection)
    words = [*_restore_copies(collection)] if crawled else []
    broken = dict(seal.broken(collection, seal.read(collection))) if crawled else {}
    mended = repair(collection)
    objects.repair(collection)
    with claiming(collection) as claims:
        mended += mend(collection, claims.capture)
        if not crawled:
            return Restored(tuple(mended))
        rebuilt = rebuild_frontier(collection)
        words += _sort_out_log(collection, broken)
        reconciled = _reconcile(collection, claims, broken)
    words += [*_mend_logs(collection, broken), *_drop_store(collection, broken)]
    seal.end(collection, anew=True)
    return Restored(tuple(mended), rebuilt, reconciled, tuple(words))


def _reconcile(collection: Collection, claims: Claims, broken: dict[str, str]) -> Reconciled:
    with closing(Store(collection.state / "frontier", UPDATES["first"])) as store:
        done = reconcile(collection, store, claims)
        if done.untrue:
            _filter(collection.crawl_log, lambda line: _capture_of(line) not in done.untrue)
        if _name(collection, collection.skipped) in broken:
            _refill_skipped(collection, store)
        return done


def _capture_of(line: bytes) -> tuple[str, str] | None:
    visited = read_line(line)
    return (uri(visited.url), visited.fetched) if visited is not None else None


# ── copies ───────────────────────────────────────────────────────────────────────────────────────────────────────


def restore_learned(collection: Collection) -> Iterator[str]:
    """Restore learned rules that cannot be read, before a crawl goes by them; what people wrote is left to them."""
    for path, copy in seal.copied(collection):
        learned = path.is_relative_to(collection.knowledge / "learned") and path.exists()
        if learned and fault_in(path) and not fault_in(copy):
            yield _put_back(collection, path, copy)


def _restore_copies(collection: Collection) -> Iterator[str]:
    """Put copies, if they can be read, in the place of files that cannot, or that are not what they were."""
    if words := definition.restore(collection):
        yield words
    broken = dict(seal.broken(collection, seal.read(collection)))
    for path, copy in seal.copied(collection):
        damaged = _name(collection, path) in broken or fault_in(path)
        if path != collection.definition and damaged and not fault_in(copy):
            yield _put_back(collection, path, copy)


def _put_back(collection: Collection, path: Path, copy: Path) -> str:
    kept = definition.set_aside(collection, path)
    with replacing(path) as fresh:
        shutil.copyfile(copy, fresh)
    return f"{_name(collection, path)} was damaged and is restored from its copy{kept}"


# ── logs ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sort_out_log(collection: Collection, broken: dict[str, str]) -> list[str]:
    """Keep what can be read of a damaged crawl.log; what the archive tells is added later."""
    if (name := _name(collection, collection.crawl_log)) not in broken:
        return []
    kept = definition.set_aside(collection, collection.crawl_log)
    _filter(collection.crawl_log, lambda line: read_line(line) is not None)
    return [f"{name}: {broken[name]}; its lines are completed from the archive{kept}"]


def _mend_logs(collection: Collection, broken: dict[str, str]) -> Iterator[str]:
    """Keep what can be read of other damaged logs, and note what cannot be made again."""
    known = {_name(collection, path): path for path in (collection.events, collection.skipped, collection.lost)}
    for name, what in broken.items():
        path = known.get(name)
        if path is not None and path != collection.skipped:
            kept = definition.set_aside(collection, path)
            _filter(path, _is_object)
            yield f"{name}: {what}; what can be read of it stays{kept}"
        elif path is not None:
            yield f"{name}: {what}; completed from the frontier"
        if path == collection.events or (collection.root / name).suffix == ".nq":
            lost.note(collection, [lost.Lost(why=what, file=name)])
        if (collection.root / name).suffix == ".nq":
            yield f"{name}: {what}; {AGAIN}"


def _refill_skipped(collection: Collection, store: Store) -> None:
    """Complete the list of what was refused from what the frontier knows of it."""
    path = collection.skipped
    definition.set_aside(collection, path)
    _filter(path, _is_object)
    with TemporaryDirectory(prefix="skipped-", dir=collection.state) as folder:
        told, known = Sorter(Path(folder)), Sorter(Path(folder))
        for line in lines_of(path) if path.exists() else ():
            told.add(uri(canonical(str(json.loads(line).get("url", "")))).encode() + b"\t\n")
        for key, _, record in store.histories():
            if isinstance(record, Refused):
                skip = json.dumps(
                    {"url": parted(key)[0], "reason": record.reason, "detail": record.detail}, ensure_ascii=False
                )
                known.add(f"{uri(key)}\t{skip}\n".encode("utf-8", "replace"))
        with guarded(path), path.open("ab") as file:
            for _, there, wanted in joined(told.sorted(), known.sorted(), lambda line: line.partition(b"\t")[0]):
                for line in wanted if not there else ():
                    file.write(line.partition(b"\t")[2])


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _filter(path: Path, keeps: Callable[[bytes], bool]) -> None:
    """Write a log anew with those of its lines that are wanted."""
    with replacing(path) as fresh, fresh.open("wb") as file:
        file.writelines(line for line in (lines_of(path) if path.exists() else ()) if keeps(line))


# ── objects ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _drop_store(collection: Collection, broken: dict[str, str]) -> Iterator[str]:
    """Remove the store of objects when it is damaged or was loaded from what is: it is made of the segments."""
    stale = any((collection.root / name).suffix == ".nq" for name in broken)
    fault = fault_in_store(collection)
    if (stale or fault) and store_of(collection).exists():
        with guarded(store_of(collection)):
            shutil.rmtree(store_of(collection))
        yield "objects/store was removed, for it was damaged or out of date; the next query loads it again"


def _name(collection: Collection, path: Path) -> str:
    return path.relative_to(collection.root).as_posix()
