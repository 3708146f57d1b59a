"""Samples of what knowledge of a site speaks against: a few addresses of each kind are visited after all else.

Knowledge written for many sites can be wrong about one: a board that no list names, content where others have forms.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

from anansi.model import PROBE, Link, Skip
from anansi.url import host_of

SAMPLED: Final = 0.03
"""Score of a sample: after all else."""

SOONER: Final = 0.02
"""What is added for one found on a sample: what is found in a corner is looked at before other corners are."""

JITTER: Final = 0.01
"""What chance adds to it: the first addresses of a kind are often special (the newest member)."""

OF_A_KIND: Final = 40
"""Addresses of one kind that are kept; the frontier decides how many of them are visited."""

KINDS: Final = 8
"""Kinds of addresses told apart under one reason; the others are one."""

MOST: Final = 5000
"""Reasons remembered, of all sites together."""

_SPLIT: Final = re.compile("[&;]")
_WORD: Final = re.compile(r"[a-z_]{1,20}(?:-[a-z]{1,20})?")
_PROGRAM: Final = re.compile(r"\w{1,40}\.(?:php|aspx?|cgi|pl|jsp|do)")
_TELLING: Final = frozenset(
    ("action", "mode", "do", "view", "type", "act", "area", "sa", "section", "tab", "op", "task")
)
"""Parameters whose values are kinds of pages."""

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


class Samples:
    """Keeps some addresses of each kind. Mutable: `_shapes` (host and reason → shape → addresses kept of it)."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[str, str], dict[str, set[str]]] = {}

    def pick(self, skips: list[Skip], *, sooner: bool) -> list[Link]:
        """Return those of the links left out on a page that are kept as samples."""
        kinds = ((skip, "" if skip.never else self._kind(skip.url, skip.detail)) for skip in skips)
        first = SAMPLED + (SOONER if sooner else 0.0)
        return [
            Link(
                url=skip.url,
                key=skip.key,
                score=first + JITTER * _chance(skip.url),
                corner=f"{PROBE}{skip.detail} · {kind}",
            )
            for skip, kind in kinds
            if kind
        ]

    def _kind(self, url: str, why: str) -> str:
        """Return the kind that an address is a sample of; nothing when there are enough of it."""
        if len(self._shapes) >= MOST:
            self._shapes.clear()
        known = self._shapes.setdefault((host_of(url), why), {})
        found = shape(url)
        if found not in known and len(known) >= KINDS:
            found = "…"
        kept = known.setdefault(found, set())
        if url not in kept and len(kept) >= OF_A_KIND:
            return ""
        kept.add(url)
        return found
