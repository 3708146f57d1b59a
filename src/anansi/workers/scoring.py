"""The scores of a crawl that is about something: what workers read in, scores for URLs out, for the whole crawl.

Mutable state: that of the scorer; `_subject`, replaced when the definition is edited; `_others`, new scores of URLs
that the page at hand does not link to, filled by `scored` and emptied by `taken`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

import msgspec

from anansi.act import tree as html
from anansi.config import Definition, texts_of, urls_of
from anansi.crawl.score import Told
from anansi.focus import addresses
from anansi.focus.definition import Subject, subject_of
from anansi.focus.subject import scorer_of, topic_of, weighed
from anansi.frontier.rescoring import Rescore
from anansi.frontier.turn import Settlement
from anansi.inspection.ask import bytes_at
from anansi.model import Link, Visit

_decode = msgspec.msgpack.Decoder(Told).decode


class Scoring:
    """Scores the URLs of one crawl."""

    def __init__(self, definition: Definition, texts: Mapping[str, str]):
        self._texts = texts
        self._subject: Subject = subject_of(definition.focus, examples=texts)
        self._scorer = scorer_of(self._subject)
        self._others: dict[str, float] = {}

    def scored(self, settlements: Iterable[Settlement]) -> list[Settlement]:
        """Return settlements whose links have their scores."""
        return [self._scored(each) for each in settlements]

    def learn(self, read: bytes) -> None:
        """Take in once more what a page said; the scores that followed from it are known."""
        told = _decode(read)
        self._scorer.read(told.page, told.verdict, told.authors)

    def taken(self) -> dict[str, float]:
        """Return new scores of URLs that are known already, key → score; they are told now."""
        others, self._others = self._others, {}
        return others

    def follow(self, definition: Definition) -> tuple[str, Rescore] | None:
        """Go by an edited definition; return its name and what scores anew all that is scheduled."""
        if not definition.focus.is_set():
            return None
        name = blake2b(msgspec.json.encode(definition.focus), digest_size=8).hexdigest()
        subject = subject_of(definition.focus, examples=self._texts)
        if subject != self._subject:
            self._subject = subject
            self._scorer.turn_to(topic_of(subject), weighed(subject.weights))
        return name, self._anew

    def _anew(self, visit: Visit) -> float | None:
        return None if visit.requisite else self._final(visit.url, self._scorer.again(visit.key), visit.outside)

    def _scored(self, each: Settlement) -> Settlement:
        if each.outcome.read is None:
            return each
        told = _decode(each.outcome.read)
        found = dict(self._scorer.read(told.page, told.verdict, told.authors))
        links = [self._link(link, found.pop(link.key, None)) for link in each.links]
        self._others |= {key: self._final(key, score, 0) for key, score in found.items()}
        outcome = msgspec.structs.replace(each.outcome, read=None)
        return msgspec.structs.replace(each, outcome=outcome, links=links)

    def _link(self, link: Link, score: float | None) -> Link:
        if score is None or link.corner:  # what a corner is worth is counted by what its links were worth before
            return link
        return msgspec.structs.replace(link, score=self._final(link.url, score, link.outside))

    def _final(self, url: str, score: float, outside: int) -> float:
        """Add what the looks of a URL say, and what is lost on the way out of the scope."""
        looks = addresses.judge(url, self._subject.addresses) if self._subject.addresses else None
        if looks is not None:
            weight = self._subject.weights.addresses
            score = (score + weight * looks.score) / (1 + weight)
        return score * self._subject.decay**outside if outside else score


def examples_of(definition: Definition, agent: str) -> dict[str, str]:
    """Read the texts that topics name as examples, files and pages of the web; what cannot be had is told."""
    topics = definition.focus.topics
    texts = texts_of(topics)
    for url in urls_of(topics):
        tree = html.parse(bytes_at(url, agent)[1], "utf-8")
        texts[url] = html.text(tree) if tree is not None else ""
    return texts
