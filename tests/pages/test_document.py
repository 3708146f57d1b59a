"""The virtual document: the page, its address and its headers as one thing to ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.knowledge.catalogue import Catalogue
from anansi.knowledge.xpath import parse
from anansi.pages.document import LONGEST_VALUE, MOST_VALUES, Document
from anansi.pages.recogniser import Recogniser
from anansi.text import tree as html

recogniser = Recogniser(Catalogue([]))
SOURCE = "<html><body><url>not the address</url><p>one <b>two</b></p></body></html>"


def document(url: str = "https://a.org/", *headers: tuple[str, str], status: int = 200) -> Document:
    return Document(html.parse(SOURCE.encode(), "utf-8"), SOURCE, url, status, headers)


def ask(about: Document, text: str) -> list[str]:
    return [each if isinstance(each, str) else each.text for each in recogniser.find(about, parse(text))]


def test_an_address_is_taken_apart() -> None:
    about = document("https://www.a.org:8443/forum/viewtopic.php?t=3&start=20#p5")
    assert ask(about, "url/scheme") == ["https"]
    assert ask(about, "url/host") == ["www.a.org"]
    assert ask(about, "url/path") == ["/forum/viewtopic.php"]
    assert ask(about, "url/query/t") == ["3"]
    assert ask(about, "url/query/*") == ["3", "20"]


def test_parameters_are_read_as_people_write_them() -> None:
    about = document("http://a.org/?q=two+words%21;topic=5.0&flag&a[]=1&&")
    assert ask(about, "url/query/q") == ["two words!"]
    assert ask(about, "url/query/topic") == ["5.0"]
    assert len(recogniser.find(about, parse("url/query/flag"))) == 1
    assert ask(about, "url/query/other") == ["a[]=1"]


def test_headers_of_one_name_are_one_element() -> None:
    headers = (("set-cookie", "lang=de; path=/"), ("server", "nginx"), ("set-cookie", "phpbb3_x_sid=1; HttpOnly"))
    about = document("http://a.org/", *headers, status=404)
    assert ask(about, "http/status") == ["404"]
    assert ask(about, "http/header[contains(set-cookie,'phpbb3_')]/server") == ["nginx"]
    assert ask(about, "http/cookie/phpbb3_x_sid") == ["1"]
    assert ask(about, "http/cookie/lang") == ["de"]


def test_what_cannot_be_the_name_of_an_element_is_kept_with_its_name() -> None:
    about = document("http://a.org/", ("1x", "a"), ("x y", "b"), ("é", "c"), ("", "d"))
    assert ask(about, "http/header/other") == ["1x=a", "x y=b", "é=c", "=d"]


def test_an_expression_is_about_the_page_unless_it_begins_with_the_exchange() -> None:
    about = document()
    assert ask(about, "p//b") == ["two"]
    assert ask(about, "body/url") == ["not the address"]
    assert ask(about, "url") == [None]


def test_the_index_gets_all_that_can_be_asked_for() -> None:
    about = document("http://a.org/caf%C3%A9?q=na%C3%AFve", ("x-powered-by", "Agora/1"), status=503)
    assert all(each in about.head for each in ("a.org", "Agora/1", "503", "naïve"))
    assert "one two" in about.text


def test_there_may_be_no_tree() -> None:
    about = Document(None, "", "http://a.org/x", 200, (("server", "Agora"),))
    assert (recogniser.find(about, parse("p")), about.text) == ([], "")
    assert ask(about, "http/header/server") == ["Agora"]


@pytest.mark.parametrize("url", ["", "not a url", "http://[::1", "http://a.org/\x00\ud800", "http://a.org:99999/"])
def test_a_bad_address_is_no_error(url: str) -> None:
    assert recogniser.find(document(url), parse("http/status"))


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=20)), max_size=5), st.text(max_size=30))
def test_any_header_and_address_can_be_asked_about(headers: list[tuple[str, str]], query: str) -> None:
    about = document(f"http://a.org/?{query}", *headers)
    assert len(recogniser.find(about, parse("http/header"))) == 1
    about.head.encode()  # what the index searches


def test_sizes_are_bounded() -> None:
    flood = tuple((f"x-{number}", "y" * 3 * LONGEST_VALUE) for number in range(2 * MOST_VALUES))
    about = document("http://a.org/?" + "&".join(f"a{number}=1" for number in range(2 * MOST_VALUES)), *flood)
    assert len(recogniser.find(about, parse("http/header/*"))) == MOST_VALUES
    assert len(recogniser.find(about, parse("url/query/*"))) == MOST_VALUES
    assert len(about.head) < (MOST_VALUES + 10) * LONGEST_VALUE
