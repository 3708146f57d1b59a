"""From bytes to a tree, whatever the bytes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.text.tree import parse, text, title


def tree_of(html: str, charset: str = "utf-8") -> object:
    tree = parse(html.encode(charset), charset)
    assert tree is not None
    return tree


def test_a_page_has_a_title_and_text() -> None:
    tree = tree_of("<title> A\n page </title><p>One</p><script>x()</script><style>y{}</style><p>Two<b>three</b>")
    assert title(tree) == "A page"
    lines = [line.strip() for line in text(tree).split("\n") if line.strip()]
    assert lines[-3:] == ["One", "Two", "three"]
    assert "x()" not in text(tree)
    assert "y{}" not in text(tree)


def test_the_title_of_a_drawing_is_not_the_pages() -> None:
    assert title(tree_of("<body><svg><title>logo</title></svg><p>x")) == ""
    assert title(tree_of("<head><title>real</title></head><svg><title>logo</title></svg>")) == "real"


def test_a_title_is_short_and_may_be_missing() -> None:
    assert title(tree_of("<p>x")) == ""
    assert len(title(tree_of(f"<title>{'long ' * 10_000}</title>"))) == 500


@pytest.mark.parametrize(
    "charset", ["utf-8", "iso-8859-1", "windows-1252", "utf-16", "utf-16le", "koi8-r", "shift_jis"]
)
def test_the_charset_is_obeyed_whatever_the_page_says(charset: str) -> None:
    word = {"koi8-r": "Привет", "shift_jis": "日本"}.get(charset, "Müller")
    html = f'<meta charset="big5"><title>{word}</title>'
    tree = parse(html.encode(charset), charset)
    assert tree is not None
    assert title(tree) == word


@pytest.mark.parametrize(
    "data", [b"", b" ", b"\n\n", b"\0", b"\0" * 1000, b"<!-- only a comment -->", b"<?php ?>", b"<", b"\xff\xfe"]
)
def test_a_page_without_anything_is_none_or_empty(data: bytes) -> None:
    tree = parse(data, "utf-8")
    if tree is not None:
        assert title(tree) == ""
        assert len(text(tree)) <= len(data)


@given(st.binary(max_size=300), st.sampled_from(("utf-8", "iso-8859-1", "utf-16", "gb18030")))
def test_no_bytes_crash_it(data: bytes, charset: str) -> None:
    tree = parse(data, charset)
    if tree is not None:
        assert isinstance(title(tree), str)
        assert isinstance(text(tree), str)


@given(st.text(st.sampled_from("<>/a=\"' !-&;\0é[]?"), max_size=100))
def test_no_tags_crash_it(html: str) -> None:
    tree = parse(html.encode(), "utf-8")
    assert tree is None or isinstance(text(tree), str)


@pytest.mark.parametrize("tag", ["div", "b", "table", "ul", "font", "a", "svg", "select"])
def test_nesting_without_end_takes_no_time_without_end(tag: str) -> None:
    started = time.process_time()
    tree = parse(b"<title>x</title>" + f"<{tag}>".encode() * 100_000 + b"deep", "utf-8")
    assert time.process_time() - started < 10
    assert tree is None or title(tree) == "x"


def test_a_thread_of_replies_500_deep_is_read_to_its_end() -> None:
    html = "<div>reply" * 500 + '<a href="/end">x</a>' + "</div>" * 500
    assert tree_of(html).find(".//a") is not None  # type: ignore[attr-defined]


def test_broken_markup_is_read_as_far_as_it_can_be() -> None:
    tree = tree_of('<p <b>x</p></b><a href="/1">one<a href=/2>two</table><td>three')
    assert "three" in text(tree)


def test_nothing_is_fetched_and_no_entity_explodes(tmp_path: object) -> None:
    html = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><p>&b;&f;</p>'
    assert "root:" not in text(tree_of(html))


def test_what_stands_behind_the_end_of_a_page_is_part_of_it() -> None:
    tree = parse(b"<html><body><p>a</p></body></html>text<img src=/i.png> more <a href=/l>x</a>tail<p>y", "utf-8")
    assert tree is not None
    assert [each.get("src") for each in tree.iter("img")] == ["/i.png"]
    assert [each.get("href") for each in tree.iter("a")] == ["/l"]
    assert " ".join(text(tree).split()) == "a text more x tail y"
    assert tree.getnext() is None


@pytest.mark.parametrize(
    ("charset", "href", "sent"),
    [
        ("windows-1251", "/find?q=рыба&n=1#конец", "/find?q=%F0%FB%E1%E0&n=1#конец"),
        ("windows-1251", "/кот/", "/кот/"),
        ("windows-1251", "/?a=魚", "/?a=%26%2339770%3B"),
        ("cp932", "?q=表", "?q=%95\\"),
        ("utf-8", "/find?q=рыба", "/find?q=рыба"),
        ("utf-16le", "/find?q=рыба", "/find?q=рыба"),
    ],
)
def test_queries_are_written_in_the_encoding_of_their_page(charset: str, href: str, sent: str) -> None:
    """As Chromium sends them; paths go as UTF-8 wherever they stand."""
    page = f'<a href="{href}">a</a><img src="{href}">'.encode(charset, "xmlcharrefreplace")
    tree = parse(page, charset)
    assert tree is not None
    assert [tree.find(".//a").get("href"), tree.find(".//img").get("src")] == [sent, sent]


def test_a_query_with_characters_that_xml_forbids_is_left_as_it_is() -> None:
    tree = parse("<a href='?\x01é'>a</a><a href='?é'>b</a>".encode("windows-1252"), "windows-1252")
    assert tree is not None
    assert tree.findall(".//a")[-1].get("href") == "?%E9"
