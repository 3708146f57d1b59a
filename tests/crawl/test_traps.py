"""Sites that never end: the crawl does, and says what it left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Behaviour, ScriptedWeb, calendar, fake_blog, growing_path, html, near_duplicates, session_ids

TRAPS: dict[str, tuple[str, Behaviour]] = {
    "/calendar/2020/01": ("/calendar/*", calendar()),
    "/deeper/": ("/deeper/*", growing_path()),
    "/shop/0": ("/shop/*", session_ids()),
    "/print/0": ("/print/*", near_duplicates()),
}


@dataclass(frozen=True)
class Trapped:
    """A crawl of sites of which each is a trap, with a real page beside it."""

    webs: dict[str, ScriptedWeb]
    crawled: Crawled

    def reasons(self, entry: str) -> set[str]:
        """Return why anything of a site was skipped."""
        origin = self.webs[entry].url + "/"
        return {reason for url, (reason, _) in self.crawled.skipped.items() if url.startswith(origin)}


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trapped]:
    webs: dict[str, ScriptedWeb] = {}
    with ExitStack() as stack:
        for number, (entry, (prefix, behaviour)) in enumerate(TRAPS.items(), 1):
            web = webs[entry] = stack.enter_context(ScriptedWeb(address=f"127.0.7.{number}"))
            web.add("/", html("Home", [entry, "/real"]))
            web.add("/real", html("Real"))
            web.add(prefix, behaviour)
        yield Trapped(
            webs, crawl(tmp_path_factory.mktemp("traps"), *(web.url + "/" for web in webs.values()), workers=2)
        )


def test_the_crawl_ends_by_itself(trapped: Trapped) -> None:
    assert (trapped.crawled.code, trapped.crawled.summary["queued"]) == (0, 0)
    assert trapped.crawled.summary["requests"] == sum(len(web.log) for web in trapped.webs.values())


@pytest.mark.parametrize(("entry", "most"), [(entry, 600) for entry in TRAPS])
def test_a_trap_costs_a_bounded_number_of_requests(entry: str, most: int, trapped: Trapped) -> None:
    assert 1 <= len(trapped.webs[entry].log) <= most


@pytest.mark.parametrize("entry", [entry for entry in TRAPS if entry != "/shop/0"])
def test_what_was_left_out_is_called_a_trap(entry: str, trapped: Trapped) -> None:
    assert trapped.reasons(entry) == {"trap"}


def test_session_ids_make_no_new_pages(trapped: Trapped) -> None:
    web = trapped.webs["/shop/0"]
    assert sorted(request.path for request in web.log) == [
        "/",
        "/real",
        "/robots.txt",
        *(f"/shop/{n}" for n in range(5)),
    ]


@pytest.mark.parametrize("entry", TRAPS)
def test_the_real_page_beside_a_trap_is_fetched(entry: str, trapped: Trapped) -> None:
    assert trapped.crawled.titles[trapped.webs[entry].url + "/real"] == "Real"


def test_what_closed_a_pattern_is_an_event(trapped: Trapped) -> None:
    events = trapped.crawled.collection.events.read_text(encoding="utf-8")
    assert "trap closed" in events and "/print/#" in events


# ── pages that are made up ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("strategy", ["auto", "blind"])
def test_a_site_that_makes_up_its_pages_is_closed(tmp_path: Path, strategy: str) -> None:
    with ScriptedWeb() as web:
        web.add("/robots.txt", html("none", status=404))
        web.add("/*", fake_blog())
        crawled = crawl(tmp_path, web.url + "/", settings={"strategy": strategy}, options=("--limit", "3000"))
        asked = len(web.log)
    assert (crawled.code, crawled.summary["queued"]) == (0, 0)
    assert asked < 800
    assert crawled.summary["skipped"]["trap"] > 500
    reasons = {detail for reason, detail in crawled.skipped.values() if reason == "trap"}
    assert any("was made up" in each or "were made up" in each for each in reasons)
