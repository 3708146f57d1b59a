"""The guide of one site, for the frontier: a chooser with its chance, which can be written down and gone on with."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from anansi.learn.chance import Chance
from anansi.learn.chooser import Chooser
from anansi.learn.link_kinds import Cell, ChooserSettings, LinkKind
from anansi.learn.novelty import Novelty
from anansi.learn.titles import name_of
from anansi.model import Link, Outcome, Visit
from anansi.state import PageHashes

VERSION: Final = 3
"""Of what `pack` writes; what another version wrote is not read, and the site is learned anew."""


class _LinkKind(msgspec.Struct, array_like=True, frozen=True):
    """A kind as it is written down; other kinds and cells by their numbers."""

    name: str
    by_address: bool
    seen: bool
    pages: int
    visits: int
    brought: float
    gain: float
    own: float
    last: bytes
    weight: float
    closed: bool
    again: bool
    waiting: int
    leads: list[tuple[int, float]]
    via: int
    repeated: float


class _Cell(msgspec.Struct, array_like=True, frozen=True):
    """A cell as it is written down; its kinds by their numbers."""

    label: int
    address: int
    pages: int
    brought: float
    out: int
    waiting: list[str]
    off: bool
    passed: list[str]


class _Novelty(msgspec.Struct, array_like=True, frozen=True):
    """What is known of how much is new, as it is written down."""

    pages: int
    new: int
    own: int
    met: bytes
    last: bytes


class _Packed(msgspec.Struct, array_like=True, frozen=True):
    """A chooser as it is written down: all of it, so that one that goes on decides as this one would have."""

    version: int
    drawn: int
    """Numbers that were drawn from chance."""
    pages: int
    gained: float
    lately: float
    judged: int
    large: bool
    first: tuple[tuple[float, int], tuple[float, int]]
    untried: tuple[float, float]
    mask: int
    met: bytes
    kinds: list[_LinkKind]
    cells: list[_Cell]
    ranked: list[int]
    line: list[str]
    places: dict[str, list[int]]
    asked: dict[str, tuple[int, int]]
    words: dict[str, dict[str, int]]
    names: dict[str, int]
    titles: bytes
    novelty: _Novelty | None


class Pathfinder:
    """Leads through one site. Mutable state: the chooser's, and how often chance was asked."""

    enough = False

    def __init__(
        self,
        rng: Chance,
        *,
        packed: bytes | None = None,
        prior: Mapping[str, float] | None = None,
        settings: ChooserSettings | None = None,
        novelty: Novelty | None = None,
    ):
        """Begin, or go on with what another one wrote down; `novelty` says when there is nothing to learn."""
        self._rng, self._drawn = rng, 0
        self.chooser = Chooser(prior, settings)
        self._novelty = novelty
        known = _read(packed) if packed else None
        if known is not None:
            _unpack(known, self.chooser)
            if novelty is not None and known.novelty is not None:
                _remind(novelty, known.novelty)
            for _ in range(known.drawn):
                self.random()

    def random(self) -> float:
        """Draw from chance, and count it."""
        self._drawn += 1
        return self._rng.random()

    @property
    def pages(self) -> int:
        """Count the visits that it was told of."""
        return self.chooser.pages

    @property
    def needless(self) -> bool:
        """Tell whether all that the site says is new, so that nothing of it is to be left out."""
        return self._novelty is not None and self._novelty.complete

    def offer(self, key: str, label: str) -> None:
        """Take notice of a URL that may be visited."""
        self.chooser.discover(key, label)

    def next(self) -> str | None:
        """Return the key of the URL to visit now."""
        return self.chooser.next(self)

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        """Take in what a visit brought."""
        said = outcome.said or PageHashes()
        if self._novelty is not None and said.items:
            self._novelty.note(said.items)
        titles = self.chooser.titles
        titles.see(_numbers(said.names))
        for link, _ in links:
            titles.call(link.key, name_of(link.anchor))
        found = [(link.key, label) for link, label in links]
        self.chooser.learn(visit.key, _numbers(said.items), found, label=visit.label or None)

    def drop(self, key: str) -> None:
        """Forget that a URL was to be visited."""
        self.chooser.drop(key)

    def why(self, key: str, label: str) -> str:
        """Say why a URL is not worth a visit."""
        kind = self.chooser.barren(key, label)
        if kind is None:
            return "such links are not expected to lead to anything new"
        what = f"addresses like {kind.name or '/'}" if kind.by_address else f"links at {kind.name or 'the seeds'}"
        return f"{what} led to little that is new, {kind.pages} times"

    def pack(self) -> bytes:
        """Write what is known."""
        novelty = _noted(self._novelty) if self._novelty is not None else None
        return msgspec.msgpack.encode(_pack(self.chooser, self._drawn, novelty))


def _numbers(packed: bytes) -> array[int]:
    return array("I", packed[: len(packed) // 4 * 4])


def _noted(novelty: Novelty) -> _Novelty:
    met, last = array("I", novelty.met).tobytes(), array("I", novelty.last).tobytes()
    return _Novelty(novelty.pages, novelty.new, novelty.own, met, last)


def _remind(novelty: Novelty, known: _Novelty) -> None:
    novelty.pages, novelty.new, novelty.own = known.pages, known.new, known.own
    novelty.met, novelty.last = set(array("I", known.met)), set(array("I", known.last))


def _pack(chooser: Chooser, drawn: int, novelty: _Novelty | None) -> _Packed:
    kinds = {kind: number for number, kind in enumerate(chooser.kinds)}
    cells = {cell: number for number, cell in enumerate(chooser.cells.values())}
    return _Packed(
        version=VERSION,
        drawn=drawn,
        pages=chooser.pages,
        gained=chooser.gained,
        lately=chooser.lately,
        judged=chooser.judged,
        large=chooser.large,
        first=(chooser.first[False], chooser.first[True]),
        untried=(chooser.untried[False], chooser.untried[True]),
        mask=chooser.mask,
        met=array("I", chooser.met).tobytes(),
        kinds=[_kind(kind, kinds, cells) for kind in kinds],
        cells=[_cell(cell, kinds) for cell in cells],
        ranked=[cells[cell] for cell in chooser.ranked],
        line=list(chooser.line),
        places={key: [cells[cell] for cell in places] for key, places in chooser.places.items()},
        asked={key: (kinds[kind], cells[cell]) for key, (kind, cell) in chooser.asked.items()},
        words=chooser.shapes.words,
        names=chooser.titles.names,
        titles=array("I", chooser.titles.pages).tobytes(),
        novelty=novelty,
    )


def _kind(kind: LinkKind, kinds: Mapping[LinkKind, int], cells: Mapping[Cell, int]) -> _LinkKind:
    return _LinkKind(
        name=kind.name,
        by_address=kind.by_address,
        seen=kind.seen,
        pages=kind.pages,
        visits=kind.visits,
        brought=kind.brought,
        gain=kind.gain,
        own=kind.own,
        last=kind.last.tobytes(),
        weight=kind.weight,
        closed=kind.closed,
        again=kind.again,
        waiting=kind.waiting,
        leads=[(cells[cell], count) for cell, count in kind.leads.items()],
        via=kinds[kind.via] if kind.via is not None else -1,
        repeated=kind.repeated,
    )


def _cell(cell: Cell, kinds: Mapping[LinkKind, int]) -> _Cell:
    waiting, passed = list(cell.waiting), list(cell.passed)
    return _Cell(
        kinds[cell.label], kinds[cell.address], cell.pages, cell.brought, cell.out, waiting, cell.off, passed
    )


def _read(data: bytes) -> _Packed | None:
    try:
        packed = msgspec.msgpack.decode(data, type=_Packed)
    except msgspec.DecodeError:
        return None
    return packed if packed.version == VERSION else None


def _unpack(packed: _Packed, chooser: Chooser) -> None:
    kinds = [chooser.kind(each.name, by_address=each.by_address) for each in packed.kinds]
    cells = [_unpacked_cell(each, kinds, chooser) for each in packed.cells]
    for kind, each in zip(kinds, packed.kinds, strict=True):
        _restore(kind, each, kinds, cells)
    chooser.pages, chooser.gained, chooser.lately = packed.pages, packed.gained, packed.lately
    chooser.judged, chooser.large = packed.judged, packed.large
    chooser.first = {False: packed.first[0], True: packed.first[1]}
    chooser.untried = {False: packed.untried[0], True: packed.untried[1]}
    chooser.mask, chooser.met = packed.mask, set(array("I", packed.met))
    chooser.ranked = [cells[number] for number in packed.ranked]
    chooser.line.extend(packed.line)
    chooser.places.update((key, tuple(cells[each] for each in places)) for key, places in packed.places.items())
    chooser.asked.update((key, (kinds[kind], cells[cell])) for key, (kind, cell) in packed.asked.items())
    chooser.shapes.words.update(packed.words)
    chooser.titles.names.update(packed.names)
    chooser.titles.pages.update(array("I", packed.titles))


def _unpacked_cell(each: _Cell, kinds: Sequence[LinkKind], chooser: Chooser) -> Cell:
    cell = chooser.cell(kinds[each.label], kinds[each.address])
    cell.pages, cell.brought, cell.out, cell.off = each.pages, each.brought, each.out, each.off
    cell.waiting.extend(each.waiting)
    cell.passed = each.passed
    return cell


def _restore(kind: LinkKind, each: _LinkKind, kinds: Sequence[LinkKind], cells: Sequence[Cell]) -> None:
    kind.seen, kind.closed, kind.again, kind.waiting = each.seen, each.closed, each.again, each.waiting
    kind.pages, kind.visits, kind.brought = each.pages, each.visits, each.brought
    kind.gain, kind.own, kind.weight, kind.repeated = each.gain, each.own, each.weight, each.repeated
    kind.last = array("I", each.last)
    kind.leads = {cells[number]: count for number, count in each.leads}
    kind.via = kinds[each.via] if each.via >= 0 else None
