"""What stands on several pages is captured whole: which of its parts an address shows is told by the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from anansi.archive.export import objects
from anansi.archive.layout import Collection
from tests.crawl.case import crawl
from tests.web import Reply, ScriptedWeb
from tests.web.comments import Commented, wordpress

POSTS = (("bread", 12), ("ships", 3), ("tides", 0))


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.7") as web:
        yield web


def remarks(collection: Collection) -> set[str]:
    return {str(each.row()["text"]) for each in objects(collection, ("comment",))}


@pytest.mark.parametrize("newest_first", [True, False], ids=["newest first", "oldest first"])
def test_all_pages_of_comments_are_captured_and_none_twice(
    newest_first: bool, web: ScriptedWeb, tmp_path: Path
) -> None:
    blog = Commented(POSTS, newest_first=newest_first)
    web.add("/*", blog)
    done = crawl(tmp_path, web.url + "/")
    assert remarks(done.collection) == {f"Remark {n} on {name}" for name, count in POSTS for n in range(1, count + 1)}
    pages = [path for path in web.paths() if path.startswith(("/bread/", "/ships/", "/tides/"))]
    assert len(pages) == sum(blog.last(count) for _, count in POSTS)
    shown = blog.last(12) if newest_first else 1
    reason, detail = done.skipped[f"{web.url}/bread/comment-page-{shown}/"]
    assert (reason, detail) == ("duplicate", f"WordPress: {web.url}/bread/ shows it")
    assert json.loads(done.output)["state"] == "finished"


@pytest.mark.parametrize("at", ["/2020/01/a-long-story/", "/a-long-story/", "/2020/01/a-long-story", "/a-long-story"])
def test_a_post_in_several_parts_is_one_object_with_all_of_its_text(
    at: str, web: ScriptedWeb, tmp_path: Path
) -> None:
    parts = ["It began with rain on the roof.", "Then came a letter from Antwerp.", "Nobody ever answered it at all."]
    pages = [at, *(f"{at}{n}/" if at.endswith("/") else f"{at}/{n}" for n in (2, 3))]
    links = "".join(f'<a class="post-page-numbers" href="{each}">more</a>' for each in pages[1:])
    web.add("/", wordpress("home blog", f'<h2 class="entry-title"><a href="{at}">A long story</a></h2>'))
    for page, words in zip(pages, parts, strict=True):
        body = f'<h1 class="entry-title">A long story</h1><div class="entry-content"><p>{words}</p></div>{links}'
        web.add(page, wordpress("single-post postid-7", body))
    done = crawl(tmp_path, web.url + "/")
    (found,) = objects(done.collection, ("article",))
    assert found.uri == web.url + at
    assert found.row()["text"] == "\n\n".join(parts)


def test_comments_of_a_blog_whose_addresses_end_without_a_slash_are_of_one_post(
    web: ScriptedWeb, tmp_path: Path
) -> None:
    def post(*numbers: int) -> Reply:
        said = "".join(
            f'<li id="comment-{n}" class="depth-1"><div class="comment-content"><p>Remark {n}</p></div></li>'
            for n in numbers
        )
        more = '<a href="/bread/comment-page-1#comments">older</a>'
        return wordpress("single-post postid-7", f'<h1 class="entry-title">Bread</h1><ol>{said}</ol>{more}')

    web.add("/", wordpress("home blog", '<h2 class="entry-title"><a href="/bread">Bread</a></h2>'))
    web.add("/bread", post(3, 4))
    web.add("/bread/comment-page-1", post(1, 2))
    done = crawl(tmp_path, web.url + "/")
    assert [each.uri for each in objects(done.collection, ("article",))] == [web.url + "/bread"]
    found = [each.row() for each in objects(done.collection, ("comment",))]
    assert {each["part_of"] for each in found} == {web.url + "/bread"} and len(found) == 4
