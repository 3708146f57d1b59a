"""Versions are read back from statements, whether a crawl wrote each capture or only those that brought news."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from anansi.archive.history import History, history
from anansi.archive.layout import Collection
from anansi.archive.lines import Capture, cdxj_line
from anansi.archive.objects import ObjectLog
from anansi.archive.record import warc_date
from anansi.model import Value, WebObject
from tests.archive.boards import NOON, collection_in, number, post, thread, thread_at, write

DAY = 86_400.0
URL = thread_at(1)


def board(folder: Path, *days: tuple[list[WebObject], str]) -> Collection:
    """Make a collection with one page, captured once a day; objects are written where there are some."""
    collection = collection_in(folder)
    log = ObjectLog(collection, 0)
    lines = []
    for day, (objects, status) in enumerate(days):
        at = NOON + day * DAY
        if objects:
            write(log, 1, objects, at=at)
        lines.append(cdxj_line(Capture(URL, warc_date(at), "", "text/html", status, "sha1:x", "a.warc.gz", day, 9)))
    log.close()
    others = [f"https://board.example/viewtopic.php?t={number}" for number in (0, 2, 3)]
    lines += [
        cdxj_line(Capture(each, warc_date(NOON), "", "text/html", "200", "", "a.warc.gz", 0, 9)) for each in others
    ]
    collection.index.write_bytes(b"".join(sorted(lines)))
    return collection


FIRST = [thread(1), post(1, 1, "one"), post(1, 2, "two words here")]
SECOND = [thread(1), post(1, 1, "one"), post(1, 2, "two other words here"), post(1, 3, "three")]


def versions(found: History) -> list[tuple[int, str, str, int]]:
    return [(each.number, each.first[:8], each.last[:8], each.captures) for each in found.versions]


@pytest.mark.parametrize("between", [FIRST, []])
def test_captures_without_news_are_of_the_version_before(tmp_path: Path, between: list[WebObject]) -> None:
    days: tuple[tuple[list[WebObject], str], ...] = (
        (FIRST, "200"),
        (between, "200"),
        (SECOND, "200"),
        ([], "500"),
        ([], "200"),
    )
    found = history(board(tmp_path / "c", *days), URL)
    assert versions(found) == [(1, "20231114", "20231115", 2), (2, "20231116", "20231118", 2)]
    shown = [found.version_at(each) for each in found.captures]
    assert [each.number if each else None for each in shown] == [1, 1, 2, None, 2]
    assert [found.begins(each) for each in found.captures] == [True, False, True, False, False]


def test_a_version_says_what_became_of_each_object(tmp_path: Path) -> None:
    found = history(board(tmp_path / "c", (FIRST, "200"), (SECOND, "200"), (FIRST, "200")), URL)
    _, second, third = found.versions
    assert [each.uri for each in second.revision.added] == [f"{URL}#p3"]
    ((edited, (edit,)),) = second.revision.edited
    assert (edited.uri, edit.name, edit.before, edit.after) == (
        f"{URL}#p2",
        "text",
        ("two words here",),
        ("two other words here",),
    )
    assert edit.passages == [("same", "two"), ("new", "other"), ("same", "words here")]
    assert [each.uri for each in third.revision.removed] == [f"{URL}#p3"]


def test_counters_make_no_version(tmp_path: Path) -> None:
    viewed = [thread(1, "Bees", ("views", number("7"))), *FIRST[1:]]
    more = [thread(1, "Bees", ("views", number("90"))), *FIRST[1:]]
    assert len(history(board(tmp_path / "c", (viewed, "200"), (more, "200")), URL).versions) == 1


def test_references_are_part_of_a_version(tmp_path: Path) -> None:
    def leading(to: str) -> list[WebObject]:
        return [replace(thread(1), properties=(*thread(1).properties, ("reference", Value(to, "link"))))]

    found = history(
        board(tmp_path / "c", (leading("https://a.org/"), "200"), (leading("https://b.org/"), "200")), URL
    )
    ((_, (edit,)),) = found.versions[1].revision.edited
    assert (edit.name, edit.before, edit.after) == ("reference", ("https://a.org/",), ("https://b.org/",))


def test_an_object_is_found_on_its_pages(tmp_path: Path) -> None:
    collection = board(tmp_path / "c", (FIRST, "200"), (SECOND, "200"))
    found = history(collection, f"{URL}#p2")
    assert [[each.uri for each in version.objects] for version in found.versions] == [[f"{URL}#p2"]] * 2
    assert len(found.captures) == 2
    third = history(collection, f"{URL}#p3")
    assert versions(third) == [(1, "20231115", "20231115", 1)]


def test_the_same_url_in_another_spelling_is_the_same(tmp_path: Path) -> None:
    collection = board(tmp_path / "c", (FIRST, "200"))
    assert len(history(collection, "https://BOARD.example/viewtopic.php?t=1").versions) == 1
    assert history(collection, "https://board.example/viewtopic.php?t=9").captures == ()


def story(folder: Path, *captures: tuple[str, float, str]) -> Collection:
    """Make a collection with an object on several pages: page, day, its text (none where it says the same)."""
    collection = collection_in(folder)
    log, lines = ObjectLog(collection, 0), []
    for url, day, words in captures:
        at = NOON + day * DAY
        if words:
            log.write(
                url, at, "urn:uuid:x", None, [WebObject("post", f"{URL}#p1", (("text", Value(words, "body")),))]
            )
        lines.append(cdxj_line(Capture(url, warc_date(at), "", "text/html", "200", "sha1:x", "a.warc.gz", 1, 9)))
    log.close()
    collection.index.write_bytes(b"".join(sorted(lines)))
    return collection


def test_versions_of_an_object_on_several_pages_are_of_the_whole(tmp_path: Path) -> None:
    second = f"{URL}&start=10"
    one, two, new = "Of bees and their keepers.", "What came of the honey at last.", "What became of all the wax."
    pages = ((URL, 0, one), (second, 0.1, two), (URL, 5, ""), (second, 5.1, new), (URL, 9, ""), (second, 9.1, ""))
    found = history(story(tmp_path / "c", *pages), f"{URL}#p1")
    assert [each.objects[0].get("text") for each in found.versions] == [f"{one}\n\n{two}", f"{one}\n\n{new}"]
    assert versions(found) == [(1, "20231114", "20231119", 3), (2, "20231120", "20231124", 3)]
    ((_, (edit,)),) = found.versions[1].revision.edited
    assert (edit.name, edit.after) == ("text", (f"{one}\n\n{new}",))
