"""What a collection holds of an address."""

from __future__ import annotations

from pathlib import Path

from anansi.archive.layout import Collection
from anansi.archive.writer import WarcWriter
from anansi.inspection.captured import Captured
from tests.archive.exchanges import answer
from tests.inspection.blogs import HOST, START, write


def test_captures_are_found_by_any_spelling_and_read(tmp_path: Path) -> None:
    write(tmp_path, [(f"{HOST}/", START + 5, "later", "text/html"), (f"{HOST}/", START, "first", "text/html")])
    found = Captured(Collection(tmp_path), "blog.example")
    lines = found.of("https://www.blog.example/")
    assert [line.at for line in lines] == [START, START + 5]
    answers = [found.answer(line) for line in lines]
    assert [each.data for each in answers if each] == [b"first", b"later"]
    assert found.of(f"{HOST}/other") == []
    assert Captured(Collection(tmp_path), "other.example").of(f"{HOST}/") == []


def test_what_a_crawl_is_writing_is_there_too(tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    collection.create()
    writer = WarcWriter(collection, "test", "host.example", {})
    page = answer(f"{HOST}/", b"now", started=START)
    writer.write_page(page, page.body)
    writer.flush()
    found = Captured(collection, "blog.example")
    (line,) = found.of(f"{HOST}/")
    read = found.answer(line)
    assert read is not None
    assert read.data == b"now"
    writer.close()


def test_a_file_that_is_gone_or_cut_is_nothing(tmp_path: Path) -> None:
    write(tmp_path, [(f"{HOST}/", START, "x" * 50_000, "text/html")])
    found = Captured(Collection(tmp_path), "blog.example")
    (line,) = found.of(f"{HOST}/")
    (warc,) = Collection(tmp_path).warcs()
    warc.write_bytes(warc.read_bytes()[: line.offset + 40])
    assert found.answer(line) is None
    warc.unlink()
    assert found.answer(line) is None
