"""Every URL in the one place where it belongs, taken from there once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from anansi.frontier.priority import UPDATES
from anansi.frontier.record import decode_visit
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Visit

NOW = 1_700_000_000.0


def url(name: str) -> str:
    return f"http://ant.org/{name}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "frontier", UPDATES["first"])) as opened:
        scores = {"best": 0.9, "usual": 0.5, "equal": 0.5, "last": 0.1}
        opened.discover(("ant.org", Visit(url(name), url(name), score=score)) for name, score in scores.items())
        opened.commit()
        yield opened


def taken(store: Store, most: int) -> list[str]:
    found = store.take(store.sites["ant.org"], most)
    return [decode_visit(raw).url.rpartition("/")[2] for _, raw in found]


def test_the_best_comes_first_and_among_equals_the_first_found(store: Store) -> None:
    assert taken(store, 3) == ["best", "usual", "equal"]
    assert taken(store, 3) == ["last"]
    assert taken(store, 3) == []


def test_what_is_released_comes_back_to_its_place(store: Store) -> None:
    site = store.sites["ant.org"]
    ((token, _),) = store.take(site, 1)
    store.release([token])
    assert taken(store, 2) == ["best", "usual"]


def test_one_url_is_claimed_by_its_key_and_by_nobody_else(store: Store) -> None:
    site = store.sites["ant.org"]
    claimed = store.claim(site, url("equal"))
    assert claimed is not None
    assert store.claim(site, url("equal")) is None
    assert store.claim(site, url("unknown")) is None
    assert store.scheduled(site, [url("equal"), url("last"), url("unknown")]) == {url("last")}
    assert taken(store, 9) == ["best", "usual", "last"]


def test_another_score_moves_what_nobody_has_in_hand(store: Store) -> None:
    ((_, raw),) = store.take(store.sites["ant.org"], 1)
    assert decode_visit(raw).url == url("best")
    assert store.rescore({url("last"): 0.95, url("usual"): 0.5, url("best"): 0.0, url("unknown"): 0.7}) == 1
    assert taken(store, 9) == ["last", "usual", "equal"]


def test_what_waits_keeps_its_time_when_its_score_changes(store: Store) -> None:
    site = store.sites["ant.org"]
    ((token, _),) = store.take(site, 1)
    store.settle(token, Outcome(Ended.RETRY, 503, wait=60.0), NOW)
    assert store.rescore({url("best"): 0.2}) == 1
    ((due, visit),) = store.waiting()
    assert (due, visit.url) == (NOW + 60.0, url("best"))
    assert visit.score == pytest.approx(0.2)
    assert (site.row.queued, site.row.waiting) == (3, 1)


def test_what_was_claimed_before_a_kill_is_taken_first_in_its_order(store: Store) -> None:
    site = store.sites["ant.org"]
    store.take(site, 3)
    store.note_claims(site)
    store.take_back(list(site.claims))
    store.recall_claims(site)
    again, gone = store.take_again(site, 2)
    assert [decode_visit(raw).url for _, raw in again] == [url("best"), url("usual")]
    assert gone == []
