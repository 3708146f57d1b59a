"""Indexes, compared with those of other people's indexers."""

from __future__ import annotations

import importlib
import io
import json
import os
import subprocess
from pathlib import Path

from anansi.archive.dedup import Original
from anansi.archive.exchange import Notes
from anansi.archive.index import merge, rebuild
from anansi.archive.layout import Collection
from anansi.archive.record import payload_digest
from anansi.model import Validators
from tests.archive.exchanges import NOW, answer, body, chunked, collection, prose, writer

HTML = ("Content-Type", "text/html; charset=utf-8")


def _varied(made: Collection, count: int = 12) -> None:
    into = writer(made, max_bytes=6000)
    for number in range(count):
        page = answer(f"http://www.example.org/p/{number}?b=2&a=1", prose(2000, number), started=NOW + number)
        into.write_page(page, page.body, Notes(f"Page {number}é", "text/html"))
    framed = answer("http://example.org/c", chunked(b"hello"), headers=(HTML, ("Transfer-Encoding", "chunked")))
    into.write_page(framed, body(b"hello"))
    image = answer("http://example.org/i.png", b"png", headers=(("Content-Type", "image/png"),), hops="E")
    into.write_page(image, image.body)
    missing = answer("http://example.org/gone", b"<p>no", status="404 Not Found")
    into.write_page(missing, missing.body, Notes(mime="text/html"))
    bare = answer("http://example.org/bare", b"?", headers=())
    into.write_page(bare, bare.body)
    digest = payload_digest(body(prose(2000, 0)))
    copy = answer("http://example.org/copy", prose(2000, 0), started=NOW + 99)
    into.write_page(
        copy, copy.body, revisit_of=Original("http://www.example.org/p/0?b=2&a=1", NOW, digest, chunked=False)
    )
    same = answer(
        "http://example.org/copy", b"", status="304 Not Modified", validators=Validators(digest=digest, date=NOW)
    )
    into.write_page(same, same.body, Notes("Again", "text/html"))
    into.close()


def test_lines_written_and_lines_rebuilt_are_the_same(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made)
    first = merge(made)
    index, pages = made.index.read_bytes(), made.pages.read_bytes()
    assert first.captures == 18
    assert rebuild(made) == first
    assert made.index.read_bytes() == index
    assert made.pages.read_bytes() == pages


def test_the_index_says_what_cdxj_indexer_says(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made)
    merge(made)
    out = io.StringIO()
    indexer = importlib.import_module("cdxj_indexer.main").CDXJIndexer(
        out, [str(path) for path in made.warcs()], sort=True
    )
    indexer.process_all()
    theirs = sorted(_parsed(line) for line in out.getvalue().splitlines())
    ours = sorted(_parsed(line) for line in made.index.read_text().splitlines())
    assert len(ours) == 18
    for mine, other in zip(ours, theirs, strict=True):
        assert mine[:2] == other[:2]
        wanted = dict(json.loads(other[2]))
        found = {name: value for name, value in json.loads(mine[2]).items() if value != "unk"}
        assert found == wanted


def _parsed(line: str) -> tuple[str, str, str]:
    key, stamp, fields = line.split(" ", 2)
    return key, stamp, json.dumps(json.loads(fields), sort_keys=True)


def test_the_index_is_sorted_as_sort_does(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made)
    merge(made)
    result = subprocess.run(
        ["sort", "-c", "-u", str(made.index)], env={**os.environ, "LC_ALL": "C"}, capture_output=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_pages_are_those_people_read(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made, count=2)
    merge(made)
    header, *lines = [json.loads(line) for line in made.pages.read_text().splitlines()]
    assert header["format"] == "json-pages-1.0"
    assert [line["ts"] for line in lines] == sorted(line["ts"] for line in lines)
    assert {line.get("title") for line in lines} == {"Page 0é", "Page 1é", "Again", None}
    assert {line["url"] for line in lines} == {
        "http://www.example.org/p/0?b=2&a=1", "http://www.example.org/p/1?b=2&a=1",
        "http://example.org/c", "http://example.org/copy",
    }  # fmt: skip
    assert all(line["id"] and line["ts"].endswith("Z") for line in lines)


def test_merging_again_changes_nothing(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made)
    segments = {path: path.read_bytes() for path in made.segments.iterdir()}
    first = merge(made)
    index, pages = made.index.read_bytes(), made.pages.read_bytes()
    assert list(made.segments.iterdir()) == []
    for path, data in segments.items():  # as if a crash had kept them from being removed
        path.write_bytes(data)
    assert merge(made) == first
    assert (made.index.read_bytes(), made.pages.read_bytes()) == (index, pages)
    assert merge(made) == first


def test_a_second_crawl_adds_to_the_first(tmp_path: Path) -> None:
    made = collection(tmp_path)
    _varied(made)
    first = merge(made)
    into = writer(made)
    page = answer("http://new.example/", b"<p>new")
    into.write_page(page, page.body)
    into.close()
    assert merge(made).captures == first.captures + 1
    assert b"example,new)/ " in made.index.read_bytes()


def test_segments_of_a_file_still_open_stay(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer()
    into.write_page(page, page.body)
    into.flush()
    assert merge(made).captures == 0
    into.close()
    assert merge(made).captures == 1
