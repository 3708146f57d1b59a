"""Names: a link that is called like a page that was seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi.learn.titles import Titles, name_of, names_in


@pytest.mark.parametrize(
    "title",
    [
        "How to mend a wheel",
        "Village board :: View topic - How to mend a wheel",
        "How to mend a wheel | Village board",
        "HOW TO MEND  A WHEEL – Page 2",
    ],
)
def test_a_thread_is_known_by_its_title_whatever_stands_around_it(title: str) -> None:
    titles = Titles()
    titles.call("/t/7", name_of(" How to mend a wheel\n"))
    assert not titles.seen("/t/7")
    titles.see(names_in(title))
    assert titles.seen("/t/7")
    titles.forget("/t/7")
    assert not titles.seen("/t/7")


def test_short_words_name_nothing() -> None:
    titles = Titles()
    titles.call("/t/7?page=2", name_of("next"))
    titles.see(names_in("next - Village board"))
    assert name_of("next") == 0
    assert not titles.seen("/t/7?page=2")


def test_a_link_without_a_name_was_not_seen() -> None:
    titles = Titles()
    titles.call("/picture", name_of(""))
    titles.see([0, *names_in("Village board")])
    assert not titles.seen("/picture")
    assert not titles.seen("/never met")


@given(st.text(max_size=500))
def test_any_text_may_be_a_title(text: str) -> None:
    assert all(0 < name < 1 << 32 for name in names_in(text))
