"""Where known values stand on a page."""

from __future__ import annotations

from typing import Any

import pytest

from anansi.adapt.locate import Locator
from anansi.induce.page_text import PageText
from anansi.inspection.story import NOW
from anansi.model import Value
from anansi.pages.extract import Place
from anansi.text.dates import Reader
from tests.induce.pages import PAGE, parsed


@pytest.fixture
def tree() -> Any:
    return parsed()


def place(tree: Any) -> Place:
    url = "https://clay.example/t/1"
    return Place(tree, PAGE, lambda: None, url, url, url, Reader(NOW))


@pytest.mark.parametrize(
    ("name", "value", "tag"),
    [
        ("author", Value("Bo"), "b"),
        ("date", Value("2020-03-02T11:30:00", "date", "2020-03-02 11:30"), "i"),
        ("link", Value("https://clay.example/t/1#p2", "link"), "a"),
        ("id", Value("p2"), "div"),
        ("number", Value("2", "number", "#2"), "a"),
        ("text", Value("Another answer, which is quite as long as that.", "body"), "div"),
    ],
)
def test_known_values_are_found(tree: Any, name: str, value: Value, tag: str) -> None:
    spots = Locator(place(tree), PageText(tree)).spots(name, value)
    assert tag in {element.tag for element, _ in spots}


def test_what_is_not_there_does_not_stand(tree: Any) -> None:
    locator = Locator(place(tree), PageText(tree))
    assert not locator.stands("text", Value("Something that nobody wrote on this page at all.", "body"))
    assert locator.stands("author", Value("Ada"))
