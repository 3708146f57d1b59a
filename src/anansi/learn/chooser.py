"""Learning while crawling: which link to follow next, and which kinds of links not at all.

Links of one label are an arm of a bandit, and so are links whose addresses have one shape; a link waits in the cell
of both. What a page brings is its items that no earlier page had; what an arm is worth is what its pages bring
lately, and what the links bring that were first found there. At a small site links come in the order they were found,
as breadth-first has them, and those of little worth are put off; at a large one what is worth most comes first.
An arm that is worth little beside the mean of the whole crawl is closed: following it further would add less to the
content, in proportion, than to the requests. A link that stands in several places waits in each of their cells, so
that a closed arm hides nothing that an open one shows.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from math import inf
from operator import mul
from typing import Final

from anansi.learn.arms import SEEN, Arm, Cell, Temper
from anansi.learn.chance import Chance
from anansi.learn.shapes import FILES, Shapes
from anansi.learn.titles import Titles

ARMS: Final = 4000
"""Arms; labels beyond share one."""
CELLS: Final = 10_000
"""Pairs of a label and a shape; links beyond share one."""
PLACES: Final = 5
"""Cells that a link waits in: those of its address and of some of the places where it stands."""
FADED: Final = 0.01
"""New links a page below which an arm does not count as leading to another."""
WAITING: Final = 100_000
"""Links that wait, about 400 bytes each; what is found beyond them is not taken, and can be offered later."""
HELD: Final = 1 << 18
"""Items remembered, about 70 bytes each; beyond, a part of them stands for all."""


_NOBODY: Final[tuple[None, None]] = (None, None)


class Chooser:
    """Chooses links. Mutable state: arms and cells, where links wait, what was asked for, and the items met.

    `line` are the links of a small site in the order they were found; `discover` fills it, `next` empties it.

    It does not remember what was visited: whoever asks keeps from it what is not to be visited again.
    """

    def __init__(self, prior: Mapping[str, float] | None = None, temper: Temper | None = None):
        self.temper = temper or Temper()
        self._prior = prior or {}
        self._arms: dict[str, Arm] = {}
        self.shapes = Shapes()
        self.titles = Titles()
        self.cells: dict[tuple[Arm, Arm], Cell] = {}
        self.line: deque[str] = deque()
        self.large = False
        self.places: dict[str, tuple[Cell, ...]] = {}
        self.asked: dict[str, tuple[Arm, Cell]] = {}
        self.met: set[int] = set()
        self.mask = 0
        self.ranked: list[Cell] = []
        self.judged = 0
        self.first = {False: (0.0, 0), True: (0.0, 0)}
        self.untried = {False: 0.0, True: 0.0}
        self.pages, self.gained, self.lately = 0, 0.0, 0.0
        self.arm("")

    def __repr__(self) -> str:
        closed = sum(arm.closed for arm in self._arms.values())
        return f"Chooser({self.pages} pages, {self.gained:.0f} items, {len(self._arms)} arms, {closed} closed)"

    @property
    def arms(self) -> Collection[Arm]:
        """All arms, for those who want to know."""
        return self._arms.values()

    # ── links ────────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, key: str, label: str) -> Cell | None:
        """Let a link wait where it stands; return its cell when it was not waiting before."""
        arm, places = self.arm(label), self.places.get(key, ())
        if not places:
            if len(self.places) >= WAITING:
                return None
            cell = self._first_place(arm, key)
            self._stand_in_line(key, first=label in self._prior)
        elif len(places) >= PLACES or any(each.label in (arm, each.address) for each in places):
            return None
        else:
            cell = self.cell(arm, places[0].address)
        self._wait(key, cell, places)
        return None if places else cell

    def _stand_in_line(self, key: str, *, first: bool) -> None:
        if len(self.places) >= self.temper.few:
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
        for arm in {arm for cell in places for arm in (cell.label, cell.address)}:
            arm.waiting -= 1
        return places

    def _first_place(self, arm: Arm, key: str) -> Cell:
        """Return the cell that a link waits in when it is first met; for a file its address alone speaks."""
        by_address = self.arm(self.shapes.of(key), by_address=True)
        return self.cell(by_address if FILES.match(by_address.name, 1) else arm, by_address)

    def cell(self, label: Arm, address: Arm) -> Cell:
        """Return the cell of a label and the shape of an address; one for all when there are too many."""
        cell = self.cells.get((label, address))
        if cell is None:
            if len(self.cells) >= CELLS:
                label = address = self._arms[""]
            cell = self.cells.setdefault((label, address), Cell(label, address))
        return cell

    def arm(self, name: str, *, by_address: bool = False) -> Arm:
        """Return the arm of a label or of the shape of an address; one for all when there are too many."""
        arm = self._arms.get(name)
        if arm is None:
            if len(self._arms) >= ARMS:
                return self._arms[""]
            arm = self._arms[name] = Arm(name, by_address)
            if (expected := self._prior.get(name)) is not None:
                arm.gain, arm.weight = expected, self.temper.doubt
        return arm

    def next(self, rng: Chance) -> str | None:
        """Return the link to follow: the first in the line, or else one from either end of the best cell.

        None when nothing is left that is worth it, or when what is under way must be known first.
        """
        for again in (self.pages - self.judged >= self.temper.every, True):
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
        while line and found is None and len(passed) < self.temper.passed:
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
        arm = self.arm(SEEN + cell.address.name, by_address=True)
        arm.seen = arm.name.startswith(SEEN)  # not the one for all that are too many
        self._wait(key, self.cell(arm, arm))
        return False

    def _look_again(self) -> bool:
        """Give kinds of addresses that were closed with many links waiting one more chance, when nothing is left.

        Of two views of the same pages each can look redundant beside the other, until nobody follows either.
        """
        found = False
        for arm in self._arms.values():
            if arm.closed and arm.by_address and not arm.again:
                arm.again = True
                if arm.waiting >= self.temper.many:
                    arm.closed, arm.pages, arm.weight, found = False, 0, 0.0, True
        return found

    def _may_ask(self, cell: Cell) -> bool:
        """Tell whether enough is known of a cell for one more link of it to be under way."""
        temper, out, arm = self.temper, len(self.asked), cell.label
        pages = max(cell.pages, min(arm.pages, cell.address.pages))
        if out < min(temper.in_hand, 1 + self.pages // temper.more):
            return cell.out < max(1, pages // temper.before)
        rich = arm.pages >= temper.proven and arm.gain >= temper.rich * arm.own
        return rich and out < temper.most and cell.out < pages // temper.more

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
            places = self._leave(key) or (self._first_place(self.arm(label), key),)
            self._ask(key, places[0], places)
        said = frozenset(items)
        gain = self._new(said) * (self.mask + 1)
        self.pages += 1
        self.gained += gain
        self.lately += (gain - self.lately) * max(self.temper.recent, 1 / self.pages)
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
            for arm in dict.fromkeys((cell.label, cell.address)):
                self._judge(arm, gain, said, found)
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

    def _judge(self, arm: Arm, gain: float, said: frozenset[int], found: Counter[Cell]) -> None:
        if arm.pages < 2:  # what the first pages of arms bring is what to expect of an untried one
            mean, count = self.first[arm.by_address]
            self.first[arm.by_address] = mean + (gain - mean) * max(0.02, 1 / (count + 1)), count + 1
            rate = max(self.temper.untried, 1 / (count + 1))
            self.untried[arm.by_address] += (gain - self.untried[arm.by_address]) * rate
        rate = max(self.temper.recent, 1 / (arm.weight + 1))
        arm.pages += 1
        arm.visits += 1
        arm.brought += gain
        arm.weight = min(arm.weight + 1, 1 / self.temper.recent)
        arm.gain += (gain - arm.gain) * rate
        if said:
            arm.own += (len(said) - len(said.intersection(arm.last)) - arm.own) * rate
            arm.last = array("I", said)
        kept, faded = 1 - rate, FADED / (1 - rate) if rate < 1 else inf
        arm.leads = {other: count * kept for other, count in arm.leads.items() if count >= faded}
        arm.repeated += (sum(count for cell, count in found.items() if cell.label is arm) - arm.repeated) * rate
        for other, number in found.items():
            arm.leads[other] = arm.leads.get(other, 0.0) + number * rate

    # ── judgement ────────────────────────────────────────────────────────────────────────────────────────────────

    def _expected(self, arm: Arm, first: float, *, sure: bool = False) -> float:
        """Return what a page of an arm is expected to bring by itself, when one of an untried arm brings `first`."""
        doubt, weight = self.temper.doubt, arm.weight * arm.weight if sure else arm.weight
        return (weight * arm.gain + doubt * first) / (weight + doubt)

    def _rank(self) -> None:
        """Close what is not worth it, put off what is worth little, and put all in the order of worth."""
        self.judged = self.pages
        refused, arms = self._close(), self._arms.values()
        expected = {arm: self._expected(arm, self.untried[arm.by_address], sure=not self.large) for arm in arms}
        if self.large:
            worth = self._ahead(expected, {arm: 1 / (1 + arm.waiting / self.temper.waiting) for arm in arms})
        else:
            worth = self._surely(expected)
        hopeless = self.pages >= self.temper.early and self.first[True][0] < self._bar() * self.temper.curious
        if hopeless:
            refused.update(arm for arm in arms if arm.by_address and not arm.pages)
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
        least = self.temper.put_off * self.lately
        for cell in self.cells.values():
            worth = value.get(cell)
            tried = cell.label.pages or cell.address.pages
            cell.off = worth is None or bool(tried and worth < least)
            if cell.passed and not cell.off:
                self.line.extendleft(reversed(cell.passed))
                cell.passed = []

    def _bar(self) -> float:
        return self.temper.threshold * self.gained / max(1, self.pages)

    def _close(self) -> set[Arm]:
        """Close the arms that proved barren, and return those that are not worth a first try now."""
        if self.pages < self.temper.early:
            return set()
        mean, temper = self.gained / self.pages, self.temper
        expected = {arm: self._expected(arm, self.first[arm.by_address][0]) for arm in self._arms.values()}
        refused = set()
        for arm, value in self._ahead(expected).items():
            if not arm.pages:
                if not arm.by_address and value < mean * temper.threshold * temper.curious:
                    refused.add(arm)
            elif arm.pages >= temper.enough(arm):
                redundant = arm.gain < temper.fresh * arm.own
                least = (
                    mean * min(1.0, self.pages / temper.patient) * (temper.threshold if redundant else temper.small)
                )
                arm.closed = arm.closed or value - expected[arm] + arm.gain < least
        return refused

    def _ahead(self, own: dict[Arm, float], share: dict[Arm, float] | None = None) -> dict[Arm, float]:
        """Add to what arms bring what the links found there will bring, and those found by these.

        `share` is the part of the links of a label that will be followed soon, all when it is not given.
        """
        ahead, worth = self.temper.ahead, own
        for _ in range(2):
            each = {
                arm: 0.0 if arm.closed else ahead * value * (share[arm] if share else 1.0)
                for arm, value in worth.items()
            }
            then = {cell: each[cell.label] for cell in self.cells.values()}
            # what leads on to its own kind (the next page of a list) brings no more than that by itself
            worth = {
                arm: brings
                + sum(map(mul, arm.leads.values(), map(then.__getitem__, arm.leads)))
                + (arm.repeated * each[arm] * (brings / worth[arm] - 1) if arm.repeated and worth[arm] else 0.0)
                for arm, brings in own.items()
            }
        return worth

    def _surely(self, own: dict[Arm, float]) -> dict[Arm, float]:
        """Do the same by labels and addresses together: what is sure of both counts."""
        ahead, worth = self.temper.ahead, own
        for _ in range(2):
            then = {cell: 0.0 if cell.closed else ahead * cell.surest(worth) for cell in self.cells.values()}
            worth = {
                arm: brings + sum(map(mul, arm.leads.values(), map(then.__getitem__, arm.leads)))
                for arm, brings in own.items()
            }
        return worth

    def barren(self, key: str, label: str) -> Arm | None:
        """Return the arm that speaks most against a link: the closed one with most pages, if any."""
        arms = (self.arm(label), self.arm(self.shapes.of(key), by_address=True))
        return max((arm for arm in arms if arm.closed), key=lambda arm: arm.pages, default=None)

    def worth(self, key: str, label: str) -> float | None:
        """Return what a link is expected to bring, as a share of the mean gain; None when all its arms are closed."""
        arms = [arm for arm in (self.arm(label), self.arm(self.shapes.of(key), by_address=True)) if not arm.closed]
        mean = self.gained / max(1, self.pages) or 1.0
        return max(self._expected(arm, self.first[arm.by_address][0]) for arm in arms) / mean if arms else None


def _shut(arm: Arm, refused: set[Arm]) -> bool:
    return arm.closed or arm in refused
