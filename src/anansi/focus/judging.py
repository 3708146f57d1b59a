"""What modules say of a page: names, events, language, address, and what speaks against it; and what all that makes.

A crawl and who explains a page ask the same functions; terms are judged by the scorer, who knows the crawl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from anansi.focus import addresses, entities, events, languages, names, spam
from anansi.focus.definition import Subject
from anansi.focus.page import DEFAULT_LANGUAGE, Find, Region, declared, own, region_terms, text_of
from anansi.focus.verdict import Judgement, Opinion, appraised
from anansi.state import Appraisal
from anansi.text.language import UNTOLD, Spoken, identify
from anansi.text.prose_dates import spans
from anansi.text.terms import terms


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as modules read it."""

    url: str
    text: str
    """Its own, without its frame."""
    spoken: Spoken = UNTOLD
    said: Sequence[Sequence[str]] = ()
    """The terms of all its regions, of each apart."""
    terms: Sequence[str] = ()
    """Those of its own text, in its order."""
    hidden: str = ""
    links: Sequence[str] = ()


def page_text(tree: Any, url: str, found: Sequence[Region], find: Find) -> PageText:
    """Make a page ready for modules."""
    mine = own(found)
    text = text_of(mine)
    spoken = identify(text, declared=declared(tree))
    said = region_terms(found, spoken.code)
    shown = [told for each, told in zip(found, said, strict=True) if len(mine) == len(found) or each.kind != "frame"]
    links = [target for each in found for anchor in each.anchors if (target := find(anchor.href)) is not None]
    return PageText(url, text, spoken, said, list(chain.from_iterable(shown)), spam.hidden_text(tree), links)


def opinions(subject: Subject, page: PageText) -> Iterator[Opinion]:
    """Ask every module but the terms about a page; who has nothing to go by gives no score."""
    weights, named = subject.weights, entities.mentions(subject.names, page.text)
    verdicts: dict[str, Judgement | None] = {
        "entities": entities.judge(named, subject.entities) if subject.entities else None,
        "events": _by_events(subject, page, named) if subject.happenings else None,
        "addresses": addresses.judge(page.url, subject.addresses),
        "languages": languages.judge(page.spoken, subject.languages),
        "names": _by_names(subject, page),
    }
    for module, said in verdicts.items():
        yield Opinion.of(module, getattr(weights, module), said)
    yield _by_spam(subject, page)
    refused = entities.judge(named, subject.refused) if subject.refused else None
    if refused is not None and refused.score:
        yield Opinion("exclude", 1.0, 1 - refused.score, refused.evidence, against=True)


def _by_events(subject: Subject, page: PageText, named: dict[int, entities.Mention]) -> Judgement:
    times = spans(page.text) if any(each.begins for each in subject.happenings) else []
    return events.judge(subject.happenings, named, times)


def _by_names(subject: Subject, page: PageText) -> Judgement | None:
    if not subject.weights.names or not subject.entities or page.spoken.code != names.LANGUAGE:
        return None
    return names.judge(names.names_in(page.text), subject.entities, subject.kinds)


def _by_spam(subject: Subject, page: PageText) -> Opinion:
    language = page.spoken.code or DEFAULT_LANGUAGE
    signs = spam.SpamSigns(
        page.url,
        page.terms,
        terms(page.hidden, language) if page.hidden else (),
        page.links,
        subject.vector(language).keys(),
    )
    said = spam.judge(signs, subject.blacklist)
    weight = 1.0 if spam.is_listed(said) else subject.weights.spam
    return Opinion("spam", weight, said.score, said.evidence, against=True)


def verdict_on(subject: Subject, page: PageText) -> Appraisal:
    """Add up what modules say of a page."""
    return appraised(opinions(subject, page))


def link_opinions(subject: Subject, url: str) -> Iterator[Opinion]:
    """Ask the modules that know a link by its address."""
    listed = spam.blacklisted(url, subject.blacklist)
    if listed is not None:
        yield Opinion("blacklist", 1.0, 0.0, (listed,), against=True)
    matched = addresses.judge(url, subject.addresses) if subject.addresses else None
    if matched is not None:
        yield Opinion.of("addresses", subject.weights.addresses, matched)


def link_score(subject: Subject, url: str, score: float, *, outside: int = 0) -> float:
    """Join what the crawl says of a link with what its address does, and with what is lost out of the scope."""
    if subject.addresses or subject.blacklist.hosts or subject.blacklist.patterns:
        score = appraised(link_opinions(subject, url)).with_terms(score, 1.0)
    return score * subject.decay**outside if outside else score
