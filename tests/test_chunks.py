"""The chunked transfer coding."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from anansi.chunks import Dechunker


def chunked(payload: bytes, sizes: list[int], end: bytes) -> bytes:
    wire, at = b"", 0
    for size in sizes:
        part = payload[at : at + size]
        if part:
            wire += b"%x" % len(part) + end + part + end
        at += size
    rest = payload[at:]
    return wire + (b"%X;last=1" % len(rest) + end + rest + end if rest else b"") + b"0" + end + end


def decoded(*pieces: bytes) -> tuple[bytes, bool]:
    chunks = Dechunker()
    return b"".join([chunks.feed(piece) for piece in pieces]), chunks.complete


@given(
    st.binary(max_size=400),
    st.lists(st.integers(1, 60)),
    st.sampled_from([b"\r\n", b"\n"]),
    st.lists(st.integers(0, 500)),
)
def test_any_split_of_a_chunked_body_gives_its_payload(
    payload: bytes, sizes: list[int], end: bytes, cuts: list[int]
) -> None:
    wire = chunked(payload, sizes, end)
    edges = sorted({0, len(wire), *(cut for cut in cuts if cut < len(wire))})
    assert decoded(*(wire[a:b] for a, b in pairwise(edges))) == (payload, True)


@given(st.binary(max_size=300), st.integers(1, 20))
def test_any_bytes_decode_alike_in_pieces_and_whole(wire: bytes, step: int) -> None:
    assert decoded(*(wire[at : at + step] for at in range(0, len(wire), step))) == decoded(wire)


def test_extensions_and_trailers_are_passed_over() -> None:
    assert decoded(b"5;name=value\r\nhello\r\n0\r\nDigest: x\r\n\r\n") == (b"hello", True)


def test_what_is_not_chunked_is_given_as_it_is() -> None:
    assert decoded(b"<html>\r\n", b"<p>") == (b"<html>\r\n<p>", False)
    assert decoded(b"1" * 10_000) == (b"1" * 10_000, False)


def test_a_body_that_breaks_off_keeps_what_came() -> None:
    assert decoded(b"2\r\nabXX\r\n") == (b"ab", False)
    assert decoded(b"1\r\nx\r\n") == (b"x", False)
