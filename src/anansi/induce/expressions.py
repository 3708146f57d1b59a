"""From elements to an expression of the fragment that finds them and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final

from anansi.knowledge.xpath import LAST, LONGEST, Contains, Equals, Expression, Position, Step, compiled

MOST: Final = 10
"""Expressions for one set of elements."""

ABOVE: Final = 5
"""Elements above one that may tell it from others."""

COUNTED_ABOVE: Final = 2
"""Elements above one whose brothers are counted: a link of a list stands in a point of it."""

TRIED: Final = 400
"""Combinations of two steps that are counted."""

MEMO: Final = 2000
"""Expressions that are kept compiled."""

NAME: Final = 50
"""Characters of an attribute's value that can be a name."""

_NAMING: Final = ("itemprop", "rel", "property", "role", "name", "data-role", "data-field", "data-testid")
_EXACT, _FIRST = 0.0, 1.0  # what it costs to find the elements alone, or before others
_ANOTHER_STEP: Final = 0.3
_COUNTED: Final = 0.6  # what it costs to count brothers: the next page may have one more


_search: Any = lru_cache(MEMO)(compiled)


class Features:
    """How the elements of a page can be described by one step. Mutable: what was described already."""

    def __init__(self, elements: Sequence[Any]):
        self.elements = elements
        self._steps: dict[Any, tuple[Step, ...]] = {}
        self._found: dict[Step, list[Any]] = {}
        for element in elements:
            if isinstance(element.tag, str):
                self._steps[element] = tuple(described(element))
                for step in self._steps[element]:
                    self._found.setdefault(step, []).append(element)

    def steps(self, element: Any) -> tuple[Step, ...]:
        """Return the steps that describe an element, the telling ones first."""
        return self._steps.get(element, ())

    def found(self, step: Step) -> list[Any]:
        """Return the elements that a step describes, in the order of the page."""
        return self._found.get(step, [])

    def groups(self) -> Iterator[tuple[Step, list[Any]]]:
        """Go through all steps with the elements that they describe."""
        yield from self._found.items()


def described(element: Any) -> Iterator[Step]:
    """Go through the steps that describe an element, the telling ones first."""
    tag = element.tag
    for name in _NAMING:
        value = element.get(name)
        if value and _is_name(value):
            yield Step("//", tag, (Equals(f"@{name}", value),))
    names = element.get("class", "")[:1000]
    tokens = [each for each in dict.fromkeys(names.split()) if _is_name(each)]
    for token in tokens[:8]:
        yield Step("//", tag, (Contains("@class", token),))
        yield Step("//", "*", (Contains("@class", token),))
    if (len(names) == 1 and names.isalpha()) or (tokens and len(names) <= NAME and _is_name(names.replace(" ", ""))):
        yield Step("//", tag, (Equals("@class", names),))
    yield from _by_id(tag, element.get("id", ""))
    yield Step("//", tag)


def naming(element: Any) -> Iterator[Expression]:
    """Go through the expressions that name an element, or it in what it stands in."""
    own, above = _names(element), element.getparent()
    yield from (Expression((step,)) for step in own)
    if above is not None and above.tag not in ("body", "html"):
        inner = own or [Step("//", str(element.tag))]
        yield from (Expression((outer, replace(step, axis="/"))) for outer in _names(above) for step in inner)


def _names(element: Any) -> list[Step]:
    """Return the steps that name an element, those of whole names first: they find the least besides."""
    named = [step for step in described(element) if step.predicates and step.test != "*"]
    return sorted(named, key=lambda step: not isinstance(step.predicates[0], Equals))


def find(expression: Expression, root: Any) -> list[Any]:
    """Return what an expression finds on a page."""
    return list(_search(expression)(root))


def _by_id(tag: str, value: str) -> Iterator[Step]:
    if not value or "'" in value:
        return
    stem = value.rstrip("0123456789")
    if stem == value and _is_name(value):
        yield Step("//", tag, (Equals("@id", value),))
    elif len(stem) >= 2 and _is_name(stem):
        yield Step("//", tag, (Contains("@id", stem),))


def _is_name(value: str) -> bool:
    """Tell whether a value is a name and not data, which differs from page to page."""
    return 2 <= len(value) <= NAME and "'" not in value and sum(map(str.isdigit, value)) <= 2 and value.isprintable()


def _cost(step: Step) -> float:
    """Say how likely a step is to fail elsewhere."""
    if not step.predicates:
        return 0.5
    first = step.predicates[0]
    assert not isinstance(first, Position)
    price = {"@itemprop": 0.0, "@property": 0.0, "@class": 0.1, "@id": 0.15}.get(first.value, 0.2)
    price += 0.05 if isinstance(first, Equals) and first.value == "@class" else 0.0
    return price + (0.12 if step.test == "*" else 0.0)


class Inducer:
    """Makes expressions for elements in some scopes: containers of objects, or the page. Mutable: memos.

    A scope that is a run reaches up to the next one beside it.
    """

    def __init__(self, features: Features, scopes: Sequence[Any], *, run: bool = False):
        self._features = features
        self._scopes = dict.fromkeys(scopes)
        self._beside = _beside(self._scopes) if run else None
        self._inside: dict[Any, Any] = {}
        self._all: set[Any] = set()
        self._said = False  # whether the targets have a text, so that what has none is passed over

    @property
    def scopes(self) -> int:
        """How many scopes there are."""
        return len(self._scopes)

    def expressions(self, targets: Sequence[Any], part: str = "") -> list[Expression]:
        """Return expressions that find the targets first in their scopes, the safest one first."""
        self._said = not part and all(map(_says, targets))
        own = [each for each in targets if each in self._scopes]
        if own and (self._beside is None or part.startswith("@")):
            return [Expression((Step("//", part),))] if part.startswith("@") and len(own) == len(targets) else []
        wanted = {self.scope(each): each for each in reversed(targets)}
        wanted.pop(None, None)
        if not wanted:
            return []
        ranked = sorted(self._ranked(wanted), key=lambda each: each[0])
        steps = list(dict.fromkeys(each for _, each in ranked))[:MOST]
        last = _part(part)
        found = [Expression(each + last) for each in steps]
        return [each for each in found if len(str(each)) <= LONGEST // 2]

    def expressions_of_all(self, targets: Sequence[Any], part: str = "") -> list[Expression]:
        """Return expressions that find all targets, however many stand in a scope, and as few others as can be."""
        inside = [each for each in targets if self.scope(each) is not None]
        if not inside:
            return []
        alone = Inducer(self._features, [])
        alone._all, alone._scopes, alone._inside = set(inside), self._scopes, self._inside
        alone._beside = self._beside
        ranked = sorted(alone._ranked({each: each for each in inside}), key=lambda each: each[0])
        last = _part(part)
        found = [Expression(each + last) for each in dict.fromkeys(each for _, each in ranked)]
        return [each for each in found if len(str(each)) <= LONGEST // 2][:MOST]

    def scope_or_self(self, element: Any) -> Any:
        """Return the element if it is a scope, or the innermost scope around it."""
        return element if element in self._scopes else self.scope(element)

    def scope(self, element: Any) -> Any:
        """Return the innermost scope around an element, or None; what is a run holds what begins it, too."""
        if self._beside is not None:
            around = (element, *element.iterancestors())
            return next((self._beside[each] for each in around if each in self._beside), None)
        passed = []
        at = element.getparent()
        while at is not None and at not in self._scopes and at not in self._inside:
            passed.append(at)
            at = at.getparent()
        found = self._inside.get(at, at if at in self._scopes else None)
        self._inside.update(dict.fromkeys(passed, found))
        return found

    # ── ways to say it ───────────────────────────────────────────────────────────────────────────────────────────

    def _ranked(self, wanted: dict[Any, Any]) -> Iterator[tuple[float, tuple[Step, ...]]]:
        targets = list(wanted.values())
        last = _common([self._features.steps(each) for each in targets])
        for step in last:
            fit = self._fit(self._features.found(step), wanted)
            if fit is not None:
                yield fit + _cost(step), (step,)
        yield from self._below_others(wanted, targets, last)
        yield from self._counted(wanted, targets)

    def _below_others(
        self, wanted: dict[Any, Any], targets: list[Any], last: Sequence[Step]
    ) -> Iterator[tuple[float, tuple[Step, ...]]]:
        """Say what stands above the targets, too."""
        tried = 0
        for height in range(1, ABOVE + 1):
            above = [self._above(each, height) for each in targets]
            if any(each is None for each in above):
                return
            for upper in _common([self._features.steps(each) for each in above]):
                for step in last:
                    tried += 1
                    if tried > TRIED or not (upper.predicates or height == 1):
                        continue
                    lower = replace(step, axis="/") if height == 1 else step
                    fit = self._fit(self._under(upper, lower, height), wanted)
                    if fit is not None:
                        yield fit + _ANOTHER_STEP + _cost(upper) / 2 + _cost(step) / 2, (upper, lower)

    def _above(self, element: Any, height: int) -> Any:
        """Return the element so many levels above, if it stands in the scope."""
        for _ in range(height):
            element = element.getparent()
            if element is None or (element in self._scopes and self._beside is None):
                return None
        return element

    def _under(self, upper: Step, lower: Step, height: int) -> list[Any]:
        there = set(self._features.found(upper))
        found = self._features.found(replace(lower, axis="//"))
        if height == 1:
            return [each for each in found if each.getparent() in there]
        return [each for each in found if any(above in there for above in each.iterancestors())]

    def _counted(self, wanted: dict[Any, Any], targets: list[Any]) -> Iterator[tuple[float, tuple[Step, ...]]]:
        """Count the targets, or what they stand in, among brothers of one tag."""
        for height in range(COUNTED_ABOVE + 1):
            middle = [self._above(each, height) for each in targets]
            upper = [self._above(each, 1) if each is not None else None for each in middle]
            if any(each is None for each in (*middle, *upper)) or len({each.tag for each in middle}) != 1:
                continue
            below = (Step("/" if height == 1 else "//", targets[0].tag),) if height else ()
            for position in _positions(middle):
                lower = Step("/", middle[0].tag, (Position(position),))
                for step in _common([self._features.steps(each) for each in upper]):
                    found = self._numbered(step, lower, position)
                    if height:
                        found = [
                            each
                            for one in found
                            for each in (one if height == 1 else one.iterdescendants())
                            if each.tag == targets[0].tag
                        ]
                    fit = self._fit(found, wanted)
                    if fit is not None:
                        yield fit + _COUNTED + 0.1 * height + _cost(step), (step, lower, *below)

    def _numbered(self, upper: Step, lower: Step, position: int) -> list[Any]:
        """Return the elements at a position below what a step describes."""
        there = set(self._features.found(upper))
        return [
            each
            for each in self._features.found(Step("//", lower.test))
            if each.getparent() in there and position in _positions([each])
        ]

    def _fit(self, found: Iterable[Any], wanted: dict[Any, Any]) -> float | None:
        """Say what it costs that a way finds these elements; None when it misses a target."""
        if self._all:
            return self._fit_all(found)
        firsts: dict[Any, Any] = {}
        others = 0
        for element in found:
            scope = self.scope(element)
            if scope is None or (self._said and not _says(element)):
                continue
            if firsts.setdefault(scope, element) is not element and scope in wanted:
                others += 1
        if any(firsts.get(scope) is not target for scope, target in wanted.items()):
            return None
        return _EXACT if not others else _FIRST

    def _fit_all(self, found: Iterable[Any]) -> float | None:
        """Say what it costs to find all targets and some others."""
        inside = {each for each in found if self.scope(each) is not None}
        if not self._all <= inside:
            return None
        return min(_FIRST, (len(inside) - len(self._all)) / len(self._all) / 2)


def _says(element: Any) -> bool:
    """Tell whether an element says anything, to people or to machines."""
    return any(map(element.get, ("content", "datetime", "title"))) or any(map(str.strip, element.itertext()))


def _beside(starts: Iterable[Any]) -> dict[Any, Any]:
    """Say of what begins a run, and of all up to the next one beside it, which run it is of."""
    there = set(starts)
    return {
        each: start
        for start in there
        for each in (start, *takewhile(lambda each: each not in there, start.itersiblings()))
    }


def _part(part: str) -> tuple[Step, ...]:
    """Write the attribute or text of an element as a step; `text() 2` is the second text."""
    test, _, number = part.partition(" ")
    return (Step("/", test, (Position(int(number)),) if number else ()),) if part else ()


def _common(described: Sequence[tuple[Step, ...]]) -> list[Step]:
    """Return the steps that describe all elements."""
    if not described:
        return []
    first, *rest = described
    return [step for step in dict.fromkeys(first) if all(step in other for other in rest)]


def _positions(elements: Sequence[Any]) -> list[int]:
    """Return the positions that elements share among their brothers of one tag: a number, or being the last."""
    numbers = {1 + sum(1 for _ in each.itersiblings(each.tag, preceding=True)) for each in elements}
    last = all(next(each.itersiblings(each.tag), None) is None for each in elements)
    return [*(numbers if len(numbers) == 1 else ()), *([LAST] if last else ())]
