"""The choice of pages to look at: a queue of links with two ends, of which one is taken at random (the paper's `d`).

It fetches nothing: whoever uses it asks for a URL, fetches it, and hands in what came, or says that nothing did.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from anansi.learn.chance import Chance
from anansi.learn.labels import Attributes, coarse
from anansi.learn.sitemap import Sampled, SiteMap

PAGES: Final = 3000
"""Pages of a sample; the paper found no more to be needed."""
WINDOW: Final = 250
"""Pages in a row that must bring (almost) no new label before the estimate counts as settled."""
SETTLED: Final = 0.01
"""Share of the labels that such a window may bring and still be calm."""
CALM: Final = 2
"""Calm windows in a row after which the sample is enough."""
QUEUE: Final = 200_000
"""URLs that wait; what is found beyond them is left out."""
TRIES: Final = 3
"""Requests a page wanted at the most: a site that answers with errors and nothing else ends the sample."""


class Sampler:
    """Samples a site.

    Mutable state: the queue of keys, those seen, what was asked for, and the labels with their calm windows.
    """

    def __init__(self, root: str | None, attributes: Attributes = Attributes.ID, *, most: int = PAGES):
        """Begin at a root; without one, with what is offered first."""
        self.sitemap = SiteMap(root or "", attributes)
        self._most, self._attributes = most, attributes
        self._queue: deque[str] = deque()
        self._seen: set[str] = set()
        self._labels: set[str] = set()
        self._new, self._calm = 0, 0
        self.taken, self.failed = 0, 0
        if root is not None:
            self.offer(root)

    def offer(self, key: str) -> None:
        """Let a URL wait, if it was not met before."""
        if key not in self._seen and len(self._queue) < QUEUE:
            self._seen.add(key)
            self._queue.append(key)

    def __repr__(self) -> str:
        return f"Sampler({self.taken} pages, {self.failed} failed, {len(self._queue)} waiting)"

    @property
    def settled(self) -> bool:
        """Whether more pages would hardly change what is known."""
        return self._calm >= CALM

    @property
    def enough(self) -> bool:
        """Whether the sample is complete."""
        return self.settled or self.taken >= self._most or self.taken + self.failed >= TRIES * self._most

    def next_url(self, rng: Chance) -> str | None:
        """Return a URL to look at, from the front or the end of the queue; None when the sample is complete."""
        if self.enough or not self._queue:
            return None
        return self._queue.popleft() if rng.random() < 0.5 else self._queue.pop()

    def take(self, page: Sampled) -> None:
        """Take a page in, with the links that lead on."""
        self.taken += 1
        self.sitemap.add(page)
        for key, label in page.links:
            short = coarse(label, self._attributes)
            if short not in self._labels:
                self._labels.add(short)
                self._new += 1
            self.offer(key)
        if self.taken % WINDOW == 0:
            self._calm = self._calm + 1 if self._new <= SETTLED * len(self._labels) else 0
            self._new = 0

    def moved(self, key: str) -> None:
        """Note that a URL led to another one, which is worth a look at once."""
        self.failed += 1
        self.offer(key)

    def miss(self) -> None:
        """Note that a URL brought no page: robots.txt forbids it, the server failed, or it is no HTML."""
        self.failed += 1
