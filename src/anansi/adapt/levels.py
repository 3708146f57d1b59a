"""Level detection when no level fires: which level's actions find what they need, and what tells such pages?

Terminal levels are told by their objects. A detection pattern for them is made of what all such pages have and pages
of other levels do not; what fires on a page of another level is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from anansi.adapt.rule import Rule, identity
from anansi.knowledge.entry import Evidence, Kind, Type
from anansi.knowledge.relax import relaxations, words
from anansi.knowledge.search import Search, about_exchange
from anansi.knowledge.xpath import Expression
from anansi.model import WebObject
from anansi.pages import missing
from anansi.pages.document import Document

FURTHER: Final = 3
"""Pages behind the first one on which a pattern must fire."""

TRIED: Final = 300
"""Relaxed patterns that are tried on a page."""

KEPT: Final = 40
"""Patterns on trial for one level of a site."""

SITES: Final = 200
PAGES: Final = 12
"""Pages of a site that are looked at in all for one level."""

Extracts = Callable[[str], list[WebObject]]
"""What objects a page would hold if it were of a level."""


@dataclass(slots=True)
class _Trial:
    """Patterns that fired on all pages so far. Mutable."""

    patterns: dict[Expression, tuple[int, str]] = field(default_factory=dict)
    """With the number of relaxations, and the pattern they were made of."""
    pages: list[str] = field(default_factory=list)


class Levels:
    """Adapts level detection. Mutable: `_trials`, by site, type and level."""

    def __init__(self) -> None:
        self._trials: dict[tuple[str, str, str], _Trial] = {}
        self._search = Search()

    def mend(self, document: Document, entry: Type, site: str, extracts: Extracts) -> list[Rule]:
        """Find out which level a page may be of; return the pattern that this page was the last proof of."""
        for level in entry.levels:
            if level.kind is not Kind.TERMINAL or not level.extraction:
                continue
            trial = self._trial((site, entry.id, level.name))
            if len(trial.pages) >= PAGES or document.url in trial.pages:
                continue
            objects = extracts(level.name)
            if not objects or missing.failures(level.extraction, objects).keys() - missing.OPTIONAL:
                continue
            return self._note(document, entry, site, level.name, trial)
        return []

    def _note(self, document: Document, entry: Type, site: str, name: str, trial: _Trial) -> list[Rule]:
        if not trial.pages:
            trial.patterns = self._suggested(document, entry, name)
        else:
            trial.patterns = {each: why for each, why in trial.patterns.items() if self._fires(document, each)}
        trial.pages.append(document.url)
        if len(trial.pages) <= FURTHER or not trial.patterns:
            return []
        best, (_, mends) = min(trial.patterns.items(), key=lambda each: (each[1][0], len(str(each[0]))))
        said = Evidence(identity(entry.id, name, "detect", str(best)), "", "new site", mends, "", tuple(trial.pages))
        del self._trials[site, entry.id, name]
        return [Rule(entry.id, site, name, "detect", expression=best, evidence=said)]

    def _suggested(self, document: Document, entry: Type, name: str) -> dict[Expression, tuple[int, str]]:
        """Relax the patterns of a level, by what stands on the page."""
        level = entry.level(name)
        assert level is not None
        others = [
            expression
            for other in entry.levels
            if other.name != name
            for pattern in other.detection
            for expression in pattern.expressions
        ]
        page = words(document.tree.iter())
        found: dict[Expression, tuple[int, str]] = {}
        share = max(20, TRIED // max(1, len(level.detection)))
        for pattern in level.detection:
            first = pattern.expressions[0]
            if len(pattern.expressions) > 1 or about_exchange(first):
                continue
            for relaxed in relaxations(first, page, most=share):
                kept = set(relaxed.expression.strings()) & set(first.strings())
                if kept and relaxed.expression not in others and self._fires(document, relaxed.expression):
                    found.setdefault(relaxed.expression, (relaxed.changes, str(first)))
        return dict(sorted(found.items(), key=lambda each: each[1][0])[:KEPT])

    def dismiss(self, document: Document, site: str, level: str) -> None:
        """Drop the patterns on trial for other levels that fire on a page whose level is known."""
        for (where, _, name), trial in self._trials.items():
            if where == site and name != level and trial.patterns:
                trial.patterns = {
                    each: why for each, why in trial.patterns.items() if not self._fires(document, each)
                }

    def _fires(self, document: Document, expression: Expression) -> Sequence[Any]:
        return self._search.find(document.page, expression)

    def _trial(self, key: tuple[str, str, str]) -> _Trial:
        if key not in self._trials and len(self._trials) >= SITES:
            del self._trials[next(iter(self._trials))]
        return self._trials.setdefault(key, _Trial())
