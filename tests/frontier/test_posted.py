"""What becomes of URLs that other processes post."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anansi import config
from anansi.frontier.embedded import Embedded
from anansi.frontier.lifecycle import State
from anansi.frontier.policy import Policy
from anansi.frontier.posted import take
from anansi.frontier.record import Queued, Refused
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Outcome, Posted, PostedFate, Reason, Skip, Visit

NOW = 1_700_000_000.0
A, B = "http://ant.org/a", "http://ant.org/b"
Make = Callable[..., Embedded]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    opened: list[Embedded] = []

    def open_frontier(*urls: str, update: str = "first", max_hops: int | None = None) -> Embedded:
        policy = Policy(config.Scope(max_hops=max_hops), config.Frontier(update=update), {})  # type: ignore[arg-type]
        frontier = Embedded(tmp_path / "f", policy, lambda _: "10.0.0.1")
        frontier.join(0)
        frontier.discover([Visit(url=url, key=url, score=0.5, depth=2, via="http://via.org/") for url in urls], NOW)
        frontier.store.commit()
        opened.append(frontier)
        return frontier

    yield open_frontier
    for each in opened:
        each.close()


def post(frontier: Embedded, url: str, score: float = 0.0, *, blacklist: bool = False) -> PostedFate:
    (verdict,) = take(frontier, [Posted(url, url, score, blacklist)], NOW)
    return verdict


def visit_all(frontier: Embedded, outcome: Outcome) -> list[str]:
    turns = [*frontier.top_up(NOW), *frontier.claim(NOW)]
    for worker, turn in turns:
        frontier.settle(worker, [Settlement(token, outcome, NOW) for token, _ in turn.visits], NOW)
    return [visit.key for _, turn in turns for _, visit in turn.visits]


@pytest.mark.parametrize(
    ("update", "score"), [("first", 0.5), ("last", 0.75), ("max", 0.75), ("sum", 1.25), ("avg", 0.625)]
)
def test_the_update_function_says_what_a_score_does_to_another(make: Make, update: str, score: float) -> None:
    frontier = make(A, update=update)
    assert post(frontier, A, 0.75) == PostedFate("rescored", score)
    known = frontier.store.explain(A)
    assert isinstance(known, Queued)
    assert (known.score, known.times, known.depth) == (score, 2, 2)
    (visit,) = frontier.store.queued(frontier.store.sites["ant.org"])
    assert (visit.score, visit.via) == (score, "http://via.org/"), "where it was found first stays known"


def test_what_is_new_is_scheduled_and_claimed(make: Make) -> None:
    frontier = make()
    assert post(frontier, B, 0.25) == PostedFate("scheduled", 0.25)
    ((_, turn),) = frontier.claim(NOW)
    ((_, visit),) = turn.visits
    assert (visit.url, visit.score, visit.hops, visit.depth) == (B, 0.25, "S", 0)
    assert post(frontier, B, 1.0).state == "under way"


def test_one_url_twice_in_a_batch(make: Make) -> None:
    frontier = make(update="max")
    verdicts = take(frontier, [Posted(A, A, 0.25), Posted(A, A, 0.75), Posted(A, A, 0.0, blacklist=True)], NOW)
    assert [each.state for each in verdicts] == ["scheduled", "rescored", "blacklisted"]
    assert frontier.store.totals.queued == 0
    assert frontier.claim(NOW) == []


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (Outcome(ended=Ended.DONE, status=200), "fetched"),
        (Outcome(ended=Ended.DONE, status=404), "fetched"),
        (Outcome(ended=Ended.FAILED, fault="no answer in time"), "failed"),
        (Outcome(ended=Ended.SKIPPED, reason=Reason.ROBOTS), "refused"),
    ],
)
def test_what_has_ended_stays_as_it_is(make: Make, outcome: Outcome, state: str) -> None:
    frontier = make(A, max_hops=5)
    visit_all(frontier, outcome)
    verdict = post(frontier, A, 1.0)
    assert verdict.state == state
    assert verdict.detail
    assert visit_all(frontier, outcome) == []


def test_what_waits_for_another_attempt_is_rescored(make: Make) -> None:
    frontier = make(A, B, update="last")
    visit_all(frontier, Outcome(ended=Ended.RETRY, wait=60))
    assert post(frontier, B, 0.75) == PostedFate("rescored", 0.75, "it waits for its time")
    frontier.tick(NOW + 61)
    assert [visit.key for visit in frontier.store.queued(frontier.store.sites["ant.org"])] == [B, A]


def test_what_was_too_far_is_near_when_someone_asks_for_it(make: Make) -> None:
    frontier = make()
    frontier.refuse(Skip(A, A, Reason.HOPS))
    assert post(frontier, A, 0.5).state == "scheduled"


@pytest.mark.parametrize("ended", [Ended.DONE, Ended.FAILED])
def test_what_is_blacklisted_after_its_visit_is_not_visited_again(make: Make, ended: Ended) -> None:
    frontier = make(A, B)
    visit_all(frontier, Outcome(ended=ended, status=200))
    verdict = post(frontier, A, blacklist=True)
    assert (verdict.state, bool(verdict.detail)) == ("blacklisted", True), "that it was fetched is told"
    assert frontier.store.recrawl() == 1
    frontier.change(frontier.policy, NOW)
    assert visit_all(frontier, Outcome(ended=ended, status=200)) == [B]


@pytest.mark.parametrize("ended", [Ended.RETRY, Ended.DONE, None])
def test_what_is_blacklisted_under_way_is_visited_for_the_last_time(make: Make, ended: Ended | None) -> None:
    frontier = make(A)
    ((worker, turn),) = frontier.claim(NOW)
    assert post(frontier, A, blacklist=True).state == "under way"
    ((token, _),) = turn.visits
    if ended is None:
        frontier.leave(worker, NOW)
    else:
        frontier.settle(worker, [Settlement(token, Outcome(ended=ended, status=200, wait=1), NOW)], NOW)
    assert frontier.store.state(A) is State.SKIPPED
    known = frontier.store.explain(A)
    assert isinstance(known, Refused)
    assert known.reason == Reason.BLACKLISTED
    assert frontier.store.totals.skipped == {"blacklisted": 1}
    assert post(frontier, A, 1.0).state == "blacklisted"
    assert post(frontier, A, blacklist=True).state == "blacklisted"
