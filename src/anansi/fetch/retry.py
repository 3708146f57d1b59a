"""What follows from an answer: whether to try again, when, and what it means for the site.

`POLICIES` is the whole policy; what it does not name is final. `after` applies it and does nothing itself.
"""

from __future__ import annotations

import math
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple

import msgspec

from anansi.model import Cut, Fault, Reason

LONGEST_WAIT: Final = 3600.0
"""Seconds of the longest wait, whether a server asks for it or doubling comes to it."""


class Policy(NamedTuple):
    """How often and how long apart to try, and whether a failure is the host's."""

    attempts: int
    """Requests in all."""
    wait: float
    """Seconds before the second."""
    growth: float
    """Each further wait is so many times as long."""
    strike: bool
    """Whether it counts against the host."""
    slows: bool = False
    """Whether the whole site is to be left alone meanwhile."""


_GATEWAY: Final = Policy(3, 60, 4, strike=True)
_BUSY: Final = Policy(5, 60, 2, strike=False, slows=True)
_SHORT: Final = Policy(2, 10, 1, strike=False)
_FINAL: Final = Policy(1, 0, 1, strike=False)
_PART: Final = Policy(2, 10, 1, strike=True)
"""For a part of a page that cannot be had: old pages name many files of hosts that are gone."""

POLICIES: Final[dict[Fault | Cut | int, Policy]] = {
    Fault.DNS: Policy(3, 60, 5, strike=True),
    Fault.CONNECT: Policy(3, 30, 4, strike=True),
    Fault.TLS: Policy(2, 60, 1, strike=True),
    Fault.TIMEOUT: Policy(3, 30, 4, strike=True),
    Fault.RESET: Policy(3, 10, 4, strike=True),
    Fault.PROTOCOL: Policy(2, 30, 1, strike=True),
    Fault.HEADERS: _FINAL,
    Fault.ADDRESS: _FINAL,
    Fault.URL: _FINAL,
    Cut.DISCONNECT: _SHORT,
    Cut.TIME: _SHORT,
    Cut.LENGTH: _FINAL,
    408: _SHORT,
    425: _SHORT,
    429: _BUSY,
    500: Policy(3, 30, 4, strike=False),
    502: _GATEWAY,
    503: _BUSY,
    504: _GATEWAY,
    # Cloudflare's, for a server that it cannot reach or understand (525 and 526: its certificate).
    520: _GATEWAY,
    521: _GATEWAY,
    522: _GATEWAY,
    523: _GATEWAY,
    524: _GATEWAY,
    525: _GATEWAY,
    526: _GATEWAY,
    527: _GATEWAY,
    529: _BUSY,
    530: _GATEWAY,
}

HERITRIX: Final[dict[Fault | Reason, int]] = {
    Fault.DNS: -1,
    Fault.CONNECT: -2,
    Fault.TLS: -2,
    Fault.TIMEOUT: -4,
    Fault.RESET: -3,
    Fault.PROTOCOL: -3,
    Fault.HEADERS: -3,
    Fault.ADDRESS: -5001,
    Fault.URL: -7,
    Reason.SCOPE: -5000,
    Reason.ROBOTS: -9998,
    Reason.TRAP: -4000,
    Reason.BUDGET: -5003,
    Reason.GIVEN_UP: -8,
    Reason.HOPS: -4001,
    Reason.DUPLICATE: -5000,
    Reason.BLACKLISTED: -5001,
    Reason.ADDRESS: -5001,
    Reason.REDIRECTS: -4002,
    Reason.NO_CONTENT: -5000,
    Reason.REQUISITE: -5000,
}
"""The status column of crawl.log where there is no HTTP status: Heritrix's FetchStatusCodes."""

HERITRIX_ROBOTS_UNREACHABLE: Final = -61
"""Heritrix's code for a URL whose robots.txt could not be fetched."""

HERITRIX_DEFERRED: Final = -50
"""Heritrix's code for a URL that waits for something else; never the last line about it."""


class Verdict(msgspec.Struct, frozen=True):
    """What follows from an answer."""

    retry: bool = False
    wait: float = 0.0
    """Seconds before the next attempt."""
    slow: float = 0.0
    """Seconds during which the whole site is left alone."""
    strike: bool = False
    """Whether it counts against the host."""


def after(
    status: int,
    fault: Fault | Cut | None,
    attempt: int,
    retry_after: str,
    now: float,
    *,
    part: bool = False,
    ceiling: float = LONGEST_WAIT,
) -> Verdict:
    """Say what follows from an answer; `attempt` counts the requests before it, and a fault outweighs the status.

    A `part` of a page is waited for less than a page.
    """
    policy = POLICIES.get(status if fault is None else fault, _FINAL)
    policy = _PART if part and policy.strike else policy
    attempt = max(attempt, 0)
    own = min(policy.wait * policy.growth ** min(attempt, 32), ceiling)
    if policy.slows:
        asked = min(_asked(retry_after, now), ceiling)
        own = slow = asked or own
    else:
        slow = 0.0
    retry = attempt + 1 < policy.attempts
    return Verdict(retry, own if retry else 0.0, slow, policy.strike)


def _asked(retry_after: str, now: float) -> float:
    """Read Retry-After, in seconds or as a date; return 0 for what is neither, or is in the past."""
    value = retry_after.strip()[:64]
    if value.isascii() and value.isdigit():
        return float(value)
    date = moment(value)
    return max(date - now, 0.0) if date is not None else 0.0


def moment(date: str) -> float | None:
    """Read a date as HTTP writes it; None for what is none."""
    try:
        read = parsedate_to_datetime(date)
        seconds = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) else None
