"""Dates as pages write them → ISO 8601.

What a text says is found without knowing the day or the site (`wording`, remembered by text); which day that is, is
settled after that (`days`), with the time of reading and the order of day and month that the site keeps to.

The answer is as precise as the source: `2009`, `2009-01`, `2009-01-05` or `2009-01-05T15:32:00` (seconds are always
written, as XML Schema wants them), with an offset where the page gives one or the moment is known (Unix times, "3
hours ago"). Names of days ("today") are taken as days of UTC: pages do not tell where they stand.
"""

from __future__ import annotations

from typing import Final

from anansi.act.days import Order, Pair
from anansi.act.wording import by_format, said

__all__ = ["LONGEST", "Order", "Reader"]

LONGEST: Final = 300
"""Characters of a text that are looked at."""


class Reader:
    """Reads the dates of a page.

    Mutable state: its site's `order`, which every date read may teach; `_page`, until it was asked for that order.
    """

    def __init__(self, now: float, *, order: Order | None = None, page: str = ""):
        self._now = int(now)
        self.order = Order() if order is None else order
        self._page = page

    def read(self, text: str, formats: tuple[str, ...] = ()) -> str:
        """Return the first date of a text in ISO 8601, or nothing; formats, as of `strptime`, are tried first."""
        text = text[:LONGEST]
        for form in formats:
            told = by_format(text, form)
            if told is not None and (read := told.iso(self._now, self.order)):
                return read
        found = said(text)
        if found is None:
            return ""
        if self._page and isinstance(found, Pair) and found.is_open and not self.order.decided:
            self.order.note(self._page)
            self._page = ""
        return found.iso(self._now, self.order)
