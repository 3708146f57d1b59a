"""The scores of what is scheduled while a crawl runs: by what is learned, and by whoever edits its crawl.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, Protocol

import msgspec

from anansi.archive.layout import Collection
from anansi.config import Definition, load
from anansi.crawl.journal import Journal
from anansi.errors import ConfigError
from anansi.frontier.protocol import Frontier
from anansi.frontier.rescoring import Rescore, Rescoring
from anansi.frontier.turn import Settlement
from anansi.state import ScoringInput

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(ScoringInput).decode

SERIES: Final = 5_000
"""Pages whose readings are kept, 5 KB each, before all that was learned is written in their place: learning from them
once more takes seconds, and to write what is known of a million URLs takes as long."""
LARGEST: Final = 100 << 20
"""Bytes of readings, likewise: pages that are made to be large must not fill the disk."""


class Scores(Protocol):
    """The plug that scores URLs, where a crawl is about something."""

    def scored(self, settlements: Iterable[Settlement]) -> tuple[list[Settlement], Mapping[str, float]]:
        """Return settlements whose links have their scores, and new scores of URLs scheduled already, key → score."""
        ...

    def learn(self, given: ScoringInput) -> None:
        """Take in once more what a page said, as it stood in an outcome."""
        ...

    def learned(self) -> Iterable[bytes]:
        """Go through all that was learned, as rows."""
        ...

    def recall(self, rows: Iterable[bytes]) -> None:
        """Know what was learned before."""
        ...

    def follow(self, definition: Definition) -> tuple[str, Rescore] | None:
        """Go by a definition: a name that changes when scores do, and what scores; None for none."""
        ...


class ScoreUpdates:
    """Keeps the scores of all that is scheduled up to what is learned and to the definition, in slices.

    What a page gives to learn from is kept in the commit that settles it, and all that was learned in place of that
    whenever so many pages were read: a crawl that was stopped, or killed, goes on with what it knew. The scores that
    follow from a page stand in the same commit, whatever the clock says: one worker takes the same way each time.

    Mutable state: `_edited`, when the file was changed last; `_read_pages` and `_read_bytes`, what was read since
    all that was learned was written; that of `Rescoring`.
    """

    def __init__(self, collection: Collection, frontier: Frontier, journal: Journal, scores: Scores | None = None):
        self._collection, self._frontier, self._journal, self._scores = collection, frontier, journal, scores
        self._rescoring = Rescoring(frontier)
        self._edited = 0.0
        self._read_pages = self._read_bytes = 0

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
            if (
                self._scores is not None
            ):  # what was learned by words that are not sought any more cannot be read again
                self._sum_up(self._scores)
        return definition

    def scored(self, settlements: list[Settlement]) -> list[Settlement]:
        """Return settlements whose links have the scores that the crawl gives them; others are moved with them."""
        if self._scores is None:
            return settlements
        for each in settlements:
            if each.outcome.to_score is not None:
                kept = _encode(each.outcome.to_score)
                self._frontier.memory.add(self._read_pages, kept)
                self._read_pages += 1
                self._read_bytes += len(kept)
        found, revised = self._scores.scored(settlements)
        self._frontier.rescore(revised)
        if self._read_pages >= SERIES or self._read_bytes >= LARGEST:
            self._sum_up(self._scores)
        return found

    def _sum_up(self, scores: Scores) -> None:
        """Write all that was learned, in place of what it was learned from."""
        self._frontier.memory.sum_up(scores.learned())
        self._read_pages = self._read_bytes = 0

    def _recall(self) -> None:
        """Know what was known before, and learn once more from the pages that were read since that was written."""
        if self._scores is None:
            return
        self._scores.recall(self._frontier.memory.summed_up())
        for number, read in self._frontier.memory.added():
            with suppress(msgspec.DecodeError):  # as another version of this program kept it
                self._scores.learn(_decode(read))
            self._read_pages = number + 1
            self._read_bytes += len(read)

    @property
    def rescoring(self) -> bool:
        """Tell whether something is left to be scored anew."""
        return self._rescoring.under_way

    def work(self) -> None:
        """Score some more, unless it is the crawl's turn."""
        if (done := self._rescoring.work()) is not None:
            told = {"urls": done.urls, "moved": done.moved, "seconds": round(done.seconds, 1)}
            self._journal.event("rescored", definition=done.name, **told)

    def pause(self, most: float) -> float:
        """Return for how many seconds there is nothing to do here, up to so many."""
        return min(most, max(0.001, self._rescoring.pause())) if self.rescoring else most

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
