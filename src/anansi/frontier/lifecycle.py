"""The life cycle of a URL, as a table.

A claim is not a state: a claimed URL stays `SCHEDULED` on disk and only the process that runs the frontier
remembers who has it, so that whatever is not settled when that process dies is simply due again.
"""

from __future__ import annotations

import enum

from anansi.model import Ended, Outcome


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
    PUT_OFF = "not attempted yet: something else must be known first"
    COME_BACK = "fetched and archived, and due again at its time"
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
        Event.PUT_OFF: State.WAITING,
        Event.COME_BACK: State.WAITING,
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


def after(state: int, event: Event) -> State | None:
    """Return the state that follows, or None when the event cannot happen there."""
    return TABLE[State(state)].get(event)


def happen(state: int, event: Event) -> State:
    """Return the state that follows an event that has happened; one that cannot is our mistake."""
    then = TABLE[state].get(event)  # type: ignore[index] # the number of a state is the state
    if then is None:
        raise RuntimeError(f"what is {State(state).name} cannot {event.name.lower().replace('_', ' ')}")
    return then


NOT_THERE = (404, 410)
"""Statuses by which a server says that nothing is at an address."""

_ENDINGS: dict[str, Event] = {
    Ended.RETRY: Event.RETRY,
    Ended.DEFER: Event.PUT_OFF,
    Ended.SKIPPED: Event.REFUSE,
    Ended.FAILED: Event.GIVE_UP,
    Ended.DONE: Event.VISIT,
}


def ending(outcome: Outcome, *, revisited: bool) -> Event:
    """Say what happens to a URL by how its visit ended; `revisited` where all that is fetched is due again."""
    event = _ENDINGS[outcome.ended]
    if event in (Event.VISIT, Event.GIVE_UP) and outcome.again is not None:
        return Event.COME_BACK
    if event is not Event.VISIT:
        return event
    if revisited:
        return Event.COME_BACK
    return Event.MISS if outcome.status in NOT_THERE else Event.VISIT
