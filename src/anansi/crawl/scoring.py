"""The scores of a crawl that is about something: what workers read in, scores for URLs out, for the whole crawl.

Mutable state: `scorer`, `_subject` and `_name`, replaced when the definition is edited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

import msgspec

from anansi.config import Definition, texts_of, urls_of
from anansi.fetch.single import bytes_at
from anansi.focus import names
from anansi.focus.definition import Subject, subject_of
from anansi.focus.judging import link_score
from anansi.focus.scorer import Taken
from anansi.focus.settings import SETTINGS
from anansi.focus.state import restore, rows_of
from anansi.focus.subject import scorer_of, topic_of, weighed
from anansi.frontier.rescoring import Rescore
from anansi.frontier.turn import Settlement
from anansi.model import Hop, Link, Visit
from anansi.state import ScoringInput
from anansi.text import tree as html


class Scoring:
    """Scores the URLs of one crawl."""

    def __init__(self, definition: Definition, texts: Mapping[str, str]):
        self._texts = texts
        self._subject: Subject = subject_of(definition.focus, examples=texts)
        if self._subject.weights.names:
            names.require()
        self.scorer = scorer_of(self._subject)
        self._name = _name_of(definition)

    def scored(self, settlements: Iterable[Settlement]) -> tuple[list[Settlement], dict[str, float]]:
        """Return settlements whose links have their scores; and new scores of URLs known already, key → score."""
        revised: dict[str, float] = {}
        return [self._scored(each, revised) for each in settlements], revised

    def learn(self, given: ScoringInput) -> None:
        """Take in once more what a page said; the scores that followed from it are known."""
        self.scorer.learn(given.page, given.verdict, given.authors)
        self._settle()
        self.scorer.passed(SETTINGS.revised)

    def learned(self) -> Iterator[bytes]:
        """Go through all that was learned, as rows."""
        return rows_of(self.scorer, self._name)

    def recall(self, rows: Iterable[bytes]) -> None:
        """Know what was learned before."""
        try:
            name = restore(self.scorer, rows)
        except msgspec.DecodeError:  # as another version of this program kept it
            self.scorer = scorer_of(self._subject)
            return
        if name and name != self._name:  # the definition was edited while nothing ran
            self._turn()

    def follow(self, definition: Definition) -> tuple[str, Rescore] | None:
        """Go by an edited definition; return its name and what scores anew all that is scheduled."""
        if not definition.focus.is_set():
            return None
        subject = subject_of(definition.focus, examples=self._texts)
        if subject != self._subject:
            self._subject, self._name = subject, _name_of(definition)
            self._turn()
        return _name_of(definition), self._anew

    def _turn(self) -> None:
        weights = self._subject.weights
        self.scorer = self.scorer.turned_to(topic_of(self._subject), weighed(weights), weights.terms)

    def _anew(self, visit: Visit) -> float | None:
        if visit.requisite:
            return None
        return link_score(self._subject, visit.url, self.scorer.again(visit.key), outside=visit.outside)

    def _scored(self, each: Settlement, revised: dict[str, float]) -> Settlement:
        given = each.outcome.to_score
        if given is None:
            return each
        found = self._found(self.scorer.read(given.page, given.verdict, given.authors), each.links)
        self._settle()
        for key, score in self.scorer.revised(SETTINGS.revised):
            revised[key] = link_score(self._subject, key, score)
        links = [self._link(link, found.get(link.key)) for link in each.links]
        outcome = msgspec.structs.replace(each.outcome, to_score=None)
        return msgspec.structs.replace(each, outcome=outcome, links=links)

    def _found(self, taken: Taken, links: Iterable[Link]) -> dict[str, float]:
        """Return the scores of links; what stands behind as many as are read comes after all of these."""
        found, turned = dict(taken.links), self.scorer.outcomes.turned
        least = min(found.values(), default=taken.relevance)
        others = [each.key for each in links if each.hop == Hop.LINK and each.key not in found]
        return {key: least for key in others if key not in turned} | found

    def _settle(self) -> None:
        if self.scorer.due:
            self.scorer.settle()

    def _link(self, link: Link, score: float | None) -> Link:
        if score is None or link.corner:  # what a corner is worth is counted by what its links were worth before
            return link
        final = link_score(self._subject, link.url, score, outside=link.outside)
        return msgspec.structs.replace(link, score=final)


def _name_of(definition: Definition) -> str:
    return blake2b(msgspec.json.encode(definition.focus), digest_size=8).hexdigest()


def examples_of(definition: Definition, agent: str) -> dict[str, str]:
    """Read the texts that topics name as examples, files and pages of the web; what cannot be had is told."""
    topics = definition.focus.topics
    texts = texts_of(topics)
    for url in urls_of(topics):
        tree = html.parse(bytes_at(url, agent)[1], "utf-8")
        texts[url] = html.text(tree) if tree is not None else ""
    return texts
