"""What knowledge refuses is refused as long as that is right: kinds of links that lead to content are opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb
from tests.web.replies import HTML
from tests.web.vbulletin import Board, name


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.10") as web:
        yield web


def missed(web: ScriptedWeb, board: Board) -> list[int]:
    asked = set(web.paths())
    return [n for n in range(1, board.threads + 1) if f"/showthread.php?t={n}" not in asked]


def test_pages_that_members_alone_lead_to_are_found(web: ScriptedWeb, tmp_path: Path) -> None:
    board = Board(threads=200, members=60)
    web.add("/*", board)
    done = crawl(tmp_path, web.url + "/")
    asked = set(web.paths())
    assert [each for each in board.pictures() if each not in asked] == []
    assert missed(web, board) == [] and done.code == 0
    assert len(web.log) <= 200 + 20 + 60 + 120 + 20


@pytest.mark.parametrize("way", ["neighbours", "orders"])
def test_where_lists_break_off_other_ways_are_taken(way: str, web: ScriptedWeb, tmp_path: Path) -> None:
    board = Board(threads=300, breaks=16, **{way: True})
    web.add("/*", board)
    crawl(tmp_path, web.url + "/")
    # of 140; the last of them cost more than they are worth, and two ways at a time make it chance how many are left
    assert len(missed(web, board)) <= 10


def test_where_lists_go_to_their_end_other_ways_are_sampled_only(web: ScriptedWeb, tmp_path: Path) -> None:
    board = Board(threads=300, neighbours=True, orders=True)
    web.add("/*", board)
    crawl(tmp_path, web.url + "/")
    assert missed(web, board) == []
    assert len(web.log) <= 300 + 30 + 20


# ── recognition that leads to next to nothing ────────────────────────────────────────────────────────────────────

REFUSED = {
    "tags": ("WordPress 6.4", "/tag/{}/"),
    "profiles": ("Drupal 7 (http://drupal.org)", "/users/{}"),
    "members": ("vBulletin 3.8.4", "/member.php?username={}"),
}


def directory(web: ScriptedWeb, software: str, form: str, *, more: str = "") -> list[str]:
    """Make a site whose pages all are of a kind that its software has no content at; return their addresses."""

    def page(title: str, text: str) -> Reply:
        head = f"<title>{title}</title><meta name='generator' content='{software}'>"
        return Reply(200, (HTML,), f"<html><head>{head}</head><body>{text}</body></html>".encode())

    addresses = [form.format(name(number)) for number in range(1, 41)]
    web.add("/", page("Who is who", more + "".join(f'<li><a href="{each}">one</a></li>' for each in addresses)))
    for number, each in enumerate(addresses, 1):
        text = " ".join(f"{name(number)} {word}" for word in ("sings", "rows", "bakes", "mends", "paints"))
        web.add(each, page(name(number), f"<h1>{name(number)}</h1><p>{text}</p>"))
    return addresses


@pytest.mark.parametrize("kind", REFUSED)
def test_a_site_whose_content_knowledge_refuses_is_captured_all_the_same(
    kind: str, web: ScriptedWeb, tmp_path: Path
) -> None:
    addresses = directory(web, *REFUSED[kind])
    done = crawl(tmp_path, web.url + "/")
    assert [each for each in addresses if web.count(each) != 1] == []
    assert any("of no level that" in words for words in done.summary["doubts"])


def test_one_page_of_content_makes_no_difference(web: ScriptedWeb, tmp_path: Path) -> None:
    addresses = directory(web, *REFUSED["tags"], more='<li class="page_item"><a href="/about/">About</a></li>')
    about = "<html><body class='page-id-3'><h1 class='entry-title'>About</h1><p>Who we are.</p></body></html>"
    web.add("/about/", Reply(200, (HTML,), about.encode()))
    crawl(tmp_path, web.url + "/")
    assert [each for each in addresses if web.count(each) != 1] == []


def test_a_small_blog_whose_tags_repeat_its_posts_costs_no_more(web: ScriptedWeb, tmp_path: Path) -> None:
    """Where samples say what was said, they are the last of their kind."""
    head = "<title>Blog</title><meta name='generator' content='WordPress 6.4'>"
    posts = {
        f"/2020/01/{name(number)}/": " ".join(f"{name(number)} {each}" for each in "abcdefgh") for number in (1, 2)
    }
    tags = [f"/tag/{name(number)}/" for number in range(1, 31)]
    listed = "".join(f'<h2 class="entry-title"><a href="{at}">x</a></h2><p>{text}</p>' for at, text in posts.items())
    named = "".join(f'<a href="{each}" rel="tag">tag</a>' for each in tags)
    for at in ("/", *tags):
        web.add(at, Reply(200, (HTML,), f"<html><head>{head}</head><body>{listed}{named}</body></html>".encode()))
    for at, text in posts.items():
        body = f'<body class="single-post postid-1"><div class="entry-content"><p>{text}</p></div>{named}</body>'
        web.add(at, Reply(200, (HTML,), f"<html><head>{head}</head>{body}</html>".encode()))
    crawl(tmp_path, web.url + "/")
    assert sum(web.count(each) for each in tags) <= 3


# ── small sites ──────────────────────────────────────────────────────────────────────────────────────────────────


def not_looked_at(done: Crawled) -> list[str]:
    """Return what is said of kinds that nobody looked at."""
    return [words for words in done.summary["doubts"] if "none of them was looked at" in words]
