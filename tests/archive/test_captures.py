"""Captures are found in an index of any size, merged or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.captures import captures, near
from anansi.archive.layout import Collection
from anansi.archive.lines import Capture, cdxj_line
from tests.archive.boards import collection_in


def line(url: str, date: str = "2026-05-01T10:00:00Z", status: str = "200") -> bytes:
    return cdxj_line(Capture(url, date, "", "text/html", status, "sha1:x", "a.warc.gz", 7, 9))


def indexed(folder: Path, *lines: bytes) -> Collection:
    collection = collection_in(folder)
    collection.index.write_bytes(b"".join(sorted(lines)))
    return collection


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_every_line_of_an_index_is_found(tmp_path: Path, size: int) -> None:
    urls = [f"https://example.org/{'x' * (at % 7)}{at}" for at in range(size)]
    collection = indexed(tmp_path / "c", *map(line, urls))
    for url in urls:
        assert [each.url for each in captures(collection, url)] == [url]
    for other in ("https://example.org/", "https://example.org/zzz", "https://aaa.example/", "https://zzz.example/"):
        assert captures(collection, other) == []


def test_captures_come_in_their_order_with_those_not_merged_yet(tmp_path: Path) -> None:
    url = "https://example.org/a"
    collection = indexed(
        tmp_path / "c", line(url, "2026-05-02T10:00:00Z", "404"), line(url), line("https://example.org/ab")
    )
    (collection.segments / "b.warc.gz.cdxj.open").write_bytes(line(url, "2026-04-30T10:00:00Z") + b"torn")
    found = captures(collection, url)
    assert [each.date for each in found] == ["2026-04-30 10:00:00", "2026-05-01 10:00:00", "2026-05-02 10:00:00"]
    assert [each.status for each in found] == ["200", "200", "404"]


def test_urls_that_begin_alike_are_near(tmp_path: Path) -> None:
    urls = [f"https://example.org/{name}" for name in ("birds/heron", "birds/goose", "fish", "robots.txt")]
    collection = indexed(tmp_path / "c", *map(line, [*urls, "https://other.example/"]))
    found = near(collection, "https://example.org/birds/herons")
    assert found[:2] == ["https://example.org/birds/heron", "https://example.org/birds/goose"]
    assert not any(each.endswith("robots.txt") for each in found)
    assert near(collection_in(tmp_path / "empty"), "https://example.org/") == []


def test_a_damaged_line_is_passed_over(tmp_path: Path) -> None:
    url = "https://example.org/a"
    broken = b"org,example)/a 20260501 {not json\n"
    collection = indexed(tmp_path / "c", line(url), broken)
    assert [each.url for each in captures(collection, url)] == [url]
