"""The folder of a collection."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from anansi.archive.layout import Collection
from anansi.errors import CollectionError, DiskError

HOLD = """
import sys
from pathlib import Path
from anansi.archive.layout import Collection
with Collection(Path(sys.argv[1])).lock():
    print("locked", flush=True)
    sys.stdin.read()
"""

CREATE = """
import os, sys
from pathlib import Path
from anansi.archive.layout import Collection
from anansi.errors import DiskError
if os.getuid() == 0:
    os.setuid(65534)
try:
    Collection(Path(sys.argv[1])).create()
except DiskError as error:
    print(error)
"""


def test_a_new_folder_becomes_a_collection_and_stays_one(tmp_path: Path) -> None:
    made = Collection(tmp_path / "new" / "crawl")
    made.create()
    made.require()
    (made.archive / "a.warc.gz").write_bytes(b"x")
    made.create()
    assert [path.name for path in made.warcs()] == ["a.warc.gz"]
    assert made.index.parent.is_dir()
    assert made.crawl_log.parent.is_dir()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    Collection(tmp_path).create()
    assert (tmp_path / "archive").is_dir()


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("do not touch")
    with pytest.raises(CollectionError, match="not empty and not a collection"):
        Collection(tmp_path).create()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CollectionError, match="is a file"):
        Collection(tmp_path / "file").create()


def test_what_is_no_collection_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="is not a collection"):
        Collection(tmp_path / "nowhere").require()


def test_a_folder_that_may_not_be_written_to_is_told_with_its_cure(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    result = subprocess.run(
        [sys.executable, "-c", CREATE, str(closed)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "choose a folder you may write to" in result.stdout, result.stderr
    assert str(closed) in result.stdout


def test_a_folder_that_cannot_be_made_is_a_disk_error() -> None:
    with pytest.raises(DiskError, match="/proc/anansi"):
        Collection(Path("/proc/anansi")).create()


def test_a_second_crawl_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    made = Collection(tmp_path / "crawl")
    made.create()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(made.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(CollectionError, match=f"in use by process {holder.pid}"), made.lock():
            pass
    finally:
        holder.kill()
        holder.communicate(timeout=120)
    with made.lock():
        assert (made.state / "lock").read_text() == f"{os.getpid()}\n"
