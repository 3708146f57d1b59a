"""The disk: its errors in words, and the steps that survive a crash."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anansi.errors import DiskError


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Translate an error of the operating system about `path` into a `DiskError` with its cure."""
    try:
        yield
    except OSError as error:
        raise DiskError.of(path, error) from error


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


def sync_file(path: Path) -> None:
    """Wait until the disk itself has all that any process wrote to a file; one that is gone was synced before."""
    with guarded(path):
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:  # finished meanwhile, under another name
            return
        try:
            os.fdatasync(descriptor)
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
