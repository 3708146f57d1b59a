"""The definition of a collection: damage is restored, a mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive import seal
from anansi.archive.layout import Collection
from anansi.config import Definition, dump
from anansi.crawl.definition import definition_in, restore, set_aside
from anansi.errors import ConfigError
from tests.archive.exchanges import collection

WHOLE = dump(Definition(seeds=["https://example.org/"], workers=3))


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    """A collection that was crawled once by its definition."""
    found = collection(tmp_path)
    found.definition.write_text(WHOLE)
    seal.begin(found)
    return found


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"   \n",
        WHOLE.encode()[:-20],
        WHOLE.encode()[: WHOLE.index("workers")],
        WHOLE.encode().replace(b"workers", b"workerr"),  # one bit of an s
        b"\x00\x01" + WHOLE.encode(),
        b"\xff\xfe" + WHOLE.encode(),
    ],
)
def test_what_is_damaged_is_restored_and_the_damaged_one_is_kept(made: Collection, damage: bytes) -> None:
    made.definition.write_bytes(damage)
    found = definition_in(made)
    assert found is not None
    assert found.workers == 3
    assert made.definition.read_text() == WHOLE
    assert [path.read_bytes() for path in made.torn.iterdir()] == [damage]


def test_one_that_is_gone_is_brought_back(made: Collection) -> None:
    made.definition.unlink()
    assert "restored" in restore(made)
    assert made.definition.read_text() == WHOLE
    assert restore(made) == ""


def test_what_a_person_changed_stays_and_a_mistake_is_told(made: Collection) -> None:
    made.definition.write_text(WHOLE.replace("workers: 3", "workers: 5"))
    found = definition_in(made)
    assert found is not None
    assert found.workers == 5
    made.definition.write_text(WHOLE.replace("workers: 3", "workers: many"))
    with pytest.raises(ConfigError, match="workers"):
        definition_in(made)


def test_a_collection_without_a_definition_has_none(tmp_path: Path) -> None:
    assert definition_in(collection(tmp_path)) is None


def test_files_that_are_set_aside_within_a_second_do_not_meet(made: Collection) -> None:
    told = [set_aside(made, made.definition) for _ in range(3)]
    assert len(set(told)) == len(list(made.torn.iterdir())) == 3
    assert set_aside(made, made.root / "none") == ""
