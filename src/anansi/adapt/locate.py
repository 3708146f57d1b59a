"""Where known values stand on a page now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from anansi.induce.page_text import PageText, squeezed
from anansi.knowledge.entry import As
from anansi.model import Value
from anansi.pages.extract import Place
from anansi.url import resolve

EDGE: Final = 24
"""Characters of a text's beginning and end by which it is found when quotes were taken out of its middle."""

_DATES: Final = ("datetime", "content", "title", "data-time", "data-timestamp", "data-date", "data-utc")
"""Attributes in which templates write dates for machines."""

COUNTED: Final = 40
"""Characters of a text that says how many."""

_COUNTS: Final = ("title", "aria-label", "data-count", "data-value")
"""Attributes in which templates write in full what they write in short: `1,204 times`, `1k`."""

LINES: Final = 200
LINE: Final = 12
"""Lines of a text by which it is found when its blocks were moved, and the characters of the shortest that tells."""

MORE: Final = 90
"""Characters beside a short text in the element that holds it."""

Spot = tuple[Any, str]
"""An element, and the attribute of it that holds a value; empty when its text does; `text() 2` is one piece of it."""


class Locator:
    """Finds known values on one page. Mutable: indexes, made when first needed."""

    def __init__(self, place: Place, spans: PageText):
        self._place, self.spans = place, spans
        self._links: dict[str, list[Spot]] | None = None
        self._dates: dict[str, list[Spot]] | None = None
        self._attributes: dict[str, list[Spot]] | None = None

    def spots(self, name: str, value: Value) -> list[Spot]:
        """Return where a value of a property stands, the likeliest places first."""
        if value.read_as == As.LINK.value:
            return self._of_link(value.text)
        if value.read_as == As.DATE.value:
            found = dict.fromkeys((*self._of_date(value.text), *self._of_text(value.original)))
            return sorted(found, key=lambda spot: (spot[1].startswith("text()"), self.spans.length(spot[0])))
        if value.read_as == As.NUMBER.value:
            return self._of_number(value.text)
        if name == "id":
            return [*self._of_attribute(value.text), *self._of_text(value.text)]
        if value.read_as == As.BODY.value:
            whole = [*reversed(self._of_text(value.text))]
            return whole or [(element, "") for element in self._of_lines(value.text)]
        return [
            *self._of_text(value.text),
            *(self._of_attribute(value.text, partly=False) if len(value.text) < 300 else ()),
        ]

    def stands(self, name: str, value: Value) -> bool:
        """Tell whether a value is on the page at all."""
        if value.read_as in (As.LINK.value, As.DATE.value, As.NUMBER.value) or name == "id":
            return bool(self.spots(name, value))
        text = squeezed(value.text)
        if self.spans.has(text) or (len(text) < 300 and bool(self._of_attribute(value.text, partly=False))):
            return True
        if value.read_as == As.BODY.value and self._of_lines(value.text):
            return True
        edge = edge_of(text)
        return bool(edge) and self.spans.has(text[:edge]) and self.spans.has(text[-edge:])

    def _of_text(self, text: str) -> list[Spot]:
        plain = squeezed(text)
        found = self.spans.holding(plain) if plain else []
        edge = edge_of(plain)
        if not found and edge:
            found = self.spans.around(plain[:edge], plain[-edge:])[:4]
        return [(element, "") for element in found] or self._of_own_text(plain)

    def _of_lines(self, text: str) -> list[Any]:
        """Find a text by its lines, for quotes were taken out of it or blocks were moved."""
        lines = [plain for line in text.split("\n")[:LINES] if (plain := squeezed(line))]
        found = self.spans.around_lines(lines) if sum(map(len, lines)) >= LINE else []
        return found or self.spans.around_all([line for line in lines if len(line) >= LINE])

    def _of_number(self, number: str) -> list[Spot]:
        """Find a number with words around it: `#21`, `2 Likes`, `1,204 times`."""
        grouped = "".join(
            f"[.,'’]?{digit}" if at and at % 3 == len(number) % 3 else digit for at, digit in enumerate(number)
        )
        alone = re.compile(rf"(?<![\d.,]){grouped if number.isdigit() else re.escape(number)}(?![\d.,]?\d)")
        elements, length = self.spans.elements, self.spans.length
        found = [each for each in elements if length(each) <= COUNTED and alone.search(self.spans.of(each))]
        said = [
            (each, name)
            for each in elements
            for name in _COUNTS
            if len(each.get(name, "")) <= COUNTED and alone.search(each.get(name, ""))
        ]
        return [*((each, "") for each in sorted(found, key=length)[:30]), *said[:10]]

    def _of_own_text(self, plain: str) -> list[Spot]:
        """Find a text that is one piece of an element's, before or between what stands in it."""
        if not plain or not self.spans.has(plain):
            return []
        found: list[Spot] = []
        for element in self.spans.elements:
            texts = [each for each in (element.text, *(child.tail for child in element)) if each]
            number = next((number for number, each in enumerate(texts, 1) if squeezed(each) == plain), 0)
            if number:
                found.append((element, "text()" if len(texts) == 1 else f"text() {number}"))
                found += [(element, "text()")] if len(texts) > 1 else []
        return found[:10] or self._of_part(plain)

    def _of_part(self, plain: str) -> list[Spot]:
        """Find a text within little more: `posted by Hal`, `Topic: Kilns (Read 40 times)`."""
        most = len(plain) + MORE
        found = [
            element
            for element in self.spans.elements
            if len(plain) <= self.spans.length(element) <= most and plain in self.spans.of(element)
        ]
        return [(element, "") for element in sorted(found, key=self.spans.length)[:12]]

    def _of_link(self, url: str) -> list[Spot]:
        if self._links is None:
            self._links = {}
            for element in self.spans.elements:
                for name in ("href", "src"):
                    raw = element.get(name)
                    address = resolve(raw, self._place.base) if raw and len(raw) < 3000 else None
                    if address is not None:
                        fragment = raw.partition("#")[2]
                        self._links.setdefault(f"{address}#{fragment}" if fragment else address, []).append(
                            (element, name)
                        )
        return self._links.get(url, [])

    def _of_date(self, iso: str) -> list[Spot]:
        if self._dates is None:
            self._dates = {}
            for spot, raw in self._dated():
                read = self._place.dates.read(raw)
                if read:
                    self._dates.setdefault(read, []).append(spot)
        return self._dates.get(iso, [])

    def _dated(self) -> Iterator[tuple[Spot, str]]:
        """Go through what may be a date: attributes for machines, short texts with a digit in them."""
        for element in self.spans.elements:
            for name in _DATES:
                raw = element.get(name)
                if raw and len(raw) < 60 and any(map(str.isdigit, raw)):
                    yield (element, "" if name in ("datetime", "content") else name), raw
            if 4 <= self.spans.length(element) <= 60:
                text = " ".join("".join(element.itertext()).split())
                if any(map(str.isdigit, text)) or len(text) < 30:
                    yield (element, ""), text

    def _of_attribute(self, value: str, *, partly: bool = True) -> list[Spot]:
        if self._attributes is None:
            self._attributes = {}
            for element in self.spans.elements:
                for name, each in element.attrib.items():
                    if len(each) < 300 and name not in ("class", "style"):
                        self._attributes.setdefault(each, []).append((element, name))
        found = list(self._attributes.get(value, ()))
        if partly and value:  # a part of one: `post-12`, `#p12`
            part = re.compile(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![0-9])|(?<![0-9]){re.escape(value)}$")
            for each, spots in self._attributes.items():
                if value in each and value != each and len(found) < 30 and part.search(each):
                    found += spots[:3]
        return found


def edge_of(text: str) -> int:
    """Return how many characters at both ends tell a text; 0 when it is too short for that."""
    return min(EDGE, len(text) // 3) if len(text) >= 18 else 0
