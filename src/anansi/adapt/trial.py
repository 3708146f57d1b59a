"""Candidates on trial: what holds on several pages of a level is accepted.

a page suggests ways ─► each further page on which the old rules fail tries them ─► evidence ─► accepted, or dropped
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from anansi.adapt.failed_page import FailedPage
from anansi.adapt.mend import Mend, Rules, running
from anansi.adapt.recrawl import VAGUE, agreement
from anansi.induce.judges import Values, judge, plausible, texts
from anansi.induce.names import SIGNED
from anansi.knowledge.entry import Extraction
from anansi.knowledge.xpath import Expression
from anansi.model import Value

FURTHER: Final = 3
"""Pages behind the first one on which a candidate must hold."""

FURTHER_KNOWN: Final = 1
"""The same where it finds what was known: chance does not write what an earlier crawl found."""

PAGES: Final = 12
"""Pages whose values are kept as evidence."""

KEPT: Final = 20
"""Values of one page that are kept."""

WAYS: Final = 4
"""Ways to mend one action that are on trial at a time."""

CANDIDATES: Final = 10
"""Rules of one property on trial in a way."""

FAILS: Final = 0.25
"""Share of the pages on which a candidate may find nothing."""

MISSING: Final = 0.5
"""Share of the objects that must have a property for its rule to hold."""

ENOUGH: Final = 0.35
"""How much values must look like a property."""

CLEAR: Final = 0.1
"""How much better than the next one a candidate must be that finds something else."""


@dataclass(slots=True)
class Candidate:
    """Rules of a property on trial. Mutable: what is known of it."""

    rules: Rules
    held: int = 0
    missed: int = 0
    agreed: int = 0
    """Pages on which it found what was known."""
    contradicted: int = 0
    """Pages on which what was known says otherwise."""
    total: float = 0.0
    pages: list[tuple[str, list[list[Value]]]] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """How good it is on average; to agree with what is known counts most."""
        tried = max(1, self.held + self.missed)
        return self.total / max(1, self.held) - self.missed / tried + 2.0 * self.agreed / tried

    def sound(self, name: str) -> bool:
        """Tell whether it held on enough pages, and its values look like the property over all of them."""
        tried = self.held + self.missed
        if self.contradicted or self.missed > FAILS * tried:
            return False
        if self.agreed:
            return self.agreed > FURTHER_KNOWN
        said = " ".join(string for rule in self.rules for string in rule.expression.strings())
        found = Values.of((page for _, page in self.pages), signed=SIGNED.search(said) is not None)
        return self.held > FURTHER and bool(judge(name, found))


@dataclass(slots=True)
class Way:
    """A way to mend an action. Mutable: its candidates' evidence."""

    each: Expression | None
    known: bool
    rules: dict[str, list[Candidate]]
    vague: bool = False
    run: bool = False
    """Whether its containers reach up to the next one."""
    tried: int = 0
    held: int = 0
    score: float = 0.0


@dataclass(slots=True)
class Trial:
    """What is on trial for one action of a level at a site. Mutable: everything."""

    ways: list[Way] = field(default_factory=list)
    pages: dict[str, None] = field(default_factory=dict)
    failed_pages: list[FailedPage] = field(default_factory=list)
    """Of a new site, the latest pages: they are looked at together."""
    suggestions: int = 0
    """How often new ways were asked for."""

    def suggest(self, mends: Sequence[Mend]) -> None:
        """Put ways on trial; those that held least give way."""
        for mend in mends:
            same = (each for each in self.ways if (each.each, each.run) == (mend.each, mend.run))
            way = next(same, None)
            if way is None:
                way = Way(mend.each, mend.known, {}, vague=mend.vague, run=mend.run)
                self.ways.append(way)
            for name, rules in mend.rules.items():
                there = way.rules.setdefault(name, [])
                there += [Candidate(one) for one in rules if all(one != each.rules for each in there)]
                there.sort(key=lambda each: -each.mean)
                del there[CANDIDATES:]
        self.ways.sort(key=lambda way: (-way.held, -way.score))
        del self.ways[WAYS:]

    def note(self, broken: FailedPage, action: Extraction, failed: set[str]) -> bool:
        """Try all candidates on a page; tell whether one of each failed property held."""
        self.pages[broken.place.url] = None
        held = [_note(way, broken, action, failed) for way in self.ways]
        return any(held)

    def accepted(self, action: Extraction) -> tuple[Way, dict[str, Candidate]] | None:
        """Return the way that was proved, with the best rule of each property; None when none was."""
        best: tuple[float, Way, dict[str, Candidate]] | None = None
        for way in self.ways:
            chosen = {name: one for name, each in way.rules.items() if (one := _chosen(name, each)) is not None}
            if way.each is not None and (way.held <= FURTHER_KNOWN or not _whole(way, action, chosen)):
                continue
            if not way.known and set(chosen) & set(action.needs) and not _whole(way, action, chosen):
                continue
            score = way.score / max(1, way.tried) - VAGUE * way.vague
            if (chosen or (way.each is not None and way.known)) and (best is None or score > best[0]):
                best = score, way, chosen
        return best[1:] if best is not None else None


def _whole(way: Way, action: Extraction, chosen: dict[str, Candidate]) -> bool:
    """Tell whether every property that an object needs is found, be it by an old rule."""
    needed = action.needs if way.known else (*action.needs, "text")  # an old rule's text may be more than the text
    return all(name in chosen or name not in way.rules for name in needed)


def _chosen(name: str, candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the best candidate, if it is clear that it is: others that are as good must find the same."""
    sound = sorted((each for each in candidates if each.sound(name)), key=lambda each: -each.mean)
    if not sound:
        return None
    best = sound[0]
    rivals = [each for each in sound[1:] if best.mean - each.mean < CLEAR and not _same(best, each)]
    enough = best.held > 2 * FURTHER
    return best if not rivals or best.agreed or enough else None


def _same(one: Candidate, other: Candidate) -> bool:
    found = dict(other.pages)
    return all(texts(found.get(url, ())) == texts(page) for url, page in one.pages)


def _note(way: Way, broken: FailedPage, action: Extraction, failed: set[str]) -> bool:
    way.tried += 1
    each = way.each if way.each is not None else broken.container(action)
    if way.run and each is not None:
        action = running(action, each)
    containers = len(broken.find(each)) if each is not None else int(not action.each)
    if not containers:
        return False
    held = {
        name: max((_tested(one, broken, action, each, containers) for one in candidates), default=0.0)
        for name, candidates in way.rules.items()
    }
    way.rules = {name: _living(candidates) for name, candidates in way.rules.items()}
    way.score += sum(held.values()) / len(held) if held else 1.0

    def holds(name: str) -> bool:
        return bool(held[name] if name in held else _works(broken, action, each, name, containers))

    way.held += all(map(holds, action.needs))
    return all(map(holds, failed))


def _works(broken: FailedPage, action: Extraction, each: Expression | None, name: str, containers: int) -> bool:
    """Tell whether the old rules find a property: what is known of it, or what looks like it."""
    agrees = agreement(broken, action, name, broken.old(action, each, name), containers)
    if agrees is not None:
        return agrees
    page = broken.old(action, each, name)
    return len(page) >= MISSING * containers and plausible(name, page, containers) >= ENOUGH


def _tested(
    candidate: Candidate, broken: FailedPage, action: Extraction, each: Expression | None, containers: int
) -> float:
    """Try one candidate on a page; return how good it was there."""
    name = candidate.rules[0].name
    page = broken.values(action, each, *candidate.rules)
    look = plausible(name, page, containers)
    agrees = agreement(broken, action, name, page, containers)
    if agrees is False:
        candidate.contradicted += 1
        return 0.0
    if not look and not agrees:
        candidate.missed += 1
        return 0.0
    candidate.held += 1
    candidate.agreed += agrees is True
    candidate.total += look
    if len(candidate.pages) < PAGES:
        candidate.pages.append((broken.place.url, [list(values[:3]) for values in page[:KEPT]]))
    return max(look, 0.1)


def _living(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Drop the candidates that failed too often."""
    return [
        each
        for each in candidates
        if each.contradicted < 2 and each.missed <= max(1, FAILS * (each.held + each.missed))
    ]


def evidence(candidate: Candidate) -> Iterator[tuple[str, str]]:
    """Go through the pages on which a candidate held, each with its first value."""
    for url, page in candidate.pages:
        yield url, next(iter(texts(page)), "")
