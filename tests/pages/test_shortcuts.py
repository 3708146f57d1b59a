"""What to ask and when to stop: requests for shortcuts must be worth more than those for lists."""

from __future__ import annotations

import pytest

from anansi.model import Link, Role
from anansi.pages import shortcuts
from anansi.pages.shortcuts import (
    Answered,
    Ask,
    Trail,
    after,
    considered,
    covered,
    far_page,
    mark,
    odd,
    shape,
    span,
)

API = Ask("http://a.org/api?page=1", "json", "post", 100, "api", named=True)
PAGES = Ask("http://a.org/api/pages?page=1", "json", "page", 100, "api", named=True)
FEED = Ask("http://a.org/feed/", "feed", "post", 0, "feed", named=True)
SITEMAP = Ask("http://a.org/sitemap.xml", "sitemap", family="sitemap")
ALL = [API, PAGES, FEED, SITEMAP]


def posts(start: int, end: int) -> tuple[Link, ...]:
    return tuple(Link(f"http://a.org/2020/{n}/", f"key {n}", role=Role.CONTENT) for n in range(start, end))


def began(asks: list[Ask] = ALL, *, lists: int = 20, shown: int = 5) -> tuple[Trail, list[str]]:
    return considered(
        Trail(front=tuple(mark(link.key) for link in posts(0, shown))), "blog", asks, lists=lists, shown=shown
    )


def test_what_the_site_names_is_asked_at_once_one_of_a_kind() -> None:
    assert began()[1] == [API.url, FEED.url]


def test_what_is_guessed_is_asked_alone() -> None:
    assert began([SITEMAP, Ask("http://a.org/other.xml", "sitemap")])[1] == [SITEMAP.url]


def test_few_lists_are_cheaper_than_asking() -> None:
    assert began(lists=2)[1] == []


def test_a_feed_is_asked_only_where_lists_show_less() -> None:
    assert began([FEED], shown=10)[1] == []
    assert began([FEED], shown=9)[1] == [FEED.url]


def test_what_fails_takes_its_like_with_it() -> None:
    trail, _ = began([API, PAGES, SITEMAP])
    trail, urls = after(trail, Answered(API.url), 0)
    assert urls == [SITEMAP.url]
    trail, urls = after(trail, Answered(SITEMAP.url), 0)
    assert (urls, trail.open, trail.left, trail.complete) == ([], (), (), ())


def test_full_pages_are_followed_to_one_that_is_not() -> None:
    trail, _ = began([API, SITEMAP])
    trail, urls = after(trail, Answered(API.url, "json", 100, posts(0, 100), next="http://a.org/api?page=2"), 95)
    assert urls == ["http://a.org/api?page=2"]
    trail, urls = after(trail, Answered(urls[0], "json", 30, posts(100, 130), next="http://a.org/api?page=3"), 30)
    assert (urls, trail.complete) == ([], ("post",))


def test_an_interface_that_answers_is_asked_for_what_else_it_lists() -> None:
    trail, _ = began([API, PAGES, SITEMAP])
    assert after(trail, Answered(API.url, "json", 10, posts(0, 10)), 10)[1] == [PAGES.url]


@pytest.mark.parametrize(("size", "news"), [(100, 0), (0, 0)], ids=["nothing new", "nothing"])
def test_a_page_that_brings_nothing_is_the_last(size: int, news: int) -> None:
    trail, _ = began([API])
    trail, urls = after(trail, Answered(API.url, "json", 100, posts(0, 100), next="http://a.org/api?page=2"), 100)
    trail, urls = after(trail, Answered(urls[0], "json", size, posts(0, size), next="http://a.org/api?page=3"), news)
    assert (urls, trail.complete) == ([], ("post",))


def test_an_interface_that_breaks_off_has_not_listed_all_and_others_are_asked() -> None:
    trail, _ = began([API, SITEMAP])
    trail, urls = after(trail, Answered(API.url, "json", 100, posts(0, 100), next="http://a.org/api?page=2"), 100)
    trail, urls = after(trail, Answered(urls[0], broken=True), 0)
    assert (urls, trail.complete, trail.barren) == ([SITEMAP.url], (), False)
    assert after(trail, Answered(SITEMAP.url), 0)[0].barren


def test_a_sitemap_is_tried_before_a_feed_is_paged() -> None:
    trail, _ = began([FEED, SITEMAP])
    trail, urls = after(trail, Answered(FEED.url, "feed", 20, posts(0, 20), next=FEED.url + "?paged=2"), 15)
    assert urls == [SITEMAP.url]
    trail, urls = after(trail, Answered(SITEMAP.url), 0)
    assert urls == [FEED.url + "?paged=2"]


def test_a_feed_that_lists_no_more_than_the_home_page_is_not_paged() -> None:
    trail, _ = began([FEED])
    assert after(trail, Answered(FEED.url, "feed", 5, posts(0, 5), next=FEED.url + "?paged=2"), 1)[1] == []


def test_the_sitemaps_of_an_index_are_asked_unless_they_hold_no_content() -> None:
    trail, _ = began([SITEMAP])
    parts = tuple(f"http://a.org/wp-sitemap-{name}-1.xml" for name in ("posts-post", "taxonomies-category", "users"))
    trail, urls = after(trail, Answered(SITEMAP.url, "sitemap", sitemaps=parts), 0)
    assert urls == [parts[0]]
    trail, urls = after(trail, Answered(parts[0], "sitemap", 50, posts(0, 50)), 50)
    assert (urls, trail.sitemap, trail.complete) == ([], True, ("",))


def test_an_index_that_lists_itself_ends() -> None:
    trail, _ = began([SITEMAP])
    assert after(trail, Answered(SITEMAP.url, "sitemap", sitemaps=(SITEMAP.url,)), 0)[1] == []


def test_requests_are_bounded() -> None:
    trail, _ = began([SITEMAP])
    endless = tuple(f"http://a.org/{n}.xml" for n in range(5000))
    trail, urls = after(trail, Answered(SITEMAP.url, "sitemap", sitemaps=endless), 0)
    assert len(urls) + 1 == shortcuts.MOST


def test_an_answer_nobody_asked_for_changes_nothing() -> None:
    assert after(Trail(), Answered("http://a.org/x", "feed", 5, posts(0, 5)), 5) == (Trail(), [])


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────

NEWEST = tuple(range(1000, 1050))


@pytest.mark.parametrize(
    ("page", "shown", "size"),
    [
        (10, {1027, 1028, 1029}, 3),
        (10, {1027, 1028, 1029, 1000, 1001, 1002, 1003, 1004}, 3),  # the newest once more, beside the list
        (10, {1027, 1029}, 0),  # not all of them
        (10, {1028, 1029, 1030}, 0),  # shifted
        (2, {1003, 1004, 1005}, 0),  # the first page may show those beside its list
        (17, {1048, 1049, 7}, 0),  # the feed ends in the middle
        (10, set(), 0),
    ],
)
def test_a_page_tells_how_many_entries_each_page_shows(page: int, shown: set[int], size: int) -> None:
    assert span(NEWEST, page, shown, front=5) == size


def test_pages_that_a_feed_reaches_are_covered() -> None:
    assert covered(Trail(newest=NEWEST, span=3)) == 16
    assert covered(Trail(newest=NEWEST)) == 0


def test_one_page_far_down_is_looked_at() -> None:
    trail = Trail(newest=NEWEST, front=NEWEST[:5], numbered="/page/{page}/")
    assert far_page(trail) == 10
    assert far_page(Trail(newest=NEWEST[:8], front=NEWEST[:5], numbered="/page/{page}/")) == 0
    assert far_page(Trail(newest=NEWEST, front=(1, 2), numbered="/page/{page}/")) == 0


def test_an_address_that_looks_like_none_listed_is_odd() -> None:
    assert shape("http://a.org/2014/01/04/some-name/") == "#/#/#/*/"
    trail = Trail(shapes=("#/#/#/*/",))
    assert odd(trail, "http://a.org/2014/01/some-name/") and not odd(trail, "http://a.org/2015/02/03/x/")
    assert not odd(Trail(), "http://a.org/2014/01/some-name/")
    assert not odd(Trail(shapes=tuple("abcde")), "http://a.org/x/")
