import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from anansi_demo import site
from anansi_demo.blog import articles
from anansi_demo.forum import forum
from anansi_demo.front import LOST
from anansi_demo.site import ORIGIN, SESSION, answer, contents, kind

from .reader import links, plain, tree

ENDLESS = {"trap", "calendar"}
# fmt: off
KINDS = {
    "home", "about", "private", "forum", "board", "thread", "permalink", "sort", "print", "reply", "report",
    "profile", "members", "search", "login", "newposts", "trap", "blog", "article", "replytocom", "tag",
    "category", "archive", "calendar", "feed", "redirect", "asset", "document", "missing",
}
# fmt: on


def reachable() -> set[str]:
    """Follow every link from the home page, except into what has no end."""
    seen, due = {"/"}, ["/"]
    while due:
        for path in links(due.pop()) - seen:
            seen.add(path)
            if kind(path) not in ENDLESS:
                due.append(path)
    return seen


@pytest.fixture(scope="module")
def walk() -> set[str]:
    return reachable()


def test_every_content_url_is_reached_from_the_home_page(walk: set[str]) -> None:
    assert not [url for url in contents().urls if url not in walk]


def test_every_link_resolves_except_the_one_that_is_lost_on_purpose(walk: set[str]) -> None:
    assert {path for path in walk if answer(path).status not in (200, 301)} == {LOST}
    assert LOST in links("/about/")


def test_every_redirect_leads_to_a_page(walk: set[str]) -> None:
    moved = {path: answer(path).header("Location") for path in walk if answer(path).status == 301}
    assert moved["/old"] == "/blog/"
    assert {answer(target).status for target in moved.values()} == {200}


def test_a_walk_meets_every_kind_of_page(walk: set[str]) -> None:
    kinds = Counter(kind(path) for path in walk)
    assert set(kinds) == KINDS
    assert kinds["permalink"] == kinds["report"] == contents().posts
    assert kinds["replytocom"] == contents().comments


def test_most_of_the_pages_are_waste_as_on_a_real_forum(walk: set[str]) -> None:
    assert len(walk) > 15 * len(contents().urls)


def test_the_content_urls_are_distinct_and_each_shows_itself() -> None:
    urls = contents().urls
    assert len(set(urls)) == len(urls)
    assert [answer(url).shows for url in urls] == list(urls)
    assert Counter(map(kind, urls)) == {"thread": 81, "article": 27, "about": 1}


def test_the_thread_pages_show_the_posts_that_are_promised() -> None:
    posts = [str(post) for url in contents().urls for post in tree(url).xpath("//div[@class='entry']/@id")]
    assert len(posts) == len(set(posts)) == contents().posts == 529
    titles = {tree(url).findtext(".//h1") for url in contents().urls if kind(url) == "thread"}
    assert len(titles) == contents().threads == 62


def test_the_articles_show_the_comments_that_are_promised() -> None:
    urls = [url for url in contents().urls if kind(url) == "article"]
    comments = [str(comment) for url in urls for comment in tree(url).xpath("//div[@class='remark']/@id")]
    assert len(comments) == len(set(comments)) == contents().comments
    assert len({tree(url).findtext(".//article/h1") for url in urls}) == contents().articles == 25


def test_a_post_has_an_author_a_date_and_a_text() -> None:
    for entry in tree("/forum/thread.php?t=12&start=10").xpath("//div[@class='entry']"):
        assert entry.xpath("string(.//a[@class='author'])")
        assert re.fullmatch(r"202\d-\d\d-\d\dT\d\d:\d\d:00\+00:00", entry.xpath("string(.//time/@datetime)"))
        assert len(entry.xpath("string(.//div[@class='text'])")) > 40


def test_some_posts_quote_and_some_are_signed() -> None:
    pages = [tree(url) for url in contents().urls if kind(url) == "thread"]
    assert sum(len(page.xpath("//blockquote")) for page in pages) > 80
    assert 100 < sum(len(page.xpath("//div[@class='signature']")) for page in pages) < contents().posts


def test_a_permalink_shows_the_thread_page_where_the_post_stands() -> None:
    url = "/forum/thread.php?t=12&start=10"
    (number,) = {str(post) for post in tree(url).xpath("(//div[@class='entry'])[3]/@id")}
    permalink = f"/forum/thread.php?p={number[1:]}#{number}"
    assert kind(permalink) == "permalink"
    assert answer(permalink).body == answer(url).body
    assert answer(permalink).shows == url


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/forum/board.php?board=2&start=20", "board"),
        ("/forum/board.php?board=2&sort=desc", "sort"),
        ("/forum/board.php?board=4", "missing"),
        ("/forum/thread.php?t=12&start=10&sid=0123456789abcdef0123456789abcdef", "thread"),
        ("/forum/thread.php?t=12&start=500", "missing"),
        ("/forum/thread.php?t=12&view=print", "print"),
        ("/forum/thread.php?t=12&sort=desc", "sort"),
        ("/forum/thread.php?p=345#p345", "permalink"),
        ("/forum/thread.php?p=9999", "missing"),
        ("/forum/thread.php?t=9" + "9" * 5000, "missing"),
        ("/forum/reply.php?mode=reply&t=12", "reply"),
        ("/forum/member.php?u=7", "profile"),
        ("/blog/2024/05/pigeons-a-negotiation/", "article"),
        ("/blog/2024/05/pigeons-a-negotiation/?print=1", "print"),
        ("/blog/2024/06/pigeons-a-negotiation/", "missing"),
        ("/blog/2023/09/the-slug-census/comment-page-3/", "article"),
        ("/blog/2023/09/the-slug-census/comment-page-4/", "missing"),
        ("/blog/2023/09/the-slug-census/comment-page-1/", "redirect"),
        ("/blog/2024/05/", "archive"),
        ("/blog/2022/05/", "missing"),
        ("/blog/calendar?month=13&year=2024", "missing"),
        ("/forum/help/help/", "trap"),
        ("/forum/help/me/", "missing"),
    ],
)
def test_a_path_has_its_kind(path: str, expected: str) -> None:
    assert kind(path) == expected
    assert (answer(path).status == 404) == (expected == "missing")


def test_the_calendar_goes_on_in_both_directions() -> None:
    for word in ("Next month", "Previous month"):
        path = "/blog/calendar?month=12&year=2024"
        seen: set[str] = set()
        while len(seen) < 300:
            page = tree(path)
            assert answer(path).status == 200
            assert path not in seen
            seen.add(path)
            path = page.xpath(f"string(//a[text()='{word}']/@href)")


def test_the_help_grows_its_path_for_ever() -> None:
    path, bodies = "/forum/help/", set()
    for _ in range(200):
        assert kind(path) == "trap"
        bodies.add(answer(path).body)
        (deeper,) = (other for other in links(path) if other.startswith(path) and other != path)
        assert deeper == path + "help/"
        path = deeper
    assert len(bodies) == 200


def test_the_site_is_the_same_after_it_was_made_anew() -> None:
    urls = contents().urls
    before = {url: answer(url) for url in urls}
    for made in (site._render, forum, articles, contents):
        made.cache_clear()
    assert {url: answer(url) for url in urls} == before


def test_no_two_content_pages_share_much_of_their_text() -> None:
    seen: Counter[str] = Counter()
    for url in contents().urls:
        seen.update(set(tree(url).xpath("//div[@class='text']/p/text()")))
    assert len(seen) > contents().posts
    assert max(seen.values()) == 1


def test_the_size_of_content_pages_is_that_of_real_ones() -> None:
    sizes = [len(answer(url).body) for url in contents().urls]
    assert 5_000 < min(sizes) < max(sizes) < 30_000


def test_every_forum_link_carries_the_session_and_no_other_page_does() -> None:
    page = answer("/forum/thread.php?t=12", session="a" * 32)
    hrefs = re.findall(r'href="(/forum/[^"]+)"', page.body.decode())
    assert SESSION.encode() not in page.body
    assert {"sid=" + "a" * 32 in href for href in hrefs if "?" in href} == {True}
    assert not [url for url in contents().urls if b"sid=" in answer(url).body and kind(url) != "thread"]


def test_the_tag_of_a_page_does_not_depend_on_the_session() -> None:
    tags = {answer("/forum/", session=digit * 32).header("ETag") for digit in "abc"}
    (tag,) = tags
    assert tag.startswith('W/"')
    assert not answer("/about/").header("ETag").startswith("W/")


def test_the_feed_lists_the_ten_newest_articles_at_the_address_of_the_server() -> None:
    feed = ElementTree.fromstring(answer("/blog/feed.xml", origin="http://127.0.0.1:9").body)
    found = [item.findtext("link", "").removeprefix("http://127.0.0.1:9") for item in feed.iter("item")]
    assert len(found) == 10
    assert {kind(path) for path in found} == {"article"}
    assert all(newer[:13] >= older[:13] for newer, older in pairwise(found))


def test_the_sitemap_lists_pages_that_exist() -> None:
    urls = [
        loc.text or ""
        for loc in ElementTree.fromstring(answer("/sitemap.xml").body).iter()
        if loc.tag.endswith("loc")
    ]
    assert len(urls) == 32
    assert {answer(url.removeprefix(ORIGIN)).status for url in urls} == {200}


def test_robots_txt_forbids_the_search_and_the_private_part_only(walk: set[str]) -> None:
    rules = Protego.parse(answer("/robots.txt").body.decode())
    forbidden = {kind(path) for path in walk if not rules.can_fetch(ORIGIN + path, "anansi")}
    assert forbidden == {"search", "private"}
    assert list(rules.sitemaps) == [f"{ORIGIN}/sitemap.xml"]


def test_a_search_repeats_the_words_without_letting_them_become_markup() -> None:
    page = tree("/forum/search.php?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert not page.xpath("//script")
    assert tree("/forum/search.php?q=slugs").xpath("//ul/li/a[contains(@href, 'thread.php?p=')]")


@given(st.text(max_size=300))
def test_any_text_is_answered(text: str) -> None:
    assert answer(text).status in (200, 301, 404)
    assert answer("/" + text).kind


_WORD = st.one_of(
    st.sampled_from(["t", "p", "u", "start", "board", "sort", "view", "month", "year", "sid"]), st.text(max_size=5)
)
_VALUE = st.one_of(
    st.integers().map(str), st.sampled_from(["desc", "print", "1", "-0", "%", "%ff", "٣"]), st.text(max_size=9)
)


@given(st.sampled_from(sorted(site._PAGES)), st.lists(st.tuples(_WORD, _VALUE), max_size=25))
def test_any_query_is_answered(path: str, pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{name}={value}" for name, value in pairs)
    found = answer(f"{path}?{query}")
    assert found.status in (200, 404)
    assert not found.shows or plain(found.shows) in contents().urls
