"""Answers that are too much or too slow: bombs, endless and dripping bodies, large files."""

from __future__ import annotations

import functools
import itertools
import random
import zlib
from collections.abc import Callable, Iterator

from tests.web.exchange import PIECE, Behaviour, Connection, Headers, Reply, Request, head_of
from tests.web.framing import BODY
from tests.web.replies import HTML

MIB = 1024 * 1024
BLOCK = 16 * MIB
"""Zeros in one repeated piece of a bomb: the most that one brotli metablock holds."""
GZIP_HEAD = bytes.fromhex("1f8b08000000000002ff")
DEFLATE_END = b"\x03\x00"
BROTLI_FIRST = bytes.fromhex("cfffff7f002400e2b14072efff0d")
BROTLI_NEXT = bytes.fromhex("fcffff074002200e0b40f7fedf00")
BROTLI_END = b"\x03"
"""`BLOCK` zeros as Google's encoder writes them (quality 5, window 24, flushed): the first, every other, the end."""

Pieces = Callable[[], Iterator[bytes]]
"""Starts a body anew for each request, so that no more than a piece of it is ever in memory."""


def _streaming(head: bytes, pieces: Pieces, *, close: bool = True) -> Behaviour:
    """Send a head and then pieces, as fast as the client takes them."""

    async def behave(request: Request, connection: Connection) -> None:
        await connection.send(head)
        if request.method != "HEAD":
            await connection.stream(pieces())
        if close:
            connection.close()

    return behave


def _repeating(piece: bytes, size: int) -> Iterator[bytes]:
    """Yield a piece over and over until `size` bytes are reached."""
    whole, rest = divmod(size, len(piece))
    yield from itertools.repeat(piece, whole)
    yield piece[:rest]


def header_bomb(size: int = 10 * MIB) -> Behaviour:
    """Answer with one header of `size` bytes."""
    ending = b"\r\nContent-Length: 0\r\n\r\n"
    return _streaming(
        b"HTTP/1.1 200 OK\r\nX-Bomb: ", lambda: itertools.chain(_repeating(b"x" * PIECE, size), [ending])
    )


def header_flood(count: int = 100_000) -> Behaviour:
    """Answer with `count` small headers."""

    def pieces() -> Iterator[bytes]:
        for start in range(0, count, 1000):
            yield b"".join(b"X-%d: %d\r\n" % (n, n) for n in range(start, min(start + 1000, count)))
        yield b"Content-Length: 0\r\n\r\n"

    return _streaming(b"HTTP/1.1 200 OK\r\n", pieces)


def _crc_of_zeros(blocks: int) -> int:
    """Return the CRC-32 of that many blocks of zeros without reading them all.

    Appending a block of zeros maps one CRC to the next by c → Mc + k over GF(2): M and k are measured once on
    single bits, then applied by repeated squaring. 10 GiB take 0.2 s instead of 10 s.
    """
    zeros = bytes(BLOCK)
    constant = zlib.crc32(zeros, 0)
    columns = [zlib.crc32(zeros, 1 << bit) ^ constant for bit in range(32)]

    def apply(matrix: list[int], crc: int) -> int:
        return functools.reduce(lambda total, bit: total ^ matrix[bit] if crc >> bit & 1 else total, range(32), 0)

    crc = 0
    while blocks:
        if blocks & 1:
            crc = apply(columns, crc) ^ constant
        constant ^= apply(columns, constant)
        columns = [apply(columns, column) for column in columns]
        blocks >>= 1
    return crc


@functools.cache
def _deflated_block() -> bytes:
    """Compress one block of zeros so that it can be repeated: a full flush forgets what came before."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeeze.compress(bytes(BLOCK)) + squeeze.flush(zlib.Z_FULL_FLUSH)


def _encoded(coding: str, size: int, pieces: Pieces) -> Behaviour:
    """Answer with an encoded body of `size` bytes on the wire."""
    headers = (HTML, ("Content-Encoding", coding), ("Content-Length", str(size)))
    return _streaming(head_of(200, headers), pieces, close=False)


def gzip_bomb(size: int = 10 * 1024 * MIB) -> Behaviour:
    """Answer with one valid gzip member, a thousandth of `size`, that becomes `size` bytes (in blocks of 16 MiB)."""
    blocks = max(1, size // BLOCK)
    block = _deflated_block()
    trailer = _crc_of_zeros(blocks).to_bytes(4, "little") + (blocks * BLOCK % 2**32).to_bytes(4, "little")
    ending = DEFLATE_END + trailer
    return _encoded(
        "gzip",
        len(GZIP_HEAD) + blocks * len(block) + len(ending),
        lambda: itertools.chain([GZIP_HEAD], itertools.repeat(block, blocks), [ending]),
    )


def brotli_bomb(size: int = 10 * 1024 * MIB) -> Behaviour:
    """Answer with a few kilobytes of brotli that become `size` bytes (in blocks of 16 MiB)."""
    blocks = max(1, size // BLOCK)
    body = BROTLI_FIRST + BROTLI_NEXT * (blocks - 1) + BROTLI_END
    return _encoded("br", len(body), lambda: iter([body]))


def endless_body(*, chunked: bool = True, piece: bytes = b"<p>and so on</p>\n" * 3000) -> Behaviour:
    """Send a body without end, as fast as the client reads, in chunks or until the connection closes."""
    coding = (("Transfer-Encoding", "chunked"),) if chunked else ()
    wire = b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece
    return _streaming(head_of(200, (HTML, *coding)), lambda: itertools.repeat(wire))


def big_file(
    size: int = 50 * MIB, *, headers: Headers = (("Content-Type", "application/zip"),), seed: int = 0
) -> Behaviour:
    """Send a large file that does not compress, with its length; `big_file_bytes` gives the same bytes."""
    length = Reply(200, headers, length=False).head[:-2] + b"Content-Length: %d\r\n\r\n" % size
    return _streaming(length, lambda: big_file_bytes(size, seed=seed), close=False)


def big_file_bytes(size: int = 50 * MIB, *, seed: int = 0) -> Iterator[bytes]:
    """Yield the bytes of `big_file`, for comparing or hashing."""
    return _repeating(random.Random(seed).randbytes(PIECE), size)


def drip(body: bytes = BODY, *, interval: float = 1.0) -> Behaviour:
    """Send the head at once and the body one byte an interval, until it ends or the web shuts down."""
    return _dripping(Reply(200, (HTML,), body).head, body, interval)


def slow_headers(body: bytes = BODY, *, interval: float = 1.0) -> Behaviour:
    """Send the whole answer, headers included, one byte an interval."""
    return _dripping(b"", Reply(200, (HTML,), body).head + body, interval)


def _dripping(at_once: bytes, slowly: bytes, interval: float) -> Behaviour:
    """Send some bytes at once and the others one an interval."""

    async def behave(request: Request, connection: Connection) -> None:
        if at_once:
            await connection.send(at_once)
        for byte in slowly:
            await connection.send(bytes([byte]))
            if not await connection.pause(interval):
                return

    return behave
