"""Where a link stands on its page: the root-to-link path, which is the label of an edge of the site's graph.

A label is an XPath of child steps, such as `/html/body/div[@id='wrap']/div[contains(@id,'post-')]/a/@href`. What
changes from page to page (`post-1234`) is cut down to what stays (`post-`); a value of which nothing stays is left
out. The labeller writes ids and classes; `coarse` leaves out those that a setting does not ask for.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, TypeAlias

DEEPEST: Final = 64
"""Steps of a label; what stands deeper is labelled by the way to its ancestor there."""
CLASSES: Final = 3
"""Classes of an element that a label has; those behind are mostly about looks."""
MEMO: Final = 20_000
"""Elements (tag, id, class) whose steps are remembered, and labels; about 300 bytes each."""

TEXTS: Final = 50
"""Pieces of text of an anchor that are read."""

_WHOLE: Final = frozenset(("html", "body"))
"""Elements whose ids and classes say what kind of page it is, or which one, but not where on it a link stands."""
_STAYS: Final = re.compile(r"[A-Za-z_-]+")
_VOLATILE: Final = 2  # letters; a value whose longest run of letters has no more (`a1b2c3`) says nothing


class Attributes(enum.StrEnum):
    """The attributes that tell labels apart (the paper's parameter `a`)."""

    ID = "id"
    CLASS = "class"
    BOTH = "both"


_Paths: TypeAlias = dict[Any, tuple[str, int]]
"""Element of a page → the path to it, and how many steps that has."""


class Labeller:
    """Labels the links of pages. Mutable state: `_steps` ((tag, id, class) → step as written), dropped when full."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, str | None, str | None], str] = {}

    def links(self, tree: Any) -> list[tuple[str, str]]:
        """Return what the anchors of a page refer to, as written, each with its label; in the page's order."""
        paths: _Paths = {None: ("", 0)}
        found = []
        for anchor in tree.iter("a", "area"):
            href = anchor.get("href")
            if href and href[0] != "#":
                found.append((href, self._path(anchor, paths) + "/@href"))
        return found

    def places(self, tree: Any) -> Iterator[tuple[str, Callable[[], tuple[str, str]]]]:
        """Go through the anchors of a page: what each refers to, and what gives its label and its text."""
        paths: _Paths = {None: ("", 0)}
        for anchor in tree.iter("a", "area"):
            href = anchor.get("href")
            if href and href[0] != "#":
                yield href, partial(self._place, anchor, paths)

    def _place(self, anchor: Any, paths: _Paths) -> tuple[str, str]:
        return self._path(anchor, paths) + "/@href", "".join(islice(anchor.itertext(), TEXTS))

    def _path(self, element: Any, paths: _Paths) -> str:
        """Return the path of an element; those of all elements above are remembered for the page."""
        new = []
        while element not in paths:
            new.append(element)
            element = element.getparent()
        path, depth = paths[element]
        for each in reversed(new):
            if depth < DEEPEST:
                path, depth = path + self._step(each), depth + 1
            paths[each] = path, depth
        return path

    def _step(self, element: Any) -> str:
        key = (element.tag, element.get("id"), element.get("class"))
        step = self._steps.get(key)
        if step is None:
            if len(self._steps) >= MEMO:
                self._steps.clear()
            step = self._steps[key] = written(*key)
        return step


def written(tag: object, identity: str | None, classes: str | None) -> str:
    """Write a step: the tag with what stays of its id and its classes."""
    name = tag if isinstance(tag, str) and re.fullmatch(r"[A-Za-z][\w.-]*", tag) else "*"
    if name in _WHOLE:
        return f"/{name}"
    parts = ["/", name]
    if identity and (stable := stays(identity)):
        parts.append(f"[@id='{stable}']" if stable == identity else f"[contains(@id,'{stable}')]")
    kept = dict.fromkeys(filter(None, map(stays, (classes or "").split()[: 4 * CLASSES])))
    parts += [f"[contains(@class,'{each}')]" for each in list(kept)[:CLASSES]]
    return "".join(parts)


def stays(value: str) -> str:
    """Return what stays of an id or class from page to page: `post-1234` → `post-`, `a1b2c3` → nothing."""
    runs = _STAYS.findall(value[:200])
    longest = max(runs, key=len, default="")
    return "" if longest != value and len(longest.strip("-_")) <= _VOLATILE else longest


_ID: Final = re.compile(r"\[@id='[^']*'\]|\[contains\(@id,'[^']*'\)\]")
_CLASSES: Final = re.compile(r"(\[contains\(@class,'[^']*'\)\])(?:\[contains\(@class,'[^']*'\)\])*")


@lru_cache(MEMO)
def coarse(label: str, attributes: Attributes) -> str:
    """Return a label with no other attributes than those asked for; of several classes the first counts."""
    if attributes is Attributes.ID:
        return _CLASSES.sub("", label)
    return _CLASSES.sub(r"\1", _ID.sub("", label) if attributes is Attributes.CLASS else label)
