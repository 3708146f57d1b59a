"""How far each segment is in the embedded store; known without opening the store."""

from __future__ import annotations

import json
from pathlib import Path

from anansi.archive.disk import replacing
from anansi.archive.layout import OPEN, Collection
from anansi.archive.objects import folder, segments


def store_of(collection: Collection) -> Path:
    """Return the folder of the store."""
    return folder(collection) / "store"


def progress(collection: Collection) -> dict[str, int]:
    """Read how many bytes of each segment are loaded; nothing is when the store is gone."""
    if not store_of(collection).is_dir():
        return {}
    try:
        found = json.loads(_record(collection).read_bytes())
    except (OSError, ValueError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {name: offset for name, offset in pairs if isinstance(offset, int) and offset >= 0}


def remember(collection: Collection, done: dict[str, int]) -> None:
    """Write down what is loaded, after the store has it."""
    with replacing(_record(collection)) as path:
        path.write_text(json.dumps(done))


def waiting(collection: Collection, least: int = 0) -> dict[Path, int]:
    """Return the segments that are not wholly loaded, with the bytes that wait; of one being written `least` do."""
    done = progress(collection)
    found: dict[Path, int] = {}
    for segment in segments(collection):
        size, finished = _size(segment)
        left = size - done.get(segment.name, 0)
        if left > 0 and (finished or left >= least):
            found[segment] = left
    return found


def _size(segment: Path) -> tuple[int, bool]:
    """Return the bytes of a segment, and whether it is finished."""
    for path, finished in ((segment, True), (segment.with_name(segment.name + OPEN), False), (segment, True)):
        try:
            return path.stat().st_size, finished
        except FileNotFoundError:  # it is given its final name at this moment
            continue
    return 0, False


def _record(collection: Collection) -> Path:
    return folder(collection) / "loaded.json"
