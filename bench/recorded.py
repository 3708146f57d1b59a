"""A recorded site in memory: a WARC file's pages as learning sees them, crawled by any strategy without HTTP.

What is kept of a page: its items, its links with their labels, its external links. A link to what was not recorded
answers 404. Reading takes minutes for ten thousand pages; `load` keeps what it read in a folder for the next time.
"""

from __future__ import annotations

import pickle
import re
from array import array
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from anansi.act import tree as html
from anansi.act.links import base_of
from anansi.archive.head import head_of, status_of
from anansi.archive.reader import records
from anansi.fetch import charset, decode, mime
from anansi.fetch.curl import parse_head
from anansi.learn.items import NOTHING, ItemReader
from anansi.learn.labels import Labeller
from anansi.url import canonical, host_of, resolve, site_of

VERSION = 4  # of what is kept; raise it when reading changes
LARGEST = 32 << 20


@dataclass(slots=True)
class Answer:
    """What a request brings."""

    status: int = 404
    items: array[int] = field(default_factory=lambda: NOTHING)
    links: list[tuple[str, str]] = field(default_factory=list)
    """Keys of the same site, with labels; in the page's order."""
    abroad: frozenset[str] = frozenset()
    leads: str = ""
    """Where a redirect leads."""


@dataclass(slots=True)
class Recorded:
    """A site."""

    name: str
    root: str
    answers: dict[str, Answer]

    def get(self, key: str) -> Answer:
        """Answer a request."""
        found = self.answers.get(key)
        if found is not None:
            return found
        head, mark, query = key.partition("?")
        other = head.rstrip("/") if head.endswith("/") else head + "/"
        return Answer(301, leads=other + mark + query) if other + mark + query in self.answers else Answer()

    def blind(self) -> list[str]:
        """List the keys that a blind crawl requests, breadth first."""
        queue, seen, order = deque([self.root]), {self.root}, []
        while queue:
            key = queue.popleft()
            order.append(key)
            answer = self.get(key)
            for link in [answer.leads] if answer.leads else [link for link, _ in answer.links]:
                if link and link not in seen:
                    seen.add(link)
                    queue.append(link)
        return order


def load(warc: Path, cache: Path | None) -> Recorded:
    """Read a WARC file, or what was kept of it."""
    kept = cache / f"{warc.name}.{VERSION}.pickle" if cache else None
    if kept is not None and kept.exists():
        with kept.open("rb") as file:
            site: Recorded = pickle.load(file)  # noqa: S301 - written below
        return site
    site = _Reader(warc).read()
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("wb") as file:
            pickle.dump(site, file, protocol=5)
    return site


class _Reader:
    def __init__(self, warc: Path) -> None:
        self.warc, self.items, self.labeller = warc, ItemReader(), Labeller()
        self.hosts: set[str] = set()
        self.root = ""
        self.known: dict[str, str] = {}
        self.keys: dict[tuple[str, str], str | None] = {}

    def read(self) -> Recorded:
        self._survey()
        answers: dict[str, Answer] = {}
        again: list[tuple[str, str]] = []
        for record in records(self.warc):
            if record.kind == "response":
                answers.setdefault(self._key(record.url), self._answer(record.url, b"".join(record.chunks())))
            elif record.kind == "revisit":
                again.append((self._key(record.url), self._key(record.get("warc-refers-to-target-uri") or record.url)))
            record.finish()
        for key, first in again:
            if first in answers:
                answers.setdefault(key, answers[first])
        name = self.warc.name.partition(".")[0]
        return Recorded(name, self._key(self.root), answers)

    def _survey(self) -> None:
        """Find the root and the hosts of the site, from the warcinfo record or from what was recorded first."""
        for record in records(self.warc):
            if record.kind == "warcinfo":
                told = record.peek().decode("utf-8", "replace")
                base = re.search(r"^site-base: (\S+)", told, re.M)
                aliases = re.search(r"^site-aliases: (.*)$", told, re.M)
                self.root = base[1] if base else ""
                self.hosts |= set(aliases[1].split()) if aliases else set()
            elif record.kind == "response":
                self.root = self.root or record.url
                self.hosts.add(host_of(record.url))
            record.finish()
        self.hosts.add(host_of(self.root))

    def _key(self, url: str) -> str:
        """Return the key of a URL, that of the site's main host where it has several."""
        key = self.known.get(url)
        if key is None:
            host, own = host_of(url), host_of(self.root)
            plain = url.replace("https:", "http:", 1)
            if host in self.hosts and host != own:
                plain = plain.replace(host, own, 1)
            key = self.known[url] = canonical(resolve(plain) or plain)
        return key

    def _answer(self, url: str, block: bytes) -> Answer:
        head = head_of(block)
        status = int(status_of(head) or 0)
        _, headers = parse_head(head.splitlines(keepends=True))
        named = dict(reversed(headers))
        if 300 <= status < 400:
            target = resolve(named.get("location", ""), url)
            inside = target is not None and host_of(target) in self.hosts
            return Answer(status, leads=self._key(target) if target and inside else "")
        payload, _ = decode.transfer_decode(headers, block[len(head) :])
        data = decode.content_decode(named.get("content-encoding", ""), payload, LARGEST).data
        declared = named.get("content-type", "")
        if status != 200 or not mime.is_html(mime.sniff(declared, data[: mime.HEAD], url.partition("?")[0])):
            return Answer(status)
        tree = html.parse(data, charset.detect(declared, data))
        return self._page(tree, url) if tree is not None else Answer(status)

    def _page(self, tree: object, url: str) -> Answer:
        base = base_of(tree.iter("base"), url)  # type: ignore[attr-defined]
        links: dict[str, str] = {}
        abroad = set()
        for href, label in self.labeller.links(tree):
            link = resolve(href, base)
            if link is None:
                continue
            if host_of(link) in self.hosts:
                links.setdefault(self._key(link), label)
            elif site_of(link) != site_of(self.root):
                abroad.add(canonical(link))
        return Answer(200, self.items.of_tree(tree), list(links.items()), frozenset(abroad))
