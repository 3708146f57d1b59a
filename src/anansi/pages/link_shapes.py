"""Links that differ in their numbers alone.

Most links that were never met before are of a kind that was: `posting.php?mode=quote&p=20141`. What such a link means
and its key are the parts of its text in another order, and no rule of addresses tells one digit from another; so how
they are put together is found out once for all links of one shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Final, NamedTuple

_HOST_WITH_DIGITS: Final = re.compile(r"(?:[a-z]+:)?//[^/?#]*[0-9]", re.I)  # an address of four numbers may be none
_DIGIT: Final = re.compile("[0-9]")

_WITNESSES: Final[tuple[Callable[[int], int], ...]] = (
    lambda place: place % 10,
    lambda place: place // 10,
    lambda place: (place + 5) % 10,
)
"""Which digit stands at a place in each of three addresses that tell together which digit was copied to where: the
first two write its place; what the third does not change was not copied."""
_PLACES: Final = 100
"""Digits of an address that can be told apart by them."""


class Form(NamedTuple):
    """How address and key are made of a link's text."""

    head: str
    """What stands before it in the address."""
    begin: int
    end: int
    """Which part of the text stands in the address."""
    order: tuple[int, ...] | None
    """The parameters of the key; None when the address is the key."""

    def filled(self, raw: str) -> tuple[str, str]:
        """Return the address and the key of a link of this form."""
        url = self.head + raw[self.begin : self.end]
        if self.order is None:
            return url, url
        head, _, query = url.partition("?")
        pieces = query.split("&")
        return url, f"{head}?{'&'.join([pieces[number] for number in self.order])}" if self.order else head


def form_of(raw: str, url: str, key: str) -> Form | None:
    """Return the form of a link with its address and its key; None when other digits might make another one."""
    if "%" in raw or raw[:1] == "?" or _HOST_WITH_DIGITS.match(raw):
        return None
    end = raw.find("#") if "#" in raw else len(raw)
    begin = next((each for each in (0, 2, 3) if raw[:each] in ("", "./", "../") and url.endswith(raw[each:end])), end)
    head, query = url[: len(url) - (end - begin)], url.partition("?")[2]
    pieces = query.split("&") if query else []
    if begin >= end or (len(pieces) > 1 and any(_DIGIT.search(each.partition("=")[0]) for each in pieces)):
        return None
    if key == url:
        return Form(head, begin, end, None)
    form = Form(head, begin, end, _order(pieces, key.partition("?")[2]))
    return form if form.filled(raw) == (url, key) and len(set(pieces)) == len(pieces) else None


def _order(pieces: list[str], query: str) -> tuple[int, ...]:
    return tuple(pieces.index(each) for each in query.split("&") if each in pieces) if query else ()


class Copy(NamedTuple):
    """How a text is made of an address: parts that are copied, and parts that are always the same."""

    parts: tuple[slice | str, ...]

    def of(self, url: str) -> str:
        """Return what is made of an address."""
        return "".join([url[part] if isinstance(part, slice) else part for part in self.parts])


def copies(url: str, made: Callable[[str], tuple[str, str]]) -> tuple[Copy, Copy] | None:
    """Find out how two texts are made of an address, and so of all that differ from it in numbers alone.

    Whoever makes them, without telling one digit from another, is asked about three such addresses. None when what
    comes out does not tell.
    """
    start = url.find("/", 8)
    if start < 0 or "%" in url or len(_DIGIT.findall(url, start)) > _PLACES:
        return None
    told = [made(_renumbered(url, start, digit)) for digit in _WITNESSES]
    places = [found.start() for found in _DIGIT.finditer(url, start)]
    one, other = (_copy(texts, url, places) for texts in zip(*told, strict=True))
    return (
        (one, other) if one is not None and other is not None and (one.of(url), other.of(url)) == made(url) else None
    )


def _renumbered(url: str, start: int, digit: Callable[[int], int]) -> str:
    numbers = count()
    return url[:start] + _DIGIT.sub(lambda _: str(digit(next(numbers))), url[start:])


def _copy(texts: tuple[str, ...], url: str, places: list[int]) -> Copy | None:
    """Return how a text is made of an address whose digits stand at some places, by what the witnesses became."""
    if len(set(map(len, texts))) > 1:
        return None
    parts: list[slice | str] = []
    for units, tens, moved in zip(*texts, strict=True):
        place = -1
        if units != moved:
            number = int(tens + units) if tens.isdigit() and units.isdigit() else len(places)
            if number >= len(places):
                return None
            place = places[number]
        last = parts[-1] if parts else ""
        goes_on = isinstance(last, slice) and (url[last.stop : last.stop + 1] == units and not units.isdigit())
        if isinstance(last, slice) and (place == last.stop or (place < 0 and goes_on)):
            parts[-1] = slice(last.start, last.stop + 1)  # the text goes on as the address does
        elif place >= 0:
            parts.append(slice(place, place + 1))
        elif isinstance(last, str) and parts:
            parts[-1] = last + units
        else:
            parts.append(units)
    return Copy(tuple(parts))
