"""What a page states of what its site holds: replies of a thread, topics of a board, comments of an article, totals.

    states of the level ─► number, and in a row the link to what it is of ─► the address that objects name it by

Where nothing is known about a type but standards, or what a crawl learned, a number beside a word for comments or
replies is of the page, if all of them agree. A list of what numbers are stated of (a board) also says what stands in
it, by its rows or, where a theme hides their numbers, by its links. What stands in it says so itself by its way home:
a list may break off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from anansi.knowledge.addresses import Tables
from anansi.knowledge.catalogue import specificity
from anansi.knowledge.entry import SITE, Kind, Level, States, Type
from anansi.model import Link, Stated
from anansi.pages.extract import Extractor, Found, Place
from anansi.pages.shortcut_asker import HOME
from anansi.text.counts import counted

SECTION: Final = "section"
"""The property of a thread that names where it stands."""

MOST: Final = 500
"""Numbers of one page that are kept; a list of more rows than that is an attack."""

LARGEST: Final = 10**12
"""No site holds more; a larger number is not a count."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page of a known level: where it stands, what was read on it, and where it leads."""

    place: Place
    entry: Type
    level: Level
    wholes: frozenset[str]
    """What the objects that were read on it are part of; where no table knows addresses, their own, too."""
    kinds: frozenset[str]
    """What they are."""
    links: Sequence[Link] = ()


def stated(extractor: Extractor, tables: Tables, shown: Shown) -> tuple[Stated, ...]:
    """Read the numbers that a page states; of one thing and kind the first counts."""
    found: dict[tuple[str, str], Stated] = {}
    within = shown.place.whole if _holds(shown.entry, shown.level) else ""
    for states in shown.level.states:
        for held in extractor.found(shown.place, states.action):
            of = _row(tables, shown, held, states) if states.action.each else _own(tables, shown, states)
            count = int(held["number"][0].text) + states.plus
            if of and 0 <= count < LARGEST:
                level, around = "" if states.of == SITE else states.of, within if states.action.each else ""
                if of != around:
                    found.setdefault((of, states.counts), Stated(states.counts, count, of, level, around))
    if not found and shown.wholes and not specificity(shown.entry.id) > 0 and shown.level.kind is Kind.TERMINAL:
        return tuple(_in_words(shown))
    for each in _around(extractor, tables, shown):
        found.setdefault((each.of, ""), each)
    if within and not any(each.within and _terminal(shown.entry, each.level) for each in found.values()):
        for listed in _listed(tables, shown):
            found.setdefault((listed.of, ""), listed)
    return tuple(found.values())[:MOST]


def _row(tables: Tables, shown: Shown, held: Found, states: States) -> str:
    """Return the address of what a row is about, or nothing where it leads elsewhere."""
    link = held["link"][0].text.partition("#")[0]
    led = tables.place(shown.entry.addresses, link)
    if led is None:
        return link
    return led.whole if led.leads == states.of else ""


def _own(tables: Tables, shown: Shown, states: States) -> str:
    """Return the address of what a page shows; of a site the folder of its home page, or the root of its host.

    A page that is called a thread by its looks alone, and has no posts, may be none.
    """
    place = shown.place
    if states.of != SITE:
        led = tables.place(shown.entry.addresses, place.url)
        sure = led is not None and led.leads == states.of
        return place.whole if sure or place.whole in shown.wholes else ""
    parts = urlsplit(place.url)
    folder = parts.path.rpartition("/")[0] if shown.level.name == HOME else ""
    return f"{parts.scheme}://{parts.netloc}{folder}/"


def _in_words(shown: Shown) -> Iterator[Stated]:
    """Read the numbers that stand beside words, of kinds that people write below something."""
    place = shown.place
    if place.whole in shown.wholes:
        for kind, count in counted(place.source).items():
            if kind in shown.kinds or kind == "comment":
                yield Stated(kind, count, place.whole, shown.level.name)


def _listed(tables: Tables, shown: Shown) -> Iterator[Stated]:
    """Say of what a list leads to that it stands in it."""
    for link in shown.links:
        level = link.action.rpartition(":")[2]
        if level and _terminal(shown.entry, level):
            led = tables.place(shown.entry.addresses, link.url)
            if led is None or led.leads == level:
                of = led.whole if led is not None else link.url
                yield Stated("", 0, of, level, shown.place.whole)


def _around(extractor: Extractor, tables: Tables, shown: Shown) -> Iterator[Stated]:
    """Say of a thread which board it stands in, by the link behind the name of its section."""
    whole, level = shown.place.whole, shown.level
    if level.kind is not Kind.TERMINAL or whole not in shown.wholes:
        return
    if not any(_holds(shown.entry, other) for other in shown.entry.levels if other is not level):
        return
    sections = (prop for action in level.extraction for prop in action.properties if prop.name == SECTION)
    for prop in sections:
        for node in reversed(extractor.elements(shown.place, prop.expression)):
            led = tables.place(shown.entry.addresses, link) if (link := _behind(shown.place, node)) else None
            holder = shown.entry.level(led.leads) if led is not None else None
            if led is not None and holder is not None and _holds(shown.entry, holder):
                yield Stated("", 0, whole, level.name, led.whole)
                return


def _behind(place: Place, node: Any) -> str:
    """Return where the name of a section leads: the link that it is, holds or stands in."""
    links = [node] if node.get("href") else [*node.iter("a")][-1:] or [*node.iterancestors("a")][:1]
    raw = links[0].get("href", "") if links else ""
    return (place.resolve(raw, place.base) or "") if raw else ""


def _holds(entry: Type, level: Level) -> bool:
    """Tell whether numbers are stated of what pages of a level show: of a board they are, of a blog's list not."""
    return any(each.of == level.name for other in entry.levels for each in other.states)


def _terminal(entry: Type, name: str) -> bool:
    level = entry.level(name)
    return level is not None and level.kind is Kind.TERMINAL
