"""The lines of one WARC file: written when flushed, named when published, dropped when their records failed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anansi.archive.layout import OPEN
from anansi.archive.segment import Segment, add_lines, segments_of
from anansi.errors import DiskError
from tests.archive.exchanges import collection


def test_lines_wait_until_they_are_flushed_and_have_their_name_when_published(tmp_path: Path) -> None:
    path = tmp_path / "lines" / "a.cdxj"
    segment = Segment(path)
    segment.add(b"one\n")
    being_written = path.with_name(path.name + OPEN)
    assert being_written.read_bytes() == b""
    segment.flush()
    assert being_written.read_bytes() == b"one\n"
    segment.add(b"two\n")
    segment.publish()
    assert path.read_bytes() == b"one\ntwo\n"
    assert not being_written.exists()


def test_lines_whose_records_did_not_reach_the_disk_are_forgotten(tmp_path: Path) -> None:
    segment = Segment(tmp_path / "a.cdxj")
    for line in (b"one\n", b"two\n", b"three\n"):
        segment.add(line)
    segment.drop(0)
    segment.drop(2)
    segment.publish()
    assert (tmp_path / "a.cdxj").read_bytes() == b"one\n"


def test_what_could_not_be_written_waits_and_leaves_no_half(tmp_path: Path) -> None:
    segment = Segment(tmp_path / "a.cdxj")
    segment.add(b"one\n")
    segment.flush()
    segment.add(b"two\n")
    descriptor, segment._descriptor = segment._descriptor, os.open(tmp_path / f"a.cdxj{OPEN}", os.O_RDONLY)
    with pytest.raises(DiskError):
        segment.flush()
    segment.abandon()
    segment._descriptor = descriptor
    segment.publish()
    assert (tmp_path / "a.cdxj").read_bytes() == b"one\ntwo\n"


def test_a_segment_that_is_discarded_leaves_nothing(tmp_path: Path) -> None:
    segment = Segment(tmp_path / "a.cdxj")
    segment.add(b"one\n")
    segment.discard()
    segment.discard()
    assert list(tmp_path.iterdir()) == []


def test_only_pages_have_a_line_among_the_pages(tmp_path: Path) -> None:
    made = collection(tmp_path)
    index, pages = both = segments_of(made, "a.warc.gz")
    add_lines(both, [(b"index 1\n", b"page 1\n"), (b"index 2\n", None)])
    index.publish()
    pages.publish()
    assert index.path.read_bytes() == b"index 1\nindex 2\n"
    assert pages.path.read_bytes() == b"page 1\n"
