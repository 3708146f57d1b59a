"""What is remembered of sites and of the crawl: for workers, for the frontier alone, for all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.frontier.memory import PAGES
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as opened:
        yield opened


def test_workers_hear_of_their_site_alone_and_not_of_what_the_frontier_keeps(store: Store) -> None:
    one, two = store.site("a.org"), store.site("b.org")
    store.memory.remember(one, "type", b"forum")
    store.memory.remember(two, "type", b"blog")
    store.memory.keep(one, "guide", b"secret")
    assert store.memory.recall(one) == {"type": b"forum", PAGES: b"0"}
    assert store.memory.recalled(two, "type") == b"blog"
    assert (store.memory.kept(one, "guide"), store.memory.kept(two, "guide")) == (b"secret", None)


def test_what_is_forgotten_is_gone_from_where_it_was(store: Store) -> None:
    site = store.site("a.org")
    store.memory.remember(site, "x", b"told")
    store.memory.keep(site, "x", b"kept")
    store.memory.forget(site, "x")
    assert (store.memory.recalled(site, "x"), store.memory.kept(site, "x")) == (None, b"kept")
    store.memory.drop(site, "x")
    assert store.memory.kept(site, "x") is None


def test_facts_of_the_crawl_outlive_it_once_committed(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as store:
        assert store.memory.noted("seeds") == []
        store.memory.note("seeds", ["http://ä.org/", ""])
        store.commit()
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as store:
        assert store.memory.noted("seeds") == ["http://ä.org/", ""]


def test_a_series_stands_in_its_order_until_it_is_summed_up(store: Store) -> None:
    for number in range(5):
        store.memory.add(number, str(number).encode())
    store.commit()
    assert list(store.memory.added()) == [(number, str(number).encode()) for number in range(5)]
    store.memory.sum_up([b"0 to 4"])
    store.memory.add(5, b"5")
    store.commit()
    assert list(store.memory.added()) == [(5, b"5")]
    assert list(store.memory.summed_up()) == [b"0 to 4"]
