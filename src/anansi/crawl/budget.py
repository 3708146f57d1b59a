"""A budget of requests a day for what is watched: the price that workers go by follows what is spent."""

from __future__ import annotations

from typing import Final

import msgspec

from anansi.crawl.settings import SETTINGS
from anansi.feeds.schedule import Purse
from anansi.frontier.memory import Memory
from anansi.frontier.turn import Settlement

_NAME: Final = "purse"


class Spending:
    """Keeps a budget. Mutable: the purse, and the price that was told last."""

    def __init__(self, budget: int, memory: Memory):
        self._memory = memory
        kept = memory.noted(_NAME)
        before = [msgspec.json.decode(each, type=Purse) for each in kept]
        self._purse = msgspec.structs.replace(before[0], budget=float(budget)) if before else Purse(float(budget))
        self.price = self._purse.price

    def paid(self, settlements: list[Settlement], now: float) -> bool:
        """Count the visits of what is watched; return whether the price has changed enough to be told."""
        count = sum(each.outcome.again is not None for each in settlements)
        for _ in range(count):
            self._purse = self._purse.paid(now)
        if not count or abs(self._purse.price - self.price) <= SETTINGS.told_at * self.price:
            return False
        self.price = self._purse.price
        self._memory.note(_NAME, [msgspec.json.encode(self._purse).decode()])
        return True
