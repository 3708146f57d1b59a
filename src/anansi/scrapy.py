"""A link extractor for Scrapy that knows what it crawls. Scrapy is needed only by those who use it.

class Forum(CrawlSpider):
    extractor = AnansiLinkExtractor()
    rules = (Rule(extractor, callback="keep", follow=True, process_request=extractor.prioritised),)

    def keep(self, response):
        yield from self.extractor.objects(response)
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anansi.errors import UserError
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.service.advice import Advice, Adviser, page_of
from anansi.url import canonical

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response
    from scrapy.link import Link

KEYS: Final = 200_000
"""Addresses remembered by their keys, about 300 bytes each."""

STEPS: Final = 100
"""Of Scrapy's priorities, which are whole numbers, between the least and the greatest score."""


class AnansiLinkExtractor:
    """Extracts the links that lead to content, and the objects of a page.

    A page under several addresses (sessions, orders of one list) is given by the first of them, so that Scrapy's own
    filter of duplicates finds it. On a site that no entry describes, all links are given, as Scrapy's extractor does.

    Mutable state: what is known of sites; `_first` (key → the address it was first given by) and `_scores` (address →
    score), both without the oldest when full; `_last`, the page that was looked at last.
    """

    def __init__(self, knowledge: str | Path | None = None):
        """Know the built-in types of applications, and those of a folder of entries."""
        if knowledge is not None and not Path(knowledge).is_dir():
            raise UserError(f"{knowledge} is not a folder; name one that holds entries (*.xml)")
        folders = () if knowledge is None else (Path(knowledge),)
        self._adviser = Adviser(shelf.catalogue(*folders))
        self._first: dict[str, str] = {}
        self._scores: dict[str, float] = {}
        self._last: tuple[Response, Advice] | None = None

    def extract_links(self, response: Response) -> list[Link]:
        """Return the links of a response that lead to content, the best first; what a `Rule` calls."""
        made = _link_class()
        self._first.setdefault(canonical(response.url), response.url)
        links = sorted(self.advice(response).links, key=lambda link: -link.score)
        found: dict[str, Link] = {}
        for link in links:
            url = _kept(self._first, link.key, link.url)
            _kept(self._scores, url, link.score)
            found.setdefault(url, made(url, text=link.anchor))
        return list(found.values())

    def objects(self, response: Response) -> list[WebObject]:
        """Return the posts, articles, comments … of a response."""
        return self.advice(response).objects

    def advice(self, response: Response) -> Advice:
        """Return all that is known about a response: what it is, where it leads and where not, what stands on it."""
        if self._last is not None and self._last[0] is response:
            return self._last[1]
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, values in response.headers.items()
            for value in values
        )
        page = page_of(response.url, response.status, headers, response.body, time.time())
        if page is None:  # Scrapy also fetches from files and data URLs
            advice = Advice(response.url, "", "", aware=False, recognition=None, links=[], skips=[], objects=[])
        else:
            advice = self._adviser.advise(page)
        self._last = response, advice
        return advice

    def prioritised(self, request: Request, response: Response) -> Request:  # noqa: ARG002 (the rule gives it)
        """Give a request the priority of its link, content before lists before the rest; for `process_request`."""
        score = self._scores.get(request.url, 0.0)
        return request.replace(priority=request.priority + round(score * STEPS))


def _kept(known: dict[str, Any], key: str, value: Any) -> Any:
    """Return what is known of a key; if nothing is, remember the value."""
    if key not in known and len(known) >= KEYS:
        del known[next(iter(known))]
    return known.setdefault(key, value)


def _link_class() -> type[Link]:
    try:
        from scrapy.link import Link
    except ImportError:
        raise UserError("Scrapy is not installed: `pip install 'anansi[scrapy]'` brings it") from None
    return Link
