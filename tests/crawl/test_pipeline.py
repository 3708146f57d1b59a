"""A page whose loading took more than its own exchange: all of it is kept, before anything is read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from anansi.archive.layout import Collection
from anansi.config import Definition
from anansi.crawl.pipeline import Pipeline, Tools, verdict_on
from anansi.frontier.scope import compile_scope
from anansi.frontier.traps import Traps
from anansi.model import Page
from tests.archive.exchanges import answer, chunked, collection, writer

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
