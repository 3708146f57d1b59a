"""Recorded sites: a collection in memory, to be crawled without a request."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from anansi.errors import CollectionError
from anansi.evaluate.recorded import Recorded, blind, complete, of_collection, sampled
from anansi.learn.labels import Attributes
from anansi.learn.lesson import Parameters, learn
from tests.evaluate.collections import HOST, Made, collect
from tests.evaluate.forums import forum


@pytest.fixture
def site(tmp_path: Path) -> Recorded:
    return of_collection(collect(tmp_path / "forum", forum()))


def test_a_collection_is_read_with_labels_items_and_links(site: Recorded) -> None:
    assert site.root == f"{HOST}/"
    thread = site.get(f"{HOST}/t/3")
    assert (f"{HOST}/print/3", "/html/body/div[@id='tools']/a/@href") in thread.links
    assert thread.abroad == {"http://other3.example/"}
    assert len(thread.items) > 50
    assert site.get(f"{HOST}/gone/1").status == 404


def test_a_blind_crawl_asks_for_everything_once(site: Recorded) -> None:
    order = blind(site)
    assert len(order) == len(set(order)) == 1 + 1 + 3 + 24 * 3


def test_redirects_and_last_slashes_are_followed(tmp_path: Path) -> None:
    pages: dict[str, str | Made] = {
        "/": '<html><body><a href="/a">one two</a><a href="/b">three four</a></body></html>',
        "/a/": "<html><body>five six seven</body></html>",
    }
    found = of_collection(collect(tmp_path / "site", pages))
    assert found.get(f"{HOST}/a").leads == f"{HOST}/a/"
    assert f"{HOST}/a/" in blind(found)


def test_what_holds_nothing_to_learn_from_is_refused(tmp_path: Path) -> None:
    folder = collect(tmp_path / "none", {"/": Made("gone", status="404 Not Found")})
    with pytest.raises(CollectionError, match="nothing to learn from"):
        of_collection(folder)
    with pytest.raises(CollectionError, match="--root"):
        of_collection(collect(tmp_path / "site", forum()), "http://elsewhere.example/")
    with pytest.raises(CollectionError, match="not a collection"):
        of_collection(tmp_path)


def test_a_sample_and_a_complete_map_of_a_small_site_are_the_same(site: Recorded) -> None:
    one = learn(complete(site, Attributes.BOTH), Parameters(attributes=Attributes.BOTH))
    other = learn(sampled(site, Attributes.BOTH, Random(2))[0], Parameters(attributes=Attributes.BOTH))
    assert one.items == other.items
    assert set(one.patterns) == set(other.patterns)
