"""A small file system of its own, that can be filled, emptied and made read-only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class Disk:
    """A mounted tmpfs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ballast = path / "ballast"

    def leave(self, free: int) -> None:
        """Fill it up until so many bytes are free."""
        self.relieve()
        stat = os.statvfs(self.path)
        with suppress(OSError):  # whoever writes at the same time may take the last of it: it is full, too, then
            self._ballast.write_bytes(bytes(stat.f_bavail * stat.f_frsize - free))

    def relieve(self) -> None:
        """Free what was filled."""
        self._ballast.unlink(missing_ok=True)

    def remount(self, mode: str) -> None:
        """Make it read-only (`ro`) or writable (`rw`)."""
        subprocess.run(["mount", "-o", f"remount,{mode}", self.path], check=True, capture_output=True)


@contextmanager
def mounted(path: Path, size: str) -> Iterator[Disk]:
    """Mount a small file system; skip the test where that is not permitted."""
    path.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
    done = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not permitted here: {done.stderr.strip()}")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=False, capture_output=True)
