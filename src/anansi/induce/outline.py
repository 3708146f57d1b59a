"""A page as places with text: which element stands where, and what is said there.

A place is a path of steps from the root, tags with what stays of their ids and classes, so that the second post of a
page and the tenth of another one stand in the same place. All is listed in the page's order: what stands in an
element is a slice of what stands on the page, and every question about it is a subtraction.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any, Final

from lxml import etree

from anansi.text.elements import stays

ELEMENTS: Final = 20_000
"""Elements of a page that are looked at; a thread of a hundred posts has a fifth of that."""
DEEPEST: Final = 60
"""Elements within elements; what stands deeper belongs to what stands there."""
LONGEST: Final = 200
"""Characters of an id or of classes that are looked at."""
NAME: Final = 48
"""Characters of a name that a step goes by: a dozen steps must fit into an expression."""
MEMO: Final = 20_000
"""Elements (tag, id, class) whose steps are remembered, about 300 bytes each."""
COLUMNS: Final = 12
"""Columns of a table that are told apart by their number."""
BOILERPLATE: Final = 0.4
"""Share of a template's pages from which on a text is of the template."""
PLACES: Final = 100_000
"""Places of a site that are told apart, about 200 bytes each."""

_UNSEEN: Final = frozenset(("script", "style", "noscript", "template", "head", "select", "button", "svg", "textarea"))
_LOOKS: Final = frozenset(
    "odd even alt first last active selected current new unread hot clearfix left right row col hidden".split()  # noqa: SIM905 - a word list
)
"""Classes that say how something looks, or that it is one of several."""
_TAG: Final = re.compile(r"[a-z][a-z0-9]{0,19}")
_COLUMNS: Final = frozenset(("td", "th"))


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of a site: where it stands, and its tree as lxml parsed it."""

    url: str
    tree: Any


class Places:
    """The places of a site's pages, numbered. Mutable state: all of it, which grows with every page."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}
        self.above: list[int] = [-1]
        """Place → the place around it; that of 0, which is nowhere, is -1."""
        self.step: list[str] = [""]
        """Place → its last step, as an expression has it."""

    def within(self, place: int, step: str) -> int:
        """Return the place of a step within another place; nowhere when there are too many.

        What is named as something around it stands in the same place: answers to comments are comments.
        """
        number = self._numbers.get((place, step))
        if number is None:
            if "(@" in step and (same := self._around(place, step)):
                self._numbers[place, step] = same
                return same
            if len(self.step) >= PLACES:
                return 0
            number = self._numbers[place, step] = len(self.step)
            self.above.append(place)
            self.step.append(step)
        return number

    def _around(self, place: int, step: str) -> int:
        while place > 0 and self.step[place] != step:
            place = self.above[place]
        return place

    def steps(self, place: int) -> list[str]:
        """Return the steps of a place, from the root on."""
        found = []
        while place > 0:
            found.append(self.step[place])
            place = self.above[place]
        return found[::-1]

    def below(self, place: int, above: int) -> bool:
        """Tell whether a place stands in another one, or is it."""
        while place > above:  # a place is numbered before those in it
            place = self.above[place]
        return place == above


@dataclass(slots=True)
class Outline:
    """A page. Mutable while it is made; `weigh` says later which of its texts count."""

    url: str
    root: Any
    elements: list[Any] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """Element → its place."""
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """Element → the first one behind all that stands in it."""
    said: list[str] = field(default_factory=list)
    """All texts, in their order, spaces collapsed."""
    linked: list[bool] = field(default_factory=list)
    """Text → whether it stands in a link."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """Element → the texts that stand in it."""
    by_place: dict[int, list[int]] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    """Text → its characters, none where the template says it."""
    _own: list[int] = field(default_factory=list)
    _links: list[int] = field(default_factory=list)

    def weigh(self, boilerplate: frozenset[str] | set[str]) -> None:
        """Count characters: those of the page's own texts and those of its links; what a template says is none."""
        self.counts = counts = [0 if each in boilerplate else len(each) for each in self.said]
        own = (0 if link else count for count, link in zip(counts, self.linked, strict=True))
        links = (count if link else 0 for count, link in zip(counts, self.linked, strict=True))
        self._own, self._links = [0, *accumulate(own)], [0, *accumulate(links)]

    def own(self, element: int) -> int:
        """Return how many characters in an element are the page's own and in no link."""
        first, last = self.spans[element]
        return self._own[last] - self._own[first]

    def links(self, element: int) -> int:
        """Return how many characters in an element are the page's own and in links."""
        first, last = self.spans[element]
        return self._links[last] - self._links[first]

    def text(self, element: int) -> str:
        """Return what an element says, in one line."""
        first, last = self.spans[element]
        return " ".join(self.said[first:last])

    def inside(self, element: int, of: int) -> bool:
        """Tell whether an element stands in another one, or is it."""
        return of <= element < self.ends[of]


def outline(page: SitePage, places: Places) -> Outline:
    """Make the outline of a page."""
    made = Outline(page.url, page.tree)
    walker = etree.iterwalk(page.tree, events=("start", "end"))
    around: list[int] = []
    links = skipped = 0
    for event, element in walker:
        if event == "end":
            if skipped:
                skipped -= 1
            else:
                _close(made, around.pop())
                links -= element.tag == "a"
            _say(made, element.tail, linked=links > 0)
        elif isinstance(element.tag, str) and element.tag not in _UNSEEN and len(around) < DEEPEST:
            if len(made.elements) >= ELEMENTS:
                break
            _open(made, element, around, places)
            links += element.tag == "a"
            _say(made, element.text, linked=links > 0)
        else:
            skipped += 1
            if len(around) >= DEEPEST and element.tag not in _UNSEEN:
                _say(made, " ".join(element.itertext())[:10_000], linked=links > 0)
            walker.skip_subtree()
    while around:
        _close(made, around.pop())
    for number, place in enumerate(made.places):
        made.by_place.setdefault(place, []).append(number)
    return made


def _open(made: Outline, element: Any, around: list[int], places: Places) -> None:
    number = len(made.elements)
    made.elements.append(element)
    made.parents.append(around[-1] if around else -1)
    made.places.append(places.within(made.places[around[-1]] if around else 0, step_of(element)))
    made.ends.append(number + 1)
    made.spans.append((len(made.said), len(made.said)))
    around.append(number)


def _close(made: Outline, number: int) -> None:
    made.ends[number] = len(made.elements)
    made.spans[number] = made.spans[number][0], len(made.said)


def _say(made: Outline, text: str | None, *, linked: bool) -> None:
    if text and (line := " ".join(text.split())):
        made.said.append(line)
        made.linked.append(linked)


def step_of(element: Any) -> str:
    """Write the step to an element: its tag, what stays of its id, and the class that says what it is."""
    tag = element.tag
    step = _step(tag, element.get("id") or "", element.get("class") or "")
    if step in _COLUMNS:
        before = sum(1 for _ in islice(element.itersiblings(tag, preceding=True), COLUMNS))
        return f"{tag}[{before + 1}]" if before < COLUMNS else step
    return step


@lru_cache(MEMO)
def _step(tag: str, identity: str, classes: str) -> str:
    if not _TAG.fullmatch(tag):
        tag = "*"
    if tag in ("html", "body"):
        return tag  # what names them names the page
    named = ""
    if identity and len(identity) < LONGEST and (stable := stays(identity)[:NAME]):
        named = f"[@id='{stable}']" if stable == identity else f"[contains(@id,'{stable}')]"
    if classes and (name := _telling(classes[:LONGEST].split())):
        named += f"[contains(@class,'{name}')]"
    return tag + named


def _telling(classes: Sequence[str]) -> str:
    """Return what stays of the first class that is not about looks."""
    return next((stable for each in classes if each not in _LOOKS and (stable := stays(each)[:NAME])), "")


def weigh(pages: Sequence[Outline], often: frozenset[str] | set[str] = frozenset()) -> None:
    """Tell pages that are built alike which of their texts their template says, beside those that all pages say."""
    boilerplate = often | common_texts(pages)
    for page in pages:
        page.weigh(boilerplate)


def common_texts(pages: Sequence[Outline]) -> set[str]:
    """Return the texts that so many pages have; where there are two pages, a text of both may be the template's."""
    counted = Counter(text for page in pages for text in set(page.said))
    return {text for text, count in counted.items() if count >= max(2, BOILERPLATE * len(pages))}
