"""Whether anything comes twice at a site, as a worker finds out."""

from __future__ import annotations

from array import array

import pytest

from anansi.learn.learner import SITES, Learner
from anansi.learn.novelty import LOOKED, Novelty


def told(pages: list[range]) -> Novelty:
    novelty = Novelty()
    for each in pages:
        novelty.note(array("I", each).tobytes())
    return novelty


def test_where_every_page_says_something_else_all_is_new() -> None:
    assert told([range(100 * number, 100 * number + 100) for number in range(LOOKED)]).complete


@pytest.mark.parametrize("again", [2, 5])
def test_where_pages_come_again_not_all_is_new(again: int) -> None:
    pages = [range(100 * (number // again), 100 * (number // again) + 100) for number in range(LOOKED)]
    pages = pages[::2] + pages[1::2]  # views of a page seldom follow each other
    assert not told(pages).complete


def test_nothing_is_said_before_enough_was_seen_and_nothing_changes_after_that() -> None:
    news = [range(100 * number, 100 * number + 100) for number in range(LOOKED)]
    assert not told(news[:-1]).complete
    assert told([*news, *[range(100)] * 500]).complete


def test_few_sites_are_remembered() -> None:
    learner = Learner()
    for number in range(2 * SITES):
        learner.novelty(f"{number}.test").note(array("I", [number]).tobytes())
    assert len(learner._sites) == SITES
