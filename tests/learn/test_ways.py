"""Ways from the root, and the greedy choice among them."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anansi.learn.selection import Selection, score, without_parts
from anansi.learn.sitemap import SiteMap
from anansi.learn.ways import CONTINUITY, Explorer, Way
from tests.learn.sites import board, sitemap_of


def ways_of(sitemap: SiteMap, steps: int, *, limited: bool = True) -> dict[tuple[str, ...], Way]:
    def named(way: Way) -> tuple[str, ...]:
        return tuple(sitemap.labels[step.label] + ("+" if step.repeated else "") for step in way.steps())[::-1]

    return {named(way): way for way in Explorer(sitemap, limited=limited).ways(steps)}


PAPER = {
    "r": ([], [("p1", "/l2"), ("p2", "/l3"), ("p3", "/l1"), ("p4", "/l1")]),
    "p1": (range(239), []),
    "p2": (range(1000, 1754), []),
    "p3": (range(10_000, 13_227), [("p5", "/l4")]),
    "p4": (range(13_068, 15_107), [("p5", "/l4")]),
    "p5": (range(14_614, 17_214), []),
}
"""The example of the paper (figure 4, table 1): pages, 2-grams and labels."""


def test_the_example_of_the_paper_has_its_scores() -> None:
    sitemap = sitemap_of(PAPER, "r")
    ways = ways_of(sitemap, 3)
    assert {name: round(score([way], sitemap), 1) for name, way in ways.items()} == {
        ("/l1",): 2553.5,
        ("/l1", "/l4"): 2404.7,
        ("/l3",): 754.0,
        ("/l2",): 239.0,
    }


def test_the_example_of_the_paper_is_chosen_in_its_order() -> None:
    sitemap = sitemap_of(PAPER, "r")
    chosen = Selection(sitemap, list(ways_of(sitemap, 3).values())).run(1.0)
    named = [[sitemap.labels[step.label] for step in each.way.steps()] for each in chosen]
    assert named == [["/l1"], ["/l4", "/l1"], ["/l3"], ["/l2"]]
    assert [each.items for each in chosen] == [5107, 2107, 754, 239]
    assert chosen[-1].covered == 1.0
    assert len(without_parts(chosen)) == 3, "l1 is a part of l1 l4"


def test_page_flipping_is_repeated() -> None:
    graph = {f"/{number}": ([number], [(f"/{number + 1}", "/next")]) for number in range(10)}
    sitemap = sitemap_of(graph, "/0")
    (limited,) = ways_of(sitemap, 3).values()
    (unlimited,) = ways_of(sitemap, 3, limited=False).values()
    assert limited.repeated
    assert len(limited.pages) == CONTINUITY
    assert len(unlimited.pages) == 9


def test_steps_are_limited() -> None:
    graph = {f"/{number}": ([number], [(f"/{number + 1}", f"/step{number}")]) for number in range(6)}
    assert max(len(way) for way in ways_of(sitemap_of(graph, "/0"), 4).values()) == 4


def test_lists_and_threads_are_found_and_redundant_views_come_last() -> None:
    graph = board(threads=30, pages=3, noise=2)
    sitemap = sitemap_of(graph)
    chosen = Selection(sitemap, Explorer(sitemap).ways(3)).run(0.99)
    labels = [{sitemap.labels[step.label] for step in each.way.steps()} for each in chosen]
    assert any("/t/@href" in each for each in labels)
    assert not any("/p/@href" in each for each in labels)
    assert chosen[-1].covered >= 0.99


def test_evaluation_is_lazy() -> None:
    sitemap = sitemap_of(board(threads=60, pages=4))
    ways = Explorer(sitemap).ways(3)
    selection = Selection(sitemap, ways)
    chosen = selection.run(1.0)
    assert len(chosen) >= 2
    assert selection.evaluated < len(ways) * len(chosen)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, tuple[list[int], list[tuple[str, str]]]]:
    count = draw(st.integers(1, 7))
    rng = Random(draw(st.integers(0, 10_000)))
    return {
        f"/{page}": (
            rng.sample(range(30), rng.randrange(0, 8)),
            [(f"/{rng.randrange(count)}", f"/l{rng.randrange(3)}") for _ in range(rng.randrange(4))],
        )
        for page in range(count)
    }


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_each_choice_is_the_best_that_there_is(graph: dict[str, tuple[list[int], list[tuple[str, str]]]]) -> None:
    sitemap = sitemap_of(graph, "/0")
    ways = Explorer(sitemap).ways(3)
    pages, items = {0}, set(sitemap.items(0))
    for chosen in Selection(sitemap, ways).run(1.0):
        best = max(_gain(way, sitemap, pages, items) for way in ways)
        assert chosen.score == pytest.approx(best)
        new = _counted(chosen.way, sitemap) - pages
        pages |= new
        items.update(*(sitemap.items(page) for page in new))
    assert max((_gain(way, sitemap, pages, items) for way in ways), default=0) == 0 or items == sitemap.universe()


def _pages(way: Way) -> set[int]:
    return {page for step in way.steps() for page in step.pages}


def _counted(way: Way, sitemap: SiteMap) -> set[int]:
    return {page for page in _pages(way) if sitemap.counts(page)}


def _gain(way: Way, sitemap: SiteMap, pages: set[int], items: set[int]) -> float:
    new = _counted(way, sitemap) - pages
    return len(set().union(*(sitemap.items(page) for page in new)) - items) / len(new) if new else 0.0


@given(graphs())
@settings(max_examples=100, deadline=None)
def test_a_way_reaches_what_its_labels_lead_to(graph: dict[str, tuple[list[int], list[tuple[str, str]]]]) -> None:
    sitemap = sitemap_of(graph, "/0")
    for way in Explorer(sitemap, limited=False).ways(3):
        here = {0}
        for step in reversed(list(way.steps())):
            edges, newest = sitemap.edges(step.label), here
            reached: set[int] = set()
            while newest := {end for start in newest for end in edges.get(start, [])} - reached:
                reached |= newest
            assert set(step.pages) <= reached
            here = set(step.pages)


def test_a_way_is_kept_once_for_the_same_pages() -> None:
    sitemap = sitemap_of(board())
    ways = Explorer(sitemap).ways(3)
    for one, other in combinations(ways, 2):
        assert one.label != other.label or one.pages != other.pages
