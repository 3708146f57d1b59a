"""The life of a page, from its bytes to what is known by them: the stages of a crawl, in order.

A stage is `(Page, Findings) -> Findings`; `findings` says which of them fills what. What a page needs depends on why
it was asked for and how it was answered, so there are four ways through the list, all of which begin alike: the bytes
are in the archive before anything parses them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from anansi import clock
from anansi.archive.layout import OPEN, Collection
from anansi.archive.objects import ObjectLog
from anansi.archive.writer import WarcWriter
from anansi.config import Definition
from anansi.crawl import findings
from anansi.crawl.captures import page_at
from anansi.crawl.findings import BytesStage, Findings, Stage, noted
from anansi.crawl.stages.archive import Archive
from anansi.crawl.stages.gaps import Gaps
from anansi.crawl.stages.judge import Judge, made_up, mark_made_up
from anansi.crawl.stages.read import Reader
from anansi.errors import AnansiError
from anansi.fetch import decode, mime, retry
from anansi.frontier.known import Known
from anansi.frontier.scope import Scope
from anansi.frontier.traps import Traps
from anansi.model import Ended, Exchange, Link, Outcome, Page, Reason, Role, Seen, Skip, Visit, WebObject

if TYPE_CHECKING:  # a blind crawl knows no applications, and starts sooner without
    from anansi.crawl.stages.articles import Articles
    from anansi.crawl.stages.learn import Learn
    from anansi.crawl.stages.mend import Mender
    from anansi.crawl.stages.propose import Proposer
    from anansi.crawl.stages.score import FocusReader
    from anansi.crawl.stages.watch import Watcher
    from anansi.crawl.stages.weigh import Weigh
    from anansi.knowledge.catalogue import Catalogue
    from anansi.pages.interpreter import Interpreter

LARGEST_ASIDE: Final = 1 << 20
"""Bytes of an exchange that is no page (robots.txt) which are read."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker's pipeline works with."""

    definition: Definition
    writer: WarcWriter
    catalogue: Catalogue | None = None
    """What is known about applications; None in a blind crawl."""
    objects: ObjectLog | None = None
    collection: Collection | None = None
    """Where what is learned is kept; None where nothing is learned."""


class Pipeline:
    """The stages of one worker. Mutable state: that of each stage, which its module names."""

    def __init__(self, tools: Tools, scope: Scope, spool: Path):
        definition, known = tools.definition, Known()
        self._known = known
        self.reader = reader = Reader(definition, spool, tools.catalogue)
        self.archive = archive = Archive(tools.writer, tools.objects)
        self.learn, self.weigh = _learning(definition, reader, known)
        self.mender, self.proposer = _teachers(tools, reader)
        self.watcher = _watcher(tools, reader)
        self.focus = _focus(definition, reader)
        refused = self.focus.refused if self.focus is not None else None
        self.judge = judge = Judge(definition, scope, reader, known, blacklisted=refused)
        gaps = Gaps()

        self._bytes: tuple[BytesStage, ...] = (reader.unpack, reader.sniff, archive.capture)
        bytes_first: list[Stage | None] = [
            *self._bytes,
            aside(reader.parse, "unreadable"),
            reader.recognise,
            archive.note,
        ]
        self._page = _there(
            [
                *bytes_first,
                reader.act,
                _look(self.watcher, by_the_run),
                _look(self.focus),
                partial(_see, reader),
                aside(gaps.look),
                archive.describe,
                _look(self.mender, aside),
                _look(self.learn),
                _look(self.proposer, aside),
                judge.links,
                _look(self.weigh),
                judge.ask,
                judge.traps,
            ]
        )
        self._part = _there([*bytes_first, judge.part])
        self._made_up = _there([*bytes_first[:-1], mark_made_up, archive.note, made_up])
        self._retry = _there([*bytes_first, aside(gaps.look)])

    @property
    def interpreter(self) -> Interpreter | None:
        """What knows the sites' types."""
        return self.reader.interpreter

    @property
    def teachers(self) -> tuple[Mender | Proposer | Articles | None, ...]:
        """Who learns from pages."""
        return self.mender, self.proposer, self.watcher.articles if self.watcher is not None else None

    def process(
        self, page: Page, verdict: retry.Verdict, traps: Traps
    ) -> tuple[Outcome, list[Link], list[Skip], str | None]:
        """Take a page through the stages; return how it ended, what it leads to, and a pattern closed by it."""
        found = _through(self._stages(page, verdict), page, Findings(traps=traps))
        return outcome_of(page, found, verdict), found.onward, found.refused, found.closed

    def _stages(self, page: Page, verdict: retry.Verdict) -> Sequence[Stage]:
        if verdict.retry:
            return self._retry
        if page.visit.role is Role.MADE_UP:
            return self._made_up
        return self._part if page.visit.requisite else self._page

    def capture_loaded(self, page: Page) -> list[tuple[Visit, Outcome]]:
        """Archive the exchanges that loading a page took besides its own; return how each ended."""
        by = page.visit.url
        return [(each.visit, self.capture_only(each, loaded_by=by)[0]) for each in page.loaded]

    def capture_only(self, page: Exchange, *, loaded_by: str = "") -> tuple[Outcome, bytes]:
        """Archive an exchange that is not a page (robots.txt); return how it ended and the decoded body."""
        found = Findings(loaded_by=loaded_by)
        for stage in self._bytes:
            found = stage(page, found)
        payload = found.payload.read(LARGEST_ASIDE)
        data = decode.content_decode(page.header("content-encoding"), payload, LARGEST_ASIDE).data
        self.archive.note(page, found)
        # asked for again when its time comes, not by retrying; and no page, whatever it says
        verdict = retry.Verdict(strike=verdict_on(page).strike)
        outcome = outcome_of(page, findings.replace(found, mime=""), verdict)
        return findings.replace(outcome, duplicate=False), data

    def left_out(self, visit: Visit) -> tuple[Reason, str] | None:
        """Say why a visit is not needed any more, or None when it is."""
        return self.interpreter.spared(visit, self._known) if self.interpreter is not None else None

    def instead(self, visit: Visit) -> list[Link]:
        """Say what to ask for instead of a visit that must not be made."""
        return self.interpreter.instead(visit) if self.interpreter is not None else []


# ── running stages ───────────────────────────────────────────────────────────────────────────────────────────────


def _through(stages: Sequence[Stage], page: Page, found: Findings) -> Findings:
    for stage in stages:
        found = stage(page, found)
    return found


class _Looks(Protocol):
    """Whoever has a stage and remembers something from page to page."""

    def look(self, page: Page, found: Findings) -> Findings: ...


def _look(who: _Looks | None, how: Callable[[Stage], Stage] = lambda stage: stage) -> Stage | None:
    """Return the stage of somebody whom not every crawl has."""
    return how(who.look) if who is not None else None


def _there(stages: Sequence[Stage | None]) -> tuple[Stage, ...]:
    """Leave out the stages that a crawl does not have."""
    return tuple(stage for stage in stages if stage is not None)


def aside(stage: Stage, what: str = "notStudied") -> Stage:
    """Let a stage that goes wrong over a page not end its visit: that is noted in crawl.log."""

    def look(page: Page, found: Findings) -> Findings:
        try:
            return stage(page, found)
        except AnansiError:
            raise  # of the disk: whoever runs the crawl must know
        except Exception as error:  # a page that we cannot read is worth keeping all the more
            return noted(found, f"{what}:{type(error).__name__}")

    return look


def by_the_run(stage: Stage) -> Stage:
    """Have a stage go by the clock of the run, as due dates do."""
    return lambda page, found: stage(replace(page, started=clock.now()), found)


def _see(reader: Reader, page: Page, found: Findings) -> Findings:
    """Add what a page turned out to be, for the account of its site."""
    seen = seen_on(page, found, reader)
    return findings.replace(found, seen=seen) if seen is not None else found


# ── stages that not every crawl has ──────────────────────────────────────────────────────────────────────────────


def _learning(definition: Definition, reader: Reader, known: Known) -> tuple[Learn | None, Weigh | None]:
    if definition.strategy == "blind":
        return None, None
    from anansi.crawl.stages.learn import Learn
    from anansi.crawl.stages.weigh import Weigh
    from anansi.learn.learner import Learner

    learn = Learn(definition, reader, known, Learner())
    return learn, Weigh(reader.interpreter, learn.said) if reader.interpreter is not None else None


def _teachers(tools: Tools, reader: Reader) -> tuple[Mender | None, Proposer | None]:
    """Return what mends rules, and what proposes entries of unknown sites, where the knowledge base is in use."""
    collection, objects = tools.collection, tools.objects
    if reader.interpreter is None or collection is None or objects is None:
        return None, None
    from anansi.crawl.stages.mend import Mender
    from anansi.crawl.stages.propose import Proposer

    def source_at(filename: str, offset: int) -> str:
        """Read a page that another worker captured, whose file may not be finished."""
        found = (page_at(collection.archive / name, offset, reader.rules) for name in (filename, filename + OPEN))
        page = next((each for each in found if each is not None), None)
        document = reader.read(page).document if page is not None else None
        return document.source if document is not None else ""

    proposer = Proposer(reader.interpreter, collection, objects, source_at)
    return Mender(reader.interpreter, collection, objects), proposer


def _watcher(tools: Tools, reader: Reader) -> Watcher | None:
    """Return what watches feeds and pages, where that is asked for."""
    if tools.definition.watch.what == "nothing" or tools.collection is None:
        return None
    from anansi.crawl.stages.articles import Articles
    from anansi.crawl.stages.watch import Watcher

    return Watcher(tools.definition.watch, reader, Articles(tools.collection, reader.interpreter))


def _focus(definition: Definition, reader: Reader) -> FocusReader | None:
    """Return what reads pages for who scores, where the crawl is about something."""
    if not definition.focus.is_set():
        return None
    from anansi.crawl.stages.score import FocusReader

    return FocusReader(definition, reader)


def known_types(definition: Definition, collection: Collection) -> Catalogue | None:
    """Return what a crawl knows about applications: the built-in entries, the person's and the collection's."""
    if definition.strategy != "auto":
        return None
    from anansi.knowledge import shelf

    return shelf.catalogue(shelf.personal(), collection.knowledge)


# ── before and after ─────────────────────────────────────────────────────────────────────────────────────────────


def verdict_on(page: Exchange) -> retry.Verdict:
    """Say what follows from how an exchange went, before anything is done with the page."""
    answer = page.fault or page.cut
    asked, visit = page.header("retry-after"), page.visit
    # by the server's clock, which a date in Retry-After goes by
    now = retry.moment(page.header("date")) if asked else None
    now = time.time() if now is None else now
    return retry.after(page.status, answer, visit.attempt, asked, now, part=visit.requisite)


def seen_on(page: Page, found: Findings, reader: Reader) -> Seen | None:
    """Say what a page turned out to be, if anything can be said of it."""
    doubts = found.done.doubts if found.done is not None else ()
    known = found.recognition
    if known is None and not (found.objects or found.stated or doubts):
        return None
    return Seen(
        type=known.type if known is not None else "",
        level=known.level if known is not None else "",
        terminal=known is not None and known.terminal,
        objects=_counted(page, found.objects, reader),
        stated=found.stated,
        doubts=doubts,
        incomplete=sum(each.incomplete for each in found.objects),
    )


def _counted(page: Page, objects: list[WebObject], reader: Reader) -> dict[str, int]:
    """Count objects by kind; what holds others counts on its first page only, whose address it is named by."""
    holders = {each.part_of for each in objects}
    own = (each for each in objects if each.uri not in holders or reader.key(each.uri) == page.visit.key)
    return dict(Counter(each.kind for each in own))


def outcome_of(page: Exchange, found: Findings, verdict: retry.Verdict) -> Outcome:
    """Say how a visit ended."""
    final = Ended.DONE if page.fault is None else Ended.FAILED
    ended = Ended.RETRY if verdict.retry else final
    counts = ended is Ended.DONE and page.ok and not page.visit.requisite
    return Outcome(
        ended=ended,
        status=page.status if page.fault is None else retry.HERITRIX.get(page.fault, -3),
        fault=page.fault or "",
        detail=page.detail if page.fault else "",
        wait=verdict.wait,
        slow=verdict.slow,
        strike=verdict.strike and page.fault is not None,
        requests=page.sent,
        page=counts and mime.is_html(found.mime),
        listed=found.listed,
        duplicate=found.captured.duplicate,
        size=len(page.head) + page.body.size,
        mime=found.mime or page.header("content-type").partition(";")[0].strip(),
        validators=found.captured.validators,
        started=page.started,
        seconds=page.seconds,
        ip=page.ip,
        annotations=",".join(_notes(page, found)),
        said=found.said,
        again=found.again,
        watched=found.watched,
        to_score=found.to_score,
        seen=found.seen,
        novel=found.novel,
        lost=found.lost,
        claimed=found.claimed,
    )


def _notes(page: Exchange, found: Findings) -> list[str]:
    notes = [f"truncated:{page.cut}"] if page.cut else []
    notes += ["bomb"] if found.bomb else []
    notes += ["readInPart"] if found.unread and not found.bomb else []
    notes += ["badTransferCoding"] if not found.whole and page.cut is None else []
    return [*notes, *found.notes]
