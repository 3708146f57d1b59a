"""The model of a page: what it lists is what XPath finds, in the page's order, and each list is made once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.text import tree as html
from anansi.text.page_model import PageModel

PAGE = """<html><head><title>A  page</title><base href="/x/"><link rel="next" href="/2"></head>
<body class="page"><!-- no element --><a name="top"></a><a href="/1" class="link own">one</a>
<map><area href="/map"></map><div id="p1" class="post own"><a href="#p1" id="to">it<b>self</b></a></div>
<div class="post">two<script>var three</script></div></body></html>"""


def model(source: str = PAGE) -> PageModel:
    return PageModel(html.parse(source.encode(), "utf-8"), source)


@pytest.mark.parametrize("tag", ["a", "div", "*", "table"])
def test_elements_are_listed_by_tag_and_kept(tag: str) -> None:
    page = model()
    assert page.of(tag) == page.tree.xpath(f"//{tag}")
    assert page.of(tag) is page.of(tag)


@pytest.mark.parametrize(
    ("name", "tag"), [("class", "*"), ("class", "div"), ("id", "*"), ("id", "div"), ("name", "a")]
)
@pytest.mark.parametrize("text", ["post", "post own", "p1", "to", "o", "nothing"])
def test_elements_are_found_by_what_an_attribute_is_or_holds(name: str, tag: str, text: str) -> None:
    page = model()
    assert page.having(name, tag).equal(text) == page.tree.xpath(f"//{tag}[@{name}='{text}']")
    assert page.having(name, tag).containing(text) == page.tree.xpath(f"//{tag}[contains(@{name},'{text}')]")


@given(st.lists(st.sampled_from(("a", "ab", "b", "c a", "")), max_size=8), st.sampled_from(("a", "b", "c", "d")))
def test_what_holds_a_text_comes_in_the_order_of_the_page(classes: list[str], text: str) -> None:
    page = model("<html><body>" + "".join(f'<p class="{each}">x</p>' for each in classes) + "</body></html>")
    found: list[Any] = page.having("class").containing(text)
    assert found == page.tree.xpath(f"//*[contains(@class,'{text}')]")


def test_links_are_anchors_and_areas_in_their_order() -> None:
    page = model()
    assert page.hrefs == ["/1", "#p1"]
    assert [href for href, _ in page.links] == ["/1", "/map", "#p1"]
    assert [(href, each.get("href")) for href, each in page.anchors] == [("/1", "/1"), ("#p1", "#p1")]
    assert page.hrefs == ["/1", "#p1"], "asked again, by the anchors"
    assert [each.tag for each in page.referring] == ["base", "link", "area"]


def test_the_base_is_the_first_that_names_one() -> None:
    assert model().base == "/x/"
    assert model("<html><base target=_top><base href='a/'><base href='b/'></html>").base == "a/"
    assert model("<html><p>no base</p></html>").base is None


def test_texts_are_read_once_and_without_scripts() -> None:
    page = model()
    assert page.title == "A page"
    assert "two" in page.text and "three" not in page.text
    assert page.text is page.text


def test_the_source_tells_what_is_not_there() -> None:
    assert not model().may_hold("no-such-class")
    assert PageModel(model().tree).may_hold("no-such-class"), "nobody knows without it"
