"""A worker outlives its killed hub for a moment, while the next crawl already mends the archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.layout import OPEN, Collection
from anansi.archive.repair import repair
from anansi.archive.segment import CDXJ, PAGES
from anansi.archive.writer import WarcWriter

INFO = {"software": "Anansi"}


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    """Make a collection."""
    made = Collection(tmp_path / "c")
    made.create()
    return made


def test_a_file_that_a_living_worker_writes_is_left_alone(collection: Collection) -> None:
    writer = WarcWriter(collection, "anansi", "host", INFO)
    [path] = collection.unfinished()
    assert repair(collection) == []
    assert path.exists()
    assert len(list(collection.segments.glob(f"*{OPEN}"))) == 2
    writer.abandon()
    [mended] = repair(collection)
    assert (mended.captures, mended.file) == (0, path.name.removesuffix(OPEN))
    assert not path.exists()


def test_a_file_that_is_finished_while_it_is_looked_for_is_left_alone(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [collection.archive / f"anansi-1-00000-host.warc.gz{OPEN}"]
    monkeypatch.setattr(Collection, "unfinished", lambda _self: seen)
    assert repair(collection) == []


def test_the_lines_of_a_worker_that_begins_during_a_repair_are_left_alone(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker makes its files between two looks of the repair."""
    writers: list[WarcWriter] = []
    listed = Collection.unfinished

    def begin_and_list(self: Collection) -> list[Path]:
        before = listed(self)
        if not writers:
            writers.append(WarcWriter(collection, "anansi", "host", INFO))
        return before

    monkeypatch.setattr(Collection, "unfinished", begin_and_list)
    assert repair(collection) == []
    suffixes = {path.name.removesuffix(OPEN)[-6:] for path in collection.segments.glob(f"*{OPEN}")}
    assert {suffix[suffix.rindex(".") :] for suffix in suffixes} == {CDXJ, PAGES}
    writers[0].close()
    assert collection.unfinished() == []
