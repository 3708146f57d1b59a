"""Where rules were learned and when, noted until the pages captured before are read again by them.

The note is a file (`objects/learned.json`), so that a crawl that was killed goes on with it. Who learns notes it
before the rules are written: whoever goes on finds the rules there, and learns nothing anew.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.archive.objects import folder as objects_folder

FOLDER: Final = "learned"


def folder(collection: Collection) -> Path:
    """Return the folder of what was learned."""
    return collection.knowledge / FOLDER


@contextmanager
def locked(collection: Collection) -> Iterator[None]:
    """Keep others from writing what they learned meanwhile."""
    where = folder(collection)
    path = where / "lock"
    with guarded(path):
        where.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned at a site."""

    type: str
    """The type that it is about."""
    at: float
    """When the last rule was learned, seconds since the epoch: earlier captures were read without it."""


def note(collection: Collection, site: str, name: str, now: float) -> None:
    """Note that a rule is learned."""
    path = _file(collection)
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with locked(collection), replacing(path) as beside:
        known = {**noted(collection), site: Lesson(name, now)}
        plain = {each: [lesson.type, lesson.at] for each, lesson in known.items()}
        beside.write_text(json.dumps(plain), encoding="utf-8")


def noted(collection: Collection) -> Mapping[str, Lesson]:
    """Return what was noted and not read by yet."""
    try:
        found = json.loads(_file(collection).read_bytes())
        return {str(site): Lesson(str(name), float(at)) for site, (name, at) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def forget(collection: Collection) -> None:
    """Forget what was noted: the pages were read."""
    with guarded(_file(collection)):
        _file(collection).unlink(missing_ok=True)


def _file(collection: Collection) -> Path:
    return objects_folder(collection) / "learned.json"
