"""Addresses of one page: whether what a page names as its own address shows the same page.

A page that names another address (`rel=canonical`) may be right, or name the home page, the first page of a thread,
or what its author copied. So it is believed for a kind of address, once the contents of two pairs were seen to agree;
one pair that does not agree, and it is never believed for that kind.

Mutable state of `Aliases`: `_agreed` (kind → pairs that agreed, or `NEVER`), `_waiting` (key that was named → kind,
and what the page that named it holds), `_seen` (key → what its page holds, kept for shapes of `_watched` only),
`same` (key that was named and believed → address of the page that shows the same).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from anansi.frontier.traps import without_digits
from anansi.url import host_of, pattern

TRIALS: Final = 2
"""Pairs of pages that must agree."""

ALIKE: Final = 0.9
"""Share of the lines that two pages must have in common; counters and a line of thanks may differ."""

WAITING: Final = 200
"""Pages whose lines are remembered a site, 8 KB each."""

LINES: Final = 200
"""Lines of a page that are compared."""

BELIEVED: Final = 1000
"""Addresses a site that are remembered as duplicates, for visits that were claimed before."""

NEVER: Final = -1


Kind = tuple[str, str]
Text = Callable[[], str]


class Address(NamedTuple):
    """An address and its key."""

    url: str
    key: str


class Aliases:
    """What is known about one site's addresses for the same page."""

    def __init__(self) -> None:
        self._agreed: dict[Kind, int] = {}
        self._waiting: dict[str, tuple[Kind, frozenset[int]]] = {}
        self._seen: dict[str, frozenset[int]] = {}
        self._watched: set[str] = set()
        self.same: dict[str, str] = {}

    def note(self, page: Address, named: Address | None, text: Text) -> bool:
        """Take notice of a page and of the address it names; return whether that address shows the same page."""
        self._compare(page, text)
        if named is None or named.key == page.key or not credible(page.url, named.url):
            return False
        kind = pattern(page.url), pattern(named.url)
        agreed = self._agreed.get(kind, 0)
        if 0 <= agreed < TRIALS:
            self._try(kind, named, text)
        if agreed < TRIALS:
            return False
        if len(self.same) >= BELIEVED:
            self.same.clear()  # the frontier remembers
        self.same[named.key] = page.url
        return True

    def _try(self, kind: Kind, named: Address, text: Text) -> None:
        if len(self._watched) < WAITING:
            self._watched.add(kind[1])
        if named.key in self._seen:
            self._judge(kind, self._seen[named.key], _lines(text()))
        elif len(self._waiting) < WAITING:
            self._waiting.setdefault(named.key, (kind, _lines(text())))

    def _compare(self, page: Address, text: Text) -> None:
        """Hold a page against the one that named it, or keep it for one that will."""
        if page.key in self._waiting:
            kind, lines = self._waiting.pop(page.key)
            self._judge(kind, lines, _lines(text()))
        elif self._watched and len(self._seen) < WAITING and pattern(page.url) in self._watched:
            self._seen[page.key] = _lines(text())

    def _judge(self, kind: Kind, one: frozenset[int], other: frozenset[int]) -> None:
        agree = len(one & other) >= ALIKE * max(len(one), len(other), 1)
        before = self._agreed.get(kind, 0)
        self._agreed[kind] = before + 1 if agree and before >= 0 else NEVER
        if len(self._agreed) > WAITING:
            del self._agreed[next(iter(self._agreed))]


def credible(url: str, named: str) -> bool:
    """Tell whether an address can be one of the same page at all.

    It cannot on another host, as the home page, or as the first of several pages: what the address has more then is a
    number.
    """
    if host_of(url) != host_of(named):
        return False
    path, _, query = url.partition("://")[2].partition("?")
    named_path, _, named_query = named.partition("://")[2].partition("?")
    if not named_path.partition("/")[2] and not named_query:
        return False
    if path == named_path:
        more = set(query.split("&")) - set(named_query.split("&"))
        return not any(piece.rpartition("=")[2].isdigit() for piece in more)
    rest = path.removeprefix(named_path.rstrip("/"))
    return rest == path or not any(char.isdigit() for char in rest)


def _lines(text: str) -> frozenset[int]:
    """Return what a page holds, digits aside."""
    lines = (line for line in map(str.strip, without_digits(text).split("\n")) if line)
    return frozenset(hash(line) for line, _ in zip(dict.fromkeys(lines), range(LINES), strict=False))
