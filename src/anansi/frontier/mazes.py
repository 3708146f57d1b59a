"""Mazes: sites that make up a page for every address, each with words and links that were never seen before.

What comes back is always new, so nothing that is looked at page by page tells such pages from those of a large site.
But a site that keeps its pages has none under an address that was made up, and a maze has one:

    pages of an area lead to ever more of it ─► three addresses that nobody linked to are asked for
    ─► as much new text under each as under those that were linked to: the area is closed

An answer without success, the same words for all three, or less text than pages of the area have: the pages are kept
somewhere, and the area is not asked about again. Where one area of a host was closed, others are asked about sooner.

Mutable state of `Mazes`: `_areas` (area → what its pages held, by `note`), `_asked` (made-up address → its area,
filled by `note`, emptied by `judge`), `_closed` (hosts that have a maze).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha1
from statistics import median
from typing import Final

PAGES: Final = 100
"""Pages of an area before it is asked about; few sites have one that leads to ever more of it by then."""
SOONER: Final = 20
"""The same, on a host that has a maze."""
LOOKED: Final = 12
"""Pages of an area, the latest before that, whose lines are taken to compare with."""
GROWTH: Final = 1.0
"""New addresses of its own area that a page leads to, on average."""
SHARE: Final = 0.5
"""Of the new text that a page of the area has: what a made-up address must have to be one of a maze."""
LEAST: Final = 200
"""Characters of new text of an ordinary page below which nothing can be told."""
ASKED: Final = 3
"""Addresses made up for an area; the first answer tells what the site says for all of them."""
AREAS: Final = 200
"""Areas watched a site."""

_DIGITS: Final = re.compile(r"\d+")
_LAST: Final = re.compile(r"[^/=&;]+(?=/?$)")
_WORD: Final = 0xFFFFFFFF


def area(url: str) -> str:
    """Return the part of a site that an address belongs to: its first folder, or its parameters."""
    head, _, query = url.partition("#")[0].partition("?")
    _, _, host, *path = head.split("/", 4)
    if query:
        names = sorted({each.partition("=")[0] for each in query.split("&")})
        return f"{host}/{_DIGITS.sub('#', '/'.join(path))}?{'&'.join(names)}"
    return f"{host}/{_DIGITS.sub('#', path[0])}/" if len(path) > 1 and path[1] else f"{host}/"


def made_up(url: str, number: int) -> str:
    """Make up an address like another one; nobody has ever linked to it."""
    found = _LAST.search(url.partition("#")[0])
    if found is None or found.start() <= url.find("//") + 2:
        return ""
    digest = sha1(f"{url} {number}".encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    old, dot, end = found[0].rpartition(".") if "." in found[0] else (found[0], "", "")
    letters = "".join(chr(ord("g") + int(digit, 16)) for digit in digest[:14])
    new = str(int(digest[:8], 16) + 10**9) if old.isdigit() else letters
    return f"{url[: found.start()]}{new}{dot}{end}{url[found.end() :]}"


@dataclass(slots=True)
class _Area:
    pages: int = 0
    fresh: int = 0
    """Addresses of the area that its pages were the first to lead to."""
    lines: array[int] = field(default_factory=lambda: array("I"))
    """Hashes of the lines that pages held."""
    sizes: list[int] = field(default_factory=list)
    """Characters in lines that were new, a page."""
    waiting: int = 0
    """Made-up addresses that are not answered yet."""
    kept: bool = False
    """Whether its pages are kept somewhere, as far as anybody can tell."""


class Mazes:
    """What is known about the mazes of one site."""

    def __init__(self) -> None:
        self._areas: dict[str, _Area] = {}
        self._asked: dict[str, str] = {}
        self._closed: set[str] = set()

    def note(self, url: str, onward: Callable[[str], int], text: Callable[[], str]) -> list[str]:
        """Take notice of a page that leads to so many new addresses of an area; return addresses to ask for."""
        name = area(url)
        seen = self._areas.get(name)
        if seen is None:
            if len(self._areas) >= AREAS:
                del self._areas[next(iter(self._areas))]
            seen = self._areas[name] = _Area()
        if seen.kept or seen.waiting:
            return []
        seen.pages += 1
        seen.fresh += onward(name)
        most = SOONER if name.partition("/")[0] in self._closed else PAGES
        if seen.pages <= most - LOOKED or seen.fresh < GROWTH * seen.pages:
            return []
        seen.sizes.append(_new(seen, text()))
        if len(seen.sizes) < LOOKED:
            return []
        if median(seen.sizes[1:]) < LEAST:
            seen.kept = True
            return []
        return self._ask(url, name, seen)

    def _ask(self, url: str, name: str, seen: _Area) -> list[str]:
        asks = list(filter(None, (made_up(url, number) for number in range(ASKED))))
        seen.waiting, seen.kept = len(asks), not asks
        self._asked.update(dict.fromkeys(asks, name))
        return asks

    def judge(self, url: str, text: str | None) -> tuple[str, str] | None:
        """Take the answer to an address that was made up, None for no page; return the area it closes, and why."""
        name = self._asked.pop(url, "")  # nothing for who did not make it up: its site was with another worker then
        seen = self._areas.get(name)
        if seen is None or seen.kept:
            return None
        seen.waiting -= 1
        size = _new(seen, text) if text is not None else 0
        # what a site says to whoever asks for nothing is new the first time
        if text is None or (seen.waiting < ASKED - 1 and size < SHARE * median(seen.sizes[1:])):
            seen.kept = True
            return None
        if seen.waiting:
            return None
        self._closed.add(name.partition("/")[0])
        del self._areas[name]
        return name, f"{name} has a page for every address, those that were made up included: a maze"


def _new(seen: _Area, text: str) -> int:
    """Return the characters of a text that stand in lines no page of the area held; remember them."""
    lines = {hash(line) & _WORD: len(line) for line in map(str.strip, _DIGITS.sub("", text).split("\n")) if line}
    known = set(seen.lines)
    new = [number for number in lines if number not in known]
    seen.lines.extend(new)
    return sum(lines[number] for number in new)
