"""How feeds behave, in numbers."""

from __future__ import annotations

import math
import statistics

import pytest

from anansi.feeds.feed import Feed
from anansi.feeds.statistics import LAST, Channel, Element, Quartiles, histogram, of_channels, pooled, quartiles
from anansi.state import Hints, Item, Stamp
from anansi.url import site_of


def item(number: int, at: float | None, element: str = "pubDate") -> Item:
    return Item(str(number), dates=(Stamp(element, "x", at),) if at is not None else ())


def feed(*moments: float | None, kind: str = "rss", version: str = "2.0", hints: Hints | None = None) -> Feed:
    items = tuple(item(number, at) for number, at in enumerate(moments))
    return Feed(kind, version, items=items, hints=hints or Hints())


def test_intervals_are_between_neighbours_in_time() -> None:
    channel = Channel.of("http://a.example/f", feed(100, None, 0, 160))
    assert channel.intervals == [100, 60]
    assert quartiles(channel) == Quartiles("http://a.example/f", 2, (60, 70, 80, 90, 100))
    assert quartiles(Channel.of("u", feed(5, 8))) == Quartiles("u", 1, (3, 3, 3, 3, 3))
    assert quartiles(Channel.of("u", feed(5))) is None


def test_captures_of_one_feed_add_up_and_first_dates_stay() -> None:
    channel = Channel.of("u", feed(0, 10)).seen(feed(99, 10, 30))
    assert channel.captures == 2
    assert sorted(channel.published.values()) == [0, 10, 30]
    assert len(channel.feed.items) == 3


def test_the_histogram_has_a_bar_for_each_ten_and_one_for_the_rest() -> None:
    bars = dict(histogram([0, 1, 10, 11, 20, 21, LAST, LAST + 1, 5000]))
    assert (bars["0–10"], bars["11–20"], bars["21–30"], bars["141–150"], bars["> 150"]) == (3, 2, 1, 1, 2)
    assert sum(bars.values()) == 9


def test_the_deviation_is_pooled_over_the_means_of_each() -> None:
    assert pooled([[1, 3], [101, 103, 105]]) == pytest.approx(math.sqrt((2 + 2 * 4) / 3))
    assert pooled([[1.0], []]) is None


def test_everything_is_counted() -> None:
    channels = [
        Channel.of("http://x.a.example/1", feed(0, 10, 40, hints=Hints(ttl=5))),
        Channel.of("http://y.a.example/2", feed(0, 100)),
        Channel.of("http://b.example/3", feed(None, kind="atom", version="1.0")),
    ]
    counted = of_channels(channels, site_of)
    assert (counted.feeds, counted.items, counted.captures, counted.ill_formed) == (3, 6, 3, 0)
    assert counted.types == (("RSS 2.0", 2), ("Atom 1.0", 1))
    assert counted.elements == (Element("pubDate", 2, 5), Element("ttl", 1, 0))
    assert [each.intervals for each in counted.quartiles] == [2, 1]
    (domain,) = counted.domains
    assert (domain.name, domain.feeds, domain.mean) == ("a.example", 2, 60.0)
    assert domain.deviation == pytest.approx(statistics.stdev([10, 30]))
