"""Which pages of the blind crawl are content.

1. Those that recognition called terminal, where the blind crawl itself recognised its pages.
2. Else those that another crawl of the site recognised as terminal, and those whose addresses are shaped like theirs:
   a thread that only the blind crawl fetched is content, too. So is what stands below the address of content and is
   like nothing that the other crawl fetched (a page of comments): if it says the same, it is captured with it.
3. Else those outside the lists: a page is a list when much of what it says of its own stands in links.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from anansi.evaluate.source import Capture
from anansi.url import canonical, pattern

Judge = Callable[[Capture], bool]
_SLUG: Final = re.compile(r"(?<=/)[^/?]*-[^/?]*")


class Basis(enum.StrEnum):
    """What the choice of content pages stands on."""

    OWN = "recognised in the blind crawl"
    OTHERS = "recognised in the other crawls, and pages with addresses like theirs"
    LINKS = "pages outside the lists, whose text stands in links"


def choose(blind: Iterable[Capture], others: Iterable[Capture]) -> tuple[Basis, Judge | None]:
    """Choose by what content is told; no judge where only the pages themselves can tell."""
    for basis, captures in ((Basis.OWN, blind), (Basis.OTHERS, others)):
        known = [capture for capture in captures if capture.terminal is not None]
        if any(capture.terminal for capture in known):
            return basis, _own_judge if basis is Basis.OWN else _judge_by(known)
    return Basis.LINKS, None


def _own_judge(capture: Capture) -> bool:
    return bool(capture.terminal)


def _judge_by(known: list[Capture]) -> Judge:
    """Judge by the same address first, by the shape of the address second."""
    exact = {_address(capture.url): bool(capture.terminal) for capture in known}
    votes: Counter[str] = Counter()
    for capture in known:
        votes[shape(capture.url)] += 1 if capture.terminal else -1

    def judge(capture: Capture) -> bool:
        address, form = _address(capture.url), shape(capture.url)
        if address in exact or form in votes:
            return exact.get(address, votes[form] > 0)
        return any(exact.get(above) for above in _above(address))

    return judge


def _above(address: str) -> Iterator[str]:
    """Yield the addresses that one stands below: nobody who refused it as the same page has shown that it is."""
    path, mark, _ = address.partition("?")
    if mark:
        yield path
    while path:
        path = path.rstrip("/").rpartition("/")[0]
        yield from (path + "/", path) if path else ()


def _address(url: str) -> str:
    """Return the canonical URL without its origin: copies of a site are served at several."""
    return canonical(url).partition("://")[2].partition("/")[2]


def shape(url: str) -> str:
    """Return the shape of an address: numbers and words joined by hyphens, the names of single pages, left out."""
    return _SLUG.sub("*", "/" + pattern(canonical(url)).partition("/")[2])
