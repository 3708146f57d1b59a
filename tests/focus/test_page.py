"""A page is read once: its terms, its regions, its links and where they stand."""

from __future__ import annotations

import time

import msgspec
import pytest

from anansi.focus.page import address_terms, declared, own, page_terms, regions, text_of
from anansi.focus.settings import SETTINGS
from anansi.text import tree as html
from tests.focus.pages import SITE, key, reading


def test_links_know_their_words_their_place_and_their_region() -> None:
    page = reading(
        "/",
        '<div class="post"><p>Of <a href="/wiki/Steam_locomotive.htm">steam engines</a> and more of them.</p>'
        '<ul><li><a href="/b">First</a></li><li><a href="/c">Second</a></li></ul></div>',
    )
    first, second, third = page.references
    assert (first.key, first.anchor) == (key("/wiki/Steam_locomotive.htm"), ("steam", "engin"))
    assert first.address == ("steam", "locomot")
    assert first.group != second.group == third.group
    assert first.label == "html/body/div.post/p"
    assert second.label.endswith("ul/li")
    assert page.blocks[first.block].terms == ("steam", "engin")


def test_navigation_is_not_the_pages_own_text() -> None:
    page = reading(
        "/",
        '<nav><p>Imprint of everything here</p></nav><div><a href="/1">gardens</a> <a href="/2">kitchens</a></div>'
        "<script>var hidden = 'secret'</script><p>Locomotives ran here.</p>",
        title="Railways",
    )
    assert set(page.own) == {"locomot", "ran"}
    assert {"imprint", "garden"} <= set(page.terms)
    assert "secret" not in page.terms
    assert [page.blocks[link.block].main for link in page.references] == [False, False]


def test_what_an_anchor_without_text_is_called_is_read() -> None:
    page = reading("/", '<p><a href="/x" title="Old carriage"><img src="x.png"></a></p>')
    assert page.references[0].anchor == ("old", "carriag")


def test_addresses_say_something() -> None:
    assert address_terms(f"{SITE}/wp/r/Rail_transport.htm") == ("rail", "transport")
    assert address_terms(f"{SITE}/D%25C3%25A1l_Riata.html") == ("dal", "riata")
    assert address_terms(f"{SITE}/trains/?page=2") == ("train", "page")
    assert address_terms(f"{SITE}/") == ()


def test_a_page_of_ten_megabytes_is_read_in_part() -> None:
    body = "<p>locomotive <a href='/x'>x</a></p>" * 300_000
    started = time.process_time()
    page = reading("/", body)
    assert time.process_time() - started < 20
    assert len(page.references) <= SETTINGS.most_links
    assert sum(page.terms.values()) * len("locomotive ") < 2 * SETTINGS.longest_text


def test_an_empty_page_is_a_page() -> None:
    page = reading("/", "")
    assert (page.terms, page.references, page.blocks) == ({}, (), ())


def test_links_are_bounded_also_where_they_stand_in_one_paragraph() -> None:
    page = reading("/", "<p>" + "".join(f'<a href="/{number}">x</a> ' for number in range(SETTINGS.most_links + 500)))
    assert len(page.references) == SETTINGS.most_links


PAGE = """<html lang=de><head><title> Floods |
 News</title><style>p {}</style></head><body>
<nav><ul><li><a href=/>Home</a></li></ul></nav>
<main id=story class=wide><h1>High water</h1><p>The <b>levee</b> broke.<script>var p = 1</script> Read <a href=/more
title=x>more about it</a> here, and stay dry.</p><div><a href=/a>one</a> <a href=/b><img src=x></a></div></main>
<footer><p>Imprint of the house</p></footer></body></html>"""


def read(markup: str) -> tuple:  # type: ignore[type-arg]
    return regions(html.parse(markup.encode(), "utf-8"))


def test_a_page_is_its_title_its_headings_its_paragraphs_and_its_frame() -> None:
    found = read(PAGE)
    assert [(each.kind, each.text) for each in found] == [
        ("title", "Floods | News"),
        ("frame", "Home"),
        ("heading", "High water"),
        ("main", "The levee broke. Read more about it here, and stay dry."),
        ("frame", "one"),
        ("frame", "Imprint of the house"),
    ]
    assert [each.place for each in found][2:4] == ["html/body/main.story/h1", "html/body/main.story/p"]
    assert [(each.href, each.text) for each in found[3].anchors] == [("/more", "more about it")]
    assert [each.href for each in found[4].anchors] == ["/a", "/b"]


def test_its_own_text_is_without_the_frame_unless_there_is_nothing_else() -> None:
    assert text_of(own(read(PAGE))).splitlines()[1:] == [
        "High water",
        "The levee broke. Read more about it here, and stay dry.",
    ]
    assert text_of(own(read("<body><nav><p>Only a menu</p></nav>"))) == "Only a menu"


def test_the_language_is_what_the_page_declares() -> None:
    assert declared(html.parse(PAGE.encode(), "utf-8")) == "de"
    assert declared(html.parse(b"<p>x", "utf-8")) == ""


def test_what_a_page_can_cost_is_bounded() -> None:
    found = read("<body>" + "<p>words without end, again</p>" * 40_000)
    assert SETTINGS.longest_text <= sum(len(each.text) for each in found) < SETTINGS.longest_text + 100
    linked = read("<body>" + "<p>text of its own <a href=/x>x</a></p>" * (SETTINGS.most_links + 50))
    assert sum(len(each.anchors) for each in linked) == SETTINGS.most_links


def test_a_page_of_two_thousand_levels_is_read() -> None:
    (found,) = [each for each in read("<body>" + "<div>" * 2_000 + "deep down" + "</div>" * 2_000) if each.text]
    assert (found.text, found.place) == ("deep down", "/".join(["div"] * 8))


HOSTILE = {
    "a million links": "".join(f"<a href=/{number}>x</a> " for number in range(1_000_000)),
    "anchors in anchors": "<a href=/x><b>" * 1_000 + "<img>" * 200_000,
    "links deep down": "<div class=a>" * 2_000 + "<a href=/x>honey</a>" * 20_000,
    "empty elements": "<i></i>" * 1_500_000,
    "a million regions": "<p>a" * 1_000_000,
    "a class for each": "".join(f"<p class={number:x}abc>a" for number in range(200_000)),
    "words that nobody knows": "<p>"
    + " ".join(f"{number:b}" for number in range(400_000)).translate({48: 97, 49: 98}),
    "one anchor without end": "<a href=/x>" + "honey " * 1_300_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_page_costs_a_second_at_most_and_gives_little(kind: str) -> None:
    tree = html.parse(f"<body>{HOSTILE[kind]}".encode(), "utf-8")
    started = time.process_time()
    page = page_terms(regions(tree), "http://site.example/", str)
    assert time.process_time() - started < 8, "a tenth of that on a machine that does nothing else"
    assert len(page.references) <= SETTINGS.most_links
    assert len(page.terms) <= SETTINGS.most_distinct
    assert len(msgspec.msgpack.encode(page)) < 1 << 20


def test_the_text_of_an_anchor_with_many_elements_is_read_in_part() -> None:
    (page,) = [each for each in read("<p><a href=/x>a <b>card</b> of <i>honey</i></a>") if each.anchors]
    assert page.anchors[0].text == "a card of honey"
    (page,) = [each for each in read("<p><a href=/x>many " + "<b>honey</b>" * 500 + "</a>") if each.anchors]
    assert page.anchors[0].text.startswith("many honey honey")
    assert len(page.anchors[0].text) <= SETTINGS.longest_anchor
