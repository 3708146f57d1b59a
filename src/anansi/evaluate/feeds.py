"""The feeds of a collection: what was archived of each, whenever it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, status_of
from anansi.archive.layout import Collection
from anansi.archive.reader import Record, records
from anansi.errors import CollectionError, DamagedError
from anansi.feeds.reading import LARGEST, read
from anansi.feeds.statistics import Channel
from anansi.fetch import decode, mime
from anansi.fetch.curl import parse_head
from anansi.url import canonical

_MIMES: Final = frozenset(
    {
        *("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"),
        *("text/xml", "application/xml", "application/json"),
    }
)
"""What feeds are served as, or are seen to be."""
_NEVER: Final = ("image/", "audio/", "video/", "font/", "text/css")


class Capture(NamedTuple):
    """What an address answered that may be a feed."""

    url: str
    headers: tuple[tuple[str, str], ...]
    data: bytes


def of_collection(folder: Path) -> tuple[list[Channel], list[str]]:
    """Return the feeds of a collection, each with all that was archived of it, and what could not be read."""
    collection = Collection(folder)
    collection.require()
    notes: list[str] = []
    with guarded(folder):
        found = channels(captures(collection.warcs(), notes))
    if not found:
        raise CollectionError(f"{folder} holds no feed; crawl one: `anansi crawl FEED -o {folder}`")
    return found, notes


def channels(captured: Iterable[Capture]) -> list[Channel]:
    """Read captures and put those of one feed together, in the order they were captured."""
    found: dict[str, Channel] = {}
    for each in captured:
        feed = read(each.data, each.url, each.headers)
        if feed is not None and feed.kind:
            key = canonical(each.url)
            found[key] = found[key].seen(feed) if key in found else Channel.of(each.url, feed)
    return list(found.values())


def captures(warcs: Iterable[Path], notes: list[str] | None = None) -> Iterator[Capture]:
    """Yield the answers of WARC files that may be feeds; damage is noted, and ends the file that has it."""
    for warc in warcs:
        try:
            for record in records(warc):
                if record.kind == "response" and (capture := _capture(record)) is not None:
                    yield capture
        except DamagedError as error:
            if notes is None:
                raise
            notes.append(f"{warc} is damaged: {error}; `anansi check --repair` mends it")


def _capture(record: Record) -> Capture | None:
    head = head_of(record.peek())
    if status_of(head) != "200":
        return None
    _, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    declared = named.get("content-type", "")
    if declared.lower().startswith(_NEVER):
        return None
    block = bytearray()
    for piece in record.chunks():
        block += piece[: LARGEST + len(head) - len(block)]
    payload, _ = decode.transfer_decode(headers, bytes(block[len(head) :]))
    data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST + 1).data
    seen = mime.sniff(declared, data[: mime.HEAD], record.url.partition("?")[0])
    return Capture(record.url, headers, data) if seen in _MIMES else None
