"""Elements by the usual prefix of their namespace, whatever a document calls it."""

from __future__ import annotations

import pytest
from lxml import etree

from anansi.feeds.names import name_of, of_tag, prefix_of


@pytest.mark.parametrize(
    ("tag", "prefix", "name"),
    [
        ("{http://purl.org/dc/elements/1.1/}Date", "x", "dc:date"),
        ("{http://www.w3.org/2005/Atom}Entry", None, "entry"),
        ("{http://purl.org/rss/1.0/}item", "rss", "item"),
        ("pubDate", None, "pubdate"),
        ("{http://nobody.example/knows}Thing", "Mine", "mine:thing"),
        ("{http://nobody.example/knows}Thing", None, "thing"),
    ],
)
def test_a_name_is_the_same_however_it_is_written(tag: str, prefix: str | None, name: str) -> None:
    assert of_tag(tag, prefix) == name


def test_a_prefix_that_nobody_declared_means_what_it_usually_does() -> None:
    assert prefix_of("", "atom") == ""
    assert prefix_of("", "dct") == "dcterms"
    assert prefix_of("", "itunes") == "itunes"
    assert prefix_of(" HTTP://purl.org/dc/terms/ ") == "dcterms"


def test_a_comment_has_no_name() -> None:
    root = etree.fromstring("<rss><!-- no --><channel/></rss>")
    assert [name_of(each) for each in root.iter()] == ["rss", "", "channel"]
