"""Bytes in, a feed out."""

from __future__ import annotations

import io
import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.feeds import loose
from anansi.feeds.feed import Cloud, Feed
from anansi.feeds.reading import LARGEST, MOST_ITEMS, read
from anansi.state import Comments, Enclosure, Stamp
from tests.feeds.samples import ATOM, ATOM03, DATE, GOOD, HOSTILE, JSON, NO_FEEDS, RDF, RDF09, RSS091, RSS2, spoiled

URL = "https://spider.example/feed"
TUESDAY = 1699950600.0  # Tue, 14 Nov 2023 08:30:00 GMT


def reading(text: str | bytes, url: str = URL, **headers: str) -> Feed:
    data = text.encode() if isinstance(text, str) else text
    feed = read(data, url, [(name.replace("_", "-"), value) for name, value in headers.items()])
    assert feed is not None
    return feed


# ── what each kind says ──────────────────────────────────────────────────────────────────────────────────────────


def test_rss_2_says_everything_about_its_channel() -> None:
    feed = reading(RSS2)
    assert (feed.type, feed.title, feed.link) == ("RSS 2.0", "Spiders & webs", "https://spider.example/")
    assert (feed.description, feed.language, feed.well_formed) == ("All about webs", "en-gb", True)
    assert feed.dates == (Stamp("lastBuildDate", DATE, TUESDAY),)
    assert feed.hints.ttl == 90
    assert feed.hints.skip_hours == (0, 1)
    assert feed.hints.skip_days == (0, 6)
    assert (feed.hints.period, feed.hints.frequency, feed.hints.interval) == ("daily", 4, 6 * 3600)
    assert feed.hints.start == Stamp("sy:updateBase", "2000-01-01T12:00+00:00", 946728000.0)
    assert feed.hubs == ("https://hub.example/",)
    assert (feed.self_link, feed.next_link) == (URL, "https://spider.example/feed?page=2")
    assert feed.cloud == Cloud("rpc.example", 80, "/RPC2", "notify", "xml-rpc")


def test_rss_2_says_everything_about_its_items() -> None:
    first, second = reading(RSS2).items
    assert (first.id, first.link, first.title) == ("s-1", "https://spider.example/1", "The first thread")
    assert first.description == "It begins."
    assert first.content == "<p>It begins with <b>one</b> thread.</p>"
    assert (first.author, first.categories) == ("Kwaku", ("webs", "silk"))
    assert first.dates == (Stamp("pubDate", DATE, TUESDAY),)
    assert (first.published, first.updated) == (TUESDAY, None)
    assert first.enclosures == (Enclosure("https://spider.example/1.mp3", "audio/mpeg", 1234),)
    assert first.comments == Comments("https://spider.example/1#comments", "https://spider.example/1/feed", 7)
    assert (second.id, second.link) == ("https://spider.example/2", "https://spider.example/2")
    assert second.comments == Comments()


def test_atom_has_bases_within_bases_and_threads() -> None:
    feed = reading(ATOM, "https://elsewhere.example/x")
    assert (feed.type, feed.title, feed.language) == ("Atom 1.0", "Atom & all", "ak")
    assert (feed.link, feed.self_link) == ("https://atom.example/blog/", "https://atom.example/blog/feed.atom")
    first, second = feed.items
    assert first.link == "https://atom.example/blog/2023/one.html"
    assert first.enclosures == (Enclosure("https://atom.example/blog/2023/one.ogg", "audio/ogg"),)
    assert first.content == "Long <em>text</em><br>&lt;here&gt;"
    assert (first.description, first.author, first.categories) == ("short", "Ntikuma", ("Silk",))
    assert (first.published, first.updated) == (TUESDAY - 86400, TUESDAY)
    there = "https://atom.example/blog/2023/"
    assert first.comments == Comments(f"{there}one.html#comments", f"{there}one.atom", 3)
    assert (second.id, second.title, second.link) == ("tag:atom.example,2", "Re: One", "")
    assert second.comments.reply_to == "tag:atom.example,1"
    assert second.published == TUESDAY + 1800, "what was only changed was published then, as far as anyone knows"


def test_older_kinds_are_known_by_their_names() -> None:
    texts = (RSS091, RDF, RDF09, ATOM03, RSS091.replace(' version="0.91"', ""))
    assert [reading(text).type for text in texts] == ["RSS 0.91", "RDF 1.0", "RDF 0.9", "Atom 0.3", "RSS 0.91"]
    feed = reading(RDF)
    assert (feed.title, feed.temporal) == ("RDF", ("dc:date",))
    assert [item.link for item in feed.items] == ["http://rdf.example/1", "http://rdf.example/2"]
    assert (feed.items[0].published, feed.items[1].categories) == (1699920000.0, ("silk",))
    assert reading(ATOM03).items[0].published == 1071318569.0


def test_json_feed_is_a_feed() -> None:
    feed = reading(JSON, "https://json.example/feed.json")
    assert (feed.type, feed.title, feed.link) == ("JSON Feed 1.1", "J", "https://json.example/")
    assert (feed.next_link, feed.hubs) == ("https://json.example/feed2.json", ("https://hub.example/",))
    first, second = feed.items
    assert (first.id, first.link, first.content) == ("1", "https://json.example/1", "<p>x</p>")
    assert (first.author, first.categories, first.published) == ("A, B", ("silk",), TUESDAY - 3600)
    assert first.enclosures == (Enclosure("https://json.example/1.mp3", "audio/mpeg", 9),)
    assert (second.id, second.content, second.link) == ("2", "bare", "")


def test_headers_say_what_the_feed_does_not() -> None:
    text = "<rss><channel><title>\u0434\u0430</title><link>a</link></channel></rss>".encode("koi8-r")
    feed = reading(
        text,
        content_type="text/xml; charset=koi8-r",
        content_location="http://e.example/x/",
        content_language="ru, en",
    )
    assert (feed.title, feed.link, feed.language) == ("\u0434\u0430", "http://e.example/x/a", "ru")


# ── what is wrong with it ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_wrong_does_not_keep_us_from_reading(what: str) -> None:
    data, items = HOSTILE[what]
    assert len(reading(data).items) == items


@pytest.mark.parametrize("what", NO_FEEDS)
def test_what_is_no_feed_is_none(what: str) -> None:
    assert read(NO_FEEDS[what], URL) is None


def hostile(what: str) -> Feed:
    return reading(HOSTILE[what][0])


def test_ill_formed_feeds_say_the_same_as_good_ones() -> None:
    good = reading(RSS2)
    for what in ("tags not closed", "items not closed", "namespaces not declared", "text behind the end", "UTF-32"):
        for item, expected in zip(hostile(what).items, good.items, strict=True):
            assert (item.id, item.title, item.published) == (expected.id, expected.title, expected.published), what
            assert (item.content, item.author) == (expected.content, expected.author), what


def test_entities_mean_what_was_meant() -> None:
    assert hostile("entities of HTML").items[1].description == "It\xa0goes é … on."
    assert hostile("entities of nobody").items[1].description == "It &nobody; goes & on & on."
    entities = '<!ENTITY me "Anansi"><!ENTITY c "&#169;">'
    declared = f"<!DOCTYPE rss [{entities}]><rss><channel><title>&c; &me;</title></channel></rss>"
    assert reading(declared).title == "© Anansi"


def test_entities_make_nothing_large_and_fetch_nothing() -> None:
    assert hostile("an entity bomb").title == "&b11;"
    assert len(hostile("an entity bomb in one step").title) < 200_000
    assert len(hostile("many references").title) <= loose.EXPANDED
    assert hostile("an external entity").title == "[&x;]"


def test_malformed_dates_are_kept_as_they_are() -> None:
    (stamp,) = hostile("malformed dates").items[0].dates
    assert stamp == Stamp("pubDate", "Yesterday, 32 Foo 20023 99:99", None)


def test_items_without_links_have_a_name_that_stays() -> None:
    first, second = hostile("items without links").items
    assert (first.link, first.id[:11]) == ("", "urn:sha256:")
    assert first.id != second.id
    assert first.id == hostile("items without links").items[0].id


def test_links_that_lead_out_of_the_web_are_none() -> None:
    text = "<rss><channel><item><link>javascript:alert(1)</link><guid>not an address</guid></item></channel></rss>"
    assert (reading(text).items[0].link, reading(text).items[0].id) == ("", "not an address")


def test_a_nest_of_items_is_read_once() -> None:
    nest = "<item><description>" * 50 + "x" * 10_000 + "</description></item>" * 50
    feed = reading(f"<rss>{nest}</rss>")
    assert len(feed.items) == 50
    assert sum(len(item.description) for item in feed.items) == 10_000


def test_fifty_megabytes_are_cut_at_a_whole_item() -> None:
    item = b"<item><title>t</title><description>" + b"word " * 1000 + b"</description></item>"
    feed = reading(b"<rss version='2.0'><channel>" + item * (50_000_000 // len(item)) + b"</channel></rss>")
    assert feed.cut
    assert len(feed.items) == LARGEST // len(item)
    assert feed.items[-1].description == ("word " * 1000).strip()


def test_many_items_are_cut() -> None:
    feed = reading("<rss><channel>" + "<item><title>t</title></item>" * (MOST_ITEMS + 5) + "</channel></rss>")
    assert (len(feed.items), feed.cut, feed.well_formed) == (MOST_ITEMS, True, True)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for text in (data, b"<rss><channel><item>" + data, b'{"version":"jsonfeed.org/version/1","items":[' + data):
        feed = read(text, URL)
        assert feed is None or all(item.id for item in feed.items)


@given(st.integers(0, 1 << 32), st.sampled_from(sorted(GOOD)))
def test_a_spoiled_feed_never_breaks_the_reader(seed: int, name: str) -> None:
    data = spoiled(GOOD[name][0], random.Random(seed))
    feed = read(data, URL)
    assert feed is None or all(item.id for item in feed.items)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_item_with_80_000_attributes_is_read_in_bounded_time(quote: str) -> None:
    crowd = " ".join(f"a{number}={quote}1{quote}" for number in range(80_000))
    text = RSS2.replace("<item>", f"<item {crowd}>", 1)
    began = time.process_time()
    assert len(reading(text).items) == len(reading(RSS2).items)
    assert time.process_time() - began < 5.0  # 30 s before


# ── beside the reference ─────────────────────────────────────────────────────────────────────────────────────────


def beside(data: bytes) -> Any:
    feedparser = pytest.importorskip("feedparser", reason="the reference is a development dependency")
    return feedparser.parse(io.BytesIO(data))


@pytest.mark.parametrize("what", HOSTILE)
def test_what_feedparser_reads_is_read(what: str) -> None:
    told = beside(HOSTILE[what][0])
    assert len(hostile(what).items) >= len(told.entries)


def test_what_feedparser_reads_of_spoiled_feeds_is_read() -> None:
    rng, texts = random.Random(11), [text for text, _ in GOOD.values()]
    lost = []
    for number in range(300):
        data = spoiled(rng.choice(texts), rng).replace(b"\x00", b"")
        told, feed = beside(data), read(data, URL)
        if (told.entries or told.get("version")) and (feed is None or len(feed.items) < len(told.entries)):
            lost.append((number, data))
    assert lost == []
