"""Collections made by hand: pages in, the folder that a crawl would have written out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anansi.archive.exchange import Notes
from anansi.archive.layout import Collection
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from tests.archive.exchanges import NOW, answer

HOST = "http://site.example"


@dataclass(frozen=True, slots=True)
class Made:
    """A page to put into a collection."""

    text: str
    fields: tuple[tuple[str, str], ...] = ()
    status: str = "200 OK"
    mime: str = "text/html"
    hops: str = "L"
    after: float = 0.0
    """Seconds after the start of the crawl; by default its place in the list."""


def recognised(text: str, *, terminal: bool, kind: str = "forum/test") -> Made:
    """Make a page that a crawl has recognised."""
    return Made(text, (("recognisedType", kind), ("recognisedTerminal", "yes" if terminal else "no")))


def collect(root: Path, pages: Mapping[str, str | Made], *, host: str = HOST, **summary: Any) -> Path:
    """Write pages (path → markup) into a collection, in their order, with the summary of a crawl that ended."""
    collection = Collection(root)
    collection.create()
    writer = WarcWriter(collection, "test", "host.example", {})
    for number, (path, given) in enumerate(pages.items()):
        made = given if isinstance(given, Made) else Made(given)
        page = answer(
            host + path,
            made.text.encode(),
            status=made.status,
            headers=(("Content-Type", f"{made.mime}; charset=utf-8"),),
            started=NOW + (made.after or number),
            hops=made.hops,
        )
        notes = Notes(mime=made.mime, fields=made.fields, digest=payload_digest(page.body))
        writer.write_page(page, page.body, notes)
    writer.close()
    told = {"state": "finished", "requests": len(pages), "sites": {"site.example": {"strategy": "blind"}}, **summary}
    collection.summary.write_text(json.dumps(told))
    return root
