"""How far each segment of objects is in the store, known without opening it."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive.layout import OPEN, Collection
from anansi.archive.loaded import progress, remember, store_of, waiting
from anansi.archive.objects import folder
from tests.archive.exchanges import collection


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    found = collection(tmp_path)
    store_of(found).mkdir(parents=True)
    (folder(found) / "objects-1.nq").write_bytes(b"x" * 100)
    (folder(found) / ("objects-2.nq" + OPEN)).write_bytes(b"y" * 40)
    return found


def names(found: dict[Path, int]) -> dict[str, int]:
    return {path.name: size for path, size in found.items()}


def test_what_is_not_loaded_waits_and_of_a_segment_being_written_when_there_is_enough(made: Collection) -> None:
    assert names(waiting(made)) == {"objects-1.nq": 100, "objects-2.nq": 40}
    assert names(waiting(made, least=41)) == {"objects-1.nq": 100}


def test_what_is_loaded_waits_no_more(made: Collection) -> None:
    remember(made, {"objects-1.nq": 60, "objects-2.nq": 40})
    assert progress(made) == {"objects-1.nq": 60, "objects-2.nq": 40}
    assert names(waiting(made)) == {"objects-1.nq": 40}


def test_without_its_store_nothing_is_loaded_whatever_was_written_down(made: Collection) -> None:
    remember(made, {"objects-1.nq": 100})
    store_of(made).rmdir()
    assert progress(made) == {}
    assert names(waiting(made)) == {"objects-1.nq": 100, "objects-2.nq": 40}


@pytest.mark.parametrize("text", ["", "[]", '{"objects-1.nq": -1}', '{"objects-1.nq": "all"}'])
def test_a_record_that_cannot_be_read_says_nothing(made: Collection, text: str) -> None:
    (folder(made) / "loaded.json").write_text(text)
    assert progress(made) == {}
