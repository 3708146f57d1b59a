"""What every frontier promises: who gets which visits, when, and what becomes of those who wait.

An implementation joins by one line in `OPENED`. Whole crawls through it, with workers that die, are played in
`test_worlds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from anansi.config import Frontier as Settings
from anansi.config import Override, Scope
from anansi.frontier.embedded import Embedded
from anansi.frontier.lifecycle import State
from anansi.frontier.policy import Policy
from anansi.frontier.protocol import Frontier
from anansi.frontier.record import Done, Queued, Refused
from anansi.frontier.site import STRIKES
from anansi.frontier.turn import REFUSED, Settlement, Turn
from anansi.model import Corner, CornerKind, Ended, Hop, Link, Outcome, Reason, Role, Skip, Visit

NOW = 1_700_000_000.0

ADDRESSES: dict[str, str] = {}
"""What the resolver knows; "10.0.0.9" for all others."""


def address(host: str) -> str | None:
    return ADDRESSES.get(host, "10.0.0.9") if ADDRESSES.get(host) != "?" else None


@pytest.fixture(autouse=True)
def names() -> Iterator[None]:
    yield
    ADDRESSES.clear()


Make = Callable[..., Frontier]
Open = Callable[[Path, Policy], Frontier]

OPENED: dict[str, Open] = {"embedded": lambda path, policy: Embedded(path / "frontier", policy, address)}
"""How each implementation is opened, or opened again, for a collection in a folder."""


@pytest.fixture(params=OPENED)
def make(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Open the frontier of one collection; what was open before is closed first, as a process that ends does."""
    opened: list[Frontier] = []

    def open_frontier(*urls: str, workers: int = 1, per_turn: int = 4, **policy: object) -> Frontier:
        for each in opened:
            each.close()
        opened.clear()
        rules = Policy(
            policy.get("scope", Scope()),  # type: ignore[arg-type]
            policy.get("settings", Settings(per_turn=per_turn)),  # type: ignore[arg-type]
            policy.get("overrides", {}),  # type: ignore[arg-type]
            bool(policy.get("shared")),
        )
        frontier = OPENED[request.param](tmp_path, rules)
        opened.append(frontier)
        for number in range(workers):
            frontier.join(number)
        discover(frontier, *urls)
        return frontier

    yield open_frontier
    for each in opened:
        each.close()


def discover(frontier: Frontier, *urls: str) -> None:
    frontier.discover((Visit(url=url, key=url) for url in urls), NOW)
    frontier.commit()


def stopped(frontier: Frontier, name: str) -> str:
    site = frontier.site(name)
    assert site is not None
    return frontier.stopped(site)


def finished(frontier: Frontier) -> bool:
    return frontier.finished


def pages(site: str, count: int) -> list[str]:
    return [f"http://{site}/{number}" for number in range(count)]


def urls(turn: Turn) -> list[str]:
    return [visit.url for _, visit in turn.visits]


def settle(
    frontier: Frontier, worker: int, turn: Turn, *, rest: float = 0.0, links: tuple[Link, ...] = (), **outcome: object
) -> int:
    """Settle all visits of a turn alike."""
    how = Outcome(**{"ended": Ended.DONE, "status": 200, "requests": 1, "page": True, **outcome})  # type: ignore[arg-type]
    settlements = [Settlement(token, how, NOW + rest, list(links)) for token, _ in turn.visits]
    return len(frontier.settle(worker, settlements, NOW))


# ── a site and its worker ────────────────────────────────────────────────────────────────────────────────────────


def test_near_the_page_limit_every_site_gets_its_share(make: Make) -> None:
    names = [f"{letter}.org" for letter in "abcdef"]
    ADDRESSES.update({name: name for name in names})
    frontier = make(*(url for name in names for url in pages(name, 9)), workers=2, scope=Scope(limit=8))
    turns = frontier.claim(NOW)
    assert sorted(turn.name for _, turn in turns) == names
    assert sum(len(turn.visits) for _, turn in turns) == 8


def test_a_site_is_with_one_worker_until_its_queue_is_done(make: Make) -> None:
    frontier = make(*pages("ant.org", 6), workers=2)
    ((worker, turn),) = frontier.claim(NOW)
    assert urls(turn) == pages("ant.org", 4)
    assert turn.memory == {"pages": b"0"}
    assert frontier.claim(NOW) == []
    assert settle(frontier, worker, turn) == 4
    ((same, more),) = frontier.top_up(NOW)
    assert (same, urls(more), more.memory) == (worker, pages("ant.org", 6)[4:], None)
    assert not finished(frontier)
    settle(frontier, worker, more)
    assert frontier.top_up(NOW) == []
    assert finished(frontier)


def test_sites_are_spread_over_the_workers_and_come_back_to_the_one_that_knows_them(make: Make) -> None:
    ADDRESSES.update({f"{name}.org": name for name in ("ant", "bee", "cat", "dog")})
    frontier = make(*(f"http://{name}.org/" for name in ("ant", "bee", "cat", "dog")), workers=2)
    turns = frontier.claim(NOW)
    assert sorted(worker for worker, _ in turns) == [0, 0, 1, 1]
    for worker, turn in turns:
        settle(frontier, worker, turn)
    frontier.top_up(NOW)
    discover(frontier, *(f"http://{name}.org/again" for name in ("dog", "cat", "bee", "ant")))
    assert {turn.name: worker for worker, turn in frontier.claim(NOW)} == {
        turn.name: worker for worker, turn in turns
    }


def test_what_a_worker_learned_about_a_site_reaches_the_next_one(make: Make) -> None:
    frontier = make("http://ant.org/", workers=2)
    site = frontier.site("ant.org")
    assert site is not None
    assert frontier.remember(site.id, "robots", b"Disallow: /") == "ant.org"
    assert frontier.remember(4711, "robots", b"") is None
    frontier.commit()
    ((worker, turn),) = frontier.claim(NOW)
    assert turn.memory == {"robots": b"Disallow: /", "pages": b"0"}
    frontier.leave(worker, NOW)
    ((other, turn),) = frontier.claim(NOW)
    assert (other, turn.memory) == (1 - worker, {"robots": b"Disallow: /", "pages": b"0"})


def test_a_site_rests_as_long_as_it_was_told_in_this_run_and_the_next(make: Make) -> None:
    frontier = make(*pages("ant.org", 2), per_turn=1)
    ((worker, turn),) = frontier.claim(NOW)
    settle(frontier, worker, turn, rest=100)
    ((_, more),) = frontier.top_up(NOW)
    assert more.not_before == NOW + 100
    frontier = make()
    assert frontier.claim(NOW + 99) == []
    assert frontier.next_time() == NOW + 100
    assert not finished(frontier)
    ((_, turn),) = frontier.claim(NOW + 100)
    assert urls(turn) == ["http://ant.org/1"]


def test_idle_workers_help_with_a_long_queue_only_where_sharing_is_allowed(make: Make) -> None:
    for shared in (False, True):
        frontier = make(*pages("ant.org", 30), workers=2, shared=shared)
        ((worker, turn),) = frontier.claim(NOW)
        settle(frontier, worker, turn)
        turns = frontier.top_up(NOW)
        assert [number for number, _ in turns] == ([worker, 1 - worker] if shared else [worker])
    (_, mine), (_, lent) = turns
    assert not set(urls(mine)) & set(urls(lent))
    assert settle(frontier, worker, lent) == 0, "only who has a visit in hand may settle it"
    frontier.leave(worker, NOW)
    assert not finished(frontier)
    assert settle(frontier, 1 - worker, lent) == len(lent.visits)


# ── workers die ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_that_a_dead_worker_held_is_due_again_and_its_late_reports_count_for_nothing(make: Make) -> None:
    ADDRESSES["ant.org"] = "10.0.0.1"
    frontier = make(*pages("ant.org", 3), *pages("bee.org", 3), workers=1)
    turns = [turn for _, turn in frontier.claim(NOW)]
    frontier.leave(0, NOW)
    assert not any(frontier.is_claimed(token) for turn in turns for token, _ in turn.visits)
    assert settle(frontier, 0, turns[0]) == 0
    frontier.join(1)
    again = [turn for _, turn in frontier.claim(NOW)]
    assert sorted(map(urls, again)) == sorted(map(urls, turns))
    assert settle(frontier, 0, turns[0]) == 0, "the visits are another worker's now"
    assert settle(frontier, 1, again[0]) == 3


def test_what_was_claimed_when_the_frontier_died_is_due_again(make: Make) -> None:
    frontier = make(*pages("ant.org", 3))
    ((_, turn),) = frontier.claim(NOW)
    ((_, again),) = make().claim(NOW)
    assert urls(again) == urls(turn)


# ── IP addresses and names ───────────────────────────────────────────────────────────────────────────────────────


def test_sites_on_one_address_take_turns_and_share_its_rest(make: Make) -> None:
    frontier = make(*pages("ant.org", 5), *pages("bee.org", 5), workers=2)
    ((worker, ant),) = frontier.claim(NOW)
    settle(frontier, worker, ant, rest=10)
    assert frontier.top_up(NOW) == [], "another site waits for the address"
    assert frontier.claim(NOW + 9) == []
    ((_, bee),) = frontier.claim(NOW + 10)
    assert {ant.name, bee.name} == {"ant.org", "bee.org"}


def test_a_site_that_is_paused_while_it_waits_does_not_keep_others_waiting(make: Make) -> None:
    frontier = make("http://ant.org/", "http://bee.org/", "http://cat.org/")
    ((worker, first),) = frontier.claim(NOW)
    settle(frontier, worker, first)
    frontier.top_up(NOW)  # the next one is woken …
    names = [name for name in ("ant.org", "bee.org", "cat.org") if name != first.name]
    frontier.change(Policy(Scope(), Settings(), {names[0]: Override(paused=True)}), NOW)  # … and paused
    ((_, turn),) = frontier.claim(NOW)
    assert turn.name == names[1]


def test_a_site_that_needs_another_address_after_all_does_not_keep_others_waiting(make: Make) -> None:
    ADDRESSES["img.bee.org"] = "10.0.0.2"
    frontier = make("http://ant.org/", "http://bee.org/", "http://cat.org/")
    ((worker, turn),) = frontier.claim(NOW)
    assert turn.name == "ant.org"
    frontier.discover([Visit(url="http://img.bee.org/", key="http://img.bee.org/", score=1.0)], NOW)
    frontier.rescore({"http://bee.org/": 0.1})
    frontier.refuse(Skip("http://bee.org/", "http://bee.org/", Reason.TRAP))
    settle(frontier, worker, turn)
    frontier.top_up(NOW)
    assert {turn.name for _, turn in frontier.claim(NOW)} == {"bee.org", "cat.org"}


def test_a_site_waits_for_its_name_and_goes_on_when_it_is_resolved(make: Make) -> None:
    ADDRESSES["ant.org"] = "?"
    frontier = make("http://ant.org/", "http://bee.org/")
    assert [turn.name for _, turn in frontier.claim(NOW)] == ["bee.org"]
    assert frontier.unresolved == ["ant.org"]
    discover(frontier, "http://ant.org/more")
    assert frontier.claim(NOW) == []
    assert frontier.unresolved == ["ant.org"]
    ADDRESSES["ant.org"] = "10.0.0.1"
    frontier.resolved("ant.org", NOW)
    ((_, turn),) = frontier.claim(NOW)
    assert [visit.address for _, visit in turn.visits] == ["10.0.0.1"] * 2


def test_a_host_on_a_private_address_is_skipped_and_said_so(make: Make) -> None:
    ADDRESSES["cam.ant.org"] = REFUSED
    frontier = make("http://cam.ant.org/", "http://cam.ant.org/2")
    assert frontier.claim(NOW) == []
    assert finished(frontier)
    assert [(each.visit.url, each.outcome.reason) for each in frontier.refused] == [
        ("http://cam.ant.org/", Reason.ADDRESS),
        ("http://cam.ant.org/2", Reason.ADDRESS),
    ]
    assert frontier.totals.skipped == {"private address": 2}


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_limit_ends_the_crawl_even_when_sites_still_wait_for_an_address(make: Make) -> None:
    frontier = make(*(f"http://{name}.org/" for name in ("ant", "bee", "cat", "dog")), scope=Scope(limit=1))
    ((worker, turn),) = frontier.claim(NOW)
    assert not finished(frontier)
    settle(frontier, worker, turn)
    frontier.top_up(NOW)
    assert frontier.claim(NOW) == []
    assert finished(frontier)
    assert frontier.limited


def test_a_limit_is_not_exceeded_by_several_workers_and_goes_on_when_raised(make: Make) -> None:
    ADDRESSES.update({f"{name}.org": name for name in ("ant", "bee", "cat")})
    every = [url for name in ("ant", "bee", "cat") for url in pages(f"{name}.org", 5)]
    frontier = make(*every, workers=3, scope=Scope(limit=7))
    turns = frontier.claim(NOW)
    assert sum(len(turn.visits) for _, turn in turns) == 7
    for worker, turn in turns:
        settle(frontier, worker, turn, page=turn.name != "ant.org")
    rest = frontier.top_up(NOW) + frontier.claim(NOW)
    assert sum(len(turn.visits) for _, turn in rest) == 7 - frontier.totals.pages
    for worker, turn in rest:
        settle(frontier, worker, turn)
    frontier.top_up(NOW)
    assert (finished(frontier), frontier.limited, frontier.totals.pages) == (True, True, 7)
    frontier = make(scope=Scope(limit=8))
    assert sum(len(turn.visits) for _, turn in frontier.claim(NOW)) == 1


def test_a_limit_that_leaves_only_retries_behind_has_left_work_behind(make: Make) -> None:
    frontier = make(*pages("ant.org", 2), scope=Scope(limit=1), per_turn=1)
    ((worker, turn),) = frontier.claim(NOW)
    settle(frontier, worker, turn, ended=Ended.RETRY, wait=50.0, page=False)
    ((_, turn),) = frontier.top_up(NOW)
    settle(frontier, worker, turn)
    frontier.top_up(NOW)
    assert (finished(frontier), frontier.limited) == (True, True)


def test_a_budget_stops_a_site_and_a_larger_one_lets_it_go_on(make: Make) -> None:
    frontier = make(*pages("ant.org", 5), scope=Scope(site_budget=3))
    ((worker, turn),) = frontier.claim(NOW)
    assert len(turn.visits) == 3
    settle(frontier, worker, turn)
    assert frontier.top_up(NOW) == []
    assert stopped(frontier, "ant.org") == "budget"
    assert finished(frontier)
    frontier.change(Policy(Scope(site_budget=3), Settings(), {"ant.org": Override(budget=4)}), NOW)
    ((_, turn),) = frontier.claim(NOW)
    assert urls(turn) == ["http://ant.org/3"]


def test_a_paused_site_is_left_alone_until_it_is_not(make: Make) -> None:
    frontier = make(*pages("ant.org", 2), overrides={"ant.org": Override(paused=True)})
    assert frontier.claim(NOW) == []
    assert stopped(frontier, "ant.org") == "paused"
    assert finished(frontier)
    frontier.change(Policy(Scope(), Settings(), {}), NOW)
    assert not finished(frontier)
    ((_, turn),) = frontier.claim(NOW)
    assert len(turn.visits) == 2


def test_what_waits_is_told_with_its_time_the_soonest_first(make: Make) -> None:
    frontier = make("http://ant.org/late", "http://ant.org/soon", "http://ant.org/never")
    ((_, turn),) = frontier.claim(NOW)
    for (token, _), seconds in zip(turn.visits, (500.0, 20.0, None), strict=True):
        outcome = Outcome(Ended.DONE, 200, requests=1, again=seconds)
        frontier.settle(0, [Settlement(token, outcome, NOW)], NOW)
    assert [(due, visit.url) for due, visit in frontier.waiting()] == [
        (NOW + 20.0, "http://ant.org/soon"),
        (NOW + 500.0, "http://ant.org/late"),
    ]
    frontier.tick(NOW + 30)
    assert [visit.url for _, visit in frontier.waiting()] == ["http://ant.org/late"]


def test_a_site_is_given_up_after_strikes_in_a_row_and_tried_again_in_a_new_run(make: Make) -> None:
    frontier = make(*pages("ant.org", 2 * STRIKES + 1), per_turn=1)
    ((worker, turn),) = frontier.claim(NOW)
    for number in range(2 * STRIKES - 1):
        if number == STRIKES - 1:  # one good answer in between begins the count anew
            settle(frontier, worker, turn)
        else:
            settle(frontier, worker, turn, ended=Ended.FAILED, status=-2, strike=True, fault="no answer", page=False)
        ((worker, turn),) = frontier.top_up(NOW)
    settle(frontier, worker, turn, ended=Ended.FAILED, status=-2, strike=True, fault="no answer", page=False)
    assert frontier.top_up(NOW) == []
    assert stopped(frontier, "ant.org") == "given up: no answer"
    assert finished(frontier)
    ((_, turn),) = make(per_turn=1).claim(NOW)
    assert urls(turn) == [f"http://ant.org/{2 * STRIKES}"]


# ── settle and discover ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_is_settled_together_with_its_links(make: Make) -> None:
    ADDRESSES["bee.org"] = "10.0.0.1"
    frontier = make("http://ant.org/")
    ((worker, turn),) = frontier.claim(NOW)
    link = Link("http://bee.org/a", "http://bee.org/a", score=0.9)
    settle(frontier, worker, turn, links=(link,))
    ((_, onward),) = frontier.claim(NOW)
    ((_, visit),) = onward.visits
    assert (visit.url, visit.via, visit.hops, visit.depth, visit.score) == (link.url, "http://ant.org/", "L", 1, 0.9)


def test_a_retry_waits_its_time_and_counts_attempts(make: Make) -> None:
    frontier = make("http://ant.org/")
    for attempt in range(3):
        frontier.tick(NOW + 50 * attempt)
        ((worker, turn),) = frontier.claim(NOW + 50 * attempt)
        ((token, visit),) = turn.visits
        assert visit.attempt == attempt
        outcome = Outcome(Ended.RETRY, 503, wait=50.0, requests=1)
        frontier.settle(worker, [Settlement(token, outcome, NOW)], NOW + 50 * attempt)
        assert frontier.top_up(NOW) == []
        assert not finished(frontier)
        assert frontier.next_time() == NOW + 50 * (attempt + 1)
    assert frontier.totals.retries == 3


def test_a_page_is_visited_again_after_its_time_with_what_it_said_about_itself(make: Make) -> None:
    frontier = make("http://ant.org/", settings=Settings(revisit_after=3600.0))
    ((worker, turn),) = frontier.claim(NOW)
    settle(frontier, worker, turn)
    frontier.top_up(NOW)
    known = frontier.explain("http://ant.org/")
    assert isinstance(known, Queued)
    assert known.state == State.WAITING
    frontier.tick(NOW + 3600)
    ((_, again),) = frontier.claim(NOW + 3600)
    assert urls(again) == ["http://ant.org/"]


def test_a_redirect_that_sets_a_cookie_may_lead_back_to_where_it_came_from(make: Make) -> None:
    frontier = make("http://ant.org/")
    for hop in range(2):
        ((worker, turn),) = frontier.top_up(NOW) + frontier.claim(NOW)
        back = Link("http://ant.org/", "http://ant.org/", hop=Hop.REDIRECT, cookie=not hop)
        settle(frontier, worker, turn, links=(back,), status=302, page=False)
    assert frontier.top_up(NOW) + frontier.claim(NOW) == []
    done = frontier.explain("http://ant.org/")
    assert isinstance(done, Done)
    assert done.hops == "R"


def test_links_found_without_a_commit_are_claimed_all_the_same(make: Make) -> None:
    frontier = make()
    frontier.discover([Visit(url="http://ant.org/", key="http://ant.org/")], NOW)
    assert [turn.name for _, turn in frontier.claim(NOW)] == ["ant.org"]


def test_a_shortcut_is_asked_beside_the_page_of_the_same_address(make: Make) -> None:
    feed = Visit(url="http://ant.org/feed", key="http://ant.org/feed")
    frontier = make()
    assert frontier.refuse(Skip(feed.url, feed.key, Reason.NO_CONTENT, "a feed", never=True))
    asked = msgspec.structs.replace(feed, role=Role.SHORTCUT)
    assert frontier.discover([asked], NOW) == 1
    assert frontier.discover([asked, feed], NOW) == 0
    ((worker, turn),) = frontier.claim(NOW)
    assert [visit.role for _, visit in turn.visits] == [Role.SHORTCUT]
    settle(frontier, worker, turn, page=False)
    assert isinstance(frontier.explain(asked.identity), Done)
    assert isinstance(frontier.explain(feed.identity), Refused)


def test_content_is_scheduled_though_another_address_of_it_is_known_that_may_redirect_there(make: Make) -> None:
    frontier = make()
    last = Corner(CornerKind.LAST)
    alias = Visit(url="http://ant.org/?p=7", key="http://ant.org/7", role=Role.ALIAS, score=0.35, corner=last)
    assert frontier.discover([alias], NOW) == 1
    assert frontier.discover([Visit(url=alias.key, key=alias.key, role=Role.CONTENT)], NOW) == 1
    ((_, turn),) = frontier.claim(NOW)
    assert urls(turn) == [alias.key], "the other waits until nothing else is under way"


# ── corners ──────────────────────────────────────────────────────────────────────────────────────────────────────

MEMBERS = Corner(CornerKind.SAMPLES, "/members/*", "Agora: a member")


def sampled(frontier: Frontier, *urls: str, corner: Corner = MEMBERS) -> None:
    frontier.discover((Visit(url=url, key=url, score=0.03, role=Role.PROBE, corner=corner) for url in urls), NOW)
    site = frontier.site("ant.org")
    assert site is not None
    site.row.pages = 1000  # large enough for samples
    frontier.commit()


def test_a_corner_waits_until_nothing_else_of_its_site_is_under_way(make: Make) -> None:
    frontier = make("http://ant.org/thread")
    sampled(frontier, "http://ant.org/members/1")
    ((worker, turn),) = frontier.claim(NOW)
    assert urls(turn) == ["http://ant.org/thread"]
    assert frontier.top_up(NOW) == [] and not finished(frontier)
    settle(frontier, worker, turn)
    ((_, more),) = frontier.top_up(NOW)
    assert urls(more) == ["http://ant.org/members/1"]


def test_samples_of_a_kind_are_visited_one_by_one_and_left_out_with_the_reason_when_they_are_barren(
    make: Make,
) -> None:
    frontier = make()
    sampled(frontier, *(f"http://ant.org/members/{number}" for number in range(3)))
    ((worker, turn),) = frontier.claim(NOW)
    assert urls(turn) == ["http://ant.org/members/0"]
    settle(frontier, worker, turn)
    assert frontier.top_up(NOW) == [] and frontier.claim(NOW) == []
    assert finished(frontier)
    assert [(each.visit.url, each.outcome.reason, each.outcome.detail) for each in frontier.refused] == [
        (f"http://ant.org/members/{number}", Reason.NO_CONTENT, "Agora: a member") for number in (1, 2)
    ]


@pytest.mark.parametrize("score", [0.8, 0.1])
def test_samples_that_lead_to_content_that_was_not_known_are_followed_whatever_it_scores(
    make: Make, score: float
) -> None:
    frontier = make()
    sampled(frontier, *(f"http://ant.org/members/{number}" for number in range(3)))
    ((worker, turn),) = frontier.claim(NOW)
    settle(
        frontier, worker, turn, links=(Link("http://ant.org/t", "http://ant.org/t", role=Role.CONTENT, score=score),)
    )
    ((_, thread),) = frontier.top_up(NOW)
    assert urls(thread) == ["http://ant.org/t"]
    settle(frontier, worker, thread)
    ((_, more),) = frontier.top_up(NOW)
    assert urls(more) == ["http://ant.org/members/1"]


def test_what_came_of_corners_outlives_the_process(make: Make) -> None:
    frontier = make()
    sampled(frontier, "http://ant.org/members/0", "http://ant.org/members/1")
    ((worker, turn),) = frontier.claim(NOW)
    settle(frontier, worker, turn)
    frontier = make()
    sampled(frontier, "http://ant.org/members/2")
    assert frontier.claim(NOW) == []
    assert [each.visit.url for each in frontier.refused] == ["http://ant.org/members/2"]


def test_a_sample_is_not_withdrawn_because_its_like_is_left_out(make: Make) -> None:
    frontier = make()
    frontier.discover([Visit("http://ant.org/plain", "http://ant.org/plain", via="http://ant.org/")], NOW)
    sampled(frontier, "http://ant.org/members/0")
    for url in ("http://ant.org/members/0", "http://ant.org/plain"):
        frontier.refuse(Skip(url, url, Reason.NO_CONTENT, "Agora: a member"))
    ((_, turn),) = frontier.claim(NOW)
    assert urls(turn) == ["http://ant.org/members/0"]
