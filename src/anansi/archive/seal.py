"""The seal of a run that ended properly: how long logs and summary were and what they held; copies of small files.

`state/run.json` stands there while a crawl runs, and after one that died; `state/seal.json` after one that ended.
Both say how long each log and each finished object segment was, and its checksum, when a run last ended. So a log
that was cut, changed or removed since is noticed, and a crawl that goes on knows which lines its predecessor wrote.
Of WARC files and their lists they say how long each was: a crawl that goes on sees at once when one is gone or cut.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from isal import isal_zlib

from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.archive.objects import folder as objects_folder

LARGEST: Final = 1 << 24
"""Bytes of a file that is copied."""
_PIECE: Final = 1 << 20

Marks = dict[str, tuple[int, int]]
"""Path within the collection → bytes and their checksum."""

Sizes = dict[str, int]
"""Path within the collection → bytes."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What the last run left."""

    ended: bool
    """Whether it ended properly."""
    marks: Marks
    sizes: Sizes = field(default_factory=dict)
    """Of the finished WARC files, the index and the list of pages: what is written once, or grows."""
    found: bool = True
    """Whether there was a seal at all, and it could be read."""

    def log(self, collection: Collection) -> int | None:
        """Return how long crawl.log was before the last run, if that is known and the log is no shorter now."""
        size = self.marks.get(name_of(collection, collection.crawl_log), (0, 0))[0] if self.found else None
        there = collection.crawl_log.stat().st_size if collection.crawl_log.exists() else 0
        return size if size is not None and size <= there else None


def read(collection: Collection) -> Seal:
    """Read what the last run left; a seal that cannot be read is none."""
    for path, ended in ((_seal(collection), True), (_run(collection), False)):
        try:
            told = json.loads(path.read_bytes())
            marks = {str(name): (int(size), int(crc)) for name, (size, crc) in told["marks"].items()}
            return Seal(ended, marks, {str(name): int(size) for name, size in told.get("sizes", {}).items()})
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return Seal(ended=False, marks={}, found=False)
    return Seal(ended=False, marks={}, found=False)


def is_there(collection: Collection) -> bool:
    """Tell whether a run left anything, even if it cannot be read."""
    return _seal(collection).exists() or _run(collection).exists()


def begin(collection: Collection) -> None:
    """Write down that a crawl runs, and how long the logs were when one last ended properly."""
    keep_copies(collection, [collection.definition])
    marks = read(collection).marks
    marks.pop(name_of(collection, collection.summary), None)  # it is written anew while the crawl runs
    _write(collection, _run(collection), marks)
    with guarded(collection.state):
        _seal(collection).unlink(missing_ok=True)


def end(collection: Collection, *, anew: bool = False) -> None:
    """Write down that everything is as it should be; `anew` without relying on what was written down before."""
    if collection.unfinished():  # a worker that outlived its crawl has one yet
        return
    keep_copies(collection, [collection.summary, *_entries(collection.knowledge)])
    _write(collection, _seal(collection), marks_of(collection, {} if anew else read(collection).marks))
    with guarded(collection.state):
        _run(collection).unlink(missing_ok=True)


def forget(collection: Collection, names: Iterable[str]) -> None:
    """Compare some files no more with what they were: that they are not is noted elsewhere."""
    before = read(collection)
    path = _seal(collection) if before.ended else _run(collection)
    _write(collection, path, {name: mark for name, mark in before.marks.items() if name not in set(names)})


def marks_of(collection: Collection, before: Marks) -> Marks:
    """Measure the logs and the object segments; of what was measured before only the rest is read."""
    found: Marks = {}
    for path in _sealed(collection):
        name = name_of(collection, path)
        size, crc = before.get(name, (0, 0))
        with guarded(path), path.open("rb") as file:
            if path.stat().st_size < size:
                size, crc = 0, 0
            file.seek(size)
            while piece := file.read(_PIECE):
                crc = isal_zlib.crc32(piece, crc)
                size += len(piece)
        found[name] = size, crc
    return found


def broken(collection: Collection, seal: Seal) -> Iterator[tuple[str, str]]:
    """Yield the logs and segments that are not what they were when the last run ended, and what is wrong."""
    for name, (size, crc) in seal.marks.items():
        path = collection.root / name
        if what := _shortened(path, size):
            yield name, what
        elif _crc(path, size) != crc:
            yield name, f"its first {size:,} bytes are not what they were when the last crawl ended"


def shortened(collection: Collection, seal: Seal) -> Iterator[tuple[str, str]]:
    """Yield what is gone or cut since the last run, as far as lengths tell it, and what is wrong."""
    for name, size in {**{name: size for name, (size, _) in seal.marks.items()}, **seal.sizes}.items():
        if what := _shortened(collection.root / name, size):
            yield name, what


def _shortened(path: Path, size: int) -> str:
    if not path.is_file():
        return "the file is gone"
    there = path.stat().st_size
    return f"the file is shorter than it was: {there:,} of {size:,} bytes" if there < size else ""


def _crc(path: Path, size: int) -> int:
    crc = 0
    with guarded(path), path.open("rb") as file:
        while size and (piece := file.read(min(size, _PIECE))):
            crc = isal_zlib.crc32(piece, crc)
            size -= len(piece)
    return crc


# ── copies ───────────────────────────────────────────────────────────────────────────────────────────────────────


def copies(collection: Collection) -> Path:
    """Return the folder of the copies."""
    return collection.state / "copies"


def copy_of(collection: Collection, path: Path) -> Path:
    """Return where the copy of a file stands."""
    return copies(collection) / name_of(collection, path)


def keep_copies(collection: Collection, paths: Iterable[Path]) -> None:
    """Copy what could not be made again: the definition, the summary, what was learned."""
    for path in paths:
        with guarded(path):
            if not path.is_file() or path.stat().st_size > LARGEST:
                continue
            target = copy_of(collection, path)
            if not target.is_file() or target.read_bytes() != path.read_bytes():
                with replacing(target) as fresh:
                    shutil.copyfile(path, fresh)


def copied(collection: Collection) -> Iterator[tuple[Path, Path]]:
    """Yield the files of which there is a copy, and the copies."""
    where = copies(collection)
    for copy in sorted(where.rglob("*")) if where.is_dir() else ():
        if copy.is_file() and copy.suffix != ".new":
            yield collection.root / copy.relative_to(where), copy


def _entries(knowledge: Path) -> list[Path]:
    return sorted(knowledge.rglob("*.xml")) if knowledge.is_dir() else []


# ── where ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sealed(collection: Collection) -> list[Path]:
    where = objects_folder(collection)
    segments = sorted(where.glob("*.nq")) if where.is_dir() else []
    logs = (collection.crawl_log, collection.events, collection.skipped, collection.lost, collection.summary)
    return [path for path in (*logs, *segments) if path.is_file()]


def _sizes(collection: Collection) -> Sizes:
    lists = (path for path in (collection.index, collection.pages) if path.is_file())
    return {name_of(collection, path): path.stat().st_size for path in (*collection.warcs(), *lists)}


def _write(collection: Collection, path: Path, marks: Marks) -> None:
    with replacing(path) as fresh:
        told = {"marks": marks, "sizes": _sizes(collection)}
        fresh.write_text(json.dumps(told, indent=1), encoding="utf-8")


def _seal(collection: Collection) -> Path:
    return collection.state / "seal.json"


def _run(collection: Collection) -> Path:
    return collection.state / "run.json"


def name_of(collection: Collection, path: Path) -> str:
    """Return the name that a seal has for a file: its path within the collection."""
    return path.relative_to(collection.root).as_posix()
