"""What a collection learned: entries of its own in `knowledge/learned`, one file a site and type.

Workers may learn at the same time: what is written is read again first, under a lock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from anansi.archive import seal
from anansi.archive.disk import guarded, replacing
from anansi.archive.layout import Collection
from anansi.archive.lessons import folder, locked
from anansi.errors import KnowledgeError, UserError
from anansi.knowledge import notation, shelf, writing
from anansi.knowledge.entry import Evidence, Extraction, Level, Type

_LONGEST: Final = 120  # characters of a file's name


@dataclass(frozen=True, slots=True)
class Learned:
    """A rule that was learned, and where it stands."""

    path: Path
    entry: Type
    evidence: Evidence


def keep(collection: Collection, name: str, change: Callable[[Type | None], Type]) -> Type:
    """Change the entry of a type, or make it; return it as written."""
    path = folder(collection) / f"{name.replace('/', '.')[:_LONGEST]}.xml"
    with locked(collection):
        before = shelf.in_file(path) if path.is_file() else None
        entry = _dated(change(before), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
        _write(path, entry)
    return entry


def keep_entry(collection: Collection, entry: Type) -> Type:
    """Write an entry of a site, beside what else was learned there: its ways, and levels of other names."""
    path = collection.knowledge / f"{entry.id}.xml"
    with locked(collection):
        whole = entry
        if path.is_file():
            with suppress(KnowledgeError):
                before = shelf.in_file(path)
                names = {level.name for level in entry.levels}
                others = tuple(level for level in before.levels if level.name not in names)
                whole = replace(entry, learned=before.learned, levels=(*entry.levels, *others))
        _write(path, whole)
    return whole


def rules(collection: Collection) -> list[Learned]:
    """List all rules that were learned, by file and in the order of learning."""
    where = folder(collection)
    found = shelf.files(where) if where.is_dir() else []
    entries = [(path, shelf.in_file(path)) for path in found]
    return [Learned(path, entry, each) for path, entry in entries for each in entry.evidence]


def entries(collection: Collection) -> list[tuple[Path, Type]]:
    """List the entries of sites that were learned as a whole: ways to content, and what stands on pages."""
    where = folder(collection)
    found = shelf.files(where) if where.is_dir() else []
    known = [(path, shelf.in_file(path)) for path in found]
    return [(path, entry) for path, entry in known if not entry.evidence]


def find(collection: Collection, name: str) -> Learned:
    """Return the rule of a name, or of the only one that begins so."""
    known = rules(collection)
    found = [each for each in known if each.evidence.rule.startswith(name)] if name else []
    if len(found) == 1 or (found and len({each.evidence.rule for each in found}) == 1):
        return found[0]
    if found:
        raise UserError(f"several rules begin with `{name}`; write more of it: {', '.join(_names(found))}")
    cure = f"the rules are {', '.join(_names(known))}" if known else "nothing was learned there"
    raise UserError(f"{collection.root}: there is no learned rule `{name}`; {cure}")


def _names(found: list[Learned]) -> list[str]:
    return [each.evidence.rule for each in found[:20]]


def forget(collection: Collection, learned: Learned) -> None:
    """Take a rule out; an entry without rules goes, too."""
    with locked(collection):
        entry = without(shelf.in_file(learned.path), learned.evidence.rule)
        if entry.evidence:
            _write(learned.path, entry)
        else:
            with guarded(learned.path):
                learned.path.unlink(missing_ok=True)
                seal.copy_of(collection, learned.path).unlink(missing_ok=True)


def promote(learned: Learned, target: Path) -> Path:
    """Put a rule into a folder of a person's entries, or into the file of one; return the file."""
    path = target if target.suffix == ".xml" else target / learned.path.name
    entry = only(learned.entry, learned.evidence.rule)
    if path.is_file():
        there = shelf.in_file(path)
        if there.id != entry.id:
            raise UserError(f"{path} is about `{there.id}`, the rule is about `{entry.id}`; name another file")
        if any(each.rule == learned.evidence.rule for each in there.evidence):
            return path
        entry = _joined(entry, there)
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, entry)
    return path


def _joined(entry: Type, there: Type) -> Type:
    from anansi.knowledge.catalogue import inherited

    return replace(inherited(entry, there), detection=there.detection, evidence=(*there.evidence, *entry.evidence))


# ── parts of entries ─────────────────────────────────────────────────────────────────────────────────────────────


def without(entry: Type, rule: str) -> Type:
    """Return an entry without one of its rules."""
    return _kept(entry, lambda name: name != rule)


def only(entry: Type, rule: str) -> Type:
    """Return an entry with one of its rules."""
    return _kept(entry, lambda name: name == rule)


def _kept(entry: Type, wanted: Callable[[str], bool]) -> Type:
    left = tuple(each for each in entry.evidence if wanted(each.rule))
    lines = {each.action for each in left}
    levels = [_kept_level(level, lines) for level in entry.levels]
    return replace(entry, levels=tuple(level for level in levels if level is not None), evidence=left)


def _kept_level(level: Level, lines: set[str]) -> Level | None:
    """Return what is left of a level: the rules that evidence in words speaks of."""

    def there(rest: str) -> bool:
        return f"{level.name}: {rest}" in lines

    kept = replace(
        level,
        detection=tuple(each for each in level.detection if there(f"detect: {each}")),
        navigation=tuple(each for each in level.navigation if there(f"{each.to} navigate: {each.expression}")),
        extraction=tuple(each for one in level.extraction if (each := _kept_action(one, there)) is not None),
    )
    return kept if kept.detection or kept.navigation or kept.extraction else None


def _kept_action(action: Extraction, there: Callable[[str], bool]) -> Extraction | None:
    each = tuple(one for one in action.each if there(f"{action.object} each: {one}"))
    properties = tuple(one for one in action.properties if there(f"{action.object} {one.name}: {one.expression}"))
    if not each and not properties:
        return None
    return replace(action, each=each, properties=properties or action.properties[-1:])


def _dated(entry: Type, now: str) -> Type:
    return replace(entry, evidence=tuple(each if each.when else replace(each, when=now) for each in entry.evidence))


def _write(path: Path, entry: Type) -> None:
    data = writing.write(entry)
    notation.read(data, str(path))  # what cannot be read must not be written: it would stop every later crawl
    if len(data) > notation.LARGEST:
        raise KnowledgeError(f"{path}: {len(data)} bytes are too many for an entry")
    with replacing(path) as beside:
        beside.write_bytes(data)
