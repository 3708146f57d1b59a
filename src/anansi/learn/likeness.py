"""How much two learned sites are alike: by the names that their rules go by.

Software leaves its names in the markup of every site that it makes: classes and ids of containers, rows, menus. A
feature is a step of an expression that has such a name (`div[contains(@class,'post')]`), in what is known of levels
and in the labels of ways. Two sites are alike by the features that both have, as a share of those of the smaller one
and of both together, in the geometric mean: a site that was looked at twice as long has more. A name counts by
its rarity among the sites that are compared: `content` is on every second one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log, sqrt
from typing import Final

from anansi.knowledge.entry import Level, Type
from anansi.knowledge.search import about_exchange
from anansi.knowledge.xpath import Expression, Position

ALIKE: Final = 0.25
"""Likeness from which on two sites are of one template.

`bench/likeness.py` on seven recorded sites, levels alone: 0.45 to 1.0 for two samples of one site, 0.32 and more with
a fifth of all names renamed as a theme does, 0.05 at the most for sites of different software.
"""
SHORTEST: Final = 3
"""Characters of a name that tells something."""


def features(entry: Type) -> frozenset[str]:
    """Return the named steps of all that was learned of a site."""
    return frozenset(step for expression in _expressions(entry) for step in named_steps(expression))


def named_steps(expression: Expression) -> Iterator[str]:
    """Go through the steps of an expression that a name tells."""
    if about_exchange(expression):
        return  # an address is the site's own
    for step in expression.steps:
        names = [each for each in step.predicates if not isinstance(each, Position)]
        if any(each.value in ("@class", "@id") and len(each.string) >= SHORTEST for each in names):
            yield step.test + "".join(f"[{each}]" for each in names)


def _expressions(entry: Type) -> Iterator[Expression]:
    for level in entry.levels:
        yield from of_level(level)
    for learned in entry.learned:
        for pattern in learned.patterns:
            yield from (click.path for click in pattern.clicks)


def of_level(level: Level) -> Iterator[Expression]:
    """Go through the expressions of a level."""
    for pattern in level.detection:
        yield from pattern.expressions
    yield from (action.expression for action in level.navigation)
    for action in level.extraction:
        yield from action.each
        yield from (each.expression for each in action.properties)


def likenesses(sites: Mapping[str, frozenset[str]]) -> dict[tuple[str, str], float]:
    """Say of every two sites how much they are alike, from 0 to 1."""
    spread = Counter(each for found in sites.values() for each in found)
    weights = {each: 1 / (1 + log(count)) for each, count in spread.items()}
    return {(one, two): likeness(sites[one], sites[two], weights) for one, two in combinations(sites, 2)}


def likeness(one: frozenset[str], two: frozenset[str], weights: Mapping[str, float] | None = None) -> float:
    """Say from 0 to 1 how much two sets of features are alike."""

    def weight(these: Iterable[str]) -> float:
        return sum(weights.get(each, 1.0) if weights is not None else 1.0 for each in these)

    both, either, least = weight(one & two), weight(one | two), min(weight(one), weight(two))
    return sqrt(both / either * both / least) if least else 0.0


def clusters(names: Sequence[str], alike: Mapping[tuple[str, str], float], least: float = ALIKE) -> list[list[str]]:
    """Put together what is alike in the mean, two at a time, the most alike first; what stays alone is left out."""
    groups = {number: [name] for number, name in enumerate(names)}
    sums = {
        (one, two): alike.get((names[one], names[two]), alike.get((names[two], names[one]), 0.0))
        for one, two in combinations(range(len(names)), 2)
    }

    def mean(pair: tuple[int, int]) -> float:
        return sums[pair] / (len(groups[pair[0]]) * len(groups[pair[1]]))

    while sums and mean(best := max(sums, key=mean)) >= least:
        one, two = best
        del sums[best]
        for other in groups.keys() - {one, two}:
            sums[min(one, other), max(one, other)] += sums.pop((min(two, other), max(two, other)))
        groups[one] += groups.pop(two)
    return sorted((each for each in groups.values() if len(each) > 1), key=lambda each: (-len(each), each))
