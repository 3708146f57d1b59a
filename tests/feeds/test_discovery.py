"""Where feeds are named."""

from __future__ import annotations

from lxml import etree

from anansi.feeds.discovery import MOST_FEEDS, Named, known_by_type, named_by_page
from anansi.knowledge import shelf

URL = "https://e.example/blog/page"


def named(html: str) -> tuple[Named, ...]:
    return named_by_page(etree.fromstring(html, etree.HTMLParser()), URL)


def test_a_page_names_its_feeds() -> None:
    html = """<head><base href="/base/"><link rel="alternate" type="application/rss+xml" title=" All
    posts " href="feed"><LINK REL="Alternate" TYPE="Application/Atom+XML; charset=utf-8" HREF="//x.example/atom">
    <link rel="alternate" type="application/rss+xml" href="/base/feed"><link rel="feed" href="f.json">
    <link rel="alternate" type="text/xml" title="RSS" href="x"></head>"""
    assert named(html) == (
        Named("https://e.example/base/feed", "All posts", "application/rss+xml"),
        Named("https://x.example/atom", "", "application/atom+xml"),
        Named("https://e.example/base/f.json"),
        Named("https://e.example/base/x", "RSS", "text/xml"),
    )


def test_other_alternates_are_no_feeds() -> None:
    html = """<link rel="alternate" hreflang="fr" href="/fr"><link rel="alternate stylesheet"
    type="application/rss+xml" href="a.css"><link rel="stylesheet" type="application/rss+xml" href="b">
    <link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">
    <link rel="alternate" type="application/rss+xml"><link rel="alternate"
    type="application/rss+xml" href="mailto:x@y"><link rel=alternate type=text/xml href=/oembed>"""
    assert named(html) == ()


def test_a_page_may_not_name_endless_feeds() -> None:
    links = (f'<link rel="alternate" type="application/rss+xml" href="/{number}">' for number in range(1000))
    assert len(named("".join(links))) == MOST_FEEDS


def test_a_type_knows_where_its_feeds_are() -> None:
    types = {entry.id: entry for entry in shelf.built_in()}
    (feed,) = known_by_type(types["blog/blogger"], "https://b.example/")
    assert feed.url.startswith("https://b.example/feeds/posts/default")
    assert known_by_type(types["forum/phpbb"], "https://b.example/") == ()
