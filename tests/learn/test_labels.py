"""Labels: where a link stands, without what changes from page to page."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from anansi.learn import labels
from anansi.learn.labels import Attributes, Labeller, coarse
from anansi.text import tree as html
from anansi.text.elements import stays
from anansi.text.page_model import PageModel

PAGE = b"""<html><body><div id="wrap" class="page wide"><div id="post-17" class="post p17"><a href="/a">a</a></div>
<div id="post-18" class="post p18"><a href="/b" class="u a b c d">b</a><a href="#top">top</a><a name="x">x</a></div>
</div></body></html>"""


@pytest.mark.parametrize(
    ("value", "rest"),
    [
        ("wrap", "wrap"),
        ("post-1234", "post-"),
        ("p17", ""),
        ("a1b2c3d4", ""),
        ("12", ""),
        ("td_post_9", "td_post_"),
        ("x", "x"),
    ],
)
def test_what_changes_is_cut_off(value: str, rest: str) -> None:
    assert stays(value) == rest


def test_links_of_the_same_place_have_one_label() -> None:
    found = dict(Labeller().links(PageModel(html.parse(PAGE, "utf-8"))))
    assert list(found) == ["/a", "/b"]
    one, two = (coarse(label, Attributes.ID) for label in found.values())
    assert one == two == "/html/body/div[@id='wrap']/div[contains(@id,'post-')]/a/@href"


def test_a_setting_says_which_attributes_count() -> None:
    label = dict(Labeller().links(PageModel(html.parse(PAGE, "utf-8"))))["/b"]
    assert coarse(label, Attributes.CLASS) == (
        "/html/body/div[contains(@class,'page')]/div[contains(@class,'post')]/a[contains(@class,'u')]/@href"
    )
    assert "[@id='wrap'][contains(@class,'page')]" in coarse(label, Attributes.BOTH)
    assert label.count("@class") == 2 + 1 + labels.CLASSES


def found_by(label: str, tree: Any) -> Any:
    return etree.XPath(label)(tree)


def test_a_label_points_to_its_links() -> None:
    tree = html.parse(PAGE, "utf-8")
    for href, label in Labeller().links(PageModel(tree)):
        for attributes in Attributes:
            assert href in found_by(coarse(label, attributes), tree)


def test_values_cannot_break_a_label() -> None:
    page = b"""<html><body><div id="it's &quot;]" class="]['"><a href="/x" id="'">x</a></div></body></html>"""
    tree = html.parse(page, "utf-8")
    ((_, label),) = Labeller().links(PageModel(tree))
    assert found_by(label, tree) == ["/x"]


def test_depth_is_bounded() -> None:
    page = b"<html><body>" + b"<div>" * 300 + b'<a href="/deep">x</a>'
    ((_, label),) = Labeller().links(PageModel(html.parse(page, "utf-8")))
    assert label.count("/") <= labels.DEEPEST + 1


def test_elements_that_differ_in_numbers_alone_are_met_once() -> None:
    labeller = Labeller()
    rows = "".join(
        f"<div id='post-{number}' class='c{number} post'><a href='/{number}'>x</a></div>" for number in range(99)
    )
    found = labeller.links(PageModel(html.parse(f"<html><body>{rows}</body></html>".encode(), "utf-8")))
    assert {label for _, label in found} == {"/html/body/div[contains(@id,'post-')][contains(@class,'post')]/a/@href"}
    assert labeller._met < 10


def test_what_is_remembered_of_elements_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MEMO", 50)
    labeller, letters = Labeller(), "abcdefghij"
    for one in letters:
        boxes = "".join(f"<div id='{one}box{two}'><a href='/x'>x</a></div>" for two in letters)
        found = labeller.links(PageModel(html.parse(f"<html><body>{boxes}</body></html>".encode(), "utf-8")))
        assert found[-1][1] == f"/html/body/div[@id='{one}boxj']/a/@href"
        assert labeller._met <= 50 + 2 * len(letters) + 2


def test_places_tell_what_links_say() -> None:
    page = b"<html><body><a href='/a'>one</a> <a href='/b'>two <b>three</b> four</a><a href='/c'></a></body></html>"
    places = Labeller().places(PageModel(html.parse(page, "utf-8")))
    assert [(href, places.text(anchor)) for href, anchor in places.anchors] == [
        ("/a", "one"),
        ("/b", "two three four"),
        ("/c", ""),
    ]
