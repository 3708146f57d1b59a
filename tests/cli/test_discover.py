"""`anansi kb discover`, as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anansi.cli import app
from anansi.knowledge import notation
from tests.evaluate.collections import collect
from tests.learn.unknown import Unknown, forum, shop

RUN = CliRunner()


def learned(folder: Path, site: Unknown, host: str) -> Path:
    """Collect a site and learn it."""
    home = "".join(f'<a href="{path}">{path}</a> ' for path in site.pages if "/board" in path or "/shelf" in path)
    collect(
        folder,
        {"/": f"<html><body><p>welcome to all of you</p>{home}</body></html>", **site.pages},
        host=f"http://{host}",
    )
    told = RUN.invoke(app, ["learn", str(folder), "--json"])
    assert told.exit_code == 0, told.output
    return folder


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("sites")
    return [
        learned(root / "one", forum(seed=21), "one.example"),
        learned(root / "two", forum(18, seed=22), "two.example"),
        learned(root / "three", shop(seed=23), "three.example"),
    ]


def test_two_forums_of_one_software_become_one_type(collections: list[Path], tmp_path: Path) -> None:
    target = tmp_path / "quiet.xml"
    asked = ["kb", "discover", *map(str, collections), "--name", "forum/quiet", "-o", str(target)]
    told = RUN.invoke(app, asked)
    assert told.exit_code == 0, told.output
    assert "forum/quiet" in told.output
    assert "one.example" in told.output
    assert "three.example" not in told.output
    entry = notation.read(target.read_bytes(), "quiet.xml")
    assert entry.detection
    assert {"thread", "list"} <= {level.name for level in entry.levels}
    assert RUN.invoke(app, ["kb", "check", str(target)]).exit_code == 0


def test_what_is_printed_can_be_had_as_json(collections: list[Path], tmp_path: Path) -> None:
    asked = ["kb", "discover", *map(str, collections), "-o", str(tmp_path / "drafts"), "--json"]
    found = json.loads(RUN.invoke(app, asked).output)
    assert found["sites"] == ["learned/one.example", "learned/two.example", "learned/three.example"]
    (draft,) = found["types"]
    assert draft["sites"] == ["one.example", "two.example"]
    assert draft["alike"] >= found["threshold"]
    assert Path(draft["file"]) == tmp_path / "drafts" / "learned" / "alike.xml"
    assert notation.read(draft["xml"].encode(), "x").id == "learned/alike"
    assert len(found["likeness"]) == 3


def test_entries_and_folders_of_them_do_as_well(collections: list[Path], tmp_path: Path) -> None:
    entry = collections[0] / "knowledge" / "learned" / "one.example.xml"
    told = RUN.invoke(app, ["kb", "discover", str(entry), str(collections[1] / "knowledge")])
    assert told.exit_code == 0, told.output
    assert "nothing was written" in told.output


def test_nothing_to_discover_is_said(collections: list[Path]) -> None:
    alone = RUN.invoke(app, ["kb", "discover", str(collections[0])])
    assert alone.exit_code == 0
    assert "two are needed" in alone.output
    unlike = RUN.invoke(app, ["kb", "discover", str(collections[0]), str(collections[2])])
    assert unlike.exit_code == 0
    assert "no two of one template" in unlike.output
    assert json.loads(RUN.invoke(app, ["kb", "discover", str(collections[0]), "--json"]).output)["types"] == []


def test_mistakes_are_said_without_a_traceback(collections: list[Path], tmp_path: Path) -> None:
    bare = collect(tmp_path / "bare", {"/": "<html><body>hello</body></html>"})
    (tmp_path / "file").write_text("")
    two = [str(each) for each in collections[:2]]
    for arguments, words in (
        (["kb", "discover", str(tmp_path / "nowhere")], "no such file or folder"),
        (["kb", "discover", str(bare)], "learn it first"),
        (["kb", "discover", str(tmp_path)], "holds no learned site"),
        (["kb", "discover", *two, "-o", str(tmp_path / "file")], "is a file"),
        (["kb", "discover", *two, "--name", "nothing/like/this"], "does not exist"),
        (["kb", "discover", *two, "--name", "Forum Quiet"], "Forum Quiet"),
    ):
        told = RUN.invoke(app, arguments)
        assert told.exit_code != 0
        assert words in str(told.exception), told.exception
