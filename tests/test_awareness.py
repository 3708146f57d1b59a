"""What is known of a site helps to read its pages."""

from __future__ import annotations

from anansi.act.links import LinkFinder
from anansi.awareness import Awareness
from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.url import DEFAULT, site_of

NOW = 1_790_000_000.0  # 21 September 2026

PAGE = """<html><head><meta name="generator" content="vBulletin 3.8.4"><title>Seeds</title></head><body>
<td class="navbar"><strong>Seeds</strong></td>
<table id="post{number}" class="tborder"><tr><td class="thead"><a name="post{number}"></a> {date}</td></tr>
<tr><td class="alt2"><div id="postmenu_{number}"><a class="bigusername" href="member.php?u=4">Ada</a></div></td>
<td class="alt1" id="td_post_{number}"><div id="post_message_{number}">Sown on Monday.</div></td></tr></table>
</body></html>"""


def posts(awareness: Awareness, url: str, number: int, date: str) -> list[WebObject]:
    document = document_of(PAGE.format(number=number, date=date).encode(), "utf-8", url)
    site = site_of(url)
    return awareness.act(document, awareness.recognise(document, site), site, NOW).objects


def test_the_order_of_day_and_month_is_learned_for_the_whole_site() -> None:
    awareness = Awareness(shelf.catalogue(), LinkFinder(DEFAULT))
    here, there = "https://one.example/showthread.php?t={}", "https://two.example/showthread.php?t={}"
    assert posts(awareness, here.format(1), 1, "25-04-2009, 03:32 PM")[1].get("date") == "2009-04-25T15:32:00"
    assert posts(awareness, here.format(2), 2, "03-04-2009, 03:32 PM")[1].get("date") == "2009-04-03T15:32:00"
    assert posts(awareness, there.format(1), 1, "04-25-2009, 03:32 PM")[1].get("date") == "2009-04-25T15:32:00"
    assert posts(awareness, there.format(2), 2, "04-03-2009, 03:32 PM")[1].get("date") == "2009-04-03T15:32:00"


def test_the_posts_of_two_pages_are_of_one_thread() -> None:
    awareness = Awareness(shelf.catalogue(), LinkFinder(DEFAULT))
    first = posts(awareness, "https://one.example/showthread.php?t=7", 1, "25-04-2009, 15:32")
    second = posts(awareness, "https://one.example/showthread.php?t=7&page=2&s=abc", 21, "26-04-2009, 15:32")
    thread, *_ = first
    assert thread.kind == "thread"
    assert second[0].uri == thread.uri == "https://one.example/showthread.php?t=7"
    assert [each.part_of for each in (first[1], second[1])] == [thread.uri, thread.uri]
    assert first[1].uri != second[1].uri


def test_a_link_to_one_post_shows_a_thread_that_the_page_names() -> None:
    awareness = Awareness(shelf.catalogue(), LinkFinder(DEFAULT))
    url = "https://one.example/showthread.php?p=1"
    assert posts(awareness, url, 1, "25-04-2009, 15:32")[0].uri == url
    for canonical, whole in (
        ("/showthread.php?t=7&page=2", "https://one.example/showthread.php?t=7"),
        ("https://other.example/showthread.php?t=7", url),
        ("/member.php?u=7", url),
    ):
        page = PAGE.replace("<title>", f'<link rel="canonical" href="{canonical}"><title>')
        document = document_of(page.format(number=1, date="25-04-2009, 15:32").encode(), "utf-8", url)
        found = awareness.act(document, awareness.recognise(document, "one.example"), "one.example", NOW).objects
        assert [found[0].uri, found[1].part_of] == [whole, whole]
