"""The sampler: from both ends, until enough is known, whatever comes back."""

from __future__ import annotations

from random import Random

from anansi.learn import sampler as module
from anansi.learn.labels import Attributes
from anansi.learn.sampler import Sampler
from tests.learn.sites import Graph, board, crawled, sampled


def sample(graph: Graph, *, most: int = 3000, seed: int = 1) -> tuple[Sampler, list[str]]:
    sampler, rng = Sampler("/", Attributes.BOTH, most=most), Random(seed)
    asked = crawled(
        graph,
        lambda: sampler.next_url(rng),
        lambda key, items, links: sampler.take(sampled(key, items, links)) if items else sampler.miss(),
    )
    return sampler, asked


def test_all_of_a_small_site_is_looked_at_once() -> None:
    graph = board(threads=20)
    sampler, asked = sample(graph)
    assert sorted(asked) == sorted(graph)
    assert sampler.taken == len(graph)


def test_a_sample_is_no_larger_than_asked_for_and_chance_is_seeded() -> None:
    graph = board(threads=100)
    assert sample(graph, most=50)[0].taken == 50
    assert sample(graph, most=50, seed=3)[1] == sample(graph, most=50, seed=3)[1]
    assert sample(graph, most=50, seed=3)[1] != sample(graph, most=50, seed=4)[1]


def test_a_sample_ends_when_nothing_new_turns_up() -> None:
    sampler, asked = sample(board(threads=2000, pages=40))
    assert sampler.settled
    assert len(asked) <= module.WINDOW * (module.CALM + 2)


def test_both_ends_are_taken_from() -> None:
    graph = {"/": ([1], [(f"/{number}", "/x") for number in range(100)])}
    graph |= {f"/{number}": ([number + 2], []) for number in range(100)}
    _, asked = sample(graph, most=20)
    taken = [int(key[1:]) for key in asked[1:]]
    assert min(taken) < 20
    assert max(taken) > 79


def test_a_site_of_errors_ends_the_sample() -> None:
    graph = {"/": ([1], [(f"/{number}", "/x") for number in range(100_000)])}
    sampler, asked = sample(graph, most=10)
    assert len(asked) == module.TRIES * 10
    assert sampler.taken == 1


def test_a_root_that_is_forbidden_leaves_an_empty_map() -> None:
    sampler, asked = sample({})
    assert asked == ["/"]
    assert len(sampler.sitemap) == 0


def test_a_redirect_is_looked_at_once() -> None:
    sampler, rng = Sampler("/"), Random(1)
    assert sampler.next_url(rng) == "/"
    sampler.moved("/home")
    sampler.moved("/home")
    assert sampler.next_url(rng) == "/home"
    assert sampler.next_url(rng) is None
