"""Learning while crawling: which link to follow next, and which kinds of links not at all.

Links of one label are a kind of a bandit, and so are links whose addresses have one shape; a link waits in the cell
of both. What a page brings is its items that no earlier page had; what a kind is worth is what its pages bring
lately, and what the links bring that were first found there. At a small site links come in the order they were found,
as breadth-first has them, and those of little worth are put off; at a large one what is worth most comes first.
A kind that is worth little beside the mean of the whole crawl is closed: following it further would add less to the
content, in proportion, than to the requests. A link that stands in several places waits in each of their cells, so
that a closed kind hides nothing that an open one shows.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from math import inf
from operator import mul
from typing import Final

from anansi.learn.address_kinds import FILES, Shapes
from anansi.learn.chance import Chance
from anansi.learn.link_kinds import SEEN, Cell, ChooserSettings, LinkKind
from anansi.learn.titles import Titles

ARMS: Final = 4000
"""Kinds of links; labels beyond share one."""
CELLS: Final = 10_000
"""Pairs of a label and a shape; links beyond share one."""
PLACES: Final = 5
"""Cells that a link waits in: those of its address and of some of the places where it stands."""
FADED: Final = 0.01
"""New links a page below which a kind does not count as leading to another."""
WAITING: Final = 100_000
"""Links that wait, about 400 bytes each; what is found beyond them is not taken, and can be offered later."""
HELD: Final = 1 << 18
"""Items remembered, about 70 bytes each; beyond, a part of them stands for all."""


_NOBODY: Final[tuple[None, None]] = (None, None)


class Chooser:
    """Chooses links. Mutable state: kinds and cells, where links wait, what was asked for, and the items met.

    `line` are the links of a small site in the order they were found; `discover` fills it, `next` empties it.

    It does not remember what was visited: whoever asks keeps from it what is not to be visited again.
    """

    def __init__(self, prior: Mapping[str, float] | None = None, settings: ChooserSettings | None = None):
        self.settings = settings or ChooserSettings()
        self._prior = prior or {}
        self._kinds: dict[str, LinkKind] = {}
        self.shapes = Shapes()
        self.titles = Titles()
        self.cells: dict[tuple[LinkKind, LinkKind], Cell] = {}
        self.line: deque[str] = deque()
        self.large = False
        self.places: dict[str, tuple[Cell, ...]] = {}
        self.asked: dict[str, tuple[LinkKind, Cell]] = {}
        self.met: set[int] = set()
        self.mask = 0
        self.ranked: list[Cell] = []
        self.judged = 0
        self.first = {False: (0.0, 0), True: (0.0, 0)}
        self.untried = {False: 0.0, True: 0.0}
        self.pages, self.gained, self.lately = 0, 0.0, 0.0
        self.kind("")

    def __repr__(self) -> str:
        closed = sum(kind.closed for kind in self._kinds.values())
        return f"Chooser({self.pages} pages, {self.gained:.0f} items, {len(self._kinds)} kinds, {closed} closed)"

    @property
    def kinds(self) -> Collection[LinkKind]:
        """All kinds, for those who want to know."""
        return self._kinds.values()

    # ── links ────────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, key: str, label: str) -> Cell | None:
        """Let a link wait where it stands; return its cell when it was not waiting before."""
        kind, places = self.kind(label), self.places.get(key, ())
        if not places:
            if len(self.places) >= WAITING:
                return None
            cell = self._first_place(kind, key)
            self._stand_in_line(key, first=label in self._prior)
        elif len(places) >= PLACES or any(each.label in (kind, each.address) for each in places):
            return None
        else:
            cell = self.cell(kind, places[0].address)
        self._wait(key, cell, places)
        return None if places else cell

    def _stand_in_line(self, key: str, *, first: bool) -> None:
        if len(self.places) >= self.settings.few:
            self.large = True
            self.line.clear()
        elif not self.large:
            (self.line.appendleft if first else self.line.append)(key)

    def _wait(self, key: str, cell: Cell, places: tuple[Cell, ...] = ()) -> None:
        self.places[key] = (*places, cell)
        cell.waiting.append(key)
        if not places:
            cell.address.waiting += 1
        if cell.label is not cell.address:
            cell.label.waiting += 1

    def _leave(self, key: str) -> tuple[Cell, ...]:
        """Let a link wait no more; return where it did."""
        places = self.places.pop(key, ())
        for kind in {kind for cell in places for kind in (cell.label, cell.address)}:
            kind.waiting -= 1
        return places

    def _first_place(self, kind: LinkKind, key: str) -> Cell:
        """Return the cell that a link waits in when it is first met; for a file its address alone speaks."""
        by_address = self.kind(self.shapes.of(key), by_address=True)
        return self.cell(by_address if FILES.match(by_address.name, 1) else kind, by_address)

    def cell(self, label: LinkKind, address: LinkKind) -> Cell:
        """Return the cell of a label and the shape of an address; one for all when there are too many."""
        cell = self.cells.get((label, address))
        if cell is None:
            if len(self.cells) >= CELLS:
                label = address = self._kinds[""]
            cell = self.cells.setdefault((label, address), Cell(label, address))
        return cell

    def kind(self, name: str, *, by_address: bool = False) -> LinkKind:
        """Return the kind of a label or of the shape of an address; one for all when there are too many."""
        kind = self._kinds.get(name)
        if kind is None:
            if len(self._kinds) >= ARMS:
                return self._kinds[""]
            kind = self._kinds[name] = LinkKind(name, by_address)
            if (expected := self._prior.get(name)) is not None:
                kind.gain, kind.weight = expected, self.settings.doubt
        return kind

    def next(self, rng: Chance) -> str | None:
        """Return the link to follow: the first in the line, or else one from either end of the best cell.

        None when nothing is left that is worth it, or when what is under way must be known first.
        """
        for again in (self.pages - self.judged >= self.settings.every, True):
            if again:
                self._rank()
            key, passed = (None, False) if self.large else self._in_line()
            if key is not None or passed:
                return key
            for cell in self.ranked:
                if (key := self._taken(cell, rng)) is not None:
                    return key
        return self.next(rng) if not self.asked and self._look_again() else None

    def _in_line(self) -> tuple[str | None, bool]:
        """Take the first link in the line that may be asked for now; tell whether others had to be passed by."""
        line, passed, found = self.line, list[str](), None
        while line and found is None and len(passed) < self.settings.passed:
            key = line.popleft()
            places = self.places.get(key, ())
            cell = next((each for each in places if not each.off and not each.closed), None)
            if cell is None:
                if places:
                    places[0].passed.append(key)
            elif not self._may_ask(cell):
                passed.append(key)
            elif self._asked_for(key, cell):
                found = key
        line.extendleft(reversed(passed))
        return found, bool(passed)

    def _taken(self, cell: Cell, rng: Chance) -> str | None:
        """Take a link of a cell that may be asked for now."""
        while cell.waiting and not cell.closed and self._may_ask(cell):
            key = cell.waiting.popleft() if rng.random() < 0.5 else cell.waiting.pop()
            # it may have been taken from another place where it waited
            if cell in self.places.get(key, ()) and self._asked_for(key, cell):
                return key
        return None

    def _asked_for(self, key: str, cell: Cell) -> bool:
        """Ask for a link, unless it is named like a page that was seen: then it waits with its like."""
        places = self._leave(key)
        if cell.address.seen or not self.titles.seen(key):
            self._ask(key, cell, places)
            return True
        kind = self.kind(SEEN + cell.address.name, by_address=True)
        kind.seen = kind.name.startswith(SEEN)  # not the one for all that are too many
        self._wait(key, self.cell(kind, kind))
        return False

    def _look_again(self) -> bool:
        """Give kinds of addresses that were closed with many links waiting one more chance, when nothing is left.

        Of two views of the same pages each can look redundant beside the other, until nobody follows either.
        """
        found = False
        for kind in self._kinds.values():
            if kind.closed and kind.by_address and not kind.again:
                kind.again = True
                if kind.waiting >= self.settings.many:
                    kind.closed, kind.pages, kind.weight, found = False, 0, 0.0, True
        return found

    def _may_ask(self, cell: Cell) -> bool:
        """Tell whether enough is known of a cell for one more link of it to be under way."""
        settings, out, kind = self.settings, len(self.asked), cell.label
        pages = max(cell.pages, min(kind.pages, cell.address.pages))
        if out < min(settings.in_hand, 1 + self.pages // settings.more):
            return cell.out < max(1, pages // settings.before)
        rich = kind.pages >= settings.proven and kind.gain >= settings.rich * kind.own
        return rich and out < settings.most and cell.out < pages // settings.more

    def _ask(self, key: str, cell: Cell, places: tuple[Cell, ...]) -> None:
        self.titles.forget(key)
        self.asked[key] = places[0].label, cell
        cell.out += 1

    def drop(self, key: str) -> None:
        """Forget a link that was asked for and brought no answer."""
        _, cell = self.asked.pop(key, _NOBODY)
        if cell is not None:
            cell.out -= 1

    # ── pages ────────────────────────────────────────────────────────────────────────────────────────────────────

    def learn(
        self, key: str, items: Collection[int], links: Iterable[tuple[str, str]], *, label: str | None = None
    ) -> float:
        """Take in what a link brought (no items when it was no page) and return how many items were new.

        The label says where a link stands that somebody else chose to follow.
        """
        if key not in self.asked and label is not None:
            places = self._leave(key) or (self._first_place(self.kind(label), key),)
            self._ask(key, places[0], places)
        said = frozenset(items)
        last = items if isinstance(items, array) else array("I", said)
        gain = self._new(said) * (self.mask + 1)
        self.pages += 1
        self.gained += gain
        self.lately += (gain - self.lately) * max(self.settings.recent, 1 / self.pages)
        via, cell = self.asked.pop(key, _NOBODY)
        found: Counter[Cell] = Counter()
        for link, label in links:
            new = self.discover(link, label)
            if new is not None:
                found[new] += 1
                new.label.via = new.label.via or via
        if cell is not None:
            cell.out -= 1
            cell.pages += 1
            cell.brought += gain
            for kind in dict.fromkeys((cell.label, cell.address)):
                self._judge(kind, gain, said, found)
                kind.last = last if said else kind.last
        return gain

    def _new(self, items: frozenset[int]) -> int:
        mask = self.mask
        fresh = items - self.met
        if mask:
            fresh = frozenset(item for item in fresh if not item & mask)
        self.met |= fresh
        if len(self.met) > HELD:
            self.mask = mask * 2 + 1
            self.met = {item for item in self.met if not item & self.mask}
        return len(fresh)

    def _judge(self, kind: LinkKind, gain: float, said: frozenset[int], found: Counter[Cell]) -> None:
        if kind.pages < 2:  # what the first pages of kinds bring is what to expect of an untried one
            mean, count = self.first[kind.by_address]
            self.first[kind.by_address] = mean + (gain - mean) * max(0.02, 1 / (count + 1)), count + 1
            rate = max(self.settings.untried, 1 / (count + 1))
            self.untried[kind.by_address] += (gain - self.untried[kind.by_address]) * rate
        rate = max(self.settings.recent, 1 / (kind.weight + 1))
        kind.pages += 1
        kind.visits += 1
        kind.brought += gain
        kind.weight = min(kind.weight + 1, 1 / self.settings.recent)
        kind.gain += (gain - kind.gain) * rate
        if said:
            kind.own += (len(said) - len(said.intersection(kind.last)) - kind.own) * rate
        kept, faded = 1 - rate, FADED / (1 - rate) if rate < 1 else inf
        kind.leads = {other: count * kept for other, count in kind.leads.items() if count >= faded}
        kind.repeated += (sum(count for cell, count in found.items() if cell.label is kind) - kind.repeated) * rate
        for other, number in found.items():
            kind.leads[other] = kind.leads.get(other, 0.0) + number * rate

    # ── judgement ────────────────────────────────────────────────────────────────────────────────────────────────

    def _expected(self, kind: LinkKind, first: float, *, sure: bool = False) -> float:
        """Return what a page of a kind is expected to bring by itself, when one of an untried kind brings `first`."""
        doubt, weight = self.settings.doubt, kind.weight * kind.weight if sure else kind.weight
        return (weight * kind.gain + doubt * first) / (weight + doubt)

    def _rank(self) -> None:
        """Close what is not worth it, put off what is worth little, and put all in the order of worth."""
        self.judged = self.pages
        refused, kinds = self._close(), self._kinds.values()
        expected = {kind: self._expected(kind, self.untried[kind.by_address], sure=not self.large) for kind in kinds}
        if self.large:
            worth = self._ahead(expected, {kind: 1 / (1 + kind.waiting / self.settings.waiting) for kind in kinds})
        else:
            worth = self._surely(expected)
        hopeless = self.pages >= self.settings.early and self.first[True][0] < self._bar() * self.settings.curious
        if hopeless:
            refused.update(kind for kind in kinds if kind.by_address and not kind.pages)
        value = {
            cell: max(worth[cell.label], worth[cell.address]) if self.large else cell.surest(worth)
            for cell in self.cells.values()
            if cell.waiting and not (_shut(cell.label, refused) and _shut(cell.address, refused))
        }
        if not self.large:
            self._put_off(value)
        self.ranked = sorted(value, key=lambda cell: (-value[cell], cell.pages > 0))  # of two alike the untried one

    def _put_off(self, value: dict[Cell, float]) -> None:
        """Let links of little worth wait for the others; where that has changed, their turn comes next."""
        least = self.settings.put_off * self.lately
        for cell in self.cells.values():
            worth = value.get(cell)
            tried = cell.label.pages or cell.address.pages
            cell.off = worth is None or bool(tried and worth < least)
            if cell.passed and not cell.off:
                self.line.extendleft(reversed(cell.passed))
                cell.passed = []

    def _bar(self) -> float:
        return self.settings.threshold * self.gained / max(1, self.pages)

    def _close(self) -> set[LinkKind]:
        """Close the kinds that proved barren, and return those that are not worth a first try now."""
        if self.pages < self.settings.early:
            return set()
        mean, settings = self.gained / self.pages, self.settings
        expected = {kind: self._expected(kind, self.first[kind.by_address][0]) for kind in self._kinds.values()}
        refused = set()
        for kind, value in self._ahead(expected).items():
            if not kind.pages:
                if not kind.by_address and value < mean * settings.threshold * settings.curious:
                    refused.add(kind)
            elif kind.pages >= settings.enough(kind):
                redundant = kind.gain < settings.fresh * kind.own
                least = (
                    mean
                    * min(1.0, self.pages / settings.patient)
                    * (settings.threshold if redundant else settings.small)
                )
                kind.closed = kind.closed or value - expected[kind] + kind.gain < least
        return refused

    def _ahead(self, own: dict[LinkKind, float], share: dict[LinkKind, float] | None = None) -> dict[LinkKind, float]:
        """Add to what kinds bring what the links found there will bring, and those found by these.

        `share` is the part of the links of a label that will be followed soon, all when it is not given.
        """
        ahead, worth = self.settings.ahead, own
        for _ in range(2):
            each = {
                kind: 0.0 if kind.closed else ahead * value * (share[kind] if share else 1.0)
                for kind, value in worth.items()
            }
            then = {cell: each[cell.label] for cell in self.cells.values()}
            # what leads on to its own kind (the next page of a list) brings no more than that by itself
            worth = {
                kind: brings
                + (sum(map(mul, kind.leads.values(), map(then.__getitem__, kind.leads))) if kind.leads else 0.0)
                + (kind.repeated * each[kind] * (brings / worth[kind] - 1) if kind.repeated and worth[kind] else 0.0)
                for kind, brings in own.items()
            }
        return worth

    def _surely(self, own: dict[LinkKind, float]) -> dict[LinkKind, float]:
        """Do the same by labels and addresses together: what is sure of both counts."""
        ahead, worth = self.settings.ahead, own
        for _ in range(2):
            then = {cell: 0.0 if cell.closed else ahead * cell.surest(worth) for cell in self.cells.values()}
            worth = {
                kind: brings
                + (sum(map(mul, kind.leads.values(), map(then.__getitem__, kind.leads))) if kind.leads else 0.0)
                for kind, brings in own.items()
            }
        return worth

    def barren(self, key: str, label: str) -> LinkKind | None:
        """Return the kind that speaks most against a link: the closed one with most pages, if any."""
        kinds = (self.kind(label), self.kind(self.shapes.of(key), by_address=True))
        return max((kind for kind in kinds if kind.closed), key=lambda kind: kind.pages, default=None)

    def worth(self, key: str, label: str) -> float | None:
        """Return what a link is expected to bring, as a share of the mean gain; None if all its kinds are closed."""
        kinds = [
            kind for kind in (self.kind(label), self.kind(self.shapes.of(key), by_address=True)) if not kind.closed
        ]
        mean = self.gained / max(1, self.pages) or 1.0
        return max(self._expected(kind, self.first[kind.by_address][0]) for kind in kinds) / mean if kinds else None


def _shut(kind: LinkKind, refused: set[LinkKind]) -> bool:
    return kind.closed or kind in refused
