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


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a module says of a page or a link."""

    module: str
    weight: float
    score: float | None
    """None where it has nothing to go by; it does not count then."""
    evidence: tuple[Evidence, ...] = ()
    against: bool = False
    """Whether its score is what is left of the worth that others give."""

    @classmethod
    def of(cls, module: str, weight: float, said: Judgement | None) -> Opinion:
        """Make an opinion of what a module found; of None where it had nothing to go by."""
        return cls(module, weight, said.score, said.evidence) if said is not None else cls(module, weight, None)


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """What modules say of a page, added up: their part of its relevance."""

    total: float = 0.0
    """Scores times weights."""
    weight: float = 0.0
    """Weights of the modules that have an opinion."""
    left: float = 1.0
    """What spam, the blacklist and words of what is not sought leave of its worth."""

    @classmethod
    def of(cls, opinions: Iterable[Opinion]) -> Verdict:
        """Add up opinions."""
        total = weight = 0.0
        left = 1.0
        for each in opinions:
            if each.score is None:
                continue
            if each.against:
                left *= 1 - each.weight * (1 - each.score)
            else:
                total, weight = total + each.weight * each.score, weight + each.weight
        return cls(total, weight, left)

    def with_terms(self, relevance: float, weight: float) -> float:
        """Return the relevance of a page whose terms say this much."""
        whole = self.weight + weight
        return self.left * (self.total + weight * relevance) / whole if whole else 0.0
