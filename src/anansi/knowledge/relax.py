"""Expressions made looser: what a rule becomes when the template is not the one that it was written for.

    a relaxation   a predicate removed · a tag replaced · an attribute or a string replaced · `/` read as `//`
    best case      at most one of them a step
    worst case     several on some step

Tags, attributes and strings come from the page. There are two ways to them: `relaxations` goes through what an
expression can become, the fewest changes first; `fitted` says what it must become to find a certain element. Both
leave the first steps alone when told so: the pattern that detected the page stands there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from typing import Any, Final, NamedTuple

from anansi.knowledge.xpath import Contains, Equals, Expression, Position, Predicate, Step

MOST_EXPRESSIONS: Final = 2000
"""Relaxed expressions of one expression; to evaluate so many takes 50 ms on a page of 28 KB."""

LOOKED_AT: Final = 20_000
"""Elements of a page that words are taken from."""

STRINGS: Final = 60
"""Strings of one attribute, the most frequent of a page, that are tried."""

TAGS: Final = 25
"""Tags that are tried."""

LONGEST: Final = 60
"""Characters of a string; what is longer is data, not the name of anything."""

DEEPEST: Final = 40
"""Elements above one that a path is fitted to."""

NAMING: Final = ("class", "id", "itemprop", "rel", "property", "role", "name", "data-role", "data-testid")
"""Attributes whose values are names that a template gives; what others hold is mostly data."""


class Relaxed(NamedTuple):
    """An expression that was made looser."""

    expression: Expression
    changes: int
    """How many relaxations that took."""
    worst: bool = False
    """Whether a step has more than one."""


@dataclass(frozen=True, slots=True)
class Words:
    """The names that stand on a page, the most frequent first."""

    tags: tuple[str, ...] = ()
    strings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By attribute, `@class`."""


def words(elements: Iterable[Any]) -> Words:
    """Gather the names of elements."""
    tags: Counter[str] = Counter()
    strings: dict[str, Counter[str]] = {}
    for element in islice(elements, LOOKED_AT):
        if not isinstance(element.tag, str):
            continue
        tags[element.tag] += 1
        for name in NAMING:
            value = element.get(name)
            if value:
                strings.setdefault(f"@{name}", Counter()).update(set(_names(value)))
    shown = {name: tuple(each for each, _ in found.most_common(STRINGS)) for name, found in strings.items()}
    return Words(tuple(each for each, _ in tags.most_common(TAGS)), shown)


def _names(value: str) -> Iterator[str]:
    """Go through the names in an attribute's value that an expression can hold."""
    for each in value[:1000].split():
        if len(each) <= LONGEST and not ("'" in each and '"' in each):
            yield each


# ── all of them, the fewest changes first ────────────────────────────────────────────────────────────────────────


def relaxations(
    expression: Expression,
    page: Words,
    *,
    untouched: int = 0,
    name_words: Collection[str] = frozenset(),
    most: int = MOST_EXPRESSIONS,
) -> Iterator[Relaxed]:
    """Go through what an expression can become, best cases before worst cases, by the number of changes.

    `untouched` steps at its beginning stay; strings and tags that are `name_words` come first among equals.
    """
    return islice(_all(expression, page, untouched, name_words), most)


def _all(expression: Expression, page: Words, untouched: int, name_words: Collection[str]) -> Iterator[Relaxed]:
    steps = expression.steps
    once = [_changed(step, page, name_words, first=number == 0) for number, step in enumerate(steps)]
    once[:untouched] = [[] for _ in steps[:untouched]]
    twice = [_changed_twice(ways) for ways in once]
    seen = {expression}
    best = _by_count([{0: [step], 1: ways} for step, ways in zip(steps, once, strict=True)])
    worst = _by_count([{0: [step], 1: one, 2: two} for step, one, two in zip(steps, once, twice, strict=True)])
    for count, candidate, multiple in chain(best, worst):
        if candidate not in seen:
            seen.add(candidate)
            yield Relaxed(candidate, count, multiple)


def _by_count(ways: Sequence[Mapping[int, Sequence[Step]]]) -> Iterator[tuple[int, Expression, bool]]:
    """Combine changed steps, the fewest changes first."""
    plans = sorted(product(*(sorted(way) for way in ways)), key=sum)
    for plan in plans:
        if sum(plan):
            for chosen in product(*(way[count] for way, count in zip(ways, plan, strict=True))):
                yield sum(plan), Expression(tuple(chosen)), max(plan) > 1


def _changed(step: Step, page: Words, name_words: Collection[str], *, first: bool) -> list[Step]:
    """Return a step with one change."""
    found = [] if step.axis == "//" or first else [replace(step, axis="//")]
    found += _without_one(step)
    for number, predicate in enumerate(step.predicates):
        if not isinstance(predicate, Position):
            found += (_with(step, number, each) for each in _other(predicate, page, name_words))
    if step.test not in ("*", "text()") and not step.test.startswith("@"):
        tags = sorted(page.tags, key=lambda tag: tag not in name_words)
        found += (replace(step, test=tag) for tag in tags if tag != step.test)
    return found


def _without_one(step: Step) -> Iterator[Step]:
    """Remove a predicate; a step that is any element with nothing said of it would find everything."""
    for number in range(len(step.predicates)):
        left = step.predicates[:number] + step.predicates[number + 1 :]
        if left or step.test != "*":
            yield replace(step, predicates=left)


def _other(predicate: Contains | Equals, page: Words, name_words: Collection[str]) -> Iterator[Predicate]:
    """Compare with other strings of the page: those of the same attribute, then those of others."""
    names = sorted(page.strings, key=lambda name: (name != predicate.value, name))
    for name in names:
        for string in sorted(page.strings[name], key=lambda string: string not in name_words):
            if (name, string) != (predicate.value, predicate.string):
                yield type(predicate)(name, string)


def _with(step: Step, number: int, predicate: Predicate) -> Step:
    return replace(step, predicates=(*step.predicates[:number], predicate, *step.predicates[number + 1 :]))


def _changed_twice(once: Sequence[Step]) -> list[Step]:
    """Combine the tags of changed steps with the predicates of others."""
    tags = dict.fromkeys(step.test for step in once)
    said = dict.fromkeys((step.axis, step.predicates) for step in once)
    return [Step(axis, tag, predicates) for (axis, predicates), tag in islice(product(said, tags), MOST_EXPRESSIONS)]


# ── the one that finds an element ────────────────────────────────────────────────────────────────────────────────


def fitted(expression: Expression, element: Any, top: Any, *, untouched: int = 0) -> Relaxed | None:
    """Return the least relaxed form of an expression that can find an element below another one.

    Where the expression ends in an attribute or a text, the element is the one that has it. Positions are taken as
    they are: whether they hold is for an evaluation to say.
    """
    steps = expression.steps
    last = steps[-1]
    part = last if last.test == "text()" or last.test.startswith("@") else None
    way = steps[:-1] if part is not None else steps
    if not way:
        return Relaxed(expression, 0) if element is top else None
    path = _path(element, top)
    found = _fitted(way, path, untouched) if path else None
    if found is None:
        return None
    chosen, costs = found
    whole = (*chosen, part) if part is not None else chosen
    return Relaxed(Expression(whole), sum(costs), max(costs) > 1)


def _path(element: Any, top: Any) -> list[Any]:
    """Return the elements from below `top` down to one."""
    path: list[Any] = []
    while element is not None and element is not top and len(path) < DEEPEST:
        path.append(element)
        element = element.getparent()
    return path[::-1]


_Fit = tuple[tuple[Step, ...], tuple[int, ...]]


def _fitted(steps: Sequence[Step], path: Sequence[Any], untouched: int) -> _Fit | None:
    """Fit steps to a path whose last element the last step finds, by the least changes."""
    ends: list[_Fit | None] = [_one(steps[0], each, fixed=untouched > 0, before=((), ())) for each in path]
    for number, step in enumerate(steps[1:], start=1):
        ends = [_next(step, path, ends, at, fixed=number < untouched) for at in range(len(path))]
    return ends[-1]


def _next(step: Step, path: Sequence[Any], ends: Sequence[_Fit | None], at: int, *, fixed: bool) -> _Fit | None:
    found: list[_Fit] = []
    for above in range(at):
        before = ends[above]
        if before is None:
            continue
        apart = step.axis == "/" and above != at - 1
        if apart and fixed:
            continue
        fit = _one(replace(step, axis="//") if apart else step, path[at], fixed=fixed, before=before)
        if fit is not None:
            found.append((fit[0], (*fit[1][:-1], fit[1][-1] + apart)))
    return min(found, key=lambda fit: (sum(fit[1]), max(fit[1])), default=None)


def _one(step: Step, element: Any, *, fixed: bool, before: _Fit) -> _Fit | None:
    """Fit one step to an element."""
    cost = 0
    test = step.test
    if test not in ("*", element.tag):
        test, cost = element.tag, 1
    said: list[Predicate] = []
    for predicate in step.predicates:
        if isinstance(predicate, Position) or _holds(predicate, element):
            said.append(predicate)
            continue
        cost += 1
        other = _instead(predicate, element)
        if other is not None:
            said.append(other)
    if cost and (fixed or (test == "*" and not said)):
        return None
    return (*before[0], Step(step.axis, test, tuple(said))), (*before[1], cost)


def _holds(predicate: Contains | Equals, element: Any) -> bool:
    value = predicate.value
    if value.startswith("@"):
        there = element.get(value[1:])
    else:
        child = element.find(value) if value.isidentifier() else None
        there = "".join(child.itertext())[:1000] if child is not None else None
    if there is None:
        return False
    return predicate.string == there if isinstance(predicate, Equals) else predicate.string in there


def _instead(predicate: Contains | Equals, element: Any) -> Predicate | None:
    """Return what holds of an element instead: a name in the same attribute, or in another that names."""
    own = (predicate.value,) if predicate.value.startswith("@") else ()
    for name in (*own, "@class", "@itemprop", "@id"):
        there = [each for each in _names(element.get(name[1:], "")) if not any(map(str.isdigit, each))]
        if there:
            return Contains(name, there[0])
    return None
