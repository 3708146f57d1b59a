"""From the bytes of a page to what it leads to and what stands on it; for crawls and for whoever asks about a page.

payload ─► read (media type, charset, tree) ─► recognise (type, level) ─► act (links, objects)
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from anansi.act import requisites
from anansi.act import tree as html
from anansi.act.gaps import is_paid
from anansi.act.links import LinkFinder
from anansi.act.shortcuts import MARK, Told, is_shortcut
from anansi.archive.disk import guarded
from anansi.chunks import Dechunker
from anansi.config import Definition
from anansi.fetch import charset, decode, mime
from anansi.model import (
    CONTENT,
    COOKIE,
    PROBE,
    Body,
    Link,
    Outcome,
    Page,
    Recognition,
    Skip,
    Stated,
    WebObject,
)
from anansi.url import Rules, canonical, site_of

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.awareness import Awareness, Understanding
    from anansi.knowledge.catalogue import Catalogue
    from anansi.learn.learner import Learner
    from anansi.recognise.document import Document

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

ELSEWHERE = "elsewhere"
"""The label of links that do not stand in anchors."""

ANCHOR = 200  # characters of a link's text that are kept

REDIRECTS = frozenset((301, 302, 303, 307, 308))
NOVEL = 0.1  # of what a page says must be new for it to count: the rest frames it; a form says nothing but a name
FIRST_SAID = 2000  # hashes of what the first pages of a site say, a dozen pages of four hundred words
SAID = 200_000  # hashes of what samples of a site say that are remembered, 60 bytes each
SITES = 5000  # sites of which that is remembered
NO_MORE = frozenset((400, 404, 410))
"""How an interface for programs answers behind its last page."""


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
    left_out: str = ""
    """What of it was not read, for there is too much of it, in words for people."""
    paid: bool = False
    """Whether it may say of itself that it is not free."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What reading found, for the page's metadata record."""
        found = self.recognition.fields if self.recognition is not None else ()
        return (*found, ("leftOutOfReading", self.left_out)) if self.left_out else found


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
    stated: tuple[Stated, ...] = ()
    """Numbers that the page states of what its site holds."""
    placed: bool = False
    """Whether the links are those that are news where they stand on the page."""
    left_out: int = 0
    """Links of the page that were not taken, for there are too many of them."""


class Reader:
    """From the bytes of a page to what it leads to; knows nothing of where they came from or go."""

    def __init__(self, definition: Definition, spool: Path, catalogue: Catalogue | None = None):
        """Read pages of any site; with a catalogue, know what they are."""
        self.rules = Rules()
        self._finder = LinkFinder(self.rules)
        self._requisites, self._lists = definition.scope.requisites, definition.scope.lists
        self.awareness: Awareness | None = None
        if catalogue is not None:
            from anansi.awareness import Awareness

            # how far a page is from a seed, a list of all pages does not tell
            shortcuts = definition.scope.max_hops is None and not definition.scope.lists
            known = {"pages_only": not definition.scope.requisites, "shortcuts": shortcuts}
            self.awareness = Awareness(catalogue, self._finder, lists=self._lists, **known)
        self._spool = spool
        self._said: dict[str, set[int]] = {}
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
        page.body.file.seek(0)
        chunks = Dechunker()
        with guarded(self._spool):
            target = tempfile.TemporaryFile(dir=self._spool)  # noqa: SIM115 - lives as long as the page
            while data := page.body.file.read(1 << 20):
                target.write(chunks.feed(data))
            size = target.tell()
            target.seek(0)
        return Body(size, file=target), chunks.complete

    def kind(self, page: Page, payload: Body) -> str:
        """Find the media type of a page by the beginning of its payload, without parsing anything."""
        if not _readable(page):
            return ""
        coding = page.header("content-encoding")
        head = decode.content_decode(coding, payload.read(BEGINNING), mime.HEAD).data
        return mime.sniff(page.header("content-type"), head, page.visit.url.partition("?")[0])

    def read(self, page: Page, payload: Body, kind: str | None = None) -> Reading:
        """Parse a page when it is HTML; its media type is found if it is not known yet."""
        if not _readable(page):
            return Reading()
        kind = self.kind(page, payload) if kind is None else kind
        declared = page.header("content-type")
        decoded = decode.content_decode(page.header("content-encoding"), payload.read(MAX_DECODED), MAX_DECODED)
        if decoded.bomb:
            return Reading(mime=kind, bomb=True, left_out=f"it unpacks to more than {MAX_DECODED >> 20} MB")
        if page.visit.requisite:
            return Reading(mime=kind, data=decoded.data if kind in _OF_PARTS else b"")
        if not mime.is_html(kind):
            kept = kind == SEEN_AS_IS or is_shortcut(page.visit) or (self._keeps and mime.may_be_feed(kind))
            return Reading(mime=kind, data=decoded.data if kept else b"")
        encoding = charset.detect(declared, decoded.data)
        tree, left_out = html.parsed(decoded.data, encoding)
        if tree is None:
            return Reading(mime=kind, charset=encoding, left_out=left_out)
        paid = is_paid(decoded.data)
        found = Reading(kind, encoding, html.title(tree), tree, left_out=left_out, paid=paid)
        return self._recognised(page, found, decoded.data)

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
        acts = self._act(page, reading)
        left_out = self._finder.left_out()
        return replace(acts, left_out=left_out) if left_out else acts

    def _act(self, page: Page, reading: Reading) -> Acts:
        if self.awareness is not None and is_shortcut(page.visit):
            return self._told(self.awareness, page, reading)
        unknown = reading.tree if page.ok and self._learner is not None else None
        if self.awareness is None or reading.document is None:
            return Acts(self._links(page, reading), tree=unknown)
        site = site_of(page.visit.url)
        done = self.awareness.act(reading.document, reading.recognition, site, page.started)
        done = self.awareness.doubt(reading.document, done, site)
        if done.way is None:
            acts = Acts(self._links(page, reading), [*done.duplicates], done.objects, done=done, tree=unknown)
        else:
            links = _listed(done.way.links) if self._lists else done.way.links
            acts = Acts(links, [*done.way.skips, *done.duplicates], done.objects, done=done)
        return replace(acts, stated=done.stated) if done.stated else acts

    def requisites(self, page: Page, reading: Reading) -> list[Link]:
        """Find what the page needs to be shown, where that is wanted."""
        return self.needed(page, reading, icon=requisites.FAVICON) if self._requisites else []

    def needed(self, page: Page, reading: Reading, *, icon: str = "") -> list[Link]:
        """Find what the page names that it needs to be shown, and an icon where it names none."""
        if not page.ok:
            return []
        if reading.tree is not None:
            base = self.base(reading.tree, page.visit.url)
            return self._finder.parts(requisites.of_page(reading.tree, icon=icon), base)
        if reading.data and (named := _OF_PARTS.get(reading.mime)) is not None:
            encoding = charset.detect(page.header("content-type"), reading.data)
            return self._finder.parts(named(charset.decode_text(reading.data, encoding)), page.visit.url)
        return []

    def said(self, tree: Any, site: str) -> tuple[bytes, bytes]:
        """Return what a page of an unknown site says and how it is named, for learning."""
        assert self._learner is not None
        items = self._learner.items(html.text(tree))
        self._learner.novelty(site).note(items)
        return items, self._learner.names(html.title(tree))

    def items(self, tree: Any) -> set[int]:
        """Return what a page says, as hashes."""
        assert self._learner is not None
        return set(array("I", self._learner.items(html.text(tree))))

    def weighed(self, outcome: Outcome, page: Page, reading: Reading, acts: Acts) -> Outcome:
        """Add what the frontier weighs corners of the site by, and what was found there."""
        visit = page.visit
        if not visit.corner and not visit.behind:
            self._note_first(page, reading)
            return outcome
        assert self.awareness is not None
        found = [link for link in acts.links if link.score >= CONTENT]
        novel = self._says_news(page, reading) and (bool(visit.behind) or visit.corner.startswith(PROBE))
        claimed = self.awareness.claimed(visit, acts.links) if visit.corner and page.ok else 0
        return msgspec.structs.replace(outcome, listed=len(found), novel=novel, claimed=claimed)

    def _met(self, site: str) -> set[int]:
        if len(self._said) >= SITES and site not in self._said:
            self._said.clear()
        return self._said.setdefault(site, set())

    def _note_first(self, page: Page, reading: Reading) -> None:
        """Remember what the first pages of a known site say: where there are few, samples are held against them."""
        site = site_of(page.visit.url)
        if reading.tree is None or not page.ok or self.awareness is None or not self.awareness.types(site):
            return
        met = self._met(site)
        if len(met) < FIRST_SAID:
            met |= self.items(reading.tree)

    def _says_news(self, page: Page, reading: Reading) -> bool:
        """Tell whether a page says what no first page, no sample and nothing that samples led to has said."""
        if reading.tree is None or not page.ok:
            return False
        said = self.items(reading.tree)
        met = self._met(site_of(page.visit.url))
        new = len(said - met)
        if len(met) < SAID:
            met |= said
        return new >= NOVEL * max(1, len(said))

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
        broken = not told.kind if page.ok else page.status not in NO_MORE
        return Acts(way.links, way.skips, told=told._replace(broken=broken))

    def _links(self, page: Page, reading: Reading) -> list[Link]:
        url = page.visit.url
        if page.status in REDIRECTS:
            location = page.header("location")
            target = self._finder.redirect(location, url) if location else None
            if target is None:
                return []
            key = self.awareness.key(target, site_of(url)) if self.awareness is not None else target.key
            score = page.visit.score
            if page.visit.corner and self.awareness is not None:  # a sample that leads to content is told by it
                score = max(score, self.awareness.worth(target, site_of(url)))
            cookie = COOKIE if page.header("set-cookie") else ""
            # an address and where it redirects to may have one key by the table: they are two visits all the same
            return [
                Link(
                    target.url,
                    key if key != page.visit.key else target.key,
                    target.hop,
                    score,
                    action=cookie,
                )
            ]
        if not page.ok:
            return []
        return self._finder.links(reading.tree, url) if reading.tree is not None else []


def _listed(links: list[Link]) -> list[Link]:
    """Return links with all lists among them to be kept, whether they lead to something new or not."""
    bare = msgspec.structs.replace
    return [bare(link, corner="") if link.corner and not link.corner.startswith(PROBE) else link for link in links]


def _readable(page: Page) -> bool:
    return page.fault is None and (page.ok or 400 <= page.status < 600)
