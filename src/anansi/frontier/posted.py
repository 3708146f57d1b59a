"""URLs that other processes post, with their scores: what becomes of each (ARCOMEM, section 4.4).

One that is scheduled, or waits, gets the score that the crawl's update function makes of the old and the new one; one
that nobody knew is scheduled with it; one that is blacklisted is taken out. What was fetched stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from anansi.frontier.lifecycle import State
from anansi.frontier.protocol import Frontier
from anansi.frontier.record import Done, Queued, Refused
from anansi.model import Became, Hop, Posted, PostedFate, Reason, Visit


def take(frontier: Frontier, posted: Iterable[Posted], now: float) -> list[PostedFate]:
    """Take posted URLs, all of them in one commit; say what became of each."""
    verdicts = [_blacklist(frontier, each) if each.blacklist else _score(frontier, each, now) for each in posted]
    frontier.commit()
    return verdicts


def _blacklist(frontier: Frontier, posted: Posted) -> PostedFate:
    known = frontier.explain(posted.key)
    if not frontier.blacklist(posted.key) and isinstance(known, Queued):
        return PostedFate(Became.UNDER_WAY, known.score, "it is being fetched now, for the last time")
    return PostedFate(Became.BLACKLISTED, detail=_past(known) if isinstance(known, Done) else "")


def _score(frontier: Frontier, posted: Posted, now: float) -> PostedFate:
    known = frontier.explain(posted.key)
    visit = Visit(url=posted.url, key=posted.key, hops=Hop.POSTED.value, via=posted.via, score=posted.score)
    if isinstance(known, Queued):
        return _again(frontier, visit, known)
    if isinstance(known, Done):
        return PostedFate(Became.FAILED if known.failed else Became.FETCHED, detail=_past(known))
    if isinstance(known, Refused) and known.reason != Reason.HOPS:
        words = Became.BLACKLISTED if known.reason == Reason.BLACKLISTED else Became.REFUSED
        return PostedFate(words, detail=f"{known.reason}: {known.detail}" if known.detail else known.reason)
    frontier.discover([visit], now)
    return PostedFate(Became.SCHEDULED, posted.score)


def _again(frontier: Frontier, visit: Visit, known: Queued) -> PostedFate:
    if frontier.is_claimed(known.token):
        return PostedFate(Became.UNDER_WAY, known.score, "it is being fetched now")
    score = frontier.score(visit, known)
    return PostedFate(Became.RESCORED, score, "it waits for its time" if known.state == State.WAITING else "")


def _past(known: Done) -> str:
    when = datetime.fromtimestamp(known.when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{known.fault} on {when}" if known.fault else f"status {known.status} on {when}"
