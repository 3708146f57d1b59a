"""The experiments of the ACEBot paper, as they run and as people ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.evaluate.recorded import Recorded
from anansi_lab import experiments
from anansi_lab.experiments import Studied
from anansi_lab.experiments_page import page
from anansi_lab.strategies import Measure
from tests.cli.conftest import said_by
from tests.evaluate.collections import collect
from tests.evaluate.forums import forum


def test_the_experiments_run_and_are_drawn(site: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "SIZES", (10, 40))
    told: list[str] = []
    results = experiments.run([Studied("forum", Measure(site))], seed=1, runs=2, tell=told.append)
    assert len(told) == 5
    assert [each.pages for each in results.sizes] == [10, 40]
    assert results.sizes[1].share >= results.sizes[0].share
    assert results.selected[-1].share > 0.95
    assert len(results.settings) == 12
    assert [each.share for each in results.ratios] == sorted(each.share for each in results.ratios)
    assert {(each.steps, each.ratio) for each in results.depths} == {
        (k, cr) for k in (2, 3, 4) for cr in (0.85, 0.9, 0.95)
    }
    text = page(results)
    assert text.count("<svg") == 3 + 4
    assert "Figure 6" in text
    assert "completion ratio" in text


def test_the_command_writes_a_page_with_figures(tmp_path: Path) -> None:
    folder = collect(tmp_path / "forum", forum(9))
    said = said_by("anansi_lab", "experiments", folder, "--runs", "1", "-o", tmp_path / "out", "--json")
    assert (said.code, said.errors) == (0, "")
    assert len(said.json["depths"]) == 9
    assert "<svg" in Path(said.json["report"]).read_text()


def test_mistakes_are_said_without_a_traceback(tmp_path: Path) -> None:
    said = said_by("anansi_lab", "experiments", tmp_path)
    assert (said.code, "not a collection" in said.errors) == (3, True), said.errors
    (tmp_path / "file").write_text("")
    said = said_by("anansi_lab", "experiments", tmp_path, "-o", tmp_path / "file")
    assert (said.code, "is a file" in said.errors) == (2, True), said.errors
