"""Learning while crawling: which link to follow next, and which kinds of links not at all.

Links of one label are an arm of a bandit. What a page brings is its items that no earlier page had; what an arm is
worth is what its pages bring lately, and what the links bring that were first found there. The arm that is worth most
comes next. An arm that is worth little beside the mean of the whole crawl is closed: following it further would add
less to the content, in proportion, than to the requests. A link that stands in several places waits in each of their
arms, so that a closed one hides nothing that an open one shows.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from anansi.learn.chance import Chance
from anansi.learn.shapes import FILES, Shapes
from anansi.learn.titles import Titles

ARMS: Final = 4000
"""Arms; labels beyond share one."""
PLACES: Final = 5
"""Arms that a link waits in: that of its address and some of the places where it stands."""
FADED: Final = 0.01
"""New links a page below which an arm does not count as leading to another."""
WAITING: Final = 100_000
"""Links that wait, about 400 bytes each; what is found beyond them is not taken, and can be offered later."""
HELD: Final = 1 << 18
"""Items remembered, about 70 bytes each; beyond, a part of them stands for all."""


SEEN: Final = "named like a page that was seen: "
"""How the names of arms of such links begin; the shape of their addresses stands behind it."""


@dataclass(frozen=True, slots=True)
class Temper:
    """How the chooser judges. Tuned on seven recorded forums and blogs with `bench/strategies.py`; run it again."""

    threshold: float = 0.3
    """Share of the crawl's mean gain below which a redundant arm is closed: 1% more requests for 0.3% more."""
    least: int = 4
    """Pages of a label that are looked at before it can be closed."""
    least_shape: int = 2
    """The same for an address, whose label speaks for it, too."""
    least_seen: int = 8
    """The same for links that are named like pages that were seen: two threads may have one title."""
    fresh: float = 0.1
    """Share of what a page says beyond its template from which on it counts as content, not as a redundant view."""
    small: float = 0.1
    """The threshold for content: short posts are content, too."""
    curious: float = 0.5
    """Part of the threshold that is enough for what was never tried."""
    recent: float = 0.05
    """Weight of the latest page in what an arm brings."""
    ahead: float = 0.7
    """What a link found is worth, as a share of what its page is expected to bring."""
    waiting: float = 3.0
    """Links that wait in an arm at which further ones are worth half."""
    doubt: float = 2.0
    """Pages that the expectation of an untried arm counts for."""
    before: int = 2
    """Pages that an arm has brought for each link of it that may be under way; one may be at the beginning."""
    early: int = 20
    """Pages before which nothing is closed or refused: what the first ones say may be little, and chance."""
    patient: int = 300
    """Pages up to which the thresholds grow: at a small site there is little to save, and much to lose."""
    many: int = 10
    """Links that wait in a closed arm from which on it is looked at once more."""
    in_hand: int = 4
    """Links under way at the most, one at first: what they bring decides about the next ones. With 32, a third more
    requests are needed for the same content."""
    more: int = 8
    """Pages after which there may be one more under way."""
    rich: float = 0.5
    """Share of what pages of an arm say beyond their template from which on haste costs nothing, when..."""
    proven: int = 20
    """...so many of them were seen: then `most` may be under way."""
    most: int = 32
    """Links under way at the most, whatever is known."""
    every: int = 5
    """Pages between two rankings of the arms."""

    def enough(self, arm: Arm) -> int:
        """Return how many pages of an arm must have been seen before it can be closed."""
        return self.least_seen if arm.seen else self.least_shape if arm.by_address else self.least


@dataclass(slots=True, eq=False)
class Arm:
    """The links of one label. Mutable: all of it, by the chooser alone."""

    name: str
    """A label, or the shape of an address."""
    by_address: bool = False
    seen: bool = False
    """Whether its links are named like pages that were seen."""
    pages: int = 0
    visits: int = 0
    """Pages since the beginning, those before it was looked at once more included."""
    brought: float = 0.0
    """New items that its pages brought in all."""
    gain: float = 0.0
    """New items a page, lately."""
    own: float = 0.0
    """Items a page, lately, that the page before did not have: the template aside."""
    last: frozenset[int] = frozenset()
    """The items of the latest page."""
    weight: float = 0.0
    """Pages that `gain` stands on."""
    out: int = 0
    """Links that were asked for and have brought nothing yet."""
    closed: bool = False
    again: bool = False
    """Whether it was looked at once more after it had been closed."""
    waiting: deque[str] = field(default_factory=deque)
    leads: dict[Arm, float] = field(default_factory=dict)
    """New links a page, lately, by the arm that they wait in."""
    via: Arm | None = None
    """The arm of the page where the first of its links was found."""


_NOBODY: Final[tuple[None, set[Arm]]] = (None, set())


class Chooser:
    """Chooses links. Mutable state: arms, where links wait, what was asked for, and the items met.

    It does not remember what was visited: whoever asks keeps from it what is not to be visited again.
    """

    def __init__(self, prior: Mapping[str, float] | None = None, temper: Temper | None = None):
        self.temper = temper or Temper()
        self._prior = prior or {}
        self._arms: dict[str, Arm] = {}
        self._shapes = Shapes()
        self.titles = Titles()
        self._places: dict[str, tuple[Arm, ...]] = {}
        self._asked: dict[str, tuple[Arm | None, set[Arm]]] = {}
        self.met: set[int] = set()
        self.mask = 0
        self._ranked: list[Arm] = []
        self.first = {False: (0.0, 0), True: (0.0, 0)}
        self.pages, self.gained = 0, 0.0
        self.arm("")

    def __repr__(self) -> str:
        closed = sum(arm.closed for arm in self._arms.values())
        return f"Chooser({self.pages} pages, {self.gained:.0f} items, {len(self._arms)} arms, {closed} closed)"

    @property
    def arms(self) -> Collection[Arm]:
        """All arms, for those who want to know."""
        return self._arms.values()

    # ── links ────────────────────────────────────────────────────────────────────────────────────────────────────

    def discover(self, key: str, label: str) -> Arm | None:
        """Let a link wait where it stands; return its arm when it was not waiting before."""
        arm, places = self.arm(label), self._places.get(key, ())
        if arm in places or len(places) >= PLACES or (not places and len(self._places) >= WAITING):
            return None
        new = (arm,) if places else self._first_places(arm, key)
        self._places[key] = (*places, *new)
        for each in new:
            each.waiting.append(key)
        return None if places else arm

    def _first_places(self, arm: Arm, key: str) -> tuple[Arm, ...]:
        """Return the arms that a link waits in when it is first met; for a file its address alone speaks."""
        by_address = self.arm(self._shapes.of(key), by_address=True)
        return (by_address,) if FILES.search(key) else (arm, by_address)

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
        """Return the link to follow, from either end of the best arm; None when nothing is left that is worth it."""
        for again in (self.pages % self.temper.every == 0, True):
            if again:
                self._rank()
            for arm in self._ranked:
                if (key := self._taken(arm, rng)) is not None:
                    return key
        return self.next(rng) if not self._asked and self._look_again() else None

    def _taken(self, arm: Arm, rng: Chance) -> str | None:
        """Take a link of an arm that may be asked for now."""
        while arm.waiting and not arm.closed and self._may_ask(arm):
            key = arm.waiting.popleft() if rng.random() < 0.5 else arm.waiting.pop()
            places = self._places.get(key, ())
            if arm not in places:  # it was taken from another place where it waited
                continue
            if not arm.seen and self.titles.seen(key):
                self._put_aside(key, places)
                continue
            self._ask(key, arm, places)
            return key
        return None

    def _put_aside(self, key: str, places: tuple[Arm, ...]) -> None:
        """Let a link that is named like a page that was seen wait with others of that kind, and nowhere else."""
        shape = next((arm.name for arm in places if arm.by_address), "")
        arm = self.arm(SEEN + shape, by_address=True)
        arm.seen = arm.name.startswith(SEEN)  # not the one for all that are too many
        self._places[key] = (arm,)
        arm.waiting.append(key)

    def _look_again(self) -> bool:
        """Give kinds of addresses that were closed with many links waiting one more chance, when nothing is left.

        Of two views of the same pages each can look redundant beside the other, until nobody follows either.
        """
        found = False
        for arm in self._arms.values():
            if arm.closed and arm.by_address and not arm.again:
                arm.again = True
                arm.waiting = deque(key for key in arm.waiting if key in self._places)
                if len(arm.waiting) >= self.temper.many:
                    arm.closed, arm.pages, arm.weight, found = False, 0, 0.0, True
        return found

    def _may_ask(self, arm: Arm) -> bool:
        """Tell whether enough is known of an arm for one more link of it to be under way."""
        temper, out = self.temper, len(self._asked)
        if out < min(temper.in_hand, 1 + self.pages // temper.more):
            return arm.out < max(1, arm.pages // temper.before)
        rich = arm.pages >= temper.proven and arm.gain >= temper.rich * arm.own
        return rich and out < temper.most and arm.out < arm.pages // temper.more

    def _ask(self, key: str, arm: Arm, places: tuple[Arm, ...]) -> None:
        self._places.pop(key, None)
        self.titles.forget(key)
        judged = {arm, *(each for each in places if each.by_address)}
        self._asked[key] = places[0], judged
        for each in judged:
            each.out += 1

    def drop(self, key: str) -> None:
        """Forget a link that was asked for and brought no answer."""
        for arm in self._asked.pop(key, _NOBODY)[1]:
            arm.out -= 1

    # ── pages ────────────────────────────────────────────────────────────────────────────────────────────────────

    def learn(
        self, key: str, items: Collection[int], links: Iterable[tuple[str, str]], *, label: str | None = None
    ) -> float:
        """Take in what a link brought (no items when it was no page) and return how many items were new.

        The label says where a link stands that somebody else chose to follow.
        """
        if key not in self._asked and label is not None:
            places = self._places.get(key) or self._first_places(self.arm(label), key)
            self._ask(key, places[0], places)
        gain = self._new(items) * (self.mask + 1)
        self.pages += 1
        self.gained += gain
        via, judged = self._asked.pop(key, _NOBODY)
        found: Counter[Arm] = Counter()
        for link, label in links:
            new = self.discover(link, label)
            if new is not None:
                found[new] += 1
                new.via = new.via or via
        for arm in judged:
            arm.out -= 1
            self._judge(arm, gain, items, found)
        return gain

    def _new(self, items: Iterable[int]) -> int:
        mask = self.mask
        fresh = {item for item in items if not item & mask} if mask else set(items)
        fresh -= self.met
        self.met |= fresh
        if len(self.met) > HELD:
            self.mask = mask * 2 + 1
            self.met = {item for item in self.met if not item & self.mask}
        return len(fresh)

    def _judge(self, arm: Arm, gain: float, said: Collection[int], found: Counter[Arm]) -> None:
        if arm.pages < 2:  # what the first pages of arms bring is what to expect of an untried one
            mean, count = self.first[arm.by_address]
            self.first[arm.by_address] = mean + (gain - mean) * max(0.02, 1 / (count + 1)), count + 1
        rate = max(self.temper.recent, 1 / (arm.weight + 1))
        arm.pages += 1
        arm.visits += 1
        arm.brought += gain
        arm.weight = min(arm.weight + 1, 1 / self.temper.recent)
        arm.gain += (gain - arm.gain) * rate
        if said:
            arm.own += (len(said) - len(arm.last.intersection(said)) - arm.own) * rate
            arm.last = frozenset(said)
        kept = {other: count * (1 - rate) for other, count in arm.leads.items()}
        arm.leads = {other: count for other, count in kept.items() if count >= FADED}
        for other, number in found.items():
            arm.leads[other] = arm.leads.get(other, 0.0) + number * rate

    # ── judgement ────────────────────────────────────────────────────────────────────────────────────────────────

    def _expected(self, arm: Arm) -> float:
        """Return what a page of an arm is expected to bring by itself."""
        doubt = self.temper.doubt
        return (arm.weight * arm.gain + doubt * self.first[arm.by_address][0]) / (arm.weight + doubt)

    def _rank(self) -> None:
        """Close what is not worth it, and put the rest in the order of worth."""
        judged, untried = [], []
        for arm in self._arms.values():
            if arm.pages or not arm.by_address:
                judged.append(arm)
            elif arm.waiting:
                untried.append(arm)  # all alike, and nothing was found there yet
        expected = {arm: self._expected(arm) for arm in judged}
        refused = self._close(expected)
        share = {arm: 1 / (1 + len(arm.waiting) / self.temper.waiting) for arm in judged}
        worth = self._ahead(expected, self._ahead(expected, expected, share), share)
        left = [arm for arm in judged if arm.waiting and not arm.closed and arm not in refused]
        hope = self.first[True][0]
        if untried and (hope >= self._bar() * self.temper.curious or self.pages < self.temper.early):
            worth.update(dict.fromkeys(untried, hope))
            left += untried
        self._ranked = sorted(left, key=lambda arm: (-worth[arm], arm.pages > 0))  # of two alike the untried one

    def _bar(self) -> float:
        return self.temper.threshold * self.gained / max(1, self.pages)

    def _close(self, expected: dict[Arm, float]) -> set[Arm]:
        """Close the arms that proved barren, and return those that are not worth a first try now."""
        if self.pages < self.temper.early:
            return set()
        mean, temper = self.gained / self.pages, self.temper
        whole = dict.fromkeys(expected, 1.0)
        worth = self._ahead(expected, self._ahead(expected, expected, whole), whole)
        refused = set()
        for arm, value in worth.items():
            if not arm.pages and value < mean * temper.threshold * temper.curious:
                refused.add(arm)
            elif arm.pages >= temper.enough(arm):
                redundant = arm.gain < temper.fresh * arm.own
                least = (
                    mean * min(1.0, self.pages / temper.patient) * (temper.threshold if redundant else temper.small)
                )
                arm.closed = arm.closed or value - expected[arm] + arm.gain < least
        return refused

    def _ahead(self, own: dict[Arm, float], then: dict[Arm, float], share: dict[Arm, float]) -> dict[Arm, float]:
        """Add to what arms bring what the links found there will bring, so far as these are followed at all."""
        return {
            arm: worth
            + self.temper.ahead
            * sum(
                count * share[other] * (then[other] if other is not arm else worth)
                for other, count in arm.leads.items()
                if not other.closed
            )
            for arm, worth in own.items()
        }

    def barren(self, key: str, label: str) -> Arm | None:
        """Return the arm that speaks most against a link: the closed one with most pages, if any."""
        arms = (self.arm(label), self.arm(self._shapes.of(key), by_address=True))
        return max((arm for arm in arms if arm.closed), key=lambda arm: arm.pages, default=None)

    def worth(self, key: str, label: str) -> float | None:
        """Return what a link is expected to bring, as a share of the mean gain; None when all its arms are closed."""
        arms = [arm for arm in (self.arm(label), self.arm(self._shapes.of(key), by_address=True)) if not arm.closed]
        mean = self.gained / max(1, self.pages) or 1.0
        return max(map(self._expected, arms)) / mean if arms else None
