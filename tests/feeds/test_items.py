"""What a feed says of its items."""

from __future__ import annotations

import pytest

from anansi.feeds.items import items_of

RSS = b"""<rss xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/">
<channel><language>fr-FR</language><item><title>One</title><link>https://a.example/1</link>
<pubDate>Mon, 1 Jan</pubDate>
<description>First &amp;lt;b&amp;gt; words</description>
<content:encoded><![CDATA[<p>First words and more</p>]]></content:encoded>
<wfw:commentRss>https://a.example/1/feed</wfw:commentRss></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><entry><title>Eins</title>
<link rel="self" href="https://a.example/x"/><link href="https://a.example/1"/><summary>Kurz</summary></entry></feed>"""


def test_rss_is_read() -> None:
    (item,) = items_of(RSS)
    assert (item.title, item.link, item.language) == ("One", "https://a.example/1", "fr-FR")
    assert (item.content, item.comments) == ("<p>First words and more</p>", "https://a.example/1/feed")


def test_atom_is_read() -> None:
    (item,) = items_of(ATOM)
    assert (item.title, item.link, item.description, item.language) == ("Eins", "https://a.example/1", "Kurz", "de")


@pytest.mark.parametrize("data", [b"", b"\0\0", b"not a feed", b"<html><body>Hi</body></html>"])
def test_what_is_no_feed_has_no_items(data: bytes) -> None:
    assert items_of(data) == []


def test_entities_are_not_blown_up() -> None:
    bomb = b"<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;'>]>"
    (item,) = items_of(bomb + b"<rss><channel><item><title>x&c;y</title></item></channel></rss>")
    assert len(item.title) < 10


def test_a_torn_feed_gives_what_is_whole() -> None:
    assert [each.title for each in items_of(RSS[:-20])] == ["One"]
