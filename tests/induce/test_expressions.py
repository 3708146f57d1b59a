"""Expressions made of elements: what they share and others lack."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from anansi.induce.expressions import Features, Inducer, find, naming
from anansi.induce.page_text import PageText
from anansi.knowledge.xpath import compiled
from tests.induce.pages import parsed


@pytest.fixture
def tree() -> Any:
    return parsed()


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


def test_whole_names_come_before_parts_of_them_and_before_what_stands_around(tree: Any) -> None:
    (body, _) = tree.findall(".//div[@class='body']")
    found = list(naming(body))
    assert [str(each) for each in found[:2]] == ["div[@class='body']", "div[contains(@class,'body')]"]
    assert str(found[-1]) == "div[contains(@class,'odd')]/div[contains(@class,'body')]"
    assert all(body in find(each, tree) for each in found)
