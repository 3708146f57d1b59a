"""Feeds watched by whole crawls: what is visited when, what is kept of it, and what a crash leaves."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from anansi.archive.export import objects
from anansi.archive.layout import Collection
from anansi.archive.objects import pieces, segments
from anansi.frontier.lifecycle import State
from anansi.frontier.priority import UPDATES
from anansi.frontier.store import Store
from tests.crawl.case import Crawled, begin, crawl, finish
from tests.web import Reply, ScriptedWeb, html, redirect
from tests.web.newsroom import Newsroom
from tests.web.wire import soon

DAY = 86400.0
FAR = 1e11


def room(articles: int = 6, **how: Any) -> Newsroom:
    made = Newsroom(**how)
    for number in range(articles):
        made.publish(time.time() - DAY * (articles - number))
    return made


def watch(folder: Path, *seeds: str, options: tuple[str, ...] = ()) -> Crawled:
    return crawl(folder, *seeds, options=("--once", *options), verb="watch")


def let_time_pass(folder: Path, *paths: str) -> None:
    """Let what waits fall due: all, or what has one of the paths."""
    store = Store(folder / "collection" / "state" / "frontier", UPDATES["first"])
    for _, visit in list(store.waiting()):
        if not paths or visit.key.endswith(paths):
            assert store.hasten(visit, FAR)
    store.commit()
    store.close()


def states(folder: Path) -> dict[str, State]:
    """Return what became of every URL, by path."""
    store = Store(folder / "collection" / "state" / "frontier", UPDATES["first"])
    found = {"/" + url.partition("://")[2].partition("/")[2]: state for url, state in store.urls()}
    store.close()
    return found


def statements(collection: Collection) -> str:
    return "".join(piece.data.decode() for path in segments(collection) for piece in pieces(path, 0))


def asked(web: ScriptedWeb, since: int = 0) -> list[str]:
    return [path for path in web.paths()[since:] if path != "/robots.txt"]


def test_a_feed_its_channel_its_items_and_their_comments_are_kept(tmp_path: Path) -> None:
    news = room()
    news.articles[-1].comments.append(("Ada", "I was there and saw the lantern myself."))
    with ScriptedWeb() as web:
        web.add("/*", news)
        crawled = watch(tmp_path, web.url + "/feed.xml")
        stories = [f"/story/{number}" for number in range(1, 7)]
        assert sorted(asked(web)) == sorted(
            ["/feed.xml", "/", *stories, *(f"{each}/comments.xml" for each in stories)]
        )
        written = statements(crawled.collection)
        for article in news.articles:
            assert article.paragraphs[-1] in written
        assert news.advertisement not in written
        assert "I was there and saw the lantern myself." in written
        assert "reporter1" in written
    assert crawled.code == 0


def test_only_what_is_new_or_changed_is_asked_for_later(tmp_path: Path) -> None:
    news = room(comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        watch(tmp_path, web.url + "/feed.xml")
        before = len(web.log)
        watch(tmp_path)
        assert asked(web, before) == []
        news.publish(time.time())
        news.articles[3].paragraphs[0] = "All of it was wrong. " + news.articles[3].paragraphs[0]
        let_time_pass(tmp_path, "/feed.xml")
        crawled = watch(tmp_path)
        assert sorted(asked(web, before)) == ["/", "/feed.xml", "/story/4", "/story/7"]
        assert "All of it was wrong." in statements(crawled.collection)
        assert "new=1;changed=1" in crawled.annotations(web.url + "/feed.xml")


def test_a_feed_without_news_costs_one_conditional_request(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/*", room())
        watch(tmp_path, web.url + "/feed.xml")
        before = len(web.log)
        let_time_pass(tmp_path, "/feed.xml")
        crawled = watch(tmp_path)
        assert asked(web, before) == ["/feed.xml"]
        assert crawled.statuses(web.url + "/feed.xml") == [200, 304]


def test_a_page_whose_template_alone_changed_is_no_new_version(tmp_path: Path) -> None:
    news = room(2, comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        crawled = watch(tmp_path, web.url + "/feed.xml")
        size = len(statements(crawled.collection))
        news.advertisement = "Buy our coffee, it is fresh."
        let_time_pass(tmp_path)
        crawled = watch(tmp_path)
        assert len(crawled.kept(web.url + "/story/1")) == 2
        assert crawled.annotations(web.url + "/story/1").endswith("unchanged:boilerplate")
        assert len(statements(crawled.collection)) == size
        news.articles[0].paragraphs[3] += " And more."
        let_time_pass(tmp_path)
        crawled = watch(tmp_path)
        assert "changed:text" in crawled.annotations(web.url + "/story/1")
        assert "And more." in statements(crawled.collection)


def test_a_site_is_watched_by_the_feeds_that_it_names(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/*", room(3, comment_feeds=False))
        watch(tmp_path, web.url + "/")
        assert sorted(asked(web)) == ["/", "/feed.xml", "/story/1", "/story/2", "/story/3"]


def test_a_site_without_feeds_is_crawled_and_its_pages_are_watched(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/", html("Home", ["/a", "/b"]))
        web.add("/a", html("A", text="Something about ants and what they carry."))
        web.add("/b", html("B", text="Something else about bees and where they live."))
        watch(tmp_path, web.url + "/")
        assert sorted(asked(web)) == ["/", "/a", "/b"]
    assert set(states(tmp_path).values()) == {State.WAITING}


def test_subscriptions_are_watched_from_a_file_and_from_the_web(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/*", room(1, comment_feeds=False))
        opml = f'<opml><body><outline xmlUrl="{web.url}/feed.xml" text="Daily"/></body></opml>'
        web.add("/list.opml", Reply(200, (("Content-Type", "text/x-opml"),), opml.encode()))
        (tmp_path / "mine.opml").write_text(opml)
        watch(tmp_path / "file", str(tmp_path / "mine.opml"))
        watch(tmp_path / "web", web.url + "/list.opml")
        assert asked(web).count("/story/1") == 2


def test_a_feed_that_moved_for_good_is_watched_where_it_is_and_its_items_are_known(tmp_path: Path) -> None:
    news = room(3, comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        watch(tmp_path, web.url + "/feed.xml")
        news.feed_at = "/new.xml"
        web.add("/feed.xml", redirect("/new.xml", status=301))
        before = len(web.log)
        let_time_pass(tmp_path, "/feed.xml")
        crawled = watch(tmp_path)
        assert asked(web, before) == ["/feed.xml", "/new.xml"]
        assert "new=0;changed=0" in crawled.annotations(web.url + "/new.xml")
    known = states(tmp_path)
    assert (known["/feed.xml"], known["/new.xml"]) == (State.WAITING, State.WAITING)


@pytest.mark.parametrize(("status", "state"), [(404, State.WAITING), (500, State.WAITING), (410, State.MISSING)])
def test_a_feed_that_fails_is_watched_on_unless_it_is_gone_for_good(
    tmp_path: Path, status: int, state: State
) -> None:
    with ScriptedWeb() as web:
        web.add("/*", room(1, comment_feeds=False))
        watch(tmp_path, web.url + "/feed.xml")
        web.add("/feed.xml", Reply(status, (), b"sorry"))
        let_time_pass(tmp_path, "/feed.xml")
        watch(tmp_path)
        assert states(tmp_path)["/feed.xml"] is state


def test_what_a_person_gives_that_is_no_feed_is_said(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear all,")
    refused = crawl(tmp_path, str(tmp_path / "letter.txt"), options=("--once",), verb="watch", sound=False)
    assert refused.code != 0
    assert "is no list of feeds (OPML)" in refused.errors


def feed_of(items: str, more: str = "") -> Reply:
    body = f"<rss version='2.0'><channel><title>Odd</title>{more}{items}</channel></rss>"
    return Reply(200, (("Content-Type", "application/rss+xml"),), body.encode())


def test_items_without_links_are_kept_as_the_feed_has_them(tmp_path: Path) -> None:
    items = "<item><title>A note</title><description>Nothing but these few words about kites.</description></item>"
    with ScriptedWeb() as web:
        web.add("/feed", feed_of(items))
        crawled = watch(tmp_path, web.url + "/feed")
        assert asked(web) == ["/feed"]
        assert "Nothing but these few words about kites." in statements(crawled.collection)
        before = len(statements(crawled.collection))
        let_time_pass(tmp_path)
        crawled = watch(tmp_path)
        assert len(statements(crawled.collection)) == before


def test_links_that_repeat_and_redirect_lead_to_one_visit_of_each(tmp_path: Path) -> None:
    items = "".join(f"<item><title>T{n}</title><link>/go/{n % 2}</link><guid>g{n}</guid></item>" for n in range(6))
    with ScriptedWeb() as web:
        web.add("/feed", feed_of(items))
        web.add("/go/0", redirect("/page"))
        web.add("/go/1", redirect("/page"))
        web.add("/page", html("T0", text="One page behind two addresses."))
        watch(tmp_path, web.url + "/feed")
        assert sorted(asked(web)) == ["/feed", "/go/0", "/go/1", "/page"]


@pytest.mark.parametrize("date", ["yesterday", "32 Foo 2020", "9999-99-99", "Thu, 01 Jan 2099 00:00:00 GMT", ""])
def test_dates_that_cannot_be_true_disturb_nothing(tmp_path: Path, date: str) -> None:
    items = (
        f"<item><title>Kites</title><guid>1</guid><description>High.</description><pubDate>{date}</pubDate></item>"
    )
    with ScriptedWeb() as web:
        web.add("/feed", feed_of(items))
        crawled = watch(tmp_path, web.url + "/feed")
        assert "new=1" in crawled.annotations(web.url + "/feed")
    assert states(tmp_path)["/feed"] is State.WAITING


def test_a_bomb_of_entities_is_read_as_text_and_ends_nothing(tmp_path: Path) -> None:
    lol = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    item = "<rss version='2.0'><channel><item><title>&a9;</title></item></channel></rss>"
    bomb = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "lol">{lol}]>{item}'
    with ScriptedWeb() as web:
        web.add("/feed", Reply(200, (("Content-Type", "text/xml"),), bomb.encode()))
        crawled = watch(tmp_path, web.url + "/feed")
        assert crawled.code == 0
        assert crawled.memory < 400 << 20
    assert states(tmp_path)["/feed"] in (State.WAITING, State.DONE)


def test_a_feed_of_50_mb_is_archived_whole_and_its_first_items_are_read(tmp_path: Path) -> None:
    item = "<item><title>Long</title><guid>{}</guid><description>" + "word " * 2000 + "</description></item>"
    with ScriptedWeb() as web:
        web.add("/feed", feed_of("".join(item.format(number) for number in range(5300))))
        crawled = watch(tmp_path, web.url + "/feed")
        assert len(crawled.one(web.url + "/feed").body) > 50 << 20
        assert "new=" in crawled.annotations(web.url + "/feed")
        assert crawled.memory < 700 << 20


def test_what_items_teach_about_their_site_is_kept_as_knowledge(tmp_path: Path) -> None:
    news = room(8, comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        crawled = watch(tmp_path, web.url + "/feed.xml")
    learned = list((crawled.collection.root / "knowledge" / "learned").glob("*.xml"))
    assert len(learned) == 1
    assert "story-text" in learned[0].read_text()


def test_what_a_feed_tells_of_its_items_stays_when_their_pages_are_read_again(tmp_path: Path) -> None:
    news = room(8, comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        crawled = watch(tmp_path, web.url + "/feed.xml")
    assert any("pages read again" in line for line in crawled.collection.events.read_text().splitlines())
    rows = {row["uri"]: row for each in objects(crawled.collection) if (row := each.row())["type"] == "article"}
    assert len(rows) == 8
    for article in news.articles:
        row = rows[f"{web.url}/story/{article.number}"]
        assert row["title"] == article.title and row["author"] and row["date"]
        assert article.paragraphs[-1] in row["text"]


def test_a_watch_that_was_killed_goes_on_without_loss(tmp_path: Path) -> None:
    news = room(10, comment_feeds=False)
    with ScriptedWeb() as web:
        web.add("/*", news)
        running = begin(tmp_path, web.url + "/feed.xml", verb="watch", delay=0.1)
        assert soon(lambda: web.count("/story/*") >= 4)
        running.process.kill()
        running.process.wait()
        crawled = watch(tmp_path)
        for article in news.articles:
            assert crawled.kept(f"{web.url}/story/{article.number}")
            assert article.paragraphs[-1] in statements(crawled.collection)


def test_it_runs_until_it_is_stopped(tmp_path: Path) -> None:
    with ScriptedWeb() as web:
        web.add("/*", room(1, comment_feeds=False))
        running = begin(tmp_path, web.url + "/feed.xml", verb="watch")
        assert soon(lambda: web.count("/story/1") > 0)
        time.sleep(1)
        assert running.process.poll() is None
        running.interrupt()
        assert finish(running).code == 0
