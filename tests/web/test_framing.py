"""Bent framing: the bytes on the wire are exactly what each behaviour promises."""

from __future__ import annotations

import http.client
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web import (
    BODY,
    Behaviour,
    Reply,
    ScriptedWeb,
    bare_newlines,
    chunked,
    chunked_malformed,
    chunked_truncated,
    duplicate_content_length,
    folded_headers,
    garbage,
    html,
    http09,
    http10,
    huge_status_line,
    interim,
    length_and_chunked,
    odd_headers,
    raw,
    trailing_garbage,
    until_close,
    wrong_content_length,
)
from tests.web.framing import as_chunks
from tests.web.wire import Heard, ask, dial, get, listen, say


def heard_of(behaviour: Behaviour) -> Heard:
    with ScriptedWeb() as web:
        web.add("/", behaviour)
        return ask(web, "/")


def dechunk(body: bytes) -> tuple[bytes, bytes]:
    """Return the payload and what stands after the last chunk's line."""
    payload = b""
    while True:
        line, _, body = body.partition(b"\r\n")
        size = int(line, 16)
        if size == 0:
            return payload, body
        payload, body = payload + body[:size], body[size + 2 :]


@given(st.binary(max_size=300), st.lists(st.integers(0, 50), min_size=1, max_size=5))
def test_chunks_put_together_are_the_body(body: bytes, sizes: list[int]) -> None:
    assert dechunk(b"".join(as_chunks(body, sizes)) + b"0\r\n\r\n") == (body, b"\r\n")


def test_a_chunked_body_arrives_in_the_sizes_asked_for_and_the_connection_stays() -> None:
    with ScriptedWeb() as web:
        url = web.add("/", chunked(b"abcdefghij", (3, 5)))
        assert get(url).body == b"abcdefghij"
        with dial(web) as wire:
            say(wire, "/")
            say(wire, "/", "Connection: close")
            assert listen(wire).data.count(b"3\r\nabc\r\n5\r\ndefgh\r\n2\r\nij\r\n0\r\n\r\n") == 2


def test_trailers_come_after_the_last_chunk() -> None:
    assert heard_of(chunked(b"abc", trailers=(("X-Sum", "1"),))).body.endswith(b"0\r\nX-Sum: 1\r\n\r\n")


def test_a_truncated_chunked_body_ends_without_its_last_chunk() -> None:
    heard = heard_of(chunked_truncated(b"a" * 40, (16,)))
    assert heard.body == b"10\r\n" + b"a" * 16 + b"\r\n10\r\n" + b"a" * 16 + b"\r\n8\r\naaa"
    with ScriptedWeb() as web, pytest.raises(http.client.IncompleteRead):
        get(web.add("/", chunked_truncated()))


def test_a_malformed_chunk_follows_a_good_one() -> None:
    heard = heard_of(chunked_malformed(b"-5", b"good"))
    assert heard.body.startswith(b"4\r\ngood\r\n-5\r\n")
    with ScriptedWeb() as web, pytest.raises((http.client.IncompleteRead, ValueError)):
        get(web.add("/", chunked_malformed()))


@pytest.mark.parametrize(("claim", "difference"), [("longer", 10), ("shorter", -10)])
def test_a_wrong_length_is_wrong_by_as_much_as_asked(claim: str, difference: int) -> None:
    heard = heard_of(wrong_content_length(claim))  # type: ignore[arg-type]
    assert heard.body == BODY
    assert f"Content-Length: {len(BODY) + difference}".encode() in heard.head


@pytest.mark.parametrize(("second", "values"), [(None, [5, 5]), (3, [5, 3])])
def test_the_length_comes_twice(second: int | None, values: list[int]) -> None:
    heard = heard_of(duplicate_content_length(second, b"12345"))
    lines = [line for line in heard.head.split(b"\r\n") if line.startswith(b"Content-Length")]
    assert lines == [b"Content-Length: %d" % value for value in values]


def test_length_and_chunks_come_together() -> None:
    heard = heard_of(length_and_chunked(b"x" * 30, length=5))
    assert b"Content-Length: 5" in heard.head
    assert dechunk(heard.body)[0] == b"x" * 30


def test_http_0_9_is_the_body_alone() -> None:
    assert heard_of(http09(b"<p>old</p>")).data == b"<p>old</p>"


@pytest.mark.parametrize(("behaviour", "version"), [(http10(), b"HTTP/1.0"), (until_close(), b"HTTP/1.1")])
def test_a_body_without_length_ends_with_the_connection(behaviour: Behaviour, version: bytes) -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", behaviour)
        say(wire, "/")
        heard = listen(wire)
    assert heard.data.startswith(version + b" 200 OK\r\n")
    assert b"Content-Length" not in heard.head
    assert heard.body == BODY


def test_garbage_is_garbage_of_the_size_asked_for_and_the_same_for_one_seed() -> None:
    data = heard_of(garbage(500, seed=7)).data
    assert len(data) == 500
    assert not data.startswith(b"HTTP")
    assert heard_of(garbage(500, seed=7)).data == data != heard_of(garbage(500, seed=8)).data


def test_interim_answers_come_first_in_order() -> None:
    data = heard_of(interim(then=html("Real"))).data
    statuses = [line.split()[1] for line in data.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    assert statuses == [b"100", b"102", b"103", b"200"]
    assert b"<h1>Real</h1>" in data


def test_trailing_garbage_stands_before_the_next_answer() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", trailing_garbage(b"JUNK", b"12345"))
        web.add("/next", Reply(200, (), b"next"))
        say(wire, "/")
        say(wire, "/next", "Connection: close")
        data = listen(wire).data
    assert b"\r\n\r\n12345JUNKHTTP/1.1 200 OK\r\n" in data


def test_a_status_line_may_be_huge() -> None:
    heard = heard_of(huge_status_line(1024 * 1024))
    assert len(heard.head.partition(b"\r\n")[0]) > 1024 * 1024
    assert heard.body == BODY


def test_folded_headers_are_folded_on_the_wire() -> None:
    heard = heard_of(folded_headers())
    assert b"X-Folded: one\r\n two\r\n\tthree\r\n" in heard.head
    assert heard.body == BODY


def test_bare_newlines_have_no_carriage_return() -> None:
    data = heard_of(bare_newlines()).data
    assert b"\r" not in data
    assert data.endswith(b"\n\n" + BODY)


def test_odd_headers_keep_their_bytes() -> None:
    heard = heard_of(odd_headers())
    assert b"X-Raw: caf\xe9 \xff\r\n" in heard.head
    assert b"\r\nno colon at all\r\n: no name\r\n" in heard.head


@pytest.mark.parametrize("close", [True, False])
def test_raw_bytes_are_sent_as_they_are_and_close_only_when_asked(close: bool) -> None:
    data = bytes(range(256)) * 1000
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", raw(data, close=close))
        say(wire, "/")
        assert listen(wire, limit=len(data)).data == data
        wire.settimeout(0.2)
        if close:
            assert wire.recv(1) == b""
        else:
            with pytest.raises(socket.timeout):
                wire.recv(1)
