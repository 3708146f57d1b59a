"""What a crash leaves behind, mended."""

from __future__ import annotations

import functools
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from anansi.archive.check import check
from anansi.archive.exchange import Notes
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.reader import records
from anansi.archive.repair import repair
from anansi.errors import CollectionError
from tests.archive.exchanges import NOW, answer, collection, prose, writer

MEMORY = Path("/dev/shm")
"""Where a repair that is about bytes, not about a disk, need not wait for one to sync."""


@functools.cache
def _file() -> tuple[str, bytes, tuple[int, ...]]:
    """Write a WARC file of four exchanges and return its name, its bytes, and where its records end."""
    with tempfile.TemporaryDirectory() as folder:
        made = collection(Path(folder))
        into = writer(made)
        for number in range(4):
            page = answer(f"http://example.org/{number}", prose(700, number), started=NOW + number)
            into.write_page(page, page.body, Notes(f"Page {number}", "text/html"))
        into.close()
        (path,) = made.warcs()
        ends = tuple(record.offset + record.finish() for record in records(path))
        return path.name, path.read_bytes(), ends


def _crashed(folder: Path, data: bytes) -> Collection:
    made = collection(folder)
    name, _, _ = _file()
    (made.archive / f"{name}.open").write_bytes(data)
    (made.segments / f"{name}.cdxj.open").write_bytes(b"org,example)/0 2023 {torn")
    (made.segments / f"{name}.jsonl.open").write_bytes(b"")
    return made


def _verify(made: Collection, kept: int) -> None:
    """Check that exactly the first `kept` bytes are there, readable by others, indexed, and without a problem."""
    _, data, ends = _file()
    assert made.unfinished() == []
    whole = [end for end in ends if end <= kept]
    if len(whole) < 2:
        assert made.warcs() == []
    else:
        (path,) = made.warcs()
        assert path.read_bytes() == data[: whole[-1]]
        with path.open("rb") as file:
            assert sum(1 for _ in ArchiveIterator(file, check_digests="raise")) == len(whole)
    merged = merge(made)
    report = check(made)
    assert report.problems == ()
    assert merged.captures == report.captures == (len(whole) + 1) // 3
    assert list(made.segments.iterdir()) == []


def _cut_and_repair(cut: int, tail: bytes = b"") -> None:
    _, data, ends = _file()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        made = _crashed(Path(folder), data[:cut] + tail)
        (done,) = repair(made)
        whole = max([end for end in ends if end <= cut], default=0)
        assert (done.kept, done.torn) == (whole, cut - whole + len(tail))
        if done.torn:
            assert Path(done.saved).read_bytes() == data[whole:cut] + tail
            assert done.reason
        _verify(made, cut)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_file_torn_at_any_byte_keeps_its_whole_records(data: st.DataObject) -> None:
    _cut_and_repair(data.draw(st.integers(0, len(_file()[1]))))


def test_a_file_torn_at_the_borders_of_records_and_in_their_trailers() -> None:
    for end in _file()[2]:
        for cut in (end - 8, end - 4, end - 1, end, min(end + 1, len(_file()[1]))):
            _cut_and_repair(cut)


@settings(deadline=None, max_examples=40)
@given(st.data(), st.binary(min_size=1, max_size=64) | st.just(b"\0" * 4096))
def test_garbage_behind_whole_records_is_cut_off_and_kept(data: st.DataObject, tail: bytes) -> None:
    _cut_and_repair(data.draw(st.sampled_from(_file()[2])), tail)


def test_repairing_twice_changes_nothing(tmp_path: Path) -> None:
    _, data, _ends = _file()
    made = _crashed(tmp_path, data[:-3])
    assert len(repair(made)) == 1
    assert repair(made) == []
    _verify(made, len(data) - 3)


def test_a_crash_in_the_middle_of_a_repair_is_repaired(tmp_path: Path) -> None:
    name, data, _ends = _file()
    made = _crashed(tmp_path, data[:-3])
    repair(made)
    (made.archive / name).rename(made.archive / f"{name}.open")
    (done,) = repair(made)
    assert done.torn == 0
    _verify(made, len(data) - 3)


def test_a_segment_left_open_beside_a_finished_file_is_rebuilt(tmp_path: Path) -> None:
    name, data, _ = _file()
    made = _crashed(tmp_path, data)
    (made.archive / f"{name}.open").rename(made.archive / name)
    assert repair(made) == []
    _verify(made, len(data))


def test_a_file_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer()
    into.write_page(page, page.body)
    into.flush()
    assert repair(made) == []
    into.close()
    assert merge(made).captures == 1
    assert check(made).problems == ()


def test_a_writer_that_let_go_leaves_its_file_to_a_repair(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    for number in range(2):
        page = answer(f"http://example.org/{number}")
        into.write_page(page, page.body)
    into.abandon()
    (done,) = repair(made)
    assert (done.captures, done.torn) == (2, 0)
    assert merge(made).captures == 2
    assert check(made).problems == ()


def test_what_is_no_collection_is_not_touched(tmp_path: Path) -> None:
    with pytest.raises(CollectionError):
        repair(Collection(tmp_path))


CRAWL = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from anansi.archive.layout import Collection
from tests.archive.exchanges import answer, prose, writer
into = writer(Collection(Path(sys.argv[1])), 300_000)
number = 0
while True:
    for _ in range(5):
        page = answer(f"http://example.org/{number}", prose(4000, number))
        into.write_page(page, page.body)
        number += 1
    into.flush()
    print(number, flush=True)
"""


@pytest.mark.parametrize("rounds", [3, 17, 40])
def test_nothing_that_was_flushed_is_lost_by_kill_9(tmp_path: Path, rounds: int) -> None:
    made = collection(tmp_path)
    root = str(Path(__file__).parents[2])
    crawl = subprocess.Popen([sys.executable, "-c", CRAWL, str(made.root), root], stdout=subprocess.PIPE, text=True)
    assert crawl.stdout is not None
    flushed = 0
    for _ in range(rounds):
        flushed = int(crawl.stdout.readline())
    crawl.send_signal(signal.SIGKILL)
    for line in crawl.stdout.read().splitlines():
        flushed = int(line)
    crawl.communicate(timeout=120)
    repair(made)
    merge(made)
    report = check(made)
    assert report.problems == ()
    urls = {json.loads(line.split(b" ", 2)[2])["url"] for line in made.index.read_bytes().splitlines()}
    assert {f"http://example.org/{number}" for number in range(flushed)} <= urls
    shutil.rmtree(made.root)
