"""A disk whose power can be cut: an ext4 in a file, of which only what was written to it stays.

The kernel keeps what a process writes in memory until it is synced, or until it sees fit. The file below the mounted
file system therefore holds what a disk would hold if the machine lost its power now, and a copy of it, taken while
all writers stand still, is that disk.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.crash.crawling import Crawling

SIZE = 192 << 20
"""Bytes of the disk, most of which are never written."""


class Volume:
    """A mounted file system in a file. Mutable state: `_image`, another one after each cut."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "volume"
        self._folder = folder
        self._image = folder / "image-0"
        self._cuts = 0
        self.path.mkdir()
        with self._image.open("wb") as file:
            file.truncate(SIZE)
        _run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=1,lazy_journal_init=1", self._image)
        self._mount()

    def cut(self, crawling: Crawling, lucky: Iterable[Path] = ()) -> None:
        """Cut the power under a crawl: what was not synced is gone.

        But for the files that are `lucky`: the kernel may write any of them back by itself, before any other.
        """
        _freeze(crawling)
        for path in lucky:
            with suppress(FileNotFoundError):
                _sync(path)
        left = self._copied()
        for pid in crawling.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        crawling.wait()
        self._go_on_with(left)

    def cut_idle(self) -> None:
        """Cut the power while nobody writes."""
        self._go_on_with(self._copied())

    def _copied(self) -> Path:
        self._cuts += 1
        left = self._folder / f"image-{self._cuts}"
        _run("cp", "--sparse=always", self._image, left)
        return left

    def _go_on_with(self, left: Path) -> None:
        self.unmount()
        self._image.unlink()
        self._image = left
        self._mount()

    def _mount(self) -> None:
        done = subprocess.run(
            ["mount", "-o", "loop", self._image, self.path], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"mounting is not permitted here: {done.stderr.strip()}")

    def unmount(self) -> None:
        """Take it out."""
        subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)


def _freeze(crawling: Crawling) -> None:
    """Stop all processes of a crawl, those included that are started meanwhile."""
    stopped: set[int] = set()
    while found := set(crawling.processes()) - stopped:
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        stopped |= found


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _run(*command: str | Path) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


@contextmanager
def volume(folder: Path) -> Iterator[Volume]:
    """Make a disk, where that is permitted; skip the test elsewhere."""
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("mkfs.ext4 is missing: apt-get install e2fsprogs")
    made = Volume(folder)
    try:
        yield made
    finally:
        made.unmount()
