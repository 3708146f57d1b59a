"""What the entries of a list say of themselves: the title and the date of each, as the page writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from anansi.feeds.channel import HEADINGS, Entry, Listing, titled
from anansi.feeds.dates import seconds
from anansi.feeds.dating import iso
from anansi.feeds.timeline import DAY, Fact
from anansi.text.dates import Reader

LONGEST: Final = 60
"""Characters of a text that may be a date; longer ones are prose."""
MOST_TEXTS: Final = 200
"""Texts of an entry that are looked at."""
_WHOLE: Final = len("2000-01-01")


def facts_of(listing: Listing) -> Iterator[Fact]:
    """Go through what a captured list says of its items."""
    reader = Reader(listing.page.at)
    source = f"the page of {iso(listing.page.at)}"
    for entry in listing.entries:
        published, precision = _date(entry, reader, listing.page.at)
        yield Fact(entry.key, entry.link, titled(entry), published=published, precision=precision, source=source)


def _date(entry: Entry, reader: Reader, now: float) -> tuple[float | None, float]:
    for text in islice(_candidates(entry), MOST_TEXTS):
        read = reader.read(text)
        moment = seconds(read) if len(read) >= _WHOLE else None
        if moment is not None and moment <= now + DAY:  # what is still to come is an event
            return moment, DAY if len(read) == _WHOLE else 0.0
    return None, 0.0


def _candidates(entry: Entry) -> Iterator[str]:
    """Go through the texts that may be the date of an entry, the surest first."""
    nodes = [node for node in entry.nodes if isinstance(node.tag, str)]
    for element in (each for node in nodes for each in node.iter("time", "abbr")):
        yield from filter(None, (element.get("datetime"), element.get("title")))
    yield from _short(nodes)
    yield from _short(entry.header)
    if entry.group is not None:
        yield from _short(
            each for each in entry.group.iter(*HEADINGS) if not any(above in nodes for above in each.iterancestors())
        )


def _short(nodes: Iterable[Any]) -> Iterator[str]:
    for node in nodes:
        for text in node.itertext():
            said = " ".join(str(text).split())
            if len(said) <= LONGEST and any(map(str.isdigit, said)):
                yield said
