"""`anansi score`: one page, explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import anansi
from tests.focus.test_explaining import DEFINITION, PAGE, URL
from tests.web import Reply, ScriptedWeb


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "crawl.yaml").write_text(DEFINITION)
    return tmp_path


def test_a_saved_page_is_explained(saved: Path) -> None:
    said = anansi("score", saved / "page.html", "--url", URL, "--definition", saved / "crawl.yaml", "--json")
    assert (said.code, said.errors) == (0, "")
    found = said.json
    assert 0.5 < found["score"] < 1
    assert found["language"] == "en"
    modules = {each["module"]: each for each in found["modules"]}
    assert modules["terms"]["weight"] == 4.0
    assert {"what": "flood", "found": "floods", "where": "title"}.items() <= modules["terms"]["evidence"][0].items()
    assert found["regions"][0]["place"] == "html/body/main/p"
    assert found["links"][0]["url"] == "http://site.example/flood/dams"
    assert found["links"][0]["modules"][0]["evidence"][0]["found"] == "/flood/"


def test_the_same_is_said_in_words(saved: Path) -> None:
    said = anansi("score", saved / "page.html", "--url", URL, "--definition", saved)
    assert said.code == 0, said.errors
    for words in ("score      0.", "modules", "regions with words", "links, the best first", "entities", "efas"):
        assert words in said.output, words


def test_a_page_and_an_example_are_fetched(saved: Path) -> None:
    with ScriptedWeb() as web:
        html = {"Content-Type": "text/html; charset=utf-8"}
        web.add("/flood", Reply(200, html, PAGE.encode()))
        web.add(
            "/example", Reply(200, html, b"<body><p>Sandbags were filled with sand by many hands all night long.")
        )
        examples = f"examples: ['{web.url}/example', '{web.url}/missing']"
        (saved / "crawl.yaml").write_text(f"focus: {{topics: [{{name: help, {examples}}}]}}")
        page = PAGE.replace("high water", "sandbags")
        web.add("/bags", Reply(200, html, page.encode()))
        said = anansi("score", f"{web.url}/bags", "--definition", saved / "crawl.yaml", "--json")
    assert said.code == 0, said.errors
    assert "/missing cannot be read" in said.errors.replace("\n", " ")
    terms = said.json["modules"][0]["evidence"]
    assert ("help: learned from its examples", "sandbags") in {(each["what"], each["found"]) for each in terms}


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        ("a.html", b"", "cannot be scored"),
        ("b.html", b"<html><body></body></html>", "neither text nor links"),
        ("a.pdf", b"%PDF-1.4\n", "application/pdf"),
    ],
)
def test_what_is_no_page_is_told(saved: Path, name: str, data: bytes, words: str) -> None:
    (saved / name).write_bytes(data)
    said = anansi("score", saved / name, "--definition", saved / "crawl.yaml")
    assert said.code == 2
    assert words in said.errors.replace("\n", " ")


def test_a_definition_that_looks_for_nothing_says_what_to_add(saved: Path) -> None:
    (saved / "crawl.yaml").write_text("seeds: [http://site.example/]")
    said = anansi("score", saved / "page.html", "--definition", saved / "crawl.yaml")
    assert said.code == 2
    assert "add `focus:` with `keywords:`" in said.errors.replace("\n", " ")
    said = anansi("score", saved / "page.html", "--definition", saved / "none.yaml")
    assert said.code == 2
    assert "is not there" in said.errors


def test_a_page_of_ten_megabytes_is_scored(saved: Path) -> None:
    (saved / "large.html").write_text("<body><p>" + "The flood reached another village of the valley. " * 200_000)
    said = anansi("score", saved / "large.html", "--definition", saved / "crawl.yaml", "--json")
    assert said.code == 0, said.errors
    assert said.json["terms"] < 60_000
