"""Figures: whole, described, and true to their numbers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from anansi.evaluate.figures import WIDTH, Figure, Spread, bars, boxes, curves


def drawn(figure: Figure) -> ET.Element:
    """Parse a figure; every mark must stand inside it."""
    root = ET.fromstring(figure.svg())
    assert [each.tag for each in root][:2] == ["title", "desc"]
    for mark in root.iter():
        assert 0 <= float(mark.get("x", "0")) <= WIDTH
        assert 0 <= float(mark.get("y", "0")) <= figure.height
    return root


def widths(root: ET.Element) -> list[float]:
    return [float(mark.get("width", "0")) for mark in root.iter("rect")]


def texts(root: ET.Element) -> list[str]:
    return [mark.text or "" for mark in root.iter("text")]


def test_bars_are_as_long_as_their_numbers() -> None:
    root = drawn(bars("b", "Requests", [("one", [("blind", 2000), ("aware", 500)]), ("two", [("blind", 0)])]))
    blind, aware, none = widths(root)
    assert aware == pytest.approx(blind / 4, rel=0.01)
    assert none == 1.0
    assert {"2,000", "500", "0", "one", "two"} <= set(texts(root))


def test_names_are_text_and_long_ones_keep_their_end() -> None:
    root = drawn(bars("b", "<T>", [("a & b", [('"<script>"', 1), ("x" * 50 + "-end", 2)])]))
    assert '"<script>"' in texts(root)
    assert any(text.startswith("…") and text.endswith("-end") for text in texts(root))
    assert root[0].text == "<T>"


def test_a_spread_is_told_by_five_numbers() -> None:
    assert Spread.of([0.5]) == Spread(0.5, 0.5, 0.5, 0.5, 0.5)
    assert Spread.of([1, 2, 3, 4, 5]) == Spread(1, 2, 3, 4, 5)


def test_boxes_stand_between_their_quartiles() -> None:
    figure = boxes("s", "Shares", [("1. auto", [0.97, 0.98, 0.985, 0.99, 1.0]), ("2. blind", [1.0])])
    root = drawn(figure)
    assert {"96%", "100%", "1. auto", "2. blind"} <= set(texts(root))
    assert "1. auto: 97.00% to 100.00%, quartiles 98.00% and 99.00%, median 98.50%" in figure.about
    box, flat = (float(mark.get("height", "0")) for mark in root.iter("rect"))
    assert box == pytest.approx(300 * 0.01 / 0.04)
    assert flat == 1.0


def test_a_curve_begins_at_nothing_and_ends_at_its_last_point() -> None:
    root = drawn(curves("c", "Course", [("blind", [(2, 10), (100, 1000)]), ("aware", [(20, 1000)])]))
    lines = [mark.get("d", "") for mark in root.iter("path") if "line" in mark.get("class", "")]
    assert len(lines) == 2
    places = [[tuple(map(float, place.split())) for place in re.split("[ML]", line)[1:]] for line in lines]
    assert places[0][0] == places[1][0] == (84.0, 320.0)
    assert places[0][-1] == (840.0, 20.0)
    assert places[1][-1] == (235.2, 20.0), "a fifth of the way, and as high"
    assert {"requests", "blind", "aware", "100", "1,000"} <= set(texts(root))


@pytest.mark.parametrize("line", [[], [(0, 0)], [(1, 0)], [(7, 3)], [(999_999, 4_123_456)]])
def test_any_numbers_can_be_drawn(line: list[tuple[int, int]]) -> None:
    root = drawn(curves("c", "Course", [("crawl", line)]))
    marks = [int(text.replace(",", "")) for text in texts(root) if text.replace(",", "").isdigit()]
    most = max((y for _, y in line), default=0)
    assert max(marks) >= most
    assert len(marks) <= 16
    assert drawn(bars("b", "Requests", []))
    assert drawn(boxes("s", "Shares", []))
