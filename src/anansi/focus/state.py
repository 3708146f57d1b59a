"""What scoring has learned, as rows to be kept, and back: a crawl that is gone on with scores as it would have.

A first row holds what was learned of words, links, places, sites and authors; then come the lists that links stand
in, the pages with links to what was not fetched, and what is known of that, a thousand a row. Many URLs share a page
or a list: rows have their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from anansi.focus.evidence import Crowd, Evidence, Source
from anansi.focus.outcomes import Outcomes
from anansi.focus.relevance import Judge, Learned
from anansi.focus.scorer import Scorer
from anansi.focus.settings import SETTINGS


class _Row(msgspec.Struct, array_like=True, tag=True):
    """A row."""


class Head(_Row):
    """What was learned."""

    name: str
    """Of the definition that it was learned by."""
    judge: Learned
    outcomes: Outcomes
    since: int
    left: list[str]


class Crowds(_Row):
    """Lists that links stand in."""

    rows: list[Crowd]


class SourceRow(msgspec.Struct, array_like=True, gc=False):
    """A page with links."""

    keys: tuple[str, ...]
    crowds: list[int]
    rest: tuple[float, float, float, int]
    """`relevance`, `raw`, `total` and `count`."""


class Sources(_Row):
    """Pages with links."""

    rows: list[SourceRow]


class UrlRow(msgspec.Struct, array_like=True, gc=False):
    """What is known of a URL."""

    known: Evidence
    """But for what is shared with others."""
    crowds: list[int]
    sources: list[int]
    places: list[tuple[int, int]]


class Urls(_Row):
    """What is known of URLs."""

    rows: list[UrlRow]


Row = Head | Crowds | Sources | Urls
_decode = msgspec.msgpack.Decoder(Row).decode


class _Numbers:
    """Numbers what is shared, by what it is and not by what it holds. Mutable: `every`, in the order of numbers."""

    def __init__(self) -> None:
        self._of: dict[int, int] = {}
        self.every: list[Any] = []

    def __call__(self, one: Source | Crowd) -> int:
        number = self._of.setdefault(id(one), len(self.every))
        if number == len(self.every):
            self.every.append(one)
        return number


def rows_of(scorer: Scorer, name: str) -> Iterator[bytes]:
    """Go through what a scorer has learned by a definition of that name, as rows."""
    sources, crowds = _Numbers(), _Numbers()
    urls = [
        UrlRow(
            msgspec.structs.replace(each, crowds=[], sources=[], places=[]),
            [crowds(crowd) for crowd in each.crowds],
            [sources(source) for source in each.sources],
            [(sources(source), place) for source, place in each.places],
        )
        for each in scorer.known.values()
    ]
    pages = [
        SourceRow(
            each.keys, [crowds(crowd) for crowd in each.crowds], (each.relevance, each.raw, each.total, each.count)
        )
        for each in sources.every
    ]
    head = Head(name, scorer.judge.learned, scorer.outcomes, scorer.since, scorer.left)
    rows: list[Row] = [
        head,
        *map(Crowds, _parts(crowds.every)),
        *map(Sources, _parts(pages)),
        *map(Urls, _parts(urls)),
    ]
    yield from map(msgspec.msgpack.encode, rows)


def _parts(every: Sequence[Any]) -> Iterator[list[Any]]:
    size = SETTINGS.in_a_row
    return (list(every[start : start + size]) for start in range(0, len(every), size))


def restore(scorer: Scorer, rows: Iterable[bytes]) -> str:
    """Have a scorer that has seen nothing know what rows say; return the name of the definition they were learned by.

    Raises `msgspec.DecodeError` for rows that another version of this program wrote.
    """
    name, crowds, sources = "", list[Crowd](), list[Source]()
    for row in map(_decode, rows):
        if isinstance(row, Head):
            name, scorer.since, scorer.left, scorer.outcomes = row.name, row.since, row.left, row.outcomes
            scorer.judge = Judge(scorer.topic, row.judge)
        elif isinstance(row, Crowds):
            crowds += row.rows
        elif isinstance(row, Sources):
            sources += [
                Source(each.keys, tuple(map(crowds.__getitem__, each.crowds)), *each.rest) for each in row.rows
            ]
        else:
            scorer.known.update({each.known.key: _url(each, crowds, sources) for each in row.rows})
    return name


def _url(row: UrlRow, crowds: Sequence[Crowd], sources: Sequence[Source]) -> Evidence:
    known = row.known
    known.crowds = [crowds[number] for number in row.crowds]
    known.sources = [sources[number] for number in row.sources]
    known.places = [(sources[number], place) for number, place in row.places]
    return known
