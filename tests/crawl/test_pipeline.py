"""How a page goes through the stages: all of it is kept before anything is read, and its visit ends once."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator

from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.findings import Findings
from anansi.crawl.pipeline import Pipeline, Tools, aside, verdict_on
from anansi.errors import DiskError
from anansi.fetch.retry import Verdict
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.model import (
    Cut,
    Fault,
    Link,
    Page,
    Visit,
)
from tests.archive.exchanges import answer, chunked, collection, writer
from tests.archive.exchanges import chunked as in_chunks
from tests.crawl.piped import SEED, anchors, bench, page, spooled, urls

PAGE = "http://example.org/app"
DATA = "http://example.org/api/items?page=1"
SHEET = "http://cdn.example.net/app.css"


def loaded_page() -> Page:
    """Make the page of an application that asked for data and a style sheet."""
    data = answer(DATA, b'{"items": [1, 2, 3]}', headers=(("Content-Type", "application/json"),), hops="E")
    framed = (("Content-Type", "text/css"), ("Transfer-Encoding", "chunked"))
    sheet = answer(SHEET, chunked(b"body { color: red }"), headers=framed, hops="E")
    return replace(answer(PAGE, b"<title>App</title><a href='/next'>next</a>"), loaded=(data, sheet))


def kept(made: Collection) -> list[tuple[str, str, dict[str, str]]]:
    """Return the records of an archive: kind, URL, and the fields of metadata."""
    found = []
    for path in sorted(made.archive.iterdir()):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                kind, url = record.rec_type, record.rec_headers.get_header("WARC-Target-URI")
                text = record.content_stream().read().decode("latin-1") if kind == "metadata" else ""
                pairs = (line.partition(": ") for line in text.split("\r\n") if line)
                found.append((kind, url, {name: value for name, _, value in pairs}))
    return [each for each in found if each[0] != "warcinfo"]


def test_every_exchange_of_a_page_is_kept_and_says_whose_it_is(tmp_path: Path) -> None:
    made = collection(tmp_path)
    archive = writer(made)
    definition = Definition()
    pipeline = Pipeline(Tools(definition, archive), compile_scope(definition.scope, [PAGE]), tmp_path)
    page = loaded_page()
    extras = pipeline.capture_loaded(page)
    outcome, links, _, _ = pipeline.process(page, verdict_on(page), Traps())
    archive.close()

    records = kept(made)
    by_page = {url: fields for kind, url, fields in records if kind == "metadata"}
    assert [url for kind, url, _ in records if kind == "response"] == [DATA, SHEET, PAGE]
    assert [url for kind, url, _ in records if kind == "request"] == [DATA, SHEET, PAGE]
    assert {url: fields.get("loadedBy") for url, fields in by_page.items()} == {DATA: PAGE, SHEET: PAGE, PAGE: None}
    assert by_page[SHEET]["mime"] == "text/css"
    assert [(visit.url, each.status, each.page) for visit, each in extras] == [
        (DATA, 200, False),
        (SHEET, 200, False),
    ]
    assert outcome.page
    assert "http://example.org/next" in [link.url for link in links]
    assert {json.loads(line.split(" ", 2)[2])["url"] for line in index_lines(made)} == {DATA, SHEET, PAGE}


def index_lines(made: Collection) -> list[str]:
    files = [path for path in made.segments.rglob("*") if path.is_file()]
    return [line for path in files for line in path.read_text().splitlines() if '"filename"' in line]


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


def test_robots_txt_is_captured_and_decoded_and_is_no_page(tmp_path: Path) -> None:
    wire = in_chunks(gzip.compress(b"User-agent: *\nDisallow: /\n"))
    headers = (("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip"), ("Content-Type", "text/html"))
    desk = bench(tmp_path)
    made = replace(answer(SEED + "robots.txt", headers=headers), body=spooled(wire))
    outcome, text = desk.pipeline.capture_only(made)
    assert text == b"User-agent: *\nDisallow: /\n"
    assert (outcome.ended, outcome.page, outcome.requests, len(desk.archive.written)) == ("done", False, 1, 1)


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
