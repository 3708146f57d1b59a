"""Extraction: a page of a known level → objects, each with what stands in its container."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import parse
from anansi.model import WebObject
from anansi.pages import extract
from anansi.pages.document import Document
from anansi.pages.extract import Extractor, Place
from anansi.pages.links import base_of
from anansi.text import tree as html
from anansi.text.dates import Reader as Dates

NOW = 1_790_000_000.0
URL = "http://a.org/forum/thread?t=1&page=2"
WHOLE = "http://a.org/forum/thread?t=1"


def prop(name: str, path: str, read_as: As = As.TEXT, **more: Any) -> Property:
    without = tuple(map(parse, more.pop("without", ())))
    return Property(name, parse(path), read_as, without=without, **more)


def take(kind: str, *properties: Property, each: str = "", part_of: str = "", needs: str = "") -> Extraction:
    containers = tuple(map(parse, filter(None, each.split(" | "))))
    return Extraction(kind, containers, part_of, properties, tuple(needs.split()))


def objects(body: str, *actions: Extraction) -> list[WebObject]:
    source = f"<html><head><title>Page</title></head><body>{body}</body></html>"
    document = Document(html.parse(source.encode(), "utf-8"), source, URL, 200, (("x-author", "Ada"),))
    base = base_of(document.page, URL)
    return Extractor().objects(
        Place(document.tree, document.source, lambda: document.exchange, URL, base, WHOLE, Dates(NOW)), actions
    )


def one(body: str, *properties: Property) -> WebObject:
    (found,) = objects(body, take("thread", *properties))
    return found


def values(found: WebObject, name: str) -> list[str]:
    return [value.text for key, value in found.properties if key == name]


# ── containers ───────────────────────────────────────────────────────────────────────────────────────────────────

POSTS = "".join(
    f'<div class="post" id="p{n}"><b class="who">User {n}</b><div class="text">Text {n}</div></div>' for n in (1, 2)
)
POST = take(
    "post",
    prop("id", "@id"),
    prop("author", "b[@class='who']"),
    prop("text", "div[@class='text']", As.BODY),
    each="div[@class='post']",
    part_of="thread",
    needs="text",
)
THREAD = take("thread", prop("title", "h1"))


def test_a_page_is_one_object_and_its_containers_are_its_parts() -> None:
    thread, first, second = objects(f"<h1>Title</h1>{POSTS}", POST, THREAD)
    assert (thread.kind, thread.uri, thread.get("title"), thread.part_of) == ("thread", WHOLE, "Title", "")
    assert (first.kind, first.uri, first.part_of) == ("post", f"{WHOLE}#p1", WHOLE)
    assert [each.get("author") for each in (first, second)] == ["User 1", "User 2"]
    assert [name for name, _ in second.properties] == ["id", "author", "text"]


def test_what_stands_in_an_inner_container_is_not_the_outer_one_s() -> None:
    body = (
        '<div class="post"><div class="text">outer</div><div class="post"><div class="text">inner</div></div></div>'
    )
    assert [each.get("text") for each in objects(body, POST)] == ["outer", "inner"]


def test_a_container_without_what_it_needs_gives_what_it_holds_to_the_one_around_it() -> None:
    body = """<div class="post" id="p1"><div class="post"><b class="who">Ada</b></div>
        <div class="post" id="body"><div class="text">words</div></div></div>"""
    incomplete = take("post", *POST.properties, each="div[@class='post']", needs="author text")
    (found,) = objects(body, incomplete)
    assert (found.get("id"), found.get("author"), found.get("text")) == ("p1", "Ada", "words")


def test_a_part_that_is_complete_stays_an_object_of_its_own() -> None:
    body = """<div class="post" id="p1"><b class="who">Ada</b>
        <div class="post" id="p2"><div class="text">words</div></div></div>"""
    (found,) = objects(body, POST)
    assert (found.get("id"), found.get("author")) == ("p2", "")


def test_many_values_of_incomplete_parts_are_joined_in_their_order() -> None:
    tags = prop("tag", "a", many=True)
    action = take("post", tags, prop("text", "p"), each="div", needs="text")
    body = "<div><p>t</p><div><a>1</a></div><div><a>2</a><a>3</a></div></div>"
    assert [values(each, "tag") for each in objects(body, action)] == [["1", "2", "3"]]


def test_the_first_of_several_incomplete_parts_speaks_and_the_outer_s_own_words_count_more() -> None:
    body = """<div class="post" id="p1"><div class="text">mine</div>
        <div class="post" id="inner1"><b class="who">first</b></div>
        <div class="post" id="inner2"><b class="who">second</b></div></div>"""
    (found,) = objects(body, POST)
    assert (found.get("id"), found.get("author"), found.get("text")) == ("p1", "first", "mine")


def test_a_container_that_stays_incomplete_is_none() -> None:
    assert objects('<div class="post" id="p1"><b class="who">Ada</b></div>', POST) == []
    assert objects("<p>nothing</p>", POST, THREAD) == []


def test_the_first_expression_with_complete_containers_counts() -> None:
    action = take(
        "post",
        prop("text", "p"),
        each="li[@class='none'] | div[@class='empty'] | div[@class='a'] | div",
        needs="text",
    )
    body = '<div class="empty"></div><div class="a"><p>one</p></div><div class="b"><p>two</p></div>'
    assert [each.get("text") for each in objects(body, action)] == ["one"]


def test_a_part_belongs_to_the_object_it_stands_in() -> None:
    answer = take("answer", prop("id", "@id"), prop("text", "p"), each="div[@class='answer']", part_of="question")
    comment = take("comment", prop("text", "i"), each="li", part_of="answer")
    question = take("question", prop("title", "h1"))
    body = """<h1>How?</h1><div class="answer" id="a1"><p>So.</p><ul><li><i>no</i></li></ul></div>
        <div class="answer" id="a2"><p>Or so.</p><ul><li><i>yes</i></li></ul></div><li><i>loose</i></li>"""
    found = objects(body, comment, answer, question)
    assert [each.kind for each in found] == ["question", "answer", "answer", "comment", "comment", "comment"]
    assert [each.part_of for each in found[3:]] == [f"{WHOLE}#a1", f"{WHOLE}#a2", f"{WHOLE}#a1"]


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_of_several_expressions_the_first_that_finds_something_counts() -> None:
    paths = (prop("title", "h1"), prop("title", "h2"), prop("title", "title"))
    assert values(one("<h1> </h1><h2>Two</h2><h2>Three</h2>", *paths), "title") == ["Two"]
    assert values(one("", *paths), "title") == ["Page"]


def test_which_expression_counts_is_decided_container_by_container() -> None:
    action = take("post", prop("text", "p"), prop("text", "q"), each="div")
    assert [each.get("text") for each in objects("<div><q>a</q></div><div><q>b</q><p>c</p></div>", action)] == [
        "a",
        "c",
    ]


def test_many_values_are_taken_where_many_are_asked_for() -> None:
    body = '<a rel="tag">x</a><a rel="tag">y</a>'
    assert values(one(body, prop("tag", "a[@rel='tag']", many=True)), "tag") == ["x", "y"]
    assert values(one(body, prop("tag", "a[@rel='tag']")), "tag") == ["x"]


def test_a_match_takes_its_group_or_all() -> None:
    body = "<p>Posted by Ada on Monday</p><p>Posted by Bob</p>"
    assert one(body, prop("author", "p", match=r"by (\w+)")).get("author") == "Ada"
    assert one(body, prop("author", "p", match=r"by \w+")).get("author") == "by Ada"
    assert one(body, prop("author", "p", match=r"by (Bob)")).get("author") == "Bob", "the next node may match"
    assert objects(body, take("thread", prop("author", "p", match="nobody"))) == []


def test_what_is_left_out_is_left_out_of_the_value_only() -> None:
    body = "<div class='t'><blockquote>said <i>he</i></blockquote>No.<p class='sig'>Ada</p></div>"
    text = prop("text", "div[@class='t']", As.BODY, without=("blockquote", "p[@class='sig']"))
    found = one(body, text, prop("quote", "blockquote", As.BODY))
    assert (found.get("text"), found.get("quote")) == ("No.", "said he")


def test_a_text_is_read_whole_by_one_property_and_in_part_by_another() -> None:
    body = "<div class='t'><blockquote>said he</blockquote>No.</div><div class='t'>Yes.</div>"
    text = prop("text", "div[@class='t']", As.BODY, without=("blockquote",), many=True)
    title = prop("title", "div[@class='t']", many=True)
    for properties in ((text, title), (title, text)):
        found = one(body, *properties)
        assert (values(found, "text"), values(found, "title")) == (["No.", "Yes."], ["said he No.", "Yes."])


def test_what_matches_is_looked_for_in_an_attribute_as_it_is_written() -> None:
    assert objects("<p id=' p1'>x</p>", take("thread", prop("id", "p/@id", match="^p1"))) == []
    assert one("<p id=' p1 '>x</p>", prop("id", "p/@id", match="p1.*")).get("id") == "p1"


def test_nested_quotes_can_be_told_apart() -> None:
    quote = prop("quote", "blockquote", As.BODY, without=("blockquote",), many=True)
    assert values(one("<blockquote>a<blockquote>b</blockquote></blockquote>", quote), "quote") == ["a", "b"]


def test_attributes_are_the_container_s_own_or_those_of_elements_below() -> None:
    action = take(
        "post", prop("id", "@id"), prop("title", "a/@title"), prop("tag", "a//@lang", many=True), each="div"
    )
    (found,) = objects('<div id="p1"><a title="t" lang="de">x<b lang="en">y</b></a><i id="no">z</i></div>', action)
    assert (found.get("id"), found.get("title"), values(found, "tag")) == ("p1", "t", ["de", "en"])


def test_texts_are_those_of_the_element_and_not_of_its_children() -> None:
    body = "<p>one<b>two</b>three<i>four</i>five</p>"
    for path, expected in {
        "p/text()": "one three five",
        "p/text()[1]": "one",
        "p/text()[2]": "three",
        "p/text()[last()]": "five",
    }.items():
        assert one(body, prop("title", path)).get("title") == expected
    assert objects(body, take("thread", prop("title", "p/text()[4]"))) == []
    action = take("post", prop("text", "text()"), each="p")
    assert [each.get("text") for each in objects(body, action)] == ["one three five"]


@pytest.mark.parametrize("path", ["p/@id[2]", "p/@id[@x='y']", "p/@none", "p/text()[b='two']"])
def test_what_an_expression_cannot_find_is_nothing(path: str) -> None:
    assert objects('<p id="a">x<b>two</b></p>', take("thread", prop("title", path))) == []


def test_links_are_relative_to_the_base_and_keep_their_fragment() -> None:
    link = prop("link", "a", As.LINK)
    assert one('<a href="p?id=3#c 4">x</a>', link).get("link") == "http://a.org/forum/p?id=3#c%204"
    assert one('<base href="/other/"><a href="p">x</a>', link).get("link") == "http://a.org/other/p"
    assert one('<a href="mailto:x">x</a><a href="/ok">y</a>', link).get("link") == "http://a.org/ok"
    assert one('<img src="i.png">', prop("image", "img", As.LINK)).get("image") == "http://a.org/forum/i.png"
    assert one('<p title="/t">x</p>', prop("link", "p/@title", As.LINK)).get("link") == "http://a.org/t"


def test_dates_are_read_from_what_machines_read_first() -> None:
    date = prop("date", "time", As.DATE)
    found = one('<time datetime="2020-05-17T10:00:00+00:00">last week</time>', date)
    assert found.get("date").startswith("2020-05-17T10:00:00")
    assert objects("<time>no date at all</time>", take("thread", date)) == []
    written = one("<time>17|05|2020</time>", prop("date", "time", As.DATE, formats=("%d|%m|%Y",)))
    ((_, value),) = written.properties
    assert value.text.startswith("2020-05-17")
    assert (value.read_as, value.original) == ("date", "17|05|2020")


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("5", "5"),
        ("#12", "12"),
        ("1,234 views", "1234"),
        ("1.234.567", "1234567"),
        ("12 345", "12345"),
        ("3 replies, 4 views", "3"),
        ("-7", "-7"),
        ("post-7", "7"),
        ("12.5", "12"),
        ("٣٤", "34"),
        ("١٬٢٣٤", "1234"),
        ("1,23,456", "123456"),
        ("3 Mitglieder", "3"),
        ("none", ""),
        ("1.2K", ""),
        ("3k replies", ""),
        ("1,2 Tsd.", ""),
        ("5 тыс.", ""),
        ("1万", ""),
    ],
)
def test_numbers_are_the_first_in_a_text(written: str, number: str) -> None:
    found = objects(f"<b>{written}</b>", take("thread", prop("replies", "b", As.NUMBER)))
    assert [each.get("replies") for each in found] == ([number] if number else [])


def test_a_value_can_come_from_the_exchange() -> None:
    found = one("<p>x</p>", prop("author", "http/header/x-author"), prop("id", "url/query/t"))
    assert (found.get("author"), found.get("id")) == ("Ada", "1")


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_object_is_named_by_its_id_its_link_or_its_place() -> None:
    by_link = take("post", prop("link", "a", As.LINK), each="div")
    assert [each.uri for each in objects('<div><a href="#p7">x</a></div>', by_link)] == [f"{URL}#p7"]
    by_place = take("post", prop("text", "p"), each="div")
    found = objects("<div><p>a</p></div><div><p>b</p></div>", by_place)
    assert [each.uri for each in found] == [f"{URL}#post-1", f"{URL}#post-2"]
    (odd,) = objects('<div id="a b#c"><p>x</p></div>', take("post", prop("id", "@id"), each="div"))
    assert odd.uri == f"{WHOLE}#a%20b%23c"


def test_two_objects_that_are_the_page_have_two_names() -> None:
    found = objects("<h1>t</h1><h2>f</h2>", THREAD, take("forum", prop("title", "h2")))
    assert [each.uri for each in found] == [WHOLE, f"{WHOLE}#forum"]


# ── bounds ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_counts_and_sizes_are_bounded() -> None:
    many = objects("<p><b>x</b></p>" * (extract.MOST + 10), take("post", prop("text", "b"), each="p"))
    assert len(many) == extract.MOST
    tags = one("<i>x</i>" * (extract.MOST_VALUES + 10), prop("tag", "i", many=True))
    assert len(tags.properties) == extract.MOST_VALUES
    long = one(f"<p>{'x' * (extract.LONGEST + 10)}</p>", prop("text", "p"))
    assert len(long.get("text")) == extract.LONGEST


def test_a_container_can_reach_up_to_the_next_one() -> None:
    action = replace(
        take("comment", prop("author", "dt/a"), prop("text", "dd"), prop("link", "i"), each="dt", needs="author"),
        runs=frozenset((parse("dt"),)),
    )
    first, second = objects(
        "<dl><dd>before</dd><dt><a>Ada</a></dt><dd><p>One</p></dd><i>1</i><dt><a>Bob</a></dt><dd>Two</dd></dl><i>3</i>",
        action,
    )
    assert (first.get("author"), first.get("text"), first.get("link")) == ("Ada", "One", "1")
    assert (second.get("author"), second.get("text"), second.get("link")) == ("Bob", "Two", "")


def test_containers_nested_without_end_take_no_time_without_end() -> None:
    depth = 1500
    body = '<div class="post"><div class="text">t</div>' * depth + "</div>" * depth
    assert len(objects(body, POST)) > 100
