"""A URL that several pages of a batch link to is scheduled once, by the mean of its scores."""

from __future__ import annotations

from anansi.crawl import wire
from anansi.crawl.batch import merged
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Link, Outcome


def report(*pages: list[tuple[str, float]]) -> wire.Report:
    """Report pages by their links, as (URL, score)."""
    settlements = [
        Settlement(
            bytes([number]), Outcome(Ended.DONE, 200), 0.0, [Link(url, url, score=score) for url, score in links]
        )
        for number, links in enumerate(pages)
    ]
    return wire.Report(settlements, busy=3)


def test_the_scores_of_all_pages_are_averaged_and_the_link_told_once() -> None:
    batch = [(0, report([("a", 0.2), ("b", 0.5)], [("a", 0.4)])), (1, report([("a", 0.9), ("c", 1.0)]))]
    found = [
        (number, [[(link.url, round(link.score, 6)) for link in each.links] for each in told.settlements])
        for number, told in merged(batch)
    ]
    assert found == [(0, [[("a", 0.5), ("b", 0.5)], []]), (1, [[("c", 1.0)]])]


def test_nothing_but_the_links_is_touched() -> None:
    batch = [(4, report([("a", 0.2)], []))]
    [(number, told)] = merged(batch)
    assert (number, told) == batch[0]


def test_a_batch_of_nothing_is_nothing() -> None:
    assert merged([]) == []
