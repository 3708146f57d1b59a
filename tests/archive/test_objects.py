"""The log of objects: what is written can be read, whatever happens in between."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, parse

from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog, folder, last_end, pieces, repair, segments
from anansi.archive.quads import Capture, nquads
from anansi.archive.statements import sound, statements
from anansi.errors import DiskError
from anansi.model import WebObject
from tests.archive.boards import NOON, PHPBB, collection_in, filled, page, post, text, thread_at, write


def graphs(collection: Collection) -> list[str]:
    """List the captures that can be read, in order."""
    found = {
        each.graph_name.value: None
        for segment in segments(collection)
        for piece in pieces(segment)
        for each in statements(piece)
        if isinstance(each.graph_name, NamedNode)
    }
    return list(found)


def names(collection: Collection) -> list[str]:
    return sorted(path.name for path in folder(collection).iterdir())


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_flushed_is_there_while_the_log_is_open(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 3)
    first = write(log, 1, page(1))
    log.flush()
    write(log, 2, page(2))
    assert graphs(collection) == [first], "nothing is written before its WARC record was flushed"
    (name,) = names(collection)
    assert name.endswith(".nq.open")
    assert "-003-" in name


def test_a_log_that_is_closed_has_its_final_name(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=2)
    (name,) = names(collection)
    assert name.endswith(".nq")
    assert len(graphs(collection)) == 2
    data = (folder(collection) / name).read_bytes()
    assert len(list(parse(data, RdfFormat.N_QUADS))) == data.count(b"\n")


def test_nothing_to_say_leaves_no_file(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    log.write(thread_at(1), NOON, "x", PHPBB, [])
    log.flush()
    log.close()
    assert segments(collection) == []
    assert not folder(collection).exists()


def test_a_full_segment_is_followed_by_another(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0, max_bytes=10_000)
    written = []
    for topic in range(10):
        written.append(write(log, topic, page(topic)))
        log.flush()
    log.close()
    assert len(segments(collection)) > 2
    assert graphs(collection) == written


def test_workers_and_restarts_never_meet(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    logs = [ObjectLog(collection, number % 2) for number in range(6)]  # the same numbers, in the same second
    written = set()
    for topic, log in enumerate(logs):
        written.add(write(log, topic, page(topic)))
        log.flush()
    for log in logs:
        log.close()
    assert len(segments(collection)) == 6
    assert set(graphs(collection)) == written


def test_a_full_disk_is_said_and_leaves_whole_pages(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    script = f"""
import resource, signal
from pathlib import Path
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from anansi.errors import DiskError
from tests.archive.boards import page, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = ObjectLog(Collection(Path({str(collection.root)!r})), 0)
write(log, 1, page(1)); log.flush()
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
write(log, 2, page(2))
try:
    log.flush()
except DiskError as error:
    print(error)
log.close()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert "limits the size of files" in done.stdout, done.stderr
    assert len(graphs(collection)) == 1
    assert names(collection)[0].endswith(".nq")


def test_a_folder_that_cannot_be_made_is_an_error_of_the_disk(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    folder(collection).write_text("in the way")
    log = ObjectLog(collection, 0)
    write(log, 1, page(1))
    with pytest.raises(DiskError, match="objects"):
        log.flush()


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [100, 1000, 10_000, 1 << 20])
def test_pieces_hold_whole_pages_whatever_their_size(tmp_path: Path, size: int) -> None:
    collection = filled(tmp_path / "c", topics=20)
    (segment,) = segments(collection)
    found = list(pieces(segment, size=size))
    assert b"".join(piece.data for piece in found) == segment.read_bytes()
    owners = [{each.graph_name for each in statements(piece)} for piece in found]
    assert sum(map(len, owners)) == 20, "no page stands in two pieces"
    assert [piece.end for piece in found][-1] == segment.stat().st_size
    rest = b"".join(piece.data for piece in pieces(segment, found[0].end, size))
    assert rest == segment.read_bytes()[found[0].end :]


def test_a_page_that_is_being_written_is_not_read_yet(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    (segment,) = segments(collection)
    data = segment.read_bytes()
    opened = segment.rename(segment.with_name(segment.name + ".open"))
    for cut in random.Random(1).sample(range(len(data)), 25):
        opened.write_bytes(data[:cut])
        whole = list(pieces(segment))
        assert [piece.end for piece in whole] == [end for end in (last_end(data[:cut]),) if end]
        for found in whole:
            assert found.data.endswith(b" .\n")
            assert len({each.graph_name for each in statements(found)}) == found.data.count(b"generatedAtTime")


def test_words_about_ends_are_no_end() -> None:
    tricky = "> <http://www.w3.org/ns/prov#generatedAtTime> "
    capture = Capture(thread_at(1), "2024-01-02T03:04:05Z", "x")
    whole = nquads(capture, [WebObject("post", thread_at(1), (("text", text(tricky)), ("title", text(tricky))))])
    begun = nquads(capture, [post(1, 1, tricky)]).splitlines(keepends=True)[:-1]
    assert last_end(whole + b"".join(begun)) == len(whole)
    assert last_end(b"".join(begun)) == 0


def test_garbage_is_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    (segment,) = segments(collection)
    lines = segment.read_bytes().splitlines(keepends=True)
    count = len(lines)
    garbage = [
        b"\x00\xff\xfe\n",
        b"<a> <b>\n",
        b"<http://a/> <http://b/> <http://c/> .\n",
        b"} ; DROP ALL ; {\n",
        b"\n",
    ]
    for place, line in enumerate(garbage):
        lines.insert(10 + 7 * place, line)
    segment.write_bytes(b"".join(lines) + b"<http://torn/> <http://to")
    found = [each for piece in pieces(segment) for each in statements(piece)]
    assert len(found) == count
    assert len(graphs(collection)) == 3


@given(st.binary(max_size=300))
def test_no_bytes_upset_the_reader(data: bytes) -> None:
    for line in sound(data).splitlines():
        assert list(parse(line, RdfFormat.N_QUADS)) or line.strip() == b"" or line.startswith(b"#")


def test_a_collection_without_objects_has_no_segments(tmp_path: Path) -> None:
    assert segments(Collection(tmp_path / "nowhere")) == []
    assert repair(Collection(tmp_path / "nowhere")) == 0


# ── repair ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_torn_page_is_cut_off_and_the_segment_finished(tmp_path: Path) -> None:
    collection = filled(tmp_path / "c", topics=3)
    (segment,) = segments(collection)
    whole = segment.read_bytes()
    segment.unlink()
    torn = b"".join(nquads(Capture(thread_at(9), "2024-01-02T03:04:05Z", "x"), page(9)).splitlines(True)[:5])
    segment.with_name(segment.name + ".open").write_bytes(whole + torn + b"<http")
    assert repair(collection) == len(torn) + 5
    assert names(collection) == [segment.name]
    assert segment.read_bytes() == whole
    assert repair(collection) == 0


def test_a_segment_without_a_whole_page_goes(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    folder(collection).mkdir()
    (folder(collection) / "objects-1-000-00000.nq.open").write_bytes(b"<http://a")
    assert repair(collection) == 9
    assert names(collection) == []


def test_the_segment_of_a_living_worker_is_left_alone(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, page(1))
    log.flush()
    assert repair(collection) == 0
    assert names(collection)[0].endswith(".open")
    log.abandon()
    repair(collection)
    assert names(collection)[0].endswith(".nq")


WRITER = """
import sys
from pathlib import Path
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog
from tests.archive.boards import page, write
log = ObjectLog(Collection(Path(sys.argv[1])), 0, max_bytes=200_000)
topic = 0
while True:
    batch = [write(log, topic + each, page(topic + each, 15)) for each in range(5)]
    log.flush()
    print(*batch, flush=True)
    topic += 5
"""


def test_what_was_flushed_survives_kill(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    confirmed: list[str] = []
    for _ in range(4):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(collection.root)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            confirmed += process.stdout.readline().split()
            time.sleep(random.uniform(0.0, 0.1))
            os.kill(process.pid, signal.SIGKILL)
            *lines, _torn = process.stdout.read().split("\n")
            confirmed += " ".join(lines).split()
        repair(collection)
    assert all(name.endswith(".nq") for name in names(collection))
    found = graphs(collection)
    assert set(confirmed) <= set(found)
    for segment in segments(collection):
        data = segment.read_bytes()
        assert len(list(parse(data, RdfFormat.N_QUADS))) == data.count(b"\n")
        assert last_end(data) == len(data)
