"""Links that differ in their numbers alone.

Most links that were never met before are of a kind that was: `posting.php?mode=quote&p=20141`. What such a link means
and its key are the parts of its text in another order, and no rule of addresses tells one digit from another; so how
they are put together is found out once for all links of one shape.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_HOST_WITH_DIGITS: Final = re.compile(r"(?:[a-z]+:)?//[^/?#]*[0-9]", re.I)  # an address of four numbers may be none
_DIGIT: Final = re.compile("[0-9]")


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
