"""The address that a page names as its own."""

from __future__ import annotations

import pytest

from anansi.pages.canonical import named
from anansi.pages.links import base_of
from anansi.text import tree as html
from anansi.text.page_model import PageModel

HERE = "http://a.org/x?p=1"


def name_of(head: str, *headers: tuple[str, str]) -> str:
    tree = html.parse(f"<html><head>{head}</head><body>x</body></html>".encode(), "utf-8")
    assert tree is not None
    page = PageModel(tree)
    return named(page, headers, HERE, base_of(page, HERE))


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<link rel='canonical' href='http://a.org/y'>", "http://a.org/y"),
        ("<link rel='canonical' href='/y#part'>", "http://a.org/y"),
        ("<base href='http://a.org/b/'><link rel='canonical' href='y'>", "http://a.org/b/y"),
        ("<meta property='og:url' content='http://a.org/y'>", "http://a.org/y"),
        ("<link rel='canonical' href='/y'><meta property='og:url' content='http://a.org/z'>", "http://a.org/y"),
        ("<link rel='canonical' href='/y'><link rel='canonical' href='/z'>", ""),
        ("<link rel='canonical' href='javascript:x'>", ""),
        ("<link rel='canonical' href=''>", HERE),
        ("", ""),
    ],
)
def test_a_page_names_its_address_in_its_head(head: str, url: str) -> None:
    assert name_of(head) == url


def test_a_page_names_its_address_in_a_header() -> None:
    assert name_of("", ("link", '<http://a.org/wp-json/>; rel="https://api.w.org/", </y>; rel="canonical"')) == (
        "http://a.org/y"
    )
    assert name_of("", ("link", "</y>; rel=canonical; title=z")) == "http://a.org/y"
    assert name_of("", ("link", '</y>; rel="shortlink"')) == ""
    assert name_of("", ("link", "<<<>>>;;;," * 2000)) == ""


def test_head_and_header_that_contradict_each_other_name_nothing() -> None:
    assert name_of("<link rel='canonical' href='/y'>", ("link", "</z>; rel=canonical")) == ""
