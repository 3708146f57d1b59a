"""Is a collection sound? Everything in it is held against everything else, and nothing is changed.

1. Records, digests, index and page list (`archive.check`).
2. Logs and object segments against the seal that the last run left.
3. The frontier: can it be read, are its queues whole.
4. Frontier, crawl.log and archive against one another, capture by capture (`claims`).
5. Definition, summary and what was learned.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from anansi.archive import seal
from anansi.archive.check import REPAIR, Report, Tally, examine
from anansi.archive.disk import guarded
from anansi.archive.index import Indexer
from anansi.archive.layout import OPEN, Collection
from anansi.archive.loaded import store_of
from anansi.archive.lost import losses
from anansi.archive.objects import folder as objects_folder
from anansi.archive.reader import Damage, past_damage
from anansi.config import load
from anansi.crawl import definition
from anansi.crawl.restore.claims import Claims, Finding, Kind
from anansi.crawl.restore.reconcile import require_whole
from anansi.errors import AnansiError, ConfigError, DamagedError, KnowledgeError
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.knowledge import shelf

AGAIN = "`anansi objects DIR --again` reads the objects of the archive again"
FRONTIER = "state/frontier"
RUNNING = "a crawl runs: frontier, logs and archive are compared when it has ended"

_WHERE = {
    Kind.MISSING: FRONTIER,
    Kind.HOLLOW: "archive",
    Kind.UNTRUE: "crawl.log",
    Kind.UNTOLD: "crawl.log",
    Kind.FORGOTTEN: FRONTIER,
}
_OF_FRONTIER = frozenset((Kind.MISSING, Kind.FORGOTTEN, Kind.DUE, Kind.GONE, Kind.UNSETTLED))


def check(collection: Collection) -> Report:
    """Read a whole collection and report what is wrong or missing."""
    tally = Tally()
    collection.require()
    with guarded(collection.root), TemporaryDirectory(prefix="anansi-check-") as folder:
        claims = Claims(Path(folder))
        crawled = was_crawled(collection)
        examine(collection, tally, claims.capture if crawled else None)
        if crawled and collection.locked:
            tally.notes.append(RUNNING)
        elif crawled:
            _check_crawl(collection, claims, tally)
    return tally.report()


def was_crawled(collection: Collection) -> bool:
    """Tell whether a crawl wrote the collection, whatever is left of its traces."""
    traces = (collection.state / "frontier", collection.crawl_log, collection.events, collection.state / "seal.json")
    return any(path.exists() for path in (*traces, collection.state / "run.json"))


def _check_crawl(collection: Collection, claims: Claims, tally: Tally) -> None:
    broken = _check_seal(collection, tally)
    _check_files(collection, broken, tally)
    _check_store(collection, tally)
    for path in collection.unfinished():
        indexer = Indexer(path.name.removesuffix(OPEN), claims.capture)
        for _ in past_damage(path, indexer.take, _overlook):
            pass
        indexer.rest()
    claims.log(collection.crawl_log)
    tally.lost = claims.losses(collection.lost)
    asked = _ask_frontier(collection, claims, tally)
    counts: Counter[Kind] = Counter()
    for finding in claims.findings():
        if asked or finding.kind not in _OF_FRONTIER:
            counts[finding.kind] += 1
            _note(finding, tally)
    tally.due, tally.gone = counts[Kind.DUE], counts[Kind.GONE]
    if counts[Kind.UNSETTLED]:
        what = "captures of URLs that are due: their visits did not end, or are to be made again"
        tally.notes.append(f"{counts[Kind.UNSETTLED]:,} {what}")


def _overlook(_: Damage) -> None:
    """Go on behind damage: that the file is not finished is said already."""


def _note(finding: Finding, tally: Tally) -> None:
    where = _WHERE.get(finding.kind)
    if where is not None:
        at = f" of {finding.at}" if finding.at else ""
        tally.wrong(where, 0, f"{finding.kind.value}: {finding.url}{at}", REPAIR)


def _ask_frontier(collection: Collection, claims: Claims, tally: Tally) -> bool:
    """Take what the frontier says; return whether it could be asked."""
    path = collection.state / "frontier"
    if not path.is_dir():
        tally.wrong(FRONTIER, 0, "the frontier is gone", REPAIR)
        return False
    try:
        with closing(Store(path, UPDATES["first"], writable=False)) as store:
            require_whole(store, collection)
            claims.frontier(store)
            for site in store.miscounted():
                tally.wrong(FRONTIER, 0, f"the queue of {site} is not as long as it should be", REPAIR)
    except DamagedError as error:
        tally.wrong(FRONTIER, 0, str(error), REPAIR)
        return False
    return True


def _check_seal(collection: Collection, tally: Tally) -> set[str]:
    """Hold logs, summary and object segments against what the last run left; return which of them were changed."""
    found = seal.read(collection)
    if not found.found and seal.is_there(collection):
        tally.wrong("state", 0, "what the last run left to check the logs by cannot be read", REPAIR)
    broken = dict(seal.broken(collection, found))
    for name, what in broken.items():
        objects = (collection.root / name).is_relative_to(objects_folder(collection))
        tally.wrong(name, 0, what, f"{REPAIR}; {AGAIN}" if objects else REPAIR)
    for loss in losses(collection.lost):
        if loss.file and not loss.file.endswith((".warc.gz", ".warc")):
            again = f"; {AGAIN}" if loss.file.startswith("objects/") else ""
            tally.notes.append(f"{loss.file}: {loss.why}{again}")
    return set(broken)


def _check_files(collection: Collection, broken: set[str], tally: Tally) -> None:
    """Check what has a copy: the definition, the summary, what was learned."""
    for path, copy in seal.copied(collection):
        name = path.relative_to(collection.root).as_posix()
        if path == collection.definition:
            _check_definition(collection, copy, tally)
        elif name not in broken and (fault := fault_in(path)):
            tally.wrong(name, 0, fault, REPAIR)
    if not seal.copy_of(collection, collection.summary).exists() and collection.summary.exists():
        for fault in filter(None, [fault_in(collection.summary)]):
            tally.wrong("reports/summary.json", 0, fault, REPAIR)


def _check_definition(collection: Collection, copy: Path, tally: Tally) -> None:
    name = collection.definition.name
    if definition.is_damaged(collection.definition, copy):
        tally.wrong(name, 0, "the definition is gone, cut off or no text", REPAIR)
        return
    try:
        load(collection.definition)
    except ConfigError as error:
        tally.wrong(name, 0, str(error), f"correct it, or copy {copy} to its place")
    if collection.definition.read_bytes() != copy.read_bytes():
        tally.notes.append(f"{name} was changed since the crawl last ran by it ({copy})")


def fault_in(path: Path) -> str:
    """Say what is wrong with a summary or an entry of the knowledge base; nothing when it can be read."""
    if not path.is_file():
        return "the file is gone"
    try:
        if path.suffix == ".json":
            if not isinstance(json.loads(path.read_bytes()), dict):
                return "the file is no JSON object"
        else:
            shelf.in_file(path)
    except (KnowledgeError, ValueError) as error:
        return f"the file cannot be read: {error}"
    return ""


def _check_store(collection: Collection, tally: Tally) -> None:
    """Read the store of objects once: it checks each block's sum."""
    if fault := fault_in_store(collection):
        tally.wrong("objects/store", 0, fault, REPAIR)


def fault_in_store(collection: Collection) -> str:
    """Say what is wrong with the store of objects; nothing when it can be read, or is not there."""
    if not store_of(collection).is_dir():
        return ""
    from anansi.archive.triplestore import readable  # here: Oxigraph costs 11 MB

    try:
        readable(collection)
    except AnansiError as error:
        return str(error)
    return ""
