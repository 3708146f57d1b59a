"""Whole crawls of random webs: none hangs, none ends early, none is impolite, whatever the workers do."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.config import Override, Scope
from anansi.frontier.lifecycle import State
from anansi.frontier.turn import REFUSED
from anansi.model import Ended
from tests.frontier.world import Crawl, Leaf, World, site

STATES = {Ended.DONE: State.DONE, Ended.FAILED: State.FAILED, Ended.SKIPPED: State.SKIPPED}
SITES = ("ant.org", "bee.org", "cat.org", "dog.org", "elk.org")
HOSTS = tuple(f"{prefix}.{name}" for name in SITES for prefix in ("www", "img"))
URLS = tuple(f"http://{host}/{number}" for host in HOSTS for number in range(4))

ENDINGS = (
    (Ended.DONE,),
    (Ended.DONE,),
    (Ended.RETRY, Ended.DONE),
    (Ended.DEFER, Ended.RETRY, Ended.DONE),
    (Ended.RETRY, Ended.RETRY, Ended.FAILED),
    (Ended.FAILED,),
    (Ended.SKIPPED,),
)
ADDRESSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3", "", REFUSED)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw the measures of a web; its links and faults follow from a number, or drawing would take all the time."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    urls = URLS[: draw(st.integers(1, len(URLS)))]
    return World(
        pages={url: Leaf(tuple(rng.choices(urls, k=rng.randrange(6))), rng.choice(ENDINGS)) for url in urls},
        addresses={host: rng.choice(ADDRESSES) for host in HOSTS},
        seeds=tuple({rng.choice(urls): None for _ in range(rng.randrange(1, 5))}),
        workers=draw(st.integers(1, 3)),
        per_turn=draw(st.integers(1, 5)),
        crashes=draw(st.integers(0, 4)),
    )


@contextmanager
def crawl(world: World, seed: int) -> Iterator[Crawl]:
    folder = Path(tempfile.mkdtemp(prefix="anansi-world-"))
    crawling = Crawl(world, folder, random.Random(seed))
    try:
        yield crawling
    finally:
        crawling.frontier.close()
        shutil.rmtree(folder)


@settings(max_examples=100)
@given(world=worlds(), seed=st.integers(0, 2**32))
def test_every_reachable_url_comes_to_its_end(world: World, seed: int) -> None:
    with crawl(world, seed) as crawling:
        crawling.run()
        reachable = world.reachable()
        ended = dict(crawling.frontier.store.urls())
        assert ended == {url: STATES[world.ends(url)] for url in reachable}
        assert crawling.frontier.store.totals.pages == sum(world.ends(url) is Ended.DONE for url in reachable)
        refused = {each.visit.url for each in crawling.frontier.refused}
        assert refused == {url for url in reachable if world.addresses[url.split("/")[2]] == REFUSED}
        if not world.crashes:
            attempts = {url: len(world.pages[url].ends) for url in reachable - refused}
            assert dict(crawling.sent) == attempts


@settings(max_examples=40)
@given(world=worlds(), seed=st.integers(0, 2**32))
def test_workers_help_each_other_where_no_wait_is_asked_for(world: World, seed: int) -> None:
    one_site = replace(world, shared=True, per_turn=2, workers=3, addresses=dict.fromkeys(HOSTS, "10.0.0.1"))
    with crawl(one_site, seed) as crawling:
        crawling.run()
        ended = dict(crawling.frontier.store.urls())
        assert ended == {url: STATES[one_site.ends(url)] for url in one_site.reachable()}


@settings(max_examples=40)
@given(world=worlds(), seed=st.integers(0, 2**32), limit=st.integers(1, 12))
def test_a_page_limit_is_met_to_the_page(world: World, seed: int, limit: int) -> None:
    limited = replace(world, scope=Scope(limit=limit))
    with crawl(limited, seed) as crawling:
        crawling.run()
        possible = sum(world.ends(url) is Ended.DONE for url in world.reachable())
        totals = crawling.frontier.store.totals
        assert totals.pages == min(limit, possible)
        assert crawling.frontier.limited == (totals.pages == limit and totals.queued + totals.waiting > 0)


@settings(max_examples=40)
@given(world=worlds(), seed=st.integers(0, 2**32), budget=st.integers(1, 6))
def test_a_budget_is_never_exceeded(world: World, seed: int, budget: int) -> None:
    own = {"ant.org": Override(budget=2), "bee.org": Override(paused=True)}
    held_back = replace(world, scope=Scope(site_budget=budget), overrides=own, crashes=0)
    with crawl(held_back, seed) as crawling:
        crawling.run()
        for each in crawling.frontier.store.by_id.values():
            most = {"ant.org": 2, "bee.org": 0}.get(each.row.name, budget)
            sent = sum(count for url, count in crawling.sent.items() if site(url) == each.row.name)
            assert sent == each.row.requests <= most
            if sent < most:
                assert not each.row.queued
                assert not each.row.waiting


@settings(max_examples=40)
@given(world=worlds(), seed=st.integers(0, 2**32), rounds=st.integers(0, 30))
def test_a_crawl_goes_on_where_a_dead_one_stopped(world: World, seed: int, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="anansi-world-"))
    first = Crawl(world, folder, random.Random(seed))
    first.run_for(rounds)
    first.frontier.store._rocks.close()  # nothing is settled or committed any more
    second = Crawl(world, folder, random.Random(seed + 1))
    second.attempts = first.attempts
    second.run()
    assert dict(second.frontier.store.urls()) == {url: STATES[world.ends(url)] for url in world.reachable()}
    second.frontier.close()
    shutil.rmtree(folder)
