"""Why a page has its score, and its links theirs: which module, which weight, which words, which part of the page.

The page is held against the definition by every module that has something to go by; its links are scored as a crawl
would that has seen nothing but this page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from anansi.focus import entities
from anansi.focus.definition import Subject
from anansi.focus.judging import link_opinions, link_score, opinions, page_text
from anansi.focus.modules import MODULES
from anansi.focus.page import Anchor, Find, Region, own, page_terms, regions
from anansi.focus.scorer import Scorer, Taken
from anansi.focus.settings import SETTINGS
from anansi.focus.subject import scorer_of
from anansi.focus.vectors import Vector, norm
from anansi.focus.verdict import Evidence, Opinion, appraised
from anansi.state import PageTerms
from anansi.text.language import Spoken
from anansi.text.terms import terms, words

LATER: Final = ("linking", "places", "social")
"""Modules that judge by what a crawl has seen before: of one page alone they say nothing."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A region by its words."""

    region: Region
    score: float
    terms: tuple[str, ...]
    """Those of the definition, as they stand there."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A link, and why it would be followed sooner or later."""

    url: str
    anchor: str
    place: str
    score: float
    opinions: tuple[Opinion, ...]
    """What counts most first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A page, explained."""

    url: str
    language: Spoken
    size: int
    """Terms of its own text."""
    score: float
    opinions: tuple[Opinion, ...]
    regions: tuple[Scored, ...]
    """The nearest first; the frame of the page is not scored."""
    links: tuple[Lead, ...]
    """The best first."""


def explain(tree: Any, url: str, subject: Subject, find: Find) -> Explanation:
    """Explain the score of a page and of what it links to, in a crawl that has seen nothing else."""
    found = regions(tree)
    page = page_text(tree, url, found, find)
    said = tuple(opinions(subject, page))
    scorer, read = scorer_of(subject), page_terms(found, url, find, page.spoken.code, page.said)
    taken, mine = scorer.read(read, appraised(said)), own(found)
    by_terms = _by_terms(scorer, read, taken, mine, subject, page.spoken.code)
    near = sorted(_near(mine, subject, page.spoken.code), key=lambda each: -each.score)
    return Explanation(
        url=url,
        language=page.spoken,
        size=sum(read.own.values()),
        score=taken.relevance,
        opinions=(by_terms, *(replace(each, evidence=_placed(each, mine)) for each in said)),
        regions=tuple(near),
        links=_leads(scorer, taken, found, subject, find),
    )


def _placed(said: Opinion, found: Sequence[Region]) -> tuple[Evidence, ...]:
    """Say in which region a name stands; its module knows only the words around it."""
    reasons = said.evidence[: SETTINGS.most_reasons]
    if said.module not in ("entities", "events", "exclude"):
        return reasons
    spelled = [(each.place, entities.spelled(each.text)) for each in found]
    return tuple(_placed_in(each, spelled) for each in reasons)


def _placed_in(reason: Evidence, spelled: Sequence[tuple[str, str]]) -> Evidence:
    key = entities.spelled(reason.found.partition(",")[0])
    place = next((place for place, text in spelled if key and key in text), "")
    return replace(reason, where=f"{place}: {reason.where}".rstrip(": ") if place else reason.where)


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def weighed(counts: Mapping[str, int]) -> dict[str, float]:
    """Weigh terms by how often they stand in a text: ten times as often is about three times as much."""
    return {term: 1 + math.log(count) for term, count in counts.items()}


def counted(found: Iterable[str]) -> dict[str, int]:
    """Count terms, in the order in which they are met first."""
    counts: dict[str, int] = {}
    for term in found:
        counts[term] = counts.get(term, 0) + 1
    return counts


def _by_terms(
    scorer: Scorer, page: PageTerms, taken: Taken, found: Sequence[Region], subject: Subject, language: str
) -> Opinion:
    """Say what each term adds to how near a page is: they share its score."""
    weight = subject.weights.terms
    parts = scorer.judge.parts(page)
    if not scorer.judge.learned.vector:
        return Opinion("terms", weight, None)
    share = taken.measured.relevance / (math.fsum(parts.values()) or 1.0)
    where, sources = _where(found, parts, language), said_as(subject, language)
    reasons = [
        Evidence(sources.get(term, term), *where.get(term, (term, "")), page.own[term], part * share)
        for term, part in parts.items()
    ]
    return Opinion("terms", weight, taken.measured.relevance, _strongest(reasons)[: SETTINGS.most_reasons])


def _strongest(reasons: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(sorted(reasons, key=lambda each: -each.score))


def said_as(subject: Subject, language: str) -> dict[str, str]:
    """Return of each term the words of the definition that it stands for."""
    sources: dict[str, str] = {}
    for said in subject.said:
        label = f"{said.topic}: {said.text}" if said.topic else said.text
        for term in terms(said.text, language):
            sources.setdefault(term, label)
    for topic in subject.learned:
        for term in subject.vector(language, topic):
            sources.setdefault(term, f"{topic}: learned from its examples")
    return sources


def _where(found: Iterable[Region], vector: Vector, language: str) -> dict[str, tuple[str, str]]:
    """Return of each term how it is written, and the region where it stands first."""
    where: dict[str, tuple[str, str]] = {}
    for region in found:
        for word in words(region.text):
            for term in terms(word, language):
                if term in vector:
                    where.setdefault(term, (word, region.place))
        for term in terms(region.text, language):  # what is cut otherwise among other characters
            if term in vector:
                where.setdefault(term, (term, region.place))
    return where


def _near(found: Iterable[Region], subject: Subject, language: str) -> Iterator[Scored]:
    """Score regions apart."""
    vector = subject.vector(language)
    for region in found:
        counts = counted(terms(region.text, language))
        text = weighed(counts)
        length = norm(text)
        met = [term for term in counts if term in vector]
        if met and (len(counts) >= SETTINGS.shortest_region or region.kind != "main"):
            score = sum(text[term] * vector[term] for term in met) / length
            written = _where([region], vector, language)
            yield Scored(region, min(1.0, score), tuple(written[term][0] for term in met[: SETTINGS.most_reasons]))


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _leads(scorer: Scorer, taken: Taken, found: Iterable[Region], subject: Subject, find: Find) -> tuple[Lead, ...]:
    """Say why what a page links to has its scores."""
    said = {key: scorer.explain(scorer.known[key]) for key, _ in taken.links}
    usual = {each.name: math.fsum(one[each.name] for one in said.values()) / max(1, len(said)) for each in MODULES}
    first = {target: (each, region) for each, region, target in reversed(list(_anchors(found, find)))}
    leads = []
    for key, score in taken.links:
        anchor, region = first[key]
        reasons = (*link_opinions(subject, key), *_apart(said[key], usual))
        leads.append(Lead(key, anchor.text, region.place, link_score(subject, key, score), reasons))
    return tuple(sorted(leads, key=lambda each: (-each.score, each.url)))


def _apart(said: Mapping[str, float], usual: Mapping[str, float]) -> list[Opinion]:
    """Order what the crawl's modules say of a link by what sets it apart from the others of the page."""
    ordered = sorted(MODULES, key=lambda each: -each.weight * abs(said[each.name] - usual[each.name]))
    return [Opinion(each.name, each.weight, said[each.name]) for each in ordered]


def _anchors(found: Iterable[Region], find: Find) -> Iterator[tuple[Anchor, Region, str]]:
    for region in found:
        for anchor in region.anchors:
            target = find(anchor.href)
            if target is not None:
                yield anchor, region, target
