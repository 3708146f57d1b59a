"""Simulated crawls: the queue is the frontier's, strategies see what a crawler sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from anansi.state import PageTerms, Reference
from anansi_lab.rivals import BreadthFirst, Oracle, Paper, PaperWithIdf
from anansi_lab.simulation import Pace, Queue, Scored, crawl


def reading(key: str, links: Sequence[tuple[str, str]] = (), words: str = "") -> PageTerms:
    references = tuple(Reference(to, tuple(name.split()), (), 0, 0, "") for to, name in links)
    terms = {word: words.split().count(word) for word in words.split()}
    return PageTerms(key, (), references, terms, terms)


A, B, C, D = (f"http://{host}.example/" for host in "abcd")


def test_scores_are_merged_by_the_frontiers_functions() -> None:
    for update, first in (("max", A), ("first", A), ("last", B), ("sum", B), ("avg", B)):
        queue = Queue(update)
        queue.offer([(A, 0.9), (B, 0.5), (A, 0.1), (B, 0.6)])
        assert queue.turn(1) == [first], update


def test_of_equal_scores_the_older_goes_first_and_nothing_goes_twice() -> None:
    queue = Queue("max")
    queue.forget([C])
    queue.offer([(A, 0.5), (B, 0.5), (C, 1.0)])
    assert queue.turn(1) == [A]
    queue.offer([(A, 1.0)])
    assert (queue.turn(5), queue.turn(5)) == ([B], [])


def test_a_turn_belongs_to_the_site_of_the_best() -> None:
    queue = Queue("max")
    queue.offer([(f"{A}1", 0.9), (f"{B}1", 0.8), (f"{A}2", 0.1), (f"{A}3", 0.05)])
    assert queue.turn(2) == [f"{A}1", f"{A}2"]
    assert queue.turn(2) == [f"{B}1"]


class Noting:
    """Follows links in their order and notes what it was given at once."""

    def __init__(self) -> None:
        self.given: list[list[str]] = []

    def read(self, pages: Sequence[PageTerms]) -> Iterable[Scored]:
        self.given.append([page.key for page in pages])
        return BreadthFirst().read(pages)


KEYS = [f"{A}{number}" for number in range(9)]
CHAIN = {key: reading(key, [(to, "")]) for key, to in zip(KEYS, [*KEYS[1:], KEYS[0]], strict=True)}


def test_links_are_scheduled_after_each_page_or_after_a_batch() -> None:
    fan = {A: reading(A, [(B, ""), (C, ""), (D, "")]), B: reading(B), C: reading(C), D: reading(D)}
    for pace, given in ((Pace("first"), [[A], [B], [C], [D]]), (Pace("first", batch=2), [[A], [B, C], [D]])):
        noting = Noting()
        assert crawl(fan, [A], noting, budget=9, pace=pace) == [B, C, D]
        assert noting.given == given


def test_a_batch_that_cannot_be_filled_is_scheduled_all_the_same() -> None:
    assert crawl(CHAIN, KEYS[:1], BreadthFirst(), budget=5, pace=Pace("first", batch=4)) == KEYS[1:6]


def test_the_budget_is_kept_within_a_turn() -> None:
    fan = {A: reading(A, [(B, ""), (C, ""), (D, "")]), B: reading(B), C: reading(C), D: reading(D)}
    assert crawl(fan, [A], BreadthFirst(), budget=2, pace=Pace("first", per_turn=5)) == [B, C]


def test_the_papers_priority_is_the_mean_of_two_cosines() -> None:
    seed = reading(A, [(B, "steam"), (C, "pear")], "steam steam engine")
    scores = dict(Paper().read([seed]))
    assert scores == pytest.approx({B: (1 + 2 / 5**0.5) / 2, C: 0.5})


def test_a_batch_sums_the_vectors_of_pages_and_anchors() -> None:
    paper = Paper()
    paper.read([reading(A, [], "steam engine")])
    (scored,) = paper.read([reading(B, [(D, "steam")], "steam"), reading(C, [(D, "engine")], "engine")])
    assert scored[0] == D
    assert abs(scored[1] - 1.0) < 1e-9


def test_rare_terms_count_more_with_idf() -> None:
    seed = reading(A, [(B, "steam"), (C, "engine")], "steam engine")
    scores = dict(PaperWithIdf({"steam": 1, "engine": 9}, 10).read([seed]))
    assert scores[B] > scores[C]


def test_the_oracle_takes_what_carries_the_label_and_only_what_it_saw() -> None:
    web = {A: reading(A, [(B, ""), (C, "")]), B: reading(B), C: reading(C, [(D, "")]), D: reading(D)}
    assert crawl(web, [A], Oracle({C, D}), budget=3, pace=Pace("sum")) == [C, D, B]
