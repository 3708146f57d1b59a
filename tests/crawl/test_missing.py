"""What a crawl could not have is told: in the summary, on the terminal, and by its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anansi.archive.export import objects
from anansi.cli.status import read_status
from anansi.crawl.restore.reread import read_again
from anansi.model import Gap
from tests.crawl.case import crawl
from tests.web import (
    Reply,
    ScriptedWeb,
    html,
    in_turn,
    not_modified,
    raw,
    redirect,
    redirect_growing,
    redirect_self,
)

TEXT = "<p>" + "The harbour was rebuilt in three stages after the flood of 1962, and the market moved north. " * 12
SHELL = '<title>App</title><div id="root"></div><script type="module" src="/a.js"></script>'
LOGIN = '<title>Sign in</title><form><input name="u"><input type="password" name="p"></form>'
SEARCH = '<title>Catalogue</title><form action="/find"><input name="q"></form><a href="/about">About</a>'


def page(body: str) -> Reply:
    """Answer with a page."""
    return Reply(200, (("Content-Type", "text/html; charset=utf-8"),), f"<html><body>{body}</body></html>".encode())


@pytest.mark.parametrize(
    ("body", "kind"), [(SHELL, Gap.SHELL), (LOGIN, Gap.LOGIN), (SEARCH, Gap.FORM), ("", Gap.EMPTY)]
)
def test_a_seed_that_withholds_its_content_ends_with_a_code_of_its_own(body: str, kind: Gap, tmp_path: Path) -> None:
    """The same crawls ended with `finished, 1 page, skipped 0` and code 0."""
    with ScriptedWeb() as web:
        web.add("/", page(body))
        web.add("/about", page(TEXT))
        crawled = crawl(tmp_path, web.url + "/")
    assert crawled.code == 13
    assert crawled.summary["state"] == "gaps"
    assert crawled.summary["seeds"] == {web.url + "/": kind.value}
    gap = crawled.summary["gaps"][kind.value]
    assert gap["count"] == 1 and gap["examples"] == [web.url + "/"] and gap["means"] and gap["do"]
    assert crawled.summary["sites"]["127.0.0.1"]["gaps"][kind.value] == gap
    told = read_status(crawled.collection)
    assert told["gaps"] == crawled.summary["gaps"]


def test_a_wall_behind_a_seed_is_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", page(f'<a href="/a">a</a><a href="/b">b</a><a href="/members">m</a>{TEXT}'))
        web.add("/a", page(TEXT + "about a"))
        web.add("/b", page(TEXT + "about b"))
        web.add("/members", redirect("/enter?to=members"))
        web.add("/enter?to=members", page(LOGIN))
        crawled = crawl(tmp_path, web.url + "/")
    assert (crawled.code, crawled.summary["state"]) == (0, "finished")
    assert crawled.summary["gaps"]["login"]["examples"] == [web.url + "/enter?to=members"]
    events = [json.loads(line) for line in crawled.collection.events.read_text().splitlines()]
    assert [(each["kind"], each["url"]) for each in events if each["event"] == "gap"] == [
        ("login", web.url + "/enter?to=members")
    ]


def test_an_ordinary_site_has_no_gaps(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/a", "/b"]))
        web.add("/a", page(TEXT + "about a"))
        web.add("/b", page(TEXT + "about b"))
        crawled = crawl(tmp_path, web.url + "/")
    assert (crawled.code, crawled.summary["gaps"], crawled.summary["left"]) == (0, {}, {})


def test_a_seed_that_is_not_there_is_told(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("gone", status=404))
        crawled = crawl(tmp_path, web.url + "/")
    assert (crawled.code, crawled.summary["seeds"]) == (13, {web.url + "/": Gap.ERROR.value})


PAGES = [f"/p{number}" for number in range(8)]
BROKEN = Reply(500, (("Content-Type", "text/html"),), b"<h1>Internal Server Error</h1>")


@pytest.mark.parametrize(("broken", "ending"), [(8, (13, "gaps")), (2, (14, "incomplete"))])
def test_pages_at_which_the_server_fails_are_told(broken: int, ending: tuple[int, str], tmp_path: Path) -> None:
    """A seed and nothing but errors behind it: `finished: 92 requests, 1 pages`, code 0."""
    with ScriptedWeb() as web:
        web.add("/", html("home", PAGES, TEXT))
        for number, path in enumerate(PAGES):
            good = page(f"{TEXT} about {number}")
            web.add(path, in_turn(BROKEN, BROKEN, BROKEN, good) if number < broken else good)
        crawled = crawl(tmp_path, web.url + "/")
        again = crawl(tmp_path, options=("--recrawl",))
    assert (crawled.code, crawled.summary["state"]) == ending
    assert crawled.summary["gaps"][Gap.FAILING.value]["count"] == broken
    assert (again.code, again.summary["gaps"]) == (0, {})


def test_a_page_that_is_broken_off_is_told(tmp_path: Path) -> None:
    half = raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90000\r\n\r\n<p>The first")
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/a", "/b"], TEXT))
        web.add("/a", page(TEXT + "about a"))
        web.add("/b", half)
        crawled = crawl(tmp_path, web.url + "/")
    assert (crawled.code, crawled.summary["gaps"][Gap.FAILING.value]["examples"]) == (14, [web.url + "/b"])


def test_a_page_for_which_no_answer_comes_is_told(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("home", PAGES, TEXT))
        for path in PAGES[1:]:
            web.add(path, page(f"{TEXT} about {path}"))
        web.add(PAGES[0], raw(b""))
        crawled = crawl(tmp_path, web.url + "/")
    assert (crawled.code, crawled.summary["gaps"][Gap.UNANSWERED.value]["examples"]) == (14, [web.url + PAGES[0]])


@pytest.mark.parametrize(
    ("path", "why"),
    [("/one", "redirects in a circle"), ("/on/", "a redirect, and not followed"), ("/self", "circle")],
)
def test_a_seed_whose_redirects_lead_nowhere_is_told(path: str, why: str, tmp_path: Path) -> None:
    """`finished: 4 requests, 0 pages`, code 0."""
    with ScriptedWeb() as web:
        web.add("/one", redirect("/two"))
        web.add("/two", redirect("/three"))
        web.add("/three", redirect("/two"))
        web.add("/self", redirect_self())
        web.add("/on/*", redirect_growing())
        web.add("/good", page(TEXT))
        crawled = crawl(tmp_path, web.url + path, web.url + "/good")
    assert (crawled.code, list(crawled.summary["seeds"].values())) == (13, [Gap.ERROR.value])
    assert why in crawled.summary["gaps"][Gap.ERROR.value]["detail"]


def test_every_page_that_redirects_to_a_login_is_missing(tmp_path: Path) -> None:
    """One login at one address was one gap, however many pages redirected there; none if a link led there, too."""
    with ScriptedWeb() as web:
        web.add("/", html("home", ["/login", *PAGES], TEXT))
        web.add("/login", page(LOGIN))
        for path in PAGES:
            web.add(path, redirect("/login?next=" + path))
            web.add("/login?next=" + path, redirect("/login"))
        crawled = crawl(tmp_path, web.url + "/")
    assert crawled.code == 13
    assert crawled.summary["gaps"][Gap.LOGIN.value]["count"] >= len(PAGES) - 2


STORY = (
    '<html><head><title>Story</title><meta name="generator" content="WordPress 5.8"></head>'
    '<body class="single single-post postid-7"><article id="post-7" class="post-7 post hentry">'
    '<h1 class="entry-title">Story</h1><div class="entry-content">{}</div>'
    '<time class="entry-date published" datetime="2020-01-07T10:00:00+00:00">7 January</time></article></body></html>'
)
PAID = '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>'


@pytest.mark.parametrize(
    "later",
    [
        '<form><p>Enter the password of this page:</p><input type="password"></form>',
        "<p>You must be logged in to view this content.</p>",
        f"<p>The harbour was rebuilt in three stages.</p>{PAID}",
    ],
)
def test_a_wall_that_comes_later_replaces_nothing_in_exports(later: str, tmp_path: Path) -> None:
    """Walls in the markup of an article were read as the article, also when the archive was read again."""
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    with ScriptedWeb() as web:
        replies = (Reply(200, kind, STORY.format(each).encode()) for each in (TEXT, later))
        web.add("/2020/01/07/story/", in_turn(*replies))
        crawl(tmp_path, web.url + "/2020/01/07/story/")
        crawled = crawl(tmp_path, options=("--recrawl",))
    for _ in range(2):
        (story,) = (each.row() for each in objects(crawled.collection, ("article",)))
        assert len(story["text"]) > 1000
        read_again(crawled.collection)


def test_what_a_later_visit_captures_is_not_missing_any_more(tmp_path: Path) -> None:
    """Who logged in and crawled again was told of the walls for ever, and the pages behind them were not counted."""
    wall = page(LOGIN)
    with ScriptedWeb() as web:
        links = "".join(f'<a href="/{name}">{name}</a>' for name in "abc")
        web.add("/", in_turn(wall, page(links + TEXT)))
        web.add("/enter", in_turn(wall, page(TEXT + "inside")))
        first = crawl(tmp_path, web.url + "/", web.url + "/enter")
        assert (first.code, first.summary["gaps"]["login"]["count"]) == (13, 2)
        for name in "abc":
            web.add(f"/{name}", page(TEXT + name))
        second = crawl(tmp_path, options=("--recrawl",))
        third = crawl(tmp_path)
    for again in (second, third):
        assert (again.code, again.summary["gaps"], again.summary["seeds"]) == (0, {}, {})
    assert second.summary["sites"]["127.0.0.1"]["gaps"] == {}


def test_a_gap_that_did_not_change_stays_one(tmp_path: Path) -> None:
    """An empty shell answered 304 to a second crawl, which then said that nothing was missing."""
    with ScriptedWeb() as web:
        web.add("/", not_modified('"1"', f"<html><body>{SHELL}</body></html>".encode()))
        web.add("/list", page('<a href="/a">a</a><a href="/b">b</a>' + TEXT))
        for name in "ab":
            web.add(f"/{name}", page(TEXT + name))
        crawl(tmp_path, web.url + "/", web.url + "/list")
        second = crawl(tmp_path, options=("--recrawl",))
    assert second.statuses(web.url + "/") == [200, 304]
    assert (second.code, second.summary["gaps"][Gap.SHELL.value]["count"]) == (13, 1)


def test_a_crawl_that_leaves_urls_queued_does_not_end_as_finished(tmp_path: Path) -> None:
    """A budget kept eight pages back; that ended with 0 before."""
    with ScriptedWeb() as web:
        web.add("/", html("home", [f"/{number}" for number in range(10)]))
        for number in range(10):
            web.add(f"/{number}", page(TEXT + str(number)))
        settings = {"sites": {"127.0.0.1": {"budget": 4}}}
        crawled = crawl(tmp_path, web.url + "/", settings=settings)
    assert (crawled.code, crawled.summary["state"]) == (14, "incomplete")
    assert crawled.summary["left"] == {"budget": crawled.summary["queued"]}
    assert crawled.summary["queued"] > 0


def test_what_pages_need_is_listed_once_when_it_is_not_wanted_and_fetched_when_it_is(tmp_path: Path) -> None:
    parts = '<img src="/i.png"><script src="/s.js"></script><link rel="stylesheet" href="/s.css">'
    with ScriptedWeb() as web:
        web.add("/", page(f'<a href="/a">a</a><a href="/i.png">picture</a>{parts}{TEXT}'))
        web.add("/a", page(parts + TEXT + "about a"))
        for path in ("/i.png", "/s.js", "/s.css"):
            web.add(path, Reply(200, (("Content-Type", "application/octet-stream"),), b"x"))
        first = crawl(tmp_path, web.url + "/", options=("--no-requisites",))
        lines = [json.loads(line) for line in first.collection.skipped.read_text().splitlines()]
        listed = [each["url"] for each in lines if each["reason"] == "page requisite"]
        assert sorted(listed) == [web.url + path for path in ("/s.css", "/s.js")]
        assert web.count("/i.png") == 1, "it is linked, too"
        assert web.count("/s.js") == 0
        second = crawl(tmp_path, options=("--requisites",))
        assert web.count("/s.js") == web.count("/s.css") == 1
    assert second.summary["skipped"].get("page requisite", 0) == 0
