"""The chunked transfer coding."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from anansi.archive.transfer import Dechunker
from tests.archive.exchanges import chunked


@given(data=st.binary(max_size=300), size=st.integers(1, 50), cuts=st.lists(st.integers(0, 2000), max_size=8))
def test_a_body_is_decoded_however_it_is_cut(data: bytes, size: int, cuts: list[int]) -> None:
    framed = chunked(data, size)
    places = sorted({0, len(framed), *(cut % (len(framed) + 1) for cut in cuts)})
    dechunker = Dechunker()
    decoded = b"".join(dechunker.feed(framed[start:end]) for start, end in itertools.pairwise(places))
    assert (decoded, dechunker.done, dechunker.broken) == (data, True, False)


@given(st.binary(max_size=200), st.integers(1, 20))
def test_any_bytes_end_in_an_outcome(data: bytes, size: int) -> None:
    dechunker = Dechunker()
    decoded = b"".join(dechunker.feed(data[start : start + size]) for start in range(0, len(data), size))
    assert len(decoded) <= len(data)


def test_extensions_and_trailers_are_passed_over() -> None:
    dechunker = Dechunker()
    assert dechunker.feed(b"5;name=value\r\nhello\r\n0\r\nDigest: x\r\n\r\n") == b"hello"
    assert dechunker.done


def test_what_is_not_chunked_is_told() -> None:
    dechunker = Dechunker()
    dechunker.feed(b"<html>\r\n")
    assert dechunker.broken
    endless = Dechunker()
    endless.feed(b"1" * 10_000)
    assert endless.broken
    unclosed = Dechunker()
    unclosed.feed(b"2\r\nabXX\r\n")
    assert unclosed.broken
