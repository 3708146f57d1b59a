"""A capture → the text and the links of its page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from lxml import etree

from anansi.archive.disk import guarded
from anansi.archive.head import head_of
from anansi.archive.reader import records
from anansi.evaluate.source import Capture
from anansi.evaluate.words import Words
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.pages.links import LinkFinder
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import Rules, origin_of, site_of

LARGEST: Final = 32 << 20
"""Bytes of a page that are read, as it came and decoded; a crawl parses no more either."""

# a third of the time that `//text()` with a condition takes
_TEXTS: Any = etree.XPath("/descendant::text()", smart_strings=False)
_ABROAD: Final = re.compile(r"[\x00-\x20]*(?:https?:|[/\\]{2})", re.IGNORECASE)
_LINKED: Any = etree.XPath("/descendant::a[@href]/descendant::text()", smart_strings=False)


@dataclass(frozen=True, slots=True)
class Text:
    """What a page says."""

    words: list[int]
    linked: list[int]
    """The words that stand in links, where they were asked for."""
    links: frozenset[str]
    """The canonical URLs of other registered domains that it links to."""


class PageReader:
    """Reads pages. Mutable state: `words`, which grows with every page, and what its finder remembers of links."""

    def __init__(self) -> None:
        self.words = Words()
        self._finder = LinkFinder(Rules())

    def read(self, capture: Capture, *, linked: bool = False) -> Text | None:
        """Read the page of a capture; None when it is no HTML, or a record without a body."""
        tree = tree_of(capture)
        if tree is None:
            return None
        etree.strip_elements(tree, "script", "style", with_tail=False)
        return Text(
            words=self.words.numbers("\n".join(_TEXTS(tree))),
            linked=self.words.numbers("\n".join(_LINKED(tree))) if linked else [],
            links=self._links(PageModel(tree), capture.url),
        )

    def _links(self, page: PageModel, url: str) -> frozenset[str]:
        """Find the external links; those that cannot be such are not even resolved, for most are inside."""
        inside = origin_of(url) + "/"
        raws = [href for href, _ in page.links]
        if not page.of("base"):
            raws = [raw for raw in raws if _ABROAD.match(raw) and not raw.startswith(inside)]
        links = self._finder.some(page, raws, url)
        own = site_of(url)
        return frozenset(link.key for link in links if site_of(link.url) != own)


def tree_of(capture: Capture) -> Any | None:
    """Parse the page of a capture; None when it is no HTML, or a record without a body."""
    head, body = _exchange(capture)
    _, headers = parse_head(head.splitlines(keepends=True))
    named = dict(reversed(headers))
    payload, _ = decode.transfer_decode(headers, body)
    data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
    declared = named.get("content-type", "")
    if not mime.is_html(mime.sniff(declared, data[: mime.HEAD], capture.url.partition("?")[0])):
        return None
    return html.parse(data, charset.detect(declared, data))


def _exchange(capture: Capture) -> tuple[bytes, bytes]:
    """Read the head and the body of a response as they came."""
    block = bytearray()
    with guarded(capture.file):
        for record in islice(records(capture.file, capture.offset), 1):
            for piece in record.chunks():
                block += piece[: LARGEST - len(block)]
    head = head_of(bytes(block))
    return head, bytes(block[len(head) :])
