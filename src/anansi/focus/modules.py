"""The modules that score links, by name; each says one thing from 0 to 1, and a weighted mean makes the priority.

A module is a plug: a name, a weight, and a function from what is known of a URL and of the crawl to a score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from anansi.errors import UserError
from anansi.focus.evidence import Evidence, Mean


class View(Protocol):
    """What a module may ask about the crawl: how relevant pages turned out."""

    usual: float
    """On the mean of all that were fetched."""
    by_word: dict[str, Mean]
    """Those whose links had a word."""
    by_label: dict[str, Mean]
    """Those that links in the same place led to."""
    by_site: dict[str, Mean]
    by_author: dict[str, Mean]
    """Those that links by the same author led to."""
    authors: dict[str, str]
    """Key of a URL → who wrote the post that a link to it stands in."""


Score = Callable[[Evidence, View], float]


@dataclass(frozen=True, slots=True)
class Module:
    """A module."""

    name: str
    weight: float
    about: str
    score: Score
    fixed: bool = False
    """Whether it goes by the links to a URL alone, whatever becomes of other pages."""
    learned: bool = False
    """Whether it goes by what pages turned out to be."""


def _source(known: Evidence, _: View) -> float:
    return known.best


def _thin(known: Evidence, _: View) -> float:
    return min(1.0, 3 * known.thin / known.parents)


def _seldom(known: Evidence, _: View) -> float:
    return 1 - min(1.0, math.log(known.parents) / 5)


def _likeness(known: Evidence, _: View) -> float:
    return known.raw


def _words(known: Evidence, _: View) -> float:
    return known.words[0]


def _word(known: Evidence, _: View) -> float:
    return known.words[1]


def _rare(known: Evidence, _: View) -> float:
    return known.words[2]


def _paragraph(known: Evidence, _: View) -> float:
    return min(1.0, known.paragraph)


def _around(known: Evidence, _: View) -> float:
    return min(1.0, known.around / known.links)


def _entry(known: Evidence, _: View) -> float:
    return float(known.entry)


def _early(known: Evidence, _: View) -> float:
    return 1 - known.early


def _uncrowded(known: Evidence, _: View) -> float:
    return 1 / (1 + math.log(min([each.size for each in known.crowds], default=1)))


def _neighbours(known: Evidence, _: View) -> float:
    return min(1.0, math.log1p(known.near) / 4)


def _together(known: Evidence, _: View) -> float:
    total = 0.0
    for each in known.crowds:
        total += each.led.total
    return min(1.0, math.log1p(total) / 5)


def _company(known: Evidence, view: View) -> float:
    total, count = 2 * view.usual, 2
    for each in known.crowds:
        led = each.led
        total += led.total
        count += led.count
    return total / count


def _hub(known: Evidence, view: View) -> float:
    usual = view.usual
    best = 0.0 if known.sources else usual
    for each in known.sources:
        led = each.led
        mean = (led.total + 3 * usual) / (led.count + 3)
        best = max(mean, best)
    return best


def _taught(known: Evidence, view: View) -> float:
    usual, table = view.usual, view.by_word
    total, count = usual, 1
    for word in known.title:
        mean = table.get(word)
        if mean is not None:
            total += (mean.total + usual) / (mean.count + 1)
            count += 1
    return total / count


def _label(known: Evidence, view: View) -> float:
    usual, table = view.usual, view.by_label
    return max([table[label].towards(usual) for label in known.labels if label in table], default=usual)


def _social(known: Evidence, view: View) -> float:
    return _mean(view.by_author.get(view.authors.get(known.key, "")), view)


def _site(known: Evidence, view: View) -> float:
    return _mean(view.by_site.get(known.site), view)


def _mean(mean: Mean | None, view: View) -> float:
    return mean.towards(view.usual) if mean is not None else view.usual


# Weights: a logistic regression of the label on the modules' scores, over half of the topics of a labelled web (8 of
# 15, `anansi simulate --half 0`), those that came out negative left out. `source` and `label` were among these; of
# one site, one template and no authors nothing can be learned about `site` and `social`: small weights by hand.
MODULES: Final = (
    Module("source", 0.5, "the most relevant page with a link to it", _source, fixed=True),
    Module("thin", 2.2, "relevant pages that link to it and to little else", _thin, fixed=True),
    Module("seldom", 5.9, "few pages link to it: it is no page that all link to", _seldom, fixed=True),
    Module("likeness", 2.7, "the page with a link to it, by the paper's cosine", _likeness, fixed=True),
    Module("words", 0.5, "the words of its anchors and its address", _words),
    Module("word", 2.5, "the nearest of these words", _word),
    Module("rare", 1.4, "how rare these words are", _rare),
    Module("paragraph", 0.7, "the nearest region that a link to it stands in", _paragraph, fixed=True),
    Module("around", 2.0, "the regions that links to it stand in, on the mean", _around, fixed=True),
    Module("entry", 0.8, "it is an entry of a list", _entry, fixed=True),
    Module("early", 0.2, "a link to it stands early on its page", _early, fixed=True),
    Module("uncrowded", 0.7, "a link to it stands among few others", _uncrowded, fixed=True),
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
