"""What is carried from visit to visit."""

from __future__ import annotations

import msgspec
import pytest

from anansi.feeds.feed import Comments, Feed, Item
from anansi.feeds.past import MOST_ITEMS, MOST_SEEN, Past, is_comments, news, pack, short, unpack


def feed(*items: Item) -> Feed:
    return Feed("rss", items=items)


def items(count: int, start: int = 0) -> list[Item]:
    return [Item(str(number), title=f"T{number}") for number in range(start, start + count)]


def test_what_is_packed_comes_back() -> None:
    past = Past("item", (Item("a", "http://ant.org/a", "A"),), seen={1: 2}, version=b"v", failures=3)
    assert unpack(pack(past)) == past


def test_what_is_told_is_added_to_what_is_carried() -> None:
    carried = Past("item", (Item("a", title="Old"), Item("b")), version=b"v")
    told = Past("item", (Item("a", title="New"), Item("c")))
    both = unpack(pack(carried), pack(told))
    assert [(item.id, item.title) for item in both.items] == [("a", "New"), ("b", ""), ("c", "")]
    assert both.version == b"v"


def test_of_one_page_few_items_are_told() -> None:
    past = unpack(pack(Past("item", tuple(items(40)))), pack(Past("item", tuple(items(40, 100)))))
    assert len(past.items) == MOST_ITEMS


@pytest.mark.parametrize("data", [b"garbage", b"\x93\x01\x02\x03", b"\xc1", b"\x90" * 3_000_000])
def test_what_cannot_be_read_was_not_carried(data: bytes) -> None:
    assert unpack(data) == Past()
    assert unpack(data, pack(Past("item"))).kind == "item"


def test_an_item_is_carried_short() -> None:
    long = Item("a", title="t" * 5000, description="word " * 500, content="c" * 100_000, author="x" * 9000)
    assert len(msgspec.msgpack.encode(short(long))) < 8000
    assert short(Item("a", content="<p>only here</p>")).description == "<p>only here</p>"


def test_news_is_what_was_not_seen_or_says_something_else() -> None:
    first = news(feed(*items(3)), {})
    assert [item.id for item in first.new] == ["2", "1", "0"]
    assert first.overlap
    second = news(feed(Item("1", title="T1, corrected"), *items(2, 2)), first.seen)
    assert [item.id for item in second.new] == ["3"]
    assert [item.id for item in second.changed] == ["1"]


def test_an_item_that_stands_twice_counts_once() -> None:
    assert len(news(feed(*items(2), *items(2)), {}).new) == 2


def test_an_item_that_comes_back_is_no_news() -> None:
    seen = news(feed(*items(3)), {}).seen
    seen = news(feed(*items(3, 3)), seen).seen
    assert news(feed(*items(3)), seen).new == ()


def test_a_feed_that_shows_nothing_of_last_time_may_have_lost_items() -> None:
    seen = news(feed(*items(3)), {}).seen
    assert not news(feed(*items(3, 9)), seen).overlap
    assert news(feed(*items(3, 2)), seen).overlap


def test_what_is_remembered_of_a_feed_is_bounded_but_never_less_than_it_shows() -> None:
    seen: dict[int, int] = {}
    for start in range(0, 5000, 500):
        seen = news(feed(*items(500, start)), seen).seen
    assert len(seen) == MOST_SEEN
    assert len(news(feed(*items(3000)), {}).seen) == 3000


def test_feeds_of_comments_are_told_from_others() -> None:
    plain = [Item("a", "http://ant.org/a"), Item("b", "http://ant.org/b")]
    assert not is_comments(feed(*plain), "http://ant.org/feed/")
    assert is_comments(feed(*plain), "http://ant.org/comments/feed/")
    assert is_comments(feed(Item("a", "http://ant.org/a#comment-7")), "http://ant.org/x")
    assert is_comments(feed(Item("a", comments=Comments(reply_to="tag:1"))), "http://ant.org/x")
    assert not is_comments(feed(), "http://ant.org/feed")
