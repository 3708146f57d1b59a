"""From what the archive is about to what scoring goes by: the words that are sought, and what each module counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from anansi.config import Weights
from anansi.focus.definition import Subject
from anansi.focus.modules import MODULES, Module
from anansi.focus.scorer import Scorer
from anansi.focus.topic import Topic
from anansi.text.language import identify

GROUPS: Final = {
    "terms": ("likeness", "words", "word", "rare", "paragraph", "around", "taught"),
    "linking": (
        "source",
        "thin",
        "seldom",
        "entry",
        "early",
        "uncrowded",
        "neighbours",
        "together",
        "company",
        "hub",
    ),
    "places": ("label", "site"),
    "social": ("social",),
}
"""Weights of a definition, and the modules that they are about."""


def topic_of(subject: Subject) -> Topic:
    """Return the words that pages are compared with, stemmed as each language of the archive does."""
    said = " ".join(each.text for each in subject.said)
    languages = sorted(subject.languages) or [identify(said).code or "en"]
    words: dict[str, float] = {}
    for language in ("", *languages):
        for term, weight in subject.vector(language).items():
            words[term] = max(weight, words.get(term, 0.0))
    most = max(words.values(), default=1.0)
    return Topic({term: weight / most for term, weight in words.items()})


def weighed(weights: Weights) -> tuple[Module, ...]:
    """Return the modules with the weights of a definition: twice the default makes twice the weight."""
    usual = Weights()
    factors = {
        module: getattr(weights, group) / getattr(usual, group) for group, those in GROUPS.items() for module in those
    }
    return tuple(replace(each, weight=each.weight * factors.get(each.name, 1.0)) for each in MODULES)


def scorer_of(subject: Subject) -> Scorer:
    """Make what scores by a subject."""
    return Scorer(topic_of(subject), weighed(subject.weights), subject.weights.terms)
