"""Ways to mend an action, as one page suggests them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.vocabulary import NUMBERS
from anansi.knowledge.xpath import Expression

_READ: Mapping[str, As] = {
    "date": As.DATE,
    "modified": As.DATE,
    "text": As.BODY,
    "quote": As.BODY,
    "signature": As.BODY,
    "link": As.LINK,
    "author-link": As.LINK,
    "image": As.LINK,
    **dict.fromkeys(NUMBERS, As.NUMBER),
}


Rules = tuple[Property, ...]
"""Rules of one property that belong together: the first that finds something counts."""


@dataclass(frozen=True, slots=True)
class Mend:
    """Rules that may take the place of failed ones, for one kind of object."""

    object: str
    each: Expression | None
    """Where its containers stand; None when an expression for them works, or when there are none."""
    rules: Mapping[str, tuple[Rules, ...]] = field(default_factory=dict)
    """By property, the likeliest first."""
    score: float = 0.0
    known: bool = False
    """Whether known values say so."""
    run: bool = False
    """Whether its containers reach up to the next one."""

    @property
    def vague(self) -> bool:
        """Tell whether its containers are told by a tag alone."""
        return self.each is not None and not any(step.predicates for step in self.each.steps)


def any_tag(expression: Expression) -> Expression:
    """Return an expression that goes by the names of its steps alone, whatever their tags."""
    return Expression(tuple(replace(step, test="*") if step.predicates else step for step in expression.steps))


def running(action: Extraction, each: Expression) -> Extraction:
    """Return an action for which the containers of an expression reach up to the next one."""
    return replace(action, runs=action.runs | {each})


def variants(action: Extraction, name: str, expression: Expression) -> Iterator[Property]:
    """Go through the ways in which an expression's value can be read: plainly, then as the failed rules do."""
    rules = [prop for prop in action.properties if prop.name == name]
    many = any(prop.many for prop in rules)
    last = expression.steps[-1].test
    plain = Property(name, expression, _READ.get(name, As.TEXT), many=many)
    seen: dict[Property, None] = {}
    if name != "id" and not (last.startswith("@") and plain.read_as is As.BODY):
        seen[plain] = None
    for prop in rules:
        if prop.read_as is As.LINK and last == "text()":
            continue
        seen[replace(prop, expression=expression, line=0)] = None
        if prop.without:
            looser = tuple(dict.fromkeys((*prop.without, *(any_tag(each) for each in prop.without))))
            seen[replace(prop, expression=expression, without=looser, line=0)] = None
    if name == "id" and not rules:
        seen[plain] = None
    yield from seen
