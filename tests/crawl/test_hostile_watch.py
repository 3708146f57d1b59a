"""Pages and feeds that were made to keep their reader busy, while feeds are watched: all is kept, nobody is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.crawl.case import Crawled, crawl
from tests.web import Reply, ScriptedWeb
from tests.web.replies import HTML

RSS = ("Content-Type", "application/rss+xml")
SIZE = 1 << 20
PIECES: dict[str, tuple[bytes, bytes]] = {
    "attributes": (b"<body><p ", b"%d=1 "),
    "attributes without values": (b"<body><p ", b"a%d "),
    "meta": (b"<head>", b'<meta name="a%d" content="b">'),
    "depth": (b"<body>", b"<div>x %d "),
    "stray ends": (b"<body>", b"</p></b></div> %d "),
    "links": (b"<body>", b'<a href="/l%d">one</a> '),
    "dates": (b"<body>", b"<time>12 May 20%d</time> "),
    "articles": (b"<body>", b"<article><h2><a href=/p%d>x</a></h2><p>words that say little</p></article>"),
    "one word": (b"<body><p>", b"%dx"),
}
"""What pages begin with, and what they repeat, with a number."""


def page(name: str) -> Reply:
    """Write a page of a megabyte."""
    before, piece = PIECES[name]
    body = b"".join(piece % number for number in range(SIZE // len(piece)))
    return Reply(200, (HTML,), b"<html><title>%b</title>" % name.encode() + before + body)


def feed(items: str) -> Reply:
    """Write a feed."""
    return Reply(200, (RSS,), f'<rss version="2.0"><channel><title>Shapes</title>{items}</channel></rss>'.encode())


def item(link: str, number: int = 0, more: str = "") -> str:
    date = f"{number % 28 + 1:02} Oct 2026 10:00:00 GMT"
    return f"<item><title>{link}</title><link>{link}</link><pubDate>{date}</pubDate>{more}</item>"


FEEDS: dict[str, Callable[[str], str]] = {
    "twenty thousand items": lambda link: (
        item(link) + "".join(f"<item><guid>g{n}</guid></item>" for n in range(20_000))
    ),
    "a megabyte of one element": lambda link: item(link, more=f"<description>{'&lt;b&gt;x' * 120_000}</description>"),
    "elements in elements": lambda link: item(link) + "<item>" * 50_000,
    "entities": lambda link: item(link, more=f"<description>{'&amp;nbsp;&#x1F600;' * 60_000}</description>"),
}


@pytest.fixture
def web() -> Iterator[ScriptedWeb]:
    with ScriptedWeb(address="127.0.8.78") as web:
        yield web


def watched(web: ScriptedWeb, folder: Path) -> Crawled:
    done = crawl(folder, web.url + "/feed.xml", options=("--once",), verb="watch")
    events = [json.loads(line)["event"] for line in done.collection.events.read_text().splitlines()]
    assert "worker died" not in events
    return done


def test_pages_that_a_feed_tells_of_are_kept_whatever_they_are(web: ScriptedWeb, tmp_path: Path) -> None:
    links = {name: f"/{name.replace(' ', '-')}" for name in PIECES}
    web.add("/feed.xml", feed("".join(item(web.url + at, number) for number, at in enumerate(links.values()))))
    for name, at in links.items():
        web.add(at, page(name))
    done = watched(web, tmp_path)
    assert {name: done.statuses(web.url + at) for name, at in links.items()} == {name: [200] for name in links}


@pytest.mark.parametrize("name", FEEDS)
def test_what_a_feed_tells_of_is_kept_whatever_else_is_in_it(name: str, web: ScriptedWeb, tmp_path: Path) -> None:
    web.add("/feed.xml", feed(FEEDS[name](web.url + "/reeds")))
    web.add("/reeds", Reply(200, (HTML,), b"<html><title>Reeds</title><body><p>They bend in the wind.</p>"))
    done = watched(web, tmp_path)
    assert done.statuses(web.url + "/reeds") == [200]
