"""Adaptation at work: a page on which rules failed goes in, rules that were proved come out.

Mutable state: `_trials`, by site, type, level and object; the oldest give way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from anansi.adapt import newsite, recrawl
from anansi.adapt.failed_page import FailedPage
from anansi.adapt.rule import Rule, mended
from anansi.adapt.trial import Trial, Way
from anansi.induce.names import NameWords
from anansi.knowledge.entry import Extraction, Type
from anansi.pages import missing

TRIALS: Final = 300
"""Actions on trial at a time."""

SUGGESTIONS: Final = 6
"""Pages of a level that may suggest ways to mend an action; if none of them led to anything, it stays as it is."""

LOOKED_AT: Final = 40
"""Pages of a level on which an action is tried to be mended, in all."""

STUDIED: Final = 6
"""Pages that are looked at together."""

WHEN: Final = (5, 8, 12, 20, LOOKED_AT)
"""After how many pages they are."""

HELD: Final = 60
"""Pages of new sites that are kept in mind, half a megabyte each."""

Key = tuple[str, str, str, str]


class Adapter:
    """Mends rules."""

    def __init__(self, name_words: Callable[[Type], NameWords] = lambda _: NameWords()):
        """Favour some names, such as those of other types of a type's category."""
        self._favoured = name_words
        self._trials: dict[Key, Trial] = {}

    def __repr__(self) -> str:
        return f"Adapter({len(self._trials)} actions on trial)"

    def hopeless(self, site: str, type_id: str, level: str, kinds: Collection[str]) -> bool:
        """Tell whether all that failed was tried often enough."""
        trials = (self._trials.get((site, type_id, level, kind)) for kind in kinds)
        return all(trial is not None and len(trial.pages) >= LOOKED_AT for trial in trials)

    def mend(self, broken: FailedPage, site: str) -> list[Rule]:
        """Look for what failed on a page; return the rules that this page was the last proof of."""
        if not broken.known and not missing.failures(broken.level.extraction, broken.objects):
            return []  # before its text is looked at
        if not broken.spans.whole:
            return []
        changed = recrawl.changes(broken) if broken.known else {}
        kinds = {each.kind for each in broken.known} | (missing.OPTIONAL if broken.known else frozenset())
        accepted: list[Rule] = []
        for action in _first_of_each(broken.level.extraction):
            if action.object in changed:
                accepted += self._mend(broken, site, action, changed[action.object])
            elif action.object not in kinds:
                accepted += self._study(broken, site, action)
        return accepted

    def _mend(self, broken: FailedPage, site: str, action: Extraction, names: set[str]) -> list[Rule]:
        """Try on a page what was known of it."""
        key = site, broken.entry.id, broken.level.name, action.object
        trial = self._trial(key)
        if broken.place.url in trial.pages or len(trial.pages) >= LOOKED_AT:
            return []
        if not trial.note(broken, action, names) and trial.suggestions < SUGGESTIONS:
            trial.suggestions += 1
            trial.suggest(list(recrawl.mends(broken, {action.object: names})))
            trial.note(broken, action, names)
        proved = trial.accepted(action)
        if proved is None:
            return []
        del self._trials[key]
        return list(mended(broken, site, action, *proved))

    def _study(self, broken: FailedPage, site: str, action: Extraction) -> list[Rule]:
        """Look at a page of a new site on which something is missing together with those before it."""
        if action.object not in missing.failures([action], broken.objects):
            return []
        key = site, broken.entry.id, broken.level.name, action.object
        trial = self._trial(key)
        if broken.place.url in trial.pages or len(trial.pages) >= WHEN[-1]:
            return []
        trial.pages[broken.place.url] = None
        trial.failed_pages = [*trial.failed_pages[1 - STUDIED :], broken]
        self._let_go()
        if len(trial.pages) not in WHEN or len(trial.failed_pages) < WHEN[0]:
            return []
        found = newsite.mended(trial.failed_pages, action, self._favoured(broken.entry))
        if len(trial.pages) == WHEN[-1]:
            trial.failed_pages = []
        if found is None:
            return []
        del self._trials[key]
        return list(mended(broken, site, action, Way(found.each, False, {}), found.candidates))

    def _let_go(self) -> None:
        """Forget the pages of the oldest trials when there are too many."""
        held = [trial for trial in self._trials.values() if trial.failed_pages]
        while sum(len(trial.failed_pages) for trial in held) > HELD:
            held.pop(0).failed_pages = []

    def _trial(self, key: Key) -> Trial:
        if key not in self._trials and len(self._trials) >= TRIALS:
            del self._trials[next(iter(self._trials))]
        return self._trials.setdefault(key, Trial())


def _first_of_each(actions: Sequence[Extraction]) -> list[Extraction]:
    """Return the first action of each kind of object: what is learned is joined to that."""
    return list({action.object: action for action in reversed(actions)}.values())[::-1]
