"""What workers tell each other about the applications of a site, by way of the hub's memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from anansi.act.shortcuts import Trail
from anansi.awareness import Awareness

TYPES: Final = "types"
TRAIL: Final = "shortcuts"


class Lore(NamedTuple):
    """What is known about a site."""

    types: tuple[str, ...] = ()
    """The applications that it is made of."""
    trail: Trail = Trail()
    """What its shortcuts told."""


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
    return known, news


def remind(awareness: Awareness | None, site: str, memory: Mapping[str, bytes], sitemaps: Sequence[str]) -> Lore:
    """Take over what others knew about a site, and the sitemaps that its robots.txt names."""
    if awareness is None:
        return NOTHING
    if TYPES in memory:
        awareness.remind(site, msgspec.msgpack.decode(memory[TYPES], type=tuple[str, ...]))
    if TRAIL in memory:
        awareness.scout.remind(site, msgspec.msgpack.decode(memory[TRAIL], type=Trail))
    if sitemaps:
        awareness.scout.name(site, sitemaps)
    return _lore(awareness, site)


def _lore(awareness: Awareness, site: str) -> Lore:
    return Lore(awareness.types(site), awareness.scout.trail(site))
