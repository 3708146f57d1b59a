"""Codings of a body: bodies are stored as they came over the wire and decoded here when they are read.

1. `transfer_decode` takes chunks apart.
2. `content_decode` undoes gzip, deflate, br and zstd, and stops at a limit.

Damaged input is normal: what can be decoded is returned and `complete` is false.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, cast

from fastwarc import stream_io
from isal import isal_zlib

from anansi.chunks import Dechunker

_STACKED: Final = 3
"""Codings of one body, at most."""

_MEMBERS: Final = 65536
"""Gzip members of one body, at most: 20-byte members would buy a second of CPU with each megabyte."""

_WINDOW: Final = 16384
"""Bytes of input a first step takes, doubled up to `_WIDEST`: most pages fit, and tiny members copy little."""

_WIDEST: Final = 1 << 20

_ZSTD_STEP: Final = 512
"""Bytes read at once; what the step holds in which a stream breaks is lost, so it is small."""


class Decoded(NamedTuple):
    """A decoded body."""

    data: bytes
    complete: bool
    """Whether every coding was known and came to its proper end."""
    bomb: bool = False
    """Whether decompression was stopped at the limit."""


def is_chunked(headers: Iterable[tuple[str, str]]) -> bool:
    """Tell whether the headers announce chunks."""
    codings = (token for name, value in headers if name.lower() == "transfer-encoding" for token in _tokens(value))
    return "chunked" in codings


def transfer_decode(headers: Iterable[tuple[str, str]], data: bytes) -> tuple[bytes, bool]:
    """Return the payload of a body, and whether all of it is there."""
    if not is_chunked(headers):
        return data, True
    chunks = Dechunker()
    payload = chunks.feed(data)
    return payload, chunks.complete or not data


def content_decode(encoding: str, payload: bytes, limit: int) -> Decoded:
    """Undo the content codings of a payload, giving `limit` bytes at most.

    A coding that is not known, or that the payload does not even begin with, leaves the payload as it is.
    """
    codings = [token for token in _tokens(encoding) if token not in ("identity", "none")]
    if not payload:
        return Decoded(b"", True)
    if not codings:
        return _cut(payload, limit)
    if len(codings) > _STACKED:
        return _unknown(payload, limit)
    decoded = Decoded(payload, True)
    for coding in reversed(codings):
        step = _DECODERS.get(coding, _unknown)(decoded.data, max(limit, 0))
        decoded = Decoded(step.data, decoded.complete and step.complete, decoded.bomb or step.bomb)
    return decoded


def _tokens(value: str) -> list[str]:
    """Split a header value into lower-case tokens, without parameters."""
    tokens = (part.partition(";")[0].strip().strip('"').lower() for part in value.split(","))
    return [token for token in tokens if token]


def _cut(data: bytes, limit: int) -> Decoded:
    limit = max(limit, 0)
    return Decoded(data[:limit], len(data) <= limit)


def _unknown(payload: bytes, limit: int) -> Decoded:
    return _cut(payload, limit)._replace(complete=False)


@dataclass(frozen=True, slots=True)
class _Care:
    """How a pass takes its input: in wide steps up to the offset `good`, then `step` bytes at once."""

    good: int = 0
    step: int = 0

    def width(self, at: int, window: int) -> int:
        """Return how many bytes to take at an offset."""
        return min(window, self.good - at) if at < self.good else (self.step or window)


@dataclass(slots=True)
class _Pass:
    """One pass over a compressed stream: what came out, how far it went, and how it ended."""

    out: bytearray
    at: int = 0
    done: bool = False
    damaged: bool = False


def _decompress(once: Callable[[bytes, int, _Care], _Pass], payload: bytes, limit: int) -> Decoded:
    """Decompress a stream; when it is damaged, come closer to the place in two more passes.

    The libraries drop the whole output of the call in which they meet damage, so the calls around it are made small.
    """
    done = once(payload, limit, _Care())
    for step in (4096, 1):
        if done.damaged:
            done = once(payload, limit, _Care(done.at, step))
    if done.damaged and not done.out:
        return _unknown(payload, limit)
    bomb = len(done.out) > limit
    return Decoded(bytes(done.out[:limit]), done.done and not bomb, bomb)


def _inflate(wbits: int, payload: bytes, limit: int, care: _Care) -> _Pass:
    """Inflate member after member; only gzip has more than one."""
    run = _Pass(bytearray())
    for _ in range(_MEMBERS):
        try:
            _inflate_member(run, payload, isal_zlib.decompressobj(wbits=wbits), limit + 1, care)
        except _INFLATE_ERROR:
            run.damaged, run.done = True, False
            break
        # What follows the end and is not another member is padding or garbage: browsers ignore it, so do we.
        if not run.done or len(run.out) > limit or wbits != _GZIP or not payload.startswith(_GZIP_MAGIC, run.at):
            break
        run.done = False
    return run


def _inflate_member(run: _Pass, payload: bytes, member: Any, most: int, care: _Care) -> None:
    """Inflate one member up to its end, the end of the payload, or `most` bytes of output in all."""
    window = _WINDOW
    while run.at < len(payload) and len(run.out) < most and not member.eof:
        piece = payload[run.at : run.at + care.width(run.at, window)]
        run.out += member.decompress(piece, most - len(run.out))
        run.at += len(piece) - len(member.unused_data)
        window = min(window * 2, _WIDEST)
    run.done = member.eof


_GZIP, _ZLIB, _RAW = 31, 15, -15
_GZIP_MAGIC: Final = b"\x1f\x8b"
_INFLATE_ERROR: Final = cast("type[Exception]", isal_zlib.error)


def _gunzip(payload: bytes, limit: int) -> Decoded:
    if not payload.startswith(_GZIP_MAGIC[: len(payload)]):  # the library waits for a whole header to say so
        return _unknown(payload, limit)
    return _decompress(partial(_inflate, _GZIP), payload, limit)


def _undeflate(payload: bytes, limit: int) -> Decoded:
    """Inflate `deflate`, which RFC 9110 says is zlib and some servers send bare."""
    looks_zlib = len(payload) > 1 and payload[0] & 0x0F == 8 and int.from_bytes(payload[:2], "big") % 31 == 0
    decoded = _decompress(partial(_inflate, _ZLIB if looks_zlib else _RAW), payload, limit)
    if looks_zlib and not decoded.complete and decoded.data == payload[:limit]:
        return _decompress(partial(_inflate, _RAW), payload, limit)
    return decoded


def _load_brotli() -> Any:
    """Load Google's module, whose output can be limited.

    `brotlipy`, which some archive tools bring along, installs a package of the same name and cannot be limited;
    the extension module beneath Google's is then taken from its file.
    """
    module = importlib.import_module("brotli")
    if hasattr(module.Decompressor, "process"):
        return module
    spec = importlib.machinery.PathFinder.find_spec("_brotli")
    if spec is None or spec.loader is None:
        raise ImportError("brotlipy hides brotli, and brotli itself is not installed; install brotli>=1.2")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_brotli = _load_brotli()


def _unbrotli(payload: bytes, limit: int) -> Decoded:
    return _decompress(_unbrotli_once, payload, limit)


def _unbrotli_once(payload: bytes, limit: int, care: _Care) -> _Pass:
    run = _Pass(bytearray())
    stream = _brotli.Decompressor()
    try:
        while len(run.out) <= limit and not stream.is_finished():
            width = care.width(run.at, _WINDOW) if stream.can_accept_more_data() else 0
            piece = payload[run.at : run.at + width]
            if width and not piece:
                break
            run.out += stream.process(piece, output_buffer_limit=min(_WIDEST, limit + 1 - len(run.out)))
            run.at += len(piece)
        run.done = stream.is_finished()
    except _brotli.error:
        run.damaged = True
    return run


def _unzstd(payload: bytes, limit: int) -> Decoded:
    """Read zstd frames with FastWARC's reader; its window is bounded by the library, 128 MiB."""
    out = bytearray()
    reader = stream_io.ZstdReader(io.BytesIO(payload))
    complete = True
    try:
        while len(out) <= limit and (piece := reader.read(_ZSTD_STEP)):
            out += piece
    except OSError:
        complete = False
        if not out:
            return _unknown(payload, limit)
    bomb = len(out) > limit
    return Decoded(bytes(out[:limit]), complete and not bomb, bomb)


_Decoder = Callable[[bytes, int], Decoded]
_ZSTD: Final[dict[str, _Decoder]] = {"zstd": _unzstd} if hasattr(stream_io, "ZstdReader") else {}
_DECODERS: Final[dict[str, _Decoder]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _undeflate,
    "br": _unbrotli,
    **_ZSTD,
}
