"""The numbers of a crawl add up, and a summary is read whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anansi import config
from anansi.archive.layout import Collection
from anansi.crawl.report import summary as module
from anansi.crawl.report.account import Accounts
from anansi.crawl.report.summary import KEYS, read_summary, summarise, write_summary
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Outcome, Skip, Visit


def frontier(path: Path, **overrides: config.Override) -> Embedded:
    """Make a frontier of three sites with three pages each."""
    policy = Policy(config.Scope(), config.Frontier(), {f"{name}.org": each for name, each in overrides.items()})
    made = Embedded(path, policy, lambda host: f"address of {host}")
    for name in ("a", "b", "c"):
        urls = [f"http://{name}.org/{page}" for page in range(3)]
        made.discover([Visit(url, url) for url in urls], 0.0)
    made.store.commit()
    made.join(0)
    return made


def visit(made: Embedded, outcome: Outcome) -> None:
    """Make the first visit of every site that is due."""
    for worker, turn in made.claim(1.0):
        made.settle(worker, [Settlement(turn.visits[0][0], outcome, 0.0)], 1.0)


DONE = Outcome(Ended.DONE, 200, requests=1, page=True, size=100)


def test_what_was_done_and_what_is_left_is_counted(tmp_path: Path) -> None:
    made = frontier(tmp_path / "f")
    visit(made, DONE)
    made.refuse(Skip("http://d.org/", "http://d.org/", "out of scope"))
    found = summarise(made, Accounts(made.store.memory), state="running", strategy="auto")
    made.close()
    assert found.keys() >= KEYS
    assert (found["requests"], found["pages"], found["bytes"], found["queued"]) == (3, 3, 300, 6)
    assert found["statuses"] == {"200": 3}
    assert found["skipped"] == {"out of scope": 1}
    assert found["sites"]["a.org"] == {
        "strategy": "auto",
        "requests": 1,
        "pages": 1,
        "bytes": 100,
        "queued": 2,
        "state": "queued",
        "types": {},
        "objects": {},
        "gaps": {},
        "doubts": {},
        "complete": {},
    }


def test_what_a_budget_keeps_back_is_counted_as_skipped(tmp_path: Path) -> None:
    made = frontier(tmp_path / "f", a=config.Override(budget=1))
    visit(made, DONE)
    found = summarise(made, Accounts(made.store.memory), state="finished", strategy="auto")
    made.close()
    assert found["skipped"] == {"budget": 2}
    assert found["sites"]["a.org"]["state"] == "budget"
    assert found["sites"]["b.org"]["state"] == "queued"


def test_a_paused_site_says_so(tmp_path: Path) -> None:
    made = frontier(tmp_path / "f", b=config.Override(paused=True))
    visit(made, DONE)
    found = summarise(made, Accounts(made.store.memory), state="running", strategy="blind")
    made.close()
    assert found["sites"]["b.org"]["state"] == "paused"
    assert found["sites"]["b.org"]["requests"] == 0
    assert found["requests"] == 2


def test_of_very_many_sites_the_busiest_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SITES", 2)
    made = frontier(tmp_path / "f", c=config.Override(paused=True))
    visit(made, DONE)
    found = summarise(made, Accounts(made.store.memory), state="running", strategy="auto")
    made.close()
    assert set(found["sites"]) == {"a.org", "b.org"}
    assert found["sites_not_listed"] == 1
    assert found["requests"] == 2


def test_a_summary_is_read_as_it_was_written(tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    made = frontier(tmp_path / "f")
    written = summarise(made, Accounts(made.store.memory), state="running", strategy="auto")
    made.close()
    assert read_summary(collection) is None
    write_summary(collection, written)
    assert read_summary(collection) == written
    assert not collection.summary.with_name("summary.json.new").exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"state": "running"}', "\x00" * 20])
def test_a_summary_that_is_not_whole_is_none(content: str, tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    collection.summary.parent.mkdir()
    collection.summary.write_text(content)
    assert read_summary(collection) is None


def test_a_whole_summary_needs_every_key(tmp_path: Path) -> None:
    collection = Collection(tmp_path)
    collection.summary.parent.mkdir()
    for missing in KEYS:
        collection.summary.write_text(json.dumps(dict.fromkeys(KEYS - {missing}, 0)))
        assert read_summary(collection) is None
