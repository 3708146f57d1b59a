"""Navigation patterns as an automaton: which links of a page to follow, and in which states.

A state is a pattern, how many of its clicks are done, and how often the last of them was repeated. A URL carries the
states that it was reached in as a short text (`0.1.1 3.2.1`), so that whoever fetches it knows how to go on. The root
carries the first state of every pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from lxml import etree

from anansi.errors import KnowledgeError
from anansi.knowledge.patterns import Click, NavigationPattern
from anansi.knowledge.xpath import Contains, Equals, Expression, Position, Predicate, Step, parse

MEMO: Final = 20_000
"""Labels whose clicks are remembered."""


class State(NamedTuple):
    """How far along a pattern a URL is."""

    pattern: int
    done: int
    """Clicks that are done."""
    times: int
    """How often the last of them was followed; counted where a number limits it."""


States = frozenset[State]
NOWHERE: Final[States] = frozenset()


def write_states(states: States) -> str:
    """Write states for a URL to carry."""
    return " ".join(f"{each.pattern}.{each.done}.{each.times}" for each in sorted(states))


def read_states(text: str) -> States:
    """Read the states that a URL carries."""
    try:
        return frozenset(State(*map(int, each.split(".", 2))) for each in text.split())
    except (ValueError, TypeError):
        raise KnowledgeError(f"`{text[:80]}` are no states of navigation patterns; learn the site again") from None


class Automaton:
    """Follows patterns.

    Mutable state: `_matching` (label → clicks that fit it) and `_known` (states → clicks that lead on, with the
    states that each leads to); both dropped when full.
    """

    def __init__(self, patterns: Sequence[NavigationPattern]):
        self.patterns = tuple(patterns)
        clicks = dict.fromkeys(click.path for pattern in patterns for click in pattern.clicks)
        self._paths = {path: number for number, path in enumerate(clicks)}
        self._xpaths = [etree.XPath(f"/{path}", smart_strings=False) for path in clicks]
        self._matching: dict[str, frozenset[int]] = {}
        self._known: dict[States, dict[int, States]] = {}

    def start(self) -> States:
        """Return the states of the root."""
        return frozenset(State(number, 0, 0) for number in range(len(self.patterns)))

    def _moves(self, states: States) -> list[tuple[int, State]]:
        """List the clicks that lead on from states, each with the state that it leads to."""
        found = []
        for pattern, done, times in states:
            clicks = self.patterns[pattern].clicks
            if done and (clicks[done - 1].most is None or times < (clicks[done - 1].most or 0)):
                again = times if clicks[done - 1].most is None else times + 1
                found.append((self._paths[clicks[done - 1].path], State(pattern, done, again)))
            ahead = _ahead(clicks, done)
            found += [(self._paths[clicks[number].path], State(pattern, number + 1, 1)) for number in ahead]
        return found

    def step(self, states: States, label: str) -> States:
        """Return the states that a link of a label leads to; none when it is not to be followed."""
        fitting = self._fitting(label)
        if not fitting:
            return NOWHERE
        ahead = self._leading(states)
        return NOWHERE.union(*(ahead[path] for path in fitting if path in ahead))

    def follow(self, tree: Any, states: States) -> dict[str, States]:
        """Return the links of a page to follow, as written there, each with its states."""
        found: dict[str, States] = {}
        for path, after in self._leading(states).items():
            for href in _hrefs(self._xpaths[path](tree)):
                found[href] = found.get(href, NOWHERE) | after
        return found

    def _leading(self, states: States) -> dict[int, States]:
        """Return the clicks that lead on from states, each with the states that it leads to."""
        known = self._known.get(states)
        if known is None:
            if len(self._known) >= MEMO:
                self._known.clear()
            ahead: dict[int, States] = {}
            for path, state in self._moves(states):
                ahead[path] = ahead.get(path, NOWHERE) | {state}
            known = self._known[states] = ahead
        return known

    def _fitting(self, label: str) -> frozenset[int]:
        known = self._matching.get(label)
        if known is None:
            if len(self._matching) >= MEMO:
                self._matching.clear()
            written = parse(label.removeprefix("/"))
            fitting = (number for path, number in self._paths.items() if fits(path, written))
            known = self._matching[label] = frozenset(fitting)
        return known


def _ahead(clicks: tuple[Click, ...], done: int) -> Iterable[int]:
    """Go through the clicks that may come next: the next one, and those behind what may be left out."""
    for number in range(done, len(clicks)):
        yield number
        if clicks[number].least:
            return


def _hrefs(found: Any) -> Iterable[str]:
    """Go through what a path points to: the addresses, or the anchors that have them."""
    for each in found if isinstance(found, list) else []:
        href = each if isinstance(each, str) else each.get("href")
        if href:
            yield href


def fits(path: Expression, label: Expression) -> bool:
    """Tell whether a path points to the links of a label, as far as a label can tell: tags, ids and classes."""
    first, *rest = path.steps  # its axis says `//` for want of another; a click begins at the root
    return _fits((replace(first, axis="/"), *rest), label.steps)


_HREF: Final = (Step("/", "@href"),)


def _fits(path: tuple[Step, ...], label: tuple[Step, ...]) -> bool:
    """Hold a path against a label, both from the root; `//` may leave out steps of the label, `/` none."""
    if not path:
        return label in ((), _HREF)  # a path to the anchor means its address
    return any(
        _step_fits(path[0], label[number]) and _fits(path[1:], label[number + 1 :])
        for number in range(len(label) if path[0].axis == "//" else min(1, len(label)))
    )


def _step_fits(step: Step, labelled: Step) -> bool:
    same = step.test == labelled.test or (step.test == "*" and not labelled.test.startswith("@"))
    return same and all(any(_implied(each, other) for other in labelled.predicates) for each in step.predicates)


def _implied(predicate: Predicate, by: Predicate) -> bool:
    """Tell whether one predicate holds wherever another does."""
    if isinstance(predicate, Position) or isinstance(by, Position) or predicate.value != by.value:
        return False
    if isinstance(predicate, Equals):
        return isinstance(by, Equals) and predicate.string == by.string
    return isinstance(predicate, Contains) and predicate.string in by.string
