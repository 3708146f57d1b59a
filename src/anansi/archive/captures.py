"""The captures of one URL, out of the CDXJ index and what is not merged into it yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from anansi.archive.disk import guarded
from anansi.archive.layout import OPEN, Collection
from anansi.archive.lines import REVISIT
from anansi.archive.segment import CDXJ
from anansi.archive.sort import lines_of
from anansi.url import surt

NEAR: Final = 5
"""Other URLs that are named where one was never captured."""
_AROUND: Final = 200  # lines of the index that are looked at for them


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture, as the index has it."""

    url: str
    at: str
    """Fourteen digits."""
    status: str
    mime: str
    digest: str
    filename: str
    offset: int

    @property
    def revisit(self) -> bool:
        """Tell whether the same bytes were there before."""
        return self.mime == REVISIT

    @property
    def date(self) -> str:
        """The moment as people read it."""
        at = self.at
        return f"{at[:4]}-{at[4:6]}-{at[6:8]} {at[8:10]}:{at[10:12]}:{at[12:14]}"


def captures(collection: Collection, url: str) -> list[Captured]:
    """List the captures of a URL in whatever spelling, the first first."""
    key = surt(url).replace(" ", "%20").encode("utf-8", "replace") + b" "
    lines = [*_merged(collection, key), *_waiting(collection, key)]
    found = (_captured(line) for line in dict.fromkeys(lines))
    return sorted((each for each in found if each is not None), key=lambda each: each.at)


def near(collection: Collection, url: str) -> list[str]:
    """List captured URLs that stand close to one in the index: those whose beginning is most alike."""
    key = surt(url).encode("utf-8", "replace")
    lines: list[bytes] = []
    if collection.index.is_file():
        with guarded(collection.index), collection.index.open("rb") as file:
            at = _first(file, key)
            file.seek(max(0, at - _AROUND * 100))
            file.readline()
            lines = [line for line, _ in zip(file, range(2 * _AROUND), strict=False)]
    lines += [line for path in _segments(collection) for line in lines_of(path)][: 10 * _AROUND]
    ranked = sorted(lines, key=lambda line: -_alike(line, key))
    found = (_captured(line) for line in ranked)
    pages = (each.url for each in found if each is not None and not each.url.endswith("/robots.txt"))
    return list(dict.fromkeys(pages))[:NEAR]


def _alike(one: bytes, other: bytes) -> int:
    """Count the characters with which both begin."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _merged(collection: Collection, key: bytes) -> Iterator[bytes]:
    if not collection.index.is_file():
        return
    with guarded(collection.index), collection.index.open("rb") as file:
        file.seek(_first(file, key))
        for line in file:
            if not line.startswith(key):
                return
            yield line


def _first(file: BinaryIO, key: bytes) -> int:
    """Return where the first line stands that is not before a key; lines are sorted by their bytes."""
    low, high = 0, os.fstat(file.fileno()).st_size
    while low < high:  # a line that begins at `low` or behind it
        middle = (low + high) // 2
        file.seek(middle)
        if middle:
            file.readline()
        begin, line = file.tell(), file.readline()
        if line and line < key:
            low = begin + len(line)
        else:
            high = middle
    file.seek(low)
    while (line := file.readline()) and line < key:  # one line at most: that at `low` was not looked at
        low += len(line)
    return low


def _waiting(collection: Collection, key: bytes) -> Iterator[bytes]:
    for path in _segments(collection):
        yield from (line for line in lines_of(path) if line.startswith(key))


def _segments(collection: Collection) -> list[Path]:
    where = collection.segments
    return sorted([*where.glob(f"*{CDXJ}"), *where.glob(f"*{CDXJ}{OPEN}")]) if where.is_dir() else []


def _captured(line: bytes) -> Captured | None:
    try:
        _, at, fields = line.split(b" ", 2)
        said = msgspec.json.decode(fields, type=dict[str, str])
    except (ValueError, msgspec.DecodeError):
        return None
    offset = said.get("offset", "")
    return Captured(
        said.get("url", ""),
        at.decode("ascii", "replace"),
        said.get("status", ""),
        said.get("mime", ""),
        said.get("digest", ""),
        said.get("filename", ""),
        int(offset) if offset.isdigit() else 0,
    )
