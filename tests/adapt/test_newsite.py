"""Algorithm 2: a theme that nobody described is learned from several pages together."""

from __future__ import annotations

from anansi.adapt import newsite
from anansi.induce.names import NameWords
from tests.induce.test_study import ACTION, failed_pages


def test_a_theme_that_nobody_described_is_learned() -> None:
    found = newsite.mended(failed_pages(), ACTION, NameWords())
    assert found is not None
    assert found.each is not None
    assert {"author", "date", "text"} <= set(found.rules)
    assert found.found["author"][0] == [[("Dot", "text", "")], [("Fay", "text", "")]]


def test_pages_that_are_all_the_same_teach_nothing() -> None:
    one = failed_pages(1)
    assert newsite.mended(one * 5, ACTION, NameWords()) is None
