"""`python -m anansi_lab simulate` as people type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import said_by
from tests.lab.labelled import web

SMALL = ("--seeds", "4", "--samples", "1", "--least", "10", "--setting", "paper-max", "--setting", "oracle")


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[Path, Path]:
    return web(tmp_path)


def test_settings_are_compared_in_a_table_and_on_a_page(labelled: tuple[Path, Path], tmp_path: Path) -> None:
    collection, labels = labelled
    said = said_by("anansi_lab", "simulate", collection, "--labels", labels, *SMALL, "-o", tmp_path / "out")
    assert said.code == 0, said.errors
    assert "paper-max" in said.output
    assert "90 pages" in said.errors
    assert "</html>" in (tmp_path / "out" / "simulation.html").read_text(encoding="utf-8")


def test_json_is_one_line_with_every_figure(labelled: tuple[Path, Path]) -> None:
    collection, labels = labelled
    said = said_by("anansi_lab", "simulate", collection, "--labels", labels, *SMALL, "--json")
    assert (said.code, said.errors) == (0, "")
    first, second = said.json["settings"]
    assert (first["name"], second["name"]) == ("paper-max", "oracle")
    assert second["of_oracle"] == 1.0
    assert 0 < first["share"]["mean"] <= second["share"]["mean"] <= 1
    assert len(first["curve"]) == 20
    assert said.json["runs"] == 2


def test_a_mistake_ends_without_a_traceback(labelled: tuple[Path, Path], tmp_path: Path) -> None:
    collection, labels = labelled
    said = said_by("anansi_lab", "simulate", collection, "--labels", labels)
    assert said.code == 2
    assert "no subject of level 2 has 80 to 400 pages" in said.errors.replace("\n", " ")
    (tmp_path / "file").write_text("")
    said = said_by("anansi_lab", "simulate", collection, "--labels", labels, "-o", tmp_path / "file")
    assert said.code == 2
    assert "is a file" in said.errors
