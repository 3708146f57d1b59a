"""`anansi watch` and `anansi feeds list`: what people type, and what they are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anansi.cli import application
from anansi.cli.watch import what_of
from anansi.config import Definition, Watch
from anansi.errors import AnansiError
from tests.evaluate.test_watched import NEWS, log


def run(*arguments: str) -> str:
    """Run a command; what it refuses is raised."""
    result = CliRunner().invoke(application(arguments[0]), list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_feeds_are_listed_for_people_and_for_programs(tmp_path: Path) -> None:
    collection = log(tmp_path, ("http://a.org/feed", 200, NEWS.format(5, 0)))
    assert "http://a.org/feed" in run("feeds", "list", str(collection.root))
    assert json.loads(run("feeds", "list", str(collection.root), "--json"))[0]["items"] == 5


def test_where_nothing_is_watched_the_way_to_begin_is_said(tmp_path: Path) -> None:
    assert "anansi watch FEED" in run("feeds", "list", str(log(tmp_path).root))
    with pytest.raises(AnansiError, match="not a collection"):
        run("feeds", "list", str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("what", "told"),
    [("nosuch.opml", "no such file"), ("/etc/nosuch", "no such file"), ("ftp://a.org/feed", "is not a web address")],
)
def test_what_cannot_be_watched_is_said(tmp_path: Path, what: str, told: str) -> None:
    with pytest.raises(AnansiError, match=told):
        run("watch", what, "-o", str(tmp_path / "c"), "--once")
    with pytest.raises(AnansiError, match="nothing to watch"):
        run("watch", "-o", str(tmp_path / "c"))


def test_what_is_watched_is_remembered() -> None:
    begun = Definition(watch=Watch(what="pages"))
    assert (what_of(begun, pages=False), what_of(Definition(), pages=True)) == ("pages", "pages")
    assert what_of(Definition(), pages=False) == "feeds"
