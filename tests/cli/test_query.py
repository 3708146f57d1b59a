"""`anansi query`: SPARQL in, answers out."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse

from anansi.archive.objects import ObjectLog
from tests.archive.boards import BOARD, collection_in, filled, page, thread_at, write
from tests.cli.conftest import anansi

TITLES = "SELECT ?thread ?title { ?thread a sioc:Thread ; dcterms:title ?title } ORDER BY ?thread"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of three threads with three posts each."""
    return filled(tmp_path_factory.mktemp("query") / "c").root


def test_a_table_for_people(board: Path) -> None:
    said = anansi("query", board, TITLES)
    assert said.code == 0, said.errors
    heading, *rows = said.output.splitlines()
    assert heading.split() == ["thread", "title"]
    assert [row.split() for row in rows] == [[thread_at(topic), "Bees"] for topic in range(3)]


def test_terms_of_vocabularies_are_short_in_a_table(board: Path) -> None:
    said = anansi("query", board, f"SELECT ?kind {{ <{thread_at(0)}> a ?kind }}")
    assert said.output.split() == ["kind", "sioc:Thread"]


@pytest.mark.parametrize("options", [("--json",), ("--format", "json")])
def test_json_as_sparql_has_it(board: Path, options: tuple[str, ...]) -> None:
    said = anansi("query", board, TITLES, *options)
    assert said.json["head"]["vars"] == ["thread", "title"]
    assert said.json["results"]["bindings"][2] == {
        "thread": {"type": "uri", "value": thread_at(2)},
        "title": {"type": "literal", "value": "Bees"},
    }
    assert anansi("query", board, "ASK { ?x a sioc:Thread }", *options).json["boolean"] is True


def test_csv(board: Path) -> None:
    said = anansi("query", board, TITLES, "--format", "csv")
    rows = list(csv.reader(io.StringIO(said.output, newline="")))
    assert rows == [["thread", "title"], *([thread_at(topic), "Bees"] for topic in range(3))]


def test_a_question_is_answered_in_a_word(board: Path) -> None:
    assert anansi("query", board, "ASK { ?x a sioc:Thread }").output == "true\n"
    assert anansi("query", board, "ASK { ?x a schema:Recipe }").output == "false\n"


CONSTRUCT = "CONSTRUCT { ?t dcterms:title ?title } WHERE { ?t a sioc:Thread ; dcterms:title ?title }"


def test_statements_are_turtle_with_prefixes(board: Path) -> None:
    said = anansi("query", board, CONSTRUCT)
    assert said.code == 0, said.errors
    assert "dcterms:title" in said.output
    assert len(list(parse(said.output, RdfFormat.TURTLE))) == 3
    described = anansi("query", board, f"DESCRIBE <{thread_at(1)}>", "--format", "ttl")
    assert "sioc:Thread" in described.output


def test_statements_in_other_forms(board: Path) -> None:
    linked = anansi("query", board, CONSTRUCT, "--json")
    assert len(list(parse(linked.output, RdfFormat.JSON_LD))) == 3
    assert len(anansi("query", board, CONSTRUCT, "--format", "csv").output.splitlines()) == 4
    assert "dcterms:title" in anansi("query", board, CONSTRUCT, "--format", "table").output


def test_a_query_from_a_file(board: Path, tmp_path: Path) -> None:
    (tmp_path / "titles.rq").write_text(TITLES)
    assert anansi("query", board, f"@{tmp_path / 'titles.rq'}").output == anansi("query", board, TITLES).output
    missing = anansi("query", board, "@nowhere.rq")
    assert missing.code == 2
    assert "nowhere.rq: the query cannot be read" in missing.errors


@pytest.mark.parametrize(
    ("sparql", "told"),
    [
        ("SELECT ?x { ?x a", "not valid SPARQL: error at 1:17"),
        ("SELECT ?x { ?x a nope:Thing }", "known without declaration: sioc, schema"),
        ("DELETE WHERE { ?s ?p ?o }", "only read"),
    ],
)
def test_a_wrong_query_is_a_clear_error(board: Path, sparql: str, told: str) -> None:
    said = anansi("query", board, sparql)
    assert (said.code, said.output) == (2, "")
    assert told in said.errors


def test_turtle_is_not_for_rows(board: Path) -> None:
    said = anansi("query", board, TITLES, "--format", "ttl")
    assert said.code == 2
    assert "use table, json or csv" in said.errors


def test_a_query_that_would_run_for_ever_is_ended(tmp_path: Path) -> None:
    root = filled(tmp_path / "c", topics=12).root
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    said = anansi("query", root, endless, "--timeout", "1")
    assert said.code == 2
    assert "took longer than 1 s" in said.errors


def test_a_reader_that_goes_away_ends_it_without_a_word(tmp_path: Path) -> None:
    root = filled(tmp_path / "c", topics=150).root
    command = [sys.executable, "-m", "anansi.cli", "query", str(root), "SELECT * { ?s ?p ?o }", "--format", "csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 1)


def test_many_rows_are_cut_in_a_table_and_nowhere_else(tmp_path: Path) -> None:
    root = filled(tmp_path / "c", topics=60).root
    every = "SELECT ?s { ?s ?p ?o }"
    assert anansi("query", root, every).output.splitlines()[-1].startswith("… the first 1,000 rows")
    assert len(anansi("query", root, every, "--format", "csv").output.splitlines()) > 1100


def test_a_crawl_that_runs_can_be_asked(tmp_path: Path) -> None:
    collection = collection_in(tmp_path / "c")
    with collection.lock():
        log = ObjectLog(collection, 0)
        for topic in range(2):
            write(log, topic, page(topic))
            log.flush()
            said = anansi("query", collection.root, "SELECT (COUNT(?p) AS ?n) { ?p a sioc:Post }", "--json")
            assert said.json["results"]["bindings"][0]["n"]["value"] == str(3 * (topic + 1))


def test_no_collection_and_no_objects(tmp_path: Path) -> None:
    assert anansi("query", tmp_path / "nowhere", TITLES).code == 3
    empty = collection_in(tmp_path / "empty").root
    assert anansi("query", empty, TITLES).code == 0
    assert json.loads(anansi("query", empty, TITLES, "--json").output)["results"]["bindings"] == []


def test_accounts_of_a_site(board: Path) -> None:
    sparql = f"SELECT ?name {{ ?who foaf:accountName ?name ; foaf:accountServiceHomepage <{BOARD}/> }}"
    assert anansi("query", board, sparql).output.split() == ["name", "ann"]


def test_a_product_that_takes_all_memory_is_ended(board: Path) -> None:
    product = " . ".join(f"?a{number} ?b{number} ?c{number}" for number in range(5))
    script = "from anansi.cli import query, main; query.MEMORY = 64 << 20; main()"
    asked = f"SELECT * {{ {product} }} ORDER BY ?c4"
    command = (sys.executable, "-c", script, "query", str(board), asked, "--timeout", "200")
    ended = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert ended.returncode == 2
    assert "GB of memory; make it narrower" in ended.stderr
    assert "Traceback" not in ended.stderr
