"""The time of a run: the wall clock as it stood at the beginning, and what has passed since by the monotonic clock.

Rests, leases and due dates go by it, so that a clock that is set back or forward meanwhile holds up nothing
and hurries nothing. What is written for people (records, logs) goes by the wall clock.

Mutable state: `_began`, by how much the time of the run is ahead of the monotonic clock, which all processes of a
machine share; a hub sets it when it begins, and its workers go by the hub's.
"""

from __future__ import annotations

import time

_began = time.time() - time.monotonic()


def now() -> float:
    """Return the time of the run, in seconds as the wall clock has them."""
    return _began + time.monotonic()


def latest() -> float:
    """Return a moment that nothing is later than which was dated so far, by either clock."""
    return max(time.time(), now())


def began() -> float:
    """Return what another process needs to go by this one's time."""
    return _began


def go_by(other: float) -> None:
    """Go by the time of another process."""
    global _began
    _began = other


def begin(before: float) -> None:
    """Begin a run after another one whose time had come so far: it never goes back, whatever the wall clock says."""
    go_by(max(time.time(), before) - time.monotonic())
