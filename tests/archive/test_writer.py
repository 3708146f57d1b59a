"""Exchanges written, and read back by other people's readers."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from anansi.archive.check import check
from anansi.archive.dedup import Dedup, Original
from anansi.archive.exchange import Notes
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.record import IDENTICAL, NOT_MODIFIED, payload_digest
from anansi.archive.repair import repair
from anansi.errors import DiskError
from anansi.model import Body, Cut, Fault, Page, Validators, Visit
from tests.archive.exchanges import NOW, answer, body, chunked, collection, prose, writer

HTML = ("Content-Type", "text/html")


def _warcio(path: Path) -> list[dict[str, Any]]:
    """Read every record with warcio, digests checked."""
    found = []
    with path.open("rb") as file:
        for each in ArchiveIterator(file, check_digests="raise"):
            payload = each.content_stream().read()
            found.append({**dict(each.rec_headers.headers), "http": each.http_headers, "payload": payload})
    return found


def _only(made: Collection) -> Path:
    (path,) = made.warcs()
    return path


def test_an_exchange_is_three_records_that_belong_together(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer("http://example.org/a?b=1", b"<p>hello</p>", hops="L")
    notes = Notes("A  title", "text/html", "utf-8", (("type", "forum/phpbb"),))
    place = into.write_page(page, page.body, notes)
    into.close()
    assert place is not None
    info, response, request, metadata = _warcio(_only(made))
    assert [each["WARC-Type"] for each in (info, response, request, metadata)] == [
        "warcinfo", "response", "request", "metadata",
    ]  # fmt: skip
    assert info["WARC-Filename"] == place.filename == _only(made).name
    assert response["WARC-Target-URI"] == "http://example.org/a?b=1"
    assert response["WARC-Record-ID"] == f"<{place.identity}>"
    assert request["WARC-Concurrent-To"] == metadata["WARC-Concurrent-To"] == response["WARC-Record-ID"]
    assert response["payload"] == b"<p>hello</p>"
    fields = dict(line.split(": ", 1) for line in metadata["payload"].decode().split("\r\n")[:-1])
    assert fields == {
        "via": "http://example.org/", "hopsFromSeed": "L", "fetchTimeMs": "125", "title": "A title",
        "mime": "text/html", "charset": "utf-8", "type": "forum/phpbb",
    }  # fmt: skip
    with _only(made).open("rb") as file:
        file.seek(place.offset)
        member = file.read(place.length)
    assert member.startswith(b"\x1f\x8b")
    assert member.endswith(len(_block(page, place.identity, member)).to_bytes(4, "little"))


def _block(page: Page, identity: str, member: bytes) -> bytes:
    record = gzip.decompress(member)
    assert identity.encode() in record
    assert page.head + page.body.data in record
    return record


def test_fastwarc_verifies_every_digest(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    for number in range(20):
        page = answer(f"http://example.org/{number}", prose(3000, number))
        into.write_page(page, page.body)
    into.close()
    kinds = []
    for each in FastIterator(str(_only(made)), parse_http=False, fsspec_args=False):
        kinds.append(each.headers["WARC-Type"])
        assert each.verify_block_digest(), each
    assert kinds == ["warcinfo"] + ["response", "request", "metadata"] * 20
    checker = Checker(type("Options", (), {"inputs": [str(_only(made))], "verbose": False}))
    checker.process_all()
    assert checker.exit_value == 0


def test_a_chunked_body_is_kept_as_it_came_under_the_digest_of_its_payload(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    payload = prose(2000)
    page = answer(data=chunked(payload, 100), headers=(HTML, ("Transfer-Encoding", "chunked")))
    into.write_page(page, body(payload))
    into.close()
    with _only(made).open("rb") as file:
        for each in ArchiveIterator(file):
            if each.rec_type == "response":
                decoded = each.content_stream().read()
                digest = each.rec_headers.get_header("WARC-Payload-Digest")
    assert decoded == payload
    assert digest == "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()
    merge(made)
    assert check(made).problems == ()


def test_a_body_cut_short_says_why(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer(data=b"x" * 100, cut=Cut.TIME)
    into.write_page(page, page.body)
    into.close()
    assert _warcio(_only(made))[1]["WARC-Truncated"] == "time"


def test_an_identical_payload_becomes_a_revisit_with_its_own_head(tmp_path: Path) -> None:
    made, dedup = collection(tmp_path), Dedup()
    into = writer(made)
    data = prose(5000)
    for number, url in enumerate(("http://a.example/", "http://b.example/")):
        page = answer(url, data, started=NOW + number)
        digest = payload_digest(page.body)
        original = dedup.find(page, digest, page.body.size)
        place = into.write_page(page, page.body, Notes(digest=digest), revisit_of=original)
        assert place is not None
        assert place.revisit == bool(number)
        dedup.remember(page, digest, page.body.size)
    into.close()
    revisit = _warcio(_only(made))[4]
    assert revisit["WARC-Type"] == "revisit"
    assert revisit["WARC-Profile"] == IDENTICAL
    assert revisit["WARC-Refers-To-Target-URI"] == "http://a.example/"
    assert revisit["WARC-Refers-To-Date"] == "2023-11-14T22:13:20.250Z"
    assert revisit["WARC-Payload-Digest"] == payload_digest(body(data))
    assert revisit["http"].get_statuscode() == "200"
    assert revisit["payload"] == b""
    merge(made)
    assert check(made).problems == ()


def test_a_304_becomes_a_revisit_and_keeps_its_head_to_the_byte(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    first = answer(data=prose(3000))
    into.write_page(first, first.body)
    earlier = Validators(digest=payload_digest(first.body), date=NOW)
    page = answer(data=b"", status="304 Not Modified", headers=(("ETag", '"a  b"'),), validators=earlier)
    into.write_page(page, body(b""))
    into.close()
    revisit, _, metadata = _warcio(_only(made))[4:]
    assert (revisit["WARC-Type"], revisit["WARC-Profile"]) == ("revisit", NOT_MODIFIED)
    assert revisit["WARC-Payload-Digest"] == earlier.digest
    assert revisit["Content-Length"] == "0"
    line = next(line for line in metadata["payload"].decode().split("\r\n") if line.startswith("responseHead: "))
    assert json.loads(line.partition(": ")[2]).encode("latin-1") == page.head


def test_a_304_nobody_asked_for_is_a_response(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer(data=b"", status="304 Not Modified")
    into.write_page(page, page.body)
    into.close()
    assert _warcio(_only(made))[1]["WARC-Type"] == "response"


def test_a_fault_without_an_answer_writes_nothing(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    silent = Page(Visit("http://example.org/", "k"), NOW, 1.0, request=b"GET / HTTP/1.1\r\n\r\n", fault=Fault.TIMEOUT)
    garbage = dataclasses.replace(silent, head=b"SSH-2.0-OpenSSH\r\n", fault=Fault.PROTOCOL)
    assert into.write_page(silent, silent.body) is None
    assert into.write_page(garbage, garbage.body) is None
    into.close()
    assert list(made.archive.iterdir()) == []
    assert list(made.segments.iterdir()) == []


def test_hostile_text_stays_in_its_place(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    url = "http://example.org/a\r\nWARC-Type: request\r\n\r\nb c"
    notes = Notes(
        "t\r\n\r\nWARC/1.1\r\nWARC-Type: x\ud800", "text/html\r\nX: y", "utf-8\n", (("a\r\nb: c", "d\r\ne: f"),)
    )
    page = answer(url, b"x")
    into.write_page(page, page.body, notes)
    into.close()
    merge(made)
    assert check(made).problems == ()
    assert [each["WARC-Type"] for each in _warcio(_only(made))] == ["warcinfo", "response", "request", "metadata"]
    assert _warcio(_only(made))[1]["WARC-Target-URI"] == (
        "http://example.org/a%0D%0AWARC-Type:%20request%0D%0A%0D%0Ab%20c"
    )
    assert len(made.index.read_bytes().splitlines()) == 1


def test_files_rotate_and_every_page_is_indexed(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made, max_bytes=20_000)
    for number in range(30):
        page = answer(f"http://example.org/{number}", prose(5000, number))
        into.write_page(page, page.body)
    into.close()
    names = [path.name for path in made.warcs()]
    assert len(names) > 3
    assert all(path.stat().st_size < 30_000 for path in made.warcs())
    assert [name.split("-")[2] for name in names] == [f"{number:05d}" for number in range(len(names))]
    assert made.unfinished() == []
    assert merge(made).captures == 30
    assert check(made).problems == ()


def test_two_workers_of_one_host_do_not_take_the_same_name(tmp_path: Path) -> None:
    made = collection(tmp_path)
    writers = [writer(made) for _ in range(5)]
    for each in writers:
        each.write_page(answer(), answer().body)
        each.close()
    assert len(made.warcs()) == 5


def test_records_reach_the_disk_before_the_lines_that_point_to_them(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer(data=prose(3000))
    place = into.write_page(page, page.body)
    assert place is not None
    (warc,) = made.unfinished()
    (segment,) = made.segments.glob("*.cdxj.open")
    assert segment.read_bytes() == b""
    assert warc.stat().st_size >= place.offset + place.length
    into.flush()
    assert json.loads(segment.read_bytes().split(b" ", 2)[2])["offset"] == str(place.offset)
    into.close()


FULL = """
import resource, sys
from pathlib import Path
from anansi.archive.check import check
from anansi.archive.index import merge
from anansi.archive.layout import Collection
from anansi.archive.writer import WarcWriter
from anansi.errors import DiskError
from anansi.model import Body
sys.path.insert(0, sys.argv[2])
from tests.archive.exchanges import answer, prose, writer
made = Collection(Path(sys.argv[1]))
made.create()
into = writer(made)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
flushed = 0
try:
    for number in range(1000):
        page = answer(f"http://example.org/{number}", prose(6000, number))
        if sys.argv[3] == "file":
            import dataclasses, io
            page = dataclasses.replace(page, body=Body(6000, file=io.BytesIO(page.body.data)))
        into.write_page(page, page.body)
        into.flush()
        flushed += 1
except DiskError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
page = answer("http://example.org/after")
into.write_page(page, page.body)
into.close()
merged = merge(made)
report = check(made)
print(flushed + 1, merged.captures, report.kinds["response"], report.problems)
"""


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_full_disk_leaves_whole_records_and_a_writer_that_goes_on(tmp_path: Path, kind: str) -> None:
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "c"), root, kind],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    error, counts = result.stdout.splitlines()
    assert "File too large" in error
    assert "raise the limit" in error
    flushed, captures, responses, problems = counts.split(" ", 3)
    assert int(flushed) > 20
    assert (captures, responses, problems) == (flushed, flushed, "()")


def test_an_exchange_is_the_systems_before_its_page_is_read(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    first, second = answer("http://example.org/1", prose(3000)), answer("http://example.org/2", prose(3000, 1))
    into.write_page(first, first.body, Notes("One", "text/html"))
    kept = into.write_exchange(second, second.body, Notes(mime="text/html"))
    assert kept is not None
    into.abandon()  # its reader dies here
    (mended,) = repair(made)
    assert (mended.captures, mended.torn) == (2, 0)
    kinds = [each["WARC-Type"] for each in _warcio(_only(made))]
    assert kinds == ["warcinfo", "response", "request", "metadata", "response", "request"]
    assert _warcio(_only(made))[4]["WARC-Identified-Payload-Type"] == "text/html"
    assert merge(made).captures == 2
    assert check(made).problems == ()


def test_what_must_be_synced_is_told_once(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer(data=prose(3000))
    for _ in range(2):
        into.write_page(page, page.body)
        into.flush()
        assert into.unsynced() == made.unfinished()
        assert into.unsynced() == []
    into.close()
    assert into.unsynced() == [], "a finished file is synced"


def test_what_waits_goes_on_waiting_when_the_disk_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = collection(tmp_path)
    into = writer(made)
    for number in range(3):
        page = answer(f"http://example.org/{number}")
        into.write_page(page, page.body)
    real = os.write

    def half(descriptor: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", refuse)
        return real(descriptor, bytes(data)[: len(data) // 2])

    def refuse(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(DiskError, match="free some space"):
        into.flush()
    monkeypatch.setattr(os, "write", real)
    page = answer("http://example.org/later")
    into.write_page(page, page.body)
    into.close()
    assert merge(made).captures == 4
    assert [each["WARC-Type"] for each in _warcio(_only(made))].count("metadata") == 4
    assert check(made).problems == ()


STREAM = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from anansi.archive.layout import Collection
from anansi.model import Body
from tests.archive.exchanges import answer, writer
import dataclasses
made = Collection(Path(sys.argv[1]))
made.create()
into = writer(made)
with open(sys.argv[3], "rb") as file:
    page = answer("http://example.org/film")
    page = dataclasses.replace(page, body=Body(50_000_000, file=file))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    into.write_page(page, page.body)
    into.close()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_large_body_passes_through_in_bounded_memory(tmp_path: Path) -> None:
    data = tmp_path / "data"
    block = os.urandom(1_000_000)
    with data.open("wb") as file:
        for _ in range(50):
            file.write(block)
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-c", STREAM, str(tmp_path / "c"), root, str(data)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) < 16_000, "KiB more than before"
    made = Collection(tmp_path / "c")
    merge(made)
    assert check(made).problems == ()
    sha1 = hashlib.sha1()
    with _only(made).open("rb") as file:
        for each in ArchiveIterator(file):
            if each.rec_type == "response":
                while piece := each.content_stream().read(1 << 16):
                    sha1.update(piece)
    assert sha1.digest() == hashlib.sha1(block * 50).digest()


def test_a_body_shorter_than_it_says_leaves_no_trace(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    good = answer("http://example.org/good")
    into.write_page(good, good.body)
    with tempfile.TemporaryFile() as file:
        file.write(b"short")
        bad = dataclasses.replace(answer("http://example.org/bad"), body=Body(100, file=file))
        with pytest.raises(ValueError, match="95 bytes early"):
            into.write_page(bad, bad.body, Notes(digest="sha1:X"))
    into.close()
    assert merge(made).captures == 1
    assert check(made).problems == ()


def test_a_payload_dropped_as_a_duplicate_needs_no_reading(tmp_path: Path) -> None:
    made = collection(tmp_path)
    into = writer(made)
    page = answer(data=prose(2000))
    place = into.write_page(
        page, page.body, revisit_of=Original("http://a.example/", NOW, "sha1:KNOWN", chunked=False)
    )
    into.close()
    assert place is not None
    assert (place.digest, place.revisit) == ("sha1:KNOWN", True)


def test_a_page_costs_less_than_its_budget(tmp_path: Path) -> None:
    """Measured 0.27 ms a page of 28 KB on the reference machine; the limit leaves room for slower and busy ones."""
    into = writer(collection(tmp_path))
    pages = [answer(f"http://example.org/thread/{number}", prose(28_000, number), hops="LL") for number in range(50)]
    costs = []
    for _ in range(5):
        begun = time.process_time()
        for page in pages:
            into.write_page(page, page.body, Notes("A title", "text/html", "utf-8"))
        costs.append((time.process_time() - begun) / len(pages) * 1000)
    into.close()
    assert min(costs) < 1.0, f"{min(costs):.3f} ms a page"
