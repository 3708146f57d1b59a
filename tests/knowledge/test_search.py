"""Expressions in use: what is found by lists of classes and ids is what XPath finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.knowledge.search import Around, Search
from anansi.knowledge.xpath import LAST, Contains, Equals, Expression, Position, Predicate, Step, compiled, parse
from anansi.text import tree as html
from anansi.text.page_model import PageModel

CLASSES = st.sampled_from(("post", "post own", "author", "x", ""))
PAGE = """<html><body class="page"><ul class="list"><li class="post"><b class="who">a</b></li><li><b>b</b></li></ul>
<div id="p1" class="post"><p class="author"><a class="who" href="/u/1">Ada</a></p><p>one</p>
<div class="post" id="p2"><p class="author">Bob</p></div></div></body></html>"""


@st.composite
def pages(draw: st.DrawFn, depth: int = 4) -> str:
    """Draw elements in elements, with few classes and ids."""
    tag = draw(st.sampled_from(("div", "p", "span", "b")))
    below = "".join(draw(st.lists(pages(depth - 1), max_size=3))) if depth else "text"
    named = f' id="{draw(st.sampled_from(("p1", "p2", "other")))}"' if draw(st.booleans()) else ""
    return f'<{tag} class="{draw(CLASSES)}"{named} title="t{draw(st.integers(0, 2))}">{below}</{tag}>'


PREDICATES: st.SearchStrategy[Predicate] = st.one_of(
    st.builds(Contains, st.sampled_from(("@class", "@id", "@title")), st.sampled_from(("post", "p", "t1", "own"))),
    st.builds(Equals, st.sampled_from(("@class", "@id", "@title")), st.sampled_from(("post", "p1", "t1", ""))),
    st.sampled_from((Position(1), Position(2), Position(LAST))),
)


@st.composite
def paths(draw: st.DrawFn) -> Expression:
    step = st.builds(
        Step,
        st.sampled_from(("/", "//")),
        st.sampled_from(("div", "p", "span", "b", "*")),
        st.lists(PREDICATES, max_size=2).map(tuple),
    )
    first, *rest = draw(st.lists(step, min_size=1, max_size=3))
    return Expression((Step("//", first.test, first.predicates), *rest))


@settings(max_examples=300)
@given(pages(), st.lists(paths(), min_size=1, max_size=6))
def test_whatever_is_asked_of_a_page_is_what_xpath_finds(body: str, expressions: list[Expression]) -> None:
    source = f"<html><body>{body}</body></html>"
    tree = html.parse(source.encode(), "utf-8")
    search, page = Search(), PageModel(tree, source)
    for expression in expressions:
        found = search.find(page, expression)
        assert found == compiled(expression)(tree), str(expression)
        assert search.find(page, expression) == found, "asked again"


@given(pages(), paths(), paths())
def test_a_path_below_another_is_the_joined_path(body: str, above: Expression, below: Expression) -> None:
    tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
    assert Search().find(PageModel(tree), above, below) == compiled(above / below)(tree)


def tree_of(source: str = PAGE) -> Any:
    return html.parse(source.encode(), "utf-8")


def test_the_next_page_is_searched_anew() -> None:
    search, path = Search(), parse("li[@class='post']")
    pages = [PageModel(tree_of(each), each) for each in (PAGE, "<li class='post'><li class='post'>")]
    assert [len(search.find(each, path)) for each in pages] == [1, 2]


def test_the_source_may_tell_that_there_is_nothing() -> None:
    tree = tree_of()
    assert Search().find(PageModel(tree, "no such class"), parse("li[@class='post']")) == []
    assert len(Search().find(PageModel(tree), parse("li[@class='post']"))) == 1


@pytest.mark.parametrize("path", ["a/@href", "p/text()", "li[contains(b,'a')]", "*[contains(@class,'')]"])
def test_what_is_more_than_elements_by_attributes_is_left_to_xpath(path: str) -> None:
    tree = tree_of()
    assert Search().find(PageModel(tree, PAGE), parse(path)) == compiled(parse(path))(tree) != []


def test_the_nearest_of_some_elements_is_told() -> None:
    tree = tree_of()
    outer, inner = tree.xpath("//div")
    around = Around([outer, inner])
    assert [around.nearest(each) for each in tree.xpath("//p")] == [outer, outer, inner]
    assert around.nearest(inner) is inner
    assert around.nearest(tree.find("body")) is None
