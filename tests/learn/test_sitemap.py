"""The site map: pages that say the same count once, and large sites are held in part."""

from __future__ import annotations

from random import Random

import pytest

from anansi.learn import sitemap as module
from anansi.learn.labels import Attributes
from anansi.learn.sitemap import SiteMap
from tests.learn.sites import Graph, sampled, sitemap_of


def test_pages_that_say_the_same_count_once_and_lead_on_all_the_same() -> None:
    found = sitemap_of(
        {
            "/": ([1], [("/login?a", "/x"), ("/login?b", "/x"), ("/c", "/x")]),
            "/login?a": ([7, 8], []),
            "/login?b": ([7, 8], [("/c", "/y")]),
            "/c": ([9], []),
        }
    )
    assert len(found) == 4
    assert len(found.vertices()) == 3
    root, login, page = found.vertices()
    copy = next(number for number in range(4) if not found.counts(number))
    assert found.edges(0) == {root: [login, copy, page]}
    assert found.edges(1) == {copy: [page]}


def test_links_to_what_was_not_looked_at_and_to_oneself_lead_nowhere() -> None:
    found = sitemap_of({"/": ([1], [("/", "/x"), ("/unseen", "/x")])})
    assert found.edges(0) == {}


def test_a_page_is_taken_in_once() -> None:
    found = sitemap_of({"/": ([1], [("/a", "/x")]), "/a": ([2], [])})
    found.add(sampled("/a", [3, 4], [("/b", "/z")]))
    assert found.universe() == {1, 2}
    assert found.labels == ["/x"]


def test_labels_are_as_fine_as_asked_for() -> None:
    links = [("/a", "/div[contains(@class,'x')]/a"), ("/b", "/div[contains(@class,'y')]/a")]
    assert len(sitemap_of({"/": ([1], links)}, attributes=Attributes.ID).labels) == 1
    assert len(sitemap_of({"/": ([1], links)}, attributes=Attributes.CLASS).labels) == 2


def test_counts_stay_right_when_a_part_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(3)
    pages: Graph = {f"/{number}": (sorted(rng.sample(range(1 << 32), 200)), []) for number in range(100)}
    whole = sitemap_of(pages)
    monkeypatch.setattr(module, "MOST_HELD", 5000)
    part = sitemap_of(pages)
    assert whole.scale == 1
    assert part.scale > 1
    assert sum(len(part.items(vertex)) for vertex in part.vertices()) <= 5000
    assert len(part.universe()) * part.scale == pytest.approx(len(whole.universe()), rel=0.1)


def test_a_site_that_makes_up_labels_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LABELS", 10)
    found = SiteMap("/")
    found.add(sampled("/", [1], [(f"/{number}", f"/x{number}") for number in range(50)]))
    assert len(found.labels) == 10
