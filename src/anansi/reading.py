"""From the bytes of a page to what it leads to and what stands on it; for crawls and for whoever asks about a page.

payload ─► read (media type, charset, tree) ─► recognise (type, level) ─► act (links, objects)
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anansi.act import tree as html
from anansi.act.links import LinkFinder
from anansi.act.shortcuts import MARK, Told, is_shortcut
from anansi.chunks import Dechunker
from anansi.config import Definition
from anansi.fetch import charset, decode, mime
from anansi.model import (
    COOKIE,
    Body,
    Link,
    Page,
    Recognition,
    Skip,
    WebObject,
)
from anansi.url import Rules, canonical, site_of

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.awareness import Awareness, Understanding
    from anansi.knowledge.catalogue import Catalogue
    from anansi.learn.learner import Learner
    from anansi.recognise.document import Document

MAX_DECODED = 32 << 20  # bytes of a page that are parsed; what inflates to more is a bomb or no page
SEEN_AS_IS = "text/css"

ELSEWHERE = "elsewhere"
"""The label of links that do not stand in anchors."""

ANCHOR = 200  # characters of a link's text that are kept

REDIRECTS = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a page turned out to be."""

    mime: str = ""
    charset: str = ""
    title: str = ""
    tree: Any = None
    data: bytes = b""
    bomb: bool = False
    document: Document | None = None
    recognition: Recognition | None = None
    fault: str = ""
    """What of ours went wrong over it; shown in crawl.log."""


@dataclass(frozen=True, slots=True)
class Acts:
    """What came of a page."""

    links: list[Link]
    skips: list[Skip] = field(default_factory=list)
    """Links that knowledge of the site speaks against."""
    objects: list[WebObject] = field(default_factory=list)
    told: Told | None = None
    """What the page answered, if it is a shortcut."""
    done: Understanding | None = None
    tree: Any = None
    """The page, when its site is unknown and may be learned from it."""
    placed: bool = False
    """Whether the links are those that are news where they stand on the page."""


class Reader:
    """From the bytes of a page to what it leads to; knows nothing of where they came from or go."""

    def __init__(self, definition: Definition, spool: Path, catalogue: Catalogue | None = None):
        """Read pages of any site; with a catalogue, know what they are."""
        self.rules = Rules(sort_query=definition.frontier.sort_query)
        self._finder = LinkFinder(self.rules, embeds=definition.scope.requisites)
        self.awareness: Awareness | None = None
        if catalogue is not None:
            from anansi.awareness import Awareness

            # how far a page is from a seed, a list of all pages does not tell
            known = {"pages_only": not definition.scope.requisites, "shortcuts": definition.scope.max_hops is None}
            self.awareness = Awareness(catalogue, self._finder, **known)
        self._spool = spool
        self._keeps = definition.watch.what != "nothing"
        self._learner: Learner | None = None
        if definition.strategy != "blind":
            from anansi.learn.learner import Learner

            self._learner = Learner()

    def key(self, url: str) -> str:
        """Return the canonical form of an address, by what is known about its site."""
        key = canonical(url, self.rules)
        return self.awareness.key(Link(url, key), site_of(url)) if self.awareness is not None else key

    def base(self, tree: Any, url: str) -> str:
        """Return the address from which the links of a page start."""
        return self._finder.base(tree, url)

    def payload(self, page: Page) -> tuple[Body, bool]:
        """Undo the transfer coding."""
        if not decode.is_chunked(page.headers):
            return page.body, True
        if page.body.file is None:
            data, complete = decode.transfer_decode(page.headers, page.body.data)
            return Body(len(data), data=data), complete
        target = tempfile.TemporaryFile(dir=self._spool)  # noqa: SIM115 - lives as long as the page
        page.body.file.seek(0)
        chunks = Dechunker()
        while data := page.body.file.read(1 << 20):
            target.write(chunks.feed(data))
        size = target.tell()
        target.seek(0)
        return Body(size, file=target), chunks.complete

    def read(self, page: Page, payload: Body) -> Reading:
        """Find out what the page is and parse it when it is HTML."""
        if page.fault is not None or not (page.ok or 400 <= page.status < 600):
            return Reading()
        declared = page.header("content-type")
        decoded = decode.content_decode(page.header("content-encoding"), payload.read(MAX_DECODED), MAX_DECODED)
        kind = mime.sniff(declared, decoded.data[: mime.HEAD], page.visit.url.partition("?")[0])
        if decoded.bomb:
            return Reading(mime=kind, bomb=True)
        if not mime.is_html(kind):
            kept = kind == SEEN_AS_IS or is_shortcut(page.visit) or (self._keeps and mime.may_be_feed(kind))
            return Reading(mime=kind, data=decoded.data if kept else b"")
        encoding = charset.detect(declared, decoded.data)
        tree = html.parse(decoded.data, encoding)
        if tree is None:
            return Reading(mime=kind, charset=encoding)
        return self._recognised(page, Reading(kind, encoding, html.title(tree), tree), decoded.data)

    def _recognised(self, page: Page, reading: Reading, data: bytes) -> Reading:
        """Add what the page is, when the knowledge base says."""
        if self.awareness is None or not page.ok:
            return reading
        from anansi.recognise.document import Document

        source = charset.decode_text(data, reading.charset)
        document = Document(reading.tree, source, page.visit.url, page.status, page.headers)
        try:
            recognition = self.awareness.recognise(document, site_of(page.visit.url))
        except Exception as error:  # the page can still be crawled as any other
            return replace(reading, fault=f"recognition: {type(error).__name__}")
        return replace(reading, document=document, recognition=recognition)

    def act(self, page: Page, reading: Reading) -> Acts:
        """Find what the page leads to and what stands on it."""
        if self.awareness is not None and is_shortcut(page.visit):
            return self._told(self.awareness, page, reading)
        unknown = reading.tree if page.ok and self._learner is not None else None
        if self.awareness is None or reading.document is None:
            return Acts(self._links(page, reading), tree=unknown)
        site = site_of(page.visit.url)
        done = self.awareness.act(reading.document, reading.recognition, site, page.started)
        if done.way is None:
            return Acts(self._links(page, reading), [*done.duplicates], done.objects, done=done, tree=unknown)
        return Acts(done.way.links, [*done.way.skips, *done.duplicates], done.objects, done=done)

    def said(self, tree: Any, site: str) -> tuple[bytes, bytes]:
        """Return what a page of an unknown site says and how it is named, for learning."""
        assert self._learner is not None
        items = self._learner.items(html.text(tree))
        self._learner.novelty(site).note(items)
        return items, self._learner.names(html.title(tree))

    def all_new(self, site: str) -> bool:
        """Tell whether nothing comes twice at a site, so that there is nothing to learn."""
        return self._learner is not None and self._learner.novelty(site).complete

    def placed(self, tree: Any, url: str, links: list[Link]) -> list[Link]:
        """Return links of a page with their text and the label of the first place where each stands."""
        assert self._learner is not None
        base, wanted = self.base(tree, url), {link.url: link for link in links}
        found, places = [], self._learner.places(tree)
        for href, anchor in places.anchors:
            link = wanted.pop(self._finder.resolved(href, base) or "", None)
            if link is not None:
                text = places.text(anchor)[:ANCHOR]
                found.append(msgspec.structs.replace(link, path=places.label(anchor), anchor=text))
        return found + [msgspec.structs.replace(link, path=ELSEWHERE) for link in wanted.values()]

    def _told(self, awareness: Awareness, page: Page, reading: Reading) -> Acts:
        """Take the addresses that a shortcut lists."""
        if page.status in REDIRECTS and (onward := self._links(page, reading)):
            links = [msgspec.structs.replace(link, key=link.key + MARK) for link in onward]
            return Acts(links, told=Told(page.visit.url))
        data = reading.data if page.ok else b""
        way, told = awareness.told(data, page.visit.url, site_of(page.visit.url))
        return Acts(way.links, way.skips, told=told)

    def _links(self, page: Page, reading: Reading) -> list[Link]:
        url = page.visit.url
        if page.status in REDIRECTS:
            location = page.header("location")
            target = self._finder.redirect(location, url) if location else None
            if target is None:
                return []
            key = self.awareness.key(target, site_of(url)) if self.awareness is not None else target.key
            cookie = COOKIE if page.header("set-cookie") else ""
            # an address and where it redirects to may have one key by the table: they are two visits all the same
            return [
                Link(
                    target.url,
                    key if key != page.visit.key else target.key,
                    target.hop,
                    page.visit.score,
                    action=cookie,
                )
            ]
        if not page.ok:
            return []
        if reading.tree is not None:
            return self._finder.links(reading.tree, url)
        if reading.mime == SEEN_AS_IS:
            return self._finder.stylesheet_links(charset.decode_text(reading.data, "utf-8"), url)
        return []
