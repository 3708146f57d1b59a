"""Sites that are alike → the draft of one type: what all of them have, and no other site has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from anansi.knowledge.entry import Extraction, Kind, Level, Navigation, Pattern, Property, Type
from anansi.knowledge.search import about_exchange
from anansi.knowledge.xpath import Contains, Equals, Expression, Predicate, parse
from anansi.learn.likeness import clusters, features, likenesses, named_steps, of_level

T = TypeVar("T")

Holds = Callable[[str, Expression], float]
"""Says on which share of a site's pages an expression finds something."""

PATTERNS: Final = 3
"""Names that must stand together for a page to be of the type."""
EVERYWHERE: Final = 0.5
"""Share of the pages of each of its sites on which a name should stand."""
ELSEWHERE: Final = 0.02
"""Share of the pages of other sites on which it may."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """Sites that are alike, and the type that they may be of."""

    sites: tuple[str, ...]
    alike: float
    """The least that two of them are."""
    entry: Type


def discover(sites: Sequence[Type], name: str, holds: Holds | None = None) -> list[Discovered]:
    """Find the sites that are alike and draft a type for each group of them."""
    by_id = {entry.id: entry for entry in sites}
    known = {each: features(entry) for each, entry in by_id.items()}
    alike = likenesses(known)
    groups = clusters([each for each in by_id if known[each]], alike)
    found = []
    for number, group in enumerate(groups, start=1):
        members = [by_id[each] for each in group]
        others = [entry for each, entry in by_id.items() if each not in group]
        least = min(alike.get((a, b), alike.get((b, a), 1.0)) for a in group for b in group if a != b)
        entry = draft(members, others, name if len(groups) == 1 else f"{name}-{number}", holds)
        found.append(Discovered(tuple(each.title for each in members), least, entry))
    return found


def draft(members: Sequence[Type], others: Sequence[Type], name: str, holds: Holds | None = None) -> Type:
    """Write what sites have in common as an entry."""
    titles = ", ".join(each.title for each in members)
    levels = tuple(_common(level, members) for level in _matched(members))
    kept = tuple(level for level in levels if level.detection)
    about = f"Drafted from what was learned at {titles}: name it, correct it, and check it with `anansi kb check`."
    names = {level.name for level in kept}
    led = (replace(each, navigation=tuple(a for a in each.navigation if a.to in names)) for each in kept)
    detection = _detection(members, others, kept, holds or by_rules((*members, *others)))
    return Type(id=name, title=name.rpartition("/")[2], about=about, detection=detection, levels=tuple(led))


# ── levels ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _matched(members: Sequence[Type]) -> list[Level]:
    """Return the levels of the first site that all the others have, too."""
    first, *rest = members
    return [level for level in first.levels if all(_match(level, entry) is not None for entry in rest)]


def _match(level: Level, entry: Type) -> Level | None:
    """Return the level of a site that is most like another site's: of the same kind, by the names of its rules."""
    own = _names(level)
    alike = [each for each in entry.levels if each.kind is level.kind and _objects(each) == _objects(level)]
    best = max(alike, key=lambda each: len(own & _names(each)), default=None)
    return best if best is not None and own & _names(best) else None


def _names(level: Level) -> set[str]:
    return {step for expression in of_level(level) for step in named_steps(expression)}


def _objects(level: Level) -> set[str]:
    return {action.object for action in level.extraction if action.object != "comment"}


def _common(level: Level, members: Sequence[Type]) -> Level:
    same = [found for entry in members if (found := _match(level, entry)) is not None]
    detection = _shared((pattern for each in same for pattern in _own_patterns(each)), len(same))
    navigation = _shared(
        (Navigation(action.to, action.expression) for each in same for action in each.navigation), len(same)
    )
    extraction = (_extraction(action, same) for action in level.extraction)
    return Level(
        name=level.name,
        kind=level.kind,
        detection=tuple(detection),
        navigation=tuple(navigation),
        extraction=tuple(each for each in extraction if each is not None) if level.kind is Kind.TERMINAL else (),
    )


def _own_patterns(level: Level) -> Iterable[Pattern]:
    """Go through the patterns of a level without what is the site's own: its address."""
    for pattern in level.detection:
        expressions = tuple(each for each in pattern.expressions if not about_exchange(each))
        if expressions:
            yield Pattern(expressions)


def _shared(found: Iterable[T], sites: int) -> list[T]:
    """Return what most sites have, what more of them have first; where none is shared, what the first ones have."""
    counts = Counter(found)
    most = [each for each, count in counts.most_common() if 2 * count > sites or count == sites]
    return most or list(counts)[:2]


def _extraction(action: Extraction, levels: Sequence[Level]) -> Extraction | None:
    """Return what sites take alike: expressions of one site stand behind those that more of them have."""
    same = [each for level in levels for each in level.extraction if each.object == action.object]
    if 2 * len(same) <= len(levels):
        return None
    every = [prop for each in same for prop in each.properties]
    properties: list[Property] = []
    for name in action.names:
        least = min(prop.confidence for prop in every if prop.name == name)
        variants = Counter(replace(prop, line=0, confidence=1.0) for prop in every if prop.name == name)
        properties += [replace(prop, confidence=least) for prop, _ in variants.most_common()]
    needs = tuple(name for name in action.needs if all(name in each.needs for each in same))
    return replace(
        action,
        each=tuple(each for each, _ in Counter(one for other in same for one in other.each).most_common()),
        properties=tuple(properties),
        needs=needs,
        confidence=min(each.confidence for each in same),
        line=0,
    )


# ── detection ────────────────────────────────────────────────────────────────────────────────────────────────────


def _detection(
    members: Sequence[Type], others: Sequence[Type], levels: Sequence[Level], holds: Holds
) -> tuple[Pattern, ...]:
    """Return what tells the type: names that stand on most pages of its sites, and those of its levels."""
    seen = ", ".join(each.title for each in members)
    common = frozenset.intersection(*map(features, members))
    told = [each for step in sorted(common) if (each := _telling(parse(step), members, others, holds)) is not None]
    usual = [each for each in told if _least(each, members, holds) >= EVERYWHERE]
    usual.sort(key=lambda each: -_least(each, members, holds))
    patterns = [Pattern(tuple(usual[:PATTERNS]), seen)] if usual else []
    for level in levels:
        for pattern in level.detection:
            found = (_telling(each, members, others, holds) for each in pattern.expressions)
            patterns += [Pattern((each,), seen) for each in found if each is not None][:1]
    return tuple({each.expressions: each for each in patterns}.values())


def _telling(
    expression: Expression, members: Sequence[Type], others: Sequence[Type], holds: Holds
) -> Expression | None:
    """Return an expression that tells the type: it holds on its sites and no other, to the letter if need be."""
    if not any(named_steps(expression)):
        return None
    exact = Expression(
        tuple(replace(step, predicates=tuple(map(_exact, step.predicates))) for step in expression.steps)
    )
    for each in (expression, exact):
        if _least(each, members, holds) > ELSEWHERE and _apart(each, others, holds):
            return each
    return None


def _exact(predicate: Predicate) -> Predicate:
    return (
        Equals("@class", predicate.string)
        if isinstance(predicate, Contains) and predicate.value == "@class"
        else predicate
    )


def _least(expression: Expression, members: Sequence[Type], holds: Holds) -> float:
    return min(holds(each.id, expression) for each in members)


def _apart(expression: Expression, others: Sequence[Type], holds: Holds) -> bool:
    """Tell whether an expression finds next to nothing on the pages of other sites."""
    return all(holds(each.id, expression) <= ELSEWHERE for each in others)


def by_rules(sites: Iterable[Type]) -> Holds:
    """Return what says whether an expression holds on sites of which nothing is at hand but their rules."""
    known = {entry.id: features(entry) for entry in sites}
    return lambda site, expression: float(known[site].issuperset(named_steps(expression)))
