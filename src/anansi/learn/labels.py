"""Where a link stands on its page: the root-to-link path, which is the label of an edge of the site's graph.

A label is an XPath of child steps, such as `/html/body/div[@id='wrap']/div[contains(@id,'post-')]/a/@href`. What
changes from page to page (`post-1234`) is cut down to what stays (`post-`); a value of which nothing stays is left
out. The labeller writes ids and classes; `coarse` leaves out those that a setting does not ask for.
"""

from __future__ import annotations

import enum
import re
from functools import lru_cache
from itertools import islice
from typing import Any, Final, TypeAlias

from anansi.text.elements import stays
from anansi.text.page_model import PageModel

DEEPEST: Final = 64
"""Steps of a label; what stands deeper is labelled by the way to its ancestor there."""
CLASSES: Final = 3
"""Classes of an element that a label has; those behind are mostly about looks."""
MEMO: Final = 20_000
"""Steps remembered (tag, id and class, below another one), and labels; about 900 bytes each."""

TEXTS: Final = 50
"""Pieces of text of an anchor that are read."""

_WHOLE: Final = frozenset(("html", "body"))
"""Elements whose ids and classes say what kind of page it is, or which one, but not where on it a link stands."""
_NOWHERE: Final = frozenset(("", "#"))  # how what leads to the page itself begins
_NUMBER: Final = re.compile(r"[0-9]+")  # which stands for any other in an id or class


class Attributes(enum.StrEnum):
    """The attributes that tell labels apart (the paper's parameter `a`)."""

    ID = "id"
    CLASS = "class"
    BOTH = "both"


class _Step:
    """An element as labels see it: one step from that above, and the label of links that stand there."""

    __slots__ = ("below", "depth", "label", "path")

    def __init__(self, path: str, depth: int):
        self.path, self.depth, self.label = path, depth, path + "/@href"
        self.below: dict[_Written, _Step] = {}


_Written: TypeAlias = tuple[str, str | None, str | None]
"""An element's tag, id and class."""


class Places:
    """Where the links of one page stand. Mutable state: `_steps` (element → its step), those of elements above links.

    `anchors` are what may lead elsewhere, in the page's order: what each refers to, as written, and its element.
    """

    def __init__(self, page: PageModel, labeller: Labeller):
        self._labeller = labeller
        self._steps: dict[Any, _Step] = {None: labeller.root}
        self.anchors = [link for link in page.links if link[0][:1] not in _NOWHERE]

    def label(self, element: Any) -> str:
        """Return the label of an element; the steps of all elements above are remembered for the page."""
        steps, new = self._steps, []
        while (step := steps.get(element)) is None:
            new.append(element)
            element = element.getparent()
        while new:
            element = new.pop()
            key = element.tag, element.get(b"id"), element.get(b"class")
            step = steps[element] = step.below.get(key) or self._labeller.step(step, key)
        return step.label

    def text(self, anchor: Any) -> str:
        """Return what an anchor says."""
        return "".join(islice(anchor.itertext(), TEXTS)) if len(anchor) else anchor.text or ""


class Labeller:
    """Labels the links of pages.

    Mutable state: `root`, before the first step, and all steps that were met below it (`_met` of them), dropped when
    full.
    """

    def __init__(self) -> None:
        self.root, self._met = _Step("", 0), 0

    def links(self, page: PageModel) -> list[tuple[str, str]]:
        """Return what the anchors of a page refer to, as written, each with its label; in the page's order."""
        places = self.places(page)
        return [(href, places.label(anchor)) for href, anchor in places.anchors]

    def places(self, page: PageModel) -> Places:
        """Return the places of a page's links."""
        if self._met >= MEMO:
            self.root, self._met = _Step("", 0), 0
        return Places(page, self)

    def step(self, above: _Step, key: _Written) -> _Step:
        """Return a step that was not met before, as it is written; beyond the deepest one there is none."""
        tag, identity, classes = key
        key = tag, identity and _NUMBER.sub("0", identity), classes and _NUMBER.sub("0", classes)
        step = above.below.get(key)
        if step is None:
            step = _Step(above.path + written(*key), above.depth + 1) if above.depth < DEEPEST else above
            above.below[key] = step
            self._met += 1
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


_ID: Final = re.compile(r"\[@id='[^']*'\]|\[contains\(@id,'[^']*'\)\]")
_CLASSES: Final = re.compile(r"(\[contains\(@class,'[^']*'\)\])(?:\[contains\(@class,'[^']*'\)\])*")


@lru_cache(MEMO)
def coarse(label: str, attributes: Attributes) -> str:
    """Return a label with no other attributes than those asked for; of several classes the first counts."""
    if attributes is Attributes.ID:
        return _CLASSES.sub("", label)
    return _CLASSES.sub(r"\1", _ID.sub("", label) if attributes is Attributes.CLASS else label)
