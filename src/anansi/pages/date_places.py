"""Where dates stand on a page: whether one is the page's own, and the time of day beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from anansi.knowledge.entry import Property
from anansi.model import Value
from anansi.pages.values import Place, read_date
from anansi.text import visible as text

CLIMBED: Final = 8
"""Elements around a date that are looked at; what lists others' dates stands closer around each."""
ITEM: Final = 400
"""Elements of an item of a list; more is the page itself."""
CARD: Final = 40
"""Elements of a block that is about one other page: its heading, its picture, its date."""
FAR: Final = 80
"""Characters in which a time of day stands where a date may."""
SHORT: Final = 24
"""Characters of a text that is a time of day and nothing else."""

_ITEMS: Final = frozenset(("li", "article", "tr", "dt", "dd", "aside"))
_BLOCKS: Final = frozenset(("div", "section"))
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_OF_THIS: Final = frozenset(("author", "tag", "category", "nofollow", "license"))
"""What a link is (`rel`) that says something of the page it stands on."""
_CLOCK: Final = re.compile(r"(?<![\w:])(\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?)(?![\w:])", re.IGNORECASE)
_TIME: Final = re.compile(
    r"[^\w]*(?:[^\W\d_]{1,4}\.?\s+)?(\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?)[^\w]*", re.IGNORECASE
)


def of_another(place: Place, node: Any) -> bool:
    """Tell whether a date on a page belongs to what another page is about: it links there, or its item does.

    One beside the page's own heading is its own, whatever it links to: a page may have another address there.
    """
    assert place.elsewhere is not None
    around, linked = node, False
    for _ in range(CLIMBED):
        if around is None or around.tag == "body":
            return linked
        if around.tag == "a" and (link := around.get("href")):
            linked = place.elsewhere(link)
            if not linked:
                return False
        elif linked and (heading := next(around.iter(*_HEADINGS), None)) is not None:
            return bool(heading.tag != "h1")
        elif around.tag in _ITEMS and (link := _leading(around)):
            return place.elsewhere(link)
        elif around.tag in _BLOCKS and (link := _only_heading(around)) and place.elsewhere(link):
            return True
        around = around.getparent()
    return linked


def _only_heading(block: Any) -> str:
    """Return where the heading of a small block leads that has one only."""
    if sum(1 for _ in islice(block.iter(), CARD + 1)) > CARD:
        return ""
    headings = list(islice(block.iter(*_HEADINGS), 2))
    if len(headings) != 1 or headings[0].tag == "h1":
        return ""
    return next((str(each.get("href")) for each in _links(block) if _is_heading(each, block)), "")


def _leading(item: Any) -> str:
    """Return the link of an item's first heading; where it has none, and is no article, its first one.

    Headings behind the first are of what is related to it: an article may end with other posts.
    """
    links = list(_links(item))
    first = next(item.iter(*_HEADINGS), None)
    headed = [each for each in links if _is_heading(each, item)]
    if headed and (first is None or first in (*headed[0].iter(), *headed[0].iterancestors())):
        return str(headed[0].get("href"))
    return str(links[0].get("href")) if links and item.tag != "article" else ""


def _links(item: Any) -> Iterator[Any]:
    for number, each in enumerate(item.iter()):
        if number > ITEM:
            return
        if each.tag == "a" and each.get("href") and not _OF_THIS.intersection((each.get("rel") or "").split()):
            yield each


def _is_heading(link: Any, item: Any) -> bool:
    if "bookmark" in (link.get("rel") or "").split() or any(True for _ in link.iter(*_HEADINGS)):
        return True
    around = link.getparent()
    while around is not None and around is not item:
        if around.tag in _HEADINGS:
            return True
        around = around.getparent()
    return False


def with_time(place: Place, prop: Property, node: Any, day: Value) -> Value:
    """Return a date with the time of day that stands in the next element, if one does."""
    beside = node.getnext()
    if beside is None or not isinstance(beside.tag, str) or len(beside) > 1:
        return day
    said = text.of(beside)[: SHORT + 1]
    found = _TIME.fullmatch(said) if len(said) <= SHORT else None
    return _joined(place, prop, day, found[1]) if found is not None else day


def with_clock(place: Place, prop: Property, raw: str, day: Value) -> Value:
    """Return a date with the time of day that is told where else a date may stand, if no date is."""
    found = _CLOCK.search(raw[:FAR])
    return _joined(place, prop, day, found[1]) if found is not None and read_date(place, prop, raw) is None else day


def _joined(place: Place, prop: Property, day: Value, clock: str) -> Value:
    whole = read_date(place, prop, f"{day.original or day.text} {clock.lower().replace('h', ':')}")
    return whole if whole is not None and whole.text.startswith(f"{day.text}T") else day
