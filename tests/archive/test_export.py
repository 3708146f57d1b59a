"""Segments → rows."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, parse

from anansi.archive import export, sort
from anansi.archive.export import COLUMNS, FORMATS, objects
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog, segments
from anansi.archive.record import new_id
from anansi.errors import UserError
from anansi.knowledge.vocabulary import OBJECTS
from anansi.model import Value, WebObject
from tests.archive.boards import (
    BOARD,
    NOON,
    PHPBB,
    collection_in,
    filled,
    link,
    number,
    page,
    post,
    text,
    thread,
    thread_at,
    write,
)


def rows(collection: Collection, *kinds: str) -> dict[str, dict[str, Any]]:
    return {found.uri: found.row() for found in objects(collection, kinds)}


def test_an_object_comes_out_as_it_went_in(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    more = (("quote", text("you said")), ("quote", text("he said")), ("likes", number("4")), ("tag", text("bees")))
    whole = post(1, 2, "Hello,\n“world”")
    capture = write(log, 1, [thread(1), WebObject(whole.kind, whole.uri, (*whole.properties, *more), whole.part_of)])
    log.close()
    assert rows(collection, "post")[whole.uri] == {
        "uri": whole.uri,
        "type": "post",
        "part_of": thread_at(1),
        "id": "p2",
        "account": [f"{BOARD}/memberlist.php?u=ann"],
        "author": ["ann"],
        "date": "2019-03-04T10:02:00+01:00",
        "date_as_written": "Mon Mar 04, 2019 10:02 am",
        "text": "Hello,\n“world”",
        "number": 2,
        "quote": ["you said", "he said"],
        "likes": 4,
        "tag": ["bees"],
        "page": thread_at(1),
        "captured": "2023-11-14T22:13:20.000Z",
        "capture": capture,
    }


@pytest.mark.parametrize("kind", OBJECTS)
def test_every_kind_is_known_again(tmp_path: Path, kind: str) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, [WebObject(kind, f"{BOARD}/thing", (("title", text("x")),))])
    log.close()
    assert list(rows(collection)) == list(rows(collection, kind)) == [f"{BOARD}/thing"]


def test_kinds_are_chosen(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    kinds = {kind: len(rows(collection, kind)) for kind in OBJECTS}
    assert {kind: number for kind, number in kinds.items() if number} == {
        "thread": 2,
        "post": 6,
        "forum": 1,
        "account": 1,
    }
    assert len(rows(collection, "thread", "post")) == 8
    assert len(rows(collection)) == 10


@pytest.mark.parametrize("order", [1, -1])
def test_the_newest_capture_wins_whatever_the_order_of_the_segments(tmp_path: Path, order: int) -> None:
    collection = collection_in(tmp_path / "c")
    for worker, (title, later) in enumerate([("Old", 0.0), ("Newer", 60.0), ("Newest", 86_400.0)][::order]):
        log = ObjectLog(collection, worker)
        write(log, 1, [thread(1, title, ("replies", number(str(int(later)))))], at=NOON + later)
        log.close()
    (row,) = rows(collection, "thread").values()
    assert (row["title"], row["replies"], row["captured"]) == ("Newest", 86_400, "2023-11-15T22:13:20.000Z")


def test_what_only_an_older_capture_says_is_kept(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(
        log, 1, [WebObject("thread", thread_at(1), (("title", text("Bees")), ("tag", text("a")), ("tag", text("b"))))]
    )
    write(
        log, 1, [WebObject("thread", thread_at(1), (("title", text("Bees!")), ("views", number("9"))))], at=NOON + 1
    )
    log.close()
    (row,) = rows(collection, "thread").values()
    assert (row["title"], row["views"], row["tag"]) == ("Bees!", 9, ["a", "b"])


def test_the_beginning_of_an_article_does_not_replace_the_whole_one(tmp_path: Path) -> None:
    """A paywall that came later left 71 characters of 3,439."""
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    whole, part = post(1, 2, "All of it, to the end"), post(1, 2, "All of")
    write(log, 1, [whole])
    write(log, 1, [WebObject(part.kind, part.uri, part.properties, part.part_of, incomplete=True)], at=NOON + 60)
    log.close()
    (row,) = rows(collection, "post").values()
    assert (row["text"], row.get("incomplete")) == ("All of it, to the end", None)


def test_a_part_that_is_incomplete_is_joined_to_the_others(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    first, second = post(1, 2, "The first page."), post(1, 2, "The second page.")
    write(log, 1, [first])
    part = WebObject(second.kind, second.uri, second.properties, second.part_of, incomplete=True)
    write(log, 2, [part], at=NOON + 60)
    log.close()
    (row,) = rows(collection, "post").values()
    assert "first page" in row["text"] and "second page" in row["text"]


def test_more_than_fits_in_memory_is_sorted_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sort, "RUN", 20_000)
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    for capture in range(3):
        for topic in range(15):
            write(log, topic, page(topic), at=NOON + capture)
    log.close()
    found = list(objects(collection, ["post"]))
    assert [each.uri for each in found] == sorted({each.uri for each in found})
    assert len(found) == 45
    assert {each.captured for each in found} == {"2023-11-14T22:13:22.000Z"}


def test_garbage_is_left_out(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    (segment,) = segments(collection)
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:9], b"\xff\x00 garbage\n", *lines[9:]]))
    assert len(rows(collection, "post")) == 6


def test_a_collection_without_objects_has_no_rows(tmp_path: Path) -> None:
    assert rows(collection_in(tmp_path / "c")) == {}


# ── formats ──────────────────────────────────────────────────────────────────────────────────────────────────────


def written(collection: Collection, form: str, *kinds: str) -> tuple[int, bytes]:
    output = io.BytesIO()
    count = FORMATS[form](objects(collection, kinds), output)
    return count, output.getvalue()


def test_json_lines_hold_the_rows(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c")
    count, data = written(collection, "jsonl")
    lines = [json.loads(line) for line in data.splitlines()]
    assert count == len(lines)
    assert {line["uri"]: line for line in lines} == rows(collection)
    assert set().union(*lines) <= set(COLUMNS)


def test_csv_holds_the_rows(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(
        log, 1, [WebObject("post", f"{BOARD}/p", (("text", text('"a",\nß')), ("tag", text("x")), ("tag", text("y"))))]
    )
    log.close()
    count, data = written(collection, "csv")
    (row,) = csv.DictReader(io.StringIO(data.decode(), newline=""))
    assert count == 1
    assert tuple(row) == COLUMNS
    assert (row["text"], row["tag"], row["likes"]) == ('"a",\nß', "x\ny", "")


def test_turtle_holds_what_was_said_of_the_objects(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    count, data = written(collection, "ttl", "post")
    assert count == 6
    assert b"a sioc:Post" in data
    said = {str(quad.triple) for quad in parse(data, RdfFormat.TURTLE)}
    assert f'<{thread_at(1)}#p3> <http://rdfs.org/sioc/ns#content> "words 1.3"' in said
    assert len(said) == 6 * 8


def test_parquet_holds_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(export, "BATCH", 4)
    collection = filled(tmp_path / "c", topics=3)
    count, data = written(collection, "parquet", "post", "thread")
    table = parquet.read_table(io.BytesIO(data))
    assert count == table.num_rows == 12
    found = [{name: value for name, value in row.items() if value is not None} for row in table.to_pylist()]
    assert {row["uri"]: row for row in found} == rows(collection, "post", "thread")


def test_parquet_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UserError, match=r"needs pyarrow.*pip install anansi\[parquet\]"):
        written(filled(tmp_path / "c"), "parquet")


def test_links_of_a_post_are_addresses(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, [WebObject("post", f"{BOARD}/p", (("link", link(f"{BOARD}/a b")), ("reply-to", text("p1"))))])
    log.close()
    (row,) = rows(collection).values()
    assert (row["link"], row["reply_to"]) == ([f"{BOARD}/a%20b"], f"{BOARD}/p#p1")


# ── what stands on several pages ─────────────────────────────────────────────────────────────────────────────────

STORY = f"{BOARD}/story/"
FIRST = "It was a dark night, and the rain fell in torrents over the quiet board of bees."
SECOND = "Next morning nobody remembered the storm; the hives stood dry in a mild yellow light."


def told(collection: Collection, *captures: tuple[str, str, float]) -> dict[str, Any]:
    """Write captures of one article (page, text, time) and return the row that comes out."""
    log = ObjectLog(collection, 0)
    for url, words, at in captures:
        said = (
            ("title", text("A story" if words else "Log in")),
            *([("text", Value(words, "body"))] if words else []),
        )
        images = (("image", link(f"{url}picture.png")),) if words else ()
        log.write(url, at, new_id(), PHPBB, [WebObject("article", STORY, (*said, *images))])
    log.close()
    return rows(collection, "article")[STORY]


@pytest.mark.parametrize("turned", [False, True], ids=["in order", "the other way round"])
def test_a_text_on_several_pages_comes_out_whole_and_in_order(turned: bool, tmp_path: Path) -> None:
    pages = [(STORY, FIRST), (f"{STORY}2/", SECOND), (f"{STORY}10/", "And that is all that there is to say of it.")]
    captures = [(url, words, NOON + at) for at, (url, words) in enumerate(reversed(pages) if turned else pages)]
    row = told(collection_in(tmp_path / "c"), *captures)
    assert row["text"] == "\n\n".join(words for _, words in pages)
    assert sorted(row["image"]) == sorted(f"{url}picture.png" for url, _ in pages)


def test_a_newer_capture_of_one_page_replaces_that_part_only(tmp_path: Path) -> None:
    edited = SECOND.replace("yellow", "golden")
    captures = ((STORY, FIRST, NOON), (f"{STORY}2/", SECOND, NOON + 1), (f"{STORY}2/", edited, NOON + 99))
    assert told(collection_in(tmp_path / "c"), *captures)["text"] == f"{FIRST}\n\n{edited}"


def test_a_text_that_stands_on_every_page_comes_out_once_as_it_was_last(tmp_path: Path) -> None:
    edited = FIRST.replace("torrents", "floods")
    captures = ((STORY, FIRST, NOON), (f"{STORY}comment-page-1/", edited, NOON + 9), (f"{STORY}2/", SECOND, NOON + 1))
    assert told(collection_in(tmp_path / "c"), *captures)["text"] == f"{edited}\n\n{SECOND}"


def test_an_excerpt_elsewhere_replaces_no_text(tmp_path: Path) -> None:
    captures = ((STORY, FIRST, NOON), (f"{BOARD}/stories/", FIRST[:30], NOON + 9))
    assert told(collection_in(tmp_path / "c"), *captures)["text"] == FIRST


def test_a_page_that_kept_only_its_title_replaces_no_text(tmp_path: Path) -> None:
    row = told(collection_in(tmp_path / "c"), (STORY, FIRST, NOON), (STORY, "A story", NOON + 9))
    assert (row["title"], row["text"]) == ("A story", FIRST)


@pytest.mark.parametrize("elsewhere", [STORY, f"{STORY}2/"])
def test_a_page_without_the_text_replaces_nothing_that_one_with_it_says(elsewhere: str, tmp_path: Path) -> None:
    row = told(collection_in(tmp_path / "c"), (STORY, FIRST, NOON), (elsewhere, "", NOON + 9))
    assert (row["title"], row["text"], row["page"]) == ("A story", FIRST, STORY)
