"""Navigation actions that lead nowhere: a list whose links no rule knows.

Addresses tell most links whatever the template, so this is for sites that rewrite them. Relaxed actions point to
links; where they lead is seen when those pages come in. What led to the level that it was meant to lead to is proved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from anansi.adapt.rule import Rule, identity
from anansi.knowledge.entry import Evidence, Level, Navigation, Type
from anansi.knowledge.relax import relaxations, words
from anansi.knowledge.search import Search
from anansi.knowledge.xpath import Expression
from anansi.pages.document import Document
from anansi.url import resolve

PROVED: Final = 4
"""Links of an action that must lead to its level."""

MISLED: Final = 0.2
"""Share of its links that may lead elsewhere."""

TRIED: Final = 300
"""Relaxed actions that are tried on a page."""

KEPT: Final = 80
"""Actions on trial for a level of a site."""

LINKS: Final = 60
"""Links of one action that are waited for; fewer than two are no list."""

PAGES: Final = 12
"""Pages of a level whose links are looked at."""

SITES: Final = 200


@dataclass(slots=True)
class _Candidate:
    """A relaxed action. Mutable: the links that it waits for, and where others led."""

    mends: Navigation
    relaxed: int
    waiting: set[str] = field(default_factory=set)
    led: list[str] = field(default_factory=list)
    misled: int = 0


@dataclass(slots=True)
class _Trial:
    """Actions of one level on trial. Mutable."""

    type: str
    level: str
    candidates: dict[tuple[Expression, str], _Candidate] = field(default_factory=dict)
    """By expression, and the level that it is meant to lead to."""
    pages: set[str] = field(default_factory=set)


class Ways:
    """Adapts navigation. Mutable: `_trials`, by site."""

    def __init__(self) -> None:
        self._trials: dict[str, dict[str, _Trial]] = {}
        self._search = Search()

    def note(
        self, document: Document, entry: Type, level: Level, site: str, name_words: Collection[str] = frozenset()
    ) -> None:
        """Take a page whose links no rule knows: relax its actions, and remember what they point to."""
        trials = self._trials.setdefault(site, {})
        trial = trials.setdefault(level.name, _Trial(entry.id, level.name))
        if document.url in trial.pages or len(trial.pages) >= PAGES or len(self._trials) > SITES:
            return
        trial.pages.add(document.url)
        if not trial.candidates:
            trial.candidates = dict(self._suggested(document, level, name_words))
        for (expression, _), candidate in trial.candidates.items():
            links = self._links(document, expression)
            if 2 <= len(links) <= LINKS:
                candidate.waiting |= links

    def seen(self, url: str, level: str, site: str) -> list[Rule]:
        """Take a page that came in; return the action that it was the last proof of."""
        proved: list[Rule] = []
        for trial in self._trials.get(site, {}).values():
            for (expression, _), candidate in trial.candidates.items():
                if url in candidate.waiting:
                    candidate.waiting.discard(url)
                    if level == candidate.mends.to:
                        candidate.led.append(url)
                    else:
                        candidate.misled += 1
                    if _is_proved(candidate):
                        proved.append(_rule(trial, expression, candidate, site))
            if proved:
                trial.candidates = {}
                return proved[:1]
        return []

    def _suggested(
        self, document: Document, level: Level, name_words: Collection[str]
    ) -> Iterator[tuple[tuple[Expression, str], _Candidate]]:
        page = words(document.tree.iter())
        share = max(20, TRIED // max(1, len(level.navigation)))
        count = 0
        for action in level.navigation:
            for relaxed in relaxations(action.expression, page, name_words=name_words, most=share):
                telling = any(True for _ in relaxed.expression.strings())
                if count < KEPT and telling and 2 <= len(self._links(document, relaxed.expression)) <= LINKS:
                    count += 1
                    yield (relaxed.expression, action.to), _Candidate(action, relaxed.changes)

    def _links(self, document: Document, expression: Expression) -> set[str]:
        nodes = self._search.find(document.page, expression)
        found: set[str] = set()
        for node in nodes[: LINKS * 4]:
            raw: Any = node if isinstance(node, str) else node.get("href")
            url = resolve(raw, document.url) if raw else None
            if url is not None:
                found.add(url)
        return found


def _is_proved(candidate: _Candidate) -> bool:
    led = len(candidate.led)
    return led >= PROVED and candidate.misled <= MISLED * (led + candidate.misled)


def _rule(trial: _Trial, expression: Expression, candidate: _Candidate, site: str) -> Rule:
    to = candidate.mends.to
    said = Evidence(
        rule=identity(trial.type, trial.level, "navigate", to, str(expression)),
        how="new site",
        mends=str(candidate.mends.expression),
        pages=tuple(sorted(trial.pages)[:PAGES]),
        values=tuple(candidate.led[:PAGES]),
    )
    return Rule(trial.type, site, trial.level, "navigate", name=to, expression=expression, evidence=said)
