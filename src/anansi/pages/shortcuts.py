"""A site's shortcuts: which to ask, when to stop, and which lists need no visit for what they told.

    home page ─► what could be asked ─► ask ─► it tells ─► its next page, or the next shortcut, or none

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

from anansi.model import Link

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

SHAPES: Final = 4
"""Ways in which a site's addresses may look, for another one to be odd."""

NEWEST: Final = 1000
"""Entries of a feed whose order is remembered."""

SAMPLE: Final = 2
"""Lists in a row without news that are enough where all content was listed."""

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
    """Links that a full page of it has."""
    family: str = ""
    """What fails together: one interface has several lists."""
    named: bool = False
    """Whether the site names it; what is named is asked at once, what is guessed after that failed."""
    pages: int = 0
    """Pages of it that listed something."""


class Trail(msgspec.Struct, frozen=True, array_like=True):
    """What is known about a site's shortcuts."""

    types: tuple[str, ...] = ()
    """Types whose shortcuts were considered."""
    open: tuple[Ask, ...] = ()
    """What is asked now."""
    left: tuple[Ask, ...] = ()
    """What may be asked next, the best first."""
    asked: tuple[str, ...] = ()
    sitemap: bool = False
    """Whether a sitemap listed content."""
    complete: tuple[str, ...] = ()
    """Levels of which all was listed; an empty name stands for all levels."""
    shapes: tuple[str, ...] = ()
    """How the addresses of listed content look."""
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
    broken: bool = False
    """Whether one broke off in the middle: the lists that tell the same are no repetition."""
    lists: tuple[str, ...] = ()
    """Lists for people, to be visited if no shortcut tells of content."""

    @property
    def barren(self) -> bool:
        """Tell whether all was asked that could be, and nothing listed what there is."""
        return not (self.open or self.left or self.complete or self.sitemap)


class Answered(NamedTuple):
    """What a shortcut answered."""

    url: str
    kind: str = ""
    size: int = 0
    """Addresses that it lists."""
    content: tuple[Link, ...] = ()
    """Those that lead to content, in its order."""
    sitemaps: tuple[str, ...] = ()
    next: str = ""
    broken: bool = False
    """Whether it failed to answer, and did not say that there is no more."""


def mark(key: str) -> int:
    """Write a key in short."""
    return zlib.crc32(key.encode())


# ── what to ask ──────────────────────────────────────────────────────────────────────────────────────────────────


def considered(trail: Trail, name: str, asks: Sequence[Ask], *, lists: int, shown: int) -> tuple[Trail, list[str]]:
    """Take in the shortcuts of a type, whose home page shows `shown` entries and leads to so many lists."""
    worth = [ask for ask in asks if (ask.size or SIZES[ask.kind]) > shown] if lists >= FEW else []
    at_once = list({ask.kind: ask for ask in reversed(worth) if ask.named}.values())[::-1]
    left = [ask for ask in worth if ask not in at_once]
    trail = _replace(trail, types=(*trail.types, name), left=(*trail.left, *left))
    return _asking(trail, at_once) if at_once or trail.open else ask_next(trail)


def ask_next(trail: Trail) -> tuple[Trail, list[str]]:
    """Go on to the next shortcut; return what to ask."""
    return _asking(_replace(trail, left=trail.left[1:]), trail.left[:1])


def _asking(trail: Trail, asks: Iterable[Ask]) -> tuple[Trail, list[str]]:
    fresh = [ask for ask in asks if ask.url not in trail.asked][: MOST - len(trail.asked)]
    urls = [ask.url for ask in fresh]
    return _replace(trail, open=(*trail.open, *fresh), asked=(*trail.asked, *urls)), urls


def after(trail: Trail, answer: Answered, news: int) -> tuple[Trail, list[str]]:
    """Say what to ask after an answer that brought so many addresses of content nobody knew."""
    ask = _asked(trail, answer)
    trail = _replace(trail, open=tuple(each for each in trail.open if each is not ask))
    if ask is None:
        return trail, []
    if not answer.size and not answer.sitemaps:
        if ask.pages and not answer.broken:
            return _ended(trail, ask)
        return _failed(_replace(trail, broken=trail.broken or ask.pages > 0), ask)
    ask = _replace(ask, pages=ask.pages + 1)
    trail = _learned(trail, answer)
    if answer.sitemaps:
        useful = (url for url in answer.sitemaps if not _IDLE.search(url.rpartition("/")[2]))
        return _asking(trail, (_replace(ask, url=url) for url in useful))
    if answer.next and news and answer.size >= ask.size:
        more = _replace(ask, url=answer.next)
        if ask.kind != "feed":
            return _asking(trail, [more])
        if answer.size > shown_first(trail) and not trail.complete:  # else lists are as good
            return _go_on(_replace(trail, left=(*trail.left, more)))
    return _ended(trail, ask, whole=answer.size < ask.size)


def refused(trail: Trail, url: str) -> tuple[Trail, list[str]]:
    """Say what to ask instead of what must not be asked."""
    return after(trail, Answered(url), 0)


def told_before(trail: Trail, answer: Answered) -> int:
    """Estimate how much the pages listed that came before an answer."""
    ask = _asked(trail, answer)
    return ask.pages * (ask.size or SIZES[ask.kind]) if ask is not None else 0


def _asked(trail: Trail, answer: Answered) -> Ask | None:
    """Return what an answer is to: a redirect may have changed its address, but hardly its kind."""
    found = [ask for ask in trail.open if ask.url == answer.url]
    found += [ask for ask in trail.open if ask.kind == answer.kind] or list(trail.open)
    return found[0] if found else None


def _learned(trail: Trail, answer: Answered) -> Trail:
    shapes = frozenset((*trail.shapes, *(shape(link.url) for link in answer.content)))
    newest = trail.newest
    if answer.kind == "feed":
        known = frozenset(newest)
        newest = (*newest, *(each for link in answer.content if (each := mark(link.key)) not in known))[:NEWEST]
    sitemap = trail.sitemap or (answer.kind == "sitemap" and bool(answer.content))
    return _replace(trail, newest=newest, sitemap=sitemap, shapes=tuple(sorted(shapes))[: SHAPES + 1])


def _failed(trail: Trail, ask: Ask) -> tuple[Trail, list[str]]:
    """Give up a shortcut with all that is like it."""
    return _go_on(_replace(trail, left=tuple(each for each in trail.left if each.family != ask.family)))


def _ended(trail: Trail, ask: Ask, *, whole: bool = False) -> tuple[Trail, list[str]]:
    """Go on behind a shortcut that told all it had; it is the whole when its last page was not full."""
    # a feed of which nobody knows how long it may be ends where the site wants it to
    if whole or ask.kind == "json" or (ask.kind == "sitemap" and trail.sitemap):
        left = tuple(each for each in trail.left if each.leads and ask.leads and each.leads != ask.leads)
        trail = _replace(trail, complete=tuple(dict.fromkeys((*trail.complete, ask.leads))), left=left)
    return _go_on(trail)


def _go_on(trail: Trail) -> tuple[Trail, list[str]]:
    return (trail, []) if trail.open else ask_next(trail)


_replace = msgspec.structs.replace


# ── how addresses look ───────────────────────────────────────────────────────────────────────────────────────────


def shape(url: str) -> str:
    """Write how an address looks: `/2014/01/04/some-name/` is `#/#/#/*/`."""
    path, _, query = url.partition("://")[2].partition("?")
    parts = path.split("/")[1:]
    names = sorted(piece.partition("=")[0] for piece in query.split("&") if piece)
    return "/".join("#" if part.isdigit() else part and "*" for part in parts) + "".join(f"?{name}" for name in names)


def odd(trail: Trail, url: str) -> bool:
    """Tell whether an address looks like none that the site lists: most of those redirect to one that it does."""
    return 0 < len(trail.shapes) <= SHAPES and shape(url) not in trail.shapes


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
