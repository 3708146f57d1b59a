"""`anansi relevance` as people type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import anansi
from tests.evaluate.collections import collect
from tests.evaluate.test_relevance import DEFINITION, PAGES, told


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    folder = collect(tmp_path / "crawl", PAGES)
    (folder / "crawl.yaml").write_text(DEFINITION)
    return folder


def test_a_crawl_is_held_against_its_own_definition(crawled: Path, tmp_path: Path) -> None:
    said = anansi("relevance", crawled, "-o", tmp_path / "out")
    assert said.code == 0, said.errors
    assert "33.3333" in said.output
    assert "seeds, 50 terms" in said.output
    assert "off the subject" in said.output
    assert "Figure 8" in (tmp_path / "out" / "relevance.html").read_text(encoding="utf-8")


def test_two_crawls_are_compared_by_another_definition(crawled: Path, tmp_path: Path) -> None:
    other = collect(tmp_path / "other", {"/seed": told("The soup of onions was cooked in the kitchen")})
    (tmp_path / "soup.yaml").write_text("seeds: [http://site.example/soup]\nfocus: {keywords: [soup]}")
    said = anansi("relevance", crawled, other, "--definition", tmp_path / "soup.yaml", "--json")
    assert (said.code, said.errors) == (0, "")
    first, second = said.json["crawls"]
    assert (first["mentioned"][0]["share"], second["mentioned"][0]["share"]) == (1 / 6, 1.0)
    assert said.json["report"] is None


def test_what_a_reader_should_know_is_among_the_figures(tmp_path: Path) -> None:
    folder = collect(tmp_path / "cut", PAGES, state="limit")
    (folder / "crawl.yaml").write_text(DEFINITION)
    said = anansi("relevance", folder, "--json")
    assert (said.code, said.errors) == (0, "")
    assert "not complete" in said.json["crawls"][0]["notes"][0]


def test_mistakes_end_without_a_traceback(crawled: Path, tmp_path: Path) -> None:
    (crawled / "crawl.yaml").write_text("seeds: [http://site.example/]")
    said = anansi("relevance", crawled)
    assert said.code == 2
    assert "add `focus:`" in said.errors
    (crawled / "crawl.yaml").unlink()
    said = anansi("relevance", crawled)
    assert said.code == 2
    assert "--definition" in said.errors
    silent = collect(tmp_path / "silent", {"/": told("")})
    (silent / "crawl.yaml").write_text(DEFINITION)
    said = anansi("relevance", silent)
    assert said.code == 2
    assert "no page with text" in said.errors
    said = anansi("relevance", tmp_path)
    assert said.code in (2, 3)


def test_an_example_that_the_crawl_does_not_have_is_told(crawled: Path) -> None:
    text = DEFINITION.replace("terms: [levee, dike]", "terms: [levee], examples: [http://site.example/no]")
    (crawled / "crawl.yaml").write_text(text)
    said = anansi("relevance", crawled, "--json")
    assert said.code == 0
    assert "http://site.example/no cannot be read" in said.errors.replace("\n", " ")
