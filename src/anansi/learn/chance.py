"""Chance, as it comes in from outside: `random.Random` has this shape."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """A source of chance."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        ...
