"""The text of a page as one run of characters, and which elements cover which part of it.

Spaces are left out, for templates add and drop them; so whether a text stands somewhere is one search, and which
element holds it and nothing else is one look-up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from anansi.text.visible import UNSEEN

ELEMENTS: Final = 8000
"""Elements of a page that are looked at; a thread of forty posts has four thousand."""

DEEPEST: Final = 256
"""Elements in each other; where more are, no template made the page."""

CHARACTERS: Final = 1 << 20
"""Characters of a page's text that are looked at."""

MOST_OF_IT: Final = 0.8
"""Share of a text's lines that must stand in an element for it to be the text's."""

BETWEEN: Final = 3000
"""Characters between two lines of a text that are not its own: a quote."""

PLACES: Final = 60
"""Places where one text is found; what stands in more of them is no content."""


_PROSE: Final = frozenset(
    ("p", "br", "ul", "ol", "pre", "blockquote", "b", "i", "em", "strong", "a", "span", "code", "img")
)
"""What prose is made of, beside plain words."""


def squeezed(text: str) -> str:
    """Leave the spaces of a text out."""
    return "".join(text.split())


class PageText:
    """Where the texts of a page stand. Frozen once made."""

    def __init__(self, tree: Any):
        pieces: list[str] = []
        self.elements: list[Any] = []
        """All elements, in the order of the page."""
        self.whole = True
        """Whether all of the page was looked at."""
        self._span: dict[Any, tuple[int, int]] = {}
        self._holding: dict[tuple[int, int], list[Any]] = {}
        self._read(tree, pieces)
        self.text = "".join(pieces)

    def __repr__(self) -> str:
        return f"PageText({len(self.elements)} elements, {len(self.text)} characters)"

    def _read(self, tree: Any, pieces: list[str]) -> None:
        """Walk the tree without recursion: pages nest as deep as they like."""
        at = 0
        waiting: list[tuple[Any, int, int]] = [(tree, -1, 0)]
        while waiting:
            element, begin, depth = waiting.pop()
            if begin >= 0:  # all below it is read
                self._span[element] = (begin, at)
                self._holding.setdefault((begin, at), []).append(element)
            elif len(self.elements) < ELEMENTS and at < CHARACTERS and depth < DEEPEST:
                self.elements.append(element)
                waiting.append((element, at, depth))
                at += _add(element.text, pieces)
                waiting += ((child, -1, depth + 1) for child in _backwards(element))
                continue
            else:
                self.whole = False
            if element is not tree:
                at += _add(element.tail, pieces)

    def of(self, element: Any) -> str:
        """Return the text of an element."""
        begin, end = self._span.get(element, (0, 0))
        return self.text[begin:end]

    def length(self, element: Any) -> int:
        """Return how many characters an element's text has."""
        begin, end = self._span.get(element, (0, 0))
        return end - begin

    def holding(self, text: str) -> list[Any]:
        """Return the elements whose whole text is this one, the inner ones first."""
        found: list[Any] = []
        for begin in self._places(text):
            found += self._holding.get((begin, begin + len(text)), ())
        return found

    def around(self, first: str, last: str) -> list[Any]:
        """Return the smallest elements in which one text stands before another one, with those around them."""
        found: dict[Any, None] = {}
        for begin in self._places(first)[:4]:
            end = self.text.find(last, begin)
            smallest = self._covering(begin, end + len(last)) if end >= 0 else None
            if smallest is not None:
                found[smallest] = None
                found.update(dict.fromkeys(islice(smallest.iterancestors(), 2)))
        return sorted(found, key=self.length)

    def around_all(self, texts: Sequence[str]) -> list[Any]:
        """Return the smallest element in which most of several texts stand, in any order, with those around it."""
        places = [(at, at + len(text)) for text in texts if (at := self.text.find(text)) >= 0]
        if not places or sum(end - begin for begin, end in places) < MOST_OF_IT * sum(map(len, texts)):
            return []
        smallest = self._covering(min(begin for begin, _ in places), max(end for _, end in places))
        return [smallest, *islice(smallest.iterancestors(), 2)] if smallest is not None else []

    def around_lines(self, lines: Sequence[str]) -> list[Any]:
        """Return the smallest element in which lines follow each other with little between, with those around it."""
        longest = max(range(len(lines)), key=lambda number: len(lines[number]), default=0)
        found = [self._stretch(lines, longest, at) for at in (self._places(lines[longest])[:8] if lines else ())]
        covers = [self._covering(*each) for each in found if each is not None]
        smallest = min((each for each in covers if each is not None), key=self.length, default=None)
        return [smallest, *islice(smallest.iterancestors(), 2)] if smallest is not None else []

    def _stretch(self, lines: Sequence[str], number: int, at: int) -> tuple[int, int] | None:
        """Return where lines begin and end, one of which stands at a place; None when one is missing."""
        begin, end = at, at + len(lines[number])
        for line in reversed(lines[:number]):
            begin = self.text.rfind(line, max(0, begin - BETWEEN - len(line)), begin)
            if begin < 0:
                return None
        for line in lines[number + 1 :]:
            at = self.text.find(line, end, end + BETWEEN + len(line))
            if at < 0:
                return None
            end = at + len(line)
        return begin, end

    def _covering(self, begin: int, end: int) -> Any:
        """Return the smallest element that covers a part of the text."""
        covering = (
            (stop - start, element) for element, (start, stop) in self._span.items() if start <= begin and stop >= end
        )
        return min(covering, key=lambda each: each[0], default=(0, None))[1]

    def has(self, text: str) -> bool:
        """Tell whether a text stands on the page."""
        return bool(text) and text in self.text

    def _places(self, text: str) -> list[int]:
        found: list[int] = []
        at = self.text.find(text) if text else -1
        while at >= 0 and len(found) < PLACES:
            found.append(at)
            at = self.text.find(text, at + 1)
        return found


def _add(text: str | None, pieces: list[str]) -> int:
    if not text:
        return 0
    plain = squeezed(text)
    pieces.append(plain)
    return len(plain)


def _backwards(element: Any) -> list[Any]:
    """Return what stands in an element and is seen, the last one first; the title of a page is kept."""
    if element.tag in UNSEEN and element.tag not in ("head", "noscript"):  # some write all for who runs no scripts
        return []
    return [child for child in reversed(element) if isinstance(child.tag, str)]


def prose(element: Any) -> int:
    """Return how many characters of an element stand in it, in its paragraphs or between its line breaks."""
    total = len((element.text or "").strip())
    for child in element:
        if isinstance(child.tag, str) and child.tag in _PROSE:
            total += len("".join(child.itertext()).strip())
        total += len((child.tail or "").strip())
    return total
