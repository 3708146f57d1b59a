"""Navigation patterns: the fragment of OXPath that the ACEBot paper uses (its figure 5), read and printed.

    pattern ::= 'doc("' url '")' click+
    click   ::= "/(" path "{click/}" ")" [ "+" | "*" | number ]
    path    ::= "/" expression

A click follows all links that its path points to, from the root of a page on; `expression` is of the XPath fragment
of entries. `+` is once or more, `*` any number of times, a number that many times at the most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from anansi.errors import KnowledgeError
from anansi.knowledge.xpath import Expression, parse

LONGEST: Final = 20_000
"""Characters of a navigation pattern; learned ones have a thousand."""
MOST_CLICKS: Final = 20
"""Clicks of a pattern; the paper goes up to four."""
MOST_TIMES: Final = 1_000_000
"""How often a click may be repeated by number."""

_DOC: Final = re.compile(r"""\s*doc\(\s*(?:"([^"\s]+)"|'([^'\s]+)')\s*\)""")
_CLICK: Final = re.compile(r"""\s*/\(((?:[^"'{}]|"[^"]*"|'[^']*')+)\{\s*click\s*/\s*\}\s*\)(\+|\*|\d{1,9})?""")


@dataclass(frozen=True, slots=True)
class Click:
    """A step of a pattern: the links that a path points to, followed so many times in a row."""

    path: Expression
    least: int = 1
    most: int | None = 1
    """None where there is no limit."""

    @property
    def repeated(self) -> bool:
        """Whether it may be followed again from where it led to."""
        return self.most != 1

    def __str__(self) -> str:
        times = ("*" if self.least == 0 else "+") if self.most is None else "" if self.most == 1 else str(self.most)
        return f"/(/{self.path}{{click/}}){times}"


@dataclass(frozen=True, slots=True)
class NavigationPattern:
    """A way from the root of a site to pages, and all pages on it."""

    url: str
    clicks: tuple[Click, ...]

    def __str__(self) -> str:
        return f'doc("{self.url}")' + "".join(map(str, self.clicks))

    def begins(self, other: NavigationPattern) -> bool:
        """Tell whether another pattern goes the same way and further; then this one adds nothing."""
        return len(self.clicks) < len(other.clicks) and other.clicks[: len(self.clicks)] == self.clicks

    def at(self, url: str) -> NavigationPattern:
        """Return the pattern for another site of the same template."""
        return replace(self, url=url)


def parse_pattern(text: str) -> NavigationPattern:
    """Read a pattern; what is none is refused with the place and what was expected."""
    if len(text) > LONGEST:
        raise KnowledgeError(
            f"a navigation pattern of {len(text)} characters is too long; the longest may have {LONGEST}"
        )
    start = _DOC.match(text)
    if start is None:
        raise _wrong(text, 0, '`doc("URL")`')
    place, clicks = start.end(), []
    while text[place:].strip():
        found = _CLICK.match(text, place)
        if found is None:
            raise _wrong(text, place, "a click, `/(/html/…/a/@href{click/})`, perhaps with `+`, `*` or a number")
        clicks.append(_click(text, place, found))
        place = found.end()
    if not clicks:
        raise _wrong(text, place, "a click, `/(/html/…/a/@href{click/})`")
    if len(clicks) > MOST_CLICKS:
        raise KnowledgeError(f"a navigation pattern of {len(clicks)} clicks is too long; {MOST_CLICKS} is the most")
    return NavigationPattern(start[1] or start[2], tuple(clicks))


def _click(text: str, place: int, found: re.Match[str]) -> Click:
    path, times = found[1].strip(), found[2] or ""
    if not path.startswith("/") or path.startswith("//"):
        raise _wrong(text, place, "a path from the root, `/(/html/…`")
    expression = parse(path[1:])
    if times in ("+", "*"):
        return Click(expression, 0 if times == "*" else 1, None)
    number = int(times or 1)
    if not 1 <= number <= MOST_TIMES:
        raise _wrong(text, found.start(2), f"`+`, `*` or a number from 1 to {MOST_TIMES}")
    return Click(expression, 1, number)


def _wrong(text: str, place: int, expected: str) -> KnowledgeError:
    rest = text[place:].strip()
    found = f"`{rest[:40]}`" if rest else "the end"
    return KnowledgeError(
        f"`{text[:120]}` is not a navigation pattern: character {place + 1} should be {expected}, not {found}"
    )
