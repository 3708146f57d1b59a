"""`anansi extract`: the article of one page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.cli.saying import run, run_json
from tests.feeds.pages import ABOUT, TEXT, TITLE, modern
from tests.web import Reply, ScriptedWeb

URL = "https://gazette.example/2020/herons"
HEAD = f'<head><title>{TITLE}</title><meta name="description" content="{ABOUT}"></head>'
BODY = "<p>" + TEXT.replace("\n", "</p><p>") + "</p><a href=map>Map</a>"
PAGE = f"<html lang=en>{HEAD}<body>{modern(body=BODY)}</body></html>"


def feed(link: str) -> str:
    geese = (
        f"<item><title>Nine geese</title><link>{link}-geese</link><description>Nine geese slept</description></item>"
    )
    herons = f"<title>{TITLE}</title><link>{link}</link><description>{ABOUT}</description><pubDate>Mon</pubDate>"
    return f"<rss><channel>{geese}<item>{herons}</item></channel></rss>"


extract = partial(run, "extract")
as_json = partial(run_json, "extract")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "feed.xml").write_text(feed(URL))
    return tmp_path


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb() as served:
        served.add("/herons", Reply(200, {"Content-Type": "text/html; charset=utf-8"}, PAGE.encode()))
        served.add(
            "/feed", Reply(200, {"Content-Type": "application/rss+xml"}, feed(served.url + "/herons").encode())
        )
        yield served


def test_a_person_says_what_the_article_is(saved: Path) -> None:
    found = as_json(saved / "page.html", "--title", TITLE, "--description", ABOUT, "--url", URL)
    assert found["text"] == f"{TEXT}\nMap"
    assert found["references"] == ["https://gazette.example/2020/map"]
    assert len(found["comments"]) == 1


def test_a_feed_says_it(saved: Path) -> None:
    found = as_json(saved / "page.html", "--feed", saved / "feed.xml", "--url", URL)
    assert (found["title"], found["published"], found["text"]) == (TITLE, "Mon", f"{TEXT}\nMap")


def test_an_item_is_found_by_its_words_where_nobody_says_where_the_page_stood(saved: Path) -> None:
    assert as_json(saved / "page.html", "--feed", saved / "feed.xml")["title"] == TITLE


def test_the_page_says_it_itself(saved: Path) -> None:
    code, said = extract(saved / "page.html")
    assert code == 0
    assert said.startswith(TEXT)
    assert "references: 1\n  map" in said
    assert "comments: 1" in said


def test_page_and_feed_come_from_the_web(web: ScriptedWeb) -> None:
    found = as_json(web.url + "/herons", "--feed", web.url + "/feed")
    assert (found["url"], found["text"]) == (web.url + "/herons", f"{TEXT}\nMap")


def test_mistakes_are_told_with_what_to_do(saved: Path) -> None:
    page = saved / "page.html"
    (saved / "empty.xml").write_text("<rss/>")
    geese = feed("https://other.example/").partition("</item>")[0]
    (saved / "other.xml").write_text(f"{geese}</item></channel></rss>")
    for arguments, told in [
        ((page, "--feed", saved / "feed.xml", "--title", "x"), "name one of them"),
        ((page, "--feed", saved / "none.xml"), "name a feed's file or address"),
        ((page, "--feed", saved / "empty.xml"), "is it an RSS or Atom feed?"),
        ((page, "--feed", saved / "other.xml"), "say where a saved page stood"),
        ((page, "--title", "Quantum chromodynamics lattice"), "say more of it"),
        ((saved / "gone.html",), "no such file"),
    ]:
        code, said = extract(*arguments)
        assert (code, told in said) == (2, True), said
