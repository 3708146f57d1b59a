"""The modules that score links, by name; each says one thing from 0 to 1, and a weighted mean makes the priority.

A module is a plug: a name, a weight, and a function from what is known of some URLs and of the crawl to a score of
each. URLs are scored together, the links of a page or a part of all: one by one they took four times as long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anansi.errors import UserError
from anansi.focus.evidence import Evidence, Mean
from anansi.focus.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Asked:
    """What modules are asked about: some URLs, and what is known of them in the same order."""

    known: Sequence[Evidence]
    words: Sequence[float]
    """How near the words of each are to the topic, all of them."""
    word: Sequence[float]
    """The nearest alone."""
    rare: Sequence[float]
    """How rare they are."""
    led: Sequence[tuple[float, int]]
    """What links of the same lists led to: the sum of their relevances, and how many there were."""
    outcomes: Outcomes


Score = Callable[[Asked], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Module:
    """A module."""

    name: str
    weight: float
    about: str
    score: Score
    learned: bool = False
    """Whether it goes by what pages turned out to be."""


def _source(asked: Asked) -> Sequence[float]:
    return [each.best for each in asked.known]


def _thin(asked: Asked) -> Sequence[float]:
    return [min(1.0, 3 * each.thin / each.parents) for each in asked.known]


def _seldom(asked: Asked) -> Sequence[float]:
    return [1 - min(1.0, math.log(each.parents) / 5) for each in asked.known]


def _likeness(asked: Asked) -> Sequence[float]:
    return [each.raw for each in asked.known]


def _words(asked: Asked) -> Sequence[float]:
    return asked.words


def _word(asked: Asked) -> Sequence[float]:
    return asked.word


def _rare(asked: Asked) -> Sequence[float]:
    return asked.rare


def _paragraph(asked: Asked) -> Sequence[float]:
    return [min(1.0, each.paragraph) for each in asked.known]


def _around(asked: Asked) -> Sequence[float]:
    return [min(1.0, each.around / each.links) for each in asked.known]


def _entry(asked: Asked) -> Sequence[float]:
    return [1.0 if each.entry else 0.0 for each in asked.known]


def _early(asked: Asked) -> Sequence[float]:
    return [1 - each.early for each in asked.known]


def _uncrowded(asked: Asked) -> Sequence[float]:
    least = [min([crowd.size for crowd in each.crowds], default=1) for each in asked.known]
    return [1 / (1 + math.log(size)) for size in least]


def _neighbours(asked: Asked) -> Sequence[float]:
    return [min(1.0, math.log1p(each.near) / 4) for each in asked.known]


def _together(asked: Asked) -> Sequence[float]:
    return [min(1.0, math.log1p(total) / 5) for total, _ in asked.led]


def _company(asked: Asked) -> Sequence[float]:
    usual = asked.outcomes.usual
    return [(2 * usual + total) / (2 + count) for total, count in asked.led]


def _hub(asked: Asked) -> Sequence[float]:
    usual = asked.outcomes.usual
    return [
        max([(source.total + 3 * usual) / (source.count + 3) for source in each.sources], default=usual)
        for each in asked.known
    ]


def _taught(asked: Asked) -> Sequence[float]:
    usual, mean_of, taught = asked.outcomes.usual, asked.outcomes.by_word.get, []
    for each in asked.known:
        means = [mean for word in each.title if (mean := mean_of(word)) is not None]
        total = sum([(mean.total + usual) / (mean.count + 1) for mean in means], usual)
        taught.append(total / (len(means) + 1))
    return taught


def _label(asked: Asked) -> Sequence[float]:
    usual, mean_of = asked.outcomes.usual, asked.outcomes.by_label.get
    every = dict.fromkeys(label for each in asked.known for label in each.labels)
    means = {label: mean.towards(usual) for label in every if (mean := mean_of(label)) is not None}
    return [max([means[label] for label in each.labels if label in means], default=usual) for each in asked.known]


def _social(asked: Asked) -> Sequence[float]:
    outcomes = asked.outcomes
    if not outcomes.by_author:
        return [outcomes.usual] * len(asked.known)
    means = [outcomes.by_author.get(outcomes.authors.get(each.key, "")) for each in asked.known]
    return [_mean(each, outcomes.usual) for each in means]


def _site(asked: Asked) -> Sequence[float]:
    outcomes = asked.outcomes
    return [_mean(outcomes.by_site.get(each.site), outcomes.usual) for each in asked.known]


def _mean(mean: Mean | None, usual: float) -> float:
    return mean.towards(usual) if mean is not None else usual


# Weights: a logistic regression of the label on the modules' scores, over half of the topics of a labelled web (8 of
# 15, `anansi simulate --half 0`), those that came out negative left out. `source` and `label` were among these; of
# one site, one template and no authors nothing can be learned about `site` and `social`: small weights by hand.
MODULES: Final = (
    Module("source", 0.5, "the most relevant page with a link to it", _source),
    Module("thin", 2.2, "relevant pages that link to it and to little else", _thin),
    Module("seldom", 5.9, "few pages link to it: it is no page that all link to", _seldom),
    Module("likeness", 2.7, "the page with a link to it, by the paper's cosine", _likeness),
    Module("words", 0.5, "the words of its anchors and its address", _words),
    Module("word", 2.5, "the nearest of these words", _word),
    Module("rare", 1.4, "how rare these words are", _rare),
    Module("paragraph", 0.7, "the nearest region that a link to it stands in", _paragraph),
    Module("around", 2.0, "the regions that links to it stand in, on the mean", _around),
    Module("entry", 0.8, "it is an entry of a list", _entry),
    Module("early", 0.2, "a link to it stands early on its page", _early),
    Module("uncrowded", 0.7, "a link to it stands among few others", _uncrowded),
    Module("neighbours", 2.3, "links right beside one to it led to relevant pages", _neighbours, learned=True),
    Module("together", 2.0, "links of the same lists led to relevant pages", _together, learned=True),
    Module("company", 4.4, "what links of the same lists led to, on the mean", _company, learned=True),
    Module("hub", 1.2, "what other links of a page with a link to it led to", _hub, learned=True),
    Module("taught", 13.2, "what links with the same words led to", _taught, learned=True),
    Module("label", 0.5, "what links in the same place led to", _label, learned=True),
    Module("social", 0.5, "what links by the same author led to", _social, learned=True),
    Module("site", 0.5, "what pages of its site turned out to be", _site, learned=True),
)


def weighted(weights: Mapping[str, float], modules: tuple[Module, ...] = MODULES) -> tuple[Module, ...]:
    """Give modules other weights; those without weight are left out."""
    names = [each.name for each in modules]
    for name, weight in weights.items():
        if name not in names:
            raise UserError(f"no module is called {name!r}; there are {', '.join(names)}")
        if not 0 <= weight < math.inf:
            raise UserError(f"module {name}: expected a weight of 0 or more, found {weight}")
    given = [replace(each, weight=weights.get(each.name, each.weight)) for each in modules]
    return tuple(each for each in given if each.weight > 0)
