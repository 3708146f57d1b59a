"""What was learned of a site, as an element of its entry: navigation patterns with the evidence for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from anansi.knowledge.patterns import NavigationPattern, parse_pattern


@dataclass(frozen=True, slots=True)
class Follow:
    """A navigation pattern, and what spoke for it when it was learned."""

    pattern: NavigationPattern
    pages: int = 0
    """Pages that it added to those of the patterns before."""
    items: int = 0
    """Distinct 2-grams that they added."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Learned:
    """How to crawl a site, as learned from a sample of it."""

    site: str
    """The registered domain that it was learned at."""
    root: str
    """Where patterns begin."""
    pages: int = 0
    items: int = 0
    follows: tuple[Follow, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def patterns(self) -> tuple[NavigationPattern, ...]:
        """The navigation patterns alone."""
        return tuple(each.pattern for each in self.follows)


def read_follow(element: Any) -> Follow:
    """Read a pattern with its evidence."""
    numbers = int(element.get("pages", "0")), int(element.get("items", "0"))
    return Follow(parse_pattern(" ".join((element.text or "").split())), *numbers, element.sourceline)


def write_learned(parent: Any, learned: Learned) -> None:
    """Write what was learned into an entry."""
    given = {"site": learned.site, "root": learned.root, "pages": str(learned.pages), "items": str(learned.items)}
    element = etree.SubElement(parent, "ways", given)
    for each in learned.follows:
        evidence = {"pages": str(each.pages), "items": str(each.items)}
        etree.SubElement(element, "follow", evidence).text = str(each.pattern)
