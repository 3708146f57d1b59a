"""All types, each with what it inherits from the more general ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, TypeVar

from anansi.errors import KnowledgeError
from anansi.knowledge.entry import SITE, Extraction, Level, Type
from anansi.knowledge.index import Index, mark

_NOT_AN_ID: Final = re.compile(r"[^a-z0-9.\-]+")

GENERIC = "generic"
"""The category of entries that standards describe; whatever names an application is more specific."""
LEARNED = "learned"
"""The category of sites that nobody has described: what they are of, if that is known, says more about them."""

T = TypeVar("T")


class Catalogue:
    """The types of a crawl. Frozen once made: what is learned makes another one."""

    def __init__(self, entries: Iterable[Type]):
        self.types, problems = _assembled(entries)
        if problems:
            raise KnowledgeError("\n".join(problems))
        self.index = Index(self.types.values())

    def with_entry(self, entry: Type) -> Catalogue:
        """Return another catalogue that has an entry more, or in the place of the one of its id."""
        parent = self.types.get(entry.parent)
        if parent is None:
            raise KnowledgeError(_orphan(entry))
        whole = inherited(entry, parent)
        if told := list(_contradictions(whole)):
            raise KnowledgeError("\n".join(told))
        other = Catalogue.__new__(Catalogue)
        other.types = {**self.types, entry.id: whole}
        other.index = Index(other.types.values())
        return other

    def __repr__(self) -> str:
        return f"Catalogue({len(self.types)} types)"

    def __getitem__(self, name: str) -> Type:
        return self.types[name]


def problems(entries: Iterable[Type]) -> list[str]:
    """Say all that keeps entries from making a catalogue."""
    return _assembled(entries)[1]


def slug(site: str) -> str:
    """Write a site's name as part of a type's id."""
    return _NOT_AN_ID.sub("-", site.lower()) or "site"


def specificity(name: str) -> int:
    """Say how specific a type is: the standards least, then categories and learned sites, applications, sites."""
    category = name.partition("/")[0]
    return -1 if category == GENERIC else 0 if category == LEARNED else name.count("/")


def _assembled(entries: Iterable[Type]) -> tuple[dict[str, Type], list[str]]:
    """Give every type what it inherits, the general ones first; what does not fit is left out and told."""
    own: dict[str, Type] = {}
    types: dict[str, Type] = {}
    told: list[str] = []
    for entry in entries:
        try:
            own[entry.id] = _joined(own[entry.id], entry) if entry.id in own else entry
        except KnowledgeError as error:
            told.append(str(error))
    for entry in sorted(own.values(), key=lambda entry: entry.id.count("/")):
        if entry.parent and entry.parent not in own:
            told.append(_orphan(entry))
        elif not entry.parent or entry.parent in types:  # else what is wrong with the parent is told already
            try:
                types[entry.id] = inherited(entry, types[entry.parent]) if entry.parent else entry
            except KnowledgeError as error:
                told.append(str(error))
            else:
                told += _contradictions(types[entry.id])
    return types, told


def _orphan(entry: Type) -> str:
    cure = f"add an entry `{entry.parent}`, or give this one another id"
    where = f"{entry.source}, line {entry.line}"
    return f"{where}: `{entry.id}` refines `{entry.parent}`, which does not exist; {cure}"


def _joined(first: Type, second: Type) -> Type:
    """Add to an entry what another one of the same id says (what a collection learned)."""
    return replace(inherited(second, first), detection=second.detection + first.detection)


def inherited(child: Type, parent: Type) -> Type:
    """Return a type with what its parent says added behind its own."""
    names = dict.fromkeys([*(level.name for level in child.levels), *(level.name for level in parent.levels)])
    return replace(
        child,
        addresses=child.addresses + parent.addresses,
        navigation=child.navigation + parent.navigation,
        levels=tuple(_level(child, parent, name) for name in names),
        shortcuts=child.shortcuts + parent.shortcuts,
        learned=child.learned + parent.learned,
    )


def _level(child: Type, parent: Type, name: str) -> Level:
    own, general = child.level(name), parent.level(name)
    if own is None or general is None:
        found = own or general
        assert found is not None
        return found
    if own.kind is not general.kind:
        raise KnowledgeError(
            f"{child.source}, line {own.line}: the level `{name}` is {own.kind} here and {general.kind} in"
            f" `{parent.id}`; give it another name"
        )
    return replace(
        own,
        detection=own.detection + general.detection,
        navigation=own.navigation + general.navigation,
        extraction=_extractions(own.extraction, general.extraction),
        while_new=own.while_new or general.while_new,
        states=own.states + general.states,
    )


def _extractions(own: tuple[Extraction, ...], general: tuple[Extraction, ...]) -> tuple[Extraction, ...]:
    """Join the extractions of one object, the first with the first; those of others stand behind."""
    rest = list(general)
    joined = []
    for each in own:
        more = next((other for other in rest if other.object == each.object), None)
        if more is not None:
            rest.remove(more)
        joined.append(each if more is None else _extraction(each, more))
    return (*joined, *rest)


def _extraction(own: Extraction, general: Extraction) -> Extraction:
    return replace(
        own,
        each=own.each + general.each,
        runs=own.runs | general.runs,
        part_of=own.part_of or general.part_of,
        properties=own.properties + general.properties,
        needs=own.needs or general.needs,
    )


def _contradictions(entry: Type) -> Iterator[str]:
    """Tell what leads to levels that are not there, objects that belong to others that are not, useless patterns."""
    levels = {level.name for level in entry.levels}
    asked = [(row.leads, row.line) for row in entry.addresses]
    asked += [(action.to, action.line) for action in entry.navigation]
    asked += [(action.to, action.line) for level in entry.levels for action in level.navigation]
    asked += [(shortcut.leads, shortcut.line) for shortcut in entry.shortcuts]
    asked += [(each.of, each.action.line) for level in entry.levels for each in level.states if each.of != SITE]
    for name, line in asked:
        if name and name not in levels:
            known = ", ".join(sorted(levels)) or "none"
            yield f"{entry.source}, line {line}: there is no level `{name}`; the levels are {known}"
    for level in entry.levels:
        yield from _loose_parts(entry, level)
    for pattern in entry.detection:
        try:
            mark(entry, pattern)
        except KnowledgeError as error:
            yield str(error)


def _loose_parts(entry: Type, level: Level) -> Iterator[str]:
    objects = {each.object: each.part_of for each in level.extraction}
    for each in level.extraction:
        where = f"{entry.source}, line {each.line}"
        if each.part_of and each.part_of not in objects:
            missing = f"which the level `{level.name}` does not extract; extract a `{each.part_of}` there, too"
            yield f"{where}: `{each.object}` is part of `{each.part_of}`, {missing}"
        whole = each.part_of
        for _ in objects:
            if whole == each.object:
                yield f"{where}: `{each.object}` is part of itself; take one `part-of` out"
                break
            whole = objects.get(whole, "")
