"""What the modules beside the terms say of a page: names, events, language, address, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from anansi.focus import addresses, entities, events, languages, spam
from anansi.focus.definition import Subject
from anansi.focus.verdict import Judgement, Verdict
from anansi.language.dates import Span, spans
from anansi.language.identify import Spoken, identify
from anansi.language.terms import terms


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as modules read it."""

    url: str
    text: str
    tree: Any = None
    links: Sequence[str] = ()
    declared: str = ""
    """The language that it says it is in."""
    times: Sequence[Span] = ()
    """When it was written, as far as that is known."""


def opinions(subject: Subject, sheet: Sheet, spoken: Spoken | None = None) -> Iterator[tuple[str, float, Judgement]]:
    """Go through the modules that have an opinion on a page: name, weight, score with its evidence."""
    weights = subject.weights
    found = entities.mentions(subject.names, sheet.text)
    if subject.entities:
        yield "entities", weights.entities, entities.judge(found, subject.entities)
    if subject.happenings:
        times = [*sheet.times, *spans(sheet.text)]
        yield "events", weights.events, events.judge(subject.happenings, found, times)
    by_language = languages.judge(spoken or identify(sheet.text, declared=sheet.declared), subject.languages)
    if by_language is not None:
        yield "languages", weights.languages, by_language
    by_address = addresses.judge(sheet.url, subject.addresses)
    if by_address is not None:
        yield "addresses", weights.addresses, by_address


def objections(subject: Subject, sheet: Sheet, language: str) -> Iterator[tuple[str, float, Judgement]]:
    """Go through what speaks against a page: name, how much that counts, what it leaves of the page's worth."""
    if subject.refused:
        found = entities.judge(entities.mentions(subject.names, sheet.text), subject.refused)
        if found.score:
            yield "exclude", 1.0, Judgement(1 - found.score, found.evidence)
    hidden = spam.hidden_text(sheet.tree) if sheet.tree is not None else ""
    looks = spam.Looks(
        url=sheet.url,
        terms=terms(sheet.text, language),
        hidden=terms(hidden, language) if hidden else (),
        links=sheet.links,
        wanted=subject.vector(language),
    )
    judged = spam.judge(looks, subject.blacklist)
    if judged.score < 1:
        listed = spam.blacklisted(sheet.url, subject.blacklist) is not None
        yield "spam", 1.0 if listed else subject.weights.spam, judged


def verdict_on(subject: Subject, sheet: Sheet) -> Verdict:
    """Add up what modules say of a page."""
    spoken = identify(sheet.text, declared=sheet.declared)
    total = weight = 0.0
    for _, counts, judged in opinions(subject, sheet, spoken):
        total, weight = total + counts * judged.score, weight + counts
    left = 1.0
    for _, counts, judged in objections(subject, sheet, spoken.code):
        left *= 1 - counts * (1 - judged.score)
    return Verdict(total, weight, left, spoken.code)
