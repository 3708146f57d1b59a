"""A text that stands on several pages, as one: the parts of a long post, in the order of their addresses.

Two captures of one page are two versions; captures of two pages are two parts, unless they say the same: a post
stands above every page of its comments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from anansi.archive.settings import SETTINGS

MOST_PARTS: Final = 1000
"""Pages of an object that are put together."""


_NUMBER: Final = re.compile(r"(\d+)")


def joined(texts: Mapping[str, str], uri: str) -> str:
    """Put the texts of an object together, page → text, the page that was captured last first."""
    ages = {page: age for age, page in enumerate(texts)}
    parts: list[str] = []
    pieces: list[frozenset[str]] = []
    newest: list[int] = []
    for page in sorted(texts, key=lambda page: _order(page, uri)):
        text, mine = texts[page], _pieces(texts[page])
        place = next((place for place, other in enumerate(pieces) if _alike(mine, other)), None)
        if place is None:
            parts.append(text)
            pieces.append(mine)
            newest.append(ages[page])
        elif _replaces(text, parts[place], newer=ages[page] < newest[place]):
            parts[place], pieces[place], newest[place] = text, mine, ages[page]
    return "\n\n".join(parts)


def _order(page: str, uri: str) -> tuple[bool, list[str | int]]:
    """Sort the object's own address first, and the others by the numbers in them."""
    named = [int(each) if each.isdecimal() else each for each in _NUMBER.split(page)]
    return page.rstrip("/") != uri.partition("#")[0].rstrip("/"), named


def _pieces(text: str) -> frozenset[str]:
    said = " ".join(text[: SETTINGS.looked_at].split())
    return frozenset(said[at : at + SETTINGS.piece] for at in range(max(1, len(said) - SETTINGS.piece + 1)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SETTINGS.alike * min(len(one), len(other))


def _replaces(text: str, other: str, *, newer: bool) -> bool:
    """Tell whether a text stands for another one that says nearly the same: the newer one, if it is no excerpt."""
    if newer:
        return len(text) >= SETTINGS.excerpt * len(other)
    return len(other) < SETTINGS.excerpt * len(text)
