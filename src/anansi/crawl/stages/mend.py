"""Where crawling and adaptation meet: pages on which rules failed are looked at, and what is proved is kept.

Mutable state: `_adapter`, rules on trial; `_held`, the latest pages on which something was missing, so that what is
proved later is applied to them, too; `_seen`, how often pages of a level were compared with what was known;
`lessons`, emptied by who tells them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from anansi import clock
from anansi.adapt.adapter import Adapter
from anansi.adapt.failed_page import FailedPage
from anansi.adapt.levels import Levels
from anansi.adapt.rule import Rule, entry_of, unlearned
from anansi.adapt.ways import Ways
from anansi.archive.known import KnownObjects
from anansi.archive.layout import Collection
from anansi.archive.learned import keep
from anansi.archive.lessons import note
from anansi.archive.objects import ObjectLog
from anansi.crawl.findings import Findings
from anansi.crawl.settings import SETTINGS
from anansi.errors import AnansiError
from anansi.induce.names import name_words
from anansi.knowledge import notation
from anansi.knowledge.catalogue import slug
from anansi.knowledge.lessons import Lessons
from anansi.model import Page, Recognition, WebObject
from anansi.pages.document import Document
from anansi.pages.interpreter import Interpreter, Understanding
from anansi.url import site_of

HELD: Final = 24
"""Pages that are kept in mind until a rule is proved, half a megabyte each."""


@dataclass(frozen=True, slots=True)
class Case:
    """A page that was acted on."""

    document: Document
    site: str
    started: float
    identity: str
    """Of its capture."""
    done: Understanding


class Mender:
    """Mends rules while a crawl runs."""

    def __init__(self, interpreter: Interpreter, collection: Collection, log: ObjectLog):
        self._interpreter, self._collection, self._log = interpreter, collection, log
        self._known = KnownObjects(collection)
        self._adapter = Adapter(lambda entry: name_words(interpreter.category(entry)))
        self._levels, self._ways = Levels(), Ways()
        self._held: deque[Case] = deque(maxlen=HELD)
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self.lessons = Lessons()

    def look(self, page: Page, found: Findings) -> Findings:
        """Mend what failed on a page that was captured and acted on; adds nothing to it."""
        if found.done is not None and found.document is not None:
            self._look(found.document, found.done, page.started, found.captured.identity)
        return found

    def _look(self, document: Document, done: Understanding, started: float, identity: str) -> None:
        site = site_of(document.url)
        case = Case(document, site, started, identity, done)
        if done.recognition is not None and done.recognition.level:
            self._learn(site, self._ways.seen(document.url, done.recognition.level, site))
            self._levels.dismiss(document, site, done.recognition.level)
        if not identity or not self._wanted(done, site):
            return
        for each in self._mended(case):
            found = self._interpreter.recognise(each.document, site)
            again = self._interpreter.act(each.document, found, site, each.started)
            if again.failed:
                self._held.append(each)
            if again.objects and again.objects != each.done.objects:
                about = each.document.url, each.started, each.identity, found
                self._log.write(*about, again.objects, stated=again.stated, again=True)

    def study(self, lesson: bytes) -> None:
        """Go by what another worker learned; what cannot be read any more is let go."""
        with suppress(AnansiError):
            self._interpreter.learn(notation.read(lesson, "what another worker learned"))

    def _wanted(self, done: Understanding, site: str) -> bool:
        """Tell whether a page is worth a look: something is missing, or it is its turn to be compared."""
        found = done.recognition
        if done.failed or found is None or not found.terminal or not done.objects:
            return done.failed
        key = site, found.type, found.level
        self._seen[key] += 1
        return self._seen[key] <= SETTINGS.compared or self._seen[key] % SETTINGS.every == 0

    def _mended(self, case: Case) -> list[Case]:
        """Look for what failed on a page; return the pages to which rules that are proved now apply."""
        rules = self._rules(case)
        if case.done.failed:
            self._held.append(case)
        if not self._learn(case.site, rules):
            return []
        waiting = [each for each in self._held if each.site == case.site]
        self._held = deque((each for each in self._held if each.site != case.site), HELD)
        return waiting if case in waiting else [*waiting, case]

    def _rules(self, case: Case) -> list[Rule]:
        found = case.done.recognition
        if found is None or case.document.tree is None:
            return []
        entry = self._interpreter.entry(found.type)
        if entry is None:
            return []
        if not found.level:
            return self._levels.mend(case.document, entry, case.site, self._extracts(case, found))
        level = entry.level(found.level)
        if level is None or not found.terminal:
            if level is not None:
                names = name_words(self._interpreter.category(entry)).names
                self._ways.note(case.document, entry, level, case.site, names)
            return []
        kinds = {action.object for action in level.extraction}
        known = self._known(case.document.url)
        if not known and not case.done.failed:
            return []  # of a new site, only what is missing is looked for
        if self._adapter.hopeless(case.site, found.type, found.level, kinds):
            return []
        whole = [each for each in case.done.objects if not each.incomplete]
        failed = FailedPage(*self._interpreter.place(case.document, found, case.started), whole, known)
        return self._adapter.mend(failed, case.site)

    def _extracts(self, case: Case, found: Recognition) -> Callable[[str], list[WebObject]]:
        """Return what says which objects a page would hold if it were of a level."""

        def objects(level: str) -> list[WebObject]:
            as_if = replace(found, level=level, terminal=True)
            return self._interpreter.act(case.document, as_if, case.site, case.started).objects

        return objects

    def _learn(self, site: str, rules: Sequence[Rule]) -> bool:
        """Write rules down and go by them; what cannot be written, or is no good, is let go."""
        if not rules:
            return False
        parent = self._interpreter.entry(unlearned(rules[0].type, site))
        if parent is None:
            return False
        try:
            name = f"{parent.id}/{slug(site)}"
            note(self._collection, site, name, clock.latest())
            entry = keep(self._collection, name, lambda before: entry_of(parent, site, rules, before))
            self._interpreter.learn(entry)
        except AnansiError:
            return False
        self.lessons.add(site, entry)
        return True
