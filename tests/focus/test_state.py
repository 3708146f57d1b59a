"""What scoring has learned, as rows and back: whoever goes on scores as the one who stopped would have."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from anansi.focus import state
from anansi.focus.modules import MODULES
from anansi.focus.scorer import NO_VERDICT, Scorer
from anansi.focus.settings import SETTINGS
from anansi.focus.state import restore, rows_of
from anansi.focus.topic import Topic
from anansi.state import PageTerms
from tests.focus.pages import FRUIT, RAIL, key, reading

TOPIC = Topic(words={"railway": 1.0, "locomot": 1.0})


def pages(first: int, last: int) -> list[PageTerms]:
    """Read pages that lead to each other by lists and paragraphs."""
    return [_page(number) for number in range(first, last)]


def _page(number: int) -> PageTerms:
    listed = "".join(f'<li><a href="/p/{number * 3 % 40 + each}">part {each}</a></li>' for each in range(4))
    more = f'<p>More <a href="/p/{number + 7}">of it</a>, and <a href="/q/{number}">railway</a></p>'
    return reading(f"/p/{number}", f"<p>{RAIL if number % 3 else FRUIT}</p><ul>{listed}</ul>{more}")


def told(scorer: Scorer, some: list[PageTerms]) -> list[object]:
    """Return all that a scorer says of pages, one after the other."""
    said: list[object] = []
    for page in some:
        said.append(scorer.read(page, NO_VERDICT, {key("/q/3"): "Ann", key("/p/11"): "Bob"}))
        if scorer.due:
            scorer.settle()
        said.append(scorer.revised(5))
    return said


@pytest.mark.parametrize("in_a_row", [1_000, 3])
def test_what_was_learned_is_the_same_afterwards(in_a_row: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "SETTINGS", replace(SETTINGS, in_a_row=in_a_row))
    first, second = Scorer(TOPIC), Scorer(TOPIC)
    told(first, pages(0, 25))
    rows = list(rows_of(first, "bees"))
    assert (len(rows) > 4) == (in_a_row == 3)
    assert restore(second, rows) == "bees"
    assert second.left == first.left != []
    assert told(second, pages(25, 50)) == told(first, pages(25, 50))
    assert list(rows_of(second, "bees")) == list(rows_of(first, "bees"))


def test_what_another_topic_took_over_is_kept_too() -> None:
    first, second = Scorer(TOPIC), Scorer(Topic(words={"appl": 1.0}))
    told(first, pages(0, 25))
    first = first.turned_to(Topic(words={"appl": 1.0}), MODULES, 1.0)
    assert restore(second, list(rows_of(first, "apples"))) == "apples"
    assert told(second, pages(25, 40)) == told(first, pages(25, 40))


def test_rows_of_another_version_are_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        restore(Scorer(TOPIC), [b"\x92\xa4Head\x01"])
    assert restore(Scorer(TOPIC), []) == ""
