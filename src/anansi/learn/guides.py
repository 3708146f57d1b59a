"""Other guides for the frontier: a random sample of a site, and the patterns that were learned from it."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from anansi.knowledge.patterns import NavigationPattern
from anansi.learn.automaton import NOWHERE, Automaton, State, States, read_states, write_states
from anansi.learn.chance import Chance
from anansi.learn.labels import Attributes
from anansi.learn.sampler import Sampler
from anansi.learn.sitemap import Sampled
from anansi.model import Link, Outcome, Visit

STATES: Final = 500_000
"""URLs whose states are remembered, about 200 bytes each; beyond, none is followed that no page shows again."""


class Sample:
    """Leads through a random sample of a site, from both ends of a queue. Mutable state: the sampler's."""

    needless = False

    def __init__(self, rng: Chance, *, attributes: Attributes = Attributes.ID, most: int):
        self._rng = rng
        self._sampler = Sampler(None, attributes, most=most)

    @property
    def pages(self) -> int:
        """Count the visits that it was told of."""
        return self._sampler.taken + self._sampler.failed

    def offer(self, key: str, label: str) -> None:  # noqa: ARG002
        """Take notice of a URL that may be visited."""
        self._sampler.offer(key)

    def next(self) -> str | None:
        """Return the key of the URL to visit now."""
        return self._sampler.next_url(self._rng)

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        """Take in what a visit brought."""
        if outcome.page and outcome.said is not None:
            found = tuple((link.key, label) for link, label in links)
            self._sampler.take(Sampled(visit.key, array("I", sorted(array("I", outcome.said.items))), found))
            return
        self._sampler.miss()
        for link, _ in links:
            self._sampler.offer(link.key)

    def drop(self, key: str) -> None:  # noqa: ARG002
        """Note that nothing came of a URL."""
        self._sampler.miss()

    def why(self, key: str, label: str) -> str:  # noqa: ARG002
        """Say why a URL is not visited."""
        return "the sample of the site is large enough without it"

    @property
    def enough(self) -> bool:
        """Tell whether the sample is complete; what is left waits for another crawl."""
        return self._sampler.enough

    def pack(self) -> bytes:
        """Write nothing: whoever goes on is told all that this one was, which is little for a sample."""
        return b""


class Follower:
    """Leads along navigation patterns, and nowhere else.

    Mutable state: `_states` (URL that waits, or is under way → the states that it was reached in), `_waiting`.
    """

    enough = needless = False

    def __init__(self, patterns: Sequence[NavigationPattern], *, packed: bytes | None = None):
        self._automaton = Automaton(patterns)
        self._anywhere = frozenset(
            State(number, done, 1) for number, each in enumerate(patterns) for done in range(1, len(each.clicks) + 1)
        )
        self._states: dict[str, States] = {}
        self._waiting: deque[str] = deque()
        self.pages = 0
        if packed:
            self.pages, stored, waiting = msgspec.msgpack.decode(packed, type=tuple[int, dict[str, str], list[str]])
            self._states = {key: read_states(states) for key, states in stored.items()}
            self._waiting.extend(waiting)

    def offer(self, key: str, label: str) -> None:
        """Take notice of a URL that may be visited: a seed begins every pattern, others are wherever a click fits."""
        start = self._automaton.start()
        there = self._automaton.step(start | self._anywhere, label) if label.startswith("/") else start
        if there:
            self._reach(key, there)

    def _reach(self, key: str, states: States) -> None:
        known = self._states.get(key)
        if known is None and len(self._states) < STATES:
            self._waiting.append(key)
        if known is not None or len(self._states) < STATES:
            self._states[key] = (known or NOWHERE) | states

    def next(self) -> str | None:
        """Return the key of the URL to visit now."""
        return self._waiting.popleft() if self._waiting else None

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:  # noqa: ARG002
        """Take in what a visit brought: what its links lead to carries on its states."""
        self.pages += 1
        here = self._states.pop(visit.key, None) or self._automaton.start()
        for link, label in links:
            there = self._automaton.step(here, label) if label.startswith("/") else here
            if there:
                self._reach(link.key, there)

    def drop(self, key: str) -> None:
        """Forget a URL that was to be visited."""
        self._states.pop(key, None)

    def why(self, key: str, label: str) -> str:  # noqa: ARG002
        """Say why a URL is not visited."""
        return "no pattern that was learned leads there"

    def pack(self) -> bytes:
        """Write the states of what waits or is under way, and the order of what waits."""
        states = {key: write_states(each) for key, each in self._states.items()}
        return msgspec.msgpack.encode((self.pages, states, list(self._waiting)))
