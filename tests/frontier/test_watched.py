"""What is watched: visits with a due date, what they carry to the next, and what comes sooner because it changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Validators, Visit
from anansi.state import Item, Watched

NOW = 1_700_000_000.0
FEED = "http://ant.org/feed"
KNOWN = Watched("feed", seen={1: 2})
NEWS = (Item("a", title="News"),)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "frontier", UPDATES["first"])
    yield opened
    opened.close()


def settled(store: Store, outcome: Outcome, *, url: str = FEED, now: float = NOW) -> Visit:
    """Visit a URL once, found now if it was never, and return the visit that was made."""
    if store.state(url) is None:
        store.discover([("ant.org", Visit(url, url))])
    site = store.sites["ant.org"]
    ((token, _),) = store.take(site, 1)
    visit = store.settle(token, outcome, now)
    assert visit is not None
    store.commit()
    return visit


def done(again: float | None, *, date: float = NOW, watched: Watched = KNOWN) -> Outcome:
    return Outcome(Ended.DONE, 200, validators=Validators("e", "", "", date), again=again, watched=watched)


def test_a_watched_url_falls_due_with_all_that_its_last_visit_left(store: Store) -> None:
    settled(store, done(600))
    assert store.state(FEED) is State.WAITING
    assert store.next_due() == pytest.approx(NOW + 600, abs=0.01)
    assert not store.fall_due(NOW + 599)
    store.fall_due(NOW + 600)
    again = settled(store, done(None))
    assert (again.watched, again.validators, again.attempt) == (KNOWN, Validators("e", "", "", NOW), 0)
    assert store.state(FEED) is State.DONE


def test_one_that_failed_is_watched_on_with_what_an_earlier_visit_left(store: Store) -> None:
    settled(store, done(600))
    store.fall_due(NOW + 600)
    settled(store, Outcome(Ended.FAILED, -2, again=1200, watched=Watched("feed", failures=1)))
    store.fall_due(NOW + 2000)
    again = settled(store, done(None))
    assert (again.watched, again.validators) == (Watched("feed", failures=1), Validators("e", "", "", NOW))


def test_an_attempt_that_is_made_again_keeps_what_is_known(store: Store) -> None:
    settled(store, done(600))
    store.fall_due(NOW + 600)
    settled(store, Outcome(Ended.RETRY, 503, wait=10), now=NOW + 600)
    store.fall_due(NOW + 610)
    again = settled(store, done(None))
    assert (again.watched, again.attempt) == (KNOWN, 1)


@pytest.mark.parametrize("again", [600, None])
def test_what_changed_is_visited_at_once_and_told_why(store: Store, again: float | None) -> None:
    settled(store, done(again))
    assert store.hasten(Visit(FEED, FEED, watched=Watched("item", NEWS)), since=NOW + 1)
    assert store.state(FEED) is State.SCHEDULED
    assert store.next_due() is None
    site = store.sites["ant.org"]
    assert (site.row.queued, site.row.waiting) == (1, 0)
    visit = settled(store, done(None))
    assert visit.watched == KNOWN.with_news(Watched("item", NEWS))
    assert visit.watched is not None and (visit.watched.items, visit.watched.seen) == (NEWS, KNOWN.seen)


def test_but_not_when_it_was_captured_after_it_changed(store: Store) -> None:
    settled(store, done(600, date=NOW))
    assert not store.hasten(Visit(FEED, FEED), since=NOW - 1)
    assert store.state(FEED) is State.WAITING


def test_nor_when_it_is_due_anyway_or_was_never_found(store: Store) -> None:
    store.discover([("ant.org", Visit(FEED, FEED))])
    assert not store.hasten(Visit(FEED, FEED), since=NOW)
    assert not store.hasten(Visit("http://ant.org/new", "http://ant.org/new"), since=NOW)
    assert store.state("http://ant.org/new") is None


def test_what_waits_for_another_attempt_is_not_asked_for_sooner(store: Store) -> None:
    settled(store, Outcome(Ended.RETRY, 503, wait=3600))
    assert not store.hasten(Visit(FEED, FEED), since=NOW)
    assert store.state(FEED) is State.WAITING


def test_what_is_said_of_a_url_where_it_was_found_is_told_to_who_visits_it(store: Store) -> None:
    store.discover([("ant.org", Visit(FEED, FEED, watched=Watched("item", NEWS)))])
    assert settled(store, done(600)).watched == Watched("item", NEWS)
    store.fall_due(NOW + 600)
    assert settled(store, done(600)).watched == KNOWN


def test_what_is_watched_survives_a_crash(tmp_path: Path) -> None:
    first = Store(tmp_path, UPDATES["first"])
    settled(first, done(600))
    first.close()
    second = Store(tmp_path, UPDATES["first"])
    second.fall_due(NOW + 600)
    assert settled(second, done(None)).watched == KNOWN
    second.close()
