"""A body on its way from the wire to the reader."""

from __future__ import annotations

import gzip
import io
import random
import time
import zlib
from collections.abc import Callable

import pytest
from fastwarc.stream_io import ZstdWriter
from hypothesis import given
from hypothesis import strategies as st

from anansi.fetch import decode
from anansi.fetch.decode import Decoded, content_decode, transfer_decode

CHUNKED = (("content-type", "text/html"), ("transfer-encoding", "chunked"))
TEXT = b"".join(random.Random(7).choice((b"<p>", b"spider ", b"story ", b"\n")) for _ in range(9000))
LIMIT = 1 << 20


def brotli(data: bytes) -> bytes:
    compressor = decode._brotli.Compressor()
    return bytes(compressor.process(data) + compressor.finish())


def zstd(data: bytes) -> bytes:
    out = io.BytesIO()
    writer = ZstdWriter(out)
    writer.write(data)
    writer.close()
    return out.getvalue()


def bare_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli,
    "zstd": zstd,
}


@pytest.mark.parametrize(
    ("wire", "payload", "complete"),
    [
        (b"5\r\nhello\r\n0\r\n\r\n", b"hello", True),
        (b"5\nhello\n0\n\n", b"hello", True),
        (b'5;name=value;x="y"\r\nhello\r\n0;last\r\nX-Trailer: 1\r\n\r\n', b"hello", True),
        (b"  00A \r\n0123456789\r\n0\r\n", b"0123456789", True),
        (b"5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1\r\n", b"hello", True),
        (b"0\r\n\r\n", b"", True),
        (b"", b"", True),
        (b"5\r\nhello\r\n", b"hello", False),
        (b"5\r\nhel", b"hel", False),
        (b"5", b"", False),
        (b"5\r\nhelloX\r\n0\r\n\r\n", b"hello", False),
        (b"5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n", b"hello", False),
        (b"5\r\nhello\r\n-5\r\nworld", b"hello", False),
        (b"5\r\nhello\r\n1_0\r\nworld", b"hello", False),
        (b"fffffffffffffffff\r\nx", b"fffffffffffffffff\r\nx", False),
        (b"<html>not chunked at all\r\n</html>", b"<html>not chunked at all\r\n</html>", False),
        (b"dead meat", b"dead meat", False),
    ],
)
def test_chunks_are_taken_apart(wire: bytes, payload: bytes, complete: bool) -> None:
    assert transfer_decode(CHUNKED, wire) == (payload, complete)


def test_a_body_is_dechunked_only_when_the_headers_say_so() -> None:
    wire = b"5\r\nhello\r\n0\r\n\r\n"
    assert transfer_decode((("content-length", "15"),), wire) == (wire, True)
    assert transfer_decode((("Transfer-Encoding", "gzip, Chunked"),), wire) == (b"hello", True)


def test_endless_size_lines_and_trailers_are_left() -> None:
    assert transfer_decode(CHUNKED, b"5\r\nhello\r\n5;" + b"x" * 9000 + b"\r\nworld") == (b"hello", False)
    assert transfer_decode(CHUNKED, b"5\r\nhello\r\n0\r\n" + b"x: y\r\n" * 50000) == (b"hello", True)


@pytest.mark.parametrize("encoding", sorted(ENCODERS))
def test_a_page_comes_back_from_each_coding(encoding: str) -> None:
    wire = ENCODERS[encoding](TEXT)
    assert content_decode(encoding.upper(), wire, LIMIT) == Decoded(TEXT, True)


@pytest.mark.parametrize("encoding", sorted(ENCODERS))
def test_a_truncated_page_gives_what_is_there(encoding: str) -> None:
    wire = ENCODERS[encoding](random.Random(1).randbytes(600_000))
    decoded = content_decode(encoding, wire[:400_000], LIMIT)
    assert not decoded.complete
    assert not decoded.bomb
    assert random.Random(1).randbytes(600_000).startswith(decoded.data)
    assert len(decoded.data) > 250_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_garbage_after_the_end_is_ignored(encoding: str) -> None:
    assert content_decode(encoding, ENCODERS[encoding](TEXT) + b"\0garbage\n", LIMIT) == Decoded(TEXT, True)


@pytest.mark.parametrize("encoding", sorted(ENCODERS))
def test_a_bomb_is_stopped_at_the_limit(encoding: str) -> None:
    wire = ENCODERS[encoding](bytes(30_000_000))
    assert content_decode(encoding, wire, 5000) == Decoded(bytes(5000), False, bomb=True)


@pytest.mark.parametrize("encoding", sorted(ENCODERS))
def test_exactly_the_limit_is_no_bomb(encoding: str) -> None:
    assert content_decode(encoding, ENCODERS[encoding](TEXT), len(TEXT)) == Decoded(TEXT, True)


@pytest.mark.parametrize("encoding", sorted(ENCODERS))
def test_a_page_that_is_not_coded_though_it_says_so_is_left_as_it_is(encoding: str) -> None:
    page = b"<!DOCTYPE html><html><body>plain</body></html>"
    assert content_decode(encoding, page, LIMIT) == Decoded(page, False)


def test_deflate_may_be_bare() -> None:
    assert content_decode("deflate", bare_deflate(TEXT), LIMIT) == Decoded(TEXT, True)


def test_gzip_members_are_joined() -> None:
    members = gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two")
    assert content_decode("gzip", members, LIMIT) == Decoded(b"one two", True)
    assert content_decode("gzip", members, 5) == Decoded(b"one t", False, bomb=True)


def test_countless_gzip_members_do_not_take_countless_time() -> None:
    started = time.process_time()
    decoded = content_decode("gzip", gzip.compress(b"a") * 300_000, LIMIT)
    assert set(decoded.data) == {ord("a")}
    assert not decoded.complete
    assert time.process_time() - started < 5


def test_a_wrong_checksum_loses_nothing_but_completeness() -> None:
    wire = gzip.compress(TEXT)
    assert content_decode("gzip", wire[:-8] + b"\0\0\0\0" + wire[-4:], LIMIT) == Decoded(TEXT, False)


def test_damage_in_the_middle_loses_only_what_follows() -> None:
    noise = random.Random(2).randbytes(100_000)
    wire = bytearray(gzip.compress(noise, 0))
    wire[70_000:70_010] = b"\xff" * 10
    decoded = content_decode("gzip", bytes(wire), LIMIT)
    assert decoded.data[:65_000] == noise[:65_000]
    assert not decoded.complete


@pytest.mark.parametrize(
    ("encoding", "wire", "decoded"),
    [
        ("identity", b"page", Decoded(b"page", True)),
        ("", b"page", Decoded(b"page", True)),
        ("gzip", b"", Decoded(b"", True)),
        ("utf-8", b"page", Decoded(b"page", False)),
        ("gzip, br", brotli(gzip.compress(b"page", mtime=0)), Decoded(b"page", True)),
        ("br,gzip , identity", gzip.compress(brotli(b"page"), mtime=0), Decoded(b"page", True)),
        ("gzip, gzip, gzip, gzip", b"page", Decoded(b"page", False)),
        ("gzip, secret", b"page", Decoded(b"page", False)),
    ],
)
def test_stacked_unknown_and_absent_codings(encoding: str, wire: bytes, decoded: Decoded) -> None:
    assert content_decode(encoding, wire, LIMIT) == decoded


def test_a_body_without_coding_is_cut_at_the_limit_and_is_no_bomb() -> None:
    assert content_decode("", b"0123456789", 4) == Decoded(b"0123", False)


codings = st.lists(st.sampled_from([*ENCODERS, "identity", "nonsense"]), max_size=4)


@given(codings, st.binary(max_size=300), st.integers(0, 200))
def test_no_payload_raises_or_exceeds_the_limit(encodings: list[str], payload: bytes, limit: int) -> None:
    decoded = content_decode(", ".join(encodings), payload, limit)
    assert len(decoded.data) <= limit
    assert not (decoded.bomb and decoded.complete)


@given(
    st.sampled_from(sorted(ENCODERS)),
    st.binary(min_size=1, max_size=300),
    st.integers(0, 400),
    st.integers(0, 255),
    st.integers(0, 400),
)
def test_no_damaged_payload_raises_or_exceeds_the_limit(
    encoding: str, data: bytes, at: int, byte: int, limit: int
) -> None:
    wire = bytearray(ENCODERS[encoding](data))
    wire[at % len(wire)] = byte
    assert len(content_decode(encoding, bytes(wire), limit).data) <= limit


@given(st.sampled_from(sorted(ENCODERS)), st.binary(max_size=2000))
def test_what_was_encoded_is_decoded(encoding: str, data: bytes) -> None:
    assert content_decode(encoding, ENCODERS[encoding](data), 2000) == Decoded(data, True)
