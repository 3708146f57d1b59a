"""The graph of a site: pages are vertices with items, links are edges with labels.

Sets are compact: items are arrays of numbers, edges two arrays a label. When there are too many items to hold, a
part of them is kept, the same for all pages (those whose hash ends in so many zeros), so that every count of distinct
items stays an estimate without bias; up to a few thousand pages all are kept and counts are exact.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from anansi.learn.items import Items
from anansi.learn.labels import Attributes, coarse

MOST_HELD: Final = 4_000_000
"""Items held over all pages; 4 bytes each. With more, counts are estimated from a part."""
MOST_LABELS: Final = 20_000
"""Labels of a site; a site that makes up labels without end gets no more."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """A page as learning sees it."""

    key: str
    items: Items
    links: tuple[tuple[str, str], ...]
    """Keys of the same site, each with the label of its link."""


class SiteMap:
    """A site as far as it was looked at.

    Mutable state, all filled by `add`: numbers of keys and labels, items of pages, edges by label, and which pages
    say what an earlier one said.
    """

    def __init__(self, root: str, attributes: Attributes = Attributes.ID):
        self.root, self.attributes = root, attributes
        self.labels: list[str] = []
        self.scale = 1
        """How many items each one held stands for."""
        self._label_numbers: dict[str, int] = {}
        self._numbers: dict[str, int] = {root: 0}
        self._items: dict[int, Items] = {}
        self._edges: list[tuple[Items, Items]] = []
        self._said: set[bytes] = set()
        self._copies: set[int] = set()
        self._held = 0

    def __len__(self) -> int:
        return len(self._items) + len(self._copies)

    def __repr__(self) -> str:
        return f"SiteMap({self.root}: {len(self)} pages, {len(self.labels)} labels)"

    def add(self, page: Sampled) -> None:
        """Take a page in; what says the same as an earlier one counts no more, but still leads on."""
        number = self._number(page.key)
        if number in self._items or number in self._copies:
            return
        digest = blake2b(page.items.tobytes(), digest_size=12).digest()
        if digest not in self._said:
            self._said.add(digest)
            self._items[number] = self._part(page.items)
            self._held += len(self._items[number])
            while self._held > MOST_HELD:
                self._halve()
        else:
            self._copies.add(number)
        for key, label in page.links:
            edges = self._of_label(coarse(label, self.attributes))
            if edges is not None:
                edges[0].append(number)
                edges[1].append(self._number(key))

    def _number(self, key: str) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _of_label(self, label: str) -> tuple[Items, Items] | None:
        number = self._label_numbers.get(label)
        if number is None:
            if len(self.labels) >= MOST_LABELS:
                return None
            number = self._label_numbers[label] = len(self.labels)
            self.labels.append(label)
            self._edges.append((array("I"), array("I")))
        return self._edges[number]

    def _part(self, items: Items) -> Items:
        if self.scale == 1:
            return items
        mask = self.scale - 1
        return array("I", [item for item in items if not item & mask])

    def _halve(self) -> None:
        self.scale *= 2
        self._items = {number: self._part(items) for number, items in self._items.items()}
        self._held = sum(map(len, self._items.values()))

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    def vertices(self) -> list[int]:
        """List the pages, those that say the same once."""
        return list(self._items)

    def counts(self, page: int) -> bool:
        """Tell whether a page says what none before it said."""
        return page in self._items

    def items(self, vertex: int) -> Items:
        """Return what is held of a page's items."""
        return self._items[vertex]

    def edges(self, label: int) -> dict[int, list[int]]:
        """Return the links of a label between pages that were looked at: page → pages; none leads to itself."""
        found: dict[int, list[int]] = {}
        known, copies = self._items, self._copies
        for begin, end in zip(*self._edges[label], strict=True):
            if begin != end and (end in known or end in copies):
                found.setdefault(begin, []).append(end)
        return found

    def universe(self) -> set[int]:
        """Return all items held."""
        return set().union(*self._items.values())
