"""What stands in the texts of a new site and is not theirs: quotes, notes of edits, signatures.

A box that some texts have and others have not is left out when something says that it is another's: a quote's tag, a
name of someone who writes there, the time of a day. Where nobody can say, there is no rule for the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from anansi.induce.names import PERSON, QUOTING
from anansi.induce.numbered import Region
from anansi.induce.page_text import prose
from anansi.induce.study import Study
from anansi.knowledge.entry import Property
from anansi.knowledge.relax import fitted
from anansi.knowledge.xpath import Expression, Step
from anansi.text.visible import UNSEEN

ALL: Final = 0.95
"""Share of a text from which on something is all of it."""

PROSE: Final = 15
"""Characters of prose that may be a part of a text."""

MOST: Final = 8
"""Kinds of boxes that are left out of texts."""

CLOCK: Final = re.compile(r"\b\d{1,2}[:.]\d\d\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{4}\b")
_QUOTING: Final = QUOTING | {"q", "footer", "form", "nav", "fieldset"}
_WRITTEN: Final = frozenset(("pre", "code", "dl", "dt", "dd", "kbd", "samp"))
_PLAIN: Final = frozenset(
    ("p", "br", "a", "b", "i", "u", "s", "em", "strong", "img", "sub", "sup", "font", "hr", "del", "ul", "ol", "li")
)

_APART: Final = frozenset(("h1", "h2", "h3", "h4", "header", "footer", "nav", "form", "aside", "time", "a"))
_LINKS: Final = frozenset(("a", "img"))


def own_text(study: Study, rule: Property, names: frozenset[str]) -> Property | None:
    """Let a rule for texts leave out what is not theirs; None when something may be theirs or not."""
    texts = _texts(study, rule)
    if len(texts) < len(study.regions) * 0.5:
        return None
    common = Counter(path for one, text in texts for path in {one.path(each) for each in text.iterdescendants("*")})
    left = {element for studied in study.studied_pages for each in rule.without for element in studied.find(each)}
    left -= {up for _, text in texts for up in (text, *text.iterancestors())}
    out: list[tuple[Region, Any]] = []
    for one, text in texts:
        if study.each is None and not _whole(text):
            return None
        boxes = _foreign(study, one, text, common, len(texts), names, left)
        if boxes is None:
            return None
        out += ((one, box) for box in boxes)
    said = _described(texts, out)
    if said is None or len(said) > MOST:
        return None
    return replace(rule, without=(*rule.without, *said)) if said else rule


def _texts(study: Study, rule: Property) -> list[tuple[Region, Any]]:
    found = []
    for page in study.pages:
        there = page[0].studied.find(rule.expression)
        for one in page:
            inside = set(one.elements)
            first = next((each for each in there if each in inside), None)
            if first is not None:
                found.append((one, first))
    return found


def _foreign(
    study: Study,
    one: Region,
    text: Any,
    common: Counter[str],
    count: int,
    names: frozenset[str],
    left: set[Any],
) -> list[Any] | None:
    out: list[Any] = []
    for box in _boxes(text):
        if any(up in left or up in out for up in (box, *box.iterancestors())):
            continue
        optional = common[one.path(box)] < count
        before = box.getprevious()
        after = before is not None and (before in out or before in left) and not (before.tail or "").strip()
        after = after and box.tag != "span"
        verdict = _verdict(study, box, text, names, optional=optional, after=after, left=left)
        if verdict is None:
            return None
        if verdict:
            out.append(box)
    return out


def _boxes(text: Any) -> Iterator[Any]:
    """Go through what may be something of its own in a text, the outer ones first."""
    for each in text.iterdescendants():
        named = each.get("class") is not None and each.tag not in _LINKS
        if isinstance(each.tag, str) and each.tag not in UNSEEN and (named or each.tag not in _PLAIN):
            yield each


def _verdict(
    study: Study,
    box: Any,
    text: Any,
    names: frozenset[str],
    *,
    optional: bool,
    after: bool,
    left: set[Any],
) -> bool | None:
    """Tell whether a box is to be left out of a text; None when nobody can say."""
    said = _line(box)
    named = bool(box.get("class") or box.get("id"))
    if not said or (box.tag in _PLAIN and not named):
        return False
    if len(said) >= ALL * len(_line(text)):
        return False  # all of the text, in another element
    if box.tag in _QUOTING:
        return True
    if not optional:
        return None if CLOCK.search(said) else False
    if box.tag in _WRITTEN or next(box.iter(*_WRITTEN), None) is not None:
        return None if not _is_code(box, left) else False
    if next(box.iter("blockquote"), None) is not None or after:
        return True
    pieces = {" ".join(each.split()).strip(" :") for each in box.itertext()}
    linked = any(PERSON.search(each.get("href", "")) for each in box.iter("a"))
    if CLOCK.search(said) or pieces & names or linked:
        return True
    if not named:
        return False
    rules = [each for prop in study.action.properties if prop.name == "text" for each in prop.without]
    if any((fit := fitted(each, box, text)) is not None and not fit.worst for each in rules):
        return None
    return False


def _whole(text: Any) -> bool:
    """Tell whether no other prose stands beside the text of a page: else it may be a part of it."""
    parent = text.getparent()
    if parent is None:
        return True
    beside = [each for each in parent if each is not text and isinstance(each.tag, str) and each.tag not in UNSEEN]
    if any(len((each.tail or "").strip()) > PROSE for each in parent):
        return False
    return not any(prose(each) > PROSE and each.tag not in _APART for each in beside)


def _is_code(box: Any, left: set[Any]) -> bool:
    """Tell whether a box has code and nothing else that is not left out already, such as what it is headed by."""
    code = "".join(
        "".join(each.itertext()) for each in box.iter("code", "pre") if not _within(each, box, ("code", "pre"))
    )
    heads = "".join("".join(each.itertext()) for each in box.iterdescendants() if each in left)
    return len("".join(code.split())) + len("".join(heads.split())) >= len("".join(_line(box).split()))


def _within(element: Any, top: Any, tags: tuple[str, ...]) -> bool:
    at = element.getparent()
    while at is not None and at is not top:
        if at.tag in tags:
            return True
        at = at.getparent()
    return False


def _line(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _described(texts: Sequence[tuple[Region, Any]], out: Sequence[tuple[Region, Any]]) -> list[Expression] | None:
    """Return what finds all boxes and no other part of the texts; None when nothing does."""
    boxes = {box for _, box in out}
    said: dict[Expression, None] = {}
    for one, box in out:
        steps = [step for step in one.studied.features.steps(box) if step.predicates or box.tag in _QUOTING]
        found = next((each for each in steps if _finds_boxes(each, texts, boxes)), None)
        if found is None:
            return None
        said[Expression((found,))] = None
    return list(said)


def _finds_boxes(step: Step, texts: Sequence[tuple[Region, Any]], boxes: set[Any]) -> bool:
    for one, text in texts:
        for each in one.studied.features.found(step):
            at = each
            while at is not None and at not in boxes and at is not text:
                at = at.getparent()
            if at is text or any(up is each for up in text.iterancestors()):
                return False
    return True
