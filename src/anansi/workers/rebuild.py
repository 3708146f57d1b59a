"""A damaged frontier, made anew from the archive: what was captured is done, what it leads to is queued."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from anansi.archive.layout import Collection
from anansi.archive.reader import Record, records
from anansi.config import Definition, load
from anansi.crawl import Reader
from anansi.errors import DamagedError
from anansi.fetch.curl import parse_head
from anansi.frontier.priority import UPDATES
from anansi.frontier.scope import Scope, compile_scope
from anansi.frontier.store import Store
from anansi.model import Body, Ended, Outcome, Page, Skip, Visit
from anansi.url import canonical, site_of

LARGEST = 32 << 20  # bytes of a response that is read for its links


def rebuild_frontier(collection: Collection) -> int | None:
    """Rebuild the frontier if it cannot be read; return from how many captures, or None when it is sound."""
    path = collection.state / "frontier"
    if _sound(path):
        return None
    aside = collection.state / f"frontier-damaged-{int(time.time())}"
    if path.exists():
        shutil.move(path, aside)
    definition = load(collection.definition) if collection.definition.exists() else Definition()
    scope = compile_scope(definition.scope, definition.seeds)
    store = Store(path, UPDATES[definition.frontier.update])
    try:
        return _refill(store, collection, definition, scope)
    finally:
        store.close()


def _sound(path: Path) -> bool:
    """Read everything once: RocksDB checks each block's sum."""
    try:
        store = Store(path, UPDATES["first"])
    except DamagedError:
        return False
    try:
        for _ in store.urls():
            pass
        for site in store.by_id.values():
            for _ in store.queued(site):
                pass
    except Exception:  # rocksdict raises bare exceptions while it iterates
        return False
    finally:
        store.close()
    return True


def _refill(store: Store, collection: Collection, definition: Definition, scope: Scope) -> int:
    reader = Reader(definition, collection.state)
    seeds = [Visit(url=seed, key=canonical(seed, reader.rules), score=1.0, seed=seed) for seed in definition.seeds]
    captured = 0
    for page in _captures(collection, reader):
        _mark_done(store, page)
        _queue_links(store, page, reader, scope)
        store.commit()
        captured += 1
    store.discover((site_of(seed.url), seed) for seed in seeds)
    store.commit()
    return captured


def _mark_done(store: Store, page: Page) -> None:
    """Take the page's own URL out of the queue, as its settling did."""
    site = store.site(site_of(page.visit.url))
    store.finish(site, page.visit, Outcome(ended=Ended.DONE, status=page.status, requests=1), page.started)


def _queue_links(store: Store, page: Page, reader: Reader, scope: Scope) -> None:
    payload, _ = reader.payload(page)
    for link in reader.act(page, reader.read(page, payload)):
        refusal = scope.refuse(link.url, link.hop, 0)
        if refusal is None:
            store.discover([(site_of(link.url), page.visit.child(link))])
        else:
            store.refuse(Skip(link.url, link.key, *refusal))


def _captures(collection: Collection, reader: Reader) -> Iterator[Page]:
    for warc in collection.warcs():
        for record in records(warc):
            if record.kind == "response" and (page := _page(record, reader)) is not None:
                yield page


def _page(record: Record, reader: Reader) -> Page | None:
    block, size = bytearray(), 0
    for chunk in record.chunks():
        if size < LARGEST:
            block += chunk
        size += len(chunk)
    head, separator, body = bytes(block).partition(b"\r\n\r\n")
    if not separator:
        return None
    status, headers = parse_head([*(line + b"\r\n" for line in head.split(b"\r\n")), b"\r\n"])
    visit = Visit(url=record.url, key=canonical(record.url, reader.rules))
    return Page(visit, time.time(), 0.0, head=head + separator, body=Body(len(body), data=body), status=status, headers=headers)
