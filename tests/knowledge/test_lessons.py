"""Entries that were learned, held until they are told once."""

from __future__ import annotations

from anansi.knowledge import notation, shelf
from anansi.knowledge.lessons import Lessons


def test_what_was_learned_at_a_site_is_told_once_and_to_that_site_alone() -> None:
    one, two = list(shelf.catalogue().types.values())[:2]
    lessons = Lessons()
    lessons.add("a.org", one)
    lessons.add("b.org", two)
    lessons.add("a.org", two)
    assert len(lessons) == 3
    told = lessons.take("a.org")
    assert [name for name, _ in told] == [one.id, two.id]
    assert notation.read(told[0][1], "told").id == one.id
    assert (len(lessons), lessons.take("a.org")) == (1, [])
