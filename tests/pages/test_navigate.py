"""Navigation: every link of a page leads to a level, is refused with a reason, or is followed after all else."""

from __future__ import annotations

import re
from typing import Any

from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import Kind, Level, Navigation, Type
from anansi.knowledge.xpath import parse
from anansi.model import Reason
from anansi.pages.addresses import SCORES, UNKNOWN
from anansi.pages.links import LinkFinder
from anansi.pages.navigate import Directions, Navigator
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import DEFAULT

THREAD, BOARD = Level("thread", Kind.TERMINAL), Level("board", Kind.INTERMEDIATE)
AGORA = Type(
    "forum/agora",
    "Agora",
    addresses=(
        Address(skip="a form", match=re.compile("/reply")),
        Address(leads="thread", match=re.compile(r"/thread"), has=(("t", None),), keep=("t", "page"), whole="t"),
        Address(leads="board", match=re.compile(r"/board")),
    ),
    levels=(THREAD, BOARD),
)
BLOG = Type(
    "blog/quill",
    "Quill",
    addresses=(Address(leads="article", match=re.compile(r"/\d{4}/")),),
    levels=(Level("article", Kind.TERMINAL),),
)
NOISE = (Address(skip="print view", has=(("print", None),)),)
HERE = "http://a.org/forum/board?b=1"


def links(*hrefs: str) -> str:
    return "".join(f'<a href="{href}">x</a>' for href in hrefs)


def way(body: str, *entries: Type, level: Level | None = BOARD, url: str = HERE, noise: Any = ()) -> Directions:
    tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
    finder = LinkFinder(DEFAULT)
    return Navigator(finder, noise).way(PageModel(tree), url, entries or (AGORA,), level)


def test_an_address_that_leads_to_a_level_is_followed_by_what_the_level_is_worth() -> None:
    thread, board = way(links("thread?t=1", "board?b=2")).links
    assert (thread.action, thread.score) == ("forum/agora:thread", SCORES[Kind.TERMINAL])
    assert (board.action, board.score) == ("forum/agora:board", SCORES[Kind.INTERMEDIATE])
    assert thread.score > board.score > UNKNOWN


def test_an_address_without_content_is_refused_with_the_reason() -> None:
    found = way(links("reply?t=1"))
    assert found.links == []
    (skip,) = found.skips
    assert (skip.url, skip.reason, skip.detail) == (
        "http://a.org/forum/reply?t=1",
        Reason.NO_CONTENT,
        "Agora: a form",
    )


def test_what_no_row_is_about_is_followed_after_all_else() -> None:
    (link,) = way(links("/about.html")).links
    assert (link.url, link.score, link.action) == ("http://a.org/about.html", UNKNOWN, "")


def test_noise_of_any_site_is_refused_where_the_type_says_nothing() -> None:
    found = way(links("/about.html?print=1", "thread?t=1&print=1"), noise=NOISE)
    assert [skip.detail for skip in found.skips] == ["print view"]
    assert [link.action for link in found.links] == ["forum/agora:thread"]


def test_addresses_with_one_key_are_one_link_requested_as_it_was_found_first() -> None:
    (link,) = way(links("thread?f=2&t=1", "thread?t=1", "thread?highlight=x&t=1")).links
    assert link.url == "http://a.org/forum/thread?f=2&t=1"
    assert link.key == "http://a.org/forum/thread?t=1"


def test_a_session_is_no_part_of_a_key_that_rows_leave_alone() -> None:
    session = "0cc175b9c0f1b6a831c399e269772661"
    (link,) = way(links(f"board?sid={session}&b=1")).links
    assert link.key == "http://a.org/forum/board?b=1"


def test_a_table_knows_nothing_of_other_hosts() -> None:
    elsewhere = ("http://b.org/reply", "http://b.org/thread?t=1&f=2", "http://wiki.a.org/board?b=3")
    found = way(links(*elsewhere, "http://www.a.org/thread?t=2"))
    assert found.skips == []
    assert [(link.key, link.action) for link in found.links] == [
        (elsewhere[0], ""),
        ("http://b.org/thread?f=2&t=1", ""),
        (elsewhere[2], ""),
        ("http://www.a.org/thread?t=2", "forum/agora:thread"),
    ]


def test_a_site_of_two_applications_is_judged_by_both_the_page_s_own_first() -> None:
    found = way(links("/2020/05/story", "thread?t=1", "/2020/reply"), AGORA, BLOG)
    assert [link.action for link in found.links] == ["blog/quill:article", "forum/agora:thread"]
    assert [skip.detail for skip in found.skips] == ["Agora: a form"]
    found = way(links("/2020/reply"), BLOG, AGORA, level=None)
    assert [link.action for link in found.links] == ["blog/quill:article"]


# ── actions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def acting(*actions: Navigation) -> Level:
    return Level("board", Kind.INTERMEDIATE, navigation=actions)


def test_an_action_points_to_links_that_no_address_tells_of() -> None:
    body = f'<div class="list">{links("/one.html")}</div>{links("/two.html")}'
    for path in ("div[@class='list']//a/@href", "div[@class='list']//a"):
        found = way(body, level=acting(Navigation("thread", parse(path))))
        assert [(link.url, link.action) for link in found.links] == [
            ("http://a.org/one.html", "forum/agora:thread"),
            ("http://a.org/two.html", ""),
        ]


def test_an_address_counts_more_than_an_action() -> None:
    level = acting(Navigation("thread", parse("a")))
    found = way(links("board?b=2", "reply?t=1"), level=level)
    assert [link.action for link in found.links] == ["forum/agora:board"]
    assert len(found.skips) == 1


def test_an_action_can_point_to_what_is_no_anchor() -> None:
    body = (
        """<form action="/jump"><select><option value="/board-7.html">x</option></select></form><a href="/z">z</a>"""
    )
    found = way(body, level=acting(Navigation("board", parse("option/@value"))))
    assert [(link.url, link.action) for link in found.links] == [
        ("http://a.org/z", ""),
        ("http://a.org/board-7.html", "forum/agora:board"),
    ]


def test_an_action_by_address_follows_what_the_table_says_and_no_more() -> None:
    level = acting(Navigation("thread", parse("a"), by_address=True))
    found = way(links("thread?t=1", "/other.html"), level=level)
    assert [link.action for link in found.links] == ["forum/agora:thread", ""]


def test_actions_of_the_type_hold_on_every_level() -> None:
    entry = Type("x", "X", navigation=(Navigation("thread", parse("link[@rel='start']/@href")),), levels=(THREAD,))
    for level in (None, THREAD):
        found = way('<link rel="start" href="/start.html">', entry, level=level)
        assert [(link.url, link.action) for link in found.links] == [("http://a.org/start.html", "x:thread")]


def test_links_are_relative_to_the_base() -> None:
    body = '<base href="http://a.org/other/"><a href="thread?t=1">x</a><p title="t2.html">y</p>'
    found = way(body, level=acting(Navigation("thread", parse("p/@title"))))
    assert [link.url for link in found.links] == ["http://a.org/other/thread?t=1", "http://a.org/other/t2.html"]


def test_what_is_no_address_is_passed_over() -> None:
    level = acting(Navigation("thread", parse("a")), Navigation("thread", parse("p/text()")))
    body = (
        '<a href="mailto:x@a.org">m</a><a href="javascript:x()">j</a><a>n</a><p>http://[::1</p><a href="#top">t</a>'
    )
    found = way(body, level=level)
    assert (found.links, found.skips) == ([], [])


def test_a_row_can_name_another_address_to_request() -> None:
    row = Address(leads="thread", match=re.compile(r"^(.*)/post/(\d+)-\d+$"), write=r"\1/t/\2", request=r"\1/t/\2")
    entry = Type("x", "X", addresses=(row,), levels=(THREAD,))
    (link,) = way(links("/f/post/7-21", "/f/post/7-22"), entry, level=None).links
    assert (link.url, link.key) == ("http://a.org/f/t/7", "http://a.org/f/t/7")


def test_a_navigator_that_has_seen_much_says_what_a_new_one_says() -> None:
    rows = (
        Address(skip="first page", match=re.compile(r"/page-1(?!\d)")),
        Address(leads="thread", match=re.compile(r"/t/\d+"), keep=("page",), default=frozenset({("page", "1")})),
        Address(leads="board", match=re.compile(r"/b/\d+")),
        Address(skip="a form", match=re.compile(r"/reply")),
    )
    entry = Type("x", "X", addresses=rows, levels=(THREAD, BOARD))
    level = acting(Navigation("thread", parse("a[@class='t']")))
    shapes = ("/page-{}", "/t/7?page={}", "/b/{}", "/reply?p={}", "/v.mp{}", "/o/{}", "http://h{}.org/b/1")
    navigator = Navigator(LinkFinder(DEFAULT), NOISE)
    for number in range(1, 6):
        body = links(*(shape.format(number) for shape in shapes)) + f'<a class="t" href="/q/{number}">x</a>'
        tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
        fresh = Navigator(LinkFinder(DEFAULT), NOISE).way(PageModel(tree), HERE, (entry,), level)
        assert navigator.way(PageModel(tree), HERE, (entry,), level) == fresh, number


def test_what_was_said_of_a_type_is_not_said_of_another_that_takes_its_name() -> None:
    tree = html.parse(links("/story/1").encode(), "utf-8")
    navigator = Navigator(LinkFinder(DEFAULT))
    said = [
        navigator.way(PageModel(tree), HERE, (Type("x", "X", addresses=(row,), levels=(THREAD,)),), None).links
        for row in (
            Address(skip="no", match=re.compile("/story")),
            Address(leads="thread", match=re.compile("/story")),
        )
    ]
    assert [len(each) for each in said] == [0, 1]
