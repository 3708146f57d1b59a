"""The life of a page inside one worker: read, captured, acted upon, judged."""

from __future__ import annotations

import gzip
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from anansi import config
from anansi.archive.dedup import Original
from anansi.archive.exchange import Exchange, Kept, Notes
from anansi.archive.layout import Collection
from anansi.archive.record import warc_date
from anansi.archive.writer import WarcWriter
from anansi.config import Definition
from anansi.config.focus import Focus
from anansi.crawl.findings import Findings
from anansi.crawl.pipeline import Pipeline, Tools, aside, verdict_on
from anansi.crawl.stages import read
from anansi.crawl.stages.read import MAX_DECODED, Reader
from anansi.errors import DiskError
from anansi.fetch.retry import Verdict
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.model import (
    COOKIE,
    MAX_REDIRECTS,
    Body,
    Cut,
    Fault,
    Gap,
    Hop,
    Link,
    Outcome,
    Page,
    Skip,
    Validators,
    Visit,
)
from anansi.pages.links import MOST
from tests.archive.exchanges import answer, body
from tests.archive.exchanges import chunked as in_chunks

SEED = "http://example.org/"
PAGES = config.Scope(requisites=False)
"""Pages alone, without what they show."""
TEXT = "Some words of a page that is long enough to be worth a revisit record. " * 20


@dataclass
class Notebook:
    """A writer that keeps in mind what it was given."""

    written: list[tuple[Page, bytes, Notes, Original | None]] = field(default_factory=list)

    def write_exchange(self, page: Page, payload: Body, notes: Notes, *, revisit_of: Original | None = None) -> Kept:
        self.written.append((page, payload.read(), notes, revisit_of))
        exchange = Exchange.of(page, payload, notes, revisit_of)
        return Kept(exchange, exchange.place("a.warc.gz", 0, 0))

    def write_notes(self, page: Page, kept: Kept, notes: Notes) -> None:
        last, payload, before, original = self.written[-1]
        assert last is page
        told = msgspec.structs.replace(before, title=notes.title, charset=notes.charset, fields=notes.fields)
        self.written[-1] = (page, payload, told, original)


@dataclass
class Bench:
    """A pipeline with a notebook for an archive."""

    pipeline: Pipeline
    archive: Notebook
    traps: Traps = field(default_factory=Traps)

    def process(self, page: Page, verdict: Verdict | None = None) -> tuple[Outcome, list[Link], list[Skip]]:
        outcome, links, skips, _ = self.pipeline.process(page, verdict or verdict_on(page), self.traps)
        return outcome, [link for link in links if not link.url.endswith("/favicon.ico")], skips  # of every site


def bench(folder: Path, definition: Definition | None = None) -> Bench:
    """Make a pipeline for one seed."""
    definition = definition or Definition()
    archive = Notebook()
    scope = compile_scope(definition.scope, [SEED])
    tools = Tools(definition, cast(WarcWriter, archive), collection=Collection(folder))
    return Bench(Pipeline(tools, scope, folder), archive)


def page(html: str, url: str = SEED, *, depth: int = 0, **more: Any) -> Page:
    """Make the page that a server answered with, found so many links from the seed."""
    made = answer(url, html.encode(), **more)
    return replace(made, visit=msgspec.structs.replace(made.visit, depth=depth))


def anchors(*hrefs: str) -> str:
    return "".join(f'<a href="{href}">x</a>' for href in hrefs)


def spooled(data: bytes) -> Body:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the body
    file.write(data)
    return Body(len(data), file=cast(Any, file))


def urls(links: list[Link]) -> list[str]:
    return [link.url for link in links]


# ── payloads ─────────────────────────────────────────────────────────────────────────────────────────────────

CHUNKED = (("Transfer-Encoding", "chunked"), ("Content-Type", "text/html"))


@pytest.mark.parametrize("store", [body, spooled])
@pytest.mark.parametrize(("wire", "payload", "whole"), [
    (in_chunks(b"hello world"), b"hello world", True),
    (in_chunks(b"hello world")[:-5], b"hello world", False),
    (b"5\r\nhello\r\nzz\r\n", b"hello", False),
])  # fmt: skip
def test_chunks_are_undone_wherever_the_body_lies(
    store: Any, wire: bytes, payload: bytes, whole: bool, tmp_path: Path
) -> None:
    made = replace(answer(headers=CHUNKED), body=store(wire))
    found = Reader(Definition(), tmp_path).unpack(made, Findings())
    assert (found.payload.read(), found.payload.size, found.whole) == (payload, len(payload), whole)


def test_a_body_without_chunks_is_its_own_payload(tmp_path: Path) -> None:
    made = answer(data=b"as it is")
    found = Reader(Definition(), tmp_path).unpack(made, Findings())
    assert (found.payload, found.whole) == (made.body, True)


def test_a_body_that_contradicts_its_coding_is_noted(tmp_path: Path) -> None:
    made = replace(answer(headers=CHUNKED), body=body(b"5\r\nhello\r\nzz\r\n"))
    outcome, _, _ = bench(tmp_path).process(made)
    assert (outcome.ended, outcome.annotations) == ("done", "badTransferCoding")


# ── reading and acting ───────────────────────────────────────────────────────────────────────────────────────


def test_a_page_leads_to_its_links_in_their_order(tmp_path: Path) -> None:
    outcome, found, skips = bench(tmp_path).process(page("<title> A \n page </title>" + anchors("/b", "a", "/b#x")))
    assert urls(found) == ["http://example.org/b", "http://example.org/a"] and skips == []
    assert (outcome.ended, outcome.page, outcome.mime, outcome.requests) == ("done", True, "text/html", 1)


def test_what_was_read_goes_to_the_archive_with_the_page(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    desk.process(page("<title>A page</title>"))
    ((_, payload, notes, original),) = desk.archive.written
    assert (payload, original) == (b"<title>A page</title>", None)
    assert (notes.title, notes.mime, notes.charset) == ("A page", "text/html", "utf-8")


def test_compressed_pages_are_read_and_kept_compressed(tmp_path: Path) -> None:
    wire = gzip.compress(anchors("/on").encode())
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    desk = bench(tmp_path)
    _, found, _ = desk.process(answer(SEED, wire, headers=headers))
    assert urls(found) == ["http://example.org/on"]
    assert desk.archive.written[0][1] == wire


def test_a_bomb_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "MAX_DECODED", 10_000)
    wire = gzip.compress(anchors("/on").encode() + b" " * 20_000)
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    outcome, found, _ = bench(tmp_path).process(answer(SEED, wire, headers=headers))
    assert (outcome.annotations, found) == ("bomb", [])


@pytest.mark.parametrize("status", ["404 Not Found", "500 Oops", "401 No"])
def test_an_error_page_has_a_title_but_leads_nowhere(status: str, tmp_path: Path) -> None:
    desk = bench(tmp_path)
    outcome, found, _ = desk.process(page("<title>Sorry</title>" + anchors("/on"), status=status), Verdict())
    assert (found, outcome.page) == ([], False)
    assert desk.archive.written[0][2].title == "Sorry"


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See", "307 Over", "308 There"])
def test_a_redirect_leads_to_its_target_and_nowhere_else(status: str, tmp_path: Path) -> None:
    made = page(anchors("/other"), status=status, headers=(("Location", "/target"), ("Content-Type", "text/html")))
    _, found, _ = bench(tmp_path).process(made)
    assert [(link.url, link.hop) for link in found] == [("http://example.org/target", "R")]


def test_a_redirect_with_a_cookie_says_so(tmp_path: Path) -> None:
    headers = (("Location", "/"), ("Set-Cookie", "a=b"))
    _, found, _ = bench(tmp_path).process(page("", status="302 Found", headers=headers))
    assert [link.action for link in found] == [COOKIE]


@pytest.mark.parametrize("location", ["", "mailto:x@example.org", "http://[broken", "javascript:alert(1)"])
def test_a_redirect_to_nowhere_is_the_end(location: str, tmp_path: Path) -> None:
    outcome, found, skips = bench(tmp_path).process(page("", status="302 Found", headers=(("Location", location),)))
    assert (outcome.ended, found, skips) == ("done", [], [])


def test_what_only_looks_like_a_page_is_not_parsed(tmp_path: Path) -> None:
    outcome, found, _ = bench(tmp_path).process(answer(SEED, b"%PDF-1.4 <a href=/x>x</a>"))
    assert (outcome.mime, outcome.page, found) == ("application/pdf", False, [])


def test_a_style_sheet_leads_to_what_it_needs_unless_that_is_not_wanted(tmp_path: Path) -> None:
    headers = (("Content-Type", "text/css"),)
    sheet = answer(SEED + "style.css", b"@import 'more.css'; p { background: url(/b.png) }", headers=headers)
    without = Definition(scope=config.Scope(requisites=False))
    assert bench(tmp_path, without).process(sheet)[1] == []
    found = bench(tmp_path).process(sheet)[1]
    assert [(link.url, link.hop) for link in found] == [
        ("http://example.org/more.css", "E"),
        ("http://example.org/b.png", "E"),
    ]


# ── judging ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_outside_is_skipped_with_a_reason_and_only_once(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    _, found, skips = desk.process(page(anchors("http://elsewhere.org/", "/in")))
    assert urls(found) == ["http://example.org/in"]
    assert [(skip.url, skip.reason) for skip in skips] == [("http://elsewhere.org/", "out of scope")]
    assert desk.process(page(anchors("http://elsewhere.org/", "/in"), SEED + "2"))[1:] == ([], [])


def test_a_link_too_deep_is_skipped_and_taken_when_it_is_nearer(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(scope=config.Scope(max_hops=2)))
    _, found, skips = desk.process(page(anchors("/wanted"), SEED + "deep", depth=2))
    assert (found, [skip.reason for skip in skips]) == ([], ["hop limit"])
    _, found, skips = desk.process(page(anchors("/wanted"), SEED + "near", depth=1))
    assert (urls(found), skips) == (["http://example.org/wanted"], [])


def test_every_finding_is_told_when_scores_add_up(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(frontier=config.Frontier(update="sum")))
    told = [urls(desk.process(page(anchors("/again"), SEED + str(number)))[1]) for number in range(3)]
    assert told == [["http://example.org/again"]] * 3


def test_a_seed_may_redirect_out_of_scope_and_others_may_not(tmp_path: Path) -> None:
    away = (("Location", "http://moved.org/"),)
    _, found, _ = bench(tmp_path).process(page("", status="301 Moved", headers=away))
    assert urls(found) == ["http://moved.org/"]
    _, found, skips = bench(tmp_path).process(page("", status="301 Moved", headers=away, hops="L"))
    assert (found, [skip.reason for skip in skips]) == ([], ["out of scope"])


@pytest.mark.parametrize(("hops", "followed"), [("R" * (MAX_REDIRECTS - 1), True), ("R" * MAX_REDIRECTS, False)])
@pytest.mark.parametrize("before", ["", "L", "LLRLE", "123+LLLL"])
def test_redirects_in_a_row_are_counted(before: str, hops: str, followed: bool, tmp_path: Path) -> None:
    made = page("", status="302 Found", headers=(("Location", "/next"),), hops=before + hops)
    _, found, skips = bench(tmp_path).process(made)
    assert bool(found) is followed
    assert [skip.reason for skip in skips] == ([] if followed else ["too many redirects"])


def test_a_trap_is_skipped_unless_traps_are_not_looked_for(tmp_path: Path) -> None:
    loop = "/a/a/a/a/a/"
    _, found, skips = bench(tmp_path).process(page(anchors(loop)))
    assert (found, [skip.reason for skip in skips]) == ([], ["trap"])
    careless = bench(tmp_path, Definition(frontier=config.Frontier(traps=False)))
    assert urls(careless.process(page(anchors(loop)))[1]) == [f"http://example.org{loop}"]


def test_a_picture_that_links_to_itself_is_wanted(tmp_path: Path) -> None:
    desk = bench(tmp_path, Definition(scope=config.Scope(requisites=True)))
    shown = '<a href="http://cdn.org/p.png"><img src="http://cdn.org/p.png"></a><a href="http://cdn.org/">x</a>'
    _, found, skips = desk.process(page(shown))
    assert [(link.url, link.hop) for link in found] == [("http://cdn.org/p.png", "E")]
    assert [skip.url for skip in skips] == ["http://cdn.org/"]


# ── how it ended ─────────────────────────────────────────────────────────────────────────────────────────────


def failed(fault: Fault, *, attempt: int = 0, sent: int = 0) -> Page:
    return Page(Visit(SEED, SEED, attempt=attempt), 1.0, 0.5, sent=sent, fault=fault, detail="what curl said")


@pytest.mark.parametrize(
    ("fault", "status"),
    [(Fault.DNS, -1), (Fault.CONNECT, -2), (Fault.TIMEOUT, -4), (Fault.RESET, -3), (Fault.URL, -7)],
)
def test_a_fault_is_told_in_heritrix_codes(fault: Fault, status: int, tmp_path: Path) -> None:
    desk = bench(tmp_path)
    outcome, found, skips = desk.process(failed(fault))
    assert (outcome.status, outcome.fault, outcome.detail) == (status, fault.value, "what curl said")
    assert (found, skips, desk.archive.written) == ([], [], [])


def test_a_request_counts_when_it_went_out(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    assert desk.process(failed(Fault.TIMEOUT))[0].requests == 0
    assert desk.process(failed(Fault.TIMEOUT, sent=2))[0].requests == 2


def test_what_may_come_right_is_tried_again_and_then_given_up(tmp_path: Path) -> None:
    ends = [bench(tmp_path).process(failed(Fault.RESET, attempt=attempt))[0] for attempt in range(3)]
    assert [outcome.ended for outcome in ends] == ["retry", "retry", "failed"]
    assert [outcome.wait > 0 for outcome in ends] == [True, True, False]
    assert all(outcome.strike for outcome in ends)


def test_a_page_to_be_tried_again_is_kept_but_not_acted_upon(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    cut = replace(page(anchors("/on")), cut=Cut.DISCONNECT)
    outcome, found, _ = desk.process(cut)
    assert (outcome.ended, outcome.page, found) == ("retry", False, [])
    assert outcome.annotations == "truncated:disconnect" and len(desk.archive.written) == 1
    last = replace(cut, visit=msgspec.structs.replace(cut.visit, attempt=1))
    outcome, found, _ = desk.process(last)
    assert (outcome.ended, outcome.page, urls(found)) == ("done", True, ["http://example.org/on"])


def test_a_verdict_comes_before_anything_is_done() -> None:
    busy = page("", status="429 Too Many", headers=(("Retry-After", "7"),))
    assert verdict_on(busy) == Verdict(retry=True, wait=7.0, slow=7.0, strike=False)
    assert verdict_on(page("fine")) == Verdict()


def test_a_payload_that_is_kept_already_becomes_a_revisit(tmp_path: Path) -> None:
    desk = bench(tmp_path)
    first, _, _ = desk.process(page(TEXT))
    second, _, _ = desk.process(page(TEXT, SEED + "twin"))
    assert (first.duplicate, second.duplicate) == (False, True)
    original = desk.archive.written[1][3]
    assert original is not None and original.url == SEED


def test_what_the_server_calls_unmodified_stands_for_what_it_was(tmp_path: Path) -> None:
    before = Validators('"v1"', "", "sha1:ABC", 12.0)
    desk = bench(tmp_path)
    outcome, found, _ = desk.process(page("", status="304 Not Modified", validators=before))
    assert (outcome.status, outcome.validators, found, outcome.page) == (304, before, [], False)
    original = desk.archive.written[0][3]
    assert original is not None and original.digest == "sha1:ABC"


def test_validators_are_kept_for_the_next_time(tmp_path: Path) -> None:
    headers = (("ETag", '"' + "x" * 500 + '"'), ("Last-Modified", "Tue, 01 Sep 2026 00:00:00 GMT"))
    outcome, _, _ = bench(tmp_path).process(page("x", headers=headers))
    assert outcome.validators is not None
    assert outcome.validators.modified == "Tue, 01 Sep 2026 00:00:00 GMT"
    assert outcome.validators.digest.startswith("sha1:")


def test_robots_txt_is_captured_and_decoded_and_is_no_page(tmp_path: Path) -> None:
    wire = in_chunks(gzip.compress(b"User-agent: *\nDisallow: /\n"))
    headers = (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"), ("Content-Type", "text/html"))
    desk = bench(tmp_path)
    made = replace(answer(SEED + "robots.txt", headers=headers), body=spooled(wire))
    outcome, text = desk.pipeline.capture_only(made)
    assert text == b"User-agent: *\nDisallow: /\n"
    assert (outcome.ended, outcome.page, outcome.requests, len(desk.archive.written)) == ("done", False, 1, 1)


def test_a_link_remembers_how_it_was_found(tmp_path: Path) -> None:
    _, found, _ = bench(tmp_path).process(page(anchors("/on"), SEED, hops="LR", depth=1))
    child = Visit(SEED, SEED, hops="LR", depth=1, seed=SEED).child(found[0])
    assert (child.hops, child.depth, child.via) == ("LRL", 2, SEED)
    assert found[0].hop == Hop.LINK.value


@pytest.mark.parametrize("started", [1_790_589_365.014337, 1_790_589_365.9996, 1_790_589_365.0])
def test_a_later_visit_knows_the_date_of_the_capture_to_the_millisecond(started: float, tmp_path: Path) -> None:
    outcome, _, _ = bench(tmp_path).process(page("x", started=started))
    assert outcome.validators is not None
    assert warc_date(outcome.validators.date) == warc_date(started)


def stumbling(page: Page, found: Findings) -> Findings:
    raise KeyError("a page")


def test_who_stumbles_over_a_page_while_studying_it_ends_nothing() -> None:
    found = Findings(links=[Link(SEED + "a", SEED + "a")], notes=("before",))
    after = aside(stumbling)(page("<p>Hello"), found)
    assert (after.links, after.notes) == (found.links, ("before", "notStudied:KeyError"))


def test_a_full_disk_is_no_stumbling() -> None:
    def full(page: Page, found: Findings) -> Findings:
        raise DiskError("/archive: no space left")

    with pytest.raises(DiskError):
        aside(full)(page("<p>Hello"), Findings())


# ── pages that are too large to read ─────────────────────────────────────────────────────────────────────────────


def test_a_page_that_is_read_in_part_is_archived_and_marked(tmp_path: Path) -> None:
    made = bench(tmp_path)
    attributes = " ".join(f"a{number}" for number in range(20_000))
    outcome, links, _ = made.process(page(f"<p {attributes}>{anchors('/on')}"))
    assert [link.url for link in links] == ["http://example.org/on"]
    assert outcome.annotations == "readInPart"
    assert outcome.seen is not None
    assert outcome.seen.gap == Gap.LARGE
    assert outcome.seen.gap_detail == "left out: attributes of 1 tags after the first 256"
    written, _, notes, _ = made.archive.written[0]
    assert written.body.size > 100_000
    assert ("leftOutOfReading", "attributes of 1 tags after the first 256") in notes.fields


def test_a_bomb_is_too_large_to_read(tmp_path: Path) -> None:
    packed = gzip.compress(b"<p>x</p>" * (MAX_DECODED // 8 + 1))
    fetched = answer(SEED, packed, headers=(("content-type", "text/html"), ("content-encoding", "gzip")))
    outcome, _, _ = bench(tmp_path).process(fetched)
    assert outcome.annotations == "bomb"
    assert outcome.seen is not None
    assert outcome.seen.gap == Gap.LARGE


@pytest.mark.parametrize(
    "definition",
    [
        Definition(strategy="blind", scope=PAGES),
        Definition(strategy="learn", scope=PAGES),
        Definition(scope=PAGES),
        Definition(watch=config.Watch(what="pages"), scope=PAGES),
        Definition(focus=Focus(keywords=["example"]), scope=PAGES),
    ],
)
def test_a_page_may_nest_as_deep_as_it_is_parsed(tmp_path: Path, definition: Definition) -> None:
    made = bench(tmp_path, definition)
    deep = "<div><p>example</p>" * 2000 + anchors("/on")
    _, links, _ = made.process(page(deep))
    assert [link.url for link in links] == ["http://example.org/on"]


@pytest.mark.parametrize("strategy", ["blind", "learn", "auto"])
def test_links_that_are_left_out_are_counted(tmp_path: Path, strategy: Any) -> None:
    made = bench(tmp_path, Definition(strategy=strategy, scope=PAGES))
    outcome, links, _ = made.process(page(anchors(*(f"/{number}" for number in range(MOST + 500)))))
    assert len(links) == MOST
    assert outcome.annotations == "linksLeftOut:500"
    assert outcome.seen is not None
    assert (outcome.seen.gap, outcome.seen.gap_detail) == (Gap.LARGE, "left out: 500 links after the first 20,000")
    outcome, _, _ = made.process(page(anchors("/x"), f"{SEED}2"))
    assert outcome.annotations == ""


# ── pages that say that nothing is there ─────────────────────────────────────────────────────────────────────────

NOTHING = (
    "<html><head><title>Page not found</title></head><body><h1>Page not found</h1>"
    "<p>Sorry, the page you are looking for does not exist.</p>" + anchors("/more-1", "/more-2") + "</body></html>"
)


def test_from_where_nothing_is_nothing_is_followed(tmp_path: Path) -> None:
    made = bench(tmp_path, Definition(scope=PAGES))
    found = page(NOTHING, SEED + "gone", depth=1)
    outcome, links, _ = made.process(replace(found, visit=msgspec.structs.replace(found.visit, via=SEED)))
    assert outcome.seen is not None
    assert (outcome.seen.gap, links) == (Gap.SOFT_404, [])


def test_a_seed_that_says_that_nothing_is_there_may_lead_on(tmp_path: Path) -> None:
    outcome, links, _ = bench(tmp_path, Definition(scope=PAGES)).process(page(NOTHING))
    assert outcome.seen is not None
    assert (outcome.seen.gap, len(links)) == (Gap.SOFT_404, 2)


def test_the_archive_says_of_an_address_that_nobody_linked_to_it(tmp_path: Path) -> None:
    made = bench(tmp_path, Definition(scope=PAGES))
    url = SEED + "made/up"
    made.traps.mazes._asked[url] = "example.org/made/"
    outcome, links, _ = made.process(page("<p>Not here.", url, depth=1))
    assert (outcome.annotations, links) == ("madeUp", [])
    assert ("madeUp", "yes") in made.archive.written[0][2].fields
