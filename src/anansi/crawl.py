"""The life of a page, from its bytes to what is known by them. The one file that knows the order of the stages.

Page ─► payload, media type ─► capture (WARC: response, request) ─► read (charset, tree) ─► recognise (type, level)
     ─► note (WARC: metadata) ─► act (links, objects) ─► describe (RDF) ─► judge (scope, traps, known)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from anansi import clock
from anansi.act import tree as html
from anansi.act.gap_rules import Found
from anansi.act.gaps import Gaps
from anansi.act.samples import Samples
from anansi.act.shortcuts import found_otherwise
from anansi.archive.dedup import Dedup
from anansi.archive.exchange import Kept, Notes
from anansi.archive.layout import Collection
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from anansi.config import LED, Definition
from anansi.errors import AnansiError
from anansi.fetch import decode, mime, retry
from anansi.frontier.known import Known
from anansi.frontier.mazes import area
from anansi.frontier.scope import Scope
from anansi.frontier.traps import Traps
from anansi.model import (
    BESIDE,
    CONTENT,
    PROBE,
    WALLS,
    Body,
    Ended,
    Hop,
    Link,
    Outcome,
    Page,
    Reason,
    Seen,
    Skip,
    Validators,
    Visit,
    WebObject,
)
from anansi.reading import REDIRECTS, Acts, Reader, Reading
from anansi.suspecting import standing, suspect_of
from anansi.url import host_of, site_of

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.archive.objects import ObjectLog
    from anansi.articles import Articles
    from anansi.awareness import Awareness
    from anansi.focus_reader import FocusReader
    from anansi.knowledge.catalogue import Catalogue
    from anansi.mending import Mender
    from anansi.proposing import Proposer
    from anansi.watching import Watched, Watcher

YOUNG = 100  # pages of a site to be learned, on which every place of a link is looked at; later the first one
SOON = (
    20  # pages of a site that nobody knows, by which a worker learns nothing: most sites of a broad crawl have fewer
)
SITES = 5000  # sites to be learned whose pages are counted
PARTS = 2000  # parts of one page that are fetched; a page of a thousand small pictures has more than most
NOT_WANTED = "images, styles and scripts of pages are left out (--no-requisites)"
TOO_MANY = f"the page needs more than {PARTS} other files"
NESTED = 20  # parts of parts in a row: sheets that import sheets, modules that import modules; half of it is much
MAX_REDIRECTS = 10  # in a row; browsers allow 20, robots.txt needs 5

# an enum's value costs a call, and this is done per link
_LINK, _REDIRECT, _EMBED = Hop.LINK.value, Hop.REDIRECT.value, Hop.EMBED.value


@dataclass(frozen=True, slots=True)
class Captured:
    """Where an exchange stands in the archive, and what a later visit needs."""

    identity: str = ""
    """`WARC-Record-ID` of its response, without angle brackets."""
    duplicate: bool = False
    validators: Validators | None = None
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker's pipeline works with."""

    definition: Definition
    writer: WarcWriter
    catalogue: Catalogue | None = None
    """What is known about applications; None in a blind crawl."""
    objects: ObjectLog | None = None


class Pipeline:
    """The stages of one worker.

    Mutable state: the WARC writer's file, the payloads seen (`_dedup`), the links told (`_known`) and those spoken
    against (`_refused`), the samples of these (`_samples`) and what they say (`_said`, by site), the parts of pages
    told (`_parts`), short pages that are compared (`_gaps`), `scope` when a seed redirects elsewhere.
    """

    def __init__(self, tools: Tools, scope: Scope, spool: Path):
        self._definition, self._writer, self._log = tools.definition, tools.writer, tools.objects
        self.reader = Reader(tools.definition, spool, tools.catalogue)
        self.scope = scope
        self.mender: Mender | None = None
        self.proposer: Proposer | None = None
        self.watcher: Watcher | None = None
        self.focus: FocusReader | None = None
        self._dedup = Dedup()
        self._known = Known()
        self._refused = Known()
        self._places = Known()
        self._parts = Known()
        self._met: dict[str, int] = {}
        self._always = tools.definition.strategy in LED
        self._samples = Samples()
        self._gaps = Gaps()
        # every rediscovery counts unless the first score stands
        self._filtered = tools.definition.frontier.update == "first"

    @property
    def awareness(self) -> Awareness | None:
        """What knows the sites' types."""
        return self.reader.awareness

    @property
    def teachers(self) -> tuple[Mender | Proposer | Articles | None, ...]:
        """Who learns from pages."""
        return self.mender, self.proposer, self.watcher.articles if self.watcher is not None else None

    def process(
        self, page: Page, verdict: retry.Verdict, traps: Traps
    ) -> tuple[Outcome, list[Link], list[Skip], str | None]:
        """Take a page through the stages; return how it ended, what it leads to, and a pattern closed by it."""
        payload, whole = self.reader.payload(page)
        kind = self._kind(page, payload)
        captured = self._capture(page, payload, kind)
        reading = self._read(page, payload, kind)
        self._note(page, captured, reading)
        outcome = _outcome(page, reading, verdict, captured, whole=whole)
        if verdict.retry:
            return self._gapped(outcome, page, reading, Acts([])), [], [], None
        if traps.mazes.is_asked(page.visit.url):
            answered = page.ok and reading.tree is not None
            closed = traps.judge(page.visit.url, html.text(reading.tree) if answered else None)
            return _annotated(outcome, "madeUp"), [], [], closed
        if page.visit.requisite:
            return self._part(page, reading, outcome, traps)
        acts = self.reader.act(page, reading)
        if acts.left_out:
            outcome = _annotated(outcome, f"linksLeftOut:{acts.left_out}")
        if self.watcher is not None:
            watched = self.watcher.look(replace(page, started=clock.now()), reading, acts)
            acts, outcome = watched.acts, _watched(outcome, watched)
        if self.focus is not None:
            outcome = msgspec.structs.replace(outcome, read=self.focus.read(page, reading, acts))
        outcome = msgspec.structs.replace(outcome, seen=seen_on(page, reading, acts, self.reader))
        outcome = self._gapped(outcome, page, reading, acts)
        if outcome.seen is not None and outcome.seen.gap:
            acts = replace(acts, objects=standing(outcome.seen.gap, acts.objects))
        if outcome.seen is not None and outcome.seen.gap in WALLS:
            acts = replace(acts, stated=())
            outcome = msgspec.structs.replace(
                outcome, seen=Seen(gap=outcome.seen.gap, gap_detail=outcome.seen.gap_detail)
            )
        self._describe(page, reading, captured, acts)
        if self.mender is not None and acts.done is not None and reading.document is not None:
            outcome = _aside(outcome, self.mender.look, reading.document, acts.done, page.started, captured.identity)
        site = site_of(page.visit.url)
        if acts.tree is not None and (self._always or not self.reader.all_new(site)):
            acts = self._placed(acts, page)
            young = not self._always and self._met[site] <= SOON
            items, names = (b"", b"") if young else self.reader.said(acts.tree, site)
            outcome = msgspec.structs.replace(outcome, items=items, names=names)
        if self.proposer is not None and acts.tree is not None and reading.document is not None and not acts.objects:
            place = captured.kept.place if captured.kept is not None else None
            outcome = _aside(outcome, self.proposer.look, reading.document, page.started, captured.identity, place)
        parts = self._parts.news(self.reader.requisites(page, reading), 0)
        onward, skips = self._judge(acts, page, traps, parts)
        skips += [] if self._definition.scope.requisites else self._parts_left_out(page, reading, onward)
        lost = self.awareness.lost(page, acts.told) if self.awareness is not None else 0
        redirected = page.status in REDIRECTS and onward  # the answer is yet to come
        if acts.told is not None and self.awareness is not None and not redirected:
            news = sum(link.score >= CONTENT for link in onward)
            asks = self.awareness.asks_after(acts.told, site, news)
            onward += self._judge(Acts(asks), page, traps)[0]
        if self.awareness is not None:
            outcome = self.reader.weighed(msgspec.structs.replace(outcome, lost=lost), page, reading, acts)
        closed = self._watch(page, reading, traps)
        return outcome, [*onward, *self._lost(page, reading, traps, onward)], skips, closed

    def _parts_left_out(self, page: Page, reading: Reading, onward: list[Link]) -> list[Skip]:
        """Say of what a page needs to be shown that it is not wanted; each once."""
        led = {link.key for link in onward}
        parts = self._parts.news(self.reader.needed(page, reading), 0)[:PARTS]
        return [Skip(each.url, each.key, Reason.REQUISITE, NOT_WANTED) for each in parts if each.key not in led]

    def _part(
        self, page: Page, reading: Reading, outcome: Outcome, traps: Traps
    ) -> tuple[Outcome, list[Link], list[Skip], str | None]:
        """Follow a part of a page to where it redirects, and to the parts that it needs itself; nothing else."""
        moved = self.reader.act(page, reading).links if page.status in REDIRECTS else []
        parts = self._parts.news(self.reader.requisites(page, reading), 0)
        onward, skips = self._judge(Acts(moved), page, traps, parts)
        return msgspec.structs.replace(outcome, page=False), onward, skips, None

    def _placed(self, acts: Acts, page: Page) -> Acts:
        """Say where the links of a page stand, of a site that is being learned: all at first, later those of news."""
        site, depth = site_of(page.visit.url), page.visit.depth + 1
        seen = self._met[site] = self._met.pop(site, 0) + 1
        if len(self._met) > SITES:
            del self._met[next(iter(self._met))]
        if not self._filtered:
            links = self.reader.placed(acts.tree, page.visit.url, acts.links)
        elif seen <= YOUNG:
            links = self._places.places(self.reader.placed(acts.tree, page.visit.url, acts.links), depth)
        else:
            links = self.reader.placed(acts.tree, page.visit.url, self._known.news(acts.links, depth))
        return replace(acts, links=links, placed=True)

    def met(self, site: str, pages: int) -> None:
        """Take notice that others have met so many pages of a site before."""
        if pages > self._met.get(site, 0):
            self._met[site] = pages

    def left_out(self, visit: Visit) -> tuple[Reason, str] | None:
        """Say why a visit is not needed any more, or None when it is."""
        return self.awareness.spared(visit, self._known) if self.awareness is not None else None

    def instead(self, visit: Visit) -> list[Link]:
        """Say what to ask for instead of a visit that must not be made."""
        return self.awareness.instead(visit) if self.awareness is not None else []

    def _kind(self, page: Page, payload: Body) -> str:
        """Find the media type; what the server says must do when that goes wrong."""
        try:
            return self.reader.kind(page, payload)
        except Exception:  # reading it goes wrong in the same way, and says so
            return page.header("content-type").partition(";")[0].strip()

    def _read(self, page: Page, payload: Body, kind: str) -> Reading:
        """Read the page, whose bytes are in the archive, whatever goes wrong in that."""
        try:
            return self.reader.read(page, payload, kind)
        except Exception as error:  # a page that we cannot read is worth keeping all the more
            return Reading(mime=kind, fault=type(error).__name__)

    def capture_only(self, page: Page) -> tuple[Outcome, bytes]:
        """Archive an exchange that is not a page (robots.txt); return how it ended and the decoded body."""
        payload, whole = self.reader.payload(page)
        data = decode.content_decode(page.header("content-encoding"), payload.read(1 << 20), 1 << 20).data
        kind = page.header("content-type")
        captured = self._capture(page, payload, kind)
        self._note(page, captured, Reading(mime=kind))
        # asked for again when its time comes, not by retrying
        verdict = retry.Verdict(strike=verdict_on(page).strike)
        outcome = _outcome(page, Reading(), verdict, replace(captured, duplicate=False), whole=whole)
        return outcome, data

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────

    def _capture(self, page: Page, payload: Body, kind: str) -> Captured:
        """Write the exchange to the archive, as a revisit when its payload is there already.

        It is the operating system's when this returns: a page that kills whoever reads it is kept all the same.
        """
        if page.fault is not None:
            return Captured()
        digest = payload_digest(payload)
        original = self._dedup.find(page, digest, payload.size)
        kept = self._writer.write_exchange(page, payload, Notes(mime=kind, digest=digest), revisit_of=original)
        identity = kept.place.identity if kept is not None else ""
        if original is None:
            self._dedup.remember(page, digest, payload.size)
        before = page.visit.validators
        if page.status == 304 and before is not None:
            return Captured(identity=identity, validators=before, kept=kept)
        modified, etag = page.header("last-modified")[:100], page.header("etag")[:200]
        return Captured(identity, original is not None, Validators(etag, modified, digest, page.started), kept)

    def _note(self, page: Page, captured: Captured, reading: Reading) -> None:
        """Write to the archive what reading found."""
        if captured.kept is not None:
            fields = reading.fields
            self._writer.write_notes(
                page, captured.kept, Notes(reading.title, charset=reading.charset, fields=fields)
            )

    def _describe(self, page: Page, reading: Reading, captured: Captured, acts: Acts) -> None:
        """Write what stands on the page to the log of objects, and what it states of others."""
        if self._log is not None and (acts.objects or acts.stated) and captured.identity:
            about = page.visit.url, page.started, captured.identity, reading.recognition
            self._log.write(*about, acts.objects, stated=acts.stated)

    def _gapped(self, outcome: Outcome, page: Page, reading: Reading, acts: Acts) -> Outcome:
        """Add what keeps the page's content from being captured, if anything does."""
        if page.visit.requisite or page.visit.hops.endswith(BESIDE):
            return outcome
        found: list[Found] = []
        outcome = _aside(outcome, self._look_for_gap, found, page, reading, acts)
        if not found:
            return outcome
        seen = msgspec.structs.replace(outcome.seen or Seen(), gap=found[0][0].value, gap_detail=found[0][1])
        return msgspec.structs.replace(outcome, seen=seen)

    def _look_for_gap(self, found: list[Found], page: Page, reading: Reading, acts: Acts) -> None:
        found += filter(None, [self._gaps.look(suspect_of(page, reading, acts), site_of(page.visit.url))])

    def _judge(
        self, acts: Acts, page: Page, traps: Traps, parts: Sequence[Link] = ()
    ) -> tuple[list[Link], list[Skip]]:
        """Keep of the links, and of the parts of the page, what belongs to the crawl; say why of the rest."""
        visit = page.visit
        found = [link for link in acts.links if not found_otherwise(link.key, self._known)]
        if self._filtered and page.status not in REDIRECTS and not acts.placed:
            changed = [link for link in found if link.since is not None]
            found = self._known.news(found, visit.depth + 1)
            found += [link for link in changed if link not in found]
        samples, left = self._samples.pick(acts.skips, host_of(visit.url), sooner=visit.corner.startswith(PROBE))
        found = [*found, *samples, *parts[:PARTS]]
        onward: list[Link] = []
        skips = self._refused.news(left, 0)
        skips += [Skip(link.url, link.key, Reason.BUDGET, TOO_MANY) for link in parts[PARTS:]]
        year = time.gmtime(clock.now()).tm_year
        for link in found:
            refusal = self._refusal(link, visit, visit.depth + (link.hop == _LINK))
            if refusal is None and self._definition.frontier.traps and (fault := traps.fault(link.url, year)):
                refusal = Reason.TRAP, fault
            if refusal is not None and refusal[0] is Reason.SCOPE and self._reaches(link, visit):
                link, refusal = msgspec.structs.replace(link, outside=visit.outside + 1), None
            if refusal is None:
                onward.append(link)
            else:
                skips.append(Skip(link.url, link.key, *refusal))
        # a picture that links to itself is refused as a link and wanted as a part of the page
        wanted = {link.key for link in onward if link.hop == _EMBED} if skips else ()
        return onward, [skip for skip in skips if skip.key not in wanted] if wanted else skips

    def _reaches(self, link: Link, visit: Visit) -> bool:
        """Tell whether the crawl may follow a link out of its scope."""
        return visit.outside < self._definition.focus.reach and not self.scope.excludes(link.url)

    def _refusal(self, link: Link, visit: Visit, depth: int) -> tuple[Reason, str] | None:
        if link.hop == _REDIRECT:
            if len(visit.hops) - len(visit.hops.rstrip(_REDIRECT)) >= MAX_REDIRECTS:
                return Reason.REDIRECTS, f"{MAX_REDIRECTS} redirects in a row"
            if not visit.hops.strip(_REDIRECT):
                return None  # a seed may lead elsewhere: the scope follows it
        if link.hop == _EMBED and len(visit.hops) - len(visit.hops.rstrip(_EMBED + _REDIRECT)) >= NESTED:
            return Reason.TRAP, f"{NESTED} parts of pages that need one another in a row"
        if self.focus is not None and (why := self.focus.refused(link.url)):
            return Reason.BLACKLISTED, why
        if link.told is not None and not self.scope.excludes(link.url):
            return None  # a feed tells of it, wherever it stands
        return self.scope.refuse(link.url, _EMBED if visit.requisite else link.hop, depth)

    def _lost(self, page: Page, reading: Reading, traps: Traps, onward: list[Link]) -> list[Link]:
        """Ask for addresses that nobody linked to, where a site may be making up its pages."""
        if reading.tree is None or not page.ok or not self._definition.frontier.traps:
            return []
        asks = traps.mazes.note(
            page.visit.url,
            lambda name: sum(area(link.url) == name for link in onward),
            lambda: html.text(reading.tree),
        )
        return [Link(url, url, score=1.0) for url in asks]

    def _watch(self, page: Page, reading: Reading, traps: Traps) -> str | None:
        if reading.tree is None or not page.ok or not self._definition.frontier.traps:
            return None
        return traps.note(page.visit.url, lambda: html.text(reading.tree))


def _aside(outcome: Outcome, study: Callable[..., None], *about: object) -> Outcome:
    """Let somebody study a page who must not end its visit: what goes wrong over it is noted in crawl.log."""
    try:
        study(*about)
    except AnansiError:
        raise  # of the disk: whoever runs the crawl must know
    except Exception as error:
        return _annotated(outcome, f"notStudied:{type(error).__name__}")
    return outcome


def _annotated(outcome: Outcome, note: str) -> Outcome:
    notes = ",".join(filter(None, (outcome.annotations, note)))
    return msgspec.structs.replace(outcome, annotations=notes)


def _watched(outcome: Outcome, watched: Watched) -> Outcome:
    """Add to how a visit ended when the next is due and what it is to know."""
    from anansi.feeds.past import pack

    past = pack(watched.past) if watched.past is not None else None
    return msgspec.structs.replace(_annotated(outcome, watched.note), again=watched.again, carried=past)


def known_types(definition: Definition, collection: Collection) -> Catalogue | None:
    """Return what a crawl knows about applications: the built-in entries, the person's and the collection's."""
    if definition.strategy != "auto":
        return None
    from anansi.knowledge import shelf

    return shelf.catalogue(shelf.personal(), collection.knowledge)


def verdict_on(page: Page) -> retry.Verdict:
    """Say what follows from how an exchange went, before anything is done with the page."""
    answer = page.fault or page.cut
    asked, visit = page.header("retry-after"), page.visit
    now = retry.moment(page.header("date"))  # by the server's clock, which a date in Retry-After goes by
    now = time.time() if now is None else now
    return retry.after(page.status, answer, visit.attempt, asked, now, part=visit.requisite)


def seen_on(page: Page, reading: Reading, acts: Acts, reader: Reader) -> Seen | None:
    """Say what a page turned out to be, if anything can be said of it."""
    doubts = acts.done.doubts if acts.done is not None else ()
    found = reading.recognition
    if found is None and not (acts.objects or acts.stated or doubts):
        return None
    return Seen(
        type=found.type if found is not None else "",
        level=found.level if found is not None else "",
        terminal=found is not None and found.terminal,
        objects=_counted(page, acts.objects, reader),
        stated=acts.stated,
        doubts=doubts,
        incomplete=sum(each.incomplete for each in acts.objects),
    )


def _counted(page: Page, objects: list[WebObject], reader: Reader) -> dict[str, int]:
    """Count objects by kind; what holds others counts on its first page only, whose address it is named by."""
    holders = {each.part_of for each in objects}
    own = (each for each in objects if each.uri not in holders or reader.key(each.uri) == page.visit.key)
    return dict(Counter(each.kind for each in own))


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
    notes += ["readInPart"] if reading.left_out and not reading.bomb else []
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
        requests=page.sent,
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
