"""Pages are bounded before they are parsed: the worst of them are read in part, in bounded time, and that is said."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from anansi.markup import ATTRIBUTES, LONGEST, SMALL, TAGS, VALUES, WORDS, bounded, trim
from anansi.text.tree import parse, parsed

PIECES = (
    *(b"<", b">", b"/", b"=", b'"', b"'", b" ", b"\n", b"-", b"!", b"a", b"b", b"c=d", b' e="', b" f='", b" g h i "),
    *(b"<p ", b"<div ", b"</div ", b"<!--", b"-->", b"--!>", b"<!", b"<?", b"?>", b"</", b"<!DOCTYPE ", b"<![CDATA["),
    *(b"<script", b"<SCRIPT>", b"</script", b"</SCRIPT>", b"<style>", b"</style>", b"<textarea", b"</textarea>"),
    *(b"<title>", b"</title ", b"<iframe ", b"</iframe>", b"<xmp>", b"</xmp>", b"<noembed>", b"<noframes>"),
    *(b"<plaintext>", b"<noscript>", b"<svg>", b"<template>", b"\0", b"\x0b", b"\x0c", b"\r", b"\xff", b"&quot;"),
)


def attributes(number: int) -> bytes:
    return b" ".join(b"a%d=1" % each for each in range(number))


def most_attributes(data: bytes) -> int:
    """Count the attributes of the element that has most, as libxml2 reads it."""
    try:
        tree = etree.fromstring(
            data, etree.HTMLParser(encoding="windows-1252", remove_comments=True, remove_pis=True)
        )
    except etree.LxmlError:
        return 0
    # what further tags `html` and `body` hold is added to the first
    elements = tree.iter("*") if tree is not None else ()
    return max((len(each.attrib) for each in elements if each.tag not in ("html", "body")), default=0)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))
def test_no_tag_escapes_whatever_stands_around_it(page: bytes) -> None:
    trimmed, tags = trim(page, 2)
    assert most_attributes(trimmed) <= 2
    assert (trimmed == page) == (tags == 0)


@pytest.mark.parametrize(
    "before",
    [
        b"<body>",
        b"<script>x<a b='</script>",
        b"<script><!--<script></script>' --></script>",
        b"<script/>",
        b"<title>a<b c='</title>",
        b"<!-- <a b='-->",
        b"<!-->",
        b"<p title='>'>",
        b"a < b <3 <",
        b"</ b='><?c='>",
    ],
)
def test_80000_attributes_are_read_at_once(before: bytes) -> None:
    page = before + b"<p " + attributes(80_000) + b"><a href=/next>on</a>"
    began = time.process_time()
    tree, left_out = parsed(page, "utf-8")
    assert time.process_time() - began < 2  # 16 s when all are compared with one another
    assert tree is not None
    assert tree.xpath("//a/@href") == ["/next"]
    assert len(tree.find(".//p[@a0]").attrib) == ATTRIBUTES
    assert left_out == f"attributes of 1 tags after the first {ATTRIBUTES}"


def test_values_that_look_like_the_end_of_a_tag_hide_nothing() -> None:
    page = b"<body><p " + b" ".join(b'a%d="><b c=1>"' % each for each in range(80_000)) + b"><i>end</i>"
    began = time.process_time()
    assert parsed(page, "utf-8").left_out
    assert time.process_time() - began < 2


@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be", "utf-16", "iso-2022-jp"])
def test_charsets_whose_bytes_are_not_letters_hide_nothing(charset: str) -> None:
    page = f"<body><p {attributes(50_000).decode()}><b>日本</b>".encode(charset)
    began = time.process_time()
    tree, left_out = parsed(page, charset)
    assert time.process_time() - began < 2
    assert tree is not None
    assert tree.findtext(".//b") == "日本"
    assert left_out


def test_a_script_may_hold_what_looks_like_a_tag() -> None:
    script = b"if (i<n " + attributes(2 * ATTRIBUTES) + b") x()" + b"y()\n" * SMALL
    page = b"<script>" + script + b"</script><p>x"
    assert bounded(page, "utf-8") == (page, "utf-8", "")


def test_an_ordinary_page_is_left_as_it_is() -> None:
    page = b"<!DOCTYPE html><title>x</title>" + b"<p class='a b' id=\"c\" hidden>Some <b>text</b> &amp; more" * 2000
    assert bounded(page, "utf-8").data is page


def test_what_follows_too_many_tags_is_left_out() -> None:
    page = b"<p>x" * (TAGS + 10)
    tree, left_out = parsed(page, "utf-8")
    assert tree is not None
    assert sum(1 for _ in tree.iter("p")) == TAGS
    assert left_out == f"all after {TAGS:,} tags"


def test_what_follows_too_many_values_is_left_out() -> None:
    page = (b"<p " + attributes(100) + b">x") * (VALUES // 100 + 10)
    tree, left_out = parsed(page, "utf-8")
    assert tree is not None
    assert sum(len(each.attrib) for each in tree.iter("p")) <= VALUES
    assert left_out == f"all after {VALUES:,} values of attributes"


def test_attributes_without_values_are_bounded_too() -> None:
    names = b" ".join(b"a%d" % number for number in range(ATTRIBUTES - 6))
    page = (b"<p " + names + b">x") * (2 * WORDS // ATTRIBUTES)
    tree, left_out = parsed(page, "utf-8")
    assert tree is not None
    assert WORDS // 4 < sum(len(each.attrib) for each in tree.iter("p")) <= WORDS
    assert "too many attributes" in left_out


def test_a_long_text_is_not_taken_for_attributes() -> None:
    page = b"<p>" + b"words of a text " * (WORDS // 3) + b"</p><p>last</p>"
    assert bounded(page, "utf-8").data is page


def test_what_follows_too_many_bytes_is_left_out() -> None:
    page = b"<p>first</p>" + b"x" * LONGEST + b"<p>last</p>"
    tree, left_out = parsed(page, "utf-8")
    assert tree is not None
    assert tree.findtext(".//p") == "first"
    assert left_out == f"all after {LONGEST >> 20} MB"


def test_what_follows_an_element_nested_too_deep_is_left_out_and_said() -> None:
    assert parsed(b"<div>" * 1000 + b"x", "utf-8").left_out == ""
    assert parsed(b"<div>" * 3000 + b"x", "utf-8").left_out == "all after elements nested too deep"


def test_reading_goes_by_the_size_of_a_page_and_not_by_its_square() -> None:
    """Count the characters that are looked at by the time that sizes take; the worst inputs of such expressions."""
    for piece in (b"<", b"<a/b=", b"<a ", b"<a b='", b"<!--", b"<script>", b"<script><!--<script>", b"</", b"<a b=c"):
        times = []
        for size in (1 << 18, 1 << 20):
            page = piece * (size // len(piece))
            began = time.process_time()
            trim(page, ATTRIBUTES)
            times.append(time.process_time() - began)
        assert times[1] < 12 * times[0] + 0.05, piece


def test_pages_nobody_can_parse_are_still_none() -> None:
    assert parse(b"", "utf-8") is None
