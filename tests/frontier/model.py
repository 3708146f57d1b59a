"""The frontier's store as it ought to be, in a dictionary: what `test_store_model.py` compares the real one with."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from anansi.frontier.lifecycle import State
from anansi.model import Ended, Reason

UPDATES: dict[str, Callable[[float, int, float], float]] = {
    "first": lambda old, times, new: old,
    "last": lambda old, times, new: new,
    "max": lambda old, times, new: new if new > old else old,
    "sum": lambda old, times, new: old + new,
    "avg": lambda old, times, new: (times * old + new) / (times + 1),
}


def rounded(score: float) -> float:
    """Round to four bytes."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


@dataclass
class Entry:
    """A URL."""

    site: str
    state: State
    score: float = 0.0
    times: int = 1
    depth: int = 0
    attempt: int = 0
    order: int = 0
    """First in, first out among equal scores; for a waiting one, among equal times."""
    due: int = 0
    """Milliseconds."""
    reason: str = ""
    status: int = 0
    claimed: bool = False
    shorter: tuple[float, int] | None = None
    """Score and depth of a shorter way that was found while it was claimed."""
    banned: bool = False
    """Whether it was blacklisted while it was claimed."""


@dataclass
class Model:
    """All URLs, and what was counted."""

    update: str
    limited: bool = False
    urls: dict[str, Entry] = field(default_factory=dict)
    ticket: int = 0
    retries: int = 0
    requests: int = 0
    failed: int = 0

    def discover(self, site: str, key: str, score: float, depth: int) -> bool:
        entry = self.urls.get(key)
        if entry is None or (entry.state is State.SKIPPED and entry.reason == Reason.HOPS):
            self.urls[key] = Entry(site, State.SCHEDULED, rounded(score), depth=depth, order=self._next())
            return True
        if entry.state is State.SCHEDULED and not entry.claimed:
            entry.score = rounded(UPDATES[self.update](entry.score, entry.times, score))
            entry.times += 1
            entry.depth = min(entry.depth, depth)
        elif (
            entry.claimed
            and self.limited
            and depth < min(entry.depth, entry.shorter[1] if entry.shorter else depth + 1)
        ):
            entry.shorter = score, depth
        elif entry.state is State.WAITING:
            entry.depth = min(entry.depth, depth)
        elif entry.state is State.DONE and self.limited and depth < entry.depth:
            self.urls[key] = Entry(site, State.SCHEDULED, rounded(score), depth=depth, order=self._next())
            return True
        return False

    def release(self, key: str) -> None:
        entry = self.urls[key]
        entry.claimed = False
        if entry.shorter is not None:
            shorter, entry.shorter = entry.shorter, None
            self.discover(entry.site, key, *shorter)
        if entry.banned:
            self.urls[key].claimed = False
            self.blacklist(entry.site, key)

    def refuse(self, site: str, key: str, reason: str) -> bool:
        entry = self.urls.get(key)
        if entry is not None and (entry.claimed or entry.state not in (State.SCHEDULED, State.WAITING)):
            return False
        self.urls[key] = Entry(site, State.SKIPPED, reason=reason)
        return True

    def rescore(self, key: str, score: float) -> bool:
        entry = self.urls.get(key)
        if entry is None or entry.state not in (State.SCHEDULED, State.WAITING) or entry.claimed:
            return False
        before, entry.score = entry.score, rounded(score)
        return before != entry.score

    def score(self, key: str, score: float) -> float:
        entry = self.urls[key]
        if not entry.claimed:
            entry.score = rounded(UPDATES[self.update](entry.score, entry.times, score))
            entry.times += 1
        return entry.score

    def blacklist(self, site: str, key: str) -> bool:
        entry = self.urls.get(key)
        if entry is not None and entry.claimed:
            entry.banned = True
            return False
        if entry is not None and entry.reason == Reason.BLACKLISTED:
            return False
        self.urls[key] = Entry(site, State.SKIPPED, reason=Reason.BLACKLISTED)
        return True

    def claimable(self, site: str) -> list[str]:
        """List what may be taken of a site, in order."""
        free = [key for key, each in self.urls.items() if self._is(each, site, State.SCHEDULED) and not each.claimed]
        return sorted(free, key=lambda key: (-self.urls[key].score, self.urls[key].order))

    def settle(self, key: str, ended: Ended, now: float, wait: float, revisit: float | None, status: int) -> None:
        entry = self.urls[key]
        self.requests += 1
        self.retries += ended is Ended.RETRY
        self.failed += ended is Ended.FAILED
        again = wait if ended in (Ended.RETRY, Ended.DEFER) else revisit if ended is Ended.DONE else None
        if again is not None:
            entry.state, entry.due, entry.times, entry.order = (
                State.WAITING,
                int((now + again) * 1000),
                1,
                self._next(),
            )
            entry.attempt = entry.attempt + (ended is Ended.RETRY) if ended is not Ended.DONE else 0
            self.release(key)
            return
        ends = {Ended.DONE: State.DONE, Ended.FAILED: State.FAILED, Ended.SKIPPED: State.SKIPPED}
        entry.state, entry.status, entry.reason = ends[ended], status, Reason.ROBOTS if ended is Ended.SKIPPED else ""
        if ended is Ended.DONE and status == 404:
            entry.state = State.MISSING
        self.release(key)

    def fall_due(self, now: float) -> set[str]:
        ripe = [each for each in self.urls.values() if each.state is State.WAITING and each.due <= now * 1000]
        for each in sorted(ripe, key=lambda each: (each.due, each.order)):
            each.state, each.times, each.order = State.SCHEDULED, 1, self._next()
        return {each.site for each in ripe}

    def recrawl(self) -> int:
        gone = [key for key, each in self.urls.items() if each.state in (State.DONE, State.FAILED, State.MISSING)]
        for key in sorted(gone):
            before = self.urls[key]
            self.urls[key] = Entry(before.site, State.SCHEDULED, 0.5, depth=before.depth, order=self._next())
        return len(gone)

    def reopen(self, key: str) -> None:
        entry = self.urls.get(key)
        if entry is not None and entry.state is State.DONE and 300 <= entry.status < 400:
            del self.urls[key]

    def forget_claims(self) -> None:
        for entry in self.urls.values():
            entry.claimed, entry.shorter, entry.banned = False, None, False

    def count(self, site: str, state: State) -> int:
        return sum(self._is(each, site, state) for each in self.urls.values())

    @staticmethod
    def _is(entry: Entry, site: str, state: State) -> bool:
        return entry.site == site and entry.state is state

    def _next(self) -> int:
        self.ticket += 1
        return self.ticket
