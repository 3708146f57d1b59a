"""The parts of adaptation, each by itself: texts and their places, expressions of elements."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree, html

from anansi.adapt.locate import Locator
from anansi.induce.expressions import Features, Inducer
from anansi.induce.page_text import PageText, squeezed
from anansi.inspection.story import NOW
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
