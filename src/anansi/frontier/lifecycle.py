"""The life cycle of a URL, as a table.

A claim is not a state: a claimed URL stays `SCHEDULED` on disk and only the process that runs the frontier
remembers who has it, so that whatever is not settled when that process dies is simply due again.
"""

from __future__ import annotations

import enum


class State(enum.IntEnum):
    """Where a URL is in its life; the number is the first byte of its record on disk."""

    NEW = 0
    SCHEDULED = 1
    WAITING = 2
    DONE = 3
    FAILED = 4
    SKIPPED = 5
    MISSING = 6


class Event(enum.Enum):
    """What can happen to a URL."""

    DISCOVER = "found on a page, by a seed or by another process"
    FIND_AGAIN = "found again"
    FIND_NEARER = "found again on a shorter way"
    REFUSE = "out of scope, trapped, over budget, forbidden or blacklisted"
    FIND_ELSEWHERE = "found again under another path"
    FIND_WORTHY = (
        "refused as without content, and now pointed to as content, or of a kind that turned out to lead to it"
    )
    VISIT = "fetched and archived"
    MISS = "answered to be not there (404, 410)"
    RETRY = "worth another attempt later"
    GIVE_UP = "not worth another attempt"
    FALL_DUE = "its time has come"
    RECRAWL = "asked to be visited anew"
    CHANGE = "said to have changed"
    LOSE = "gone from the archive"
    BLACKLIST = "never to be fetched, or never again: someone posted that"


TABLE: dict[State, dict[Event, State]] = {
    State.NEW: {Event.DISCOVER: State.SCHEDULED, Event.REFUSE: State.SKIPPED, Event.BLACKLIST: State.SKIPPED},
    State.SCHEDULED: {
        Event.FIND_AGAIN: State.SCHEDULED,
        Event.FIND_NEARER: State.SCHEDULED,
        Event.REFUSE: State.SKIPPED,
        Event.VISIT: State.DONE,
        Event.MISS: State.MISSING,
        Event.RETRY: State.WAITING,
        Event.GIVE_UP: State.FAILED,
        Event.LOSE: State.SCHEDULED,  # it was visited before, and nothing is there to compare an answer with
        Event.BLACKLIST: State.SKIPPED,
    },
    State.WAITING: {
        Event.FIND_AGAIN: State.WAITING,
        Event.FIND_NEARER: State.WAITING,
        Event.REFUSE: State.SKIPPED,
        Event.FALL_DUE: State.SCHEDULED,
        Event.CHANGE: State.SCHEDULED,
        Event.LOSE: State.SCHEDULED,
        Event.BLACKLIST: State.SKIPPED,
    },
    State.DONE: {
        Event.FIND_AGAIN: State.DONE,
        Event.FIND_NEARER: State.SCHEDULED,  # only where hops are limited; the store sees to it
        Event.RETRY: State.WAITING,  # a revisit: due again at its time
        Event.RECRAWL: State.SCHEDULED,
        Event.CHANGE: State.SCHEDULED,
        Event.LOSE: State.SCHEDULED,
        Event.REFUSE: State.DONE,
        Event.BLACKLIST: State.SKIPPED,
    },
    State.FAILED: {
        Event.FIND_AGAIN: State.FAILED,
        Event.FIND_NEARER: State.FAILED,
        Event.RECRAWL: State.SCHEDULED,
        Event.CHANGE: State.SCHEDULED,
        Event.REFUSE: State.FAILED,
        Event.BLACKLIST: State.SKIPPED,
    },
    State.MISSING: {
        Event.FIND_AGAIN: State.MISSING,
        Event.FIND_NEARER: State.MISSING,
        Event.FIND_ELSEWHERE: State.SCHEDULED,  # one key, several addresses: a topic that was given another title
        Event.RECRAWL: State.SCHEDULED,
        Event.CHANGE: State.SCHEDULED,
        Event.LOSE: State.SCHEDULED,
        Event.REFUSE: State.MISSING,
        Event.BLACKLIST: State.SKIPPED,
    },
    State.SKIPPED: {
        Event.FIND_AGAIN: State.SKIPPED,
        Event.FIND_NEARER: State.SCHEDULED,  # only the hop limit can be cured by a shorter way; the store sees to it
        Event.FIND_WORTHY: State.SCHEDULED,  # only what was refused by knowledge; the store sees to it
        Event.REFUSE: State.SKIPPED,
        Event.BLACKLIST: State.SKIPPED,
    },
}


def after(state: State, event: Event) -> State | None:
    """Return the state that follows, or None when the event cannot happen there."""
    return TABLE[state].get(event)
