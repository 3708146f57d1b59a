"""Lists of subscriptions."""

from __future__ import annotations

from anansi.feeds import opml
from anansi.feeds.opml import Subscription, subscriptions

LIST = b"""<?xml version="1.0"?><opml version="2.0"><head><title>mine</title></head><body>
<outline text="Art"><outline text="Photos"><outline type="rss" text="P" xmlUrl="http://p.example/feed" htmlUrl="http://p.example/"/>
</outline><outline title="Q" XMLURL="feed://q.example/rss"/></outline>
<outline text="R" xmlUrl="/r.xml"/><outline text="again" xmlUrl="http://p.example/feed"/>
<outline text="bad" xmlUrl="javascript:1"/><outline text="none"/></body></opml>"""


def test_feeds_are_named_once_with_their_groups() -> None:
    assert subscriptions(LIST, "http://list.example/a.opml") == (
        Subscription("http://p.example/feed", "P", "http://p.example/", ("Art", "Photos")),
        Subscription("http://q.example/rss", "Q", "", ("Art",)),
        Subscription("http://list.example/r.xml", "R"),
    )


def test_a_list_that_is_no_xml_is_read_all_the_same() -> None:
    broken = LIST.replace(b"</outline>", b"").replace(b'text="R"', b"text=R & B")
    found = subscriptions(broken, "http://list.example/a.opml")
    assert found is not None
    assert [each.url for each in found] == [
        "http://p.example/feed",
        "http://q.example/rss",
        "http://list.example/r.xml",
    ]


def test_entities_are_not_followed() -> None:
    bomb = b'<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + LIST.partition(b"?>")[2].replace(
        b"Q", b"&x;"
    )
    found = subscriptions(bomb)
    assert found is not None
    assert found[1].title == "&x;"


def test_what_is_no_list_is_none() -> None:
    for data in (b"", b"<rss><channel/></rss>", b"{}", b"opml", b"<opml>" + b" " * opml.LARGEST):
        assert subscriptions(data) is None
    assert subscriptions(b"<opml><body/></opml>") == ()
