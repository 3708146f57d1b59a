"""What the pages of an archive need to be shown, put into the frontier: for a collection that began without.

Nothing is fetched for that: pages are read back from the archive. It may be stopped at any moment; that it is done is
noted at its end, and what is known already is not scheduled twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.captures import Capture, Captures
from anansi.frontier.scope import Scope, compile_scope
from anansi.frontier.store import Store
from anansi.model import Visit
from anansi.url import site_of

if TYPE_CHECKING:
    from anansi.crawl.stages.read import Reader

_NOTE: Final = "requisites"
_WHOLE: Final = ["of all pages"]


def lacking(store: Store, collection: Collection, definition: Definition) -> bool:
    """Tell whether pages may have been kept without what they need and that is wanted now."""
    noted = store.memory.noted(_NOTE) == _WHOLE
    if definition.scope.requisites and not noted and collection.warcs():
        return True
    if definition.scope.requisites != noted:
        store.memory.note(_NOTE, _WHOLE if definition.scope.requisites else [])
        store.commit()
    return False


def complete(store: Store, collection: Collection, definition: Definition) -> Iterator[int]:
    """Schedule what the pages of the archive need, page by page; yield how many URLs each added."""
    from anansi.crawl.stages.read import Reader  # most crawls need nothing of this

    merge(collection)
    reader = Reader(definition, collection.state)
    scope = compile_scope(definition.scope, definition.seeds)
    for capture in Captures(collection, reader.rules).all():
        yield _schedule(store, reader, scope, capture)
    store.memory.note(_NOTE, _WHOLE)
    store.commit()


def _schedule(store: Store, reader: Reader, scope: Scope, capture: Capture) -> int:
    page = capture.source
    found = [capture.page.visit.child(link) for link in reader.requisites(page, reader.read(page))]
    wanted = [(site_of(child.url), child) for child in found if _wanted(child, scope)]
    added = store.discover(wanted) if wanted else 0
    store.commit()
    return added


def _wanted(child: Visit, scope: Scope) -> bool:
    return scope.refuse(child.url, child.hops[-1], child.depth) is None
