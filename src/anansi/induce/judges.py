"""Does a value look like the property? By what values are, and by how they differ within pages and over them.

    date    is short and whole, mostly has its time; those of a page go one way, no two are the same
    author  is a name, no button's word, no sentence; differs within a page, comes again on others, leads to one page
    title   is short, and its page's own
    text    is long, and no two are the same
    id      tells objects apart, and so does a link

Every judge says from 0 to 1 how much all values together look like it, and why; 0 means that they cannot be it. What
is not known (of one page nobody can say what comes again) does not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from anansi.induce.page_text import squeezed
from anansi.model import Value

NAME: Final = 60
"""Characters of the longest name of a person."""

TITLE: Final = 250
"""Characters of the longest title."""

BRIEF: Final = 45
"""Characters of a date and little else."""

WORDY: Final = 4
"""Words from which on a short text is a sentence and no name."""

DAY: Final = len("2000-01-01")
"""Characters of a whole day, as it is read."""

ODD: Final = 0.3
"""Share of values that may look otherwise: the authors of comments may be titles of other blogs."""

ODDER: Final = 0.7
"""The same where markup calls it the author."""

DIFFER: Final = 0.6
"""Share of texts that must be different ones."""

SEVERAL: Final = 3
"""Pages on which a template must have written something."""

ALIKE: Final = 2
"""Words that texts of a template have alike, and the share of them that has."""
MOSTLY: Final = 0.8

SPREAD: Final = {"text": 0.5, "title": 0.5, "id": 0.7, "link": 0.7}
"""Share of the values that may stand on several pages; more are a template's."""

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

_NO_NAME: Final = re.compile(r"\d{1,2}:\d\d|\b(?:19|20)\d\d\b|^[\W\d]+$|[.:?!,]$|https?:|^re:", re.I)
_NUMBER: Final = re.compile(r"\d+")
_EDITED: Final = re.compile(r"edit|modif|chang|update|bearbeit|geänd|join|regist", re.I)


@dataclass(frozen=True)
class Values:
    """What stands at one place in the objects of pages: by page, one value each, as it is read and as it is written.

    Frozen; features are computed once.
    """

    pages: Sequence[Sequence[str]]
    written: Sequence[str] = ()
    signed: bool = False
    """Whether the names of the place say plainly that it is the author."""
    called: float | None = None
    """How much they say that it is the property; None where nobody looked."""
    led: float | None = None
    """Share of the values that lead to one page each; None where nobody looked."""

    @classmethod
    def of(cls, pages: Iterable[Page], *, signed: bool = False) -> Values:
        """Take the first value of each container."""
        firsts = [[values[0] for values in page if values] for page in pages]
        written = [value.original or value.text for page in firsts for value in page]
        return cls([[value.text for value in page] for page in firsts if page], written, signed)

    @cached_property
    def every(self) -> list[str]:
        """All values."""
        return [each for page in self.pages for each in page]

    @cached_property
    def distinct(self) -> float:
        """Share of the values that are different ones."""
        return len(set(self.every)) / max(1, len(self.every))

    @cached_property
    def within(self) -> float | None:
        """How much values differ within pages; None where pages have too few."""
        shares = [len(set(page)) / len(page) for page in self.pages if len(page) > 2]
        return fmean(shares) if shares else None

    @cached_property
    def again(self) -> float | None:
        """Share of the values that other pages have, too; None of one page."""
        spread = Counter(value for page in self.pages for value in set(page))
        return fmean(spread[value] > 1 for value in self.every) if len(self.pages) > 1 else None

    @cached_property
    def ordered(self) -> float | None:
        """Share of the values of a page that go the way that most go; None where pages have one."""
        steps = [(a, b) for page in self.pages for a, b in pairwise(page)]
        return max(sum(a <= b for a, b in steps), sum(a >= b for a, b in steps)) / len(steps) if steps else None

    def are_own(self, most: float) -> bool:
        """Tell whether pages have values of their own, but for such a share: no template writes them."""
        if len(self.pages) < 2:
            return True
        counted = Counter(each for page in self.pages for each in set(page))
        spread = sum(count > 1 for count in counted.values())
        return len(set(map(tuple, self.pages))) > 1 and spread <= most * len(counted)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How much values look like a property, and what speaks for it and against it."""

    score: float
    reasons: dict[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.score > 0


def judge(name: str, values: Values) -> Judgement:
    """Say how much values look like a property."""
    return _JUDGES.get(name, _other)(values) if values.every else Judgement(0.0, {"there": 0.0})


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of a person."""
    said = text.strip()
    digits = sum(map(str.isdigit, said))
    return (
        _NO_NAME.search(said) is None
        and len(said.split()) <= WORDY
        and 2 * digits <= len(said)
        and _LABEL.fullmatch(said) is None
    )


def texts(page: Page) -> list[str]:
    """Return the first value of each container."""
    return [values[0].text for values in page if values]


def share(texts: Sequence[str], fits: Callable[[str], object]) -> float:
    """Return the share of texts that fit."""
    return fmean(bool(fits(each)) for each in texts)


def of_template(pages: Sequence[Sequence[str]]) -> bool:
    """Tell whether a template writes texts: on several pages most begin or end alike, whatever numbers they have."""
    every = [_NUMBER.sub("0", each).split() for page in pages for each in page]
    if len(pages) < SEVERAL or len(every) <= SEVERAL:
        return False
    begins, ends = Counter(tuple(each[:ALIKE]) for each in every), Counter(tuple(each[-ALIKE:]) for each in every)
    return max(*begins.values(), *ends.values()) >= MOSTLY * len(every)


def plausible(name: str, page: Page, containers: int) -> float:
    """Say from 0 to 1 how much the values of one page look like the property, and how many containers have one."""
    found = judge(name, Values.of([page]))
    covered = min(1.0, sum(map(bool, page)) / containers) if containers else 0.0
    return found.score * (0.4 + 0.6 * covered) if covered else 0.0


def _weighed(**features: tuple[float, float | None]) -> Judgement:
    """Weigh features, each by its weight; what is not known does not count."""
    known = {name: (weight, value) for name, (weight, value) in features.items() if value is not None}
    total = sum(weight for weight, _ in known.values())
    score = sum(weight * value for weight, value in known.values()) / total if total else 0.0
    return Judgement(score, {name: value for name, (_, value) in known.items()})


def _refused(**features: float) -> Judgement:
    return Judgement(0.0, features)


def _date(values: Values) -> Judgement:
    written = values.written or values.every
    brief, whole = share(written, lambda each: len(each) <= BRIEF), share(values.every, lambda each: len(each) >= DAY)
    if whole < 0.5:
        return _refused(whole=whole)
    timed, edited = share(values.every, lambda each: "T" in each), share(written, _EDITED.search)
    known = {"whole": (0.3, whole), "timed": (0.2, timed), "ordered": (0.2, values.ordered)}
    found = _weighed(**known, distinct=(0.3, values.distinct))
    score = found.score * (0.7 + 0.3 * brief) - edited  # a note of a change holds a date, too
    return Judgement(max(0.0, score), {**found.reasons, "brief": brief, "edited": edited})


def _author(values: Values) -> Judgement:
    odd = 1 - share(values.every, is_name)
    long = max(map(len, values.every)) > NAME
    if odd > (ODDER if values.signed else ODD) or (long and not values.signed):
        return _refused(odd=odd, long=float(long))
    if len(set(values.every)) == 1:
        if len(values.pages) == 1 and len(values.every) > 2:
            return Judgement(0.1, {"distinct": 0.0})  # one who talks to himself, or a button
        if len(values.pages) > 1 and (not values.signed or len(values.every) > len(values.pages)):
            return _refused(distinct=0.0)
    differ = min(1.0, 1.6 * values.within) if values.within is not None else None
    known = {"differ": (0.3, differ), "again": (0.3, values.again), "led": (0.2, values.led)}
    found = _weighed(**known, called=(0.2, values.called))
    return found if found.reasons else Judgement(0.75)


def _title(values: Values) -> Judgement:
    longest = max(map(len, values.every))
    same = len(values.every) > 2 and len(set(values.every)) == 1
    if longest > TITLE or same or _LABEL.fullmatch(values.every[0].strip()) or not values.are_own(SPREAD["title"]):
        return _refused(short=float(longest <= TITLE), distinct=values.distinct)
    return Judgement(1.0 if 4 <= longest <= TITLE / 2 else 0.6, {"distinct": values.distinct})


def _text(values: Values) -> Judgement:
    if (len(values.every) > 2 and values.distinct < DIFFER) or not values.are_own(SPREAD["text"]):
        return _refused(distinct=values.distinct)
    long = min(1.0, 0.2 + median(len(squeezed(each)) for each in values.every) / 400)
    return Judgement(long, {"long": long, "distinct": values.distinct})


def _telling(values: Values) -> Judgement:
    """Ids and links tell objects apart."""
    apart = all(len(set(page)) == len(page) for page in values.pages) and values.are_own(SPREAD["id"])
    return Judgement(float(apart), {"distinct": values.distinct})


def _other(values: Values) -> Judgement:
    return Judgement(0.5 if all(len(each) < 5000 for each in values.every) else 0.2)


_JUDGES: Final[dict[str, Callable[[Values], Judgement]]] = {
    "date": _date,
    "modified": _date,
    "author": _author,
    "title": _title,
    "text": _text,
    "id": _telling,
    "link": _telling,
}
