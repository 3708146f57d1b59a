"""Connections that break at every stage: tried again by the policy, kept when there is something to keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from anansi.fetch.retry import POLICIES
from anansi.model import Cut, Fault
from tests.crawl.case import Crawled, crawl
from tests.web import ON_CONNECT, STAGES, ScriptedWeb, accept, close_at, html, in_turn, reset_at
from tests.web.breaks import SENT_BEFORE, Stage

WITHIN: tuple[Stage, ...] = ("after headers", "mid body")
BEFORE: tuple[Stage, ...] = tuple(stage for stage in STAGES if stage not in (*WITHIN, "connect"))
UNHEARD: tuple[Stage, ...] = ("before status", "mid status")
"""Stages before anything that libcurl takes for an answer: on a connection kept open it asks again at once."""
HOW = {"reset": reset_at, "close": close_at}
SETTINGS = {"politeness": {"robots_deadline": 1.0}, "fetch": {"timeout": 20.0}}


@dataclass(frozen=True)
class Broken:
    """A crawl of sites that each break at one stage."""

    webs: dict[tuple[str, str], ScriptedWeb]
    crawled: Crawled

    def url(self, how: str, stage: str) -> str:
        return self.webs[how, stage].url + "/odd"


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broken]:
    webs: dict[tuple[str, str], ScriptedWeb] = {}
    with ExitStack() as stack:
        for stage in STAGES:
            for how, breaking in HOW.items():
                web = stack.enter_context(ScriptedWeb(address=f"127.0.3.{len(webs) + 1}"))
                web.add("/", html("Home", ["/odd", "/after"]))
                web.add("/odd", breaking(stage))
                web.add("/after", html("After"))
                if stage == "connect":
                    web.add(ON_CONNECT, breaking(stage))
                webs[how, stage] = web
        yield Broken(
            webs,
            crawl(tmp_path_factory.mktemp("breaks"), *(web.url + "/" for web in webs.values()), settings=SETTINGS),
        )


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("stage", WITHIN)
def test_a_body_that_breaks_off_is_kept_and_tried_again(how: str, stage: Stage, broken: Broken) -> None:
    kept = broken.crawled.kept(broken.url(how, stage))
    assert [record.headers["warc-truncated"] for record in kept] == ["disconnect"] * POLICIES[Cut.DISCONNECT].attempts
    assert all(record.block == SENT_BEFORE[stage] for record in kept)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("stage", BEFORE)
def test_headers_that_break_off_are_a_fault_and_tried_again(how: str, stage: Stage, broken: Broken) -> None:
    url, attempts = broken.url(how, stage), POLICIES[Fault.RESET].attempts
    assert broken.crawled.statuses(url) == [-3] * attempts
    assert "connection_closed_before_the_headers_were_complete" in broken.crawled.annotations(url)
    assert broken.crawled.kept(url) == []
    asked_again_at_once = 1 if stage in UNHEARD else 0
    assert attempts <= broken.webs[how, stage].count("/odd") <= attempts * (1 + asked_again_at_once)


@pytest.mark.parametrize(("how", "stage"), [(how, stage) for stage in (*BEFORE, *WITHIN) for how in HOW])
def test_the_site_is_crawled_on(how: str, stage: Stage, broken: Broken) -> None:
    assert broken.crawled.titles[broken.webs[how, stage].url + "/after"] == "After"


@pytest.mark.parametrize("how", HOW)
def test_a_site_that_breaks_every_connection_is_explained(how: str, broken: Broken) -> None:
    url = broken.webs[how, "connect"].url + "/"
    assert broken.crawled.skipped[url][0] in ("robots", "host given up")
    assert broken.crawled.kept(url) == []


def test_nothing_is_left_but_what_was_given_up(broken: Broken) -> None:
    given_up = [url for url, (reason, _) in broken.crawled.skipped.items() if reason == "host given up"]
    assert (broken.crawled.code, broken.crawled.summary["queued"]) == (14, len(given_up))


def test_what_comes_right_later_is_kept(tmp_path: Path) -> None:
    good = html("At last")
    with ScriptedWeb() as web:
        web.add(ON_CONNECT, in_turn(accept(), reset_at("connect"), accept()))
        web.add("/", html("Home", ["/odd"]))
        url = web.add("/odd", in_turn(close_at("mid headers"), good))
        crawled = crawl(tmp_path, web.url + "/", settings=SETTINGS)
    assert crawled.statuses(url)[-1] == 200 and crawled.titles[url] == "At last"
    assert crawled.one(url).body == good.body
    assert crawled.summary["retries"] == 2


def test_a_site_that_is_given_up_is_explained(tmp_path: Path) -> None:
    """Five faults in a row and nothing else is asked of a host; what was queued there is not forgotten."""
    links = [f"/odd/{number}" for number in range(60)]
    with ScriptedWeb() as web:
        web.add("/", html("Home", links))
        web.add("/odd/*", close_at("mid headers"))
        crawled = crawl(tmp_path, web.url + "/", settings=SETTINGS)
        left = {web.url + link for link in links if not web.count(link)}
    assert len(left) >= 1
    assert left <= crawled.skipped.keys()
