"""Judge a crawl of the example site by the requests it made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anansi_demo.site import answer, contents

NAVIGATION = frozenset(
    {
        "home",
        "forum",
        "board",
        "blog",
        "tag",
        "category",
        "archive",
        "feed",
        "robots",
        "sitemap",
        "redirect",
        "newposts",
    }
)
"""Kinds of page that a crawl may need on its way to the content."""

FURNITURE = frozenset({"asset", "document"})
"""Kinds of file that replay needs besides the pages."""

FORBIDDEN = frozenset({"search", "private"})
"""Kinds of page that robots.txt asks to leave alone."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the requests of a crawl were good for; the five counts add up to the requests."""

    requests: int
    content: int
    """Requests that brought a content page not seen before."""
    repeated: int
    """Requests that showed again what was there already: permalinks, print views, other orders."""
    navigation: int
    furniture: int
    waste: int
    wasted_on: tuple[tuple[str, int], ...]
    """The kinds of the repeated and the useless pages, most frequent first."""
    forbidden: int
    """Requests against robots.txt; they are part of the waste."""
    missed: tuple[str, ...]
    """Content URLs that no request brought."""

    @property
    def coverage(self) -> float:
        """Give the share of the content that was brought, from 0 to 1."""
        return 1 - len(self.missed) / len(contents().urls)


def judge(paths: Iterable[str]) -> Verdict:
    """Judge the paths requested, in any number and order."""
    seen: set[str] = set()
    uses: Counter[str] = Counter()
    wasted: Counter[str] = Counter()
    for path in paths:
        found = answer(path)
        use = _use(found.kind, found.shows, seen)
        uses[use] += 1
        if use in ("repeated", "waste"):
            wasted[found.kind] += 1
        seen.add(found.shows)
    return Verdict(
        requests=uses.total(),
        content=uses["content"],
        repeated=uses["repeated"],
        navigation=uses["navigation"],
        furniture=uses["furniture"],
        waste=uses["waste"],
        wasted_on=tuple(wasted.most_common()),
        forbidden=sum(wasted[kind] for kind in FORBIDDEN),
        missed=tuple(url for url in contents().urls if url not in seen),
    )


def _use(kind: str, shows: str, seen: set[str]) -> str:
    if shows:
        return "repeated" if shows in seen else "content"
    if kind in NAVIGATION:
        return "navigation"
    return "furniture" if kind in FURNITURE else "waste"
