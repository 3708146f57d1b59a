"""Parts of a whole: the page tells which of them it is."""

from __future__ import annotations

import re

import pytest

from anansi.knowledge.addresses import Address
from anansi.knowledge.entry import Kind, Level, Type
from anansi.model import Reason
from anansi.pages.links import LinkFinder
from anansi.pages.navigate import Directions, Navigator
from anansi.text import tree as html
from anansi.text.page_model import PageModel
from anansi.url import DEFAULT

POST = Level("post", Kind.TERMINAL)
BLOG = Type(
    "blog/quill",
    "Quill",
    addresses=(
        Address(leads="post", match=re.compile(r"^(.*/)part-\d+/$"), whole=r"\1", part=True),
        Address(
            leads="post",
            match=re.compile(r"/thread"),
            has=(("t", None),),
            keep=("t", "page"),
            default=frozenset([("page", "1")]),
            whole="t",
        ),
        Address(leads="post", match=re.compile(r"^/\d{4}/([^/?]+)/$"), write=r"/?name=\1", whole=r"\g<0>"),
    ),
    levels=(POST,),
)
HERE = "http://a.org/2020/bread/"


def way(body: str, url: str = HERE) -> Directions:
    tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
    return Navigator(LinkFinder(DEFAULT)).way(PageModel(tree), url, (BLOG,), POST)


def test_a_link_from_elsewhere_leads_to_the_whole() -> None:
    (link,) = way('<a href="/2020/salt/part-3/#remark-9">x</a>').links
    assert (link.url, link.key) == ("http://a.org/2020/salt/", "http://a.org/?name=salt")


def test_the_part_that_a_page_shows_needs_no_visit_and_the_others_do() -> None:
    body = '<p id="remark-9"><a href="part-3/#remark-9">x</a><a href="part-2/#remarks">older</a><p id="remarks">'
    found = way(body)
    assert [link.url for link in found.links] == [HERE + "part-2/"]
    assert [(skip.url, skip.reason, skip.never) for skip in found.skips] == [
        (HERE + "part-3/", Reason.DUPLICATE, True)
    ]


@pytest.mark.parametrize(
    "body", ['<a href="part-1/#remark-8">x</a>', '<p id="remarks"><a href="part-1/#remarks">x</a>']
)
def test_what_stands_on_no_page_or_on_every_one_says_nothing(body: str) -> None:
    assert [link.url for link in way(body).links] == [HERE + "part-1/"]


def test_a_part_is_not_refused_on_its_own_page() -> None:
    body = '<p id="remark-9"><a href="#remark-9">x</a><a href="/2020/bread/part-3/#remark-9">x</a>'
    found = way(body, HERE + "part-3/")
    assert found.skips == [] and [link.key for link in found.links] == [HERE + "part-3/"]


def test_the_page_before_a_page_is_another_one_whatever_the_table_says() -> None:
    url = "http://a.org/thread?t=1"
    (link,) = way('<a href="/thread?t=1&page=1">1</a>', url).links
    assert link.key == url
    (link,) = way('<a rel="prev" href="/thread?t=1&page=1">1</a>', url).links
    assert (link.url, link.key) == ("http://a.org/thread?t=1&page=1", "http://a.org/thread?page=1&t=1")
