"""Digests of a block that is read: of all of it, and of the payload whatever framing it came in."""

from __future__ import annotations

import base64
import hashlib

import pytest

from anansi.archive.digest import Digester, parse_digest, payload_digest_of
from tests.archive.exchanges import chunked

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = b"a page of some length that is framed or not"


def sha1(data: bytes) -> bytes:
    return hashlib.sha1(data).digest()


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_the_head_belongs_to_the_block_and_not_to_the_payload(size: int) -> None:
    digester = Digester("sha1", HEAD + BODY[:3], http=True)
    digester.feed(pieces(HEAD + BODY, size))
    assert digester.block() == sha1(HEAD + BODY)
    assert digester.payloads() == [sha1(BODY)]


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_chunks_are_undone_before_the_payload_is_hashed(size: int) -> None:
    digester = Digester("sha1", CHUNKED, http=True)
    digester.feed(pieces(CHUNKED + chunked(BODY), size))
    assert digester.payloads() == [sha1(BODY)]


def test_a_framing_that_breaks_off_leaves_two_payloads_to_choose_from() -> None:
    broken = chunked(BODY)[:-5]
    digester = Digester("sha1", CHUNKED, http=True)
    digester.feed([CHUNKED + broken])
    assert digester.payloads() == [sha1(BODY), sha1(broken)]


def test_what_is_no_http_is_all_payload() -> None:
    assert payload_digest_of(BODY, [BODY], http=False) == "sha1:" + base64.b32encode(sha1(BODY)).decode()


def test_a_digest_is_read_in_base_32_and_in_hexadecimal() -> None:
    digest = sha1(BODY)
    assert parse_digest("sha1:" + base64.b32encode(digest).decode()) == ("sha1", digest)
    assert parse_digest("SHA1:" + digest.hex()) == ("sha1", digest)
    md5 = hashlib.md5(BODY).digest()
    assert parse_digest("md5:" + base64.b32encode(md5).decode().rstrip("=")) == ("md5", md5)


def test_an_algorithm_that_nobody_knows_says_nothing_and_a_value_that_is_none_matches_nothing() -> None:
    assert parse_digest("crc32:00000000") is None
    assert parse_digest("sha1:?!") == ("sha1", b"")
