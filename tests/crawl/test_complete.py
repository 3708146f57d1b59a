"""What was kept is held against what the site itself states: every loss is told, and a whole site is called whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from anansi.cli import app
from anansi.errors import UserError
from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb
from tests.web.board import Board
from tests.web.replies import HTML

BROKEN = Reply(500, (HTML,), b"<html><title>Error</title></html>")
BREAKS = {f"/viewforum.php?f=2&start={start}": BROKEN for start in (40, 60, 80)}
"""A board whose list ends in errors after forty threads."""
POST = "/2020/03/01/reeds/"


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.7") as web:
        yield web


def crawled(web: ScriptedWeb, behaviour: Any, folder: Path, **how: Any) -> Crawled:
    web.add("/*", behaviour)
    return crawl(folder, web.url + "/", **how)


def checked(done: Crawled) -> tuple[int, dict[str, Any]]:
    ran = CliRunner().invoke(app, ["check", str(done.collection.root), "--content", "--json"])
    return ran.exit_code, json.loads(ran.stdout)


def short(told: dict[str, Any], level: str) -> dict[str, tuple[str, int, int]]:
    return {
        each["of"].partition("://")[2].partition("/")[2]: (each["kind"], each["stated"], each["kept"])
        for each in told["worst"]
        if each["level"] == level
    }


def test_a_forum_that_was_kept_whole_is_complete(web: ScriptedWeb, tmp_path: Path) -> None:
    done = crawled(web, Board(), tmp_path)
    code, told = checked(done)
    assert code == 0 and told["ok"] and told["worst"] == []
    assert told["levels"]["thread"]["post"] == {
        "of": 60,
        "complete": 60,
        "grown": 0,
        "short": 0,
        "stated": 60 * 14,
        "kept": 60 * 14,
    }
    assert told["levels"]["board"]["thread"]["complete"] == told["levels"]["board"]["post"]["complete"] == 2
    assert told["levels"]["site"]["post"]["kept"] == 60 * 14
    assert done.summary["complete"]["stated"] == done.summary["complete"]["kept"] == 60 * 14
    assert json.loads(done.collection.summary.read_text())["complete"]["short"] == 0


def test_a_thread_whose_second_page_was_refused_is_short(web: ScriptedWeb, tmp_path: Path) -> None:
    done = crawled(web, Board(odd={"/viewtopic.php?t=107&start=10": BROKEN}), tmp_path)
    code, told = checked(done)
    assert code == 20
    assert short(told, "thread") == {"viewtopic.php?t=107": ("post", 14, 10)}
    assert short(told, "board") == {"viewforum.php?f=1": ("post", 420, 416)}
    assert done.summary["complete"]["short"] == 3  # and the site
    assert done.summary["complete"]["worst"][0]["stated"] - done.summary["complete"]["worst"][0]["kept"] == 4


def test_a_board_whose_list_breaks_off_is_short(web: ScriptedWeb, tmp_path: Path) -> None:
    done = crawled(web, Board(threads=90, odd=BREAKS), tmp_path)
    code, told = checked(done)
    assert code == 20
    assert short(told, "board")["viewforum.php?f=2"] in (("thread", 90, 40), ("post", 90 * 14, 40 * 14))
    assert not short(told, "thread")
    assert told["levels"]["site"]["thread"] == {
        "of": 1,
        "complete": 0,
        "grown": 0,
        "short": 1,
        "stated": 180,
        "kept": 130,
    }


def test_a_board_whose_list_breaks_off_and_whose_threads_were_kept_is_complete(
    web: ScriptedWeb, tmp_path: Path
) -> None:
    """Threads say themselves where they stand: 591 kept topics were told as 200 of 600."""
    done = crawled(web, Board(threads=90, crumbs=True, recent=True, odd=BREAKS), tmp_path)
    told = checked(done)[1]
    assert short(told, "board") == {}
    assert told["levels"]["board"]["thread"] == {
        "of": 2,
        "complete": 2,
        "grown": 0,
        "short": 0,
        "stated": 180,
        "kept": 180,
    }


def test_a_theme_whose_posts_are_not_read_is_short(web: ScriptedWeb, tmp_path: Path) -> None:
    done = crawled(web, Board(boards=1, threads=5, extracted=False), tmp_path)
    code, told = checked(done)
    assert code == 20
    assert told["levels"]["thread"]["post"]["short"] == 5 and told["levels"]["thread"]["post"]["kept"] == 0


def comment_page(number: int) -> Reply:
    """Show a post with one of its nine pages of comments."""
    comments = "".join(
        f'<li id="comment-{each}" class="comment"><div class="comment-author vcard"><b class="fn">heron</b></div>'
        f'<div class="comment-content"><p>remark {each}</p></div></li>'
        for each in range(126)[(number - 1) * 15 : number * 15]
    )
    links = "".join(f'<a class="page-numbers" href="{POST}comment-page-{n}/#comments">{n}</a>' for n in range(1, 10))
    text = "<article class='post'><h1 class='entry-title'>Reeds</h1><div class='entry-content'>They bend.</div>"
    about = '<h2 class="comments-title">126 thoughts on &ldquo;Reeds&rdquo;</h2>'
    remarks = f"<div id='comments'>{about}<ol class='comment-list'>{comments}</ol>{links}</div>"
    return wordpress("single-post postid-5", f"{text}</article>{remarks}")


def wordpress(kind: str, text: str) -> Reply:
    """Write a page of a blog."""
    head = "<meta name='generator' content='WordPress 5.7'><title>Reeds</title>"
    return Reply(200, (HTML,), f"<html><head>{head}</head><body class='{kind}'>{text}</body></html>".encode())


def test_a_post_with_comments_on_a_page_that_was_refused_is_short(web: ScriptedWeb, tmp_path: Path) -> None:
    for number in range(1, 10):
        web.add(f"{POST}comment-page-{number}/", BROKEN if number == 3 else comment_page(number))
    web.add(POST, comment_page(9))
    web.add("/", wordpress("home blog", f"<h2 class='entry-title'><a href='{POST}'>Reeds</a></h2>"))
    done = crawl(tmp_path, web.url + "/")
    code, told = checked(done)
    assert code == 20
    kept = told["levels"]["post"]["comment"]
    assert kept["stated"] == 126 and kept["kept"] <= 126 - 15


def test_a_wiki_whose_interface_fails_and_whose_articles_are_not_reached_is_short(
    web: ScriptedWeb, tmp_path: Path
) -> None:
    head = "<meta name='generator' content='MediaWiki 1.39.1'><title>Main Page</title>"
    body = (
        "<div id='content' class='mw-body'><h1 id='firstHeading'>Main Page</h1><div id='mw-content-text'></div>"
        "<div class='mw-parser-output'><p>We have <a href='/wiki/Special:Statistics'>40</a> articles.</p></div>"
    )
    page = f"<html><head>{head}</head><body class='mediawiki ns-0 ns-subject page-Main_Page'>{body}</body></html>"
    web.add("/wiki/Main_Page", Reply(200, (HTML,), page.encode()))
    done = crawl(tmp_path, web.url + "/wiki/Main_Page")
    code, told = checked(done)
    assert code == 20
    (site,) = [each for each in told["worst"] if each["level"] == "site"]
    assert site["stated"] == 40 and site["kept"] <= 1


def test_a_collection_whose_pages_state_nothing_is_not_called_short(web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/", Reply(200, (HTML,), b"<html><title>x</title><body>Nothing.</body></html>"))
    done = crawl(tmp_path, web.url + "/")
    ran = CliRunner().invoke(app, ["check", str(done.collection.root), "--content"])
    assert ran.exit_code == 0 and "no page of this collection states" in ran.stdout
    ran = CliRunner().invoke(app, ["check", str(done.collection.root), "--content", "--repair"])
    assert isinstance(ran.exception, UserError) and "give one of the two" in str(ran.exception)
