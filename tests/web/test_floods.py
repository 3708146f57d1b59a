"""Floods: they are as large as they say on the wire, cost this side nothing, and unpack to what they promise."""

from __future__ import annotations

import gzip
import hashlib
import resource
import time
import zlib

import brotli
import pytest

from tests.web import (
    Behaviour,
    ScriptedWeb,
    big_file,
    big_file_bytes,
    brotli_bomb,
    drip,
    endless_body,
    gzip_bomb,
    header_bomb,
    header_flood,
    slow_headers,
)
from tests.web.floods import BLOCK, MIB
from tests.web.wire import SECONDS, Heard, ask, dial, get, listen, say, soon

GIB = 1024 * MIB


def heard_of(behaviour: Behaviour, *, limit: int = GIB) -> Heard:
    with ScriptedWeb() as web:
        web.add("/", behaviour)
        return ask(web, "/", limit=limit)


def test_one_header_may_have_ten_megabytes() -> None:
    heard = heard_of(header_bomb())
    bomb = next(line for line in heard.head.split(b"\r\n") if line.startswith(b"X-Bomb: "))
    assert len(bomb) == len(b"X-Bomb: ") + 10 * MIB


def test_there_may_be_a_hundred_thousand_headers() -> None:
    lines = heard_of(header_flood()).head.split(b"\r\n")
    assert sum(line.startswith(b"X-") for line in lines) == 100_000
    assert lines[1] == b"X-0: 0"
    assert lines[-2:] == [b"X-99999: 99999", b"Content-Length: 0"]


def test_a_small_gzip_bomb_is_valid_gzip() -> None:
    heard = heard_of(gzip_bomb(4 * BLOCK))
    assert b"Content-Encoding: gzip" in heard.head
    assert gzip.decompress(heard.body) == bytes(4 * BLOCK)


def test_the_full_gzip_bomb_is_a_thousand_times_its_size_and_made_at_once() -> None:
    started = time.process_time()
    heard = heard_of(gzip_bomb())
    assert time.process_time() - started < 5
    assert 9 * MIB < len(heard.body) < 12 * MIB
    assert f"Content-Length: {len(heard.body)}".encode() in heard.head
    unpacking = zlib.decompressobj(31)
    grown = sum(len(unpacking.decompress(heard.body[at : at + 4096])) for at in range(0, MIB, 4096))
    assert grown > 1000 * MIB


@pytest.mark.long
def test_the_full_gzip_bomb_unpacks_to_its_end_with_a_right_checksum() -> None:
    body = heard_of(gzip_bomb()).body
    unpacking = zlib.decompressobj(31)
    assert sum(len(unpacking.decompress(body[at : at + 4096])) for at in range(0, len(body), 4096)) == 10 * GIB
    assert unpacking.eof


def test_a_brotli_bomb_is_valid_brotli_of_a_few_kilobytes() -> None:
    small = heard_of(brotli_bomb(4 * BLOCK))
    assert b"Content-Encoding: br" in small.head
    assert brotli.decompress(small.body) == bytes(4 * BLOCK)
    assert len(heard_of(brotli_bomb()).body) < 10_000


@pytest.mark.parametrize("chunked", [True, False])
def test_an_endless_body_goes_on_as_long_as_one_reads(chunked: bool) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", endless_body(chunked=chunked))
        say(wire, "/")
        total = sum(len(listen(wire, limit=MIB).data) for _ in range(100))
        assert total >= 100 * MIB
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def test_an_endless_body_stops_when_the_client_leaves() -> None:
    with ScriptedWeb() as web:
        web.add("/", endless_body())
        ask(web, "/", limit=MIB)
        assert soon(lambda: not web._open), "it goes when its client has gone"
        assert MIB <= web.sent < 64 * MIB


def test_a_big_file_arrives_whole_and_the_connection_stays() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/big", big_file(5 * MIB + 3))
        say(wire, "/big")
        say(wire, "/big", "Connection: close")
        data = listen(wire).data
    expected = b"".join(big_file_bytes(5 * MIB + 3))
    assert len(expected) == 5 * MIB + 3
    assert data.count(expected) == 2


def test_the_usual_big_file_has_fifty_megabytes_and_one_digest() -> None:
    digest = hashlib.sha256()
    for piece in big_file_bytes():
        digest.update(piece)
    with ScriptedWeb() as web:
        answer = get(web.add("/big", big_file()))
    assert len(answer.body) == 50 * MIB
    assert hashlib.sha256(answer.body).digest() == digest.digest()


def test_a_drip_drips() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", drip(b"x" * 20, interval=SECONDS))
        say(wire, "/")
        early = b""
        while not early.endswith(b"x"):
            early += listen(wire, limit=1).data
        head, _, body = early.partition(b"\r\n\r\n")
        assert b"Content-Length: 20" in head
        assert body == b"x"


def test_a_drip_that_is_let_finish_is_whole() -> None:
    assert heard_of(drip(b"drip drop", interval=0.01)).body == b"drip drop"


def test_slow_headers_come_byte_by_byte() -> None:
    with ScriptedWeb() as web, dial(web) as wire:
        web.add("/", slow_headers(interval=SECONDS))
        say(wire, "/")
        assert listen(wire, limit=1).data == b"H"
    assert heard_of(slow_headers(b"done", interval=0)).body == b"done"
