"""Segments → somebody's triple store."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store

from anansi.archive import endpoint as module
from anansi.archive.endpoint import Endpoint as Address
from anansi.archive.endpoint import EndpointError, send, update
from anansi.archive.layout import Collection
from anansi.archive.objects import ObjectLog, folder, pieces, segments
from anansi.archive.statements import statements
from anansi.errors import UserError
from tests.archive.boards import collection_in, filled, page, post, write
from tests.archive.sparql_server import Endpoint, serving


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with serving(Endpoint()) as endpoint:
        yield endpoint


def quads(collection: Collection) -> set[Quad]:
    """Return what a store makes of the segments: it writes times in its own way."""
    store = Store()
    for segment in segments(collection):
        for piece in pieces(segment):
            store.extend(statements(piece))
    return set(store)


def hurried(_: float) -> None:
    """Do not wait."""


def test_everything_arrives_in_its_graph(tmp_path: Path, server: Endpoint) -> None:
    collection = filled(tmp_path / "c", topics=5)
    sent = send(collection, server.url)
    assert set(server.store) == quads(collection)
    assert (sent.statements, sent.requests) == (len(server.store), 1)
    assert server.headers[0]["Content-Type"].startswith("application/sparql-update")


def test_what_was_sent_is_not_sent_again(tmp_path: Path, server: Endpoint) -> None:
    collection = filled(tmp_path / "c", topics=2)
    send(collection, server.url)
    assert send(collection, server.url).requests == 0
    log = ObjectLog(collection, 1)
    write(log, 9, page(9))
    log.flush()
    assert send(collection, server.url).requests == 1
    assert set(server.store) == quads(collection)


def test_each_endpoint_gets_everything(tmp_path: Path, server: Endpoint) -> None:
    collection = filled(tmp_path / "c", topics=2)
    send(collection, server.url)
    with serving(Endpoint()) as other:
        send(collection, other.url)
        assert set(other.store) == set(server.store)


def test_a_server_that_stumbles_is_asked_again(tmp_path: Path, server: Endpoint) -> None:
    server.faults = [503, 0, 429, 500]
    waits: list[float] = []
    collection = filled(tmp_path / "c", topics=2)
    send(collection, server.url, sleep=waits.append)
    assert set(server.store) == quads(collection)
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_a_server_that_refuses_is_quoted_and_what_it_took_is_remembered(
    tmp_path: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 10_000)
    collection = filled(tmp_path / "c", topics=10)
    server.faults = [204, 204, 403]
    with pytest.raises(EndpointError, match=r"answered 403 \(the server says 403\)"):
        send(collection, server.url, sleep=hurried)
    taken = _graphs(server.bodies[:2])
    assert len(server.bodies) == 3
    send(collection, server.url, sleep=hurried)
    assert sorted(taken + _graphs(server.bodies[3:])) == sorted({str(quad.graph_name) for quad in quads(collection)})


def _graphs(bodies: list[bytes]) -> list[str]:
    return [name for body in bodies for name in re.findall(r"^GRAPH (\S+)", body.decode(), re.M)]


def test_a_body_that_is_too_large_is_halved(tmp_path: Path, server: Endpoint) -> None:
    server.largest = 4000
    collection = filled(tmp_path / "c", topics=4)
    send(collection, server.url)
    assert set(server.store) == quads(collection)
    assert len(server.bodies) > 8


def test_one_statement_that_is_too_large_is_an_error(tmp_path: Path, server: Endpoint) -> None:
    server.largest = 4000
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    write(log, 1, [post(1, 1, "x" * 5000)])
    log.close()
    with pytest.raises(EndpointError, match="413"):
        send(collection, server.url)


def test_nobody_there_is_said_after_some_attempts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        waits: list[float] = []
        with pytest.raises(EndpointError, match="cannot be reached"):
            send(filled(tmp_path / "c"), url, sleep=waits.append)
    assert len(waits) == 5


def test_garbage_in_a_segment_is_no_command(tmp_path: Path, server: Endpoint) -> None:
    collection = filled(tmp_path / "c", topics=2)
    before = quads(collection)
    (segment,) = segments(collection)
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:5], b"} } ; DROP ALL ; INSERT DATA { GRAPH <a:b> { \n", *lines[5:]]))
    send(collection, server.url)
    assert set(server.store) == before


def test_a_password_is_sent_and_not_kept(tmp_path: Path, server: Endpoint) -> None:
    collection = filled(tmp_path / "c")
    send(collection, server.url.replace("http://", "http://ann:s%C3%A9cret@"))
    assert server.headers[0]["Authorization"] == "Basic YW5uOnPDqWNyZXQ="
    kept = b"".join(path.read_bytes() for path in folder(collection).rglob("*.json"))
    assert b"cret" not in kept
    assert b"ann:" not in kept


@pytest.mark.parametrize("url", ["", "ftp://example.org/", "example.org", "http://", "http://[", "http://a:b/"])
def test_what_is_no_endpoint_is_refused(url: str) -> None:
    with pytest.raises(UserError):
        Address.of(url)


@given(st.text(), st.sampled_from(("", "\\u0041", "\\\\U0001F600", "\\", "\\n")))
def test_any_text_survives_the_way_through_sparql(words: str, tail: str) -> None:
    quad = Quad(NamedNode("a:b"), NamedNode("a:b"), Literal(words + tail + words), NamedNode("a:g"))
    store = Store()
    store.update(update([quad]))
    assert set(store) == {quad}


def test_an_escaped_backslash_is_not_the_beginning_of_a_code() -> None:
    quad = Quad(NamedNode("a:b"), NamedNode("a:b"), Literal(r"C:\users \\u \U"), NamedNode("a:g"))
    assert r'"C:\\\u0075sers \\\\\u0075 \\\u0055"' in update([quad])


# ── a server of others ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[str]:
    """The Oxigraph server, where it is installed."""
    beside = Path(sys.executable).with_name("oxigraph")
    binary = str(beside) if beside.exists() else shutil.which("oxigraph")
    if binary is None:
        pytest.skip("the oxigraph server is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    command = [binary, "serve", "--location", str(tmp_path / "server"), "--bind", place]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _await(place)
            yield f"http://{place}"
        finally:
            process.terminate()


def _await(place: str) -> None:
    host, _, port = place.partition(":")
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with socket.socket() as attempt:
            if attempt.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(place)


def test_a_real_server_takes_everything(tmp_path: Path, oxigraph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 20_000)
    collection = collection_in(tmp_path / "c")
    log = ObjectLog(collection, 0)
    for topic in range(20):
        write(log, topic, [post(topic, 1, f'"{topic}" \\u0041 \\\\U \n\t\x00\x07\x7f \u2028 é 🕷')])
    log.close()
    sent = send(collection, f"{oxigraph}/update")
    assert sent.requests > 2
    host = oxigraph.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=120)
    connection.request("GET", "/store", headers={"Accept": "application/n-quads"})
    there = Store()
    there.load(connection.getresponse().read(), RdfFormat.N_QUADS)
    connection.close()
    assert set(there) == quads(collection)
