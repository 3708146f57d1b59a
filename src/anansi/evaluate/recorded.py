"""A recorded site in memory: the pages of WARC files as learning sees them, for any strategy to crawl them at once.

What is kept of a page: its items, its links with their labels, its links to other sites. A link to what was not
recorded answers 404; a path with and without its last slash is one page behind a redirect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from anansi.archive.disk import guarded
from anansi.archive.head import head_of, status_of
from anansi.archive.layout import Collection
from anansi.archive.reader import Record, records
from anansi.errors import CollectionError
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.learn.items import NOTHING, ItemReader, Items
from anansi.learn.labels import Attributes, Labeller
from anansi.learn.sampler import PAGES, Sampler
from anansi.learn.sitemap import Sampled, SiteMap
from anansi.pages.links import base_of
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import canonical, host_of, resolve, site_of

LARGEST: Final = 32 << 20
"""Bytes of a page that are read; a crawl parses no more either."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request brings."""

    status: int = 404
    items: Items = field(default_factory=lambda: NOTHING)
    links: tuple[tuple[str, str], ...] = ()
    """Keys of the same site, each with the label of the first link to it; in the page's order."""
    abroad: frozenset[str] = frozenset()
    """Links to other registered domains."""
    leads: str = ""
    """Where a redirect leads."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A site."""

    root: str
    answers: dict[str, Answer]

    def get(self, key: str) -> Answer:
        """Answer a request."""
        found = self.answers.get(key)
        if found is not None:
            return found
        head, mark, query = key.partition("?")
        other = (head[:-1] if head.endswith("/") else f"{head}/") + mark + query
        return Answer(301, leads=other) if other in self.answers else Answer()

    def page(self, key: str) -> Sampled | None:
        """Return the page that a request brings, if it brings one."""
        answer = self.get(key)
        return Sampled(key, answer.items, answer.links) if answer.status == 200 and answer.items else None


def blind(site: Recorded) -> list[str]:
    """List what a blind crawl requests, breadth first."""
    queue, seen, order = deque([site.root]), {site.root}, []
    while queue:
        key = queue.popleft()
        order.append(key)
        answer = site.get(key)
        for link in [answer.leads] if answer.leads else [link for link, _ in answer.links]:
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return order


def sampled(site: Recorded, attributes: Attributes, rng: Random, *, most: int = PAGES) -> tuple[SiteMap, list[str]]:
    """Sample a site from both ends of a queue; return the site map and what was requested for it."""
    sampler, asked = Sampler(site.root, attributes, most=most), []
    while (key := sampler.next_url(rng)) is not None:
        asked.append(key)
        page, leads = site.page(key), site.get(key).leads
        if page is not None:
            sampler.take(page)
        elif leads:
            sampler.moved(leads)
        else:
            sampler.miss()
    return sampler.sitemap, asked


def complete(site: Recorded, attributes: Attributes) -> SiteMap:
    """Make the site map of all that a blind crawl reaches."""
    sitemap = SiteMap(site.root, attributes)
    for page in filter(None, map(site.page, blind(site))):
        sitemap.add(page)
    return sitemap


def of_collection(folder: Path, root: str = "") -> Recorded:
    """Read a collection; its root is the first page that was fetched where none is named."""
    collection = Collection(folder)
    collection.require()
    with guarded(folder):
        site = read(collection.warcs(), root)
    if not any(answer.items for answer in site.answers.values()):
        raise CollectionError(f"{folder} holds no page: there is nothing to learn from; see its logs/crawl.log")
    if site.page(site.root) is None and not site.get(site.root).leads:
        raise CollectionError(f"{folder} does not hold {site.root}; name a page that it holds with --root")
    return site


def read(warcs: Iterable[Path], root: str = "", hosts: frozenset[str] = frozenset()) -> Recorded:
    """Read WARC files. `hosts` are those of the site besides its root's; by default all of its registered domain."""
    reader = _Reader(resolve(root) or "" if root else "", hosts)
    for warc in warcs:
        for record in records(warc):
            if record.kind in ("response", "revisit"):
                reader.take(record)
            record.finish()
    return reader.site()


class _Reader:
    """Reads captures. Mutable: the answers and revisits so far, and keys remembered by URL."""

    def __init__(self, root: str, hosts: frozenset[str]):
        self._root, self._hosts = root, hosts
        self._items, self._labeller = ItemReader(), Labeller()
        self._answers: dict[str, Answer] = {}
        self._again: list[tuple[str, str]] = []
        self._keys: dict[str, str] = {}

    def site(self) -> Recorded:
        for key, first in self._again:
            if first in self._answers:
                self._answers.setdefault(key, self._answers[first])
        return Recorded(self._key(self._root), self._answers)

    def take(self, record: Record) -> None:
        if record.kind == "revisit":
            first = record.get("warc-refers-to-target-uri") or record.url
            self._again.append((self._key(record.url), self._key(first)))
            return
        block = bytearray()
        for piece in record.chunks():
            block += piece[: LARGEST - len(block)]
        if not self._root and not record.url.endswith("/robots.txt"):
            self._root = record.url
        self._answers.setdefault(self._key(record.url), self._answer(record.url, bytes(block)))

    def _inside(self, url: str) -> bool:
        return host_of(url) in self._hosts if self._hosts else site_of(url) == site_of(self._root)

    def _key(self, url: str) -> str:
        """Return the key of a URL; where hosts are one site by name, that of the root's host."""
        key = self._keys.get(url)
        if key is None:
            plain = url
            if self._hosts and self._inside(url):
                plain = "http://" + url.partition("://")[2].replace(host_of(url), host_of(self._root), 1)
            key = self._keys[url] = canonical(resolve(plain) or plain)
        return key

    def _answer(self, url: str, block: bytes) -> Answer:
        head = head_of(block)
        status = int(status_of(head) or 0)
        _, headers = parse_head(head.splitlines(keepends=True))
        named = dict(reversed(headers))
        if 300 <= status < 400:
            target = resolve(named.get("location", ""), url)
            return Answer(status, leads=self._key(target) if target and self._inside(target) else "")
        payload, _ = decode.transfer_decode(headers, block[len(head) :])
        data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
        declared = named.get("content-type", "")
        if status != 200 or not mime.is_html(mime.sniff(declared, data[: mime.HEAD], url.partition("?")[0])):
            return Answer(status)
        tree = html.parse(data, charset.detect(declared, data))
        return self._page(tree, url) if tree is not None else Answer(status)

    def _page(self, tree: Any, url: str) -> Answer:
        page = PageModel(tree)
        base = base_of(page, url)
        links: dict[str, str] = {}
        abroad: set[str] = set()
        for href, label in self._labeller.links(page):
            link = resolve(href, base)
            if link is None:
                continue
            if self._inside(link):
                links.setdefault(self._key(link), label)
            elif site_of(link) != site_of(self._root):
                abroad.add(canonical(link))
        return Answer(200, self._items.of_tree(tree), tuple(links.items()), frozenset(abroad))
