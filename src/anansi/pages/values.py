"""The values of properties: what stands in an element, read as a text, a date, a link or a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from anansi.knowledge.entry import As, Property
from anansi.knowledge.xpath import LAST, Position, Step
from anansi.model import Value
from anansi.text import visible as text
from anansi.text.counts import NUMBER, ROUNDED
from anansi.text.dates import Reader as DateReader
from anansi.text.page_model import NO_PAGE, PageModel
from anansi.url import resolve

LONGEST: Final = 1 << 20
"""Characters of one value."""

_MATCHED: Final = 10_000  # characters of a value that a regular expression is looked for in
_NUMBER: Final = re.compile(NUMBER)
_ROUNDED: Final = re.compile(ROUNDED)
_IN_FRAGMENT: Final = "!$%&'()*+,-./:;=?@_~"
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9_.~-]+")  # what `quote` leaves alone
# an enum's value costs a call, and these are asked for by the value
_TEXT, _DATE, _LINK, _BODY, _COUNT = (each.value for each in (As.TEXT, As.DATE, As.LINK, As.BODY, As.NUMBER))

_new: Final = tuple.__new__  # a page has a hundred values, and the call of a named tuple takes three times as long


@dataclass(frozen=True, slots=True)
class Place:
    """Where objects are found: the page, and what it is a page of."""

    tree: Any
    source: str
    """The page's text with its markup; empty when it is not at hand."""
    exchange: Callable[[], Any]
    """The part of the virtual document that does not stand in the page, made when it is asked for."""
    url: str
    base: str
    """What links are relative to."""
    whole: str
    """The address of the thread or article that the page shows, or shows a part of."""
    dates: DateReader
    linked: Callable[[], Any] = lambda: None
    """What the page says of itself in JSON-LD, read when it is asked for."""
    resolve: Callable[[str, str], str | None] = resolve
    """Where a link leads, given what it is relative to."""
    inside: bool = False
    """Whether what stands in texts is wanted: references, images and media; the template's own parts are left out."""
    lenient: bool = False
    """Whether objects are kept that lack what such objects need."""
    elsewhere: Callable[[str], bool] | None = None
    """Tells whether a link leads to what another page is about; None where that is not asked."""
    texts: dict[Any, str] = field(default_factory=dict)
    """The texts that were read, by their elements: several properties may be parts of one. Filled by readings."""
    page: PageModel = NO_PAGE
    """The tree as all stages read it; made here where nobody did."""

    def __post_init__(self) -> None:
        if self.page.tree is not self.tree:
            object.__setattr__(self, "page", PageModel(self.tree, self.source))


Raw = Callable[[Place, Any, text.Cut], str]
"""Takes the text of a property from an element, some elements left out; empty when there is none."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a property is read, made ready."""

    prop: Property
    part: Step | None
    """What of an element is meant: an attribute, or its text alone; None when it is all that stands there."""
    raw: Raw
    read: Callable[[Place, Property, str], Value | None]

    @classmethod
    def of(cls, prop: Property) -> Reading:
        """Make the reading of a property ready."""
        last = prop.expression.steps[-1]
        part = last if last.test == "text()" or last.test.startswith("@") else None
        raw = _raw(prop, part)
        if prop.match:
            raw = _matched(raw, regex(prop.match))
        elif raw is not _text:  # which is without spaces around it
            raw = _trimmed(raw)
        return cls(prop, part, raw, _READERS[prop.read_as])


def _trimmed(raw: Raw) -> Raw:
    return lambda place, node, cut: raw(place, node, cut).strip()


def _matched(raw: Raw, form: re.Pattern[str]) -> Raw:
    search = form.search

    def matched(place: Place, node: Any, cut: text.Cut) -> str:
        found = search(raw(place, node, cut)[:_MATCHED])
        return matched_part(found) if found is not None else ""

    return matched


def matched_part(found: re.Match[str]) -> str:
    """Return the part of a match that is the value: the first group, or all of it."""
    return (found[1 if found.re.groups else 0] or "").strip()


def _raw(prop: Property, part: Step | None) -> Raw:
    """Return what takes the text of a property from an element."""
    if part is not None:
        name = part.test[1:]
        plain = not part.predicates and part.test not in ("@*", "text()")
        return (lambda _, node, _cut: node.get(name, "")) if plain else (lambda _, node, _cut: _part(node, part))
    if prop.read_as is As.LINK:
        return lambda _, node, _cut: node.get("href") or node.get("src") or ""
    if prop.read_as is As.DATE:
        return lambda place, node, cut: node.get("datetime") or node.get("content") or _text(place, node, cut)
    return _text


def _text(place: Place, node: Any, cut: text.Cut) -> str:
    if node in cut.around:
        return text.of(node, cut.elements)
    known = place.texts.get(node)
    if known is None:
        known = place.texts[node] = text.of(node)
    return known


def _part(element: Any, step: Step) -> str:
    """Return an attribute of an element, or the text that stands in it and not deeper."""
    if not all(isinstance(each, Position) for each in step.predicates):
        return ""  # nothing stands below an attribute or a text, so nothing there can be compared
    if step.test == "@*":
        parts = list(element.attrib.values())
    elif step.test != "text()":
        parts = [str(element.get(step.test[1:], ""))]
    else:
        parts = [each for each in (element.text, *(child.tail for child in element)) if each]
    for predicate in step.predicates:
        assert isinstance(predicate, Position)
        parts = parts[-1:] if predicate.number == LAST else parts[predicate.number - 1 : predicate.number]
    return " ".join(parts)


def read_date(place: Place, prop: Property, raw: str) -> Value | None:
    """Read a date, with how it was worded."""
    read = place.dates.read(raw, prop.formats)
    return _new(Value, (read, _DATE, text.line(raw))) if read else None


def _link(place: Place, _prop: Property, raw: str) -> Value | None:
    """Read a link with its fragment, which tells a post from the thread it stands in."""
    link = place.resolve(raw, place.base)
    if link is None:
        return None
    fragment = raw.partition("#")[2] if "#" in raw else ""
    if fragment and _UNRESERVED.fullmatch(fragment) is None:
        fragment = quote(fragment, safe=_IN_FRAGMENT)
    return _new(Value, (f"{link}#{fragment}" if fragment else link, _LINK, ""))


def _number(_place: Place, _prop: Property, raw: str) -> Value | None:
    found = _NUMBER.search(raw)
    if found is None or _ROUNDED.match(raw, found.end()):
        return None  # nobody knows what 1.2K is to the last digit
    digits = found[0]
    if not (digits.isascii() and digits.isdecimal()):
        digits = "".join(
            str(int(each)) for each in digits if each.isdecimal()
        )  # of any script, without what groups them
    sign = "-" if raw[0] in "-−" and found.start() == 1 else ""
    return _new(Value, (f"{sign}{int(digits[:15])}", _COUNT, text.line(raw)))


_READERS: Final[dict[As, Callable[[Place, Property, str], Value | None]]] = {
    As.TEXT: lambda _place, _prop, raw: _new(Value, (text.line(raw), _TEXT, "")),
    As.BODY: lambda _place, _prop, raw: _new(Value, (raw, _BODY, "")),
    As.DATE: read_date,
    As.LINK: _link,
    As.NUMBER: _number,
}


def anchored(name: str) -> str:
    """Write a text as the fragment of an address."""
    return name if _UNRESERVED.fullmatch(name) is not None else quote(name, safe="")


@lru_cache(2000)
def regex(pattern: str) -> re.Pattern[str]:
    """Return a pattern made ready."""
    return re.compile(pattern)
