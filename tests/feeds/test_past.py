"""What is carried from visit to visit."""

from __future__ import annotations

import msgspec

from anansi.feeds.feed import Feed
from anansi.feeds.past import MOST_SEEN, is_comments, news, short
from anansi.state import Comments, Item, Stamp


def feed(*items: Item) -> Feed:
    return Feed("rss", items=items)


def items(count: int, start: int = 0) -> list[Item]:
    return [Item(str(number), title=f"T{number}") for number in range(start, start + count)]


def test_an_item_is_carried_short() -> None:
    long = Item("a", title="t" * 5000, description="word " * 500, content="c" * 100_000, author="x" * 9000)
    assert len(msgspec.msgpack.encode(short(long))) < 8000
    many = Item("a" * 9000, dates=(Stamp("x", "y" * 9000, 0.0),) * 9, categories=("z" * 9000,) * 9000)
    assert len(msgspec.msgpack.encode(short(many))) < 120_000
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
