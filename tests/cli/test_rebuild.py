"""`anansi rebuild` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import anansi
from tests.inspection.blogs import HOST, archive
from tests.inspection.truth import BLOGS, rows

AT = 1_602_073_600
"""2020-10-07T12:26:40Z."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return archive(BLOGS["wordpress"], tmp_path / "c")


def test_a_page_and_its_evidence_are_written(folder: Path, tmp_path: Path) -> None:
    said = anansi("rebuild", folder, HOST, "--at", "2020-10-07T12:26:40", "-o", tmp_path / "page.html")
    assert said.code == 0, said.errors
    assert said.json["status"] == "reconstructed"
    blog = BLOGS["wordpress"]
    found = rows(blog, (tmp_path / "page.html").read_bytes())
    assert [row.url for row in found] == [row.url for row in rows(blog, blog.front(AT))]
    told = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    assert [entry["url"] for entry in told["entries"]] == [row.url for row in found]


@pytest.mark.parametrize(
    "time",
    [
        "2020-10-07 12:26:40",
        "20201007122640",
        "Wed, 07 Oct 2020 14:26:40 +0200",
        "2020-10-07T07:26:40-05:00",
        str(AT),
    ],
)
def test_a_time_may_be_written_in_many_ways(folder: Path, time: str) -> None:
    said = anansi("rebuild", folder, HOST, "--at", time, "--format", "json")
    assert (said.code, said.errors) == (0, "")
    assert said.json["at"] == "2020-10-07T12:26:40Z"


def test_a_page_goes_to_standard_output_and_what_it_is_beside_it(folder: Path) -> None:
    said = anansi("rebuild", folder, HOST, "--at", "2020-10-07")
    assert said.code == 0
    assert said.output.startswith("<!DOCTYPE html>")
    assert "reconstructed: made with the template captured 2020-10-04" in said.errors


def test_mistakes_are_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    for arguments, told in (
        ((folder, HOST, "--at", "soon"), "is not a time"),
        ((folder, HOST, "--at", "2020-13-40"), "is not a time"),
        ((folder, HOST, "--at", "2190-01-01"), "still to come"),
        ((folder, HOST, "--at", "1999-01-01"), "the first known item came"),
        ((folder, "nonsense://x", "--at", "2020-10-07"), "is not a web address"),
        ((folder, f"{HOST}/other", "--at", "2020-10-07"), "was never captured"),
        ((tmp_path / "none", HOST, "--at", "2020-10-07"), "is not a collection"),
        ((folder, HOST, "--at", "2020-10-07", "-o", tmp_path), "is a folder"),
    ):
        said = anansi("rebuild", *arguments)
        assert said.code != 0
        assert told in said.errors
        assert len(said.errors.splitlines()) == 1
