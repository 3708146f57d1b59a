"""The seal of a run: what changed, was cut or went away since it ended is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive import seal
from anansi.archive.layout import Collection
from tests.archive.exchanges import collection


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    found = collection(tmp_path)
    found.crawl_log.parent.mkdir(parents=True, exist_ok=True)
    found.definition.write_text("seeds: [https://example.org/]\n")
    found.crawl_log.write_text("the first line\n")
    return found


def broken(made: Collection) -> dict[str, str]:
    return dict(seal.broken(made, seal.read(made)))


def test_a_run_that_goes_on_is_told_from_one_that_ended(made: Collection) -> None:
    assert not seal.is_there(made)
    seal.begin(made)
    assert not seal.read(made).ended
    assert seal.read(made).found
    seal.end(made)
    assert seal.read(made).ended
    assert broken(made) == {}


def test_lines_that_come_later_are_no_damage_and_of_them_the_rest_is_read(made: Collection) -> None:
    seal.end(made)
    first = seal.read(made).marks
    with made.crawl_log.open("a") as log:
        log.write("another line\n")
    assert broken(made) == {}
    assert seal.marks_of(made, first) == seal.marks_of(made, {})


def test_a_log_that_was_changed_cut_or_removed_is_noticed(made: Collection) -> None:
    seal.end(made)
    name = seal.name_of(made, made.crawl_log)
    made.crawl_log.write_text("the first lime\n")
    assert "not what they were" in broken(made)[name]
    made.crawl_log.write_text("the")
    assert "3 of 15 bytes" in broken(made)[name]
    assert dict(seal.shortened(made, seal.read(made))) == {name: broken(made)[name]}
    made.crawl_log.unlink()
    assert broken(made)[name] == "the file is gone"


def test_what_is_accounted_for_elsewhere_is_compared_no_more(made: Collection) -> None:
    seal.end(made)
    made.crawl_log.write_text("")
    seal.forget(made, [seal.name_of(made, made.crawl_log)])
    assert broken(made) == {}
    assert seal.read(made).ended


def test_how_long_the_log_was_is_known_as_long_as_it_is_no_shorter(made: Collection) -> None:
    assert seal.read(made).log(made) is None
    seal.end(made)
    assert seal.read(made).log(made) == len("the first line\n")
    made.crawl_log.write_text("")
    assert seal.read(made).log(made) is None


@pytest.mark.parametrize("text", ["", "{}", '{"marks": 5}', '{"marks": {"a": 1}}'])
def test_a_seal_that_cannot_be_read_is_none_but_is_there(made: Collection, text: str) -> None:
    seal.end(made)
    (made.state / "seal.json").write_text(text)
    assert not seal.read(made).found
    assert seal.is_there(made)


def test_small_files_that_nobody_could_make_again_are_copied(made: Collection) -> None:
    seal.begin(made)
    ((path, copy),) = seal.copied(made)
    assert path == made.definition
    assert copy.read_bytes() == made.definition.read_bytes()
    made.definition.write_text("x" * (seal.LARGEST + 1))
    seal.keep_copies(made, [made.definition])
    assert copy.read_text().startswith("seeds")
