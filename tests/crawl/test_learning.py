"""Whole crawls of sites that nobody described: content is found, redundant views are left, whatever the site does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from anansi.archive.export import objects
from anansi.knowledge import shelf
from tests.crawl.case import Crawled, begin, crawl, finish
from tests.learn import unknown
from tests.web import Reply, ScriptedWeb
from tests.web.replies import HTML

THREADS, PER_LIST, VIEWS = 120, 20, 6
WORDS = [first + second for first in ("ba", "du", "ki", "lo", "me", "ny", "po") for second in "bdfgklmnprst"]
LEARN = ("--strategy", "learn")


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.9.7") as web:
        yield web


def page(title: str, body: str) -> Reply:
    menu = "<div id='menu'><a href='/'>Home</a></div>"
    text = f"<html><head><title>{title}</title></head><body>{menu}{body}</body></html>"
    return Reply(200, (HTML,), text.encode())


def said(number: int) -> str:
    rng = Random(number)
    return " ".join(rng.choice(WORDS) for _ in range(150))


def forum(web: ScriptedWeb) -> None:
    """Add a board that no entry knows: lists, threads, and of each thread several views that say the same."""
    lists = range(-(-THREADS // PER_LIST))
    web.add("/", page("Home", "".join(f"<div class='board'><a href='/b{n}'>Board {n}</a></div>" for n in lists)))
    for number in lists:
        threads = range(number * PER_LIST, min(THREADS, (number + 1) * PER_LIST))
        rows = "".join(f"<li class='row'><a class='title' href='/s/{n}'>Story {n:04}</a></li>" for n in threads)
        web.add(f"/b{number}", page(f"Board {number}", f"<ul id='rows'>{rows}</ul>"))
    for number in range(THREADS):
        views = "".join(
            f"<a class='view{v}' href='/as-{name}/{number}'>as {name}</a>" for v, name in enumerate("abcdef")
        )
        text = f"<div class='post'><p>{said(number)}</p></div><div class='tools'>{views}</div>"
        web.add(f"/s/{number}", page(f"Story {number:04}", text))
        for name in "abcdef":
            web.add(f"/as-{name}/{number}", page(f"Story {number:04}", f"<p>{said(number)}</p>"))


def threads(web: ScriptedWeb) -> int:
    return sum(web.count(f"/s/{number}") > 0 for number in range(THREADS))


def test_content_is_kept_and_redundant_views_are_left(web: ScriptedWeb, tmp_path: Path) -> None:
    forum(web)
    done = crawl(tmp_path / "learn", web.url + "/", options=LEARN)
    assert threads(web) == THREADS
    assert done.summary["requests"] < 0.45 * (THREADS * (VIEWS + 1))
    reasons = {reason for reason, _ in done.skipped.values()}
    assert "no content" in reasons
    assert done.summary["queued"] == 0


def test_what_was_learned_stands_in_the_collection_and_helps_the_next_crawl(web: ScriptedWeb, tmp_path: Path) -> None:
    forum(web)
    first = crawl(tmp_path / "first", web.url + "/", options=LEARN)
    (path,) = (tmp_path / "first" / "collection" / "knowledge" / "learned").glob("*.xml")
    patterns = [str(follow.pattern) for follow in shelf.in_file(path).learned[0].follows]
    assert any("contains(@class,'title')" in pattern for pattern in patterns)
    assert not any("view" in pattern for pattern in patterns)
    target = tmp_path / "home" / ".config" / "anansi" / "knowledge" / "learned" / path.name
    target.parent.mkdir(parents=True)
    target.write_bytes(path.read_bytes())
    second = crawl(tmp_path / "second", web.url + "/", options=LEARN, environment={"HOME": str(tmp_path / "home")})
    assert second.summary["requests"] <= first.summary["requests"] * 1.1
    assert threads(web) == THREADS


def test_a_site_that_nobody_knows_is_learned_unless_told_otherwise(web: ScriptedWeb, tmp_path: Path) -> None:
    forum(web)
    done = crawl(tmp_path / "auto", web.url + "/")
    assert threads(web) == THREADS
    assert done.summary["requests"] < 0.45 * (THREADS * (VIEWS + 1))


def test_a_crawl_that_was_stopped_goes_on_with_what_it_had_learned(web: ScriptedWeb, tmp_path: Path) -> None:
    forum(web)
    crawl(tmp_path, web.url + "/", options=(*LEARN, "--limit", "60"))
    done = crawl(tmp_path, web.url + "/", options=(*LEARN, "--limit", "100000"))
    assert threads(web) == THREADS
    assert max(web.count(f"/s/{number}") for number in range(THREADS)) == 1
    assert done.summary["requests"] < 0.5 * (THREADS * (VIEWS + 1))


def test_a_sample_is_taken_from_both_ends_and_patterns_learned_from_it_are_followed(
    web: ScriptedWeb, tmp_path: Path
) -> None:
    forum(web)
    first = crawl(tmp_path, web.url + "/", options=("--strategy", "sample", "--limit", "150"))
    assert first.code == 10
    learn = [
        sys.executable,
        "-m",
        "anansi.cli",
        "learn",
        str(first.collection.root),
        "--sample",
        "0",
        "-a",
        "both",
        "--json",
    ]
    told = json.loads(subprocess.run(learn, capture_output=True, check=True, timeout=60).stdout)
    assert len(told["patterns"]) >= 1
    before = threads(web)
    assert before < THREADS
    done = crawl(tmp_path, options=("--strategy", "patterns", "--limit", "100000"))
    assert done.code == 0
    assert threads(web) == THREADS
    assert max(web.count(f"/s/{number}") for number in range(THREADS)) == 1
    assert ("no content", "no pattern that was learned leads there") in done.skipped.values()


def test_without_patterns_there_is_nothing_to_follow(web: ScriptedWeb, tmp_path: Path) -> None:
    running = begin(tmp_path, web.url + "/", options=("--strategy", "patterns"))
    done = finish(running, sound=False)
    assert done.code == 2
    assert "nothing was learned yet; run `anansi learn" in done.errors


def _no_repetition(web: ScriptedWeb) -> int:
    for number in range(12):
        tag = ("p", "div", "section", "article", "td", "li")[number % 6]
        link = f"<{tag} class='c{'abcdefghijkl'[number]}'><a href='/{'x' * (number + 1)}'>on</a></{tag}>"
        web.add("/" if not number else f"/{'x' * number}", page(f"Page {number}", f"<p>{said(number)}</p>{link}"))
    web.add(f"/{'x' * 12}", page("The end", said(99)))
    return 13


def _single(web: ScriptedWeb) -> int:
    web.add("/", page("Alone", said(1)))
    return 1


SITES = {"no repetition": _no_repetition, "one page": _single}


@pytest.mark.parametrize("name", SITES)
def test_a_site_with_nothing_to_learn_is_kept_whole(web: ScriptedWeb, tmp_path: Path, name: str) -> None:
    pages = SITES[name](web)
    done = crawl(tmp_path, web.url + "/", options=LEARN)
    assert done.summary["pages"] == pages


def test_a_site_that_answers_everything_with_the_same_page_is_left_soon(web: ScriptedWeb, tmp_path: Path) -> None:
    links = "".join(f"<a href='/{number}'>{number}</a>" for number in range(300))
    for path in ("/", *(f"/{number}" for number in range(300))):
        web.add(path, page("Always", f"<p>{said(1)}</p>{links}"))
    done = crawl(tmp_path, web.url + "/", options=LEARN)
    assert done.summary["requests"] < 60
    assert done.code == 0


def test_what_robots_forbid_or_what_fails_does_not_stop_the_rest(web: ScriptedWeb, tmp_path: Path) -> None:
    forum(web)
    web.add("/robots.txt", Reply(200, (("content-type", "text/plain"),), b"User-agent: *\nDisallow: /b0\n"))
    for number in range(PER_LIST, PER_LIST + 5):
        web.add(f"/s/{number}", Reply(500, (HTML,), b"broken"))
    done = crawl(tmp_path, web.url + "/", options=LEARN)
    kept = {number for number in range(2 * PER_LIST, THREADS) if web.count(f"/s/{number}")}
    assert kept == set(range(2 * PER_LIST, THREADS))
    assert web.count("/b0") == 0
    assert isinstance(done, Crawled)


def test_an_unknown_site_yields_objects(web: ScriptedWeb, tmp_path: Path) -> None:
    site = unknown.forum(threads=150)
    boards = "".join(f"<a href='{path}'>{path}</a>" for path in site.pages if path.startswith("/board"))
    for path, text in {"/": f"<html><body>{boards}</body></html>", **site.pages}.items():
        web.add(path, Reply(200, (HTML,), text.encode()))
    done = crawl(tmp_path, web.url + "/")
    rows = [each.row() for each in objects(done.collection, ["post"])]
    found = {(row["author"][0], row["text"]) for row in rows if "author" in row and "text" in row}
    expected = {(said.author, said.text) for those in site.said.values() for said in those}
    assert len(found & expected) >= 0.95 * len(expected)
    assert len(found - expected) <= 0.02 * len(expected)
    assert done.summary["doubts"] == {}, "what was learned is not called unread"
    (entry,) = (done.collection.knowledge / "learned").glob("*.xml")
    learned = shelf.in_file(entry)
    assert learned.levels
    assert learned.learned[0].follows
