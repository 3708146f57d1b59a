"""Samples of what knowledge of a site speaks against: a few addresses of each kind are visited after all else.

Knowledge written for many sites can be wrong about one: a board that no list names, content where others have forms.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from anansi.knowledge.addresses import shape_of
from anansi.model import PROBE, Link, Skip
from anansi.url import host_of

SAMPLED: Final = 0.03
"""Score of a sample: after all else."""

SOONER: Final = 0.02
"""What is added for one found on a sample: what is found in a corner is looked at before other corners are."""

JITTER: Final = 0.002
"""What chance adds to it: the first addresses of a kind are often special (the newest member)."""

OFTEN: Final = (1, 3, 9, 27, 81)
"""Pages that an address was met on, by which it comes sooner: who is named often has written much."""

OF_A_KIND: Final = 40
"""Addresses of one kind that are kept; the frontier decides how many of them are visited."""

KINDS: Final = 8
"""Kinds of addresses told apart under one reason; the others are one."""

MOST: Final = 5000
"""Reasons remembered, of all sites together."""

ALIKE: Final = 20_000
"""Addresses, numbers aside, whose kind is remembered."""

_SPLIT: Final = re.compile("[&;]")
_WORD: Final = re.compile(r"[a-z_]{1,20}(?:-[a-z]{1,20})?")
_PROGRAM: Final = re.compile(r"\w{1,40}\.(?:php|aspx?|cgi|pl|jsp|do)")
_TELLING: Final = frozenset(
    ("action", "mode", "do", "view", "type", "act", "area", "sa", "section", "tab", "op", "task")
)
"""Parameters whose values are kinds of pages."""

_DIGIT: Final = re.compile("[0-9]")
_NUMBER: Final = re.compile(r"[0-9][0-9.,:-]*")


def shape(url: str) -> str:
    """Return what addresses of one kind have in common: `/members/ann.7/about?page=2` → `/members/*/about?page=#`."""
    start = url.find("/", 8)
    path, _, query = url[start:].partition("#")[0].partition("?") if start > 0 else ("/", "", "")
    parameters = sorted({_parameter(part) for part in _SPLIT.split(query) if part})
    return _path(path) + ("?" + "&".join(parameters) if parameters else "")


def _path(path: str) -> str:
    """Keep of a path its first word, programs, and words behind what varies; what follows a word varies, too."""
    kept: list[str] = []
    for part in filter(None, path.split("/")):
        stays = _PROGRAM.fullmatch(part) or (_WORD.fullmatch(part) and kept[-1:] in ([], ["*"]))
        kept.append(part if stays else "*")
    return "/" + "/".join(kept)


def _parameter(part: str) -> str:
    name, equals, value = part.partition("=")
    if not equals or (name in _TELLING and _WORD.fullmatch(value)):
        return part[:40]
    return f"{name[:40]}={'#' if _NUMBER.fullmatch(value) else '*'}"


def _chance(url: str) -> float:
    """Return a number from 0 to 1 that an address has by chance, and always has."""
    return zlib.crc32(url.encode("utf-8", "surrogatepass")) / 0xFFFFFFFF


class Picked(NamedTuple):
    """What of the links left out on a page is kept as samples."""

    links: list[Link]
    """Those that are new, or were met often enough to come sooner."""
    kept: frozenset[str]
    """The addresses of all of them."""


class Samples:
    """Keeps some addresses of each kind.

    Mutable: `_kinds` (host, reason → shape → address → pages it was met on), and `_alike`, its parts by what
    addresses that differ in numbers alone have in common.
    """

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
        self._alike: dict[tuple[str, bytes, str], tuple[str, dict[str, int]]] = {}

    def pick(self, skips: Sequence[Skip], *, sooner: bool) -> Picked:
        """Say which of the links left out on a page are samples; on a sample, those found come before others."""
        links, kept = [], []
        for skip in skips:
            shape, met = ("", 0) if skip.never else self._meet(skip.url, skip.detail)
            if met:
                kept.append(skip.url)
            if met in OFTEN:
                score = SAMPLED + (SOONER if sooner else 0.0) + JITTER * (OFTEN.index(met) + _chance(skip.url))
                corner = f"{PROBE}{skip.detail} · {shape}"
                links.append(Link(skip.url, skip.key, score=score, corner=corner))
        return Picked(links, frozenset(kept))

    def _meet(self, url: str, why: str) -> tuple[str, int]:
        """Return the kind of an address, and how often it was met; 0 when there are enough of the kind without it."""
        if len(self._kinds) >= MOST:
            self._kinds.clear()
            self._alike.clear()
        if len(self._alike) >= ALIKE:
            self._alike.clear()
        start = url.find("/", 8)
        alike = url[:start], shape_of(url[start:]), why
        known = self._alike.get(alike)
        if known is None:
            known = self._kind(url, why)
            if _DIGIT.search(known[0]) is None:
                self._alike[alike] = known
        found, kept = known
        if url not in kept and len(kept) >= OF_A_KIND:
            return found, 0
        kept[url] = kept.get(url, 0) + 1
        return found, kept[url]

    def _kind(self, url: str, why: str) -> tuple[str, dict[str, int]]:
        known = self._kinds.setdefault((host_of(url), why), {})
        found = shape(url)
        if found not in known and len(known) >= KINDS:
            found = "…"
        return found, known.setdefault(found, {})
