"""Redirects: loops end, limits hold, cookies open doors, and a seed that has moved takes the scope with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.model import MAX_REDIRECTS
from tests.crawl.case import Crawled, crawl
from tests.web import (
    Reply,
    ScriptedWeb,
    html,
    needs_cookie,
    redirect,
    redirect_cycle,
    redirect_growing,
    redirect_self,
)


@pytest.fixture(scope="module")
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as web:
        doors = [
            "/self",
            "/one",
            "/grow/",
            "/long/0",
            "/short/0",
            "/cookie",
            "/deaf",
            "/nowhere",
            "/empty",
            "/outside",
        ]
        web.add("/", html("Home", doors))
        web.add("/self", redirect_self())
        for target in ("/one", "/two"):
            web.add(target, redirect_cycle("/one", "/two"))
        web.add("/grow/*", redirect_growing())
        for step in range(MAX_REDIRECTS + 5):
            web.add(f"/long/{step}", redirect(f"/long/{step + 1}", status=(301, 302, 303, 307, 308)[step % 5]))
        for step in range(MAX_REDIRECTS):
            web.add(f"/short/{step}", redirect(f"/short/{step + 1}"))
        web.add(f"/short/{MAX_REDIRECTS}", html("The end of the way"))
        web.add("/cookie", needs_cookie(html("For guests")))
        web.add("/deaf", Reply(302, (("Location", "/deaf"), ("Set-Cookie", "a=b; Path=/elsewhere")), b"again\n"))
        web.add("/nowhere", redirect("http://[broken"))
        web.add("/empty", Reply(302, (), b"to nowhere\n"))
        web.add("/outside", redirect("http://elsewhere.invalid/page"))
        yield web


@pytest.fixture(scope="module")
def crawled(web: ScriptedWeb, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl(tmp_path_factory.mktemp("redirects"), web.url + "/")


def test_the_crawl_ends_by_itself(crawled: Crawled, web: ScriptedWeb) -> None:
    assert (crawled.code, crawled.summary["queued"]) == (0, 0)
    assert crawled.summary["requests"] == len(web.log)


@pytest.mark.parametrize("path", ["/self", "/one", "/two", "/nowhere", "/empty", "/outside"])
def test_each_place_of_a_loop_is_asked_once_and_kept(path: str, crawled: Crawled, web: ScriptedWeb) -> None:
    assert web.count(path) == 1
    assert crawled.one(web.url + path).status == 302


def test_an_address_that_grows_is_a_trap(crawled: Crawled, web: ScriptedWeb) -> None:
    assert web.count("/grow/*") <= MAX_REDIRECTS + 1
    assert any(reason == "trap" and "/grow/" in url for url, (reason, _) in crawled.skipped.items())


def test_a_chain_is_followed_to_the_limit_and_no_further(crawled: Crawled, web: ScriptedWeb) -> None:
    assert [web.count(f"/long/{step}") for step in range(MAX_REDIRECTS + 3)] == [1] * (MAX_REDIRECTS + 1) + [0, 0]
    reason, _ = crawled.skipped[web.url + f"/long/{MAX_REDIRECTS + 1}"]
    assert reason == "too many redirects"


def test_a_chain_within_the_limit_leads_to_its_page(crawled: Crawled, web: ScriptedWeb) -> None:
    assert crawled.titles[web.url + f"/short/{MAX_REDIRECTS}"] == "The end of the way"


def test_a_page_that_wants_a_cookie_is_captured_in_the_end(crawled: Crawled, web: ScriptedWeb) -> None:
    assert [record.status for record in crawled.kept(web.url + "/cookie")] == [302, 200]
    assert crawled.titles[web.url + "/cookie"] == "For guests"
    assert web.count("/cookie") == 2


def test_a_cookie_that_opens_nothing_is_no_endless_loop(crawled: Crawled, web: ScriptedWeb) -> None:
    assert 1 <= web.count("/deaf") <= MAX_REDIRECTS + 1


def test_a_redirect_out_of_scope_is_explained(crawled: Crawled) -> None:
    assert crawled.skipped["http://elsewhere.invalid/page"][0] == "out of scope"


def test_a_seed_that_moved_takes_the_scope_with_it(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.21") as web:
        names = [f"{name}:{web.port}:127.0.0.21" for name in ("old.test", "www.new.test", "other.test")]
        new = f"http://www.new.test:{web.port}"
        web.add("/", redirect(f"{new}/start"))
        web.add("/start", html("Start", ["/inside", f"http://other.test:{web.port}/outside"]))
        web.add("/inside", html("Inside"))
        options = [part for name in names for part in ("--resolve", name)]
        crawled = crawl(tmp_path, f"http://old.test:{web.port}/", options=options)
        assert web.count("/outside") == 0
    assert crawled.titles == {f"{new}/start": "Start", f"{new}/inside": "Inside"}
    assert crawled.skipped[f"http://other.test:{web.port}/outside"][0] == "out of scope"


def test_a_page_that_moves_does_not_take_the_scope_with_it(tmp_path: Path) -> None:
    with ScriptedWeb(address="127.0.0.22") as web:
        target = f"http://other.test:{web.port}/start"
        web.add("/", html("Home", ["/moved"]))
        web.add("/moved", redirect(target))
        web.add("/start", html("Start"))
        options = ["--resolve", f"other.test:{web.port}:127.0.0.22"]
        crawled = crawl(tmp_path, web.url + "/", options=options)
        assert web.count("/start") == 0
    assert crawled.skipped[target][0] == "out of scope"
