"""A collection opened for comparison: what it cost, what it holds, and when it is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.archive.reader import records
from anansi.errors import CollectionError
from anansi.evaluate.source import open_crawl
from tests.evaluate.collections import Made, collect, recognised


def test_captures_come_in_the_order_they_were_fetched_in(tmp_path: Path) -> None:
    first = collect(tmp_path / "c", {"/late": Made("late", after=9.5), "/early": Made("early", after=1)})
    (warc,) = Collection(first).warcs()
    second = collect(tmp_path / "other", {"/between": Made("between", after=5)})
    Collection(second).warcs()[0].rename(warc.with_name("zz.warc.gz"))
    crawl = open_crawl(first)
    assert [capture.url.rpartition("/")[2] for capture in crawl.captures] == ["early", "between", "late"]


def test_only_successful_answers_in_html_are_pages(tmp_path: Path) -> None:
    pages = {
        "/robots.txt": Made("<p>not for robots", hops="P"),
        "/": Made("home"),
        "/gone": Made("gone", status="404 Not Found"),
        "/moved": Made("moved", status="302 Found"),
        "/data": Made("{}", mime="application/json"),
        "/logo": Made("<p>logo", hops="LE"),
    }
    crawl = open_crawl(collect(tmp_path / "c", pages, requests=9))
    assert [capture.page for capture in crawl.captures] == [False, True, False, False, False, False]
    assert (crawl.requests, crawl.strategy, crawl.notes) == (9, "blind", ())


def test_what_was_recognised_is_read_from_the_metadata(tmp_path: Path) -> None:
    pages: dict[str, str | Made] = {
        "/t": recognised("t", terminal=True),
        "/l": recognised("l", terminal=False),
        "/x": "x",
    }
    crawl = open_crawl(collect(tmp_path / "c", pages))
    assert [capture.terminal for capture in crawl.captures] == [True, False, None]
    assert [capture.type for capture in crawl.captures] == ["forum/test", "forum/test", ""]


def test_damage_is_told_and_what_stands_behind_it_is_read(tmp_path: Path) -> None:
    root = collect(tmp_path / "c", {"/a": "aaa", "/b": "bbb", "/c": "ccc"})
    (warc,) = Collection(root).warcs()
    (start,) = (each.offset for each in records(warc) if each.kind == "response" and each.url.endswith("/b"))
    data = bytearray(warc.read_bytes())
    data[start + 40 : start + 60] = bytes(20)
    warc.write_bytes(data)
    crawl = open_crawl(root)
    assert [capture.url[-1] for capture in crawl.captures] == ["a", "c"]
    (note,) = crawl.notes
    assert f"{warc.name} is damaged at byte {start:,}" in note


def test_a_tail_that_is_torn_off_is_told(tmp_path: Path) -> None:
    root = collect(tmp_path / "c", {"/a": "aaa", "/b": "bbb"})
    (warc,) = Collection(root).warcs()
    warc.write_bytes(warc.read_bytes()[:-5])
    crawl = open_crawl(root)
    assert len(crawl.captures) == 2, "only the last metadata record is torn"
    assert "the file ends inside a gzip member" in crawl.notes[0]


def test_a_crawl_that_ended_early_says_so(tmp_path: Path) -> None:
    crawl = open_crawl(collect(tmp_path / "c", {"/": "home"}, state="limit"))
    assert crawl.state == "limit"
    assert "not complete" in crawl.notes[0]


def test_a_folder_that_is_no_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="is not a collection"):
        open_crawl(tmp_path / "nowhere")


def test_a_crawl_that_runs_or_was_cut_off_is_refused(tmp_path: Path) -> None:
    root = collect(tmp_path / "c", {"/": "home"})
    (warc,) = Collection(root).warcs()
    warc.rename(warc.with_name(warc.name + ".open"))
    with pytest.raises(CollectionError, match="is not finished: a crawl is running, or was cut off"):
        open_crawl(root)


@pytest.mark.parametrize("summary", ["", "[]", "{}", '{"requests": "many"}', "\x00"])
def test_a_summary_that_tells_no_requests_is_refused(tmp_path: Path, summary: str) -> None:
    root = collect(tmp_path / "c", {"/": "home"})
    Collection(root).summary.write_text(summary)
    with pytest.raises(CollectionError, match="does not tell the number of requests"):
        open_crawl(root)
    Collection(root).summary.unlink()
    with pytest.raises(CollectionError, match="no crawl has run there"):
        open_crawl(root)


def test_a_collection_without_a_page_is_refused(tmp_path: Path) -> None:
    empty = collect(tmp_path / "empty", {})
    with pytest.raises(CollectionError, match="holds no page"):
        open_crawl(empty)
    with pytest.raises(CollectionError, match="holds no page"):
        open_crawl(collect(tmp_path / "c", {"/gone": Made("gone", status="404 Not Found")}))


def test_a_summary_of_another_form_still_tells_the_requests(tmp_path: Path) -> None:
    root = collect(tmp_path / "c", {"/": "home"})
    Collection(root).summary.write_text(json.dumps({"requests": 7, "state": "finished", "sites": []}))
    crawl = open_crawl(root)
    assert (crawl.requests, crawl.strategy) == (7, "")
