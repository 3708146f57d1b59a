"""A blog with shortcuts: they save lists, and what is wrong with them costs a request and no post."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb, html, redirect
from tests.web.blog import JSON, RSS, Blog, rss, sitemap
from tests.web.comments import wordpress

XML = ("Content-Type", "text/xml")


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.1") as web:
        yield web


def crawled(web: ScriptedWeb, blog: Blog, folder: Path, **how: Any) -> Crawled:
    web.add("/*", blog)
    return crawl(folder, web.url + "/", **how)


def missed(web: ScriptedWeb, blog: Blog) -> list[str]:
    asked = set(web.paths())
    return [blog.post(number) for number in range(1, blog.posts + 1) if blog.post(number) not in asked]


def lists(web: ScriptedWeb) -> list[int]:
    return [int(path.split("/")[2]) for path in web.paths() if path.startswith("/page/")]


def test_an_interface_that_lists_all_posts_leaves_lists_out(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=150, shown=5, api=True)
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == [] and done.code == 0
    assert web.count("/wp-json/wp/v2/posts") == 2
    assert len(lists(web)) <= 6  # of thirty


def test_what_a_shortcut_answers_is_archived_and_counted(web: ScriptedWeb, tmp_path: Path) -> None:
    done = crawled(web, Blog(posts=30, shown=3, feed=20), tmp_path)
    feed = done.one(web.url + "/feed/")
    assert feed.status == 200 and b"<rss" in feed.body
    assert done.summary["requests"] == len(web.log)
    assert web.url + "/feed/" not in done.titles


def test_pages_that_the_feed_reaches_are_left_out_with_the_reason(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=60, shown=3, feed=40)
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert set(range(14, 21)) <= set(lists(web))
    assert len(lists(web)) <= 9  # of twenty: one tells how many posts each shows
    reason, detail = done.skipped[web.url + "/page/2/"]
    assert (reason, detail) == ("no content", "the feed lists what pages 1 to 13 of this list show")


def test_a_feed_is_followed_while_it_lists_more_than_lists_do(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=60, shown=3, feed=15, paging=True)
    crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert web.count("/feed/") <= 5
    assert len(web.log) <= 60 + 12


def test_a_feed_that_lists_no_more_than_the_home_page_is_not_asked(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=40, shown=10, feed=10, paging=True)
    crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert web.count("/feed/") == 0


BAD = {
    "nothing": Reply(404, (), b"no"),
    "a page": html("Not a feed", ["/2019/01/01/from-a-page/"]),
    "garbage": Reply(200, (RSS,), b"\x00\x01<<<rss"),
    "an empty feed": Reply(200, (RSS,), rss([])),
    "an error": Reply(500, (), b"oops"),
    "entities": Reply(200, (RSS,), b'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + rss(["http://x/&a;"])),
    "a bomb": Reply(200, (("Content-Type", "application/x-gzip"),), gzip.compress(b" " * (64 << 20))),
    "elsewhere": redirect("http://127.0.0.9:1/feed/"),
}


@pytest.mark.parametrize("answer", BAD.values(), ids=BAD)
def test_a_bad_shortcut_costs_little_and_no_post(answer: Reply, web: ScriptedWeb, tmp_path: Path) -> None:
    bad = {
        "/feed/": answer,
        "/wp-sitemap.xml": answer,
        "/wp-json/wp/v2/posts?per_page=100&_fields=link&page=1": answer,
    }
    blog = Blog(posts=12, shown=3, feed=10, api=True, odd=bad)
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == [] and done.code == 0
    asked = [web.count(path) for path in bad]
    if answer.status != 500:  # which is tried again
        assert asked == [1, 1, 1]
    assert web.count("/wp-json/wp/v2/pages") == 0
    assert web.count("/2019/01/01/from-a-page/") == 0


def test_a_shortcut_that_repeats_itself_ends(web: ScriptedWeb, tmp_path: Path) -> None:
    same = Reply(200, (RSS,), rss(f"http://127.0.8.1:{web.port}/2020/03/{n:02}/again-{n}/" for n in range(1, 21)))
    blog = Blog(posts=12, shown=3, feed=10, odd={"/feed/": same, "/feed/?paged=2": same, "/feed/?paged=3": same})
    crawled(web, blog, tmp_path)
    assert web.count("/feed/") == 2
    assert missed(web, blog) == []


def test_hostile_links_are_refused_as_any_link_is(web: ScriptedWeb, tmp_path: Path) -> None:
    hostile = [
        "http://127.0.9.9:1/2020/03/01/other-host/",
        "http://192.168.1.1/2020/03/01/private/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        web.url + "/a/b/a/b/a/b/a/b/",
    ]
    feed = Reply(200, (RSS,), rss([*hostile, web.url + "/2020/03/01/fine/"]))
    blog = Blog(posts=12, shown=3, feed=10, odd={"/feed/": feed, "/2020/03/01/fine/": html("Fine")})
    done = crawled(web, blog, tmp_path)
    assert web.count("/2020/03/01/fine/") == 1
    assert done.skipped[hostile[0]][0] == done.skipped[hostile[1]][0] == "out of scope"
    assert done.skipped[hostile[4]][0] == "trap"


def test_robots_txt_is_obeyed_and_something_else_is_asked(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=30, shown=3, feed=20, api=True)
    web.add("/robots.txt", Reply(200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /wp-json/\n"))
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert web.count("/wp-json/*") == 0 and web.count("/feed/") == 2
    (interface,) = [url for url in done.skipped if "/wp-json/" in url]
    assert done.skipped[interface][0] == "robots"


def test_a_sitemap_that_robots_txt_names_is_asked_packed_or_not(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=40, shown=3)
    named = f"Sitemap: {web.url}/index.xml\n".encode()
    web.add("/robots.txt", Reply(200, (("Content-Type", "text/plain"),), named))
    parts = [f"{web.url}/posts.xml.gz", f"{web.url}/tags.xml", "http://127.0.9.9:1/other.xml"]
    index = "".join(f"<sitemap><loc>{part}</loc></sitemap>" for part in parts)
    web.add("/index.xml", Reply(200, (XML,), f"<sitemapindex>{index}</sitemapindex>".encode()))
    posts = gzip.compress(sitemap(web.url + blog.post(n) for n in range(1, 41)))
    web.add("/posts.xml.gz", Reply(200, (("Content-Type", "application/x-gzip"),), posts))
    crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert (web.count("/index.xml"), web.count("/posts.xml.gz"), web.count("/tags.xml")) == (1, 1, 0)
    assert len(lists(web)) <= 6  # of fourteen


def test_a_limit_on_links_is_about_links_so_nothing_is_asked(web: ScriptedWeb, tmp_path: Path) -> None:
    crawled(web, Blog(posts=30, shown=3, feed=20, api=True), tmp_path, options=("--max-hops", "1"))
    assert web.count("/feed/") == web.count("/wp-json/*") == 0


def test_a_blind_crawl_asks_nothing(web: ScriptedWeb, tmp_path: Path) -> None:
    crawled(web, Blog(posts=9, shown=3, feed=20, api=True), tmp_path, options=("--strategy", "blind"))
    assert web.count("/feed/") == web.count("/wp-json/*") == 0


def test_an_old_address_waits_for_the_one_that_lists_show(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=60, shown=3, feed=40)
    new = blog.post(55)
    old = "/2020/03/" + new.strip("/").rpartition("/")[2] + "/"
    old = old.replace("2020", new.split("/")[1])
    first = html("The newest", [old])
    page = Reply(
        200, first.headers, b"<meta name='generator' content='WordPress 5.7'><body class='single-post'>" + first.body
    )
    blog = Blog(posts=60, shown=3, feed=40, odd={blog.post(1): page, old: redirect(new, status=301)})
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == []
    assert web.count(old) == 0
    assert done.skipped[web.url + old] == ("duplicate", "found under another address, which the site lists")


def test_json_of_the_wrong_shape_lists_nothing(web: ScriptedWeb, tmp_path: Path) -> None:
    wrong = Reply(200, (JSON,), b'{"posts": [{"link": 5}, null, ["x"]]}')
    blog = Blog(posts=12, shown=3, api=True, odd={"/wp-json/wp/v2/posts?per_page=100&_fields=link&page=1": wrong})
    done = crawled(web, blog, tmp_path)
    assert missed(web, blog) == [] and done.code == 0


def test_all_lists_are_kept_when_that_is_asked_for(web: ScriptedWeb, tmp_path: Path) -> None:
    blog = Blog(posts=60, shown=3, feed=40, api=True)
    done = crawled(web, blog, tmp_path, options=("--lists",))
    assert missed(web, blog) == []
    assert sorted(lists(web)) == list(range(2, 21)), "every page of the list can be turned in replay"
    assert web.count("/wp-json/*") == 0
    assert done.code == 0


def test_lists_that_tell_of_nothing_new_are_kept_when_that_is_asked_for(web: ScriptedWeb, tmp_path: Path) -> None:
    names = ("rye", "oats", "wheat", "barley", "millet", "maize", "rice", "spelt", "teff", "emmer")
    kept = [f"/{kind}/{name}/" for kind in ("tag", "author", "category") for name in names]
    kept += ["/tag/rye/page/2/", *(f"/2020/{month:02}/" for month in range(1, 13))]
    links = "".join(f'<a href="{path}">{path}</a> ' for path in kept)
    entry = '<h2 class="entry-title"><a href="/2020/01/rye-bread/">Rye bread</a></h2>'
    web.add("/*", wordpress("archive", entry + links))
    web.add("/", wordpress("home blog", entry + links))
    text = '<h1 class="entry-title">Rye bread</h1><div class="entry-content"><p>Flour, water, salt.</p></div>'
    web.add("/2020/01/rye-bread/", wordpress("single-post postid-7", text + links))
    crawl(tmp_path / "few", web.url + "/")
    assert len(set(kept) & set(web.paths())) < len(kept) / 2, "samples alone"
    crawl(tmp_path / "all", web.url + "/", options=("--lists",))
    assert set(kept) <= set(web.paths())
