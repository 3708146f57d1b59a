"""Where entries are found: built in, and in folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anansi.errors import KnowledgeError
from anansi.knowledge import shelf

ENTRY = '<type id="{}" title="X"><about/></type>'


def test_the_built_in_entries_make_a_catalogue() -> None:
    types = shelf.catalogue().types
    assert {"forum", "forum/phpbb", "blog", "blog/wordpress"} <= types.keys()
    assert len(shelf.built_in_files()) == len(shelf.built_in())
    assert all(entry.detection or not entry.parent for entry in types.values()), "an application can be recognised"


def test_a_file_stands_where_its_id_says() -> None:
    for path in shelf.built_in_files():
        entry = shelf.in_file(path)
        assert str(path).endswith(f"entries/{entry.id}.xml"), entry.id


def test_entries_of_a_folder_are_found_at_any_depth_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    for name in ("b/deep/z", "b/y", "a"):
        (tmp_path / f"{name}.xml").write_text(ENTRY.format(name.rpartition("/")[2]))
    (tmp_path / "notes.txt").write_text("no entry")
    (tmp_path / "folder.xml").mkdir()
    os.mkfifo(tmp_path / "pipe.xml")
    assert [entry.id for entry in shelf.in_folder(tmp_path)] == ["a", "z", "y"]
    assert "a" in shelf.catalogue(tmp_path).types


def test_a_folder_that_is_not_there_adds_nothing(tmp_path: Path) -> None:
    assert shelf.catalogue(tmp_path / "nothing").types.keys() == shelf.catalogue().types.keys()


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="cannot be read: No such file"):
        shelf.in_file(tmp_path / "none.xml")
    with pytest.raises(KnowledgeError, match="cannot be read: Is a directory"):
        shelf.in_file(tmp_path)


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    huge = tmp_path / "huge.xml"
    with huge.open("wb") as file:
        file.truncate(50 << 30)
    with pytest.raises(KnowledgeError, match="too many for an entry"):
        shelf.in_file(huge)


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST_ENTRIES", 2)
    for number in range(3):
        (tmp_path / f"{number}.xml").write_text("<type/>")
    with pytest.raises(KnowledgeError, match="more than 2 entries"):
        shelf.files(tmp_path)
