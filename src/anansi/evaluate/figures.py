"""Figures as SVG: bars, boxes and curves, drawn with nothing but text.

Colours are classes (`s0` … `s5`), which the page that shows the figures defines for light and dark.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

SERIES: Final = 6
"""Colours; more series begin again with the first."""
WIDTH: Final = 860

_LABELS: Final = 230  # left of horizontal bars
_ROW: Final = 22
_PLOT: Final = (84, 20, WIDTH - 20, 320)  # left, top, right and bottom of boxes and curves
_HEIGHT: Final = 370
_SHORT: Final = 34  # characters of a label that fit


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing and what it is called."""

    name: str
    title: str
    about: str
    height: int
    marks: tuple[str, ...]

    def svg(self) -> str:
        """Write the figure, with its title and description for those who do not see it."""
        return (
            f'<svg viewBox="0 0 {WIDTH} {self.height}" role="img" aria-labelledby="{self.name}-t {self.name}-d">'
            f'<title id="{self.name}-t">{escape(self.title)}</title>'
            f'<desc id="{self.name}-d">{escape(self.about)}</desc>{"".join(self.marks)}</svg>'
        )


def bars(name: str, title: str, groups: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> Figure:
    """Draw horizontal bars, in groups, each with its number."""
    most = max((value for _, group in groups for _, value in group), default=0) or 1
    marks: list[str] = []
    top = 8
    for heading, group in groups:
        marks.append(_text(4, top + 14, _fitting(heading), "b"))
        top += _ROW
        for series, (label, value) in enumerate(group):
            width = max(1.0, value / most * (WIDTH - _LABELS - 90))
            marks.append(_text(_LABELS - 8, top + 15, _fitting(label), "e"))
            marks.append(_box(_LABELS, top + 3, width, _ROW - 6, series))
            marks.append(_text(_LABELS + width + 6, top + 15, f"{value:,}"))
            top += _ROW
        top += 8
    about = "; ".join(
        f"{heading}: " + ", ".join(f"{label} {value:,}" for label, value in group) for heading, group in groups
    )
    return Figure(name, title, about, top, tuple(marks))


@dataclass(frozen=True, slots=True)
class Spread:
    """Five numbers that say how values are spread."""

    least: float
    first: float
    median: float
    third: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Take quartiles as the paper's box charts have them: the extremes belong to the data."""
        if len(values) == 1:
            return cls(*[values[0]] * 5)
        first, median, third = statistics.quantiles(values, n=4, method="inclusive")
        return cls(min(values), first, median, third, max(values))


def boxes(name: str, title: str, groups: Sequence[tuple[str, Sequence[float]]]) -> Figure:
    """Draw a box for each group of shares: whiskers to the extremes, a box of quartiles, a rule at the median."""
    spreads = [(label, Spread.of(values)) for label, values in groups if values]
    left, top, right, bottom = _PLOT
    low = _floor(min((spread.least for _, spread in spreads), default=0.0))

    def y(share: float) -> float:
        return bottom - (share - low) / (1 - low) * (bottom - top)

    marks = [_tick(y(low + (1 - low) * step / 4), f"{100 * (low + (1 - low) * step / 4):g}%") for step in range(5)]
    for number, (label, spread) in enumerate(spreads):
        middle = left + (right - left) * (number + 0.5) / len(spreads)
        marks.append(_line(middle, y(spread.least), middle, y(spread.most), number))
        marks += [_line(middle - 18, y(end), middle + 18, y(end), number) for end in (spread.least, spread.most)]
        marks.append(_box(middle - 36, y(spread.third), 72, max(1.0, y(spread.first) - y(spread.third)), number))
        marks.append(f'<path class="median" d="M{middle - 36:.1f} {y(spread.median):.1f}h72"/>')
        marks.append(_text(middle, bottom + 24, _fitting(label), "m"))
    about = "; ".join(
        f"{label}: {each.least:.2%} to {each.most:.2%}, quartiles {each.first:.2%} and {each.third:.2%}, "
        f"median {each.median:.2%}"
        for label, each in spreads
    )
    return Figure(name, title, about, _HEIGHT, tuple(marks))


def curves(
    name: str, title: str, lines: Sequence[tuple[str, Sequence[tuple[int, int]]]], unit: str = "requests"
) -> Figure:
    """Draw what was had after how many requests (or whatever is counted), a line for each crawl."""
    left, top, right, bottom = _PLOT
    across, up = _scale(x for _, line in lines for x, _ in line), _scale(y for _, line in lines for _, y in line)
    marks = [_tick(bottom - (bottom - top) * y / up[-1], f"{y:,}") for y in up]
    marks += [_text(left + (right - left) * x / across[-1], bottom + 18, f"{x:,}", "m") for x in across]
    marks.append(_text((left + right) / 2, bottom + 38, unit, "m"))
    for number, (label, line) in enumerate(lines):
        places = [
            f"{left + (right - left) * x / across[-1]:.1f} {bottom - (bottom - top) * y / up[-1]:.1f}"
            for x, y in [(0, 0), *line]
        ]
        marks.append(f'<path class="line s{number % SERIES}" d="M{"L".join(places)}"/>')
        marks.append(_box(right - 210, bottom - 22 - 20 * (len(lines) - number), 14, 10, number))
        marks.append(_text(right - 190, bottom - 13 - 20 * (len(lines) - number), _fitting(label)))
    ends = (f"{label}: {line[-1][1]:,} after {line[-1][0]:,} {unit}" for label, line in lines if line)
    return Figure(name, title, "; ".join(ends), _HEIGHT, tuple(marks))


def cumulated(
    name: str, title: str, lines: Sequence[tuple[str, Sequence[float]]], marks: Sequence[tuple[str, float]]
) -> Figure:
    """Draw the share of values up to each value, a line for each series; the axis of values is logarithmic.

    `marks` name values above 0, the ends of the axis among them.
    """
    left, top, right, bottom = _PLOT
    least, most = math.log(min(value for _, value in marks)), math.log(max(value for _, value in marks))

    def x(value: float) -> float:
        place = (math.log(value) - least) / (most - least) if value > 0 else 0.0
        return left + (right - left) * min(1.0, max(0.0, place))

    drawn = [_tick(bottom - (bottom - top) * step / 5, f"{20 * step}%") for step in range(6)]
    drawn += [_text(x(value), bottom + 18, text, "m") for text, value in marks]
    ends = []
    for number, (label, values) in enumerate(lines):
        steps = [f"H{x(value):.1f}V{_up(place / len(values)):.1f}" for place, value in enumerate(sorted(values), 1)]
        drawn.append(f'<path class="line s{number % SERIES}" d="M{left} {bottom}{"".join(steps)}H{right}"/>')
        drawn.append(_box(left + 14, top + 6 + 20 * number, 14, 10, number))
        drawn.append(_text(left + 34, top + 15 + 20 * number, _fitting(label)))
        ends.append(f"{label}: half of them up to {statistics.median(values):,.0f}" if values else f"{label}: none")
    return Figure(name, title, "; ".join(ends), _HEIGHT, tuple(drawn))


def _up(share: float) -> float:
    _, top, _, bottom = _PLOT
    return bottom - (bottom - top) * share


def _floor(share: float) -> float:
    """Return a round share a little below, where an axis may begin."""
    return next((low for low in (0.99, 0.98, 0.96, 0.92, 0.9, 0.8, 0.6) if share >= low), 0.0)


def _scale(values: Iterable[int]) -> list[int]:
    """Return the round numbers of an axis that ends at or above all values."""
    most = max(values, default=0) or 1
    unit = 10 ** max(0, math.floor(math.log10(most)) - 1)
    step = next(unit * factor for factor in (1, 2, 5, 10, 20, 50) if unit * factor * 5 >= most)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def _fitting(text: str) -> str:
    return text if len(text) <= _SHORT else f"…{text[1 - _SHORT :]}"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _box(x: float, y: float, width: float, height: float, series: int) -> str:
    shape = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="s{series % SERIES}" {shape} rx="2"/>'


def _line(x: float, y: float, to_x: float, to_y: float, series: int) -> str:
    return f'<path class="line s{series % SERIES}" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>'


def _tick(y: float, label: str) -> str:
    """Draw a line across the plot, and its number at the left."""
    left, _, right, _ = _PLOT
    return f'<path class="grid" d="M{left} {y:.1f}H{right}"/>' + _text(left - 8, y + 4, label, "e")
