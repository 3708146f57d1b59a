"""The life of a page, from its bytes to what is known by them. The one file that knows the order of the stages.

Page ─► payload ─► read (media type, charset, tree) ─► recognise (type, level) ─► capture (WARC)
     ─► act (links, objects) ─► describe (RDF) ─► judge (scope, traps, known)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from anansi.act import tree as html
from anansi.act.samples import Samples
from anansi.act.shortcuts import found_otherwise
from anansi.archive.dedup import Dedup
from anansi.archive.exchange import Notes
from anansi.archive.layout import Collection
from anansi.archive.record import payload_digest
from anansi.archive.writer import WarcWriter
from anansi.config import LED, Definition
from anansi.errors import AnansiError
from anansi.fetch import decode, mime, retry
from anansi.frontier.known import Known
from anansi.frontier.scope import Scope
from anansi.frontier.traps import Traps
from anansi.model import (
    CONTENT,
    PROBE,
    Body,
    Ended,
    Hop,
    Link,
    Outcome,
    Page,
    Reason,
    Skip,
    Validators,
    Visit,
    WebObject,
)
from anansi.reading import REDIRECTS, Acts, Reader, Reading
from anansi.url import host_of, site_of

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.aiming import Aim
    from anansi.archive.objects import ObjectLog
    from anansi.articles import Articles
    from anansi.awareness import Awareness
    from anansi.knowledge.catalogue import Catalogue
    from anansi.mending import Mender
    from anansi.proposing import Proposer
    from anansi.watching import Watched, Watcher

YOUNG = 100  # pages of a site to be learned, on which every place of a link is looked at; later the first one
SOON = (
    20  # pages of a site that nobody knows, by which a worker learns nothing: most sites of a broad crawl have fewer
)
SITES = 5000  # sites to be learned whose pages are counted
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
    against (`_refused`), the samples of these (`_samples`), `scope` when a seed redirects elsewhere.
    """

    def __init__(self, tools: Tools, scope: Scope, spool: Path):
        self._definition, self._writer, self._log = tools.definition, tools.writer, tools.objects
        self.reader = Reader(tools.definition, spool, tools.catalogue)
        self.scope = scope
        self.mender: Mender | None = None
        self.proposer: Proposer | None = None
        self.watcher: Watcher | None = None
        self.aim: Aim | None = None
        self._dedup = Dedup()
        self._known = Known()
        self._refused = Known()
        self._places = Known()
        self._met: dict[str, int] = {}
        self._always = tools.definition.strategy in LED
        self._samples = Samples()
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
        reading = self._read(page, payload)
        captured = self._capture(page, payload, reading)
        outcome = _outcome(page, reading, verdict, captured, whole=whole)
        if verdict.retry:
            return outcome, [], [], None
        acts = self.reader.act(page, reading)
        if self.watcher is not None:
            watched = self.watcher.look(page, reading, acts)
            acts, outcome = watched.acts, _watched(outcome, watched)
        if self.aim is not None:
            outcome = msgspec.structs.replace(outcome, read=self.aim.told(page, reading, acts))
        self._describe(page, reading, captured, acts.objects)
        if self.mender is not None and acts.done is not None and reading.document is not None:
            outcome = _aside(outcome, self.mender.look, reading.document, acts.done, page.started, captured.identity)
        site = site_of(page.visit.url)
        if acts.tree is not None and (self._always or not self.reader.all_new(site)):
            acts = self._placed(acts, page)
            young = not self._always and self._met[site] <= SOON
            items, names = (b"", b"") if young else self.reader.said(acts.tree, site)
            outcome = msgspec.structs.replace(outcome, items=items, names=names)
        if self.proposer is not None and acts.tree is not None and reading.document is not None and not acts.objects:
            outcome = _aside(outcome, self.proposer.look, reading.document, page.started, captured.identity)
        onward, skips = self._judge(acts, page, traps)
        redirected = page.status in REDIRECTS and onward  # the answer is yet to come
        if acts.told is not None and self.awareness is not None and not redirected:
            news = sum(link.score >= CONTENT for link in onward)
            asks = self.awareness.asks_after(acts.told, site, news)
            onward += self._judge(Acts(asks), page, traps)[0]
        if page.visit.corner:
            listed = sum(link.score >= CONTENT for link in acts.links)
            outcome = msgspec.structs.replace(outcome, listed=listed)
        return outcome, onward, skips, self._watch(page, reading, traps)

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

    def left_out(self, visit: Visit) -> tuple[Reason, str] | None:
        """Say why a visit is not needed any more, or None when it is."""
        return self.awareness.spared(visit, self._known) if self.awareness is not None else None

    def instead(self, visit: Visit) -> list[Link]:
        """Say what to ask for instead of a visit that must not be made."""
        return self.awareness.instead(visit) if self.awareness is not None else []

    def _read(self, page: Page, payload: Body) -> Reading:
        """Read the page; whatever goes wrong in that, its bytes go on to the archive."""
        try:
            return self.reader.read(page, payload)
        except Exception as error:  # a page that we cannot read is worth keeping all the more
            return Reading(mime=page.header("content-type").partition(";")[0].strip(), fault=type(error).__name__)

    def capture_only(self, page: Page) -> tuple[Outcome, bytes]:
        """Archive an exchange that is not a page (robots.txt); return how it ended and the decoded body."""
        payload, whole = self.reader.payload(page)
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
        notes = Notes(
            reading.title,
            reading.mime,
            reading.charset,
            reading.recognition.fields if reading.recognition else (),
            digest,
        )
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
        if self._log is not None and objects and captured.identity:
            self._log.write(page.visit.url, page.started, captured.identity, reading.recognition, objects)

    def _judge(self, acts: Acts, page: Page, traps: Traps) -> tuple[list[Link], list[Skip]]:
        """Keep of the links what belongs to the crawl and is news; say why of the rest."""
        visit = page.visit
        found = [link for link in acts.links if not found_otherwise(link.key, self._known)]
        if self._filtered and page.status not in REDIRECTS and not acts.placed:
            changed = [link for link in found if link.since is not None]
            found = self._known.news(found, visit.depth + 1)
            found += [link for link in changed if link not in found]
        samples, left = self._samples.pick(acts.skips, host_of(visit.url), sooner=visit.corner.startswith(PROBE))
        found = [*found, *samples] if samples else found
        onward: list[Link] = []
        skips = self._refused.news(left, 0)
        year = time.gmtime().tm_year
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
        if self.aim is not None and (why := self.aim.refused(link.url)):
            return Reason.BLACKLISTED, why
        if link.told is not None and not self.scope.excludes(link.url):
            return None  # a feed tells of it, wherever it stands
        return self.scope.refuse(link.url, link.hop, depth)

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
        notes = ",".join(filter(None, (outcome.annotations, f"notStudied:{type(error).__name__}")))
        return msgspec.structs.replace(outcome, annotations=notes)
    return outcome


def _watched(outcome: Outcome, watched: Watched) -> Outcome:
    """Add to how a visit ended when the next is due and what it is to know."""
    from anansi.feeds.past import pack

    notes = ",".join(filter(None, (outcome.annotations, watched.note)))
    past = pack(watched.past) if watched.past is not None else None
    return msgspec.structs.replace(outcome, again=watched.again, carried=past, annotations=notes)


def known_types(definition: Definition, collection: Collection) -> Catalogue | None:
    """Return what a crawl knows about applications: the built-in entries, the person's and the collection's."""
    if definition.strategy != "auto":
        return None
    from anansi.knowledge import shelf

    return shelf.catalogue(shelf.personal(), collection.knowledge)


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
