"""Samples of what knowledge of a site speaks against: a few addresses of each kind are visited after all else.

Knowledge written for many sites can be wrong about one: a board that no list names, content where others have forms.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from anansi.knowledge.addresses import shape_of
from anansi.knowledge.kinds import shape
from anansi.model import Corner, CornerKind, Link, Role, Skip
from anansi.url import host_of

SAMPLED: Final = 0.03
"""Score of a sample: after all else."""

SOONER: Final = 0.02
"""What is added for a kind that was found on a sample: what is behind a corner is looked at before other corners are.
Not for one that was known before: whom a list of all members names may never have written."""

SINGLE: Final = 0.04
"""What is added for a kind of one page only (help, rules, statistics): it says what no other page says."""

JITTER: Final = 0.001
"""What chance adds to it: the first addresses of a kind are often special (the newest member)."""

OFTEN: Final = (1, 3, 9, 27, 54, 108, 216, 432, 864, 1728)
"""Pages that an address was met on, by which it comes sooner: who is named often has written much. By so many that
chance alone does not decide who of those comes first that are named on a hundred pages."""

FRAME: Final = 0.75
"""Share of a host's pages from which on an address belongs to what frames them, and has not been named by anybody."""

OF_A_KIND: Final = 40
"""Addresses of one kind that are kept; the frontier decides how many of them are visited."""

KINDS: Final = 8
"""Kinds of addresses told apart under one reason; the others are one."""

MOST: Final = 5000
"""Reasons remembered, of all sites together."""

ALIKE: Final = 20_000
"""Addresses, numbers aside, whose kind is remembered."""

_PROBE: Final = Role.PROBE
_DIGIT: Final = re.compile("[0-9]")
_VARIES: Final = re.compile("[*#…]")


def _chance(url: str) -> float:
    """Return a number from 0 to 1 that an address has by chance, and always has."""
    return zlib.crc32(url[url.find("/", 8) :].encode("utf-8", "surrogatepass")) / 0xFFFFFFFF


class Picked(NamedTuple):
    """What of the links left out on a page is kept as samples."""

    links: list[Link]
    """Those that are new, or were met often enough to come sooner."""
    left: list[Skip]
    """Those that are no samples."""


class _Kind(NamedTuple):
    """Addresses of one kind. Mutable: `met`."""

    corner: Corner
    score: float
    origin: str
    met: dict[str, int]
    """Address → pages it was met on."""


class Samples:
    """Keeps some addresses of each kind.

    Mutable: `_kinds` (host, reason → shape → kind), `_alike`, the same by what addresses that differ in numbers
    alone have in common, and `_pages`, those looked at, by host.
    """

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._kinds: dict[tuple[str, str], dict[str, _Kind]] = {}
        self._alike: dict[tuple[bytes, str], _Kind] = {}

    def pick(self, skips: Sequence[Skip], host: str, *, sooner: bool) -> Picked:
        """Say which of the links left out on a page are samples; on a sample, those found come before others."""
        self._make_room()
        self._pages[host] += 1
        frame = FRAME * self._pages[host]
        links: list[Link] = []
        left: list[Skip] = []
        known = self._alike.get
        for skip in skips:
            url = skip.url
            if skip.never:
                left.append(skip)
                continue
            kind = known((shape_of(url), skip.detail))
            if kind is None or not url.startswith(kind.origin):  # another host with other numbers
                kind = self._kind(url, skip.detail, sooner=sooner)
            met = kind.met.get(url, 0) + 1
            if met == 1 and len(kind.met) >= OF_A_KIND:
                left.append(skip)
                continue
            kind.met[url] = met
            if met in OFTEN:
                score = kind.score + JITTER * ((OFTEN.index(met) if met < frame else 0) + _chance(url))
                links.append(Link(url, skip.key, role=_PROBE, score=score, corner=kind.corner, repeats=skip.repeats))
        return Picked(links, left)

    def _kind(self, url: str, why: str, *, sooner: bool) -> _Kind:
        """Return the kind of an address; it is remembered for all that differ from it in numbers alone."""
        kinds = self._kinds.setdefault((host_of(url), why), {})
        found = shape(url)
        if found not in kinds and len(kinds) >= KINDS:
            found = "…"
        if found not in kinds:
            single = _VARIES.search(found) is None
            score = SAMPLED + (SINGLE if single else SOONER if sooner else 0.0)
            kinds[found] = _Kind(Corner(CornerKind.SAMPLES, found, why), score, url[: url.find("/", 8)], {})
        kind = kinds[found]
        if _DIGIT.search(found) is None:
            self._alike[shape_of(url), why] = kind
        return kind

    def _make_room(self) -> None:
        if len(self._kinds) >= MOST or len(self._pages) >= MOST:
            self._kinds.clear()
            self._alike.clear()
            self._pages.clear()
        if len(self._alike) >= ALIKE:
            self._alike.clear()
