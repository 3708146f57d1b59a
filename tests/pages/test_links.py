"""The links of a page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.pages.links import MEMO, MOST, LinkFinder
from anansi.text.page_model import PageModel
from anansi.text.tree import parse
from anansi.url import Rules, canonical, resolve

PAGE = "http://example.org/a/page.html?q=1"


def links(html: str | bytes, url: str = PAGE, *, charset: str = "utf-8") -> list[str]:
    data = html if isinstance(html, bytes) else html.encode()
    tree = parse(data, charset)
    assert tree is not None
    return [link.url for link in LinkFinder(Rules()).links(PageModel(tree), url)]


def test_links_are_absolute_each_once_and_in_order() -> None:
    html = """<a href="b.html">b</a> <a href="/c">c</a> <a href="?q=2">q</a> <a href="//other.org/d">d</a>
    <a href="../e/./f">f</a> <a href="b.html">again</a> <a href="HTTP://EXAMPLE.ORG/c#part">c again</a>"""
    assert links(html) == [
        "http://example.org/a/b.html",
        "http://example.org/c",
        "http://example.org/a/page.html?q=2",
        "http://other.org/d",
        "http://example.org/e/f",
    ]


def test_what_leads_nowhere_is_no_link() -> None:
    html = """<a href="#top">x</a> <a href="javascript:go()">x</a> <a href="mailto:a@b.org">x</a> <a>x</a>
    <a href="data:text/html,x">x</a> <a href="ftp://a.org/">x</a> <a href="http://">x</a> <a href="tel:1">x</a>
    <a href="http://a b/">x</a> <a name="y">x</a> <!-- <a href="/hidden">x</a> -->
    <script>var x = '<a href="/script">x</a>';</script>"""
    assert links(html) == []


def test_entities_and_spaces_are_understood() -> None:
    html = (
        '<a href=" /t?a=1&amp;b=2\n">x</a><a href="/&#x66;oo&eacute;">x</a><a href=/bare>x</a><a href=\'/s p\'>x</a>'
    )
    assert links(html) == [
        "http://example.org/t?a=1&b=2",
        "http://example.org/foo%C3%A9",
        "http://example.org/bare",
        "http://example.org/s%20p",
    ]


@pytest.mark.parametrize("tag", ["base", "BASE", "Base"])
def test_the_base_element_holds_for_every_link(tag: str) -> None:
    assert links(f'<head><{tag} href="/x/"></head><a href="y">y</a>') == ["http://example.org/x/y"]


def test_a_base_that_is_none_is_ignored() -> None:
    for base in ("", "javascript:x", "http://", "data:,x"):
        assert links(f'<base href="{base}"><a href="y">y</a>') == ["http://example.org/a/y"]
    assert links('<base target="_top"><a href="y">y</a>') == ["http://example.org/a/y"]


def test_the_first_base_with_an_address_counts() -> None:
    html = '<base target="_top"><base href="/one/"><base href="/two/"><a href="y">y</a>'
    assert links(html) == ["http://example.org/one/y"]


@pytest.mark.parametrize("shout", [str, str.upper])
def test_pages_of_the_nineties_are_followed_too(shout: object) -> None:
    html = (
        '<frameset><frame src="f1.html"></frameset><map><area href="m.html"></map><iframe src="i.html"></iframe>'
        '<link rel="next" href="n.html"><meta http-equiv="refresh" content="5; url=r.html">'
    )
    shouted = html.upper() if shout is str.upper else html
    names = [url.rpartition("/")[2].lower() for url in links(shouted)]
    assert sorted(names) == ["f1.html", "i.html", "m.html", "n.html", "r.html"]


@pytest.mark.parametrize(
    "content", ["0;url=/r", "0; URL='/r'", '5;url="/r"', "0 ; url = /r", "1;URL=/r ", "3,url=/r", "0;\nurl=/r"]
)
def test_a_refresh_is_a_link(content: str) -> None:
    quoted = content.replace('"', "&quot;")
    assert links(f'<meta http-equiv="Refresh" content="{quoted}">') == ["http://example.org/r"]


def test_a_refresh_of_the_page_itself_and_other_meta_are_none() -> None:
    assert links('<meta http-equiv="refresh" content="30"><meta name="author" content="url=/x">') == []


def test_a_redirect_leads_where_it_says() -> None:
    finder = LinkFinder(Rules())
    link = finder.redirect("../b?x=1#y", PAGE)
    assert link is not None
    assert (link.url, link.hop) == ("http://example.org/b?x=1", "R")
    assert finder.redirect("javascript:x", PAGE) is None
    assert finder.redirect("http://", PAGE) is None


def test_links_that_mean_one_page_are_one_link() -> None:
    html = '<a href="/t?b=2&a=1">x</a><a href="/t?a=1&b=2">x</a><a href="/t?a=1&b=2&PHPSESSID=0123">x</a>'
    assert len(links(html)) == 1


def test_a_page_has_no_more_links_than_a_page_can_have() -> None:
    html = "".join(f'<a href="/{number}">x</a>' for number in range(MOST + 5000))
    found = links(html)
    assert len(found) == MOST
    assert found[-1] == f"http://example.org/{MOST - 1}"


RAWS = ("b", "/b", "//c.org/b", "?b", "http://c.org/b", "ftp:b", "./b", ".", "..", "#b", "b#c", "b?c", "%62", "a:b")
FOLDERS = ("http://a.org/", "http://a.org/x/", "http://a.org/x/y?z", "http://a.org/x/w", "https://a.org/x/y?z")


def remembered(raws: tuple[str, ...]) -> dict[str, tuple[list[str], list[str]]]:
    """Find links on many pages with one finder, and with a new one a page."""
    html = "".join(f'<a href="{raw}">x</a>' for raw in raws)
    old, found = LinkFinder(Rules()), {}
    for page in FOLDERS * 2:
        tree = parse(html.encode(), "utf-8")
        found[page] = [link.url for link in old.links(PageModel(tree), page)], links(html, page)
    return found


def test_a_remembered_link_leads_to_the_right_place_from_every_page() -> None:
    for page, (old, new) in remembered(RAWS).items():
        assert old == new, page


def test_a_remembered_link_that_only_looks_absolute_leads_to_the_right_place() -> None:
    for page, (old, new) in remembered(("httpd.html", "https", "http:b", "http-status")).items():
        assert old == new, page


def test_a_remembered_link_to_the_page_itself_stays_with_its_page() -> None:
    for page, (old, new) in remembered(("",)).items():
        assert old == new, page


@given(
    st.lists(st.text(st.sampled_from("ab/.?#:%é &"), max_size=8), max_size=5), st.sampled_from(("/", "/x/y", "/x/?z"))
)
def test_every_link_is_what_its_address_means_there(raws: list[str], path: str) -> None:
    html = "".join('<a href="{}">x</a>'.format(raw.replace("&", "&amp;")) for raw in raws)
    page = f"http://a.org{path}"
    expected = {resolve(raw, page) for raw in raws if not raw.startswith("#")} - {None}
    found = links(html or "<p>", page)
    assert set(found) <= expected
    keys = [canonical(url) for url in found]
    assert len(keys) == len(set(keys))
    assert set(keys) == {canonical(str(url)) for url in expected}


def test_what_is_remembered_is_bounded() -> None:
    finder = LinkFinder(Rules())
    for number in range(12):
        html = "".join(f'<a href="/{number}/{each}">x</a>' for each in range(10_000))
        finder.links(PageModel(parse(html.encode(), "utf-8")), PAGE)
    assert sum(map(len, finder._memos.values())) <= MEMO + MOST


def test_hostile_pages_take_no_longer_than_their_size() -> None:
    started = time.process_time()
    links("<a href='" + "../" * 100_000 + "'>x</a>")
    links('<meta http-equiv="refresh" content="' + "url " * 100_000 + '">')
    assert time.process_time() - started < 5


def test_a_page_in_another_charset_has_its_links() -> None:
    html = '<base href="/x/"><frame src="f.html"><a href="ö">x</a>'
    for charset in ("utf-16", "iso-8859-1", "utf-8"):
        found = links(html.encode(charset), charset=charset)
        assert found == ["http://example.org/x/%C3%B6", "http://example.org/x/f.html"], charset
