"""What an analysis module says: a score, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a score."""

    what: str
    """What it is about, as the definition has it: a keyword, a name, a pattern, a rule."""
    found: str = ""
    """What was found, as it stands there."""
    where: str = ""
    """The words around it, or the part of the page."""
    count: int = 1
    score: float = 0.0
    """What it would make alone."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A score from 0 to 1 and the evidence for it, the strongest first."""

    score: float
    evidence: tuple[Evidence, ...] = ()


def judged(reasons: Iterable[Evidence]) -> Judgement:
    """Join reasons that do not depend on each other: what each leaves to be wished for is multiplied."""
    ordered = tuple(sorted(reasons, key=lambda each: -each.score))
    missing = 1.0
    for each in ordered:
        missing *= 1 - each.score
    return Judgement(round(1 - missing, 6), ordered)


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """What modules say of a page, added up: their part of its relevance."""

    total: float = 0.0
    """Scores times weights."""
    weight: float = 0.0
    """Weights of the modules that have an opinion."""
    left: float = 1.0
    """What spam, the blacklist and words of what is not sought leave of its worth."""
    language: str = ""

    def with_terms(self, relevance: float, weight: float) -> float:
        """Return the relevance of a page whose terms say this much."""
        whole = self.weight + weight
        return self.left * (self.total + weight * relevance) / whole if whole else 0.0
