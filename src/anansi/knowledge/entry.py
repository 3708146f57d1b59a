"""What the knowledge base says about a type of Web application.

A type is detected by patterns, has a table of addresses, and levels (kinds of pages). A level is detected by
patterns, too, and says where to go on (navigation actions) and what to take (extraction actions).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from anansi.knowledge.addresses import Address
from anansi.knowledge.learned import Learned
from anansi.knowledge.xpath import Expression


class Kind(enum.StrEnum):
    """What a level is for."""

    INTERMEDIATE = "intermediate"
    """It leads to content."""
    TERMINAL = "terminal"
    """It is content."""


class As(enum.StrEnum):
    """What the value of a property is read as."""

    TEXT = "text"
    """One line, spaces collapsed."""
    BODY = "body"
    """Text with its paragraphs; markup is kept beside it."""
    DATE = "date"
    LINK = "link"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Expressions that must all match."""

    expressions: tuple[Expression, ...]
    seen: str = ""
    """Where the pattern was seen: versions, themes, sites."""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return " and ".join(map(str, self.expressions))


@dataclass(frozen=True, slots=True)
class Navigation:
    """An action that points to links to follow."""

    to: str
    """The level that the links are expected to lead to; empty when their address tells."""
    expression: Expression
    by_address: bool = False
    """Follow only what the table of addresses leads to that level."""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.expression} → {self.to or 'what the address says'}"


@dataclass(frozen=True, slots=True)
class Property:
    """An action that points to a value of an object; of several of one name the first that finds something counts."""

    name: str
    expression: Expression
    read_as: As = As.TEXT
    match: str = ""
    """A regular expression; its first group, or all it matches, is the value."""
    without: tuple[Expression, ...] = ()
    """What stands inside and is not part of the value (quotes, signatures)."""
    formats: tuple[str, ...] = ()
    """How dates are written where nothing else tells."""
    many: bool = False
    line: int = field(default=0, compare=False)
    confidence: float = 1.0

    def __str__(self) -> str:
        return f"{self.name}: {self.expression}"


@dataclass(frozen=True, slots=True)
class Extraction:
    """An action that builds objects: one a container, or one a page when there is no container."""

    object: str
    each: tuple[Expression, ...] = ()
    """Where the containers stand; the first expression that finds any counts."""
    part_of: str = ""
    """The object of the same page that they belong to."""
    properties: tuple[Property, ...] = ()
    needs: tuple[str, ...] = ()
    """Properties without which it is not an object."""
    line: int = field(default=0, compare=False)
    runs: frozenset[Expression] = frozenset()
    """Those of `each` whose containers reach up to the next one: what follows an element beside it is of it, too."""
    confidence: float = 1.0
    """How sure it is, from 0 to 1, where it was learned; what a person wrote is."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the properties, each once."""
        return tuple(dict.fromkeys(each.name for each in self.properties))


SITE = "site"
"""What a number is of that counts what the whole site holds; no level has this name."""


@dataclass(frozen=True, slots=True)
class States:
    """Where a page states how many objects something holds: itself, each row of its list, or the whole site."""

    counts: str
    """The kind of object that is counted; `page` for the pages that something is spread over."""
    of: str
    """The level of what holds them, or `SITE`."""
    action: Extraction
    """What finds the number, and in a row the link to what it is of."""
    plus: int = 0
    """How many more there are than the number says: replies leave out what they reply to."""

    def __str__(self) -> str:
        return f"{self.counts}s of a {self.of}: {self.action.properties[-1].expression}"


@dataclass(frozen=True, slots=True)
class Level:
    """A kind of page."""

    name: str
    kind: Kind
    detection: tuple[Pattern, ...] = ()
    navigation: tuple[Navigation, ...] = ()
    extraction: tuple[Extraction, ...] = ()
    while_new: bool = False
    """Whether its pages are left as soon as several of them led to no content that was not known (a blog's lists)."""
    states: tuple[States, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An address where a site lists its own content."""

    kind: str
    """`sitemap`, `feed` or `json`."""
    address: str
    """Relative to the application's root, or to what `at` points to; `{page}` counts from 1 on."""
    links: str = ""
    """For `json`: the way to the links (`items.*.link`), or a template of an address with such ways in braces."""
    leads: str = ""
    at: Expression | None = None
    """What points to it on a page; a page without that has no such shortcut."""
    next: str = ""
    """The address of the next page, relative to this one: `{page}` counts from 2 on, other braces are ways."""
    size: int = 0
    """Links that a full page of it has; one with fewer is the last."""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        where = f" at {self.at}" if self.at is not None else ""
        return f"{self.kind} {self.address or '(what is pointed to)'}{where}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a rule that was learned."""

    rule: str
    """Its name."""
    action: str = ""
    """What it does, in words."""
    how: str = ""
    """`recrawl` when known values said so, `new site` when what it finds looks right."""
    mends: str = ""
    """The rules that failed."""
    when: str = ""
    """In ISO 8601."""
    pages: tuple[str, ...] = ()
    """Where it held."""
    values: tuple[str, ...] = ()
    """Some of what it found there."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type of Web application."""

    id: str
    """A path in the hierarchy: `forum`, `forum/phpbb`, `forum/phpbb/somesite`."""
    title: str
    about: str = ""
    detection: tuple[Pattern, ...] = ()
    addresses: tuple[Address, ...] = ()
    navigation: tuple[Navigation, ...] = ()
    """Actions of every level."""
    levels: tuple[Level, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    """Of the rules that were learned."""
    learned: tuple[Learned, ...] = ()
    """Ways to content that were learned from samples of sites."""
    source: str = field(default="", compare=False)
    """The file it was read from."""
    line: int = field(default=1, compare=False)

    @property
    def parent(self) -> str:
        """The id of the type that this one refines; empty for a category."""
        return self.id.rpartition("/")[0]

    @property
    def category(self) -> str:
        """The most general type above this one, or itself."""
        return self.id.partition("/")[0]

    def level(self, name: str) -> Level | None:
        """Return the level of that name."""
        return next((level for level in self.levels if level.name == name), None)
