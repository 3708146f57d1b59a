"""What an analysis module says: a score, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anansi.state import Appraisal


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


def appraised(opinions: Iterable[Opinion]) -> Appraisal:
    """Add up what modules say of a page."""
    total = weight = 0.0
    left = 1.0
    for each in opinions:
        if each.score is None:
            continue
        if each.against:
            left *= 1 - each.weight * (1 - each.score)
        else:
            total, weight = total + each.weight * each.score, weight + each.weight
    return Appraisal(total, weight, left)
