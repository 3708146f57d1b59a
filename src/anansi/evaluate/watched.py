"""The feeds that a collection watches: what visits brought, by crawl.log, and when each is due, by the frontier."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from anansi.archive.layout import Collection
from anansi.archive.log import Visited, visits
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store

_NOTE: Final = re.compile(r"(?:^|,)feed:new=(\d+);changed=(\d+);lost=(\d+);again=[0-9.]+;risk=([0-9.e+-]+)")
_FAILED: Final = re.compile(r"(?:^|,)failures:(\d+)")


@dataclass(frozen=True, slots=True)
class WatchedFeed:
    """A feed, and what its visits brought."""

    url: str
    last: str
    status: int
    visits: int = 0
    items: int = 0
    """New ones, over all visits."""
    changed: int = 0
    lost: int = 0
    """Visits that shared no item with the one before."""
    due: str = "-"
    """When it is visited next, as the frontier has it; "-" for one that is visited no more, or under way."""
    risk: float = 0.0
    """Probability that items come and go unseen before the next visit."""
    failures: int = 0


def watched(collection: Collection) -> list[WatchedFeed]:
    """Return the feeds of a collection, those that are due first."""
    found: dict[str, WatchedFeed] = {}
    for visit in visits(collection.crawl_log) if collection.crawl_log.is_file() else ():
        note = _NOTE.search(visit.annotations)
        if note is not None or visit.url in found:
            found[visit.url] = _with(found.get(visit.url), visit, note)
    due = _due_dates(collection) if found else {}
    feeds = (replace(feed, due=due.get(url, "-")) for url, feed in found.items())
    return sorted(feeds, key=lambda feed: (feed.due, feed.url))


def _due_dates(collection: Collection) -> dict[str, str]:
    """Return when the frontier has each URL that waits due; nothing where a collection came without one."""
    path = collection.state / "frontier"
    if not path.is_dir():
        return {}
    with closing(Store(path, UPDATES["first"], writable=False)) as frontier:
        return {visit.url: _written(due) for due, visit in frontier.waiting()}


def _written(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _with(feed: WatchedFeed | None, visit: Visited, note: re.Match[str] | None) -> WatchedFeed:
    known = feed or WatchedFeed(visit.url, visit.at, visit.status)
    known = replace(known, last=visit.at, status=visit.status, visits=known.visits + 1)
    if note is None:
        failed = _FAILED.search(visit.annotations)
        return replace(known, failures=int(failed[1]) if failed else known.failures)
    new, changed, lost = (int(note[number]) for number in range(1, 4))
    return replace(
        known,
        items=known.items + new,
        changed=known.changed + changed,
        lost=known.lost + lost,
        risk=float(note[4]),
        failures=0,
    )
