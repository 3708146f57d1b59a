"""What is known of a site helps to read its pages."""

from __future__ import annotations

import pytest

from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.model import WebObject
from anansi.pages.interpreter import Interpreter
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT, site_of

NOW = 1_790_000_000.0  # 21 September 2026

PAGE = """<html><head><meta name="generator" content="vBulletin 3.8.4"><title>Seeds</title></head><body>
<td class="navbar"><strong>Seeds</strong></td>
<table id="post{number}" class="tborder"><tr><td class="thead"><a name="post{number}"></a> {date}</td></tr>
<tr><td class="alt2"><div id="postmenu_{number}"><a class="bigusername" href="member.php?u=4">Ada</a></div></td>
<td class="alt1" id="td_post_{number}"><div id="post_message_{number}">Sown on Monday.</div></td></tr></table>
</body></html>"""


def posts(interpreter: Interpreter, url: str, number: int, date: str) -> list[WebObject]:
    document = document_of(PAGE.format(number=number, date=date).encode(), "utf-8", url)
    site = site_of(url)
    return interpreter.act(document, interpreter.recognise(document, site), site, NOW).objects


def test_the_order_of_day_and_month_is_learned_for_the_whole_site() -> None:
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    here, there = "https://one.example/showthread.php?t={}", "https://two.example/showthread.php?t={}"
    assert posts(interpreter, here.format(1), 1, "25-04-2009, 03:32 PM")[1].get("date") == "2009-04-25T15:32:00"
    assert posts(interpreter, here.format(2), 2, "03-04-2009, 03:32 PM")[1].get("date") == "2009-04-03T15:32:00"
    assert posts(interpreter, there.format(1), 1, "04-25-2009, 03:32 PM")[1].get("date") == "2009-04-25T15:32:00"
    assert posts(interpreter, there.format(2), 2, "04-03-2009, 03:32 PM")[1].get("date") == "2009-04-03T15:32:00"


def test_the_posts_of_two_pages_are_of_one_thread() -> None:
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    first = posts(interpreter, "https://one.example/showthread.php?t=7", 1, "25-04-2009, 15:32")
    second = posts(interpreter, "https://one.example/showthread.php?t=7&page=2&s=abc", 21, "26-04-2009, 15:32")
    thread, *_ = first
    assert thread.kind == "thread"
    assert second[0].uri == thread.uri == "https://one.example/showthread.php?t=7"
    assert [each.part_of for each in (first[1], second[1])] == [thread.uri, thread.uri]
    assert first[1].uri != second[1].uri


def test_a_link_to_one_post_shows_a_thread_that_the_page_names() -> None:
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    url = "https://one.example/showthread.php?p=1"
    assert posts(interpreter, url, 1, "25-04-2009, 15:32")[0].uri == url
    for canonical, whole in (
        ("/showthread.php?t=7&page=2", "https://one.example/showthread.php?t=7"),
        ("https://other.example/showthread.php?t=7", url),
        ("/member.php?u=7", url),
    ):
        page = PAGE.replace("<title>", f'<link rel="canonical" href="{canonical}"><title>')
        document = document_of(page.format(number=1, date="25-04-2009, 15:32").encode(), "utf-8", url)
        found = interpreter.act(document, interpreter.recognise(document, "one.example"), "one.example", NOW).objects
        assert [found[0].uri, found[1].part_of] == [whole, whole]


def aware() -> Interpreter:
    return Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))


def seen(interpreter: Interpreter, url: str, source: str) -> list[WebObject]:
    document = document_of(source.encode(), "utf-8", url)
    found = interpreter.recognise(document, site_of(url))
    return interpreter.act(document, found, site_of(url), NOW).objects


PEAT_HOME = '<html><head><meta name="generator" content="http://www.movabletype.org/"></head><body>Peat</body></html>'
PEAT = """<html><head><title>Peat: Bog oak</title></head><body><h2 class="date">June 2, 2003</h2>
<h3 class="title">Bog oak</h3><div class="blogbody"><p>Black as a boot.</p></div></body></html>"""


def test_a_page_without_a_sign_of_its_type_is_read_as_its_sites() -> None:
    interpreter = aware()
    page = "https://peat.example/archives/000021.html"
    assert seen(interpreter, page, PEAT) == []
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    (article,) = seen(interpreter, page, PEAT)
    assert (article.kind, article.get("title"), article.get("date")) == ("article", "Bog oak", "2003-06-02")


def test_a_day_and_the_time_that_another_rule_finds_are_one_date() -> None:
    interpreter = aware()
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    posted = '<span class="posted">Posted by Una at 11:07 PM | Comments (2)</span></body>'
    (article,) = seen(interpreter, "https://peat.example/archives/000021.html", PEAT.replace("</body>", posted))
    assert article.get("date") == "2003-06-02T23:07:00"


def test_another_host_of_the_site_is_not_taken_for_it() -> None:
    interpreter = aware()
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    assert seen(interpreter, "https://files.peat.example/archives/000021.html", PEAT) == []


def test_a_page_that_no_level_fits_stays_unknown() -> None:
    interpreter = aware()
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    document = document_of(b"<html><body><p>Hand-made.</p></body></html>", "utf-8", "https://peat.example/about-me")
    assert interpreter.recognise(document, "peat.example") is None


def test_an_entry_at_an_address_of_any_form_is_told_by_what_stands_on_it() -> None:
    interpreter = aware()
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    (article,) = seen(interpreter, "https://peat.example/essays/bog_oak.html", PEAT)
    assert (article.kind, article.get("title"), article.get("text")) == ("article", "Bog oak", "Black as a boot.")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("<title>Peat: Bog oak", "<title>Peat: June 2003"),
        ("</body>", '<h3 class="title">Turf</h3><div class="blogbody"><p>Brown.</p></div></body>'),
        ('<h2 class="date">June 2, 2003</h2>', ""),
        ('<div class="blogbody"><p>Black as a boot.</p></div>', ""),
    ],
    ids=["called otherwise", "two entries", "of no day and nobody", "no text"],
)
def test_what_may_be_a_list_is_not_taken_for_its_first_entry(was: str, now: str) -> None:
    interpreter = aware()
    seen(interpreter, "https://peat.example/", PEAT_HOME)
    assert seen(interpreter, "https://peat.example/essays/bog_oak.html", PEAT.replace(was, now)) == []


DRUPAL = """<html><head><title>{title} | Parish</title><script src="/misc/drupal.js"></script></head>
<body class="page-node-"><h1 class="title">{title}</h1><div class="node" id="node-5"><div class="content">
<p>Words.</p></div></div></body></html>"""


def test_two_applications_in_folders_of_one_host_have_objects_of_their_own() -> None:
    interpreter = aware()
    named = {
        url: seen(interpreter, f"https://county.example{url}", DRUPAL.format(title="Hedges"))[0].uri
        for url in ("/north/node/5", "/south/?q=node/5", "/south/node/5/view", "/node/5", "/south/index.php?q=node/5")
    }
    assert named == {
        "/north/node/5": "https://county.example/north/node/5",
        "/south/?q=node/5": "https://county.example/south/node/5",
        "/south/node/5/view": "https://county.example/south/node/5",
        "/node/5": "https://county.example/node/5",
        "/south/index.php?q=node/5": "https://county.example/south/node/5",
    }


WORDPRESS = """<html><head><title>Tides &#8211; Low Water</title>
<link rel="stylesheet" href="/wp-content/themes/x/x.css">
</head><body class="single single-post"><h1 class="entry-title">Tides</h1>{own}
<div class="entry-content"><p>Hang them by the door.</p></div>
<ul><li><a href="/2019/10/cockles/">Cockles</a>
<time class="entry-date" datetime="2019-10-02">2 October</time></li></ul>
</body></html>"""


def test_a_date_that_leads_elsewhere_is_not_the_pages() -> None:
    url = "https://lowwater.example/2020/01/tides/"
    for own, date in (
        ("", ""),
        ('<time class="entry-date" datetime="2020-01-05"></time>', "2020-01-05"),
        ('<a href="/2020/01/tides/"><time class="entry-date" datetime="2020-01-05"></time></a>', "2020-01-05"),
        ('<a href="/2020/01/05/"><time class="entry-date" datetime="2020-01-05"></time></a>', "2020-01-05"),
        ('<a href="/2018/01/eels/"><time class="entry-date" datetime="2018-01-05"></time></a>', ""),
    ):
        (article,) = seen(aware(), url, WORDPRESS.format(own=own))
        assert article.get("date") == date, own


def test_day_and_time_that_stand_apart_are_joined() -> None:
    url = "https://lowwater.example/2020/01/tides/"
    for own, date in (
        ('<span class="entry-date">5 January 2020</span> <span class="entry-time">at 7:15 pm</span>', "T19:15:00"),
        ('<span class="entry-date">5 January 2020</span> <span>| 07:15</span>', "T07:15:00"),
        ('<span class="entry-date">5 January 2020</span> <span>7:15 of us came</span>', ""),
        ('<span class="entry-date">5 January 2020</span> <span>by Jo</span>', ""),
    ):
        (article,) = seen(aware(), url, WORDPRESS.format(own=own))
        assert article.get("date") == f"2020-01-05{date}", own


def test_a_deleted_users_post_is_kept_beside_the_others() -> None:
    page = """<html><head><title>Seeds</title></head><body id="phpbb" class="section-viewtopic">
    <h2 class="topic-title">Seeds</h2>
    <div id="p1" class="post bg1"><div class="postbody"><p class="author"><strong>Ada</strong></p>
    <div class="content">Sown.</div></div></div>
    <div id="p2" class="post bg2"><div class="postbody"><div class="content">Reaped.</div></div></div>
    </body></html>"""
    found = seen(aware(), "https://one.example/viewtopic.php?t=7", page)
    assert [(each.get("id"), each.incomplete) for each in found[1:]] == [("p1", False), ("p2", True)]


def test_standards_have_no_incomplete_objects() -> None:
    page = '<html><head><meta property="og:type" content="article"></head><body><p>Words of a page.</p></body></html>'
    assert not any(each.incomplete for each in seen(aware(), "https://one.example/x", page))


CARDS = """<html><head><title>Oak – Trees</title><meta name="generator" content="WordPress 6.4"></head>
<body class="single single-post postid-1"><article id="post-1"><h1 class="entry-title">Oak</h1>{own}
<div class="entry-content">Words.</div>{inside}</article>{behind}</body></html>"""
CARD = """<div class="more"><h3>More</h3><div class="card"><a href="/elm/"><h4>Elm</h4></a>
<time class="entry-date" datetime="2011-03-01">March</time></div></div>"""
OWN = '<div class="meta"><time class="entry-date" datetime="2012-05-04">May</time></div>'


@pytest.mark.parametrize("where", ["inside", "behind"])
@pytest.mark.parametrize(("own", "date"), [("", ""), (OWN, "2012-05-04")], ids=["without", "with"])
def test_the_date_on_a_card_of_another_post_is_not_the_pages(own: str, date: str, where: str) -> None:
    parts = {"inside": "", "behind": "", "own": own, where: CARD}
    (article,) = seen(aware(), "https://trees.example/oak/", CARDS.format(**parts))
    assert article.get("date") == date
