"""`anansi feeds` as people type it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import anansi
from tests.evaluate.collections import Made, collect
from tests.feeds.samples import ATOM, RSS2

OPML = '<opml><body><outline text="Spiders"><outline xmlUrl="http://site.example/rss"/></outline></body></opml>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    feeds = {"/rss": Made(RSS2, mime="application/rss+xml"), "/atom": Made(ATOM, mime="application/atom+xml")}
    return collect(tmp_path / "c", feeds)


def test_statistics_are_tables_and_a_page(folder: Path, tmp_path: Path) -> None:
    said = anansi("feeds", "stats", folder, "-o", tmp_path / "report")
    assert said.code == 0, said.errors
    for part in ("2 feeds, 4 items", "RSS 2.0", "50.0%", "lastBuildDate", "3rd quartile", "site.example"):
        assert part in said.output
    assert f"report     {tmp_path / 'report' / 'feeds.html'}" in said.output
    assert "</html>" in (tmp_path / "report" / "feeds.html").read_text(encoding="utf-8")


def test_json_is_one_line_and_groups_may_be_domains(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "list.opml").write_text(OPML)
    said = anansi("feeds", "stats", folder, "--groups", tmp_path / "list.opml", "--json")
    assert (said.code, said.errors) == (0, "")
    assert said.json["types"] == {"Atom 1.0": 1, "RSS 2.0": 1}
    assert [each["name"] for each in said.json["domains"]] == ["(not listed)", "Spiders"]
    assert said.json["domains"][1]["mean"] == 86400
    assert said.json["quartiles"][0]["median"] == 86400
    assert said.json["report"] is None


def test_mistakes_are_told_in_a_line(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    empty = collect(tmp_path / "empty", {"/": "<p>no feed</p>"})
    for arguments, told in (
        ((folder, "-o", tmp_path / "file"), "is a file"),
        ((folder, "--groups", tmp_path / "file"), "is no OPML file"),
        ((folder, "--groups", tmp_path / "missing"), "is no OPML file"),
        ((empty,), "holds no feed"),
        ((tmp_path / "nothing",), "nothing"),
    ):
        said = anansi("feeds", "stats", *arguments)
        assert said.code != 0
        assert told in said.errors
        assert len(said.errors.splitlines()) == 1
