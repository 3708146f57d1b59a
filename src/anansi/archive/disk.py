"""The disk: its errors in words, and the steps that survive a crash."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from anansi.errors import DiskError

_CURES: Final = {
    errno.ENOSPC: "free some space on the disk, then continue the crawl",
    errno.EDQUOT: "raise the quota or free some space, then continue the crawl",
    errno.EFBIG: "the file system or `ulimit -f` limits the size of files: raise the limit or lower the WARC size",
    errno.EROFS: "the file system is read-only: choose another folder or mount it for writing",
    errno.EACCES: "choose a folder you may write to, or change its permissions",
    errno.EPERM: "choose a folder you may write to, or change its permissions",
    errno.EIO: "the disk may be failing: copy the collection to another disk before going on",
    errno.EMFILE: "raise the limit of open files (`ulimit -n`)",
    errno.ENOENT: "the folder went away: bring it back, then continue the crawl",
}
_CURE: Final = "check the disk, then continue the crawl"


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Translate an error of the operating system about `path` into a `DiskError` with its cure."""
    try:
        yield
    except OSError as error:
        what = error.strerror or str(error)
        cure = _CURES.get(error.errno or 0, _CURE)
        raise DiskError(f"{path}: {what}; {cure}") from error


def write_all(descriptor: int, data: bytes | memoryview) -> None:
    """Write every byte; the system may take fewer at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync_folder(folder: Path) -> None:
    """Make renames and new names in the folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Offer a temporary path, whose file takes the place of `path` at the end, or goes when something fails."""
    temporary = path.with_name(path.name + ".new")
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(path)
            sync_folder(path.parent)
        finally:
            temporary.unlink(missing_ok=True)
