"""Which pages count as content."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.evaluate.content import Basis, choose, shape
from anansi.evaluate.source import Capture


def capture(url: str, terminal: bool | None = None) -> Capture:
    return Capture("", url, Path("x.warc.gz"), 0, page=True, terminal=terminal)


def test_the_blind_crawls_own_recognition_goes_first() -> None:
    blind = [capture("http://a.example/1", terminal=True), capture("http://a.example/2")]
    basis, judge = choose(blind, [capture("http://a.example/2", terminal=True)])
    assert basis is Basis.OWN
    assert judge
    assert [judge(each) for each in blind] == [True, False]


def test_another_crawls_recognition_holds_for_its_pages_and_for_addresses_of_their_shape() -> None:
    others = [
        capture("http://127.0.0.1:8001/viewtopic.php?t=1", terminal=True),
        capture("http://127.0.0.1:8001/viewtopic.php?t=2", terminal=True),
        capture("http://127.0.0.1:8001/viewtopic.php?t=3", terminal=False),
        capture("http://127.0.0.1:8001/viewforum.php?f=1", terminal=False),
        capture("http://127.0.0.1:8001/faq.php"),
    ]
    basis, judge = choose([], others)
    assert basis is Basis.OTHERS
    assert judge
    told = {
        "viewtopic.php?t=1": True,
        "viewtopic.php?t=3": False,  # known by its very address
        "viewtopic.php?t=999": True,  # by its shape: only the blind crawl has it
        "viewforum.php?f=7": False,
        "memberlist.php": False,
        "faq.php": False,
    }
    assert {path: judge(capture(f"http://localhost:9/{path}")) for path in told} == told


def test_what_stands_below_content_and_was_refused_by_the_other_crawl_is_content_until_shown_to_be_the_same() -> None:
    others = [
        capture("http://a.example/", terminal=False),
        capture("http://a.example/bread-and-salt/", terminal=True),
        capture("http://a.example/?p=7", terminal=True),
        capture("http://a.example/shelves/", terminal=False),
    ]
    _, judge = choose([], others)
    assert judge
    told = {
        "bread-and-salt/comment-page-1/": True,
        "bread-and-salt/?cpage=1": True,
        "shelves/upper/": False,
        "elsewhere/at-all/": False,
    }
    assert {path: judge(capture(f"http://localhost:9/{path}")) for path in told} == told


def test_without_recognition_the_pages_must_tell() -> None:
    assert choose([capture("http://a.example/")], [capture("http://a.example/")]) == (Basis.LINKS, None)


def test_where_nothing_was_recognised_as_content_the_pages_must_tell() -> None:
    assert choose([], [capture("http://a.example/", terminal=False)]) == (Basis.LINKS, None)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("/2010/05/my-first-post/", "/2011/06/on-bread/", True),
        ("/tag/old-ships/", "/2011/06/on-bread/", False),
        ("/tag/old-ships/", "/tag/new-ships/", True),
        ("/t.php?id=5", "/t.php?id=6&page=2", False),
        ("/t.php?id=5", "/f.php?id=5", False),
        ("/", "/index.php", False),
    ],
)
def test_addresses_of_pages_of_one_kind_have_one_shape(one: str, other: str, *, alike: bool) -> None:
    assert (shape("http://a.example" + one) == shape("http://127.0.0.1:8000" + other)) is alike
