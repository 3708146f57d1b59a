"""What workers tell each other about the applications of a site, by way of the hub's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from anansi.act.shortcuts import Trail

if TYPE_CHECKING:  # a blind crawl starts sooner without
    from anansi.awareness import Awareness
    from anansi.crawl.articles import Articles
    from anansi.crawl.mend import Mender
    from anansi.crawl.propose import Proposer

LEARNED: Final = "learned "
SEEN: Final = "seen "
TYPES: Final = "types"
TRAIL: Final = "shortcuts"
ORDER: Final = "order"


class Lore(NamedTuple):
    """What is known about a site."""

    types: tuple[str, ...] = ()
    """The applications that it is made of."""
    trail: Trail = Trail()
    """What its shortcuts told."""
    order: tuple[int, int] = (0, 0)
    """Dates seen that can be read only day first, and only month first."""


NOTHING: Final = Lore()


def told(awareness: Awareness | None, site: str, before: Lore) -> tuple[Lore, list[tuple[str, bytes]]]:
    """Return what is known about a site, and what of it the hub must remember anew."""
    if awareness is None:
        return before, []
    known = _lore(awareness, site)
    news = []
    if known.types != before.types:
        news.append((TYPES, msgspec.msgpack.encode(known.types)))
    if known.trail is not before.trail and known.trail != before.trail:
        news.append((TRAIL, msgspec.msgpack.encode(known.trail)))
    if known.order != before.order:
        news.append((ORDER, msgspec.msgpack.encode(known.order)))
    return known, news


def remind(awareness: Awareness | None, site: str, memory: Mapping[str, bytes], sitemaps: Sequence[str]) -> Lore:
    """Take over what others knew about a site, and the sitemaps that its robots.txt names."""
    if awareness is None:
        return NOTHING
    if TYPES in memory:
        awareness.remind(site, msgspec.msgpack.decode(memory[TYPES], type=tuple[str, ...]))
    if TRAIL in memory:
        awareness.scout.remind(site, msgspec.msgpack.decode(memory[TRAIL], type=Trail))
    if ORDER in memory:
        awareness.remind_order(site, msgspec.msgpack.decode(memory[ORDER], type=tuple[int, int]))
    if sitemaps:
        awareness.scout.name(site, sitemaps)
    return _lore(awareness, site)


def _lore(awareness: Awareness, site: str) -> Lore:
    return Lore(awareness.types(site), awareness.scout.trail(site), awareness.order(site))


# ── rules that were mended ───────────────────────────────────────────────────────────────────────────────────────


def lessons(makers: Iterable[Mender | Proposer | Articles | None], site: str) -> list[tuple[str, bytes]]:
    """Return what was learned at a site and nobody else has heard of."""
    taught = (maker.lessons.take(site) for maker in makers if maker is not None and maker.lessons)
    return [(LEARNED + name, lesson) for each in taught for name, lesson in each]


def kept(proposer: Proposer | None, site: str) -> list[tuple[str, bytes]]:
    """Return which pages of a site were kept to be compared."""
    return proposer.take(site) if proposer is not None else []


def keep(proposer: Proposer | None, site: str, memory: Mapping[str, bytes]) -> None:
    """Go on with the pages of a site that others kept to be compared."""
    if proposer is not None:
        proposer.remind(site, [value for name, value in memory.items() if name.startswith(SEEN)])


def study(mender: Mender | None, memory: Mapping[str, bytes]) -> None:
    """Go by what others learned at a site."""
    for name, lesson in memory.items() if mender is not None else ():
        if mender is not None and name.startswith(LEARNED):
            mender.study(lesson)
