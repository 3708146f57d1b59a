"""Politeness, as a server sees it: how far apart requests come, how many at a time, and how long it is left alone."""

from __future__ import annotations

import time
from collections.abc import Iterable
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path

import pytest

from anansi.fetch.retry import POLICIES
from anansi.model import Fault
from tests.crawl.case import begin, crawl, finish, in_letters
from tests.web import (
    Behaviour,
    Connection,
    Reply,
    Request,
    ScriptedWeb,
    close_at,
    delayed,
    html,
    in_turn,
    robots_error,
    too_many,
    unavailable,
)

TOLERANCE = 0.02
"""Seconds by which the clocks of two processes and of a socket may differ."""
PATHS = [f"/{number}" for number in range(5)]


def small_site(web: ScriptedWeb, *, name: str = "Page", behaviour: Behaviour | None = None) -> None:
    """Serve a home page and five more."""
    web.add("/", html("Home", PATHS))
    for path in PATHS:
        web.add(path, behaviour or html(f"{name} {path}"))


def gaps(times: Iterable[float]) -> list[float]:
    """Return the seconds between one request and the next."""
    return [later - earlier for earlier, later in pairwise(sorted(times))]


def resolved(web: ScriptedWeb, *names: str) -> list[str]:
    """Return the options that give names the address of a web."""
    return [part for name in names for part in ("--resolve", f"{name}:{web.port}:{web.address}")]


class Crowd:
    """A behaviour that remembers how many requests it was answering at a time."""

    def __init__(self, expected: int, seconds: float) -> None:
        self.now = self.most = 0
        self.expected, self.seconds = expected, seconds

    async def __call__(self, request: Request, connection: Connection) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        while self.most < self.expected and await connection.pause(0.01):
            pass
        await connection.pause(self.seconds)  # in which one more might come
        await html(f"Page {request.path}")(request, connection)
        self.now -= 1


# ── pace ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_requests_to_a_site_are_the_delay_apart(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        small_site(web)
        crawl(tmp_path, web.url + "/", delay=0.3, workers=2)
        between = gaps(request.t for request in web.log)
    assert len(between) == 6
    assert min(between) >= 0.3 - TOLERANCE


def test_the_delay_counts_from_the_end_of_the_answer(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        small_site(web, behaviour=delayed(0.2, html("Slow")))
        crawl(tmp_path, web.url + "/", delay=0.2)
        between = gaps(request.t for request in web.log if request.path in PATHS)
    assert min(between) >= 0.4 - TOLERANCE


def test_a_slow_server_is_asked_less_often(tmp_path: Path) -> None:
    settings = {"politeness": {"floor": 0.0, "factor": 2.0, "ceiling": 10.0}}
    with ScriptedWeb() as web:
        small_site(web, behaviour=delayed(0.2, html("Slow")))
        crawl(tmp_path, web.url + "/", settings=settings, delay=None)
        between = gaps(request.t for request in web.log if request.path in PATHS)
    assert min(between) >= 0.2 + 2 * 0.2 - TOLERANCE


def test_a_site_may_be_given_a_delay_of_its_own(tmp_path: Path) -> None:
    settings = {"sites": {"127.0.0.1": {"delay": 0.4}}}
    with ScriptedWeb() as web:
        small_site(web)
        crawl(tmp_path, web.url + "/", settings=settings, delay=0)
        between = gaps(request.t for request in web.log)
    assert min(between) >= 0.4 - TOLERANCE


@pytest.mark.parametrize(("connections", "delay", "workers"), [(1, 0.01, 2), (1, 0, 1), (3, 0, 1)])
def test_a_site_is_asked_only_so_many_things_at_a_time(
    connections: int, delay: float, workers: int, tmp_path: Path
) -> None:
    crowd = Crowd(connections, 0.1)
    settings = {"politeness": {"connections": connections}}
    with ScriptedWeb() as web:
        small_site(web, behaviour=crowd)
        crawl(tmp_path, web.url + "/", settings=settings, delay=delay, workers=workers)
        assert {path for path in web.paths() if path in PATHS} == set(PATHS)
    assert crowd.most == connections


def test_sites_on_one_address_share_its_delay(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.31") as web:
        small_site(web)
        seeds = [f"http://{name}:{web.port}/" for name in ("a.test", "b.test", "c.test")]
        crawl(tmp_path, *seeds, options=resolved(web, "a.test", "b.test", "c.test"), delay=0.15, workers=2)
        hosts = {request.headers["host"] for request in web.log}
        between = gaps(request.t for request in web.log)
    assert len(hosts) == 3 and len(between) == 3 * 7 - 1
    assert min(between) >= 0.15 - TOLERANCE


def test_sites_on_different_addresses_are_crawled_together(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.32") as one, ScriptedWeb(address="127.0.0.33") as two:
        for web in (one, two):
            small_site(web)
        crawl(tmp_path, one.url + "/", two.url + "/", delay=0.3)
        first, second = ([request.t for request in web.log] for web in (one, two))
    assert max(first[0], second[0]) < min(first[-1], second[-1])
    assert max(first[-1], second[-1]) - min(first[0], second[0]) < sum(gaps(first)) + sum(gaps(second))


# ── servers that ask for patience ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("behaviour", "workers"), [(too_many(2, retry_after=1), 1), (unavailable(2, retry_after=1), 2)]
)
def test_a_site_that_asks_for_patience_is_left_alone_so_long(
    behaviour: Behaviour, workers: int, tmp_path: Path
) -> None:
    with ScriptedWeb() as web:
        small_site(web)
        url = web.add("/0", behaviour)
        crawled = crawl(tmp_path, web.url + "/", workers=workers)
        log = web.log
    refused = [number for number, request in enumerate(log) if request.path == "/0"][:2]
    assert len(refused) == 2
    assert all(log[number + 1].t - log[number].t >= 1.0 - TOLERANCE for number in refused)
    assert crawled.statuses(url)[-1] == 200 and crawled.titles[url] == "At last"
    assert crawled.summary["retries"] == 2 and crawled.summary["requests"] == len(log)
    assert {path for path in PATHS if web.count(path)} == set(PATHS)


def test_a_site_that_two_workers_share_is_left_alone_too(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", [f"/page/{number}" for number in range(120)]))
        web.add("/page/*", delayed(0.05, in_letters))
        web.add("/page/60", too_many(1, retry_after=1))
        crawl(tmp_path, web.url + "/", workers=2)
        refused = next(request.t for request in web.log if request.target == "/page/60")
        meanwhile = [request for request in web.log if refused < request.t < refused + 1 - TOLERANCE]
    assert len({request.connection for request in web.log}) >= 2, "both workers took part"
    assert len(meanwhile) <= 5, "but for requests until the other worker is told; a second has room for twenty"


def test_patience_may_be_asked_for_until_a_date(tmp_path: Path) -> None:
    until = time.time() + 3
    with ScriptedWeb() as web:
        web.add("/", unavailable(1, retry_after=formatdate(until, usegmt=True)))
        began = time.time() - time.monotonic()
        crawl(tmp_path, web.url + "/")
        times = [began + request.t for request in web.log if request.path == "/"]
    assert len(times) == 2
    assert times[1] >= int(until) - TOLERANCE


def test_another_site_need_not_wait(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.34") as busy, ScriptedWeb(address="127.0.0.35") as idle:
        small_site(busy)
        small_site(idle)
        busy.add("/", too_many(1, retry_after=5, then=html("Home", PATHS)))
        crawl(tmp_path, busy.url + "/", idle.url + "/")
        assert idle.log[2].t < busy.log[2].t, "it goes on while the other waits"
        assert busy.log[2].t - busy.log[1].t >= 5 - TOLERANCE


def test_a_page_that_stays_busy_is_given_up_and_kept_each_time(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/busy", "/other"]))
        url = web.add("/busy", Reply(503, (), b"come back later\n"))
        web.add("/other", html("Other"))
        crawled = crawl(tmp_path, web.url + "/", options=("--robots", "ignore"))
        assert web.count("/busy") == 5
    assert crawled.statuses(url) == [503] * 5 == [record.status for record in crawled.kept(url)]
    assert crawled.titles[web.url + "/other"] == "Other"
    assert crawled.summary["queued"] == 0


def test_an_error_of_the_server_is_tried_again(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        url = web.add("/", in_turn(robots_error(500), robots_error(502), html("Well again")))
        crawled = crawl(tmp_path, url)
    assert crawled.statuses(url) == [500, 502, 200]
    assert crawled.titles == {url: "Well again"}


def test_what_will_not_change_is_asked_once(tmp_path: Path) -> None:
    statuses = (400, 401, 403, 404, 410, 501)
    with ScriptedWeb() as web:
        web.add("/", html("Home", [f"/{status}" for status in statuses]))
        for status in statuses:
            web.add(f"/{status}", html("No", ["/behind"], status=status))
        crawled = crawl(tmp_path, web.url + "/")
        assert [web.count(f"/{status}") for status in statuses] == [1] * len(statuses)
        assert web.count("/behind") == 0
    assert [crawled.one(f"{web.url}/{status}").status for status in statuses] == list(statuses)
    assert crawled.summary["pages"] == 1


@pytest.mark.long
def test_attempts_are_as_far_apart_as_the_policy_says(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/odd"]))
        web.add("/odd", close_at("mid headers"))
        running = begin(tmp_path, web.url + "/", environment={"PYTHONPATH": ""})
        finish(running, seconds=120)
        between = gaps(request.t for request in web.log if request.path == "/odd")
    policy = POLICIES[Fault.RESET]
    assert len(between) == policy.attempts - 1
    assert all(gap >= policy.wait * policy.growth**number for number, gap in enumerate(between))
