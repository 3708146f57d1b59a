"""What the blind crawl brought: the measure of all others."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from anansi.errors import CollectionError
from anansi.evaluate.content import Judge
from anansi.evaluate.pages import PageReader, Text
from anansi.evaluate.settings import SETTINGS
from anansi.evaluate.source import Crawl
from anansi.evaluate.words import DIGIT, grams

Point = tuple[int, int]
"""Requests sent, and distinct 2-grams had by then."""

REPEATED: Final = 1
_NUMBERED: Final = 2


@dataclass(slots=True)
class DistinctPage:
    """A text, however many addresses show it. Mutable state: `links` and `content`, until all were read."""

    grams: array[int]
    linked: array[int]
    """Those of its 2-grams that stand in links."""
    links: set[int]
    content: bool = False


class Payload(NamedTuple):
    """What the bytes of an answer hold: they need not be read again wherever they came from."""

    key: int
    page: DistinctPage
    links: frozenset[int]


@dataclass(slots=True)
class Reference:
    """The 2-grams and links of the blind crawl, each numbered. Mutable state: all of it, filled by `read_blind`.

    A 2-gram takes about 110 bytes, and 4 on each page that holds it.
    """

    grams: dict[int, int] = field(default_factory=dict)
    links: dict[str, int] = field(default_factory=dict)
    pages: dict[int, DistinctPage] = field(default_factory=dict)
    payloads: dict[str, Payload] = field(default_factory=dict)
    """By payload digest."""
    gram_flags: bytearray = field(default_factory=bytearray)
    """By number: whether it is boilerplate, whether a word of it holds a digit; filled by `close`."""
    link_flags: bytearray = field(default_factory=bytearray)
    curve: list[Point] = field(default_factory=list)

    def own(self, page: DistinctPage) -> list[int]:
        """Return the 2-grams that tell a page from others: no boilerplate, no digits."""
        flags = self.gram_flags
        return [number for number in page.grams if not flags[number]]

    def take(self, text: Text) -> Payload:
        """Add a page, or only its links where its text was met before."""
        key = text_key(text)
        page = self.pages.get(key)
        if page is None:
            page = self.pages[key] = self._page(text)
        links = frozenset(self.links.setdefault(link, len(self.links)) for link in text.links)
        page.links |= links
        return Payload(key, page, links)

    def _page(self, text: Text) -> DistinctPage:
        number = self.grams.setdefault
        held = [number(gram, len(self.grams)) for gram in grams(text.words)]
        known = (self.grams.get(gram) for gram in grams(text.linked))
        linked = set(held).intersection(number for number in known if number is not None)
        return DistinctPage(array("I", held), array("I", linked), set())

    def close(self) -> None:
        """Tell boilerplate from the rest, once all pages are there."""
        most = max(1.0, SETTINGS.boilerplate * len(self.pages))  # what stands on one page only is never boilerplate
        gram_pages, link_pages = array("I", bytes(4 * len(self.grams))), array("I", bytes(4 * len(self.links)))
        for page in self.pages.values():
            for number in page.grams:
                gram_pages[number] += 1
            for number in page.links:
                link_pages[number] += 1
        self.gram_flags = bytearray(
            (REPEATED if count > most else 0) | (_NUMBERED if gram & DIGIT else 0)
            for gram, count in zip(self.grams, gram_pages, strict=True)
        )
        self.link_flags = bytearray(REPEATED if count > most else 0 for count in link_pages)

    def mark_lists(self) -> None:
        """Call content what is no list, where nothing was recognised."""
        for page in self.pages.values():
            own = set(self.own(page))
            page.content = len(own.intersection(page.linked)) <= SETTINGS.listed * len(own)


def text_key(text: Text) -> int:
    """Name a text: pages with the same words in the same order are one."""
    return hash(tuple(text.words))


def read_blind(crawl: Crawl, reader: PageReader, judge: Judge | None) -> Reference:
    """Read the pages of the blind crawl in the order they were fetched in."""
    reference = Reference()
    for request, capture in enumerate(crawl.captures, 1):
        if not capture.page:
            continue
        payload = reference.payloads.get(capture.digest)
        if payload is None:
            text = reader.read(capture, linked=judge is None)
            if text is None:
                continue
            payload = reference.take(text)
            if capture.digest:
                reference.payloads[capture.digest] = payload
            reference.curve.append((request, len(reference.grams)))
        payload.page.content |= judge is not None and judge(capture)
    if not reference.grams:
        raise CollectionError(f"{crawl.folder} holds no page with text: there is nothing to compare with")
    reference.close()
    if judge is None:
        reference.mark_lists()
    return reference
