"""Where a shortcut fails, the type's ordinary lists are followed: no content is lost for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.case import crawl
from tests.web import Reply, ScriptedWeb, html
from tests.web.blog import JSON, Blog
from tests.web.discourse import Discourse
from tests.web.wiki import Wiki

NAMES = tuple(f"{one}{other}" for one in ("Heron", "Bittern", "Egret", "Stork") for other in "abcdefghij")
FAILS = {
    "404": Reply(404, (), b"no"),
    "403": Reply(403, (), b"no"),
    "500": Reply(500, (), b"oops"),
    "a page": html("Welcome", ()),
    "an empty list": Reply(200, (JSON,), b"[]"),
    "no answer worth the name": Reply(200, (JSON,), b'{"error":{"code":"readapidenied"}}'),
}


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.8") as web:
        yield web


@pytest.mark.parametrize("answer", FAILS.values(), ids=FAILS)
def test_a_wiki_without_its_interface_is_read_by_its_list_of_all_pages(
    answer: Reply, web: ScriptedWeb, tmp_path: Path
) -> None:
    web.add("/*", Wiki(NAMES, odd={"/w/api.php": answer}))
    done = crawl(tmp_path, web.url + "/wiki/Main_Page")
    assert [name for name in NAMES if web.count(f"/wiki/{name}") != 1] == []
    assert done.code == 0 and len(web.log) <= len(NAMES) + 16


def test_a_wiki_that_names_neither_interface_nor_list_is_looked_into(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/*", Wiki(NAMES, named=False))
    crawl(tmp_path, web.url + "/wiki/Main_Page")
    assert [name for name in NAMES if web.count(f"/wiki/{name}") != 1] == []


@pytest.mark.parametrize("answer", FAILS.values(), ids=FAILS)
def test_a_forum_without_its_sitemap_is_read_by_its_lists(answer: Reply, web: ScriptedWeb, tmp_path: Path) -> None:
    forum = Discourse(odd={"/sitemap.xml": answer})
    web.add("/*", forum)
    done = crawl(tmp_path, web.url + "/")
    assert [n for n in range(1, forum.topics + 1) if web.count(forum.topic(n)) != 1] == []
    assert done.code == 0


@pytest.mark.parametrize("answer", FAILS.values(), ids=FAILS)
def test_a_blog_without_its_shortcuts_is_read_by_its_lists(answer: Reply, web: ScriptedWeb, tmp_path: Path) -> None:
    interface = "/wp-json/wp/v2/posts?per_page=100&_fields=link&page="
    blog = Blog(posts=40, shown=3, api=True, odd={interface + "1": answer, "/wp-sitemap.xml": answer})
    web.add("/*", blog)
    crawl(tmp_path, web.url + "/")
    assert [n for n in range(1, 41) if web.count(blog.post(n)) != 1] == []


@pytest.mark.parametrize("name", ["403", "500", "a page"])
def test_an_interface_that_breaks_off_is_not_taken_for_all(name: str, web: ScriptedWeb, tmp_path: Path) -> None:
    interface = "/wp-json/wp/v2/posts?per_page=100&_fields=link&page="
    blog = Blog(posts=150, shown=5, api=True, far=False, odd={interface + "2": FAILS[name]})
    web.add("/*", blog)
    crawl(tmp_path, web.url + "/")
    assert [n for n in range(1, 151) if web.count(blog.post(n)) != 1] == []
