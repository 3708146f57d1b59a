"""What the pages of a crawl turned out to be: each, and on the mean by word, place, site and author of its links."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import msgspec

from anansi.focus.evidence import Mean
from anansi.focus.settings import SETTINGS


class Outcomes(msgspec.Struct):
    """How relevant pages turned out. Mutable: told page by page."""

    turned: dict[str, float]
    """Key of a page that was fetched → its relevance."""
    fetched: Mean
    usual: float = SETTINGS.before
    """Relevance on the mean of all that were fetched."""
    by_word: dict[str, Mean] = {}
    """Of those whose links had a word."""
    by_label: dict[str, Mean] = {}
    """Of those that links in the same place led to."""
    by_site: dict[str, Mean] = {}
    by_author: dict[str, Mean] = {}
    """Of those that links by the same author led to."""
    authors: dict[str, str] = {}
    """Key of a URL → who wrote the post that a link to it stands in."""

    def turn(self, key: str, relevance: float, *, example: bool) -> None:
        """Take notice of what a page turned out to be; an example says nothing of what is usual."""
        self.turned[key] = relevance
        if len(self.turned) > SETTINGS.most_urls:
            self.turned = dict(islice(self.turned.items(), SETTINGS.most_urls // 10, None))
        if not example:
            self.fetched.add(relevance)
            self.usual = self.fetched.towards(SETTINGS.before)

    def name_authors(self, authors: Iterable[tuple[str, str]]) -> None:
        """Take notice of who wrote the posts that links stand in."""
        for key, author in authors:
            if key not in self.turned and len(self.authors) < SETTINGS.most_urls:
                self.authors.setdefault(key, author)


def add_to(table: dict[str, Mean], names: Iterable[str], value: float) -> None:
    """Let means take notice of a value; names beyond what a table may hold are left out."""
    for name in names:
        mean = table.get(name)
        if mean is None:
            if len(table) >= SETTINGS.most_means:
                continue
            mean = table[name] = Mean()
        mean.add(value)
