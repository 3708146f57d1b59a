"""What pages say of a subject."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.evaluate.collections import collect
from tests.evaluate.test_relevance import PAGES, measured


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect(tmp_path_factory.mktemp("relevance") / "crawl", PAGES)


def test_pages_are_counted_that_have_what_is_looked_for(collection: Path) -> None:
    found, _ = measured(collection)
    assert found.pages == 6  # with text: neither the picture nor the error nor the empty page
    counted = {(each.kind, each.name): each.pages for each in found.mentioned}
    assert counted == {
        ("keyword", "flood"): 2,  # in any form
        ("keyword", "high water"): 1,  # in sequence
        ("keyword", "G20"): 1,
        ("entity", "European Flood Awareness System"): 1,
        ("event", "2013 floods"): 1,
        ("topic", "dams"): 1,
    }
    assert {each.share for each in found.mentioned if each.pages == 1} == {1 / 6}


def test_a_similarity_is_the_cosine_of_tf_idf_vectors(collection: Path) -> None:
    _, index = measured(collection)
    (cake,) = [each for each in index.pages if each.url.endswith("/cake")]
    rare = math.log(1 + 6 / 1)
    assert index.rarity(index.numbers["sugar"]) == pytest.approx(rare)
    # sugar, flour and make once, cake twice, each on this page only
    length = math.sqrt(3 + (1 + math.log(2)) ** 2)
    assert index.cosine(cake, {"sugar": 1.0}) == pytest.approx(1 / length)
    assert index.cosine(cake, {"sugar": 1.0, "flour": 1.0}) == pytest.approx(2 / (math.sqrt(2) * length))
    assert index.cosine(cake, {"flood": 1.0}) == 0.0
    assert index.cosine(cake, {}) == 0.0
