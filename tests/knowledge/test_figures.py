"""The figures of the pages do not fall (`tests.knowledge.gate` has how they are measured and pinned)."""

from __future__ import annotations

import pytest

from tests.knowledge.gate import GATE
from tests.pinning import Figures, lower


@pytest.fixture(scope="module")
def now() -> Figures:
    return GATE.reached()


def test_no_figure_is_lower_than_what_is_pinned(now: Figures) -> None:
    assert lower(now, GATE.pinned()[1]) == []


def test_the_figures_are_those_of_the_pages() -> None:
    assert GATE.pinned()[0] == GATE.corpus(), (
        "the pages changed: `python -m tests.knowledge.gate --pin` pins what is reached on them"
    )


@pytest.mark.parametrize(
    ("before", "fell"),
    [
        ({"links": (9, 10)}, False),
        ({"links": (8, 10)}, False),
        ({"links": (10, 10)}, True),
        ({"links": (9, 11)}, True),  # fewer are looked at
        ({"types": (1, 1)}, True),  # no longer measured
        ({}, False),
    ],
)
def test_a_figure_falls_by_share_or_by_how_much_is_looked_at(before: Figures, fell: bool) -> None:
    assert bool(lower({"links": (9, 10)}, before)) == fell
