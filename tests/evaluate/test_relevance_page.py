"""Relevance shown on a page, crawls side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.evaluate.relevance_page import NAME, mentions, page, write_relevance
from tests.evaluate.collections import collect
from tests.evaluate.test_relevance import PAGES, measured, told


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect(tmp_path_factory.mktemp("relevance") / "crawl", PAGES)


def test_crawls_stand_side_by_side_on_a_page(collection: Path, tmp_path: Path) -> None:
    one, _ = measured(collection)
    rows = mentions([one, one])
    assert ("keyword", "flood", "33.3333", "33.3333") in rows
    path = write_relevance(tmp_path / "out", [one, one])
    assert path.name == NAME
    text = path.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "European Flood Awareness System" in text


def test_what_pages_say_is_no_markup_of_the_report(tmp_path: Path) -> None:
    title = "&lt;script&gt;alert(1)&lt;/script&gt;"
    folder = collect(tmp_path / "hostile", {"/seed": told("The flood came at night and left", title)})
    found, _ = measured(folder)
    assert found.best[0].title == "<script>alert(1)</script>"
    assert "<script>" not in page([found])
