"""Where rules were learned, noted until earlier pages are read again by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi.archive import lessons
from anansi.archive.layout import Collection
from anansi.archive.lessons import Lesson
from anansi.archive.objects import folder
from tests.archive.exchanges import collection


@pytest.fixture
def made(tmp_path: Path) -> Collection:
    return collection(tmp_path)


def test_the_last_lesson_of_a_site_is_the_one_that_counts(made: Collection) -> None:
    lessons.note(made, "a.org", "forum/phpbb", 1.0)
    lessons.note(made, "b.org", "blog/wordpress", 2.0)
    lessons.note(made, "a.org", "forum/phpbb", 3.0)
    assert lessons.noted(made) == {"a.org": Lesson("forum/phpbb", 3.0), "b.org": Lesson("blog/wordpress", 2.0)}


def test_what_was_read_again_is_forgotten_and_forgetting_twice_is_no_mistake(made: Collection) -> None:
    lessons.note(made, "a.org", "forum/phpbb", 1.0)
    lessons.forget(made)
    lessons.forget(made)
    assert lessons.noted(made) == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a.org": 5}', '{"a.org": ["x", "soon"]}'])
def test_a_note_that_cannot_be_read_is_none(made: Collection, text: str) -> None:
    lessons.note(made, "a.org", "forum/phpbb", 1.0)
    (folder(made) / "learned.json").write_text(text)
    assert lessons.noted(made) == {}
    lessons.note(made, "b.org", "blog/wordpress", 2.0)
    assert list(lessons.noted(made)) == ["b.org"]
