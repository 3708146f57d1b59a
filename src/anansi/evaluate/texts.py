"""The pages of a finished crawl as texts, for who asks what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from anansi.evaluate.pages import tree_of
from anansi.evaluate.source import Crawl
from anansi.focus.page import Region, declared, own, regions, text_of
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


def texts_at(crawls: Iterable[Crawl], urls: Sequence[str]) -> dict[str, str]:
    """Return the texts of some pages, of those that a crawl has."""
    wanted = {canonical(url): url for url in urls}
    found: dict[str, str] = {}
    for crawl in crawls:
        for capture in crawl.captures:
            url = wanted.get(canonical(capture.url))
            tree = tree_of(capture) if url is not None and url not in found and capture.page else None
            if url is not None and tree is not None:
                found[url] = text_of(own(regions(tree)))
    return found
