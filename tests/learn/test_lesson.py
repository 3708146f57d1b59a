"""Lessons: a site map in, patterns and an entry out; and sites that teach nothing."""

from __future__ import annotations

from array import array
from random import Random

import pytest

from anansi.knowledge import notation, writing
from anansi.knowledge.catalogue import problems
from anansi.knowledge.shelf import built_in
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, entry_of, learn
from anansi.learn.sampler import Sampler
from anansi.learn.sitemap import Sampled, SiteMap
from tests.learn.sites import Graph, board, sitemap_of

ROOT = "http://site.example/"


def at_site(graph: Graph) -> SiteMap:
    whole = {
        ROOT + key[1:]: (items, [(ROOT + link[1:], label) for link, label in links])
        for key, (items, links) in graph.items()
    }
    return sitemap_of(whole, ROOT)


def test_a_board_teaches_the_way_to_its_threads() -> None:
    sitemap = at_site(board(threads=30, pages=2))
    lesson = learn(sitemap, Parameters(attributes=Attributes.BOTH))
    assert lesson.covered >= 0.95
    assert any(str(pattern).endswith("/(/t/@href{click/})") for pattern in lesson.patterns)
    assert all(str(pattern).startswith(f'doc("{ROOT}")') for pattern in lesson.patterns)
    assert not any(one.begins(other) for one in lesson.patterns for other in lesson.patterns)


def test_the_choice_ends_at_the_ratio() -> None:
    sitemap = at_site(board(threads=30, pages=2))
    low, high = (learn(sitemap, Parameters(ratio=ratio)) for ratio in (0.1, 0.95))
    assert len(low.chosen) < len(high.chosen)
    assert low.covered < high.covered


def test_an_entry_is_read_as_it_was_written_and_fits_the_knowledge_base() -> None:
    sitemap = at_site(board())
    lesson = learn(sitemap, Parameters())
    entry = entry_of(lesson, sitemap)
    again = notation.read(writing.write(entry), "learned.xml")
    assert again == entry
    assert again.learned[0].patterns == lesson.patterns
    assert again.learned[0].site == "site.example"
    assert problems([*built_in(), again]) == []


def test_the_same_seed_learns_the_same() -> None:
    def lesson(seed: int) -> tuple[str, ...]:
        graph = board(threads=60)
        sampler, rng = Sampler("/", Attributes.BOTH, most=60), Random(seed)
        while (key := sampler.next_url(rng)) is not None:
            sampler.take(Sampled(key, array("I", sorted(graph[key][0])), tuple(graph[key][1])))
        return tuple(map(str, learn(sampler.sitemap, Parameters()).patterns))

    assert lesson(5) == lesson(5)


NO_REPETITION: Graph = {
    "/": ([1, 2], [(f"/{number}", f"/only{number}") for number in range(20)]),
    **{f"/{number}": ([100 * number + 7, 100 * number + 8], []) for number in range(20)},
}
ONE_PAGE: Graph = {"/": ([1, 2, 3], [])}
ALWAYS_THE_SAME: Graph = {
    "/": ([1, 2, 3], [(f"/{number}", "/x") for number in range(50)]),
    **{f"/{number}": ([1, 2, 3], [(f"/{number + 1}", "/x")]) for number in range(50)},
}


@pytest.mark.parametrize("graph", [NO_REPETITION, ONE_PAGE, ALWAYS_THE_SAME, {}])
def test_a_site_that_teaches_little_is_safe(graph: Graph) -> None:
    sitemap = at_site(graph)
    lesson = learn(sitemap, Parameters(attributes=Attributes.BOTH))
    assert notation.read(writing.write(entry_of(lesson, sitemap)), "x.xml").learned[0].patterns == lesson.patterns
    assert 0 <= lesson.covered <= 1


def test_without_repetition_every_page_has_its_own_pattern() -> None:
    lesson = learn(at_site(NO_REPETITION), Parameters(ratio=1.0))
    assert len(lesson.patterns) == 20
    assert lesson.covered == 1.0


def test_a_site_that_says_the_same_everywhere_has_nothing_to_follow() -> None:
    assert learn(at_site(ALWAYS_THE_SAME), Parameters()).patterns == ()
    assert learn(at_site(ONE_PAGE), Parameters()).patterns == ()
