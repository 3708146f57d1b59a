"""`anansi objects`: rows for other programs."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
from pathlib import Path
from typing import get_args

import pytest

from anansi.archive.export import FORMATS
from anansi.cli.objects import Form
from tests.archive.boards import collection_in, filled, thread_at
from tests.archive.sparql_server import Endpoint, serving
from tests.cli.conftest import anansi


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection of three threads with three posts each."""
    return filled(tmp_path_factory.mktemp("objects") / "c").root


def test_every_format_can_be_asked_for() -> None:
    assert get_args(Form) == tuple(FORMATS)


def test_json_lines_on_standard_output(board: Path) -> None:
    said = anansi("objects", board)
    rows = [json.loads(line) for line in said.output.splitlines()]
    assert said.code == 0, said.errors
    assert {row["type"] for row in rows} == {"thread", "post", "forum", "account"}
    posts = anansi("objects", board, "--type", "post", "--json")
    assert [json.loads(line)["text"] for line in posts.output.splitlines()] == [
        f"words {topic}.{place}" for topic in range(3) for place in (1, 2, 3)
    ]


def test_several_kinds(board: Path) -> None:
    said = anansi("objects", board, "--type", "post", "--type", "thread", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(said.output, newline="")))
    assert len(rows) == 12
    assert {row["part_of"] for row in rows if row["type"] == "post"} == {thread_at(topic) for topic in range(3)}


def test_turtle(board: Path) -> None:
    said = anansi("objects", board, "--type", "thread", "--format", "ttl")
    assert said.output.count("a sioc:Thread") == 3


def test_a_file_appears_when_it_is_complete(board: Path, tmp_path: Path) -> None:
    target = tmp_path / "posts.jsonl"
    said = anansi("objects", board, "--type", "post", "--output", target)
    assert said.output == f"wrote      9 objects to {target}\n"
    assert len(target.read_text().splitlines()) == 9
    again = anansi("objects", board, "-o", target, "--json")
    assert again.json == {"file": str(target), "format": "jsonl", "objects": 14}


def test_parquet_needs_a_file_and_a_library(board: Path, tmp_path: Path) -> None:
    assert anansi("objects", board, "--format", "parquet").code == 2
    target = tmp_path / "objects.parquet"
    said = anansi("objects", board, "--format", "parquet", "-o", target)
    if importlib.util.find_spec("pyarrow") is None:
        assert said.code == 2
        assert "pip install anansi[parquet]" in said.errors
        assert list(tmp_path.iterdir()) == []
    else:
        assert said.code == 0
        assert target.read_bytes().startswith(b"PAR1")


def test_statements_go_to_a_store(tmp_path: Path) -> None:
    root = filled(tmp_path / "c").root
    with serving(Endpoint()) as endpoint:
        said = anansi("objects", root, "--store", endpoint.url, "--json")
        assert said.code == 0, said.errors
        assert said.json["statements"] == len(endpoint.store) > 50
        assert anansi("objects", root, "--store", endpoint.url).output == "sent       0 statements in 0 requests\n"
        endpoint.store.clear()
        endpoint.faults = [403]
        log = filled(tmp_path / "d").root
        refused = anansi("objects", log, "--store", endpoint.url)
    assert refused.code == 1
    assert "answered 403" in refused.errors


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--store", "nonsense"), "begins with http:// or https://"),
        (("--store", "http://127.0.0.1:1/", "--type", "post"), "leave out --type"),
        (("--type", "sandwich"), "the kinds are thread, post"),
    ],
)
def test_mistakes_are_said(board: Path, options: tuple[str, ...], told: str) -> None:
    said = anansi("objects", board, *options)
    assert said.code == 2
    assert told in said.errors


def test_a_file_that_cannot_be_written_is_said(board: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = anansi("objects", board, "-o", tmp_path / "file" / "x")
    assert said.code == 5
    assert str(tmp_path / "file" / "x") in said.errors


def test_no_collection_and_no_objects(tmp_path: Path) -> None:
    assert anansi("objects", tmp_path / "nowhere").code == 3
    said = anansi("objects", collection_in(tmp_path / "c").root)
    assert (said.code, said.output) == (0, "")
