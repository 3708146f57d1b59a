"""Everything is scored anew while the crawl goes on."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from anansi import config
from anansi.errors import DamagedError
from anansi.frontier import rescoring as module
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.rescoring import Rescored, Rescoring
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Outcome, Visit

NOW = 1_700_000_000.0
DONE = Outcome(ended=Ended.DONE, status=200, requests=1, page=True)


@pytest.fixture(autouse=True)
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOGETHER", 7)
    monkeypatch.setattr(module, "SLICE", 0.0001)
    monkeypatch.setattr(module, "SHARE", 1.0)


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Embedded]]:
    opened: list[Embedded] = []

    def open_frontier(name: str = "f", update: str = "first") -> Embedded:
        settings = config.Frontier(update=update, per_turn=5)  # type: ignore[arg-type]
        opened.append(Embedded(tmp_path / name, Policy(config.Scope(), settings, {}), lambda _: "10.0.0.1"))
        return opened[-1]

    yield open_frontier
    for each in opened:
        with contextlib.suppress(DamagedError):  # the test closed it
            each.close()


def fill(frontier: Embedded, count: int, sites: int = 3) -> list[str]:
    urls = [f"http://site{number % sites}.org/{number}" for number in range(count)]
    frontier.discover([Visit(url=url, key=url, score=0.5) for url in urls], NOW)
    frontier.store.commit()
    return urls


def finish(rescoring: Rescoring, meanwhile: Callable[[], None] = lambda: None) -> Rescored:
    for _ in range(10_000):
        if (done := rescoring.work()) is not None:
            return done
        meanwhile()
    raise AssertionError("it does not end")


def by_number(visit: Visit) -> float:
    return int(visit.key.rpartition("/")[2]) % 100 / 100


def order(frontier: Embedded, site: str) -> list[str]:
    return [visit.key for visit in frontier.store.queued(frontier.store.sites[site])]


def test_all_of_all_sites_move_to_where_their_scores_belong(make: Callable[..., Embedded]) -> None:
    frontier = make()
    urls = fill(frontier, 100)
    rescoring = Rescoring(frontier)
    assert rescoring.begin("second", by_number)
    done = finish(rescoring)
    assert (done.name, done.urls, done.moved) == ("second", 100, 99), "one had that score before"
    for number in range(3):
        mine = [url for url in urls if f"site{number}." in url]
        assert order(frontier, f"site{number}.org") == sorted(mine, key=lambda url: -int(url.rpartition("/")[2]))
    assert frontier.store.totals.queued == 100


def test_what_has_no_new_score_stays(make: Callable[..., Embedded]) -> None:
    frontier = make()
    fill(frontier, 30)
    rescoring = Rescoring(frontier)
    rescoring.begin("second", lambda visit: 0.9 if visit.key.endswith("7") else None)
    assert finish(rescoring).moved == 3
    assert order(frontier, "site1.org")[0] == "http://site1.org/7"


def test_scores_from_outside_are_kept_in_their_bounds(make: Callable[..., Embedded]) -> None:
    frontier = make()
    urls = fill(frontier, 3, sites=1)
    rescoring = Rescoring(frontier)
    strange = dict(zip(urls, (float("nan"), 7.0, -1.0), strict=True))
    rescoring.begin("second", lambda visit: strange[visit.key])
    finish(rescoring)
    assert [visit.score for visit in frontier.store.queued(frontier.store.sites["site0.org"])] == [1.0, 0.0, 0.0]


def test_what_waits_has_its_new_score_when_its_time_comes(make: Callable[..., Embedded]) -> None:
    frontier = make()
    fill(frontier, 4, sites=1)
    frontier.join(0)
    ((_, turn),) = frontier.claim(NOW)
    later = Outcome(ended=Ended.RETRY, wait=60.0)
    frontier.settle(0, [Settlement(token, later, NOW) for token, _ in turn.visits[:2]], NOW)
    frontier.leave(0, NOW)
    rescoring = Rescoring(frontier)
    rescoring.begin("second", by_number)
    assert finish(rescoring).urls == 4
    frontier.tick(NOW + 61)
    assert order(frontier, "site0.org") == [f"http://site0.org/{number}" for number in (3, 2, 1, 0)]
    first = next(frontier.store.queued(frontier.store.sites["site0.org"]))
    assert first.score == pytest.approx(0.03)


def test_urls_come_and_go_and_change_meanwhile(make: Callable[..., Embedded]) -> None:
    frontier = make(update="max")
    urls = fill(frontier, 400)
    frontier.join(0)
    rng = random.Random(4)
    fresh = iter(range(1000, 100_000))
    visited: list[str] = []
    held: list[tuple[bytes, Visit]] = []

    def meanwhile() -> None:
        held.extend(each for _, turn in [*frontier.top_up(NOW), *frontier.claim(NOW)] for each in turn.visits)
        rng.shuffle(held)
        some, held[:] = held[:2], held[2:]
        visited.extend(visit.key for _, visit in some)
        frontier.settle(0, [Settlement(token, DONE, NOW) for token, _ in some], NOW)
        new = f"http://site{rng.randrange(3)}.org/{next(fresh)}"
        again = rng.choice(urls)
        frontier.discover([Visit(url=url, key=url, score=0.77) for url in (new, again)], NOW)
        frontier.store.commit()

    rescoring = Rescoring(frontier)
    rescoring.begin("second", by_number)
    done = finish(rescoring, meanwhile)
    assert done.urls >= 400 - len(visited), "each was met"
    frontier.leave(0, NOW)
    left = {visit.key: visit.score for site in frontier.store.by_id.values() for visit in frontier.store.queued(site)}
    assert len(visited) == len(set(visited)), "none was visited twice"
    assert not left.keys() & set(visited)
    assert set(urls) <= left.keys() | set(visited), "none was lost"
    assert frontier.store.totals.queued == len(left)
    in_hand = {visit.key for _, visit in held}
    wanted = {url: by_number(Visit(url=url, key=url)) for url in urls}
    for url in left.keys() & wanted.keys() - in_hand:
        assert left[url] == pytest.approx(wanted[url], abs=1e-6) or left[url] == pytest.approx(0.77), url


def test_a_second_edit_meanwhile_begins_anew(make: Callable[..., Embedded]) -> None:
    frontier = make()
    fill(frontier, 100)
    rescoring = Rescoring(frontier)
    rescoring.begin("second", by_number)
    rescoring.work()
    assert rescoring.begin("second", by_number), "the same definition goes on"
    assert rescoring.begin("third", lambda visit: 1 - by_number(visit))
    done = finish(rescoring)
    assert (done.name, done.urls) == ("third", 100)
    assert order(frontier, "site0.org")[0] == "http://site0.org/0"
    assert not rescoring.begin("third", by_number), "it is done"
    assert rescoring.begin("second", by_number), "and can be undone"


def test_a_crash_in_the_middle_costs_nothing_but_time(make: Callable[..., Embedded]) -> None:
    frontier = make()
    fill(frontier, 100)
    first = Rescoring(frontier)
    first.begin("second", by_number)
    first.work()
    first.stop()
    frontier.close()
    frontier = make()
    second = Rescoring(frontier)
    assert second.begin("second", by_number), "it was not written down as done"
    assert finish(second).urls == 100
    assert order(frontier, "site0.org")[0] == "http://site0.org/99"
    frontier.close()
    assert not Rescoring(make()).begin("second", by_number)


def test_an_empty_queue_needs_no_scoring_and_is_not_scored_later(make: Callable[..., Embedded]) -> None:
    frontier = make()
    rescoring = Rescoring(frontier)
    assert not rescoring.begin("first", by_number)
    fill(frontier, 10)
    assert not rescoring.begin("first", by_number), "they were scored by it when they were found"


def test_the_crawl_has_its_share_of_the_time(make: Callable[..., Embedded], monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = make()
    fill(frontier, 200)
    monkeypatch.setattr(module, "SHARE", 0.5)
    monkeypatch.setattr(module, "SLICE", 0.02)
    rescoring = Rescoring(frontier)
    seconds, scored = [0.0], list[str]()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: seconds[0]))

    def slowly(visit: Visit) -> float:
        seconds[0] += 0.001
        scored.append(visit.key)
        return by_number(visit)

    rescoring.begin("second", slowly)
    assert rescoring.work() is None
    assert len(scored) == 21, "three times seven take a slice"
    assert rescoring.pause() == pytest.approx(0.021)
    assert rescoring.work() is None
    assert len(scored) == 21, "it is not its turn"
    seconds[0] += 0.022
    assert rescoring.pause() == 0
    assert rescoring.work() is None
    assert len(scored) == 42
    assert "under way" in repr(rescoring)
