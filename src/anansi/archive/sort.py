"""Sorting files larger than memory: sorted runs on disk, merged."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path
from typing import Any, Final

RUN: Final = 32 << 20
"""Bytes of lines sorted in memory at a time; Python needs about three times as many."""
FAN: Final = 64
"""Files merged at a time; well under the usual limit of 1,024 open files."""

Key = Callable[[bytes], Any]


def whole(line: bytes) -> bytes:
    """Sort lines by their bytes, as `LC_ALL=C sort` does."""
    return line


class Sorter:
    """Lines in any order in, sorted lines out. Mutable state: `_batch` of `_size` bytes, and `_runs` on disk."""

    def __init__(self, folder: Path, key: Key = whole):
        """Keep what does not fit into memory in `folder`, which must be empty or hold runs only."""
        self._folder, self._key = folder, key
        self._batch: list[bytes] = []
        self._size = 0
        self._runs: list[Path] = []

    def add(self, line: bytes) -> None:
        """Take a line, with its end."""
        self._batch.append(line)
        self._size += len(line)
        if self._size >= RUN:
            self._flush()

    def runs(self) -> list[Path]:
        """Return the sorted files that hold all lines."""
        if self._batch:
            self._flush()
        return self._runs

    def sorted(self) -> Iterator[bytes]:
        """Yield the lines in order, each of those that follow each other under one key once."""
        return merged(self.runs(), self._folder, self._key)

    def _flush(self) -> None:
        self._runs.append(_write_run(self._batch, self._folder, self._key))
        self._batch, self._size = [], 0


def write_runs(lines: Iterable[bytes], folder: Path, key: Key) -> list[Path]:
    """Write lines into sorted files in `folder`, which must be empty or hold runs only."""
    sorter = Sorter(folder, key)
    for line in lines:
        sorter.add(line)
    return sorter.runs()


def joined(left: Iterable[bytes], right: Iterable[bytes], key: Key) -> Iterator[tuple[Any, list[bytes], list[bytes]]]:
    """Walk sorted lines side by side: every key with what either side has under it."""
    tagged = heapq.merge(((key(line), 0, line) for line in left), ((key(line), 1, line) for line in right))
    for found, group in groupby(tagged, key=lambda each: each[0]):
        sides: tuple[list[bytes], list[bytes]] = ([], [])
        for _, side, line in group:
            sides[side].append(line)
        yield found, *sides


def _write_run(batch: list[bytes], folder: Path, key: Key) -> Path:
    batch.sort(key=key)
    return _write(batch, folder)


def _write(lines: Iterable[bytes], folder: Path) -> Path:
    path = folder / f"run-{sum(1 for _ in folder.iterdir())}"
    with path.open("xb") as file:
        file.writelines(lines)
    return path


def merged(runs: list[Path], folder: Path, key: Key) -> Iterator[bytes]:
    """Yield the lines of sorted files in order, each of those that follow each other under one key once."""
    while len(runs) > FAN:
        runs = [*runs[FAN:], _write(_merge(runs[:FAN], key), folder)]
    yield from _merge(runs, key)


def _merge(runs: list[Path], key: Key) -> Iterator[bytes]:
    last: Any = None
    with ExitStack() as stack:
        files = [stack.enter_context(closing(lines_of(path))) for path in runs]
        for line in heapq.merge(*files, key=key):
            rank = key(line)
            if rank != last:
                yield line
            last = rank


def lines_of(path: Path) -> Generator[bytes, None, None]:
    """Yield the lines of a file, empty ones left out, each with its line end, which the last one may lack."""
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield line if line.endswith(b"\n") else line + b"\n"
