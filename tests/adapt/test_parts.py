"""The parts of adaptation, each by itself: texts and their places, expressions of elements, what values look like."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree, html

from anansi.adapt.locate import Locator
from anansi.induce import judges
from anansi.induce.expressions import Features, Inducer
from anansi.induce.names import NameWords, name_words, words_of
from anansi.induce.page_text import PageText, squeezed
from anansi.inspection.story import NOW
from anansi.knowledge import shelf
from anansi.knowledge.xpath import compiled
from anansi.model import Value
from anansi.pages.extract import Place
from anansi.text.dates import Reader

PAGE = """<html><head><title>Kilns - Clay</title></head><body><h1>Kilns</h1>
<div class="post odd" id="p1"><b class="who">Ada</b> <i class="when">2020-03-01 10:20</i>
  <div class="body">One <blockquote>quoted words</blockquote> and the answer to it, which is long.</div></div>
<div class="post even" id="p2"><b class="who">Bo</b> <i class="when">2020-03-02 11:30</i>
  <div class="body">Another answer, which is quite as long as that.</div><a class="perm" href="#p2">#2</a></div>
</body></html>"""


@pytest.fixture
def tree() -> Any:
    return html.document_fromstring(PAGE)


def values(*found: str, read_as: str = "text") -> list[list[Value]]:
    return [[Value(each, read_as, each)] for each in found]


# ── spans ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_element_is_found_by_its_whole_text(tree: Any) -> None:
    spans = PageText(tree)
    assert [each.tag for each in spans.holding(squeezed("Kilns"))] == ["h1"]
    assert spans.of(tree.find(".//b")) == "Ada"
    assert spans.whole


def test_a_text_with_a_quote_in_its_middle_is_found_by_its_ends(tree: Any) -> None:
    spans = PageText(tree)
    found = spans.around("One", squeezed("which is long."))
    assert found[0].get("class") == "body"


def test_a_page_that_nests_without_end_is_cut() -> None:
    deep = etree.Element("html")
    innermost = deep
    for _ in range(600):
        innermost = etree.SubElement(innermost, "div")
    assert not PageText(deep).whole


# ── places of known values ───────────────────────────────────────────────────────────────────────────────────────


def place(tree: Any) -> Place:
    url = "https://clay.example/t/1"
    return Place(tree, PAGE, lambda: None, url, url, url, Reader(NOW))


@pytest.mark.parametrize(
    ("name", "value", "tag"),
    [
        ("author", Value("Bo"), "b"),
        ("date", Value("2020-03-02T11:30:00", "date", "2020-03-02 11:30"), "i"),
        ("link", Value("https://clay.example/t/1#p2", "link"), "a"),
        ("id", Value("p2"), "div"),
        ("number", Value("2", "number", "#2"), "a"),
        ("text", Value("Another answer, which is quite as long as that.", "body"), "div"),
    ],
)
def test_known_values_are_found(tree: Any, name: str, value: Value, tag: str) -> None:
    spots = Locator(place(tree), PageText(tree)).spots(name, value)
    assert tag in {element.tag for element, _ in spots}


def test_what_is_not_there_does_not_stand(tree: Any) -> None:
    locator = Locator(place(tree), PageText(tree))
    assert not locator.stands("text", Value("Something that nobody wrote on this page at all.", "body"))
    assert locator.stands("author", Value("Ada"))


# ── expressions made of elements ─────────────────────────────────────────────────────────────────────────────────


def test_elements_are_told_by_what_they_share_and_others_lack(tree: Any) -> None:
    spans = PageText(tree)
    inducer = Inducer(Features(spans.elements), [tree])
    posts = tree.findall(".//div[@id]")
    found = inducer.expressions_of_all(posts)
    assert compiled(found[0])(tree) == posts


def test_a_property_is_told_in_its_container(tree: Any) -> None:
    spans = PageText(tree)
    posts = tree.findall(".//div[@id]")
    inducer = Inducer(Features(spans.elements), posts)
    best = inducer.expressions([post.find("b") for post in posts])[0]
    assert str(best) == "b[contains(@class,'who')]"


def test_an_own_attribute_is_said_as_such(tree: Any) -> None:
    posts = tree.findall(".//div[@id]")
    inducer = Inducer(Features(PageText(tree).elements), posts)
    assert [str(each) for each in inducer.expressions(posts, "@id")] == ["@id"]


def test_brothers_without_names_are_counted() -> None:
    tree = html.document_fromstring("<ul class='crumbs'><li>a</li><li>b</li><li>c</li></ul>")
    inducer = Inducer(Features(PageText(tree).elements), [tree])
    target = tree.findall(".//li")[1]
    assert "ul[contains(@class,'crumbs')]/li[2]" in {str(each) for each in inducer.expressions([target])}


# ── what values look like ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("author", ("Ada", "Bo", "Cem"), ("Reply", "Reply", "Reply")),
        ("author", ("Ada", "Bo", "Cem"), ("10:20 am", "11:30 am", "12:00 am")),
        ("author", ("Ada", "Bo", "Cem"), ("This is a whole sentence.", "And this is one, too.", "So it goes on.")),
        ("title", ("A kiln of one's own",), ("Next",)),
        ("id", ("p1", "p2", "p3"), ("p1", "p1", "p1")),
        ("text", ("a " * 400, "b " * 400, "c " * 400), ("same " * 50,) * 3),
        ("date", ("2020-01-01T10:00:00", "2020-01-02T10:00:00"), ("2004", "2005")),
    ],
)
def test_values_that_look_like_it_and_such_that_do_not(
    name: str, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    assert judges.plausible(name, values(*good), len(good)) >= 0.5
    assert judges.plausible(name, values(*bad), len(bad)) < 0.35


def test_titles_are_their_pages_own_and_texts_differ() -> None:
    assert judges.over_pages("title", [values("One"), values("Two"), values("Three")])
    assert not judges.over_pages("title", [values("Clay"), values("Clay"), values("Clay")])
    assert not judges.over_pages("text", [values("Terms of use")] * 3)


def test_a_name_that_stands_in_every_post_is_a_button() -> None:
    assert not judges.over_pages("author", [values("Quote", "Quote"), values("Quote", "Quote")])
    assert judges.over_pages("author", [values("Ada", "Bo"), values("Bo", "Ada")])
    assert judges.over_pages("author", [values("Ada"), values("Ada")], named=True)
    assert not judges.over_pages("author", [values("Home"), values("Home")])


def test_a_text_that_holds_the_date_is_more_than_the_text() -> None:
    assert judges.mixed(values("Ada, 2020-03-01 10:20: hello there"), values("2020-03-01 10:20"))
    assert not judges.mixed(values("hello there"), values("2020-03-01 10:20"))


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_names_are_read_as_words() -> None:
    assert words_of("post-author") == words_of("postAuthor") == words_of("post_author") == {"post", "author"}


def test_the_category_says_what_names_mean() -> None:
    forum = name_words(each for each in shelf.catalogue().types.values() if each.category == "forum")
    assert forum.says("author", ["x-username"])
    assert not forum.says("author", ["zz3"])
    assert not NameWords().says("quote", ["body"])
