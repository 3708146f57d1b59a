"""The pages of a finished crawl as texts, for who asks what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anansi.evaluate.pages import tree_of
from anansi.evaluate.source import Crawl
from anansi.focus.regions import Region, declared, regions
from anansi.url import canonical


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page showed when it was fetched first."""

    url: str
    date: str
    regions: tuple[Region, ...]
    language: str
    """As it declares it."""


def shown(crawl: Crawl) -> Iterator[Shown]:
    """Go through the pages of a crawl in the order they were fetched in, each once."""
    met: set[str] = set()
    for capture in crawl.captures:
        key = canonical(capture.url)
        if not capture.page or key in met:
            continue
        tree = tree_of(capture)
        if tree is not None:
            met.add(key)
            yield Shown(capture.url, capture.date, regions(tree), declared(tree))
