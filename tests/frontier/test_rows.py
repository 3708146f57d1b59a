"""The rows of the frontier: read back as they were written, counted right, and noticed when they are not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from anansi.errors import AnansiError
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.record import Done
from anansi.frontier.store import Store
from anansi.model import Ended, Outcome, Visit

NOW = 1_700_000_000.0


def opened(path: Path, *, writable: bool = True) -> Store:
    return Store(path / "frontier", UPDATES["first"], writable=writable)


def filled(path: Path) -> None:
    """One URL done, one scheduled, one that waits."""
    with closing(opened(path)) as store:
        store.discover(("a.org", Visit(f"http://a.org/{name}", f"http://a.org/{name}")) for name in "xyz")
        (done, _), (later, _) = store.take(store.sites["a.org"], 2)
        store.settle(done, Outcome(Ended.DONE, 200, page=True, requests=1), NOW)
        store.settle(later, Outcome(Ended.RETRY, 503, wait=60.0, requests=1), NOW)
        store.commit()


def test_what_was_committed_is_there_at_the_next_start(tmp_path: Path) -> None:
    filled(tmp_path)
    with closing(opened(tmp_path)) as store:
        states = {url.rpartition("/")[2]: state for url, state in store.urls()}
        assert states == {"x": State.DONE, "y": State.WAITING, "z": State.SCHEDULED}
        site = store.sites["a.org"]
        assert (site.row.queued, site.row.waiting, site.row.requests, site.row.pages) == (1, 1, 2, 1)
        assert [visit.url for visit in store.pending(site)] == ["http://a.org/z", "http://a.org/y"]
        assert store.next_due() == NOW + 60
        assert isinstance(store.explain("http://a.org/x"), Done)
        assert (store.state("http://a.org/none"), store.explain("http://a.org/none")) == (None, None)


def test_counts_that_do_not_fit_the_queues_are_noticed(tmp_path: Path) -> None:
    filled(tmp_path)
    with closing(opened(tmp_path)) as store:
        assert list(store.miscounted()) == []
        store.sites["a.org"].row.queued += 1
        assert list(store.miscounted()) == ["a.org"]


def test_who_only_reads_changes_nothing_and_must_find_something(tmp_path: Path) -> None:
    with pytest.raises(AnansiError):
        opened(tmp_path, writable=False)
    filled(tmp_path)
    with closing(opened(tmp_path)) as writer, closing(opened(tmp_path, writable=False)) as reader:
        assert reader.totals.queued == writer.totals.queued == 1
