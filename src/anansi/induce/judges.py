"""Does a value look like the property? By what it is on one page, and over several.

A date parses, an author is short and repeats, a title is short and its page's own, a text is long and no two are the
same, ids and links tell objects apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from anansi.induce.page_text import squeezed
from anansi.model import Value

NAME: Final = 60
"""Characters of the longest name of a person."""

TITLE: Final = 250
"""Characters of the longest title."""

SHORTEST_DATE: Final = 8
"""Characters of a date that does not stand in a text by chance."""

WORDY: Final = 4
"""Words from which on a short text is a sentence and no name."""

AUTHOR: Final = frozenset(("author", "byline", "writer", "creator", "vcard"))
"""Words of a name that say so plainly that someone is the author, that there may be only one."""

Page = Sequence[Sequence[Value]]
"""The values that a rule found on a page, one list a container."""

_LABEL: Final = re.compile(
    r"""(?:re(?:ply|spond)|quote|edit|report|share|permalink|link|like|posts?|top|new|next|prev(?:ious)?|profile|website
    |pm|offline|online|member|guest|moderator|administrator|admin|junior\ member|senior\ member|log\s?in|search|home
    |register|menu|options|more|print|email|www|\#?\d+|joined|location|posted|by|on|at|and|comments?|leave\ a\ .*
    |uncategori[sz]ed|continue\ reading.*|skip\ to\ .*|antworten|zitieren|citer|responder)[:.!»›…]*""",
    re.X | re.I,
)
"""Words of buttons and headings, which stand where names stand."""

_CLOCK: Final = re.compile(r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b")
"""What stands in a date and in no name."""

PERSON: Final = re.compile(r"user|member|profile|author|account|people|[?&;]u(?:id)?=|/u/|/@", re.I)
"""What stands in addresses of people."""

_TIMED: Final = re.compile(r"T\d\d:\d\d")


def texts(page: Page) -> list[str]:
    """Return the first value of each container."""
    return [values[0].text for values in page if values]


def plausible(name: str, page: Page, containers: int) -> float:
    """Say from 0 to 1 how much the values of a page look like the property; 0 means that they cannot be it."""
    found = texts(page)
    if not found or containers < 1:
        return 0.0
    covered = min(1.0, len(found) / containers)
    judge = _JUDGES.get(name, _other)
    return judge(found, page) * (0.4 + 0.6 * covered)


def over_pages(name: str, pages: Sequence[Page], *, named: bool = False) -> bool:
    """Tell whether the values of several pages can be those of the property; `named` if a rule calls it an author."""
    firsts = [texts(page) for page in pages if page]
    every = [each for page in firsts for each in page]
    if not every:
        return False
    if name in ("text", "title", "id", "link"):
        return _differ(firsts, alike=name in ("text", "title"))
    if name == "author":
        return _repeat_or_differ(every, firsts, named=named)
    return True


def _differ(firsts: Sequence[Sequence[str]], *, alike: bool) -> bool:
    """Tell whether pages have values of their own: no template writes them."""
    seen = [tuple(page) for page in firsts]
    if len(seen) > 1 and len(set(seen)) == 1:
        return False
    counted = Counter(each for page in firsts for each in set(page))
    spread = sum(1 for count in counted.values() if count > 1)
    return spread <= len(counted) * (0.5 if alike else 0.7)


def _repeat_or_differ(every: Sequence[str], firsts: Sequence[Sequence[str]], *, named: bool) -> bool:
    """Tell whether values can be names of people: a few write much, or one writes all, but not all in all posts."""
    distinct = len(set(every))
    if distinct == 1:
        return named and len(every) == len(firsts)  # one author of a site with one text a page; else a button
    return True


def mixed(page: Page, dates: Page) -> bool:
    """Tell whether texts hold the dates that stand beside texts: then they are more than the text."""
    wordings = [squeezed(values[0].original or values[0].text) for values in dates if values]
    told = [each for each in wordings if len(each) >= SHORTEST_DATE]
    found = [squeezed(each) for each in texts(page)]
    return bool(told) and sum(any(date in each for date in told) for each in found) > 0.3 * len(found)


# ── of one page ──────────────────────────────────────────────────────────────────────────────────────────────────


def _distinct(found: Sequence[str]) -> float:
    return len(set(found)) / len(found)


def _date(found: Sequence[str], page: Page) -> float:
    """A date is what was written as one: short, and mostly with its time; a thread's go forward."""
    wordings = [values[0].original or values[0].text for values in page if values]
    brief = sum(len(each) <= 45 for each in wordings) / len(wordings)
    timed = sum(_TIMED.search(each) is not None for each in found) / len(found)
    forward = sum(a <= b for a, b in pairwise(found)) / max(1, len(found) - 1)
    whole = sum(len(each) >= 10 for each in found) / len(found)
    if not brief or whole < 0.5:
        return 0.0
    return brief * (0.3 + 0.25 * timed + 0.25 * forward + 0.2 * _distinct(found))


def _author(found: Sequence[str], _page: Page) -> float:
    if any(len(each) > NAME for each in found) or sum(map(_is_label, found)) > len(found) / 3:
        return 0.0
    if sum(_CLOCK.search(each) is not None for each in found) > 0.3 * len(found):
        return 0.0
    sentences = sum(len(each.split()) > WORDY or each[-1:] in ".?!:," for each in found) / len(found)
    numbers = sum(sum(map(str.isdigit, each)) > len(each) / 2 for each in found) / len(found)
    if sentences > 0.3 or numbers > 0.3:
        return 0.0
    if len(found) >= 3 and len(set(found)) == 1:
        return 0.1
    return 0.5 + 0.5 * _distinct(found) - 0.3 * sentences


def _is_label(text: str) -> bool:
    return _LABEL.fullmatch(text.strip()) is not None


def _title(found: Sequence[str], _page: Page) -> float:
    longest = max(map(len, found))
    if longest > TITLE or _is_label(found[0]) or (len(found) > 2 and len(set(found)) == 1):
        return 0.0
    return 1.0 if 4 <= longest <= TITLE / 2 else 0.6


def _text(found: Sequence[str], _page: Page) -> float:
    lengths = sorted(len(squeezed(each)) for each in found)
    if len(found) > 2 and _distinct(found) < 0.6:
        return 0.0
    return min(1.0, 0.2 + lengths[len(lengths) // 2] / 400)


def _telling(found: Sequence[str], _page: Page) -> float:
    """Ids and links tell objects apart."""
    return 0.0 if _distinct(found) < 1.0 else 1.0


def _other(found: Sequence[str], _page: Page) -> float:
    return 0.5 if all(len(each) < 5000 for each in found) else 0.2


_JUDGES: Final[dict[str, Callable[[Sequence[str], Page], float]]] = {
    "date": _date,
    "modified": _date,
    "author": _author,
    "title": _title,
    "text": _text,
    "id": _telling,
    "link": _telling,
}
