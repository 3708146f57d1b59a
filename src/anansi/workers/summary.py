"""The numbers of a crawl: `reports/summary.json`."""

from __future__ import annotations

import json
from typing import Any

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.frontier.embedded import Frontier
from anansi.model import Reason

KEYS = frozenset(("state", "requests", "pages", "bytes", "seconds", "pages_per_second", "statuses", "faults"))
KEYS |= frozenset(("queued", "skipped", "retries", "duplicates", "sites"))
"""What every summary holds."""
SITES = 1000  # sites listed one by one, those with most requests first; the rest is summed up


def summarise(frontier: Frontier, *, state: str, strategy: str) -> dict[str, Any]:
    """Count what was done and what is left."""
    totals = frontier.store.totals
    sites = sorted(frontier.store.by_id.values(), key=lambda site: -site.row.requests)
    skipped = {reason: count for reason, count in totals.skipped.items() if count}
    for site in sites:
        left = site.row.queued + site.row.waiting
        if left and (stopped := frontier.stopped(site)):
            reason = Reason.GIVEN_UP if site.given_up else stopped
            skipped[reason] = skipped.get(reason, 0) + left
    return {
        "state": state,
        "requests": totals.requests,
        "pages": totals.pages,
        "bytes": totals.bytes,
        "seconds": round(totals.seconds, 2),
        "pages_per_second": round(totals.pages / totals.seconds, 2) if totals.seconds else 0.0,
        "statuses": dict(sorted(totals.statuses.items())),
        "faults": totals.faults,
        "queued": totals.queued + totals.waiting,
        "skipped": skipped,
        "retries": totals.retries,
        "failed": totals.failed,
        "duplicates": totals.duplicates,
        "sites": {
            site.row.name: {
                "strategy": strategy,
                "requests": site.row.requests,
                "pages": site.row.pages,
                "bytes": site.row.bytes,
                "queued": site.row.queued + site.row.waiting,
                "state": frontier.stopped(site) or ("queued" if site.row.queued + site.row.waiting else "done"),
            }
            for site in sites[:SITES]
        },
        "sites_not_listed": max(0, len(sites) - SITES),
    }


def write_summary(collection: Collection, summary: dict[str, Any]) -> None:
    """Write the summary so that readers see the old one or the new one, never half."""
    with guarded(collection.summary):
        collection.summary.parent.mkdir(parents=True, exist_ok=True)
        with replacing(collection.summary) as target:
            target.write_text(json.dumps(summary, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_summary(collection: Collection) -> dict[str, Any] | None:
    """Read the last summary, if there is one and it is whole."""
    try:
        found = json.loads(collection.summary.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.keys() >= KEYS else None
