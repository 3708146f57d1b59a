"""What rules should have found on a page and did not: the template may be another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from anansi.knowledge.entry import Extraction
from anansi.model import WebObject

NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "thread": ("title",),
    "post": ("author", "date", "text"),
    "article": ("title", "author", "date", "text"),
    "comment": ("author", "date", "text"),
    "question": ("title", "author", "date", "text"),
    "answer": ("author", "date", "text"),
    "status": ("author", "date", "text"),
    "document": ("title", "text"),
}
"""What every object of a kind has; a page on which it is missing has another template, or is no such page."""

OPTIONAL: Final = frozenset(("comment", "answer"))
"""Objects that a page may be without."""

MISSING: Final = 0.5
"""Share of the objects that must have a property for its rule to hold."""


def failures(actions: Sequence[Extraction], objects: Sequence[WebObject]) -> dict[str, set[str]]:
    """Say of each kind of object which properties a page should have and does not."""
    failed: dict[str, set[str]] = {}
    for action in actions:
        needed = [name for name in NEEDED.get(action.object, ()) if name in action.names]
        found = [each for each in objects if each.kind == action.object]
        if not found:
            missing = set(needed)
        else:
            missing = {name for name in needed if sum(bool(each.get(name)) for each in found) < MISSING * len(found)}
        if missing:
            failed.setdefault(action.object, set()).update(missing)
    return failed


def wanting(actions: Sequence[Extraction], objects: Sequence[WebObject]) -> bool:
    """Tell, by a glance, whether something may be missing: it is asked of every page."""
    for action in actions:
        needed = NEEDED.get(action.object)
        if needed is None:
            continue
        of_kind = [each for each in (objects[0], objects[-1]) if each.kind == action.object] if objects else []
        if not of_kind:
            of_kind = [each for each in objects if each.kind == action.object][:1]
        if not of_kind:
            return True
        there = {name for name, _ in of_kind[0].properties}
        if len(of_kind) > 1:
            there.update(name for name, _ in of_kind[1].properties)
        if any(name not in there and name in action.names for name in needed):
            return True
    return False
