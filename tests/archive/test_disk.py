"""The disk: what it says becomes words with a cure, and what replaces a file does so whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.disk import guarded, replacing, sync_file
from anansi.errors import DiskError


def test_an_error_names_the_file_and_its_cure(tmp_path: Path) -> None:
    path = tmp_path / "none" / "file"
    with pytest.raises(DiskError, match="went away: bring it back") as caught, guarded(path):
        path.write_bytes(b"")
    assert str(path) in str(caught.value)
    assert isinstance(caught.value.__cause__, FileNotFoundError)


def test_a_file_takes_the_place_of_another_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "file"
    with replacing(path) as beside:
        beside.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_when_something_fails_the_file_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ValueError, match="half way"), replacing(path) as beside:
        beside.write_text("half")
        raise ValueError("half way")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_went_away_needs_no_sync(tmp_path: Path) -> None:
    sync_file(tmp_path / "gone")
    (tmp_path / "there").write_text("x")
    sync_file(tmp_path / "there")
