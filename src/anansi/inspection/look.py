"""What a crawl would make of a page, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from anansi.fetch import charset
from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.entry import Pattern
from anansi.model import Hop, Recognition, Stated, WebObject
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.pages.navigate import Directions
from anansi.pages.recogniser import Recogniser
from anansi.pages.shortcuts import Ask
from anansi.text import tree as html
from anansi.url import DEFAULT

SHOWN: Final = 200
"""Characters of a node that a pattern found."""


@dataclass(frozen=True, slots=True)
class Fired:
    """A pattern that matches, and the first thing that each of its expressions finds."""

    type: str
    pattern: str
    seen: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What a page is, why, where it leads, and what stands on it."""

    document: Document
    recognition: Recognition | None
    fired: tuple[Fired, ...]
    """All detection patterns that match, those of other types too."""
    level: tuple[Fired, ...]
    """All patterns of levels that match, with `TYPE:LEVEL` for the type."""
    way: Directions
    aware: bool
    """Whether an application is known; if not, a crawl follows all links."""
    objects: tuple[WebObject, ...]
    stated: tuple[Stated, ...] = ()
    """Numbers that the page states of what its site holds."""
    shortcuts: tuple[Ask, ...] = ()
    """Where the site may list its content itself, seen from this page."""
    asked: tuple[str, ...] = ()
    """Addresses of those that a crawl would ask for here, to begin with."""


class Inspector:
    """Looks at pages, each by itself."""

    def __init__(self, catalogue: Catalogue):
        self.catalogue = catalogue
        self._finder = LinkFinder(DEFAULT)
        self._recogniser = Recogniser(catalogue)
        self._interpreter = Interpreter(catalogue, self._finder)

    def look(self, document: Document, now: float) -> Look:
        """Say what a crawl would make of a page."""
        alone = document.url  # instead of its site, so that no page is judged by another one
        recognition = self._interpreter.recognise(document, alone)
        fired = tuple(self._fired(document, name, pattern) for name, pattern in self._recogniser.fired(document))
        if document.tree is None:
            return Look(
                document, recognition, fired, (), Directions([], []), aware=recognition is not None, objects=()
            )
        understood = self._interpreter.act(document, recognition, alone, now)
        everything = Directions(self._finder.links(document.page, document.url), [])
        return Look(
            document=document,
            recognition=recognition,
            fired=fired,
            level=self._levels(document, recognition),
            way=_pages(understood.way) if understood.way is not None else everything,
            aware=understood.way is not None,
            objects=tuple(understood.objects),
            stated=understood.stated,
            shortcuts=tuple(self._interpreter.shortcuts(document, recognition, alone)),
            asked=self._interpreter.asker.trail(alone).asked,
        )

    def _levels(self, document: Document, recognition: Recognition | None) -> tuple[Fired, ...]:
        if recognition is None:
            return ()
        levels = self.catalogue[recognition.type].levels
        return tuple(
            self._fired(document, f"{recognition.type}:{level.name}", pattern)
            for level in levels
            for pattern in level.detection
            if self._recogniser.matches(document, pattern)
        )

    def _fired(self, document: Document, name: str, pattern: Pattern) -> Fired:
        nodes = (self._recogniser.find(document, expression)[0] for expression in pattern.expressions)
        return Fired(name, str(pattern), pattern.seen, tuple(map(_shown, nodes)))


def _pages(way: Directions) -> Directions:
    """Leave the shortcuts out of where a page leads."""
    return Directions([link for link in way.links if link.hop != Hop.MANIFEST.value], way.skips)


def _shown(node: Any) -> str:
    """Write a node as its start tag, or its text when it has no attributes."""
    if isinstance(node, str):
        return node[:SHOWN]
    attributes = "".join(f' {name}="{value}"' for name, value in node.attrib.items())
    text = " ".join((node.text or "").split())
    return f"<{node.tag}{attributes}>{text if not attributes else ''}"[:SHOWN]


def document_of(
    data: bytes, encoding: str, url: str, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
) -> Document:
    """Parse a page."""
    return Document(html.parse(data, encoding), charset.decode_text(data, encoding), url, status, headers)
