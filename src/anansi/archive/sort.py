"""Sorting files larger than memory: sorted runs on disk, merged."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing
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


def write_runs(lines: Iterable[bytes], folder: Path, key: Key) -> list[Path]:
    """Write lines into sorted files in `folder`, which must be empty or hold runs only."""
    runs: list[Path] = []
    batch: list[bytes] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if size >= RUN:
            runs.append(_write_run(batch, folder, key))
            batch, size = [], 0
    if batch:
        runs.append(_write_run(batch, folder, key))
    return runs


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
