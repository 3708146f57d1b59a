"""Readings of captures: a page may be read again, by rules that were learned later, and its latest reading counts.

A reading that is not the first says when it was made (`schema:sdDatePublished`). It stands in a segment like any
other, under the name of the same capture; what was read before stays there, and is left out by who asks.
"""

from __future__ import annotations

import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded
from anansi.archive.known import CLOSING, objects_in, pages_in
from anansi.archive.layout import Collection
from anansi.archive.objects import Piece, pieces, segments
from anansi.archive.sort import merged, whole, write_runs
from anansi.errors import DiskError
from anansi.knowledge.vocabulary import CAPTURE, term
from anansi.model import WebObject

READ: Final = f"> <{term(CAPTURE['read'])}> ".encode()
"""What the line holds after its subject that says when a capture was read again."""

_LATEST_FIRST: Final = bytes.maketrans(b"0123456789", b"9876543210")
_FIRST_READING: Final = b"~"  # behind all moments
_LATEST: Final = 10**12
_PLACE: Final = 48  # bits of an offset in a segment, before the segment's number

Replaced = Mapping[str, "array[int]"]
"""The name of a segment → where pages begin that were read again later, in order."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """The statements of one reading of a page, in the data that holds them."""

    graph: bytes
    """The capture, as N-Quads writes it."""
    read: bytes
    """When, if it is not the first reading."""
    begin: int
    end: int


def readings_in(data: bytes) -> Iterator[PageRead]:
    """Go through the readings in some lines."""
    for _, begin, end in pages_in(data):
        line = data.rfind(b"\n", begin, end - 1) + 1 or begin
        graph = data[line : data.find(b">", line) + 1]
        at = data.find(graph[:-1] + READ, max(begin, end - CLOSING), end)
        yield PageRead(graph, data[at:end].split(b'"', 2)[1] if at >= 0 else b"", begin, end)


def replaced(collection: Collection) -> Replaced:
    """Find the readings that later ones replace; bounded memory, and no work where no page was read twice."""
    if not any(READ in piece.data for _, piece in _pieces(collection)):
        return {}
    found: dict[str, array[int]] = {}
    with tempfile.TemporaryDirectory(prefix="anansi-readings-") as folder:
        where = Path(folder)
        last = b""
        for line in merged(write_runs(_lines(collection), where, whole), where, whole):
            graph, _, _, name, offset = line.split(b"\t")
            if graph == last:
                found.setdefault(name.decode(), array("Q")).append(int(offset))
            last = graph
    return {name: array("Q", sorted(offsets)) for name, offsets in found.items()}


def _lines(collection: Collection) -> Iterator[bytes]:
    """Write a line for each reading; of one capture the latest comes first."""
    number = _LATEST
    for segment, piece in _pieces(collection):
        start = piece.end - len(piece.data)
        for each in readings_in(piece.data):
            number -= 1
            moment = each.read.translate(_LATEST_FIRST) if each.read else _FIRST_READING
            place = b"%b\t%d" % (segment.name.encode(), start + each.begin)
            yield b"%b\t%b\t%012d\t%b\n" % (each.graph, moment, number, place)


def _pieces(collection: Collection) -> Iterator[tuple[Path, Piece]]:
    for segment in segments(collection):
        try:
            for piece in pieces(segment):
                yield segment, piece
        except DiskError:
            continue  # who reads the statements themselves says so


def current(found: Iterable[Piece], without: array[int] | None) -> Iterator[Piece]:
    """Leave readings that later ones replace out of the pieces of a segment."""
    if not without:
        yield from found
        return
    for piece in found:
        start = piece.end - len(piece.data)
        kept = [
            piece.data[each.begin : each.end]
            for each in readings_in(piece.data)
            if start + each.begin not in _At(without)
        ]
        yield Piece(b"".join(kept), piece.end)


@dataclass(frozen=True, slots=True)
class _At:
    """A sorted array as a set."""

    values: array[int]

    def __contains__(self, value: int) -> bool:
        at = bisect_left(self.values, value)
        return at < len(self.values) and self.values[at] == value


class Former:
    """What was read before: hashes, and where it stands, 40 bytes a capture. Mutable: nothing once made."""

    def __init__(self, collection: Collection):
        stale = replaced(collection)
        self._segments: list[Path] = []
        said, captures, places, ends = array("Q"), array("Q"), array("Q"), array("Q")
        for segment, piece in _pieces(collection):
            if segment not in self._segments[-1:]:
                self._segments.append(segment)
            start, without = piece.end - len(piece.data), _At(stale.get(segment.name, array("Q")))
            for one in readings_in(piece.data):
                if start + one.begin not in without:
                    said.append(_said(piece.data[one.begin : one.end]))
                    captures.append(_hash(one.graph))
                    places.append(len(self._segments) - 1 << _PLACE | start + one.begin)
                    ends.append(start + one.end)
        order = sorted(range(len(captures)), key=captures.__getitem__)
        self._said, self._captures = _At(array("Q", sorted(said))), _At(array("Q", map(captures.__getitem__, order)))
        self._places, self._ends = (array("Q", map(each.__getitem__, order)) for each in (places, ends))

    def objects(self, capture: str) -> list[WebObject]:
        """Return the objects that the latest reading of a capture told of."""
        wanted, known = _hash(f"<{capture.strip('<> ')}>".encode()), self._captures
        if wanted not in known:
            return []
        at = bisect_left(known.values, wanted)
        number, begin = divmod(self._places[at], 1 << _PLACE)
        with guarded(self._segments[number]), self._segments[number].open("rb") as file:
            file.seek(begin)
            return objects_in(file.read(self._ends[at] - begin))

    def same(self, statements: bytes) -> bool:
        """Tell whether the latest reading of a capture makes the same statements, whenever it was made."""
        return _said(statements) in self._said

    def knows(self, statements: bytes) -> bool:
        """Tell whether the capture that statements are about was read before."""
        return any(_hash(each.graph) in self._captures for each in readings_in(statements))


def _said(statements: bytes) -> int:
    return _hash(b"\n".join(line for line in statements.splitlines() if READ not in line))


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest())


def latest_in(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return some lines without readings that later ones there replace, and the captures that were read again."""
    if READ not in data:
        return data, []
    found = list(readings_in(data))
    last = {each.graph: number for number, each in enumerate(found)}
    kept = [data[each.begin : each.end] for number, each in enumerate(found) if last[each.graph] == number]
    return b"".join(kept), list(dict.fromkeys(each.graph for each in found if each.read))
