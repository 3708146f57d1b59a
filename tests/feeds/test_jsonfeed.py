"""JSON Feed: what is of the wrong kind is not there, and the rest is read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from anansi.feeds.jsonfeed import feed_of
from anansi.state import Enclosure

URL = "https://spider.example/feed.json"


def read(most: int = 10, **said: Any) -> Any:
    return feed_of(json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": [], **said}), URL, most)


def test_a_channel_and_its_items_are_read() -> None:
    item = {
        "id": 7,
        "url": "/story#now",
        "title": "A <b>story</b>",
        "content_html": "<p>Long</p>",
        "summary": "Short",
        "date_published": "2023-11-14T08:30:00Z",
        "authors": [{"name": "Ada"}, {"name": "Bo"}, {"url": "x"}, "no"],
        "tags": ["web", 5],
        "attachments": [{"url": "/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9}, {"url": []}],
    }
    feed = read(title="Spiders", home_page_url="/", next_url="?page=2", items=[item])
    assert (feed.type, feed.title, feed.link) == ("JSON Feed 1.1", "Spiders", "https://spider.example/")
    assert feed.next_link == "https://spider.example/feed.json?page=2"
    (found,) = feed.items
    assert (found.id, found.link, found.author) == ("7", "https://spider.example/story#now", "Ada, Bo")
    assert (found.title, found.content, found.description) == ("A story", "<p>Long</p>", "Short")
    assert [stamp.at for stamp in found.dates] == [1699950600.0]
    assert found.categories == ("web",)
    assert found.enclosures == (Enclosure("https://spider.example/a.mp3", "audio/mpeg", 9),)


def test_an_item_without_a_name_is_named_by_what_it_says() -> None:
    one, two, same = read(items=[{"content_text": "x"}, {"content_text": "y"}, {"content_text": "x"}]).items
    assert one.id == same.id != two.id


def test_more_items_than_are_wanted_are_cut_and_that_is_said() -> None:
    feed = read(items=[{"id": str(number)} for number in range(5)], most=3)
    assert (len(feed.items), feed.cut) == (3, True)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"items": 5}', '{"items": []}', '{"version": "1", "items": []}', "{" * 100_000]
)
def test_what_is_no_feed_is_none(text: str) -> None:
    assert feed_of(text, URL, 10) is None
