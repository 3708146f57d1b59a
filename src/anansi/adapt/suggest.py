"""Rules that may find a property in the containers of a new site: old ones relaxed, what looks like it described."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from anansi.adapt.mend import variants
from anansi.induce.expressions import Inducer
from anansi.induce.judges import NAME, TITLE
from anansi.induce.names import NameWords
from anansi.induce.numbered import Region
from anansi.induce.page_text import prose
from anansi.induce.study import Study
from anansi.knowledge.entry import Property
from anansi.knowledge.relax import fitted
from anansi.knowledge.xpath import Expression, Position, Step

PAGES: Final = 2
"""Pages that suggest rules."""

ELEMENTS: Final = 60
"""Elements of a region that are looked at for one property."""

MOST: Final = 70
"""Rules of one property that are tried."""

_ANY: Final = frozenset(("div", "span", "li", "a", "td", "tr", "section", "article", "table", "ul", "dd", "p", "b"))
_NO_TEXT: Final = ("form", "nav", "textarea", "input", "h1")

Suggestion = tuple[float, Property]
"""How little was changed, and what is suggested: the more, the likelier."""


def suggestions(study: Study, name: str, name_words: NameWords) -> list[Suggestion]:
    """Return rules that may find a property, the least relaxed first."""
    found: dict[Property, float] = {}
    known = [prop for prop in study.action.properties if prop.name == name]
    for weight, expression in _expressions(study, name, known, name_words):
        for prop in variants(study.action, name, expression):
            found[prop] = max(weight, found.get(prop, -9.0))
    ranked = sorted(((weight, prop) for prop, weight in found.items()), key=lambda each: -each[0])
    return ranked[:MOST]


def _expressions(
    study: Study, name: str, known: Sequence[Property], name_words: NameWords
) -> Iterator[tuple[float, Expression]]:
    fits = FITS.get(name, _any) if name != "title" else _in_head
    for page in study.pages[:PAGES]:
        scopes = [one.top for one in page]
        inducer = Inducer(page[0].studied.features, scopes)
        groups: dict[str, dict[Any, Any]] = {}
        for one in page:
            likely = [each for each in one.elements if each is not one.top and fits(one, each)][:ELEMENTS]
            for element in likely:
                groups.setdefault(one.path(element), {}).setdefault(one.top, element)
                for prop in known:
                    yield from _relaxed(prop, element, one, study, name, name_words)
        for group in groups.values():
            elements = list(group.values())
            said = 0.3 * name_words.says(name, names_of(elements[0]))
            for expression in inducer.expressions(elements)[:3]:
                if _tells(expression):
                    yield said - 0.6, expression


def _relaxed(
    prop: Property, element: Any, one: Region, study: Study, name: str, name_words: NameWords
) -> Iterator[tuple[float, Expression]]:
    fit = fitted(prop.expression, element, one.top if study.each is not None else one.studied.place.tree)
    if fit is None or fit.worst or not _tells(fit.expression) or _counted(fit.expression):
        return
    kept = holds(prop.expression, fit.expression)
    yield 0.4 * kept + 0.3 * name_words.says(name, names_of(element)) - 0.15 * fit.changes, fit.expression


def holds(old: Expression, new: Expression) -> bool:
    """Tell whether a relaxed expression still asks for a name that the old one asked for, where it matters."""
    was, now = last(old), last(new)
    said = set(Expression((replace(was, axis="//"),)).strings())
    there = set(Expression((replace(now, axis="//"),)).strings())
    if said or was.test != now.test:
        return any(len(string) > 2 for string in said & there)
    if was.test not in _ANY:
        return True
    return any(len(string) > 2 for string in set(old.strings()) & set(new.strings()))


def last(expression: Expression) -> Step:
    """Return the last step that is an element's."""
    steps = [step for step in expression.steps if not step.test.startswith("@") and step.test != "text()"]
    return steps[-1] if steps else expression.steps[-1]


def _tells(expression: Expression) -> bool:
    """Tell whether an expression says more than that something is an element like most others."""
    return last(expression).test not in _ANY or any(step.predicates for step in expression.steps)


def _counted(expression: Expression) -> bool:
    return any(isinstance(each, Position) for step in expression.steps[:-1] for each in step.predicates)


def names_of(element: Any) -> list[str]:
    """Return the names of an element; of one without, those of what it stands in."""
    for each in (element, element.getparent()):
        said = (each.get(name, "") for name in ("class", "id", "itemprop", "rel")) if each is not None else ()
        found = [token for value in said for token in value[:300].split()]
        if found:
            return found
    return []


# ── what can be a property, by a glance ──────────────────────────────────────────────────────────────────────────


def _any(one: Region, element: Any) -> bool:
    return one.studied.spans.length(element) <= 2000


def _short(one: Region, element: Any) -> bool:
    return 2 <= one.studied.spans.length(element) <= NAME and not one.studied.spans.of(element).isdigit()


def _name(one: Region, element: Any) -> bool:
    """Tell whether an element may be a name: short, and nothing else stands in it."""
    return _short(one, element) and sum(bool(text.strip()) for text in element.itertext()) == 1


def _dated(one: Region, element: Any) -> bool:
    if element.get("datetime") or any(map(str.isdigit, element.get("title", ""))):
        return True
    text = one.studied.spans.of(element)
    return 4 <= len(text) <= 120 and any(map(str.isdigit, text))


def _in_head(one: Region, element: Any) -> bool:
    """Tell whether the page's head says what an element says."""
    return 3 <= one.studied.spans.length(element) <= TITLE and one.studied.spans.of(element) in one.studied.title


def _long(_one: Region, element: Any) -> bool:
    return prose(element) >= 2 and element.tag not in _NO_TEXT and next(element.iter(*_NO_TEXT), None) is None


def _numbered(one: Region, element: Any) -> bool:
    number = one.id.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")
    return bool(number) and any(number in value for value in element.attrib.values())


def _linked(_one: Region, element: Any) -> bool:
    return element.get("href") is not None


FITS: Final[dict[str, Callable[[Region, Any], bool]]] = {
    "id": _numbered,
    "author": _name,
    "date": _dated,
    "modified": _dated,
    "section": _short,
    "text": _long,
    "link": _linked,
    "author-link": _linked,
}
