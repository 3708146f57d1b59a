"""The text of a page, and which elements cover which part of it."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from anansi.induce.page_text import PageText, squeezed
from tests.induce.pages import parsed


@pytest.fixture
def tree() -> Any:
    return parsed()


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
