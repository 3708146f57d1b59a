"""The regions of a page, with their texts."""

from __future__ import annotations

from anansi.act import tree as html
from anansi.focus.regions import LONGEST, MOST_LINKS, declared, own, regions, text_of

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
    assert LONGEST <= sum(len(each.text) for each in found) < LONGEST + 100
    linked = read("<body>" + "<p>text of its own <a href=/x>x</a></p>" * (MOST_LINKS + 50))
    assert sum(len(each.anchors) for each in linked) == MOST_LINKS


def test_a_page_of_two_thousand_levels_is_read() -> None:
    (found,) = [each for each in read("<body>" + "<div>" * 2_000 + "deep down" + "</div>" * 2_000) if each.text]
    assert (found.text, found.place) == ("deep down", "/".join(["div"] * 5))
