"""What we write, replayed by pywb: the reader that most web archives run."""

from __future__ import annotations

import gzip
import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.archive.dedup import Original
from anansi.archive.exchange import Notes
from anansi.archive.index import merge
from anansi.archive.record import payload_digest
from anansi.model import Page, Validators
from tests.archive.exchanges import NOW, answer, body, chunked, collection, prose, writer

PLAIN = prose(4000, 1)
CHUNKED = prose(5000, 2)
ZIPPED = prose(6000, 3)
SHARED = prose(7000, 4)
KEPT = prose(8000, 5)
HTML = ("Content-Type", "text/html; charset=utf-8")
DAY = 86_400.0


def _archive(folder: Path) -> None:
    made = collection(folder)
    with_chunks = answer(
        "http://example.org/chunked", chunked(CHUNKED, 900), headers=(HTML, ("Transfer-Encoding", "chunked"))
    )
    zipped = gzip.compress(ZIPPED, mtime=0)
    with_coding = answer("http://example.org/zipped", zipped, headers=(HTML, ("Content-Encoding", "gzip")))
    into = writer(made)
    into.write_page(answer("http://example.org/plain", PLAIN), body(PLAIN))
    into.write_page(with_chunks, body(CHUNKED))
    into.write_page(with_coding, body(zipped))
    _write_revisits(into.write_page)
    into.close()
    merge(made)


def _write_revisits(write: object) -> None:
    assert callable(write)
    first = answer("http://example.org/first", SHARED)
    digest = payload_digest(first.body)
    write(first, first.body)
    again = answer("http://example.org/copy", SHARED, started=NOW + 60)
    write(again, again.body, revisit_of=Original(first.visit.url, NOW, digest, chunked=False))
    unframed = answer("http://example.org/unframed", CHUNKED, started=NOW + 60)
    framed = Original("http://example.org/chunked", NOW, payload_digest(unframed.body), chunked=True)
    write(unframed, unframed.body, revisit_of=framed)
    kept = answer("http://example.org/kept", KEPT, headers=(HTML, ("ETag", '"1"')))
    write(kept, kept.body)
    validators = Validators(etag='"1"', digest=payload_digest(kept.body), date=NOW)
    write(_unchanged(validators), body(b""), Notes(mime="text/html"))


def _unchanged(validators: Validators) -> Page:
    return answer(
        "http://example.org/kept",
        b"",
        status="304 Not Modified",
        headers=(("ETag", '"1"'),),
        started=NOW + DAY,
        validators=validators,
    )


@pytest.fixture(scope="module")
def pywb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Run pywb over a collection of ours; its folders are where pywb expects them."""
    folder = tmp_path_factory.mktemp("replay")
    _archive(folder)
    (folder / "collections").mkdir()
    (folder / "collections" / "test").symlink_to(folder / "collection")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Path(__file__).with_name("pywb_server.py")
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, server, "-b", "127.0.0.1", "-p", str(port), "-d", folder],
            stdout=log, stderr=log, cwd=folder, env=environment,
        )  # fmt: skip
        try:
            _wait(port, process, folder / "log")
            yield port
        finally:
            process.terminate()
            process.wait(20)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"pywb did not start: {log.read_text()[-2000:]}")


def _replay(port: int, url: str, stamp: str = "20231114221320") -> tuple[int, dict[str, str], bytes]:
    """Fetch a capture as it was archived (`id_`), following pywb's redirects to the exact time."""
    path = f"/test/{stamp}id_/{url}"
    for _ in range(4):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path, headers={"Accept-Encoding": "identity"})
        response = connection.getresponse()
        data = response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        connection.close()
        if response.status not in (302, 307) or "/test/" not in headers.get("location", ""):
            return response.status, headers, data
        path = headers["location"].split(f":{port}")[-1]
    pytest.fail("pywb redirects without end")


def test_a_plain_page_comes_back(pywb: int) -> None:
    status, headers, data = _replay(pywb, "http://example.org/plain")
    assert (status, data) == (200, PLAIN)
    assert headers["memento-datetime"] == "Tue, 14 Nov 2023 22:13:20 GMT"


def test_a_chunked_page_comes_back_without_its_chunks(pywb: int) -> None:
    status, _, data = _replay(pywb, "http://example.org/chunked")
    assert (status, data) == (200, CHUNKED)


def test_a_compressed_page_comes_back(pywb: int) -> None:
    status, headers, data = _replay(pywb, "http://example.org/zipped")
    plain = gzip.decompress(data) if headers.get("content-encoding") == "gzip" else data
    assert (status, plain) == (200, ZIPPED)


def test_an_identical_payload_is_found_at_its_first_url(pywb: int) -> None:
    status, headers, data = _replay(pywb, "http://example.org/copy", "20231114221420")
    assert (status, data) == (200, SHARED)
    assert headers["memento-datetime"] == "Tue, 14 Nov 2023 22:14:20 GMT"


def test_a_copy_without_chunks_of_a_page_that_had_them_comes_back(pywb: int) -> None:
    status, _, data = _replay(pywb, "http://example.org/unframed", "20231114221420")
    assert (status, data) == (200, CHUNKED)


def test_an_unmodified_page_shows_what_was_kept_before(pywb: int) -> None:
    status, headers, data = _replay(pywb, "http://example.org/kept", "20231115221320")
    assert (status, data) == (200, KEPT)
    assert headers["content-type"].startswith("text/html")
    assert headers["memento-datetime"] == "Wed, 15 Nov 2023 22:13:20 GMT"
