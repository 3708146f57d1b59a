"""Pages that name another address as their own: duplicates are left out, and nothing is lost by a wrong one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb, html
from tests.web.replies import HTML

ITEMS = 8
WORDS = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath")


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.2") as web:
        yield web


def page(word: str, canonical: str, *, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    link = f"<link rel='canonical' href='{canonical}'>" if canonical else ""
    lines = "".join(f"<p>{word} {each} is a line of its own</p>" for each in ("one", "two", "three"))
    return Reply(200, (HTML, *headers), f"<html><head>{link}</head><body>\n{lines}\n</body></html>".encode())


def site(web: ScriptedWeb, canonical: str, second: str) -> None:
    """Add `/short-#` pages that name `canonical`, and `/long-#` pages that hold what `second` says."""
    pairs = [
        [f"/{kind}-{n}" for n in numbers] for numbers in (range(2), range(2, ITEMS)) for kind in ("short", "long")
    ]
    web.add("/", html("Home", [link for links in pairs for link in links]))
    for number, word in enumerate(WORDS):
        web.add(f"/short-{number}", page(word, canonical.format(number)))
        web.add(f"/long-{number}", page(second.format(word), ""))


def crawled(web: ScriptedWeb, folder: Path) -> Crawled:
    return crawl(folder, web.url + "/")


def fetched(web: ScriptedWeb, kind: str) -> int:
    return sum(web.count(f"/{kind}-{number}") for number in range(ITEMS))


def test_what_shows_the_same_page_is_fetched_once_it_is_believed(web: ScriptedWeb, tmp_path: Path) -> None:
    site(web, "/long-{}", "{}")
    done = crawled(web, tmp_path)
    assert fetched(web, "short") == ITEMS
    assert fetched(web, "long") <= 4  # two had to be compared, and another may have been on its way
    same = f"the same as {web.url}/short-3, which names it"
    assert done.skipped[f"{web.url}/long-3"] == ("duplicate", same)
    assert done.summary["skipped"]["duplicate"] == ITEMS - fetched(web, "long")


@pytest.mark.parametrize(
    ("canonical", "second"),
    [
        ("/", "{}"),
        ("http://127.0.9.9:1/long-{}", "{}"),
        ("/long-{}", "something else about {}"),
        ("/long-0", "all {}"),
    ],
    ids=["the home page", "another host", "other content", "one page for all"],
)
def test_a_wrong_name_loses_nothing(canonical: str, second: str, web: ScriptedWeb, tmp_path: Path) -> None:
    site(web, canonical, second)
    done = crawled(web, tmp_path)
    assert (fetched(web, "short"), fetched(web, "long")) == (ITEMS, ITEMS)
    assert "duplicate" not in done.summary["skipped"]


def test_the_pages_of_a_thread_that_all_name_the_first_are_kept(web: ScriptedWeb, tmp_path: Path) -> None:
    threads = [f"/thread/{n}" for n in range(4)]
    pages = [f"{thread}?page={n}" for thread in threads for n in (1, 2, 3)]
    web.add("/", html("Home", [*reversed(pages), *threads]))
    for thread in threads:
        web.add(thread, page(f"first page of {thread}", thread))
        for number in (1, 2, 3):
            web.add(f"{thread}?page={number}", page(f"{WORDS[number]} {thread}", thread))
    crawled(web, tmp_path)
    assert sorted(web.paths()) == sorted(["/robots.txt", "/", *threads, *pages])


def test_the_header_is_as_good_as_the_head(web: ScriptedWeb, tmp_path: Path) -> None:
    site(web, "/long-{}", "{}")
    for number, word in enumerate(WORDS):
        header = ("Link", f'</long-{number}>; rel="canonical"')
        web.add(f"/short-{number}", page(word, "", headers=(header,)))
    crawled(web, tmp_path)
    assert fetched(web, "long") <= 4


def test_a_blind_crawl_fetches_everything(web: ScriptedWeb, tmp_path: Path) -> None:
    site(web, "/long-{}", "{}")
    crawl(tmp_path, web.url + "/", options=("--strategy", "blind"))
    assert fetched(web, "long") == ITEMS
