"""Why a page has its score, and its links theirs: which module, which weight, which words, which part of the page.

The page is held against the definition by every module that has something to go by; its links are scored as a crawl
would that has seen nothing but this page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from anansi.focus import addresses, entities, events, languages, names, spam
from anansi.focus.definition import Subject
from anansi.focus.modules import MODULES
from anansi.focus.reading import read
from anansi.focus.regions import Anchor, Region, declared, own, regions, text_of
from anansi.focus.subject import scorer_of
from anansi.focus.vectors import Vector, norm
from anansi.focus.verdict import Evidence, Judgement
from anansi.language.dates import Span, spans
from anansi.language.identify import Spoken, identify
from anansi.language.terms import terms, words

MOST_REASONS: Final = 50
"""Reasons of a module, and words of a region, that are kept."""
SHORTEST: Final = 3
"""Terms below which a region is not scored by itself."""
AROUND: Final = 300
"""Characters on either side of a link in which names count for it."""
MARK: Final = "blacklist"

PAGE: Final = ("terms", "entities", "events", "addresses", "languages", "names")
"""Modules that judge a page by itself, by their names in the definition; `spam` takes from what they give."""
LATER: Final = ("linking", "places", "social")
"""Modules that judge by what a crawl has seen before: of one page alone they say nothing."""

Find = Callable[[str], str | None]
"""What a link refers to, as written → its address; None when it leads nowhere."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a module says."""

    module: str
    weight: float
    score: float | None
    """None where it has nothing to go by; it does not count then."""
    evidence: tuple[Evidence, ...] = ()


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
    """Explain the score of a page and of what it links to."""
    found = regions(tree)
    mine = own(found)
    text = text_of(mine)
    spoken = identify(text, declared=declared(tree))
    said = terms(text, spoken.code)
    looks = spam.Looks(
        url,
        said,
        terms(spam.hidden_text(tree), spoken.code),
        [each for each in (find(anchor.href) for region in found for anchor in region.anchors) if each],
        subject.vector(spoken.code).keys(),
    )
    opinions = judge(mine, url, subject, spoken, spam.judge(looks, subject.blacklist))
    near = sorted(_near(mine, subject, spoken.code), key=lambda each: -each.score)
    return Explanation(
        url=url,
        language=spoken,
        size=len(said),
        score=joined(opinions),
        opinions=opinions,
        regions=tuple(near),
        links=_leads(tree, url, subject, find, found),
    )


def judge(
    found: Sequence[Region], url: str, subject: Subject, spoken: Spoken, worth: Judgement
) -> tuple[Opinion, ...]:
    """Ask every module about a page: its own regions, its address, its language, and what spam leaves of it."""
    text, weights = text_of(found), subject.weights
    mentioned = entities.mentions(subject.names, text)
    verdicts: dict[str, Judgement | None] = {
        "terms": _by_terms(found, subject, spoken.code),
        "entities": entities.judge(mentioned, subject.entities) if subject.entities else None,
        "events": events.judge(subject.happenings, mentioned, _times(text, subject)) if subject.happenings else None,
        "addresses": addresses.judge(url, subject.addresses),
        "languages": languages.judge(spoken, subject.languages),
        "names": _by_names(text, subject, spoken),
        "spam": worth,
    }
    refused = entities.judge(mentioned, subject.refused)
    if refused.score:
        verdicts["exclude"] = refused
    return tuple(
        Opinion(
            name,
            getattr(weights, name, 1.0),
            verdict.score if verdict is not None else None,
            _placed(name, verdict.evidence[:MOST_REASONS], found) if verdict is not None else (),
        )
        for name, verdict in verdicts.items()
    )


def joined(opinions: Iterable[Opinion]) -> float:
    """Return the weighted mean of what modules say, less what spam and words that are not looked for take from it."""
    by_name = {each.module: each for each in opinions}
    counted = [
        (each.weight, each.score) for each in by_name.values() if each.module in PAGE and each.score is not None
    ]
    whole = sum(weight for weight, _ in counted)
    score = sum(weight * value for weight, value in counted) / whole if whole else 0.0
    worth = by_name.get("spam")
    if worth is not None and worth.score is not None:
        listed = any(each.what == MARK for each in worth.evidence)
        score *= 0.0 if listed else 1 - worth.weight * (1 - worth.score)
    refused = by_name.get("exclude")
    return score * (1 - (refused.score or 0.0)) if refused is not None else score


def _times(text: str, subject: Subject) -> list[Span]:
    return spans(text) if any(each.begins for each in subject.happenings) else []


def _by_names(text: str, subject: Subject, spoken: Spoken) -> Judgement | None:
    if not subject.weights.names or not subject.entities or spoken.code != names.LANGUAGE:
        return None
    return names.judge(names.names_in(text), subject.entities, subject.kinds)


def _placed(module: str, reasons: Sequence[Evidence], found: Sequence[Region]) -> tuple[Evidence, ...]:
    """Say in which region a name stands; its module knows only the words around it."""
    if module not in ("entities", "events", "exclude"):
        return tuple(reasons)
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


def _by_terms(found: Sequence[Region], subject: Subject, language: str) -> Judgement | None:
    """Take the cosine of a page's own terms with those of the definition; each of them says what it adds."""
    vector = subject.vector(language)
    if not vector:
        return None
    where = _where(found, vector, language)
    counts = counted(term for each in found for term in terms(each.text, language))
    text = weighed(counts)
    length = norm(text)
    if not length:
        return Judgement(0.0)
    sources = said_as(subject, language)
    reasons = [
        Evidence(
            sources.get(term, term), where[term][0], where[term][1], counts[term], text[term] * vector[term] / length
        )
        for term in counts
        if term in vector
    ]
    return Judgement(min(1.0, sum(each.score for each in reasons)), _strongest(reasons))


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
        if met and (len(counts) >= SHORTEST or region.kind != "main"):
            score = sum(text[term] * vector[term] for term in met) / length
            written = _where([region], vector, language)
            yield Scored(region, min(1.0, score), tuple(written[term][0] for term in met[:MOST_REASONS]))


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _leads(tree: Any, url: str, subject: Subject, find: Find, found: Iterable[Region]) -> tuple[Lead, ...]:
    """Score what a page links to, as a crawl would that begins with it."""
    scorer = scorer_of(subject)
    scores = dict(scorer.begin([read(tree, url, find)]))
    said = {key: scorer.explain(scorer.known[key]) for key in scores}
    usual = {each.name: math.fsum(one[each.name] for one in said.values()) / max(1, len(said)) for each in MODULES}
    first = {target: (each, region) for each, region, target in reversed(list(_anchors(found, find)))}
    leads = []
    for key, score in scores.items():
        anchor, region = first[key] if key in first else (Anchor(key, ""), Region("frame", "", ""))
        opinions = (
            *_by_definition(key, _around(anchor, region), subject),
            *_apart(said[key], usual),
        )
        leads.append(Lead(key, anchor.text, region.place, _link_score(score, subject, opinions), opinions))
    return tuple(sorted(leads, key=lambda each: (-each.score, each.url)))


def _around(anchor: Anchor, region: Region) -> str:
    """Return what stands around a link, in its region."""
    start = max(0, region.text.find(anchor.text) - AROUND)
    return f"{anchor.text}\n{region.text[start : start + len(anchor.text) + 2 * AROUND]}"


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


def _by_definition(url: str, around: str, subject: Subject) -> Iterator[Opinion]:
    """Ask the modules of the definition that know a link: by its address, and by the names that stand around it."""
    listed = spam.blacklisted(url, subject.blacklist)
    if listed is not None:
        yield Opinion(MARK, 1.0, 0.0, (listed,))
    matched = addresses.judge(url, subject.addresses)
    if matched is not None:
        yield Opinion("addresses", subject.weights.addresses, matched.score, matched.evidence)
    named = entities.judge(entities.mentions(subject.names, around), subject.entities)
    if named.score:
        yield Opinion("entities", subject.weights.entities, named.score, named.evidence)


def _link_score(score: float, subject: Subject, opinions: Sequence[Opinion]) -> float:
    """Join what the crawl's modules say, which go by words and by what was seen, with what the definition's do."""
    weights = subject.weights
    whole = weights.terms + weights.linking + weights.places
    total = score * whole
    for each in opinions:
        if each.module == MARK:
            return 0.0
        if each.module in ("addresses", "entities"):
            whole += each.weight
            total += each.weight * (each.score or 0.0)
    return total / whole if whole else 0.0
