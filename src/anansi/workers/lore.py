"""What workers tell each other about the applications of a site, by way of the hub's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from anansi.act.shortcuts import Trail
from anansi.archive.layout import OPEN, Collection
from anansi.config import Definition

if TYPE_CHECKING:  # a blind crawl starts sooner without
    from anansi.archive.objects import ObjectLog
    from anansi.articles import Articles
    from anansi.awareness import Awareness
    from anansi.focus_reader import FocusReader
    from anansi.mending import Mender
    from anansi.proposing import Proposer
    from anansi.reading import Reader
    from anansi.watching import Watcher

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


def mender(awareness: Awareness | None, collection: Collection, log: ObjectLog) -> Mender | None:
    """Return what mends rules, where there are any."""
    if awareness is None:
        return None
    from anansi.mending import Mender

    return Mender(awareness, collection, log)


def proposer(reader: Reader, collection: Collection, log: ObjectLog) -> Proposer | None:
    """Return what proposes entries of unknown sites, where the knowledge base is in use."""
    if reader.awareness is None:
        return None
    from anansi.proposing import Proposer
    from anansi.workers.captures import page_at

    def source_at(filename: str, offset: int) -> str:
        """Read a page that another worker captured, whose file may not be finished."""
        found = (page_at(collection.archive / name, offset, reader.rules) for name in (filename, filename + OPEN))
        page = next((each for each in found if each is not None), None)
        document = reader.read(page, reader.payload(page)[0]).document if page is not None else None
        return document.source if document is not None else ""

    return Proposer(reader.awareness, collection, log, source_at)


def watcher(definition: Definition, reader: Reader, collection: Collection) -> Watcher | None:
    """Return what watches feeds and pages, where that is asked for."""
    if definition.watch.what == "nothing":
        return None
    from anansi.articles import Articles
    from anansi.watching import Watcher

    return Watcher(definition.watch, reader, Articles(collection, reader.awareness))


def focus_reader(definition: Definition, reader: Reader) -> FocusReader | None:
    """Return what reads pages for who scores, where the crawl is about something."""
    if not definition.focus.is_set():
        return None
    from anansi.focus_reader import FocusReader

    return FocusReader(definition, reader)


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
