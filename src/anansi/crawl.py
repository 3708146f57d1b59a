"""The life of a page, from its bytes to what is known by them. The one file that knows the order of the stages.

Page ─► payload ─► read (media type, charset, tree) ─► recognise (type, level) ─► capture (WARC)
     ─► act (links, objects) ─► describe (RDF) ─► judge (scope, traps, known)
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from anansi.act import tree as html
from anansi.act.links import LinkFinder
from anansi.archive.dedup import Dedup
from anansi.archive.exchange import Notes
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from anansi.awareness import Awareness, Understanding
from anansi.chunks import Dechunker
from anansi.config import Definition
from anansi.fetch import charset, decode, mime, retry
from anansi.frontier.scope import Scope
from anansi.frontier.traps import Traps
from anansi.knowledge import shelf
from anansi.knowledge.catalogue import Catalogue
from anansi.mending import Mender
from anansi.model import (
    COOKIE,
    Body,
    Ended,
    Hop,
    Link,
    Outcome,
    Page,
    Reason,
    Recognition,
    Skip,
    Validators,
    Visit,
    WebObject,
)
from anansi.recognise.document import Document
from anansi.url import Rules, site_of

Told = TypeVar("Told", Link, Skip)

MAX_DECODED = 32 << 20  # bytes of a page that are parsed; what inflates to more is a bomb or no page
MAX_REDIRECTS = 10  # in a row; browsers allow 20, robots.txt needs 5
KNOWN = 25_000  # links remembered in each of two generations, to tell the frontier only news: 10 MB a worker
SEEN_AS_IS = "text/css"
CONTENT = 0.8  # score from which on a link is expected to lead to content

_DEEPEST = 1 << 30
# an enum's value costs a call, and this is done per link
_LINK, _REDIRECT, _EMBED = Hop.LINK.value, Hop.REDIRECT.value, Hop.EMBED.value
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


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
    list_kind: str = ""
    """What kind of list the page is, if one that is of no use once such lists lead to nothing new."""
    done: Understanding | None = None


class Known:
    """The links that the frontier has been told of already, and at which depth.

    Mutable state: two generations of link keys; when the young one is full it becomes the old one.
    """

    def __init__(self) -> None:
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}

    def news(self, links: Iterable[Told], depth: int) -> list[Told]:
        """Return the links of a page at that depth that are news, and remember them."""
        young, old = self._young, self._old
        fresh = [link for link in links if young.get(link.key, _DEEPEST) > depth]
        if not fresh:
            return fresh
        if old:
            fresh = [link for link in fresh if old.get(link.key, _DEEPEST) > depth]
        for link in fresh:
            young[link.key] = depth
        if len(young) >= KNOWN:
            self._old, self._young = young, {}
        return fresh


@dataclass(frozen=True, slots=True)
class Captured:
    """Where an exchange stands in the archive, and what a later visit needs."""

    identity: str = ""
    """`WARC-Record-ID` of its response, without angle brackets."""
    duplicate: bool = False
    validators: Validators | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker's pipeline works with."""

    definition: Definition
    writer: WarcWriter
    catalogue: Catalogue | None = None
    """What is known about applications; None in a blind crawl."""
    objects: ObjectLog | None = None


class Reader:
    """From the bytes of a page to what it leads to; knows nothing of where they came from or go."""

    def __init__(self, definition: Definition, spool: Path, catalogue: Catalogue | None = None):
        """Read pages of any site; with a catalogue, know what they are."""
        self.rules = Rules(sort_query=definition.frontier.sort_query)
        self._finder = LinkFinder(self.rules, embeds=definition.scope.requisites)
        pages_only = not definition.scope.requisites
        self.awareness = Awareness(catalogue, self._finder, pages_only=pages_only) if catalogue is not None else None
        self._spool = spool

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
            return Reading(mime=kind, data=decoded.data if kind == SEEN_AS_IS else b"")
        encoding = charset.detect(declared, decoded.data)
        tree = html.parse(decoded.data, encoding)
        if tree is None:
            return Reading(mime=kind, charset=encoding)
        return self._recognised(page, Reading(kind, encoding, html.title(tree), tree), decoded.data)

    def _recognised(self, page: Page, reading: Reading, data: bytes) -> Reading:
        """Add what the page is, when the knowledge base says."""
        if self.awareness is None or not page.ok:
            return reading
        source = charset.decode_text(data, reading.charset)
        document = Document(reading.tree, source, page.visit.url, page.status, page.headers)
        try:
            recognition = self.awareness.recognise(document, site_of(page.visit.url))
        except Exception as error:  # the page can still be crawled as any other
            return replace(reading, fault=f"recognition: {type(error).__name__}")
        return replace(reading, document=document, recognition=recognition)

    def act(self, page: Page, reading: Reading) -> Acts:
        """Find what the page leads to and what stands on it."""
        if self.awareness is None or reading.document is None:
            return Acts(self._links(page, reading))
        site = site_of(page.visit.url)
        done = self.awareness.act(reading.document, reading.recognition, site, page.started)
        if done.way is None:
            return Acts(self._links(page, reading), objects=done.objects, done=done)
        return Acts(done.way.links, done.way.skips, done.objects, done.list_kind, done)

    def _links(self, page: Page, reading: Reading) -> list[Link]:
        url = page.visit.url
        if page.status in _REDIRECTS:
            location = page.header("location")
            target = self._finder.redirect(location, url) if location else None
            cookie = COOKIE if page.header("set-cookie") else ""
            return [Link(target.url, target.key, target.hop, page.visit.score, action=cookie)] if target else []
        if not page.ok:
            return []
        if reading.tree is not None:
            return self._finder.links(reading.tree, url)
        if reading.mime == SEEN_AS_IS:
            return self._finder.stylesheet_links(charset.decode_text(reading.data, "utf-8"), url)
        return []


class Pipeline:
    """The stages of one worker.

    Mutable state: the WARC writer's file, the payloads seen (`_dedup`), the links told (`_known`) and those spoken
    against (`_refused`), `scope` when a seed redirects elsewhere.
    """

    def __init__(self, tools: Tools, scope: Scope, spool: Path):
        self._definition, self._writer, self._log = tools.definition, tools.writer, tools.objects
        self._reader = Reader(tools.definition, spool, tools.catalogue)
        self.scope = scope
        self.mender: Mender | None = None
        self._dedup = Dedup()
        self._known = Known()
        self._refused = Known()
        # every rediscovery counts unless the first score stands
        self._filtered = tools.definition.frontier.update == "first"

    @property
    def awareness(self) -> Awareness | None:
        """What knows the sites' types."""
        return self._reader.awareness

    def process(
        self, page: Page, verdict: retry.Verdict, traps: Traps
    ) -> tuple[Outcome, list[Link], list[Skip], str | None]:
        """Take a page through the stages; return how it ended, what it leads to, and a pattern closed by it."""
        payload, whole = self._reader.payload(page)
        reading = self._read(page, payload)
        captured = self._capture(page, payload, reading)
        outcome = _outcome(page, reading, verdict, captured, whole=whole)
        if verdict.retry:
            return outcome, [], [], None
        acts = self._reader.act(page, reading)
        self._describe(page, reading, captured, acts.objects)
        if self.mender is not None and acts.done is not None and reading.document is not None:
            self.mender.look(reading.document, acts.done, page.started, captured.identity)
        onward, skips = self._judge(acts, page, traps)
        closed = self._watch(page, reading, traps)
        if closed is None and acts.list_kind and self._definition.frontier.traps:
            closed = traps.note_list(acts.list_kind, news=any(link.score >= CONTENT for link in onward))
        return outcome, onward, skips, closed

    def _read(self, page: Page, payload: Body) -> Reading:
        """Read the page; whatever goes wrong in that, its bytes go on to the archive."""
        try:
            return self._reader.read(page, payload)
        except Exception as error:  # a page that we cannot read is worth keeping all the more
            return Reading(mime=page.header("content-type").partition(";")[0].strip(), fault=type(error).__name__)

    def capture_only(self, page: Page) -> tuple[Outcome, bytes]:
        """Archive an exchange that is not a page (robots.txt); return how it ended and the decoded body."""
        payload, whole = self._reader.payload(page)
        data = decode.content_decode(page.header("content-encoding"), payload.read(1 << 20), 1 << 20).data
        captured = self._capture(page, payload, Reading(mime=page.header("content-type")))
        # asked for again when its time comes, not by retrying
        verdict = retry.Verdict(strike=verdict_on(page).strike)
        outcome = _outcome(page, Reading(), verdict, replace(captured, duplicate=False), whole=whole)
        return outcome, data

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────

    def _capture(self, page: Page, payload: Body, reading: Reading) -> Captured:
        """Write the exchange to the archive, as a revisit when its payload is there already."""
        if page.fault is not None:
            return Captured()
        digest = payload_digest(payload)
        original = self._dedup.find(page, digest, payload.size)
        notes = Notes(reading.title, reading.mime, reading.charset, _fields(reading.recognition), digest)
        place = self._writer.write_page(page, payload, notes, revisit_of=original)
        identity = place.identity if place is not None else ""
        if original is None:
            self._dedup.remember(page, digest, payload.size)
        before = page.visit.validators
        if page.status == 304 and before is not None:
            return Captured(identity=identity, validators=before)
        modified, etag = page.header("last-modified")[:100], page.header("etag")[:200]
        return Captured(identity, original is not None, Validators(etag, modified, digest, page.started))

    def _describe(self, page: Page, reading: Reading, captured: Captured, objects: list[WebObject]) -> None:
        """Write what stands on the page to the log of objects."""
        if self._log is not None and objects and reading.recognition is not None and captured.identity:
            self._log.write(page.visit.url, page.started, captured.identity, reading.recognition, objects)

    def _judge(self, acts: Acts, page: Page, traps: Traps) -> tuple[list[Link], list[Skip]]:
        """Keep of the links what belongs to the crawl and is news; say why of the rest."""
        visit = page.visit
        found = acts.links
        if self._filtered and page.status not in _REDIRECTS:
            found = self._known.news(found, visit.depth + 1)
        onward: list[Link] = []
        skips: list[Skip] = self._refused.news(acts.skips, 0)
        year = time.gmtime().tm_year
        for link in found:
            refusal = self._refusal(link, visit, visit.depth + (link.hop == _LINK))
            if refusal is None and self._definition.frontier.traps and (fault := traps.fault(link.url, year)):
                refusal = Reason.TRAP, fault
            if refusal is None:
                onward.append(link)
            else:
                skips.append(Skip(link.url, link.key, *refusal))
        # a picture that links to itself is refused as a link and wanted as a part of the page
        wanted = {link.key for link in onward if link.hop == _EMBED} if skips else ()
        return onward, [skip for skip in skips if skip.key not in wanted]

    def _refusal(self, link: Link, visit: Visit, depth: int) -> tuple[Reason, str] | None:
        if link.hop == _REDIRECT:
            if len(visit.hops) - len(visit.hops.rstrip(_REDIRECT)) >= MAX_REDIRECTS:
                return Reason.REDIRECTS, f"{MAX_REDIRECTS} redirects in a row"
            if not visit.hops.strip(_REDIRECT):
                return None  # a seed may lead elsewhere: the scope follows it
        return self.scope.refuse(link.url, link.hop, depth)

    def _watch(self, page: Page, reading: Reading, traps: Traps) -> str | None:
        if reading.tree is None or not page.ok or not self._definition.frontier.traps:
            return None
        return traps.note(page.visit.url, lambda: html.text(reading.tree))


def known_types(definition: Definition, collection: Collection) -> Catalogue | None:
    """Return what a crawl knows about applications: the built-in entries, the person's and the collection's."""
    return shelf.catalogue(shelf.personal(), collection.knowledge) if definition.strategy == "auto" else None


def _fields(recognition: Recognition | None) -> tuple[tuple[str, str], ...]:
    """Write what a page was recognised as, for its metadata record."""
    if recognition is None:
        return ()
    return (
        ("recognisedType", recognition.type),
        ("recognisedLevel", recognition.level),
        ("recognisedTerminal", "yes" if recognition.terminal else "no"),
    )


def verdict_on(page: Page) -> retry.Verdict:
    """Say what follows from how an exchange went, before anything is done with the page."""
    answer = page.fault or page.cut
    return retry.after(page.status, answer, page.visit.attempt, page.header("retry-after"), time.time())


def _outcome(
    page: Page,
    reading: Reading,
    verdict: retry.Verdict,
    captured: Captured,
    *,
    whole: bool,
) -> Outcome:
    notes = [f"truncated:{page.cut}"] if page.cut else []
    notes += ["bomb"] if reading.bomb else []
    notes += [f"unreadable:{reading.fault}"] if reading.fault else []
    notes += ["badTransferCoding"] if not whole and page.cut is None else []
    final = Ended.DONE if page.fault is None else Ended.FAILED
    ended = Ended.RETRY if verdict.retry else final
    return Outcome(
        ended=ended,
        status=page.status if page.fault is None else retry.HERITRIX.get(page.fault, -3),
        fault=page.fault or "",
        detail=page.detail if page.fault else "",
        wait=verdict.wait,
        slow=verdict.slow,
        strike=verdict.strike and page.fault is not None,
        requests=1 if page.request else 0,  # none went out where no connection was made
        page=ended is Ended.DONE and page.ok and mime.is_html(reading.mime),
        duplicate=captured.duplicate,
        size=len(page.head) + page.body.size,
        mime=reading.mime or page.header("content-type").partition(";")[0].strip(),
        validators=captured.validators,
        started=page.started,
        seconds=page.seconds,
        ip=page.ip,
        annotations=",".join(notes),
    )
