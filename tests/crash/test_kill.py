"""Any process of a crawl is killed at any moment; the same command goes on and nothing is missing."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.crash.crawling import Crawling, wait_until
from tests.crash.sites import Sites, words
from tests.web import ScriptedWeb, html

SEED = int(os.environ.get("ANANSI_SEED", random.randrange(10**6)))
"""Set it to see the same accidents again; their moments are the same, what the crawl does meanwhile is not."""
ROUNDS = 60
PER_TURN = 16
CLAIMED = PER_TURN + PER_TURN // 2
"""Visits of one site that a worker may have in hand: a turn, and another given when half of it is done."""


@dataclass
class Round:
    """One collection, crawled and killed until it is whole. Mutable: `deaths`, each with the sites it concerned."""

    folder: Path
    sites: Sites
    chance: random.Random
    since: list[int]
    deaths: list[str] = field(default_factory=list)

    def begin(self) -> Crawling:
        """Run the command: the first time, or once more."""
        return Crawling(self.folder, self.sites.seeds)

    def wait_for_request(self, crawling: Crawling) -> None:
        """Wait until this run asks a site for something, or ends."""
        before = self.sites.requests()
        wait_until(lambda: self.sites.requests() > before or not crawling.running)

    def all_asked(self) -> bool:
        """Tell whether as much was asked for as there is, robots.txt included."""
        return self.sites.requests() - sum(self.since) >= len(self.sites.urls) + len(self.sites.webs)

    def nap(self, most: float) -> None:
        """Let a random time pass."""
        time.sleep(self.chance.uniform(0, most))

    def kill_hub(self, crawling: Crawling) -> None:
        """Kill the hub; its workers end by themselves."""
        if crawling.running:
            self.deaths.append(f"hub at {crawling.age:.2f} s")
        crawling.kill_hub()

    def kill_worker(self, crawling: Crawling) -> None:
        """Kill one worker."""
        workers = crawling.workers()
        if workers:
            self.deaths.append(f"worker at {crawling.age:.2f} s")
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.chance.choice(workers), signal.SIGKILL)

    @property
    def bound(self) -> int:
        """Return the double fetches that are excusable: at each death all that workers could have in hand then.

        That is two turns of each site for its owner, and for each of the two workers two of a site it helps with.
        """
        return len(self.deaths) * CLAIMED * (len(self.sites.webs) + 2)


def at_start(this: Round) -> None:
    """Kill the hub while it starts, perhaps before it has made its folder or its workers."""
    with this.begin() as crawling:
        this.nap(0.9)
        this.kill_hub(crawling)


def at_any_moment(this: Round) -> None:
    """Kill the hub at any moment after the first page."""
    with this.begin() as crawling:
        this.wait_for_request(crawling)
        this.nap(1.5)
        this.kill_hub(crawling)


def worker_then_hub(this: Round) -> None:
    """Kill a worker, see the crawl go on, then kill the hub."""
    with this.begin() as crawling:
        this.wait_for_request(crawling)
        this.nap(0.3)
        this.kill_worker(crawling)
        this.nap(0.6)
        this.kill_hub(crawling)


def worker_at_start(this: Round) -> None:
    """Kill a worker that has hardly begun, and let the crawl finish."""
    with this.begin() as crawling:
        crawling.wait_for_workers()
        this.nap(0.5)
        this.kill_worker(crawling)
        assert crawling.wait() == 0, crawling.errors


def twice_at_once(this: Round) -> None:
    """Kill a worker and at once another or the hub, then the next run's hub almost at once."""
    with this.begin() as crawling:
        this.wait_for_request(crawling)
        this.nap(0.4)
        this.kill_worker(crawling)
        this.nap(0.02)
        this.chance.choice((this.kill_worker, this.kill_hub))(crawling)
        this.nap(0.3)
        this.kill_hub(crawling)
    at_start(this)


def at_merge(this: Round) -> None:
    """Kill the hub while it merges the index: it is let run in tiny steps until it does."""
    with this.begin() as crawling:
        wait_until(lambda: this.all_asked() or not crawling.running)
        while crawling.running and not any(crawling.collection.index.parent.glob(".merge-*")):
            crawling.signal(signal.SIGCONT)
            time.sleep(0.0005)
            crawling.signal(signal.SIGSTOP)
        crawling.signal(signal.SIGCONT)
        this.nap(0.002)
        this.kill_hub(crawling)


def at_end(this: Round) -> None:
    """Kill the hub between the last page and the last report."""
    with this.begin() as crawling:
        wait_until(lambda: bool(crawling.events("crawl ends")) or not crawling.running, every=0.001)
        this.nap(0.03)
        this.kill_hub(crawling)


WAYS: list[Callable[[Round], None]] = [
    at_start,
    at_any_moment,
    worker_then_hub,
    worker_at_start,
    twice_at_once,
    at_merge,
    at_end,
]


def play(folder: Path, sites: Sites, seed: int, ways: list[Callable[[Round], None]]) -> int:
    """Crawl a collection with these accidents and then undisturbed; judge it, and return the double fetches."""
    this = Round(folder, sites, random.Random(seed), sites.moment())
    for way in ways:
        way(this)
    with this.begin() as crawling:
        assert crawling.wait() == 0, crawling.errors
    assert crawling.errors == ""
    verdict = sites.judge(folder, this.since)
    print(f"seed {seed}: {[way.__name__ for way in ways]}, killed {this.deaths}: {verdict}; bound {this.bound}")
    assert verdict.sound, (verdict.lost[:5], verdict.invalid[:5], verdict)
    assert verdict.doubles <= this.bound
    assert not list(crawling.collection.archive.glob("*.open"))
    assert not list(crawling.collection.segments.iterdir())
    return verdict.doubles


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_is_lost_by_one_accident(way: Callable[[Round], None], tmp_path: Path, sites: Sites) -> None:
    play(tmp_path / "c", sites, SEED + WAYS.index(way), [way])


@pytest.mark.parametrize("number", range(3))
def test_nothing_is_lost_by_several_accidents(number: int, tmp_path: Path, sites: Sites) -> None:
    seed = SEED + 100 + number
    play(tmp_path / "c", sites, seed, random.Random(seed).sample(WAYS, 2))


@pytest.mark.long
@pytest.mark.timeout(2400)
def test_nothing_is_lost_in_sixty_rounds(tmp_path: Path, sites: Sites) -> None:
    doubles = 0
    for number in range(ROUNDS):
        chance = random.Random(SEED + 1000 + number)
        ways = chance.sample(WAYS, chance.randint(1, 3))
        doubles += play(tmp_path / str(number), sites, SEED + 1000 + number, ways)
        shutil.rmtree(tmp_path / str(number))
    print(f"{ROUNDS} rounds: lost 0, invalid 0, double fetches {doubles}")


def test_a_killed_worker_is_replaced_and_its_visits_made_again(tmp_path: Path, sites: Sites) -> None:
    since = sites.moment()
    with Crawling(tmp_path / "c", sites.seeds) as crawling:
        assert crawling.wait_for_page()
        before = crawling.workers()
        os.kill(before[0], signal.SIGKILL)
        assert wait_until(lambda: set(crawling.workers()) - set(before) or not crawling.running)
        assert crawling.wait() == 0
    assert [(event["worker"], event["code"]) for event in crawling.events("worker died")] in ([(0, -9)], [(1, -9)])
    verdict = sites.judge(tmp_path / "c", since)
    assert verdict.sound
    assert verdict.doubles <= CLAIMED * (len(sites.webs) + 2)


def test_no_line_about_a_url_is_lost(tmp_path: Path) -> None:
    """Kill the hub again and again: every URL that is not fetched is explained, every one that is fetched logged."""
    outside = {f"http://elsewhere.example/{page}/{number}" for page in range(60) for number in range(4)}
    with ScriptedWeb() as web:
        for page in range(60):
            links = [f"http://elsewhere.example/{page}/{number}" for number in range(4)]
            onward = [f"/{each}" for each in (page + 1, page * 2) if each < 60]
            web.add(f"/{page}", html(words(page), [*links, *onward]))
        for _ in range(4):
            before = len(web.log)
            with Crawling(tmp_path / "c", [web.url + "/0"]) as crawling:
                wait_until(lambda before=before: len(web.log) > before + 12 or not crawling.running)  # type: ignore[misc]
                crawling.kill_hub()
        with Crawling(tmp_path / "c", [web.url + "/0"]) as crawling:
            assert crawling.wait() == 0
    collection = crawling.collection
    explained = [json.loads(line) for line in collection.skipped.read_text().splitlines()]
    assert {each["url"] for each in explained} == outside
    logged = {line.split()[3] for line in collection.crawl_log.read_text().splitlines()}
    assert logged == {f"{web.url}/{page}" for page in range(60)} | {web.url + "/robots.txt"}
