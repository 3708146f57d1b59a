"""Strategies on a recorded forum: what each brings of the blind crawl, and for how many requests."""

from __future__ import annotations

from random import Random

import pytest

from anansi.evaluate.recorded import Recorded, blind, sampled
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, learn
from anansi_lab.strategies import Measure, chosen, followed


def test_the_paper_learns_the_threads_and_not_their_print_views(site: Recorded) -> None:
    sitemap, asked = sampled(site, Attributes.ID, Random(1))
    assert len(asked) == len(blind(site))
    order = followed(site, learn(sitemap, Parameters()).patterns)
    brought = Measure(site).of(order)
    assert brought.items > 0.95
    assert brought.links == 1.0
    assert brought.saving > 1.5


@pytest.mark.parametrize("seed", range(3))
def test_the_chooser_brings_the_content_for_fewer_requests(site: Recorded, seed: int) -> None:
    measure = Measure(site, lambda key: "/t/" in key)
    brought = measure.of(chosen(site, Random(seed)))
    assert brought.content >= 0.97
    assert brought.content_links >= 0.99
    assert brought.requests < len(measure.order)
    assert measure.of(measure.order).items == 1.0
