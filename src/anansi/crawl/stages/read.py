"""From the bytes of a page to what it leads to and what stands on it; for crawls and for whoever asks about a page.

unpack (transfer coding) ─► sniff (media type) ─► parse (charset, tree) ─► recognise (type, level) ─► act (links, …)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from anansi.archive.disk import guarded
from anansi.chunks import Dechunker
from anansi.config import Definition
from anansi.crawl.findings import Findings, noted, replace
from anansi.fetch import charset, decode, mime
from anansi.model import REDIRECTS, Body, Exchange, Link, Page, Role, Visit
from anansi.pages import requisites
from anansi.pages.gaps import is_paid
from anansi.pages.links import LinkFinder, base_of
from anansi.pages.shortcuts import Answered
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import Rules, canonical, site_of

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.knowledge.catalogue import Catalogue
    from anansi.pages.interpreter import Interpreter

MAX_DECODED = 32 << 20  # bytes of a page that are parsed; what inflates to more is a bomb or no page
BEGINNING = 64 << 10  # bytes of a payload in which its media type is looked for: a gzip header may be as long
SEEN_AS_IS = "text/css"

_SCRIPTS = ("text/javascript", "application/javascript", "application/x-javascript")
_OF_PARTS: dict[str, Callable[[str], Iterable[str]]] = {
    SEEN_AS_IS: requisites.of_stylesheet,
    "image/svg+xml": requisites.of_drawing,
    **dict.fromkeys(_SCRIPTS, requisites.of_script),
}
"""Media type of a part of a page → what finds the parts that it needs itself."""

NO_MORE = frozenset((400, 404, 410))
"""How an interface for programs answers behind its last page."""


class Reader:
    """From the bytes of a page to what it leads to; knows nothing of where they came from or go."""

    def __init__(self, definition: Definition, spool: Path, catalogue: Catalogue | None = None):
        """Read pages of any site; with a catalogue, know what they are."""
        self.rules = Rules()
        self._finder = LinkFinder(self.rules)
        self._requisites, self._lists = definition.scope.requisites, definition.scope.lists
        self.interpreter: Interpreter | None = None
        if catalogue is not None:
            from anansi.pages.interpreter import Interpreter

            # how far a page is from a seed, a list of all pages does not tell
            shortcuts = definition.scope.max_hops is None and not definition.scope.lists
            known = {"pages_only": not definition.scope.requisites, "shortcuts": shortcuts}
            self.interpreter = Interpreter(catalogue, self._finder, lists=self._lists, **known)
        self._spool = spool
        self._keeps = definition.watch.what != "nothing"
        self._learns = definition.strategy != "blind"

    def key(self, url: str) -> str:
        """Return the canonical form of an address, by what is known about its site."""
        key = canonical(url, self.rules)
        return self.interpreter.key(Link(url, key), site_of(url)) if self.interpreter is not None else key

    def resolved(self, href: str, base: str) -> str | None:
        """Return the address that a link means, or None when it is none of the web."""
        return self._finder.resolved(href, base)

    def base(self, page: PageModel, url: str) -> str:
        """Return the address from which the links of a page start."""
        return base_of(page, url)

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────

    def unpack(self, page: Exchange, found: Findings) -> Findings:
        """Undo the transfer coding; add the payload."""
        if not decode.is_chunked(page.headers):
            return replace(found, payload=page.body)
        if page.body.file is None:
            data, complete = decode.transfer_decode(page.headers, page.body.data)
            return replace(found, payload=Body(len(data), data=data), whole=complete)
        page.body.file.seek(0)
        chunks = Dechunker()
        with guarded(self._spool):
            target = tempfile.TemporaryFile(dir=self._spool)  # noqa: SIM115 - lives as long as the page
            while data := page.body.file.read(1 << 20):
                target.write(chunks.feed(data))
            size = target.tell()
            target.seek(0)
        return replace(found, payload=Body(size, file=target), whole=chunks.complete)

    def sniff(self, page: Exchange, found: Findings) -> Findings:
        """Find the media type by the beginning of the payload, without parsing anything."""
        if not _readable(page):
            return found
        declared = page.header("content-type")
        try:
            beginning = found.payload.read(BEGINNING)
            head = decode.content_decode(page.header("content-encoding"), beginning, mime.HEAD).data
            return replace(found, mime=mime.sniff(declared, head, page.visit.url.partition("?")[0]))
        except Exception:  # parsing it goes wrong in the same way, and says so
            return replace(found, mime=declared.partition(";")[0].strip())

    def parse(self, page: Page, found: Findings) -> Findings:
        """Undo the content coding; add charset, title and tree of what is HTML, the bytes of what somebody reads."""
        if not _readable(page):
            return found
        coding = page.header("content-encoding")
        decoded = decode.content_decode(coding, found.payload.read(MAX_DECODED), MAX_DECODED)
        if decoded.bomb:
            return replace(found, bomb=True, unread=f"it unpacks to more than {MAX_DECODED >> 20} MB")
        if page.visit.requisite:
            return replace(found, data=decoded.data if found.mime in _OF_PARTS else b"")
        if not mime.is_html(found.mime):
            feed = self._keeps and mime.may_be_feed(found.mime)
            kept = found.mime == SEEN_AS_IS or page.visit.role is Role.SHORTCUT or feed
            return replace(found, data=decoded.data if kept else b"")
        encoding = charset.detect(page.header("content-type"), decoded.data)
        tree, unread = html.parsed(decoded.data, encoding)
        if tree is None:
            return replace(found, charset=encoding, unread=unread)
        model = PageModel(tree, charset.decode_text(decoded.data, encoding))
        paid = is_paid(decoded.data)
        return replace(found, charset=encoding, title=model.title, model=model, unread=unread, paid=paid)

    def recognise(self, page: Page, found: Findings) -> Findings:
        """Add what the page is, when the knowledge base says."""
        model = found.model
        if model is None or self.interpreter is None or not page.ok:
            return found
        from anansi.pages.document import Document

        source = model.source or ""
        document = Document(model.tree, source, page.visit.url, page.status, page.headers, model)
        try:
            recognition = self.interpreter.recognise(document, site_of(page.visit.url))
        except Exception as error:  # the page can still be crawled as any other
            return noted(found, f"unreadable:recognition: {type(error).__name__}")
        return replace(found, document=document, recognition=recognition)

    def read(self, page: Page) -> Findings:
        """Take a page of which nothing is known through all these stages."""
        found = Findings()
        for stage in (self.unpack, self.sniff, self.parse, self.recognise):
            found = stage(page, found)
        return found

    def act(self, page: Page, found: Findings) -> Findings:
        """Find what the page leads to and what stands on it."""
        found = self._act(page, found)
        left_out = self._finder.left_out()
        return noted(replace(found, left_out=left_out), f"linksLeftOut:{left_out}") if left_out else found

    def _act(self, page: Page, found: Findings) -> Findings:
        if self.interpreter is not None and page.visit.role is Role.SHORTCUT:
            return self._answered(self.interpreter, page, found)
        unknown = self._learns and page.ok and found.model is not None
        if self.interpreter is None or found.document is None:
            return replace(found, links=self._links(page, found), unknown=unknown)
        site = site_of(page.visit.url)
        done = self.interpreter.act(found.document, found.recognition, site, page.started)
        done = self.interpreter.doubt(found.document, done, site)
        found = replace(found, done=done, objects=done.objects, stated=done.stated)
        if done.way is None:
            return replace(found, links=self._links(page, found), skips=[*done.duplicates], unknown=unknown)
        links = _listed(done.way.links) if self._lists else done.way.links
        return replace(found, links=links, skips=[*done.way.skips, *done.duplicates])

    # ── what pages need to be shown ──────────────────────────────────────────────────────────────────────────

    def requisites(self, page: Page, found: Findings) -> list[Link]:
        """Find what the page needs to be shown, where that is wanted."""
        return self.needed(page, found, icon=requisites.FAVICON) if self._requisites else []

    def needed(self, page: Page, found: Findings, *, icon: str = "") -> list[Link]:
        """Find what the page names that it needs to be shown, and an icon where it names none."""
        if not page.ok:
            return []
        if found.model is not None:
            base = self.base(found.model, page.visit.url)
            return self._finder.parts(requisites.of_page(found.model, icon=icon), base)
        if found.data and (named := _OF_PARTS.get(found.mime)) is not None:
            encoding = charset.detect(page.header("content-type"), found.data)
            return self._finder.parts(named(charset.decode_text(found.data, encoding)), page.visit.url)
        return []

    def _answered(self, interpreter: Interpreter, page: Page, found: Findings) -> Findings:
        """Take the addresses that a shortcut lists."""
        if page.status in REDIRECTS and (onward := self._links(page, found)):
            return replace(found, links=onward, answer=Answered(page.visit.url))
        data = found.data if page.ok else b""
        way, answer = interpreter.answer(data, page.visit.url, site_of(page.visit.url))
        broken = not answer.kind if page.ok else page.status not in NO_MORE
        return replace(found, links=way.links, skips=way.skips, answer=answer._replace(broken=broken))

    def _links(self, page: Page, found: Findings) -> list[Link]:
        url = page.visit.url
        if page.status in REDIRECTS:
            location = page.header("location")
            target = self._finder.redirect(location, url) if location else None
            if target is None:
                return []
            key = self.interpreter.key(target, site_of(url)) if self.interpreter is not None else target.key
            role, score = self._onward(page.visit, target)
            # an address and where it redirects to may have one key by the table: they are two visits all the same
            key = key if key != page.visit.key or page.visit.role is Role.ALIAS else target.key
            return [Link(target.url, key, target.hop, role, score, cookie=bool(page.header("set-cookie")))]
        if not page.ok:
            return []
        return self._finder.links(found.model, url) if found.model is not None else []

    def _onward(self, visit: Visit, target: Link) -> tuple[Role, float]:
        """Return role and score of where a visit is redirected to: its own, but a sample shows what it is."""
        known = self.interpreter.by_tables(target, site_of(visit.url)) if visit.corner and self.interpreter else None
        if known is not None and known.score > visit.score:
            return known.role, known.score
        return (visit.role if visit.corner is None else Role.PAGE), visit.score


def _listed(links: list[Link]) -> list[Link]:
    """Return links with all lists among them to be kept, whether they lead to something new or not."""
    bare = msgspec.structs.replace
    return [bare(link, corner=None) if link.role is not Role.PROBE else link for link in links]


def _readable(page: Exchange) -> bool:
    return page.fault is None and (page.ok or 400 <= page.status < 600)
