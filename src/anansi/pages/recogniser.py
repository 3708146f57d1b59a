"""Which application made a page, and what kind of page is it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from anansi.knowledge.addresses import Tables
from anansi.knowledge.catalogue import Catalogue, specificity
from anansi.knowledge.entry import Kind, Level, Pattern, Type
from anansi.knowledge.index import Candidate
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression
from anansi.model import Recognition
from anansi.pages.document import Document

BY_ADDRESS = "address"
"""What stands for the pattern when a level is known by its address alone."""

BY_SITE = "site"
"""What stands for the pattern when a type is known from other pages of the site alone."""

BY_OBJECTS = "objects"
"""What stands for the pattern when a level is known by what stands on the page alone."""

PATTERNS: Final = 2000
"""Patterns whose wording is kept, 100 bytes each: two of them are named for every page."""


class Recogniser:
    """Recognises pages."""

    def __init__(self, catalogue: Catalogue, search: Search | None = None, tables: Tables | None = None):
        self._catalogue = catalogue
        self._search = Search() if search is None else search
        self._tables = Tables() if tables is None else tables

    def recognise(self, document: Document, hint: str = "") -> Recognition | None:
        """Find type and level; `hint` is the type that the site was of before, which is tried first."""
        found = self._verified(document, hint) or self._type(document)
        if found is None:
            return None
        entry, pattern = found
        level, how = self.level(document, entry)
        return _told(entry, level, _written(pattern), how)

    def of_level(self, document: Document, name: str) -> Recognition | None:
        """Say which level of a type a page is of that has no sign of the type; None when it is of none."""
        entry = self._catalogue.types.get(name)
        if entry is None or specificity(name) < 1:
            return None
        level, how = self.level(document, entry)
        return _told(entry, level, BY_SITE, how) if level is not None else None

    def matches(self, document: Document, pattern: Pattern) -> bool:
        """Tell whether all expressions of a pattern find something."""
        return all(self.find(document, expression) for expression in pattern.expressions)

    def find(self, document: Document, expression: Expression) -> list[Any]:
        """Return what an expression finds; nothing where there is no tree."""
        about = document.about(expression)
        return self._search.find(about, expression) if about.tree is not None else []

    def _verified(self, document: Document, hint: str) -> tuple[Type, Pattern] | None:
        entry = self._catalogue.types.get(hint)
        if entry is None or specificity(hint) < 1:
            return None
        fired = next((pattern for pattern in entry.detection if self.matches(document, pattern)), None)
        return (entry, fired) if fired is not None else None

    def fired(self, document: Document) -> Iterator[Candidate]:
        """Go through the detection patterns of all types that match."""
        index = self._catalogue.index
        text = (document.text,) if index.reads_text else ()
        for candidate in index.candidates(document.source, document.head, *text):
            if self.matches(document, candidate.pattern):
                yield candidate

    def _type(self, document: Document) -> tuple[Type, Pattern] | None:
        """Find the most specific type; among equals the one that most patterns speak for."""
        votes: Counter[str] = Counter()
        fired: dict[str, Pattern] = {}
        for name, pattern in self.fired(document):
            votes[name] += 1
            fired.setdefault(name, pattern)
        best = max(votes, key=lambda name: (specificity(name), votes[name], name), default=None)
        return (self._catalogue[best], fired[best]) if best is not None else None

    def level(self, document: Document, entry: Type) -> tuple[Level | None, str]:
        """Find the level, the one that the address names first, and say which pattern told."""
        known = self._tables.place(entry.addresses, document.url)
        named = entry.level(known.leads) if known is not None and known.leads else None
        for level in (*((named,) if named else ()), *(each for each in entry.levels if each is not named)):
            for pattern in level.detection:
                if self.matches(document, pattern):
                    return level, _written(pattern)
        return named, BY_ADDRESS if named is not None else ""


def _told(entry: Type, level: Level | None, pattern: str, how: str) -> Recognition:
    terminal = level is not None and level.kind is Kind.TERMINAL
    return Recognition(entry.id, level.name if level is not None else "", terminal, pattern, how)


@lru_cache(PATTERNS)
def _written(pattern: Pattern) -> str:
    return str(pattern)
