"""How a crawl ended and what it left: decided from the frontier and the accounts, done by nobody here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from anansi.crawl.report.account import Accounts
from anansi.frontier.protocol import Frontier
from anansi.frontier.site import Site
from anansi.model import Gap, Reason
from anansi.url import site_of

HARMLESS: Final = frozenset((Gap.SOFT_404, Gap.ERROR, Gap.EMPTY))
"""Gaps behind which nothing is, as far as anybody knows."""
PASSING: Final = frozenset((Gap.RATE, Gap.FAILING, Gap.UNANSWERED))
"""Gaps that may be gone the next time: content is missing that another crawl may bring."""
LIMIT: Final = "page limit"
ENOUGH: Final = "enough was seen"
UNDER_WAY: Final = "not visited"


def left(frontier: Frontier, *, again: bool, missed: bool = False) -> dict[str, int]:
    """Say why URLs are still queued; those that wait to be visited `again` are not left over.

    Of what is `missed`, parts of pages on hosts that answer nobody do not count: they are as dead as an image that
    answers 404.
    """
    found: dict[str, int] = {}
    for site in frontier.sites():
        count = site.row.queued + (0 if again else site.row.waiting)
        count -= site.row.requisites if missed and site.given_up else 0
        if count > 0:
            why = _why_left(frontier, site)
            found[why] = found.get(why, 0) + count
    return found


def _why_left(frontier: Frontier, site: Site) -> str:
    if site.given_up:
        return Reason.GIVEN_UP.value
    if stopped := frontier.stopped(site):
        return stopped
    if frontier.full:
        return LIMIT
    return ENOUGH if frontier.enough(site) else UNDER_WAY


def how_it_ended(ended: str, frontier: Frontier, accounts: Accounts, seeds: Iterable[str], *, again: bool) -> str:
    """Say how a crawl ended that had no more to do: with everything, with gaps, or with URLs left over."""
    if ended != "finished":
        return ended
    totals = frontier.totals
    if (totals.requests or totals.faults) and not totals.statuses:
        return "failed"
    if accounts.seeds or any(_mostly_gaps(frontier, accounts, site) for site in set(map(site_of, seeds))):
        return "gaps"
    missed = not again and not PASSING.isdisjoint(map(Gap, accounts.whole.gaps))
    return "incomplete" if missed or left(frontier, again=again, missed=True) else "finished"


def _mostly_gaps(frontier: Frontier, accounts: Accounts, name: str) -> bool:
    """Tell whether more pages of a site withheld their content than gave it."""
    site = frontier.site(name)
    if site is None:
        return False
    gaps = [each for kind, each in accounts.of(site).gaps.items() if Gap(kind) not in HARMLESS]
    given = site.row.pages - sum(each.pages for each in gaps)
    return sum(each.count for each in gaps) > given
