"""The definition of a collection: read from crawl.yaml or, when that was damaged, from the copy of the last run."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

from anansi.archive import seal
from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.config import Definition, load
from anansi.errors import ConfigError

_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_KEY = re.compile(rb"^[a-z]", re.MULTILINE)


def definition_in(collection: Collection) -> Definition | None:
    """Read the definition that a collection was crawled by; None when it has none. A damaged one is restored."""
    restore(collection)
    return load(collection.definition) if collection.definition.exists() else None


def restore(collection: Collection) -> str:
    """Put the copy in the place of a damaged crawl.yaml; say so, or nothing when that was not needed.

    A mistake that someone made is not damage: it is said with its line when the definition is read.
    """
    copy = seal.copy_of(collection, collection.definition)
    if not copy.is_file() or not is_damaged(collection.definition, copy):
        return ""
    kept = set_aside(collection, collection.definition)
    with replacing(collection.definition) as fresh:
        shutil.copyfile(copy, fresh)
    return f"crawl.yaml was damaged and is restored as the crawl last ran by it{kept}"


def set_aside_unreadable(collection: Collection) -> str:
    """Set aside a definition that cannot be read, where there is no copy of it; say so, or nothing."""
    try:
        definition_in(collection)
    except ConfigError as error:
        why = str(error).splitlines()[0]
        kept = set_aside(collection, collection.definition)
        collection.definition.unlink()
        return f"its definition cannot be read ({why}){kept}; what is not said on the command line is as by default"
    return ""


def is_damaged(path: Path, copy: Path) -> bool:
    """Tell whether a definition is gone, cut off, no text, or one bit from the one that the crawl ran by."""
    if not path.is_file():
        return True
    with guarded(path):
        data, whole = path.read_bytes(), copy.read_bytes()
    if data == whole:
        return False
    if not _is_text(data) or not data.strip():
        return True
    if whole.startswith(data) and (not data.endswith(b"\n") or len(data) <= _last_key(whole)):
        return True
    return (whole.startswith(data) or _one_bit(data, whole)) and not _is_read(path)


def _last_key(whole: bytes) -> int:
    """Return where the last section begins: all are written, so what ends before it was cut, if only at a line."""
    return max((found.start() for found in _KEY.finditer(whole)), default=0)


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not _CONTROLS.search(data)


def _one_bit(data: bytes, whole: bytes) -> bool:
    """Tell whether two texts differ in one bit: nobody writes that on purpose so that it cannot be read."""
    if len(data) != len(whole):
        return False
    different = [one ^ other for one, other in zip(data, whole, strict=True) if one != other]
    return len(different) == 1 and different[0].bit_count() == 1


def _is_read(path: Path) -> bool:
    try:
        load(path)
    except ConfigError:
        return False
    return True


def set_aside(collection: Collection, path: Path) -> str:
    """Keep a damaged file in `state/torn` under a name of its own; say where, for the end of a sentence."""
    if not path.is_file():
        return ""
    target = collection.torn / f"{path.name}.{time.strftime('%Y%m%d%H%M%S', time.gmtime())}"
    number = 1
    with guarded(target):
        collection.torn.mkdir(parents=True, exist_ok=True)
        while target.exists():
            number += 1
            target = target.with_name(f"{target.name}.{number}")
        shutil.copyfile(path, target)
    return f"; the damaged one is kept as {target}"
