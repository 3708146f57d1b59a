"""A budget of requests a day: what is spent too fast becomes dear, what is not spent cheap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from anansi.crawl.budget import Spending
from anansi.crawl.settings import SETTINGS
from anansi.frontier.memory import Memory
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Outcome

DAY = 86_400.0
WATCHED = Settlement(b"", Outcome(Ended.DONE, 200, again=60.0), 0.0)
ONCE = Settlement(b"", Outcome(Ended.DONE, 200), 0.0)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as store:
        yield store.memory


def spend(spending: Spending, every: float, visits: int = 200) -> float:
    """Make watched visits at a pace; return the price then."""
    for number in range(visits):
        spending.paid([WATCHED], number * every)
    return spending.price


def test_the_price_follows_the_pace(memory: Memory) -> None:
    dear, cheap = Spending(100, memory), Spending(100, memory)
    began = dear.price
    assert spend(dear, DAY / 1000) > began > spend(cheap, DAY / 10)


def test_what_is_visited_once_costs_nothing(memory: Memory) -> None:
    spending = Spending(100, memory)
    before = spending.price
    assert not any(spending.paid([ONCE] * 10, float(number)) for number in range(50))
    assert spending.price == before


def test_workers_are_told_when_the_price_has_moved_and_not_of_every_visit(memory: Memory) -> None:
    spending = Spending(100, memory)
    told, prices = 0, [spending.price]
    for number in range(200):
        if spending.paid([WATCHED], number * DAY / 1000):
            told += 1
            prices.append(spending.price)
    assert 0 < told < 100
    assert all(abs(after - before) > SETTINGS.told_at * before for before, after in pairwise(prices))


def test_the_price_outlives_the_crawl(memory: Memory) -> None:
    dear = spend(Spending(100, memory), DAY / 1000)
    assert Spending(100, memory).price == pytest.approx(dear)
