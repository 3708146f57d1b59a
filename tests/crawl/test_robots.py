"""robots.txt: asked for once, obeyed as RFC 9309 says, and waited for when it cannot be had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import (
    Behaviour,
    Reply,
    ScriptedWeb,
    chunked,
    hang,
    html,
    in_turn,
    robots,
    robots_error,
    robots_huge,
    robots_missing,
    robots_redirect,
    robots_redirects,
    robots_text,
)

PATHS = ("/early/", "/late/", "/open")
RULES = robots("/early/")
ALL = set(PATHS)

CASES: dict[str, tuple[Behaviour, set[str]]] = {
    "rules": (RULES, {"/late/", "/open"}),
    "rules for us": (
        robots_text("User-agent: anansi\nDisallow: /late/\n\nUser-agent: *\nDisallow: /\n"),
        {"/early/", "/open"},
    ),
    "rules for others": (robots("/", agent="somebot"), ALL),
    "404": (robots_missing(404), ALL),
    "403": (robots_missing(403), ALL),
    "500, then rules": (in_turn(robots_error(500), robots_error(503), RULES), {"/late/", "/open"}),
    "429, then rules": (in_turn(robots_error(429), RULES), {"/late/", "/open"}),
    "10 MB": (robots_huge(), {"/late/", "/open"}),
    "moved": (robots_redirect("/rules"), {"/late/", "/open"}),
    "moved seven times": (robots_redirects(7, RULES), {"/late/", "/open"}),
    "moved in a circle": (robots_redirect("/robots.txt"), ALL),
    "in chunks": (chunked(RULES.body, (3,)), {"/late/", "/open"}),
    "html instead": (html("Not found", ["/"]), ALL),
    "binary": (Reply(200, (), bytes(range(256)) * 100), ALL),
}


@dataclass(frozen=True)
class Asked:
    """A crawl of sites that answer for robots.txt each in its own way."""

    webs: dict[str, ScriptedWeb]
    crawled: Crawled


def sites(stack: ExitStack, cases: dict[str, Behaviour], network: int) -> dict[str, ScriptedWeb]:
    """Serve the same four pages on every site."""
    webs = {}
    for number, (name, answer) in enumerate(cases.items(), 1):
        web = webs[name] = stack.enter_context(ScriptedWeb(address=f"127.0.{network}.{number}"))
        web.add("/", html("Home", PATHS))
        web.add("/rules", RULES)
        web.add("/robots.txt", answer)
        for path in PATHS:
            web.add(path, html(path))
    return webs


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with ExitStack() as stack:
        webs = sites(stack, {name: answer for name, (answer, _) in CASES.items()}, 4)
        seeds = [web.url + "/" for web in webs.values()]
        yield Asked(webs, crawl(tmp_path_factory.mktemp("robots"), *seeds, workers=2))


@pytest.mark.parametrize("name", CASES)
def test_what_is_allowed_is_fetched_and_the_rest_explained(name: str, asked: Asked) -> None:
    web, allowed = asked.webs[name], CASES[name][1]
    assert {path for path in PATHS if web.count(path)} == allowed
    forbidden = {web.url + path for path in ALL - allowed}
    assert {url for url in asked.crawled.skipped if url.startswith(web.url + "/")} == forbidden
    assert all(asked.crawled.skipped[url] == ("robots", "forbidden by robots.txt") for url in forbidden)


@pytest.mark.parametrize("name", CASES)
def test_it_comes_first_and_once_though_there_are_two_workers(name: str, asked: Asked) -> None:
    attempts = {"500, then rules": 3, "429, then rules": 2, "moved seven times": 8, "moved in a circle": 11}.get(
        name, 1
    )
    web = asked.webs[name]
    assert web.paths()[:attempts] == [path for path in web.paths() if path.startswith("/robots.txt")]
    assert web.count("/robots.txt") == attempts


def test_it_is_archived_and_counted(asked: Asked) -> None:
    kept = asked.crawled.one(asked.webs["rules"].url + "/robots.txt")
    assert kept.body == RULES.body
    assert asked.crawled.summary["requests"] == sum(len(web.log) for web in asked.webs.values())
    assert not any(url.endswith("/robots.txt") for url in asked.crawled.titles)


def test_where_it_moved_to_another_host_its_rules_hold(tmp_path: Path) -> None:
    """Redirects are followed across hosts (RFC 9309, 2.3.1.2), here by way of a third one."""
    with ExitStack() as stack:
        home, way, rules = (stack.enter_context(ScriptedWeb(address=f"127.0.7.{number}")) for number in (1, 2, 3))
        home.add("/", html("Home", PATHS))
        home.add("/robots.txt", robots_redirect(f"http://way.test:{way.port}/rules"))
        way.add("/rules", robots_redirect(f"http://rules.test:{rules.port}/all/robots.txt"))
        rules.add("/all/robots.txt", RULES)
        names = {"way.test": way, "rules.test": rules}
        fixed = [part for name, web in names.items() for part in ("--resolve", f"{name}:{web.port}:{web.address}")]
        crawled = crawl(tmp_path, home.url + "/", options=fixed)
        assert home.count("/early/") == 0 and home.count("/open") == 1
        assert (way.paths(), rules.paths()) == (["/rules"], ["/all/robots.txt"])
        asked = sum(len(web.log) for web in (home, way, rules))
    assert crawled.summary["requests"] == asked
    assert crawled.one(f"http://rules.test:{rules.port}/all/robots.txt").body == RULES.body
    assert crawled.skipped[home.url + "/early/"] == ("robots", "forbidden by robots.txt")


def test_it_cannot_send_us_into_the_private_network(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.7.4") as inside, ScriptedWeb(address="127.0.7.5") as outside:
        inside.add("/robots.txt", robots("/"))
        outside.add("/", html("Home", PATHS))
        outside.add("/robots.txt", robots_redirect(inside.url + "/robots.txt"))
        crawled = crawl(tmp_path, outside.url + "/")
        assert (inside.log, inside.connections) == ([], 0)
        assert outside.count("/open") == 1
    assert crawled.skipped == {}


def test_where_it_moved_to_nowhere_the_host_is_waited_for(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.7.6") as web:
        web.add("/", html("Home"))
        web.add("/robots.txt", robots_redirect("http://no-such-host.invalid/robots.txt"))
        crawled = crawl(tmp_path, web.url + "/", settings={"politeness": {"robots_deadline": 0.0}})
        assert web.count("/") == 0
    assert crawled.skipped[web.url + "/"] == ("robots", "robots.txt could not be had in time")


def test_it_is_not_asked_for_again_when_a_crawl_goes_on(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", RULES)
        web.add("/", html("Home", [f"/{number}" for number in range(6)]))
        for number in range(6):
            web.add(f"/{number}", html(str(number), ["/early/"]))
        first = crawl(tmp_path, web.url + "/", options=("--limit", "3"), workers=2)
        second = crawl(tmp_path, web.url + "/", workers=2)
        assert (first.code, second.code) == (10, 0)
        assert web.count("/robots.txt") == 1 and web.count("/early/") == 0
        assert sorted(web.paths()) == sorted(["/robots.txt", "/", *(f"/{number}" for number in range(6))])


def test_a_file_that_cannot_be_had_in_time_forbids_all(tmp_path: Path) -> None:
    with ExitStack() as stack:
        webs = sites(stack, {"503": robots_error(503), "silence": hang()}, 5)
        settings = {"fetch": {"timeout": 0.5}, "politeness": {"robots_deadline": 1.0}}
        crawled = crawl(tmp_path, *(web.url + "/" for web in webs.values()), settings=settings)
        for web in webs.values():
            assert set(web.paths()) == {"/robots.txt"} and web.count("/robots.txt") >= 2
            assert crawled.skipped[web.url + "/"] == ("robots", "robots.txt could not be had in time")
    assert crawled.summary["skipped"] == {"robots": 2}


def test_ignored_it_is_not_even_asked_for(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", robots("/"))
        web.add("/", html("Home", PATHS))
        crawled = crawl(tmp_path, web.url + "/", options=("--robots", "ignore"))
        assert web.count("/robots.txt") == 0 and all(web.count(path) for path in PATHS)
    assert b"robots: ignore" in crawled.records[0].block


def test_a_crawl_delay_is_kept(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", robots(delay=0.7))
        web.add("/", html("Home", ["/a", "/b"]))
        web.add("/a", html("A"))
        web.add("/b", html("B"))
        crawled = crawl(tmp_path, web.url + "/")
        times = [request.t for request in web.log]
    assert len(times) == 4 and crawled.code == 0
    assert all(later - earlier >= 0.69 for earlier, later in pairwise(times))
