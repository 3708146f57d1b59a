"""Answers that bend or break the framing of HTTP/1.1: chunks, lengths, status lines, headers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Literal

from tests.web.exchange import PIECE, Behaviour, Connection, Headers, Reply, Request, head_of
from tests.web.replies import HTML

BODY = b"<html><head><title>Framed</title></head><body><p>a body of no importance</p></body></html>\n"
CHUNKED = (HTML, ("Transfer-Encoding", "chunked"))


def raw(data: bytes, *, close: bool = True) -> Behaviour:
    """Send exactly these bytes."""

    async def behave(request: Request, connection: Connection) -> None:
        await connection.stream(data[at : at + PIECE] for at in range(0, len(data), PIECE))
        if close:
            connection.close()

    return behave


def as_chunks(body: bytes, sizes: Sequence[int]) -> Iterator[bytes]:
    """Cut a body into chunks of the given sizes, over and over, without the last (empty) one."""
    at = 0
    for size in itertools.cycle(sizes):
        if at >= len(body):
            return
        piece = body[at : at + max(size, 1)]
        yield b"%x\r\n%s\r\n" % (len(piece), piece)
        at += len(piece)


def chunked(
    body: bytes = BODY, sizes: Sequence[int] = (7, 1, 30), *, trailers: Headers = (), headers: Headers = CHUNKED
) -> Behaviour:
    """Send a body in chunks, with trailers when given, and keep the connection open."""
    # Trailers have the form of headers: a head without its status line.
    ending = b"0\r\n" + head_of(200, trailers).partition(b"\r\n")[2]
    return raw(head_of(200, headers) + b"".join(as_chunks(body, sizes)) + ending, close=False)


def chunked_truncated(body: bytes = BODY, sizes: Sequence[int] = (16,)) -> Behaviour:
    """Send the chunks but the last, then the half of the last one, then close."""
    *whole, last = as_chunks(body, sizes)
    return raw(head_of(200, CHUNKED) + b"".join(whole) + last[: len(last) // 2])


def chunked_malformed(line: bytes = b"zz", body: bytes = BODY) -> Behaviour:
    """Send one good chunk, then a size line that is none."""
    return raw(head_of(200, CHUNKED) + b"".join(as_chunks(body, (len(body),))) + line + b"\r\nrest\r\n0\r\n\r\n")


def wrong_content_length(claim: Literal["longer", "shorter"], body: bytes = BODY, *, by: int = 10) -> Behaviour:
    """Announce more bytes than come (then close), or fewer."""
    size = len(body) + (by if claim == "longer" else -by)
    return raw(head_of(200, (HTML, ("Content-Length", str(size)))) + body)


def duplicate_content_length(second: int | None = None, body: bytes = BODY) -> Behaviour:
    """Announce the length twice: the same again, or another."""
    lengths = (len(body), len(body) if second is None else second)
    return raw(head_of(200, (HTML, *(("Content-Length", str(size)) for size in lengths))) + body)


def length_and_chunked(body: bytes = BODY, *, length: int = 5) -> Behaviour:
    """Announce a length and send chunks (RFC 9112 section 6.3: the chunks count)."""
    return raw(
        head_of(200, (*CHUNKED, ("Content-Length", str(length)))) + b"".join(as_chunks(body, (20,))) + b"0\r\n\r\n"
    )


def http09(body: bytes = BODY) -> Behaviour:
    """Send a body and nothing else, as HTTP/0.9 did."""
    return raw(body)


def http10(body: bytes = BODY, *, headers: Headers = (HTML,)) -> Behaviour:
    """Answer as HTTP/1.0: no length, the end of the connection ends the body."""
    return raw(head_of(200, headers, version="HTTP/1.0") + body)


def until_close(body: bytes = BODY, *, headers: Headers = (HTML,)) -> Behaviour:
    """Answer as HTTP/1.1 with neither length nor chunks: the end of the connection ends the body."""
    return raw(head_of(200, headers) + body)


def garbage(size: int = 4096, *, seed: int = 0) -> Behaviour:
    """Send random bytes (the same for one seed) that are not HTTP."""
    return raw(b"\x00" + random.Random(seed).randbytes(max(size - 1, 0)))


def interim(*statuses: int, then: Behaviour) -> Behaviour:
    """Send interim answers (100, 102, 103; all three by default) before the real one."""
    heads = [head_of(status, (("Link", "</style.css>; rel=preload"),)) for status in statuses or (100, 102, 103)]

    async def behave(request: Request, connection: Connection) -> None:
        await connection.stream(heads)
        await then(request, connection)

    return behave


def trailing_garbage(
    extra: bytes = b"\x00trailing garbage\r\n\r\n", body: bytes = BODY, *, close: bool = False
) -> Behaviour:
    """Send more than was announced; left open, the rest stands before the next answer on the connection."""
    return raw(Reply(200, (HTML,), body).head + body + extra, close=close)


def huge_status_line(size: int = 1024 * 1024, body: bytes = BODY) -> Behaviour:
    """Answer with a reason phrase of `size` bytes."""
    return raw(head_of(200, (HTML, ("Content-Length", str(len(body)))), reason="O" * size) + body)


def folded_headers(body: bytes = BODY) -> Behaviour:
    """Continue header values on indented lines (obsolete since RFC 7230, still met)."""
    folds = b"X-Folded: one\r\n two\r\n\tthree\r\nContent-Type: text/html;\r\n charset=utf-8\r\n"
    return raw(b"HTTP/1.1 200 OK\r\n" + folds + b"Content-Length: %d\r\n\r\n" % len(body) + body, close=False)


def bare_newlines(body: bytes = BODY) -> Behaviour:
    """End lines with LF alone."""
    return raw(b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: %d\n\n" % len(body) + body, close=False)


def odd_headers(body: bytes = BODY) -> Behaviour:
    """Send headers without colon, without name, with raw bytes above 127 and with a space before the colon."""
    odd = b"no colon at all\r\n: no name\r\nX-Raw: caf\xe9 \xff\r\nX-Space : before the colon\r\nX-Empty:\r\n"
    return raw(b"HTTP/1.1 200 OK\r\n" + odd + b"Content-Length: %d\r\n\r\n" % len(body) + body)
