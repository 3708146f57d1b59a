"""The scores of what is scheduled while a crawl runs: by what is learned, and by whoever edits its crawl.yaml."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Protocol

from anansi.archive.layout import Collection
from anansi.config import Definition, load
from anansi.crawl.journal import Journal
from anansi.errors import ConfigError
from anansi.frontier.protocol import Frontier
from anansi.frontier.rescoring import SHARE, SLICE, TOGETHER, Rescore, Rescoring
from anansi.frontier.turn import Settlement


class Scores(Protocol):
    """The plug that scores URLs, where a crawl is about something."""

    def scored(self, settlements: Iterable[Settlement]) -> list[Settlement]:
        """Return settlements whose links have their scores."""
        ...

    def learn(self, read: bytes) -> None:
        """Take in once more what a page said, as it stood in an outcome."""
        ...

    def revised(self, most: int) -> dict[str, float]:
        """Return new scores of so many URLs that are scheduled already, key → score; fewer when there are no more."""
        ...

    def follow(self, definition: Definition) -> tuple[str, Rescore] | None:
        """Go by a definition: a name that changes when scores do, and what scores; None for none."""
        ...


class ScoreUpdates:
    """Keeps the scores of all that is scheduled up to what is learned and to the definition, in slices.

    What scores are learned from is kept in the commit that settles its page, so that they are learned again after the
    crawl was stopped, or killed.

    Mutable state: `_edited`, when the file was changed last; `_read_pages`, pages read for them; `_revising`,
    whether scores are left that follow from what was learned, and `_rest`, until when the crawl has its turn; that of
    `Rescoring`.
    """

    def __init__(self, collection: Collection, frontier: Frontier, journal: Journal, scores: Scores | None = None):
        self._collection, self._frontier, self._journal, self._scores = collection, frontier, journal, scores
        self._rescoring = Rescoring(frontier)
        self._edited = 0.0
        self._read_pages = 0
        self._revising, self._rest = False, 0.0

    def begin(self, written: float | None = None) -> None:
        """Go on with what the crawl left to be scored; what was edited since its definition was written counts."""
        self._edited = self._modified() if written is None else written
        self._recall()
        if self._scores is not None and (definition := self._read()) is not None:
            self._score_anew(definition)

    def edited(self) -> Definition | None:
        """Return the definition if it was edited since it was last looked at; a mistake in it is reported only."""
        edited = self._modified()
        if edited == self._edited:
            return None
        self._edited = edited
        definition = self._read()
        if definition is not None:
            self._score_anew(definition)
        return definition

    def scored(self, settlements: list[Settlement]) -> list[Settlement]:
        """Return settlements whose links have the scores that the crawl gives them."""
        if self._scores is None:
            return settlements
        for each in settlements:
            if each.outcome.read is not None:
                self._frontier.memory.add(self._read_pages, each.outcome.read)
                self._read_pages += 1
        self._revising = True
        return self._scores.scored(settlements)

    def _recall(self) -> None:
        """Learn once more from the pages that were read before."""
        if self._scores is None:
            return
        for number, read in self._frontier.memory.added():
            self._scores.learn(read)
            self._read_pages = number + 1

    def revise(self) -> None:
        """Let what was learned change the scores of URLs, for a slice of time, unless it is the crawl's turn.

        Some are done whatever the clock says, so that a small crawl takes the same way each time.
        """
        began = now = time.monotonic()
        if self._scores is None or not self._revising or now < self._rest:
            return
        self._rest = 0.0
        while self._revising and now - began < SLICE:
            found = self._scores.revised(TOGETHER)
            if found:
                self._frontier.rescore(found)
                self._frontier.commit()
            self._revising = len(found) == TOGETHER
            now = time.monotonic()
        if self._revising:
            self._rest = now + (now - began) * (1 - SHARE) / SHARE

    @property
    def rescoring(self) -> bool:
        """Tell whether something is left to be scored anew."""
        return self._rescoring.under_way

    def work(self) -> None:
        """Score some more, unless it is the crawl's turn."""
        self.revise()
        if (done := self._rescoring.work()) is not None:
            told = {"urls": done.urls, "moved": done.moved, "seconds": round(done.seconds, 1)}
            self._journal.event("rescored", definition=done.name, **told)

    def pause(self, most: float) -> float:
        """Return for how many seconds there is nothing to do here, up to so many."""
        waits = [self._rescoring.pause()] if self.rescoring else []
        waits += [self._rest - time.monotonic()] if self._revising else []
        return min(most, max(0.001, min(waits))) if waits else most

    def stop(self) -> None:
        """Leave the rest of the scoring to the next run."""
        self._rescoring.stop()

    def _score_anew(self, definition: Definition) -> None:
        scoring = self._scores.follow(definition) if self._scores is not None else None
        if scoring is not None and self._rescoring.begin(*scoring):
            self._journal.event("rescoring", definition=scoring[0])

    def _read(self) -> Definition | None:
        try:
            return load(self._collection.definition)
        except ConfigError as error:
            self._journal.event("definition not read", why=str(error))
            return None

    def _modified(self) -> float:
        try:
            return self._collection.definition.stat().st_mtime
        except OSError:
            return 0.0
