"""Shapes of addresses: what names one page is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.learn.address_kinds import BRANCHES, OFTEN, Shapes, shape_of


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        ("http://x.org/", ""),
        ("http://x.org/viewtopic.php?f=3&t=17", "viewtopic.php?f=#&t=#"),
        ("http://x.org/viewtopic.php?t=17;view=print", "viewtopic.php?t=#&view=print"),
        ("http://x.org/threads/a-long-title.17/page-2", "threads/*.#/page-#"),
        ("http://x.org/index.php/topic,12.msg34.html", "index.php/topic,#.msg#.html"),
        ("http://x.org/2014/05/some-post/", "#/#/*/"),
        ("http://x.org/pictures/Cat.JPG", "*.jpg"),
        ("http://x.org/search?q=two%20words", "search?q=*"),
        ("http://x.org/a/song.mp3", "*.mp3"),
        ("http://x.org/list?p2=1,5&to=10:30", "list?p#=#&to=#"),
    ],
)
def test_addresses_of_one_kind_have_one_shape(key: str, shape: str) -> None:
    assert shape_of(key) == shape


@given(st.text(max_size=200))
def test_any_text_has_a_shape(text: str) -> None:
    assert shape_of(text) == shape_of(text)
    assert not any(digit in shape_of("http://x.org/" + text.partition("?")[0]) for digit in "0123456789")


def test_where_many_words_take_turns_none_is_a_kind_of_page() -> None:
    shapes = Shapes()
    names = [f"n{chr(97 + number)}me" for number in range(2 * BRANCHES)]
    met = [shapes.of(f"http://x.org/members/{name}.7/about") for name in names]
    assert met[0] == f"members/{names[0]}.#/about"
    assert met[-1] == "members/*.#/about"
    assert shapes.of("http://x.org/members/?page=2") == "members/?page=#"


def test_a_word_that_stands_in_many_addresses_is_a_kind_of_page_among_however_many() -> None:
    shapes = Shapes()
    for number in range(2 * OFTEN):
        shapes.of(f"http://x.org/threads/a-title.{number}/")
        shapes.of(f"http://x.org/{'abcdefghijklmnopqrstuvwxyz'[number % 26] * 3}/")
    assert shapes.of("http://x.org/threads/another-one.9/") == "threads/*.#/"
    assert shapes.of("http://x.org/once/") == "*/"
