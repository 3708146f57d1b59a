"""Guides: what they name is taken from the queue, what they want no more is refused, and nothing gets lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from anansi.config import Frontier as Settings
from anansi.config import Scope
from anansi.frontier import guides as module
from anansi.frontier.embedded import Embedded
from anansi.frontier.lifecycle import State
from anansi.frontier.policy import Policy
from anansi.frontier.record import Done, Refused
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Link, Outcome, Reason, Validators, Visit
from anansi.state import PageHashes

NOW = 1_700_000_000.0
ROOT = "http://a.test/"
DONE = Outcome(Ended.DONE, 200, page=True, said=PageHashes(b"\1\0\0\0"))


class Picky:
    """A guide that wants what has no `x` in its label, the latest first."""

    enough = needless = False

    def __init__(self, packed: bytes | None) -> None:
        self.waiting: dict[str, str] = {}
        self.said: list[PageHashes | None] = []
        self.pages = int(packed or 0)

    def offer(self, key: str, label: str) -> None:
        self.waiting[key] = label

    def next(self) -> str | None:
        if self.enough:
            return None
        found = next((key for key in reversed(self.waiting) if "x" not in self.waiting[key]), None)
        return None if found is None else (self.waiting.pop(found), found)[1]

    def learn(self, visit: Visit, outcome: Outcome, links: Sequence[tuple[Link, str]]) -> None:
        self.pages += 1
        self.said.append(outcome.said)
        self.waiting |= {link.key: label for link, label in links}

    def drop(self, key: str) -> None:
        self.waiting.pop(key, None)

    def why(self, key: str, label: str) -> str:
        return f"{label} is barren"

    def pack(self) -> bytes:
        return str(self.pages).encode()


class World:
    """One frontier at a time, and the guides that it made."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.made: list[Picky] = []
        self.frontier = self.open()

    def open(self, *, everywhere: bool = True, address: str = "10.0.0.1") -> Embedded:
        policy = Policy(Scope(), Settings(), {}, learning=everywhere, led=True)
        self.frontier = Embedded(self.folder, policy, lambda _: address, self._make)
        self.frontier.join(0)
        return self.frontier

    def _make(self, _: str, packed: bytes | None) -> Picky:
        self.made.append(Picky(packed))
        return self.made[-1]

    def crawl(
        self,
        web: dict[str, list[tuple[str, str]]],
        *,
        most: int = 1000,
        known: bool = False,
        items: bytes = b"\1\0\0\0",
    ) -> list[str]:
        """Visit what the frontier hands out, until nothing is left; return the order."""
        order: list[str] = []
        while len(order) < most:
            turns = [*self.frontier.top_up(NOW), *self.frontier.claim(NOW)]
            visits = [each for _, turn in turns for each in turn.visits]
            if not visits:
                break
            for token, visit in visits:
                order.append(visit.url)
                links = [Link(url, url, path=label) for url, label in web.get(visit.url, [])]
                outcome = Outcome(Ended.DONE, 200, page=True, said=None if known else PageHashes(items))
                self.frontier.settle(0, [Settlement(token, outcome, NOW, links)], NOW)
        return order


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path / "frontier")
    yield world
    world.frontier.close()


def seed(frontier: Embedded) -> None:
    frontier.discover([Visit(ROOT, ROOT, score=1.0)], NOW)
    frontier.store.commit()


def urls(kind: str, count: int) -> list[tuple[str, str]]:
    return [(f"{ROOT}{kind}{number}", kind) for number in range(count)]


def test_what_a_guide_names_is_visited_and_the_rest_is_refused_with_its_reason(world: World) -> None:
    seed(world.frontier)
    order = world.crawl({ROOT: [*urls("good", 30), *urls("x", 2000)]})
    assert order[0] == ROOT
    assert set(order[1:]) == {url for url, _ in urls("good", 30)}
    assert world.frontier.finished
    assert world.frontier.store.totals.skipped == {Reason.NO_CONTENT: 2000}
    assert {settled.outcome.detail for settled in world.frontier.refused} == {"x is barren"}


def test_what_was_not_visited_is_offered_again_after_a_restart(world: World) -> None:
    seed(world.frontier)
    before = world.crawl({ROOT: [*urls("good", 90), *urls("x", 10)]}, most=11)
    world.frontier.close()
    world.open()
    after = world.crawl({})
    assert len(world.made) == 2
    assert world.made[1].pages == 91
    assert {*before, *after} == {ROOT, *(url for url, _ in urls("good", 90))}


def test_a_guide_knows_after_a_kill_what_it_knew_and_what_it_had_asked_for_comes_first(world: World) -> None:
    seed(world.frontier)
    web = {ROOT: [*urls("good", 90), *urls("x", 10)]}
    world.crawl(web, most=11)
    asked = [visit.key for _, turn in world.frontier.top_up(NOW) for _, visit in turn.visits]
    known, waiting = world.made[0].pages, dict(world.made[0].waiting)
    world.frontier.store._rocks.close()  # nothing is written that was not
    world.open()
    after = world.crawl({}, most=1)
    assert after[: len(asked)] == asked
    assert world.made[1].pages == known + len(after)
    assert waiting.items() >= world.made[1].waiting.items()
    world.crawl({})
    assert all(isinstance(world.frontier.store.explain(url), Done) for url, _ in urls("good", 90))


def test_what_was_claimed_before_there_was_a_guide_comes_first_after_a_kill(world: World) -> None:
    world.frontier.close()
    seed(world.open(everywhere=False))
    world.crawl({ROOT: urls("good", 90)}, most=1, items=b"")
    ((_, turn),) = world.frontier.top_up(NOW)
    links = [Link(url, url, path=label) for url, label in urls("better", 20)]
    world.frontier.settle(0, [Settlement(turn.visits[0][0], DONE, NOW, links)], NOW)
    assert len(world.made) == 1
    world.frontier.store._rocks.close()  # nothing is written that was not
    world.open(everywhere=False)
    claimed = [visit.url for _, visit in turn.visits[1:]]
    assert len(claimed) > 1
    assert world.crawl({})[: len(claimed)] == claimed


def test_a_dead_worker_s_visits_are_made_again_though_their_guide_wants_them_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(world.frontier)
    world.crawl({ROOT: urls("good", 60)}, most=20)
    taken = [visit.key for _, turn in world.frontier.top_up(NOW) for _, visit in turn.visits]
    world.made[0].waiting.clear()
    monkeypatch.setattr(Picky, "offer", lambda *_: None)
    world.frontier.leave(0, NOW)
    world.frontier.join(0)
    assert taken and world.crawl({})[: len(taken)] == taken


def test_a_visit_that_was_put_off_is_made_when_its_time_comes_though_its_guide_wants_it_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(world.frontier)
    ((_, turn),) = world.frontier.claim(NOW)
    world.frontier.settle(0, [Settlement(turn.visits[0][0], DONE, NOW, [Link(ROOT + "1", ROOT + "1")])], NOW)
    ((_, turn),) = world.frontier.top_up(NOW)
    world.frontier.settle(0, [Settlement(turn.visits[0][0], Outcome(Ended.DEFER, wait=10.0), NOW)], NOW)
    monkeypatch.setattr(Picky, "offer", lambda *_: None)
    world.frontier.tick(NOW + 20)
    ((_, again),) = world.frontier.claim(NOW + 20)
    assert [visit.url for _, visit in again.visits] == [ROOT + "1"]


def test_a_dead_worker_s_visits_come_back(world: World) -> None:
    seed(world.frontier)
    world.crawl({ROOT: urls("good", 60)}, most=20)
    taken = [*world.frontier.top_up(NOW), *world.frontier.claim(NOW)]
    world.frontier.leave(0, NOW)
    world.frontier.join(0)
    assert taken
    world.crawl({})
    assert all(isinstance(world.frontier.store.explain(url), Done) for url, _ in urls("good", 60))


def test_a_site_that_turns_out_to_be_known_is_led_no_more(world: World) -> None:
    seed(world.frontier)
    order = world.crawl({ROOT: [*urls("good", 5), *urls("x", 5)]}, known=True)
    assert len(order) == 11
    assert world.frontier.guides.led == []


def test_elsewhere_only_sites_that_nobody_knows_are_led(world: World) -> None:
    world.frontier.close()
    seed(world.open(everywhere=False))
    order = world.crawl({ROOT: [*urls("good", 5), *urls("x", 5)]})
    assert len(order) == 6
    assert len(world.made) == 1


def test_pages_by_which_nothing_can_be_learned_yet_are_not_held_against_their_kind(world: World) -> None:
    world.frontier.close()
    seed(world.open(everywhere=False))
    young = world.crawl({ROOT: urls("good", 40)}, most=33, items=b"")
    assert len(young) == 33
    assert world.made == []
    world.crawl({}, most=2)
    before = world.made[0].pages
    world.crawl({}, most=2, items=b"")
    assert world.made[0].pages == before


def test_what_was_visited_before_is_visited_anew_without_a_choice(world: World) -> None:
    again = [
        Visit(f"{ROOT}{number}", f"{ROOT}{number}", via=ROOT, label="x", validators=Validators(etag="e"))
        for number in range(20)
    ]
    world.frontier.discover(again, NOW)
    assert len(world.crawl({})) == 20


def test_guides_that_have_nothing_to_do_rest_on_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GUIDES", 2)
    sites = [f"http://{name}.test/" for name in "abcde"]
    world.frontier.discover([Visit(url, url, score=1.0) for url in sites], NOW)
    world.crawl({url: [(f"{url}1", "good")] for url in sites})
    assert len(world.frontier.guides.led) <= 2
    assert all(isinstance(world.frontier.store.explain(f"{url}1"), Done) for url in sites)


def test_guides_rest_while_visits_are_under_way_and_know_of_them_when_these_are_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.frontier.close()
    world.open(address="")  # no site waits for the address of another
    monkeypatch.setattr(module, "GUIDES", 2)
    sites = [f"http://{name}.test/" for name in "abcdefgh"]
    world.frontier.discover([Visit(url, url, score=1.0) for url in sites], NOW)
    order, together = list[str](), set[str]()
    while turns := [*world.frontier.top_up(NOW), *world.frontier.claim(NOW)]:
        visits = [each for _, turn in turns for each in turn.visits]
        together |= {turn.name for _, turn in turns} if len(turns) >= len(sites) else set()
        for token, visit in visits:
            order.append(visit.url)
            depth = visit.url.count("/") - 3
            found = [f"{visit.url}{number}/" for number in range(2)] if depth < 3 else []
            links = [Link(url, url, path="good") for url in found]
            world.frontier.settle(0, [Settlement(token, DONE, NOW, links)], NOW)
            assert len(world.frontier.guides.led) <= 2
    assert len(together) == len(sites)
    assert len(order) == len(set(order)) == len(sites) * (1 + 2 + 4 + 8)
    assert world.frontier.store.totals.queued == 0
    for site in world.frontier.store.by_id.values():
        guide = world.frontier.guides.of(site)
        assert guide is not None
        assert not guide.asked
        assert guide.pages == 15


def test_visits_that_fail_are_told_to_nobody_and_go_their_way(world: World) -> None:
    seed(world.frontier)
    turns = world.frontier.claim(NOW)
    token, visit = turns[0][1].visits[0]
    outcome = Outcome(Ended.RETRY, wait=10.0)
    world.frontier.settle(0, [Settlement(token, outcome, NOW)], NOW)
    assert world.made[0].pages == 0
    assert State(world.frontier.store._urls.get(visit.key.encode())[0]) is State.WAITING  # type: ignore[index]


def test_what_a_sample_leaves_waits_for_another_crawl(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picky, "enough", property(lambda self: self.pages >= 5))
    seed(world.frontier)
    order = world.crawl({ROOT: urls("x", 30)})
    assert order == [ROOT]
    assert world.frontier.store.totals.skipped == {Reason.NO_CONTENT: 30}
    monkeypatch.setattr(Picky, "enough", property(lambda self: self.pages >= 2))
    world.frontier.discover([Visit(f"{ROOT}{n}", f"{ROOT}{n}", via=ROOT, label="good") for n in range(90)], NOW)
    order = world.crawl({})
    assert len(order) < 90
    assert world.frontier.finished
    assert world.frontier.store.totals.queued == 90 - len(order)


def test_a_reason_stands_with_what_was_refused(world: World) -> None:
    seed(world.frontier)
    world.crawl({ROOT: urls("x", 3)})
    refused = world.frontier.store.explain(f"{ROOT}x0")
    assert isinstance(refused, Refused)
    assert refused.reason == Reason.NO_CONTENT
