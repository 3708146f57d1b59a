"""What an index reads of the head of a response."""

from __future__ import annotations

import pytest

from anansi.archive.head import head_of, is_chunked, mime_of, status_of

HEAD = b"HTTP/1.1 404 Not Found\r\nContent-Type: Text/HTML; charset=utf-8\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"


def test_the_head_ends_with_an_empty_line_of_either_kind() -> None:
    assert head_of(HEAD + b"body\r\n\r\nmore") == HEAD
    assert head_of(b"HTTP/1.0 200 OK\nA: b\n\nbody") == b"HTTP/1.0 200 OK\nA: b\n\n"
    assert head_of(b"HTTP/1.0 200 OK\r\nno end") == b"HTTP/1.0 200 OK\r\nno end"


def test_status_and_type_are_read_as_they_are_written() -> None:
    assert (status_of(HEAD), mime_of(HEAD)) == ("404", "text/html")


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 20\r\n\r\n", b"SSH-2.0 200 OK\r\n\r\n"])
def test_what_is_no_answer_has_no_status(head: bytes) -> None:
    assert status_of(head) == ""
    assert mime_of(head) == ""


def test_chunks_are_what_the_coding_ends_with_and_no_word_beside_it() -> None:
    assert is_chunked(HEAD)
    assert not is_chunked(b"HTTP/1.1 200 OK\r\nX-Note: chunked\r\n\r\n")
    assert not is_chunked(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n")
