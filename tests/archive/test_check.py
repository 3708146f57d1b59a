"""A check that finds what is wrong, and only that."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.archive.check import check
from anansi.archive.exchange import Notes
from anansi.archive.index import merge, rebuild
from anansi.archive.layout import Collection
from anansi.archive.record import squeeze
from tests.archive.exchanges import NOW, answer, body, chunked, collection, prose, writer

HTML = ("Content-Type", "text/html")


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    """A sound collection of one file."""
    made = collection(tmp_path)
    into = writer(made)
    for number in range(5):
        page = answer(f"http://example.org/{number}", prose(800, number), started=NOW + number)
        into.write_page(page, page.body, Notes(f"Page {number}"))
    framed = answer("http://example.org/c", chunked(b"hello"), headers=(HTML, ("Transfer-Encoding", "chunked")))
    into.write_page(framed, body(b"hello"))
    broken = answer("http://example.org/d", b"not chunked", headers=(HTML, ("Transfer-Encoding", "chunked")))
    into.write_page(broken, broken.body)
    into.close()
    merge(made)
    return made


def test_a_sound_collection_has_no_problem(made: Collection) -> None:
    report = check(made)
    assert report.ok
    assert (report.files, report.records, report.captures, report.pages) == (1, 22, 7, 7)
    assert report.kinds == {"warcinfo": 1, "response": 7, "request": 7, "metadata": 7}
    assert json.loads(report.to_json())["ok"] is True


def test_an_empty_collection_is_sound(tmp_path: Path) -> None:
    assert check(collection(tmp_path)).ok


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_changed_byte_is_found(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    base = tmp_path_factory.getbasetemp() / "changed"
    found = Collection(base / "collection")
    if not found.exists():
        base.mkdir(exist_ok=True)
        into = writer(collection(base))
        for number in range(3):
            page = answer(f"http://example.org/{number}", prose(500, number))
            into.write_page(page, page.body)
        into.close()
        merge(found)
    (path,) = found.warcs()
    sound = path.read_bytes()
    place = data.draw(st.integers(0, len(sound) - 1))
    changed = bytearray(sound)
    changed[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(changed)
    try:
        report = check(found)
    finally:
        path.write_bytes(sound)
    # some bits mean nothing: the time in the header of a gzip member, codes that no byte uses, the padding at its end
    assert not report.ok or gzip.decompress(changed) == gzip.decompress(sound)


def test_damage_in_the_middle_hides_nothing_behind_it(made: Collection) -> None:
    (path,) = made.warcs()
    data = bytearray(path.read_bytes())
    line = made.index.read_bytes().splitlines()[1]
    place = json.loads(line.split(b" ", 2)[2])
    data[int(place["offset"]) + 100] ^= 0xFF
    path.write_bytes(data)
    report = check(made)
    assert next(problem.offset for problem in report.problems if problem.file == path.name) == int(place["offset"])
    missing = [problem for problem in report.problems if "no such record" in problem.what]
    assert len(missing) == 1
    assert report.captures == 6


def _edit(made: Collection, change: Callable[[bytes], bytes]) -> None:
    """Change one record and compress it again, so that only its own content is wrong."""
    (path,) = made.warcs()
    data = path.read_bytes()
    place = json.loads(made.index.read_bytes().splitlines()[0].split(b" ", 2)[2])
    start, end = int(place["offset"]), int(place["offset"]) + int(place["length"])
    changed = change(gzip.decompress(data[start:end]))
    path.write_bytes(data[:start] + squeeze(changed) + data[end:])
    rebuild(made)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda record: record.replace(b"<title>", b"<TITLE>"), "WARC-Block-Digest does not match"),
        (lambda record: record.replace(b"<title>", b"<TITLE>"), "WARC-Payload-Digest does not match"),
        (lambda record: record.replace(b"WARC-Date: 2", b"WARC-Date: x"), "WARC-Date is missing or not a date"),
        (lambda record: record.replace(b"WARC-Target-URI", b"WARC-Target-XXX"), "WARC-Target-URI is missing"),
        (
            lambda record: record.replace(b"WARC-Record-ID: <urn", b"WARC-Record-ID: (urn"),
            "WARC-Record-ID is missing",
        ),
        (lambda record: record.replace(b"<urn:uuid:", b"<urn:uuid:f"), "WARC-Concurrent-To names no record"),
        (lambda record: record.replace(b"WARC-Type: response", b"WARC-Type: reply!!!"), "WARC-Type is missing"),
        (lambda record: record.replace(b"Content-Length: ", b"Content-Length: 1"), "ends before its Content-Length"),
        (lambda record: record[:-4], "ends before its Content-Length"),
        (lambda record: record + b"x", "more than one record"),
        (lambda record: record.replace(b"WARC-Date:", b"WARC-Date "), "header line is not a field"),
        (lambda record: b"HTTP/1.1" + record[8:], "does not begin with a WARC header"),
    ],
)
def test_what_is_wrong_with_a_record_is_named(made: Collection, change: Callable[[bytes], bytes], what: str) -> None:
    _edit(made, change)
    report = check(made)
    assert any(what in problem.what for problem in report.problems), report.problems
    assert all(problem.cure and problem.file for problem in report.problems)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda lines: lines[1:], "not in the index"),
        (lambda lines: [lines[0].replace(b'"status":"200"', b'"status":"404"'), *lines[1:]], "no such record"),
        (lambda lines: [lines[0].replace(b'"offset":"', b'"offset":"9'), *lines[1:]], "no such record"),
        (lambda lines: [lines[0].replace(b"sha1:", b"sha1:X"), *lines[1:]], "not in the index"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "out of order"),
        (lambda lines: [*lines, b"org,zzz)/ 2020 {nonsense\n"], "no such record"),
        (lambda lines: [], "not in the index"),
    ],
)
def test_what_is_wrong_with_the_index_is_named_and_rebuilding_cures_it(
    made: Collection, change: Callable[[list[bytes]], list[bytes]], what: str
) -> None:
    made.index.write_bytes(b"".join(change(made.index.read_bytes().splitlines(keepends=True))))
    report = check(made)
    assert any(what in problem.what and "--repair" in problem.cure for problem in report.problems), report.problems
    rebuild(made)
    assert check(made).ok


def test_an_index_spelled_by_another_tool_is_accepted(made: Collection) -> None:
    lines = []
    for line in made.index.read_bytes().splitlines():
        key, stamp, fields = line.split(b" ", 2)
        lines.append(b" ".join((key, stamp, json.dumps(json.loads(fields), sort_keys=True).encode())) + b"\n")
    made.index.write_bytes(b"".join(sorted(lines)))
    assert check(made).problems == ()


def test_a_broken_list_of_pages_is_named(made: Collection) -> None:
    made.pages.write_bytes(made.pages.read_bytes() + b'{"url": 1}\n{torn')
    what = [problem.what for problem in check(made).problems]
    assert what == ["the line is not a page with url and ts"] * 2
    made.pages.write_bytes(b"")
    assert "header" in check(made).problems[0].what


def test_unfinished_files_and_unmerged_lines_are_named(made: Collection) -> None:
    into = writer(made)
    page = answer()
    into.write_page(page, page.body)
    into.flush()
    report = check(made)
    assert [problem.what for problem in report.problems] == ["the file is not finished"]
    into.close()
    assert {"these lines are not in the index yet"} < {problem.what for problem in check(made).problems}
