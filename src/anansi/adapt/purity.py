"""Is an element prose, all of it and nothing else? What a text is made of, and what may be a quote in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from anansi.adapt import looks
from anansi.adapt.spans import Spans, prose

ALIKE: Final = 0.7
"""Share of a text's length from which on other prose may be the text as well."""

SHORT: Final = 60
"""Characters of prose that may be a caption or a notice."""

_PLAIN: Final = frozenset(
    ("p", "br", "a", "b", "i", "u", "s", "em", "strong", "img", "code", "pre", "ul", "ol", "li", "span", "div", "sub",
     "sup", "h2", "h3", "h4", "figure", "figcaption", "small", "font", "hr", "del", "ins", "tt", "abbr", "picture")
)  # fmt: skip
"""What prose is made of; anything else in a text may be a quote, a form, a signature."""

_LINKS: Final = frozenset(("a", "img", "code", "pre"))
"""What may have names in a text all the same."""

_APART: Final = frozenset(("p", "ul", "ol", "pre", "blockquote"))
TIME: Final = re.compile(r"\d{1,2}:\d\d")
NUMBERED: Final = re.compile(
    r"(?:^|[#/=_-])[a-z_-]*?(?:comment|answer|reply|respon[sc]e)s?[-_=/]?\d|#c\d+$|^c\d+$", re.I
)


def quotes(spans: Spans, text: Any) -> Iterator[Any]:
    """Go through the boxes of quotes in a text: what holds one and hardly anything else."""
    for quote in text.iter("blockquote"):
        box = quote
        for up in _up_to(quote, text):
            if spans.length(up) > spans.length(quote) + looks.NAME:
                break
            box = up
        if box is not text:
            yield box


def largest(spans: Spans, scope: Any, element: Any) -> bool:
    """Tell whether no other prose of its container is as long."""
    inside = {element, *element.iterdescendants(), *element.iterancestors()}
    mine = spans.length(element)
    others = (each for each in scope.iterdescendants() if each not in inside and isinstance(each.tag, str))
    return all(prose(each) < ALIKE * mine for each in others)


def only(spans: Spans, element: Any) -> bool:
    """Tell whether no other prose stands on the page, up to where others speak."""
    inside = {element, *element.iterdescendants(), *element.iterancestors()}
    for each in spans.elements:
        if isinstance(each.tag, str) and each.tag != "script" and each not in inside:
            if any(NUMBERED.search(each.get(name, "")) for name in ("id", "href", "name")):
                return True
            if prose(each) >= SHORT:
                return False
    return True


def clean(element: Any, without: frozenset[Any]) -> bool:
    """Tell whether an element holds prose alone: whatever has a name in it may be a quote, or not of the text."""
    if len(element.text or "") <= looks.NAME and TIME.search(element.text or ""):
        return False
    return all(
        _prose(each) or any(up in without for up in (each, *_up_to(each, element)))
        for each in element.iterdescendants()
        if isinstance(each.tag, str)
    )


def _prose(element: Any) -> bool:
    if any(len(text) <= looks.NAME and TIME.search(text) for text in (element.text or "", element.tail or "")):
        return False  # when it was said, or when something else was
    return element.tag in _PLAIN and (element.tag in _LINKS or not (element.get("class") or element.get("id")))


def _up_to(element: Any, top: Any) -> Iterator[Any]:
    at = element.getparent()
    while at is not None and at is not top:
        yield at
        at = at.getparent()


def whole(element: Any) -> bool:
    """Tell whether no prose stands beside an element."""
    parent = element.getparent()
    if parent is None or (parent.text or "").strip() or any((each.tail or "").strip() for each in parent):
        return False
    beside = [each for each in parent if each is not element and each.tag in _APART]
    return not any("".join(each.itertext()).strip() for each in beside)
