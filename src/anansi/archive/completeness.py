"""What sites state that they hold, against what was kept of it: per thread, board and site.

    segments ─► a line a statement ─ sort by what holds ─► stated against kept ─► boards, sites ─► the worst

Everything is read from the log of objects, in bounded memory but for a few numbers a board. The newest statement
counts. One that was made after the last capture of what it is of may speak of what came later: where an earlier one
was met, that is growth and not a loss.
"""

from __future__ import annotations

import heapq
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from anansi.archive.layout import Collection
from anansi.archive.objects import pieces, segments
from anansi.archive.readings import current, replaced
from anansi.archive.sort import merged, whole, write_runs
from anansi.knowledge.vocabulary import CAPTURE, OBJECTS, STATED, WHOLES, term
from anansi.url import site_of

WORST: Final = 10
"""Of what is short, how much is named."""
BOARDS: Final = 200_000
"""Boards whose numbers are held in memory, 300 bytes each; what stands in others is not summed up."""
BOARD, SITE, PAGE = "board", "site", "page"

_PARENT: Final = term("sioc:has_parent")
_TYPE, _LEVEL = term("rdf:type"), term(CAPTURE["level"])
_FROM, _DATE = term(CAPTURE["page"]), term(CAPTURE["date"])
_HOLDS: Final = {term(name) for names in WHOLES.values() for name in names} - {_PARENT, term("sioc:reply_of")}
_NUMBERS: Final = {term(name): kind for kind, name in reversed(STATED.items())}
"""Term → the first kind that it counts, which stands for all of them."""
_COUNTED: Final = {kind: _NUMBERS[term(name)] for kind, name in STATED.items()}
_KINDS: Final = {frozenset(map(term, terms)): kind for kind, terms in OBJECTS.items()}
_PLACE: Final = term("sioc:Site")
_TYPES: Final = {_PLACE, *(each for terms in _KINDS for each in terms)} - {term("sioc:UserAccount")}

_LINE: Final = re.compile(
    rb"^<([^>\s]+)> <("
    + b"|".join(re.escape(each.encode()) for each in sorted({_PARENT, _LEVEL, _FROM, _DATE, *_HOLDS, *_NUMBERS}))
    + b'|%b(?=> <(?:%b)>))> (?:<([^>]*)>|"([^"]*)"\\S*) <([^>\\s]+)> \\.$'
    % (re.escape(_TYPE.encode()), b"|".join(re.escape(each.encode()) for each in sorted(_TYPES))),
    re.M,
)

_FURTHER: Final = re.compile(r"[/?&_-]\D{0,12}\d{1,6}/?")
"""How the address of a further page goes on from that of the first."""

_KEPT, _IN, _SAID, _IS = b"k", b"p", b"s", b"t"
"""What a line tells of what holds: a part of it, where it stands, a number, that it was kept; read in this order."""


@dataclass(frozen=True, slots=True)
class Held:
    """A number that was stated, and how much was kept."""

    of: str
    level: str
    kind: str
    stated: int
    kept: int
    date: str = ""
    """When it was stated."""
    grown: bool = False
    """Whether an earlier number was met: it grew after it was captured."""

    @property
    def short(self) -> bool:
        """Tell whether something is missing."""
        return self.kept < self.stated and not self.grown

    def row(self) -> dict[str, Any]:
        """Return it for JSON."""
        names = "of", "level", "kind", "stated", "kept", "date"
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class Tally:
    """The numbers of one level and kind. Mutable, filled by `add`."""

    of: int = 0
    complete: int = 0
    grown: int = 0
    short: int = 0
    stated: int = 0
    kept: int = 0
    """Of what was stated; what was kept beyond that makes up for nothing elsewhere."""

    def add(self, held: Held) -> None:
        """Count one more."""
        self.of += 1
        self.complete += held.kept >= held.stated
        self.grown += held.grown
        self.short += held.short
        self.stated += held.stated
        self.kept += min(held.kept, held.stated)

    def row(self) -> dict[str, int]:
        """Return it for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Completeness:
    """What was stated and what was kept, summed up. Mutable, filled by `add`."""

    levels: dict[str, dict[str, Tally]] = field(default_factory=dict)
    sites: dict[str, Tally] = field(default_factory=dict)
    """Of each site, what its lowest levels state: posts of threads, comments of articles."""
    objects: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Site → kind → objects that were kept, each once."""
    shown: int = WORST
    _worst: list[tuple[int, str, Held]] = field(default_factory=list)

    def add(self, held: Held) -> None:
        """Take in a number."""
        self.levels.setdefault(held.level, {}).setdefault(held.kind, Tally()).add(held)
        if held.level not in (BOARD, SITE):
            self.sites.setdefault(site_of(held.of), Tally()).add(held)
        if held.short:
            item = held.stated - held.kept, f"{held.of} {held.kind}", held
            (heapq.heappush if len(self._worst) < self.shown else heapq.heappushpop)(self._worst, item)

    @property
    def worst(self) -> list[Held]:
        """What lacks most, the worst first."""
        return [held for _, _, held in sorted(self._worst, key=lambda item: item[:2], reverse=True)]

    @property
    def short(self) -> int:
        """Count what is short."""
        return sum(each.short for kinds in self.levels.values() for each in kinds.values())

    def row(self) -> dict[str, Any]:
        """Return it for the summary."""
        lowest = [kinds for level, kinds in self.levels.items() if level not in (BOARD, SITE)] or self.levels.values()
        tallies = [tally for kinds in lowest for tally in kinds.values()]
        return {
            "stated": sum(each.stated for each in tallies),
            "kept": sum(each.kept for each in tallies),
            "short": self.short,
            "levels": {
                level: {kind: tally.row() for kind, tally in kinds.items()} for level, kinds in self.levels.items()
            },
            "worst": [held.row() for held in self.worst],
        }


def completeness(collection: Collection, shown: int = WORST) -> Completeness:
    """Hold what a collection kept against what its sites state."""
    found, sums = Completeness(shown=shown), _Sums()
    for holder in _joined(holders(collection)):
        sums.take(holder)
        if holder.kinds:
            found.objects[site_of(holder.uri)].update(holder.kinds)
        if holder.level not in (BOARD, SITE):
            for held in holder.held():
                found.add(held)
    for held in sums.held():
        found.add(held)
    return found


def holders(collection: Collection) -> Iterator[Holder]:
    """Go through all that holds something, or is an object, in the order of their addresses."""
    with tempfile.TemporaryDirectory(prefix="anansi-content-") as folder:
        where = Path(folder)
        runs = write_runs(_lines(collection), where, whole)
        for name, lines in groupby(merged(runs, where, whole), key=lambda line: line.partition(b"\t")[0]):
            yield _read(name.decode(), lines)


def _joined(found: Iterable[Holder]) -> Iterator[Holder]:
    """Put together what no table of addresses knows to be pages of one thing.

    They state the same number, and their addresses go on from the first one's by the number of a page: in the order
    of addresses they follow it, and what stands on it.
    """
    first: Holder | None = None
    for each in found:
        rest = each.uri.removeprefix(first.uri) if first is not None else each.uri
        if first is not None and (rest == each.uri or rest[:1].isalnum()):
            yield first
            first = None
        if first is not None and _FURTHER.fullmatch(rest) and each.level == first.level and first.agrees(each):
            first.join(each)
        elif first is None and each.level not in ("", BOARD, SITE):
            first = each
        else:
            yield each
    if first is not None:
        yield first


# ── from segments to lines ───────────────────────────────────────────────────────────────────────────────────────


def _lines(collection: Collection) -> Iterator[bytes]:
    stale = replaced(collection)
    for segment in segments(collection):
        for piece in current(pieces(segment), stale.get(segment.name)):
            matches = (found.groups(b"") for found in _LINE.finditer(piece.data))
            for graph, said in groupby(matches, key=lambda groups: groups[4]):
                yield from _capture_lines(graph, said)


def _capture_lines(graph: bytes, said: Iterable[tuple[bytes, ...]]) -> Iterator[bytes]:
    """Write the lines of one capture."""
    types: dict[bytes, set[str]] = defaultdict(set)
    levels: dict[bytes, bytes] = {}
    parts: list[tuple[bytes, bytes]] = []
    parents: list[tuple[bytes, bytes]] = []
    numbers: list[tuple[bytes, str, bytes]] = []
    page = date = b""
    for subject, predicate, target, literal, _ in said:
        name = predicate.decode()
        if subject == graph:
            page, date = target if name == _FROM else page, literal if name == _DATE else date
        elif name == _TYPE:
            types[subject].add(target.decode())
        elif name == _PARENT:
            parents.append((subject, target))
        elif name == _LEVEL:
            levels[subject] = literal
        elif name in _NUMBERS:
            numbers.append((subject, _NUMBERS[name], literal))
        else:
            parts.append((subject, target))
    kinds = {subject: kind for subject, each in types.items() if (kind := _KINDS.get(frozenset(each)))}
    for subject, kind in kinds.items():
        yield b"\t".join((subject, _IS, kind.encode())) + b"\n"
    for subject, target in parts:
        kind = kinds.get(subject, "")
        if kind:
            yield b"\t".join((target, _KEPT, kind.encode(), subject, date, page)) + b"\n"
    for subject, target in parents:
        yield b"\t".join((subject, _IN, target)) + b"\n"
    for subject, kind, count in numbers:
        level = SITE.encode() if _PLACE in types.get(subject, ()) else levels.get(subject, b"")
        if count.isdigit() and level:
            yield b"\t".join((subject, _SAID, kind.encode(), date, count, level)) + b"\n"


# ── what holds something ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Holder:
    """Something that holds objects, or is one. Mutable while it is read."""

    uri: str
    level: str = ""
    kinds: set[str] = field(default_factory=set)
    """What it was kept as."""
    kept: Counter[str] = field(default_factory=Counter)
    last: str = ""
    """The latest capture of a part."""
    pages: set[bytes] = field(default_factory=set)
    parents: list[str] = field(default_factory=list)
    stated: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Kind → when, how many; the newest."""
    before: dict[str, int] = field(default_factory=dict)
    """Kind → how many, stated no later than the latest capture."""

    def agrees(self, other: Holder) -> bool:
        """Tell whether another states the same number of something."""
        return any(other.stated.get(kind, ("", -1))[1] == count for kind, (_, count) in self.stated.items())

    def join(self, other: Holder) -> None:
        """Take in a further page."""
        self.kept.update(other.kept)
        self.pages |= other.pages
        self.last = max(self.last, other.last)
        self.before |= other.before

    def held(self) -> Iterator[Held]:
        """Hold what is stated against what was kept; pages count where nothing better is stated."""
        named = [kind for kind in self.stated if kind != PAGE]
        for kind in named or (self.stated if self.kept else ()):
            date, count = self.stated[kind]
            kept = len(self.pages) if kind == PAGE else self.kept[kind]
            grown = kept < count and bool(kept) and kept >= self.before.get(kind, count)
            yield Held(self.uri, self.level, kind, count, kept, date, grown)


def _read(uri: str, lines: Iterable[bytes]) -> Holder:
    holder = Holder(uri)
    latest = b""
    for line in lines:
        _, what, *rest = line.rstrip(b"\n").split(b"\t")
        if what == _KEPT:
            kind, part, date, page = rest
            if part != latest:
                holder.kept[_COUNTED.get(kind.decode(), kind.decode())] += 1
            latest = part
            holder.last = max(holder.last, date.decode())
            holder.pages.add(page)
        elif what == _IN:
            holder.parents.append(rest[0].decode())
        elif what == _IS:
            holder.kinds.add(rest[0].decode())
        else:
            _state(holder, *(each.decode() for each in rest))
    return holder


def _state(holder: Holder, kind: str, date: str, count: str, level: str) -> None:
    """Take in a number; lines come in the order of their dates."""
    holder.level, holder.stated[kind] = level, (date, int(count))
    if date <= holder.last:
        holder.before[kind] = int(count)


# ── boards and sites ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Sums:
    """What boards and sites hold. Mutable, filled by `take`, which meets a site before what stands below it."""

    boards: dict[str, Holder] = field(default_factory=dict)
    sites: dict[str, Holder] = field(default_factory=dict)
    kept: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    below: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def take(self, holder: Holder) -> None:
        """Count what was kept for the boards and sites that it stands in."""
        if holder.level == SITE:
            self.sites[holder.uri] = holder
        if holder.level == BOARD:
            self.boards[holder.uri] = holder
        itself = Counter(_COUNTED.get(kind, kind) for kind in holder.kinds)
        own = holder.kept + itself
        for parent in holder.parents:
            if parent in self.kept or len(self.kept) < BOARDS:
                self.kept[parent].update({**own, "listed": 1})
                if holder.level == BOARD:
                    self.below[parent].append(holder.uri)
        for prefix, site in self.sites.items():
            if holder.uri.startswith(prefix):
                site.kept.update(itself)

    def held(self) -> Iterator[Held]:
        """Hold the numbers of boards and sites against what was kept."""
        for site in self.sites.values():
            yield from site.held()
        for board in self.boards.values():
            own, every = self.kept.get(board.uri, Counter()), self._under(board.uri, set())
            for kind, (date, count) in board.stated.items():
                # many boards count what stands in those below them, too
                yield Held(board.uri, BOARD, kind, count, own[kind] if own[kind] >= count else every[kind], date)

    def _under(self, uri: str, met: set[str]) -> Counter[str]:
        met.add(uri)
        total = Counter(self.kept.get(uri, ()))
        for each in self.below.get(uri, ()):
            if each not in met:
                total.update(self._under(each, met))
        return total
