"""WARC files read record by record, with the exact place of each, in bounded memory.

Every way in which a file can be wrong ends in a `DamagedError` that says what is wrong; whoever reads knows where,
from the last record that was whole.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeVar

from anansi.errors import DamagedError

MAGIC: Final = b"\x1f\x8b\x08"
PEEK: Final = 1 << 18
"""Bytes of a block that `Record.peek` shows at most; heads of responses and metadata are far smaller."""

_GZIP: Final = 31
"""zlib's word for gzip members. isal is faster (0.06 ms for 28 KB, not 0.10), but takes some
that zlib, and so every other reader, refuses."""
_READ: Final = 1 << 16
_PIECE: Final = 1 << 18
_HEADER_LIMIT: Final = 1 << 20
_VERSION: Final = re.compile(rb"WARC/[0-9]+\.[0-9]+")
_FIELD: Final = re.compile(rb"([!-9;-~]+)[ \t]*:[ \t]*(.*)", re.DOTALL)
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_END: Final = b"\r\n\r\n"
_NEXT: Final = b"\r\n\r\nWARC/"

T = TypeVar("T")
Ends = Callable[[], Mapping[int, int]]


class _Source(Protocol):
    """Where the bytes of records come from."""

    def begin(self) -> int | None:
        """Step to the next record and return its offset, None at the end of the file."""

    def more(self) -> bytes:
        """Return the next bytes of the record, nothing when there are no more."""

    def finish(self, rest: bytes) -> int:
        """Take back what was read beyond the record and return the offset of its end."""


class _Members:
    """Gzip members, one a record.

    Mutable state: `_pending` (compressed bytes read and not used), `_read` (offset of the next byte to read),
    `_inflate` (the member being read).
    """

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._read = start
        self._pending = b""
        self._inflate = zlib.decompressobj(_GZIP)

    def begin(self) -> int | None:
        offset = self._read - len(self._pending)
        if not self._pending:
            self._pending = self._take()
        if not self._pending:
            return None
        self._inflate = zlib.decompressobj(_GZIP)
        return offset

    def more(self) -> bytes:
        piece = b""
        while not piece and not self._inflate.eof:
            piece = self._step()
        return piece

    def _step(self) -> bytes:
        data = self._inflate.unconsumed_tail
        if not data:
            data, self._pending = self._pending or self._take(), b""
            if not data:
                raise DamagedError("the file ends inside a gzip member")
        try:
            piece = self._inflate.decompress(data, _PIECE)
        except zlib.error as error:
            raise DamagedError(f"the gzip data is not valid ({error})") from error
        if self._inflate.eof:
            self._pending = self._inflate.unused_data
        return piece

    def finish(self, rest: bytes) -> int:
        if rest or self.more():
            raise DamagedError("a gzip member holds more than one record; `warcio recompress` splits it")
        return self._read - len(self._pending)

    def _take(self) -> bytes:
        data = self._file.read(_READ)
        self._read += len(data)
        return data


class _Plain:
    """Records one after the other, not compressed.

    Mutable state: `_rest` (read beyond the last record), `_read` (offset of the next byte to read).
    """

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self._read = start
        self._rest = b""

    def begin(self) -> int | None:
        offset = self._read - len(self._rest)
        if not self._rest:
            self._rest = self._take()
        return offset if self._rest else None

    def more(self) -> bytes:
        data = self._rest or self._take()
        self._rest = b""
        return data

    def finish(self, rest: bytes) -> int:
        self._rest = rest + self._rest
        return self._read - len(self._rest)

    def _take(self) -> bytes:
        data = self._file.read(_READ)
        self._read += len(data)
        return data


class Record:
    """A record being read.

    Mutable state: `_buffer` (bytes of the block read and not given out), `_left` (bytes of the block still to be
    given out), `_peeked`, and `length`, 0 until `finish`.
    """

    __slots__ = ("_buffer", "_fields", "_left", "_peeked", "_source", "length", "offset", "size")

    def __init__(self, offset: int, source: _Source) -> None:
        self.offset = offset
        self.length = 0
        self._source = source
        self._peeked: bytes | None = None
        header, self._buffer = _read_header(source)
        self._fields = _fields(header)
        self.size = self._left = _content_length(self._fields)

    def __repr__(self) -> str:
        return f"Record({self.kind} at {self.offset}, {self._left} of {self.size} bytes left)"

    def get(self, name: str) -> str:
        """Return the first value of a (lower-case) field, or nothing."""
        return self._fields.get(name, "")

    @property
    def kind(self) -> str:
        """The type of the record."""
        return self.get("warc-type")

    @property
    def url(self) -> str:
        """The target, without the angle brackets that some writers put around it."""
        return self.get("warc-target-uri").removeprefix("<").removesuffix(">")

    def peek(self) -> bytes:
        """Return the beginning of the block; call it before anything else is read."""
        if self._peeked is None:
            while len(self._buffer) < min(self._left, PEEK):
                self._fill()
            self._peeked = self._buffer[: min(self._left, PEEK)]
        return self._peeked

    def chunks(self) -> Iterator[bytes]:
        """Yield what is left of the block."""
        while self._left:
            if not self._buffer:
                self._fill()
            piece, self._buffer = self._buffer[: self._left], self._buffer[self._left :]
            self._left -= len(piece)
            yield piece

    def finish(self) -> int:
        """Read to the end of the record and return its length in the file."""
        if not self.length:
            for _ in self.chunks():
                pass
            while len(self._buffer) < len(_END):
                self._fill()
            if not self._buffer.startswith(_END):
                raise DamagedError("the block is longer or shorter than Content-Length says")
            self.length = self._source.finish(self._buffer[len(_END) :]) - self.offset
            self._buffer = b""
        return self.length

    def _fill(self) -> None:
        data = self._source.more()
        if not data:
            raise DamagedError("the record ends before its Content-Length")
        self._buffer += data


def records(path: Path, start: int = 0) -> Iterator[Record]:
    """Read the records of a file, from the one that begins at `start`; each is finished before the next."""
    with path.open("rb") as file:
        file.seek(start)
        source = _Members(file, start) if is_gzipped(path) else _Plain(file, start)
        while (offset := source.begin()) is not None:
            record = Record(offset, source)
            yield record
            record.finish()


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of a file that are no record."""

    start: int
    end: int
    reason: str


def past_damage(
    path: Path, take: Callable[[Record], Iterable[T]], hear: Callable[[Damage], None], *, ends: Ends = dict
) -> Iterator[T]:
    """Yield what `take` makes of every record, those behind damage included; `hear` is told of the damage.

    `ends` says where captures end, by where they begin, as an index has it: what a damaged record holds may look like
    a record itself (someone crawled a WARC file). It is asked for once there is damage.
    """
    start: int | None = 0
    while start is not None:
        end = start
        try:
            for record in records(path, start):
                end = record.offset
                yield from take(record)
                end = record.offset + record.finish()
            start = None
        except DamagedError as error:
            start = _behind(path, end, ends().get(end, 0))
            hear(Damage(end, path.stat().st_size if start is None else start, str(error)))


def _behind(path: Path, damaged: int, told: int) -> int | None:
    """Find the next record behind a damaged one: where it is told to end, if that is so, else where one begins."""
    if damaged < told < path.stat().st_size and next_record(path, told - 1) == told:
        return told
    return next_record(path, damaged)


def next_record(path: Path, after: int) -> int | None:
    """Find the next record behind damage that begins at `after`."""
    with path.open("rb") as file:
        gzipped = is_gzipped(path)
        mark = MAGIC if gzipped else _NEXT
        position = after + 1 if gzipped else max(0, after + 1 - len(_END))
        while True:
            file.seek(position)
            data = file.read(_PIECE)
            if len(data) < len(mark):
                return None
            found = data.find(mark)
            if found >= 0 and not gzipped:
                return position + found + len(_END)
            if found >= 0 and _begins_record(file, position + found):
                return position + found
            position += found + 1 if found >= 0 else len(data) - len(mark) + 1


def is_gzipped(path: Path) -> bool:
    """Tell whether the records of a file are gzip members."""
    with path.open("rb") as file:
        return file.read(2) == MAGIC[:2] or ".gz" in path.suffixes


def inflates(path: Path, offset: int) -> bool:
    """Tell whether a gzip member that begins at an offset is whole, whatever it holds."""
    with path.open("rb") as file:
        file.seek(offset)
        member = _Members(file, offset)
        try:
            if member.begin() is None:
                return False
            while member.more():
                pass
        except DamagedError:
            return False
    return True


def _begins_record(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    inflate = zlib.decompressobj(_GZIP)
    try:
        return bool(_VERSION.match(inflate.decompress(file.read(_READ), 64)))
    except zlib.error:
        return False


def _read_header(source: _Source) -> tuple[bytes, bytes]:
    """Read up to the empty line and return the header and what was read beyond it."""
    data = source.more()
    while (end := data.find(_END)) < 0:
        if len(data) > _HEADER_LIMIT or (data and not _VERSION.match(data[:16]) and len(data) >= 16):
            raise DamagedError("a record does not begin with a WARC header")
        piece = source.more()
        if not piece:
            raise DamagedError("the file ends inside a WARC header")
        data += piece
    return data[:end], data[end + len(_END) :]


def _fields(header: bytes) -> dict[str, str]:
    version, *lines = header.split(b"\r\n")
    if not _VERSION.fullmatch(version):
        raise DamagedError("a record does not begin with a WARC header")
    fields: dict[str, str] = {}
    name = ""
    for line in lines:
        if line[:1] in (b" ", b"\t") and name:
            fields[name] += " " + line.strip().decode("utf-8", "replace")
            continue
        match = _FIELD.fullmatch(line)
        if match is None:
            raise DamagedError(f"a header line is not a field: {line[:80]!r}")
        name = match[1].decode("ascii").lower()
        fields.setdefault(name, match[2].rstrip(b" \t").decode("utf-8", "replace"))
    return fields


def _content_length(fields: dict[str, str]) -> int:
    text = fields.get("content-length", "")
    if not _LENGTH.fullmatch(text):
        raise DamagedError(f"Content-Length is not a number: {text[:40]!r}")
    return int(text)
