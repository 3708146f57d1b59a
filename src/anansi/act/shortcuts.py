"""A site's shortcuts: which to ask, when to stop, and which lists need no visit for what they told.

    home page ─► what could be asked ─► ask one ─► it tells ─► its next page, or the next shortcut, or none

A request for a shortcut must be worth more than one for a list: one is asked only where several lists are ahead and
it lists more at a time than they do. One that fails costs a request; those like it are not asked any more.

A feed lists the newest. A blog's numbered pages list the same in the same order, so those that the feed reaches need
no visit: one page far down is looked at, and if it shows what its number says, the pages before it are left out.

Everything here decides and asks nobody. A `Trail` is what is known about one site; it is replaced, never changed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from anansi.model import Hop, Visit

SCORE: Final = 0.9
"""Before content: what a shortcut lists need not be found, and is found under its right address."""

SIZES: Final = {"json": 50, "sitemap": 500, "feed": 10}
"""Links that a page of a shortcut is expected to have where its entry says nothing: those of a feed by custom."""

FEW: Final = 3
"""Lists ahead; fewer cost no more than asking would."""

MOST: Final = 500
"""Requests for shortcuts of a site, further pages and sitemaps included."""

MOST_NAMED: Final = 10
"""Sitemaps taken from a robots.txt."""

NEWEST: Final = 1000
"""Entries of a feed whose order is remembered."""

SAMPLE: Final = 2
"""Lists in a row without news that are enough where all content was listed."""

MARK: Final = "#shortcut"
"""Ends the key of a visit to a shortcut: tables of addresses skip feeds and programs' interfaces as pages."""

_MANIFEST, _REDIRECT = Hop.MANIFEST.value, Hop.REDIRECT.value
_IDLE: Final = re.compile(
    r"(?:^|[/_-])(?:tags?|categor\w+|taxonom\w+|authors?|users?|members?|images?|videos?)\b", re.I
)
"""Sitemaps of what is no content, by their names."""


class Ask(msgspec.Struct, frozen=True, array_like=True):
    """A shortcut that a site may have."""

    url: str
    kind: str
    leads: str = ""
    size: int = 0
    family: str = ""
    """What fails together: one interface has several lists."""


class Trail(msgspec.Struct, frozen=True, array_like=True):
    """What is known about a site's shortcuts."""

    types: tuple[str, ...] = ()
    """Types whose shortcuts were considered."""
    left: tuple[Ask, ...] = ()
    """What may be asked next, the best first."""
    now: Ask | None = None
    pages: int = 0
    """Answers of the one asked now that listed something."""
    asked: tuple[str, ...] = ()
    sitemap: bool = False
    """Whether a sitemap listed content."""
    complete: tuple[str, ...] = ()
    """Levels of which all was listed; an empty name stands for all levels."""
    front: tuple[int, ...] = ()
    """Marks of the content that the home page leads to."""
    newest: tuple[int, ...] = ()
    """Marks of what a feed lists, in its order."""
    span: int = 0
    """How many entries a page of the list shows, when that is certain."""
    root: str = ""
    """Key of the list that the home page is the first page of."""
    numbered: str = ""
    """Address of a page of that list, with `{page}`."""


class Told(NamedTuple):
    """What a shortcut answered."""

    url: str
    kind: str = ""
    size: int = 0
    """Addresses that it lists."""
    content: tuple[str, ...] = ()
    """Keys of those that lead to content, in its order."""
    sitemaps: tuple[str, ...] = ()
    next: str = ""


def is_shortcut(visit: Visit) -> bool:
    """Tell whether a visit is to a shortcut, or to where one redirects."""
    return visit.hops.rstrip(_REDIRECT).endswith(_MANIFEST)


def mark(key: str) -> int:
    """Write a key in short."""
    return zlib.crc32(key.encode())


# ── what to ask ──────────────────────────────────────────────────────────────────────────────────────────────────


def considered(trail: Trail, name: str, asks: Sequence[Ask], *, lists: int, shown: int) -> Trail:
    """Take in the shortcuts of a type, as its home page shows `shown` entries and leads to so many lists."""
    worth = [ask for ask in asks if (ask.size or SIZES[ask.kind]) > shown] if lists >= FEW else []
    return msgspec.structs.replace(trail, types=(*trail.types, name), left=(*trail.left, *worth))


def ask_next(trail: Trail) -> tuple[Trail, list[str]]:
    """Go on to the next shortcut; return what to ask."""
    if not trail.left:
        return msgspec.structs.replace(trail, now=None, pages=0), []
    now, *left = trail.left
    return _asking(msgspec.structs.replace(trail, left=tuple(left), now=now, pages=0), [now.url])


def _asking(trail: Trail, urls: Iterable[str]) -> tuple[Trail, list[str]]:
    fresh = [url for url in dict.fromkeys(urls) if url not in trail.asked][: MOST - len(trail.asked)]
    return msgspec.structs.replace(trail, asked=(*trail.asked, *fresh)), fresh


def failed(trail: Trail) -> tuple[Trail, list[str]]:
    """Give up what is asked now, with all that is like it, unless it has told something before."""
    now = trail.now
    if now is None or trail.pages:
        return _ended(trail)
    left = tuple(ask for ask in trail.left if ask.family != now.family)
    return ask_next(msgspec.structs.replace(trail, left=left))


def after(trail: Trail, told: Told, news: int) -> tuple[Trail, list[str]]:
    """Say what to ask after an answer that brought so many addresses of content nobody knew."""
    if not told.size and not told.sitemaps:
        return failed(trail)
    newest = trail.newest
    if told.kind == "feed":
        known = frozenset(newest)
        newest = (*newest, *(each for each in map(mark, told.content) if each not in known))[:NEWEST]
    sitemap = trail.sitemap or (told.kind == "sitemap" and bool(told.content))
    trail = msgspec.structs.replace(trail, pages=trail.pages + 1, newest=newest, sitemap=sitemap)
    if told.sitemaps:
        return _asking(trail, (url for url in told.sitemaps if not _IDLE.search(url.rpartition("/")[2])))
    if told.next and news and _worth_another(trail, told):
        return _asking(trail, [told.next])
    return _ended(trail, whole=trail.now is not None and told.size < trail.now.size)


def _worth_another(trail: Trail, told: Told) -> bool:
    size = trail.now.size if trail.now is not None else 0
    return told.size >= size and (told.kind != "feed" or told.size > shown_first(trail))


def _ended(trail: Trail, *, whole: bool = False) -> tuple[Trail, list[str]]:
    """Go on behind a shortcut that told all it had; it is the whole when its last page was not full."""
    now = trail.now
    if now is None:
        return trail, []
    complete = trail.complete
    if whole or now.kind == "json" or (now.kind == "sitemap" and trail.sitemap):  # a feed may refuse to page
        complete = (*complete, now.leads)
    left = tuple(ask for ask in trail.left if ask.leads and ask.leads != now.leads and now.leads)
    return ask_next(msgspec.structs.replace(trail, complete=complete, left=left))


# ── which lists need no visit ────────────────────────────────────────────────────────────────────────────────────


def shown_first(trail: Trail) -> int:
    """Count the newest entries that the home page leads to: as many as its list shows, or more."""
    front = frozenset(trail.front)
    return next((number for number, each in enumerate(trail.newest) if each not in front), len(trail.newest))


def span(newest: Sequence[int], number: int, shown: Collection[int], front: int) -> int:
    """Return how many entries each page of a list shows, if this page shows just those that its number says; else 0.

    What a list shows beside its entries (the newest posts once more) stands on its first page, too.
    """
    last = max((place for place, each in enumerate(newest, 1) if each in shown), default=0)
    size, rest = divmod(last, number)
    start = (number - 1) * size
    whole = not rest and start >= max(front, 1) and all(each in shown for each in newest[start:last])
    return size if whole else 0


def covered(trail: Trail) -> int:
    """Return the number of the last page of the list that shows nothing but what the feed lists."""
    return len(trail.newest) // trail.span if trail.span else 0


def far_page(trail: Trail) -> int:
    """Return the number of a page to look at, from which to learn how many entries each page shows; 0 for none."""
    first = shown_first(trail)
    number = len(trail.newest) // first if first and not trail.span and trail.numbered else 0
    return number if number >= FEW else 0


def number_of(key: str, root: str) -> int:
    """Return the number of a page of a list by its key: 1 for the first, 0 where there is none."""
    found = re.findall(r"\d+", key.removeprefix(root)) if key.startswith(root) else []
    return 1 if key == root else int(found[-1][:9]) if found else 0
