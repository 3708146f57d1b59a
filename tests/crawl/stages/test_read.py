"""The life of a page inside one worker: read, captured, acted upon, judged."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from anansi import config
from anansi.config import Definition
from anansi.config.focus import Focus
from anansi.crawl.findings import Findings
from anansi.crawl.stages import read
from anansi.crawl.stages.read import MAX_DECODED, Reader
from anansi.fetch.retry import Verdict
from anansi.model import Gap
from anansi.pages.links import MOST
from tests.archive.exchanges import answer, body
from tests.archive.exchanges import chunked as in_chunks
from tests.crawl.piped import PAGES, SEED, anchors, bench, page, spooled, urls

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
    assert [link.cookie for link in found] == [True]


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
