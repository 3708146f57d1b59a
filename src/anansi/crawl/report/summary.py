"""The numbers of a crawl: `reports/summary.json`."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from typing import Any

import msgspec

from anansi.archive.completeness import Completeness
from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.definition import definition_in
from anansi.crawl.report.account import EXAMPLES, Account, Accounts, Count
from anansi.crawl.report.ending import left
from anansi.crawl.report.remedies import REMEDIES
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import policy_of
from anansi.frontier.protocol import Frontier
from anansi.frontier.site import Site
from anansi.model import Gap, Reason

KEYS = frozenset(("state", "requests", "pages", "bytes", "seconds", "pages_per_second", "statuses", "faults"))
KEYS |= frozenset(("queued", "skipped", "retries", "duplicates", "sites"))
"""What every summary holds."""
SITES = 1000  # sites listed one by one, those with most requests first; the rest is summed up


def summarise(
    frontier: Frontier, accounts: Accounts, *, state: str, strategy: str, again: bool = False
) -> dict[str, Any]:
    """Count what was done, what it turned out to be, what is left and what is missing."""
    totals = frontier.totals
    sites = sorted(frontier.sites(), key=lambda site: -site.row.requests)
    skipped = {reason: count for reason, count in totals.skipped.items() if count}
    for site in sites:
        queued = site.row.queued + site.row.waiting
        if queued and (stopped := frontier.stopped(site)):
            reason = Reason.GIVEN_UP if site.given_up else stopped
            skipped[reason] = skipped.get(reason, 0) + queued
    return {
        "state": state,
        "requests": totals.requests,
        "requisites": totals.requisites,
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
        "left": left(frontier, again=again),
        **_told(accounts.whole, [site for site in sites if site.given_up]),
        "seeds": accounts.seeds,
        "sites": {
            site.row.name: {
                "strategy": strategy,
                "requests": site.row.requests,
                "pages": site.row.pages,
                "bytes": site.row.bytes,
                "queued": site.row.queued + site.row.waiting,
                "state": frontier.stopped(site) or ("queued" if site.row.queued + site.row.waiting else "done"),
                **_told(accounts.of(site), [site] if site.given_up else []),
            }
            for site in sites[:SITES]
        },
        "sites_not_listed": max(0, len(sites) - SITES),
    }


def summarise_unpacked(collection: Collection) -> None:
    """Write the summary of a collection that others began, by what its archive tells."""
    definition = definition_in(collection) or Definition()
    policy = policy_of(definition, definition)
    with closing(Embedded(collection.state / "frontier", policy, lambda _host: "")) as frontier:
        summary = summarise(frontier, Accounts(frontier.memory), state="unpacked", strategy=definition.strategy)
    write_summary(collection, summary)


def _told(account: Account, given_up: list[Site]) -> dict[str, Any]:
    """Say what pages turned out to be, and which hosts were given up in this run."""
    gaps = dict(account.gaps)
    if given_up:
        names = [site.row.name for site in given_up[:EXAMPLES]]
        gaps[Gap.HOST.value] = Count(len(given_up), names, given_up[0].given_up)
    return {
        "types": account.types,
        "objects": account.objects,
        "gaps": {kind: _gap(kind, each) for kind, each in gaps.items()},
        "doubts": {
            words: {"count": each.count, "examples": each.examples, "since": each.detail}
            for words, each in account.doubts.items()
        },
        "complete": _stated(account),
    }


def _stated(account: Account) -> dict[str, Any]:
    """Say what a site states of itself and how much was read so far; at its end a crawl counts what it kept."""
    kinds = {kind: count for each in account.complete.values() for kind, count in each.items()}
    levels = {kind: {"stated": count, "kept": account.objects.get(kind, 0)} for kind, count in kinds.items()}
    return {"levels": {"site": levels}} if levels else {}


def with_content(summary: dict[str, Any], found: Completeness) -> dict[str, Any]:
    """Add to a summary what sites state that they hold against what was kept of it, and count the objects on disk.

    Pages may have been read again by what was learned later, so there may be more than the crawl met.
    """
    sites = {name: told | _with_objects(found.objects.get(name)) for name, told in summary["sites"].items()}
    for name, tally in found.sites.items():
        if name in sites:
            sites[name]["complete"] = tally.row()
    whole = sum(found.objects.values(), Counter())
    return {**summary, **_with_objects(whole), "complete": found.row(), "sites": sites}


def _with_objects(kept: Counter[str] | None) -> dict[str, Any]:
    return {"objects": dict(kept)} if kept else {}


def _gap(kind: str, met: Count) -> dict[str, Any]:
    remedy = REMEDIES[Gap(kind)]
    return {
        "count": met.count,
        "means": remedy.means,
        "do": remedy.do,
        "detail": met.detail,
        "examples": met.examples,
    }


def write_summary(collection: Collection, summary: dict[str, Any]) -> None:
    """Write the summary so that readers see the old one or the new one, never half."""
    with guarded(collection.summary):
        collection.summary.parent.mkdir(parents=True, exist_ok=True)
        with replacing(collection.summary) as target:
            # with a thousand sites it takes a hundredth of the time of `json`, while which nothing is settled
            target.write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")


def read_summary(collection: Collection) -> dict[str, Any] | None:
    """Read the last summary, if there is one and it is whole."""
    try:
        found = json.loads(collection.summary.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.keys() >= KEYS else None
