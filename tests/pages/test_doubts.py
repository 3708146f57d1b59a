"""A crawl sees of itself that it reads pages wrongly, says so once, and hands the pages to adaptation."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable

import pytest

from anansi.inspection.look import document_of
from anansi.knowledge import shelf
from anansi.model import Value, WebObject
from anansi.pages.doubts import ENOUGH, LEVELS, LINED, UNREAD, VALUES, YIELDS, Doubts, Read
from anansi.pages.interpreter import Interpreter, Understanding
from anansi.pages.links import LinkFinder
from anansi.url import DEFAULT, site_of

NOW = 1_790_000_000.0
WORDS = (
    "oak",
    "elm",
    "ash",
    "yew",
    "fir",
    "lime",
    "box",
    "pear",
    "plum",
    "rowan",
    "alder",
    "birch",
    "holly",
    "hazel",
)


def prose(number: int) -> str:
    """Return words of a page's own, of a length of their own."""
    return " ".join(WORDS[(number * 3 + each) % len(WORDS)] for each in range(8 + number))


def read(pages: Iterable[tuple[str, str]]) -> list[Understanding]:
    """Read the pages of a crawl, each an address and its source."""
    interpreter = Interpreter(shelf.catalogue(), LinkFinder(DEFAULT))
    found = []
    for url, source in pages:
        document = document_of(source.encode(), "utf-8", url)
        site = site_of(url)
        done = interpreter.act(document, interpreter.recognise(document, site), site, NOW)
        found.append(interpreter.doubt(document, done, site))
    return found


def said(found: Iterable[Understanding]) -> list[str]:
    return [doubt for each in found for doubt in each.doubts]


# ── themes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def prosilver(number: int, author: str) -> tuple[str, str]:
    who = author.format(name="Ada", number=number)
    posts = "".join(
        f'<div id="p{number * 10 + each}" class="post bg1"><div class="postbody">{who}'
        f'<div class="content">{prose(number)} {each}</div></div></div>'
        for each in range(4)
    )
    head = f"<html><head><title>Topic {number}</title></head>"
    body = (
        f'<body id="phpbb" class="section-viewtopic"><h2 class="topic-title">Topic {number}</h2>{posts}</body></html>'
    )
    return f"https://trees.example/viewtopic.php?t={number}", head + body


HEALTHY = '<p class="author"><a class="username">{name}</a> » <time>2014-05-03T10:{number:02}:00</time></p>'
OTHER = '<div class="who-wrote"><em>{name}</em></div>'


def subsilver(number: int) -> tuple[str, str]:
    """A theme whose text rule meets a sentence of the template."""
    page = (
        f'<html><head><title>View topic - T{number}</title></head><body><a href="viewforum.php?f=1">f</a>'
        '<a href="privmsg.php?folder=inbox">pm</a><table class="forumline"><tr><td><span class="name">'
        f'<a name="{number}"></a><b>Ann</b></span></td><td><span class="postbody">You cannot reply to topics here'
        f'</span></td></tr></table><div class="words">{prose(number)}</div></body></html>'
    )
    return f"https://old.example/viewtopic.php?t={number}", page


def drupal(number: int) -> tuple[str, str]:
    page = (
        f"<html><head><title>Parish</title><script src='/misc/drupal.js'></script></head>"
        '<body class="not-logged-in node-type-story"><div class="box"><h2 class="title">Comment viewing options</h2>'
        f'</div><div class="node" id="node-{number}"><b>Story {number}</b><span class="submitted">Submitted by '
        f'<a class="username">wren</a> on Sat, 03/0{number % 9 + 1}/2010 - 09:15</span>'
        f'<div class="content"><p>{prose(number)}</p></div></div></body></html>'
    )
    return f"https://parish.example/node/{number}", page


def wordpress(number: int) -> tuple[str, str]:
    """A theme whose text stands where no rule looks."""
    page = (
        f"<html><head><title>Post {number}</title><link rel='stylesheet' href='/wp-content/themes/x/s.css'></head>"
        f'<body class="single single-post postid-{number}"><h1 class="entry-title">Post {number}</h1>'
        f'<span class="byline"><a rel="author" href="/author/jo/">Jo</a></span>'
        f'<time class="entry-date" datetime="2014-05-0{number % 9 + 1}T10:00:00+00:00"></time>'
        f"<x-words>{prose(number)}</x-words></body></html>"
    )
    return f"https://blog.example/2014/05/post-{number}/", page


# ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_posts_that_lack_an_author_are_kept_as_incomplete_and_told() -> None:
    found = read(prosilver(number, OTHER) for number in range(8))
    posts = [each for done in found for each in done.objects if each.kind == "post"]
    assert len(posts) == 32
    assert all(each.incomplete for each in posts)
    assert posts[0].uri == "https://trees.example/viewtopic.php?t=0#p0"
    assert posts[0].get("text").endswith("0")
    assert [bool(each.doubts) for each in found] == [number == ENOUGH - 1 for number in range(8)]
    (sentence,) = said(found)
    assert sentence.startswith("trees.example: thread pages of forum/phpbb give no complete post: 5 of 5")
    assert all(each.failed for each in found)


def test_a_healthy_theme_is_not_doubted() -> None:
    found = read(prosilver(number, HEALTHY) for number in range(30))
    assert said(found) == []
    assert not any(each.failed for each in found)
    assert not any(each.incomplete for done in found for each in done.objects)


def test_one_text_on_pages_that_differ_is_the_templates() -> None:
    found = read(subsilver(number) for number in range(1, 15))
    assert any("have the same post text on 10 that differ: “You cannot reply" in each for each in said(found))
    assert found[-1].failed


def test_one_title_on_pages_that_differ_is_the_templates() -> None:
    found = read(drupal(number) for number in range(1, 8))
    assert [each.objects[0].get("title") for each in found] == ["Comment viewing options"] * 7
    (sentence,) = [each for each in said(found) if "title" in each]
    assert "have the same article title on 5 that differ: “Comment viewing options”" in sentence
    assert found[-1].failed


def test_articles_without_text_are_told() -> None:
    found = read(wordpress(number) for number in range(1, 8))
    (sentence,) = said(found)
    assert "blog.example: post pages of blog/wordpress give articles without text: 5 of 5" in sentence


def test_pages_of_a_forum_that_no_entry_describes_are_told() -> None:
    pages = (
        (f"https://forum.example/t/{each}", f"<html><body><p>{prose(each)}</p></body></html>") for each in range(60)
    )
    found = read(pages)
    (sentence,) = said(found)
    assert sentence.startswith(f"forum.example: no objects were taken from {UNREAD} pages")
    assert "anansi objects DIR --again" in sentence
    assert not any(each.failed for each in found)


def test_pages_of_a_known_site_that_no_level_fits_are_told() -> None:
    home = "https://peat.example/", '<html><head><meta name="generator" content="Movable Type 4.1"></head></html>'
    pages = [
        (f"https://peat.example/essays/{each}", f"<html><body><p>{prose(each)}</p></body></html>")
        for each in range(30)
    ]
    found = read([home, *pages])
    (sentence,) = said(found)
    assert sentence.startswith(f"peat.example: {LINED} of {LINED} pages that are no lists are of no level")
    assert "anansi objects DIR --again" in sentence


def test_a_few_pages_beside_a_forum_are_not_told() -> None:
    beside = [
        (f"https://trees.example/hand/{each}", f'<html><body id="phpbb"><p>{prose(each)}</p></body></html>')
        for each in range(30)
    ]
    threads = [prosilver(number, HEALTHY) for number in range(31)]
    assert said(read([threads[30], *(each for pair in zip(threads, beside, strict=False) for each in pair)])) == []


def test_what_is_kept_of_pages_without_posts_is_told_as_it_is() -> None:
    pages = [prosilver(number, OTHER) for number in range(8)]
    (kept,) = said(read(pages))
    (nothing,) = said(read((url, re.sub('<div id="p.*</div>', "<p>Gone.</p>", source)) for url, source in pages))
    assert "what they hold is kept as incomplete" in kept
    assert "kept as incomplete" not in nothing and "nothing is where its rules look" in nothing


# ── by the values alone ──────────────────────────────────────────────────────────────────────────────────────────


def page(number: int, objects: list[WebObject], *, site: str = "a.example", source: str = "") -> Read:
    level = shelf.catalogue()["forum/phpbb"].level("thread")
    assert level is not None
    url = f"https://{site}/{number}"
    return Read(site, "forum/phpbb", "thread", url, source or "x" * number, level.extraction, objects, {})


def posts(number: int, *days: str, words: str = "", begun: str = "") -> list[WebObject]:
    whole = f"https://a.example/{number}"
    thread = WebObject("thread", whole, (("title", Value(f"T{number}")), ("date", Value(begun))))
    return [
        thread,
        *(
            WebObject("post", f"{whole}#p{place}", (("date", Value(day)), ("text", Value(words))), whole)
            for place, day in enumerate(days)
        ),
    ]


def test_dates_before_their_thread_are_told() -> None:
    doubts = Doubts()
    found = [doubts.note(page(each, posts(each, "2010-01-01", begun="2011-01-01"))) for each in range(1, 9)]
    (sentence,) = [each for doubt in found for each in doubt.said]
    assert "give posts with dates before what they are part of: 5 of 5" in sentence


@pytest.mark.parametrize(
    "days", [("2010-01-01", "2010-01-02", "2010-01-03"), ("2010-01-03", "2010-01-02", "2010-01-01")]
)
def test_threads_in_order_are_not_doubted(days: tuple[str, ...]) -> None:
    doubts = Doubts()
    assert not any(doubts.note(page(each, posts(each, *days))).failed for each in range(1, 20))


def test_fewer_posts_than_the_page_numbers_are_told() -> None:
    doubts = Doubts()
    found = []
    for number in range(1, 12):
        source = "".join(f'<div id="p{number * 100 + each}">x</div>' for each in range(8)) + "y" * number
        found.append(doubts.note(page(number, posts(number, "2010-01-01"), source=source)))
    (sentence,) = [each for doubt in found for each in doubt.said]
    assert "number 8 posts where 1 were read" in sentence


def test_fewer_objects_than_elsewhere_are_told() -> None:
    doubts = Doubts()
    days = [f"2010-01-{each:02}" for each in range(1, 21)]
    for number in range(1, YIELDS + 5):
        assert not doubts.note(page(number, posts(number, *days), site="full.example")).said
    found = [doubts.note(page(each, posts(each, "2010-01-01"), site="thin.example")) for each in range(1, YIELDS + 5)]
    (sentence,) = [each for doubt in found for each in doubt.said]
    assert (
        "thin.example: thread pages of forum/phpbb give 2.0 objects each; at other sites of this type 21.0"
        in sentence
    )


def test_one_line_in_most_texts_is_told() -> None:
    doubts = Doubts()
    found = [
        doubts.note(page(each, posts(each, "2010-01-01", words=f"{prose(each)}\nClick to expand...")))
        for each in range(1, 20)
    ]
    sentences = [each for doubt in found for each in doubt.said]
    assert sentences == [each for each in sentences if f"one line in the texts of {LINED} that differ" in each]
    assert len(sentences) == 1


def test_what_heads_and_ends_a_quote_in_most_texts_is_told() -> None:
    doubts = Doubts()
    quoted = "{} said:\n{}\nClick to expand...\n{}"
    found = [
        doubts.note(page(each, posts(each, "2010-01-01", words=quoted.format(each, prose(each), prose(each + 1)))))
        for each in range(1, 20)
    ]
    (sentence,) = [each for doubt in found for each in doubt.said]
    assert f"one line in the texts of {LINED} that differ: “Click to expand...”" in sentence


def test_one_page_under_many_addresses_is_not_doubted() -> None:
    doubts = Doubts()
    same = posts(1, "2010-01-01", words="the same words all over")
    assert not any(doubts.note(page(each, same, source="one page")).failed for each in range(1, 40))


def test_memory_is_bounded() -> None:
    doubts = Doubts()
    for number in range(LEVELS + 50):
        doubts.note(page(1, posts(1, "2010-01-01"), site=f"s{number}.example"))
        doubts.unread(f"s{number}.example", "https://x.example/", objects=False)
    for number in range(1, 3000):
        doubts.note(page(number, posts(number, f"2010-01-01T00:{number % 60:02}:00", words=prose(number % 900))))
    assert len(doubts._levels) <= LEVELS
    assert len(doubts._unread) <= LEVELS
    level = doubts._levels["a.example", "forum/phpbb", "thread"]
    assert len(level.values) <= VALUES
    assert len(level.lines) <= VALUES


def test_a_page_costs_little() -> None:
    doubts = Doubts()
    pages = [
        page(each, posts(each, *(["2010-01-01T10:00:00"] * 20), words=prose(each % 40))) for each in range(1, 400)
    ]
    measured: list[float] = []
    note: Callable[[Read], object] = doubts.note
    for _ in range(3):
        began = time.process_time()
        for each in pages:
            note(each)
        measured.append((time.process_time() - began) / len(pages))
    assert min(measured) < 500e-6  # 20 to 50 µs on an idle machine
