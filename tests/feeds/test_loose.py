"""Markup that is no XML, taken for what was meant."""

from __future__ import annotations

import pytest

from anansi.feeds import loose
from anansi.feeds.decoding import opened
from anansi.feeds.names import name_of


def tags(text: str) -> list[str]:
    return [name_of(each) for each in loose.parse(opened(text)).iter()][1:]


def text_of(text: str, name: str) -> str:
    root = loose.parse(opened(text))
    return "".join(next(each for each in root.iter() if name_of(each) == name).itertext())


def test_an_item_that_was_never_closed_ends_where_the_next_begins() -> None:
    root = loose.parse(opened("<rss><channel><item><title>One<item><title>Two</channel></rss>"))
    items = [each for each in root.iter() if name_of(each) == "item"]
    assert [each.getparent().tag for each in items] == ["channel", "channel"]
    assert ["".join(each.itertext()) for each in items] == ["One", "Two"]


def test_a_title_ends_where_a_link_begins() -> None:
    assert text_of("<item><title>A & B<link>http://a/</link></item>", "title") == "A & B"
    assert text_of("<item><title>A & B<link>http://a/</link></item>", "link") == "http://a/"


def test_an_end_that_nothing_began_is_passed_over() -> None:
    assert tags("</b><rss></i><channel/></rss>") == ["rss", "channel"]


def test_entities_of_the_document_and_of_html_are_read_and_unknown_ones_stay() -> None:
    text = '<!DOCTYPE x [<!ENTITY who "Ada">]><item><title>&who; &eacute; &nosuch; &#8211;</title>'
    assert text_of(text, "title") == "Ada é &nosuch; –"


def test_what_is_marked_as_text_is_text() -> None:
    assert text_of("<item><title><![CDATA[<b>bold</b> & more]]></title></item>", "title") == "<b>bold</b> & more"


@pytest.mark.parametrize("text", ["<a>" * 5000, "<a b='" * 2000, "<!--" * 2000, "<![CDATA[" * 2000])
def test_markup_without_end_is_read_to_its_end(text: str) -> None:
    assert len(list(loose.parse(opened(f"<rss>{text}")).iterdescendants())) <= 5002


def test_elements_are_not_nested_without_end_and_not_without_number(monkeypatch: pytest.MonkeyPatch) -> None:
    deepest = max(len(list(each.iterancestors())) for each in loose.parse(opened("<a>" * 1000)).iter())
    assert deepest <= loose.DEEPEST
    monkeypatch.setattr(loose, "MOST_ELEMENTS", 10)
    assert len(tags("<a/>" * 100)) == 10
