"""Which types can a page be of? All detection patterns of all types in one automaton.

Each pattern must hold a string of some length (an attribute's value, a file's name). What a page is made of (source,
address, headers, text) is searched once for a string of every pattern at the same time (Aho–Corasick); only patterns
whose string is there can match, and only they are evaluated. The time does not grow with the number of types.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from anansi.errors import KnowledgeError
from anansi.knowledge.entry import Pattern, Type
from anansi.knowledge.search import about_exchange
from anansi.knowledge.xpath import Position

FEW_STRINGS = 1000
"""Strings up to which the automaton is written out: twice as fast, 10 µs and 4 KB a string to make."""

SHORTEST = 3  # characters of the string that a pattern is found by; shorter ones stand on every page

# what is mostly written in another way in a page's source: as an entity, or in several spaces
_WRITTEN_OTHERWISE: Final = re.compile(r"""[&<>"'\s]+""")

# entities for what nobody needs to escape and some do (`&#x2F;` for `/`): a string may hide behind them
_HIDING: Final = re.compile(
    r"&(?:#0*(?:3[3567]|4\d|5\d|61|6[3-9]|[7-9]\d|1[01]\d|12[0-6])(?!\d)"
    r"|#[xX]0*(?!2[0267]|3[cCeE])[2-7][0-9a-fA-F](?![0-9a-fA-F])"
    r"|(?:ast|bsol|colon|comma|commat|dollar|equals|excl|fjlig|grave|Hat|lbrace|lbrack|lcub|lowbar|lpar|lsqb|midast"
    r"|num|percnt|period|plus|quest|rbrace|rbrack|rcub|rpar|rsqb|semi|sol|verbar|vert|DiacriticalGrave|UnderBar"
    r"|VerticalLine);)"
)
_ENTITY: Final = re.compile(r"&[#\w]")


class Candidate(NamedTuple):
    """A pattern that may match, and the type it speaks for."""

    type: str
    pattern: Pattern


class Index:
    """The detection patterns of all types. Frozen."""

    def __init__(self, types: Iterable[Type]):
        self._under: dict[str, list[Candidate]] = {}
        self.reads_text = False
        """Whether a pattern is about a page's text, which markup can stand in the middle of."""
        for entry in types:
            for pattern in entry.detection:
                string, in_text = _mark(entry, pattern)
                self.reads_text |= in_text
                self._under.setdefault(string, []).append(Candidate(entry.id, pattern))
        self._marks = list(self._under)
        self._hiding = _HIDING if all(map(str.isascii, self._marks)) else _ENTITY
        self._automaton = _automaton(self._marks) if self._marks else None

    def __repr__(self) -> str:
        return f"Index({len(self._marks)} strings)"

    def candidates(self, *sources: str) -> Iterator[Candidate]:
        """Go through the patterns that may match, given all that they can be about: source, headers, text."""
        if self._automaton is None:
            return
        found: dict[int, None] = {}
        for source in sources:
            plain = html.unescape(source) if self._hiding.search(source) else source
            data = plain.encode(
                "utf-8", "surrogatepass"
            )  # of a text, matches are counted in characters: a third more
            for number, _, _ in self._automaton.find_matches_as_indexes(data, overlapping=True):
                found[number] = None
        for number in found:
            yield from self._under[self._marks[number]]


def _automaton(marks: list[str]) -> BytesAhoCorasick:
    kind = Implementation.DFA if len(marks) <= FEW_STRINGS else None
    data = [mark.encode("utf-8", "surrogatepass") for mark in marks]
    return BytesAhoCorasick(data, matchkind=MatchKind.Standard, implementation=kind)


def mark(entry: Type, pattern: Pattern) -> str:
    """Return the string that a pattern is found by."""
    return _mark(entry, pattern)[0]


def _mark(entry: Type, pattern: Pattern) -> tuple[str, bool]:
    """Return the string that a pattern is found by, and whether it is one of the page's text.

    Attributes come first, for they stand in the source as one, and plain letters, which are not escaped; then the
    longest, for it is the rarest.
    """
    pieces = [
        (not predicate.value.startswith("@"), piece, about_exchange(expression))
        for expression in pattern.expressions
        for step in expression.steps
        for predicate in step.predicates
        if not isinstance(predicate, Position)
        for piece in _WRITTEN_OTHERWISE.split(predicate.string)
        if len(piece) >= SHORTEST
    ]
    if not pieces:
        raise KnowledgeError(
            f"{entry.source}, line {pattern.line}: `{pattern}` holds no string of {SHORTEST} characters to find"
            " it by; add one, or use it beside another pattern in <all>"
        )
    in_text, piece, elsewhere = max(pieces, key=lambda each: (not each[0], each[1].isascii(), len(each[1])))
    return piece, in_text and not elsewhere
