"""What workers tell each other about the applications of a site, by way of the hub's memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from anansi.pages.shortcuts import Trail

if TYPE_CHECKING:  # a blind crawl starts sooner without
    from anansi.crawl.stages.articles import Articles
    from anansi.crawl.stages.mend import Mender
    from anansi.crawl.stages.propose import Proposer
    from anansi.pages.interpreter import Interpreter

LEARNED: Final = "learned "
SEEN: Final = "seen "
TYPES: Final = "types"
TRAIL: Final = "shortcuts"
ORDER: Final = "order"


class SiteKnowledge(NamedTuple):
    """What is known about a site."""

    types: tuple[str, ...] = ()
    """The applications that it is made of."""
    trail: Trail = Trail()
    """What its shortcuts told."""
    order: tuple[int, int] = (0, 0)
    """Dates seen that can be read only day first, and only month first."""


NOTHING: Final = SiteKnowledge()


def news(
    interpreter: Interpreter | None, site: str, before: SiteKnowledge
) -> tuple[SiteKnowledge, list[tuple[str, bytes]]]:
    """Return what is known about a site, and what of it the hub must remember anew."""
    if interpreter is None:
        return before, []
    known = _known(interpreter, site)
    news = []
    if known.types != before.types:
        news.append((TYPES, msgspec.msgpack.encode(known.types)))
    if known.trail is not before.trail and known.trail != before.trail:
        news.append((TRAIL, msgspec.msgpack.encode(known.trail)))
    if known.order != before.order:
        news.append((ORDER, msgspec.msgpack.encode(known.order)))
    return known, news


def remind(
    interpreter: Interpreter | None, site: str, memory: Mapping[str, bytes], sitemaps: Sequence[str]
) -> SiteKnowledge:
    """Take over what others knew about a site, and the sitemaps that its robots.txt names."""
    if interpreter is None:
        return NOTHING
    if TYPES in memory:
        interpreter.remind(site, msgspec.msgpack.decode(memory[TYPES], type=tuple[str, ...]))
    if TRAIL in memory:
        interpreter.asker.remind(site, msgspec.msgpack.decode(memory[TRAIL], type=Trail))
    if ORDER in memory:
        interpreter.remind_order(site, msgspec.msgpack.decode(memory[ORDER], type=tuple[int, int]))
    if sitemaps:
        interpreter.asker.name(site, sitemaps)
    return _known(interpreter, site)


def _known(interpreter: Interpreter, site: str) -> SiteKnowledge:
    return SiteKnowledge(interpreter.types(site), interpreter.asker.trail(site), interpreter.order(site))


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
