"""What the chooser knows: kinds of links by the places where they stand, and by their addresses."""

from __future__ import annotations

from array import array
from collections import deque
from dataclasses import dataclass, field
from typing import Final

BARREN: Final = 4
"""Pages of a cell that bring nothing at all, after which it is closed, if its address is."""
SEEN: Final = "named like a page that was seen: "
"""How the names of kinds of such links begin; the shape of their addresses stands behind it."""


@dataclass(frozen=True, slots=True)
class ChooserSettings:
    """How the chooser judges. Tuned on seven recorded forums and blogs with `bench/strategies.py`; run it again."""

    threshold: float = 0.3
    """Share of the crawl's mean gain below which a redundant kind is closed: 1% more requests for 0.3% more."""
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
    """Weight of the latest page in what a kind brings, and in what the crawl does."""
    untried: float = 0.1
    """Weight of the latest first page of a kind in what is expected of an untried one."""
    few: int = 1000
    """Links that wait up to which they come in the order they were found; then a site is large, and those that are
    worth most come first. At three recorded sites of 250 to 900 pages up to 702 wait, at three of 5,500 to 14,000
    pages more than 1,000 do after 100 to 210 of them."""
    put_off: float = 0.25
    """Share of what the latest pages brought below which links are put off, at small sites."""
    passed: int = 20
    """Links in the line that may be passed by, while enough of their kind are under way."""
    ahead: float = 0.7
    """What a link found is worth, as a share of what its page is expected to bring."""
    waiting: float = 3.0
    """Links that wait in a kind at which further ones are worth half."""
    doubt: float = 2.0
    """Pages that the expectation of an untried kind counts for."""
    before: int = 2
    """Pages that a kind has brought for each link of it that may be under way; one may be at the beginning."""
    early: int = 20
    """Pages before which nothing is closed or refused: what the first ones say may be little, and chance."""
    patient: int = 300
    """Pages up to which the thresholds grow: at a small site there is little to save, and much to lose."""
    many: int = 10
    """Links that wait in a closed kind from which on it is looked at once more."""
    in_hand: int = 4
    """Links under way at the most, one at first: what they bring decides about the next ones. With 32, a third more
    requests are needed for the same content."""
    more: int = 8
    """Pages after which there may be one more under way."""
    rich: float = 0.5
    """Share of what pages of a kind say beyond their template from which on haste costs nothing, when..."""
    proven: int = 20
    """...so many of them were seen: then `most` may be under way."""
    most: int = 32
    """Links under way at the most, whatever is known."""
    every: int = 8
    """Pages between two judgements. With 1, kinds are closed in haste: forums lost a tenth of their content; with 2%
    of the pages seen, they are closed late: a fifth more requests were needed."""

    def enough(self, kind: LinkKind) -> int:
        """Return how many pages of a kind must have been seen before it can be closed."""
        return self.least_seen if kind.seen else self.least_shape if kind.by_address else self.least


@dataclass(slots=True, eq=False)
class LinkKind:
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
    last: array[int] = field(default_factory=lambda: array("I"))
    """The items of the latest page; a set of them takes twenty times the memory."""
    weight: float = 0.0
    """Pages that `gain` stands on."""
    closed: bool = False
    again: bool = False
    """Whether it was looked at once more after it had been closed."""
    waiting: int = 0
    """Links that wait in its cells."""
    leads: dict[Cell, float] = field(default_factory=dict)
    """New links a page, lately, by the cell that they wait in."""
    via: LinkKind | None = None
    """The kind of the page where the first of its links was found."""
    repeated: float = 0.0
    """New links a page, lately, of its own label."""


@dataclass(slots=True, eq=False)
class Cell:
    """The links of one label whose addresses have one shape. Mutable: all of it, by the chooser alone."""

    label: LinkKind
    """The shape's, where the address alone speaks."""
    address: LinkKind
    pages: int = 0
    brought: float = 0.0
    """New items that its pages brought in all."""
    out: int = 0
    """Links that were asked for and have brought nothing yet."""
    waiting: deque[str] = field(default_factory=deque)
    """Links, in the order they were found; some were taken from another cell since."""
    off: bool = False
    """Whether its links are put off."""
    passed: list[str] = field(default_factory=list)
    """Links whose turn came while they were put off."""

    @property
    def closed(self) -> bool:
        """Tell whether its links are not followed any more: its kinds are closed, or it proved barren by itself."""
        return self.address.closed and (self.label.closed or (self.pages >= BARREN and not self.brought))

    def surest(self, worth: dict[LinkKind, float]) -> float:
        """Return what a link is worth by its label and its address: the less of both, so far as they were tried."""
        if self.label.pages and not self.address.pages:
            return worth[self.label]
        if self.address.pages and not self.label.pages:
            return worth[self.address]
        return min(worth[self.label], worth[self.address])
