"""What a page says of itself in JSON-LD, as a tree."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lxml import etree

from anansi.pages import linked_data as module
from anansi.pages.document import Document
from anansi.pages.linked_data import linked
from anansi.text import tree as html
from anansi.text.page_model import PageModel


def tree(*scripts: str) -> Any:
    written = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    return html.parse(f"<html><head>{written}</head><body></body></html>".encode(), "utf-8")


def said(*things: Any) -> str:
    return str(etree.tostring(linked(PageModel(tree(*map(json.dumps, things))))[0], encoding="unicode"))


def test_a_thing_is_an_element_named_by_its_type() -> None:
    assert said({"@type": "Person", "name": "Ada", "age": 36, "knows": True}) == (
        '<ld><Person type="Person"><name>Ada</name><age>36</age><knows>true</knows></Person></ld>'
    )
    assert said({"@type": "schema:Person"}) == said({"@type": "https://schema.org/Person"})
    assert said({"@type": ["NewsArticle", "Thing"]}, {"@type": "BlogPosting"}) == (
        '<ld><Article type="NewsArticle"/><Article type="BlogPosting"/></ld>'
    )
    assert said({"name": "x"}, {"@type": 7}, {"@type": "not a name"}).count("<Thing") == 3


def test_lists_graphs_and_references_are_followed() -> None:
    graph = {"@graph": [{"@type": "Article", "author": [{"@id": "#a"}, "Bob"]}, {"@id": "#a", "name": "Ada"}, 7]}
    assert said(graph) == (
        '<ld><Article type="Article"><author><Thing type="Thing"><name>Ada</name></Thing></author>'
        '<author>Bob</author></Article><Thing type="Thing"><name>Ada</name></Thing></ld>'
    )
    assert said([{"@type": "A"}, [], "x"]) == '<ld><A type="A"/></ld>'


@pytest.mark.parametrize("script", ["", "{ broken", "[" * 100_000, "null", '"text"', "{}" * 3])
def test_what_is_no_json_says_nothing(script: str) -> None:
    assert len(linked(PageModel(tree(script, '{"@type": "A"}'))).find("ld")) == 1


def test_things_without_end_are_cut() -> None:
    circle = {
        "@graph": [{"@id": "#a", "knows": {"@id": "#b"}}, {"@id": "#b", "knows": [{"@id": "#a"}, {"@id": "#a"}]}]
    }
    assert len(list(linked(PageModel(tree(json.dumps(circle)))).iter())) <= module.MOST + 2
    many = [{"@type": "A", "x": list(range(50))} for _ in range(1000)]
    assert len(list(linked(PageModel(tree(json.dumps(many)))).iter())) <= module.MOST + 2


def test_text_is_made_fit_for_xml() -> None:
    assert said({"@type": "A", "x": "a\x00\ud800b &amp; c", "y z": 1, "@v": 2}) == (
        '<ld><A type="A"><x>ab &amp; c</x></A></ld>'
    )


def test_a_page_without_such_a_script_is_not_read() -> None:
    assert Document(tree("{}"), "<html>", "http://a.org/").linked is None
    assert Document(None, "ld+json", "http://a.org/").linked is None
