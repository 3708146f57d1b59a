"""What the frontier and its workers hand each other: turns one way, settlements the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from anansi.model import Link, Outcome, Skip, Visit

REFUSED = "refused"
"""What the address plug answers for a host that must not be requested."""

Address = Callable[[str], str | None]
"""The plug of name resolution: host → address; "" for none or with a proxy; `REFUSED`; None when not known yet."""


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """Visits to one site for one worker."""

    site: int
    name: str
    not_before: float
    visits: list[tuple[bytes, Visit]]
    memory: dict[str, bytes] | None = None
    """What earlier holders learned about the site; None when the worker holds it already."""


class Settlement(msgspec.Struct, frozen=True, array_like=True):
    """How one visit of a turn ended, with what was found on the page."""

    token: bytes
    outcome: Outcome
    rest: float
    """The site may be visited again from this time on."""
    links: list[Link] = []
    skips: list[Skip] = []


@dataclass(frozen=True, slots=True)
class Settled:
    """A visit that was settled now, for the log."""

    visit: Visit
    outcome: Outcome
    links: list[Link]
