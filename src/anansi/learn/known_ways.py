"""What a chooser learned while crawling, as an entry of the knowledge base; and such entries, as its prior.

A kind that was worth following becomes a navigation pattern: the labels by which its pages were first reached, from
the root on, the last one repeated where such pages lead to others of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from anansi.errors import KnowledgeError
from anansi.knowledge.entry import Type
from anansi.knowledge.learned import Follow, Learned
from anansi.knowledge.patterns import Click, NavigationPattern
from anansi.knowledge.xpath import parse
from anansi.learn.chooser import Chooser
from anansi.learn.items import PART
from anansi.learn.lesson import CATEGORY, entry_name
from anansi.learn.link_kinds import LinkKind

FOLLOWS: Final = 40
"""Patterns of an entry at the most; those that brought most."""
ENOUGH: Final = 0.99
"""Share of all that was found at which no further pattern is written."""
STEPS: Final = 6
"""Clicks of a pattern at the most."""
LEADS: Final = 0.2
"""New links a page to others of its kind from which on a click is repeated."""


def entry_of(site: str, root: str, chooser: Chooser) -> Type | None:
    """Write what was learned of a site as an entry; None when nothing was."""
    follows = tuple(_follows(root, chooser))
    if not follows:
        return None
    about = (
        f"Learned while crawling {chooser.pages:,} pages, whose text had about {chooser.gained * PART:,.0f} distinct"
        " 2-grams; each pattern with the pages that it led to, and what they brought."
    )
    learned = Learned(site, root, chooser.pages, round(chooser.gained * PART), follows)
    return Type(id=f"{CATEGORY}/{entry_name(site)}", title=site, about=about, learned=(learned,))


def _follows(root: str, chooser: Chooser) -> Iterator[Follow]:
    kinds = sorted((kind for kind in chooser.kinds if _is_way(kind)), key=lambda kind: -kind.brought)
    total, found = sum(kind.brought for kind in kinds), 0.0
    for kind in kinds[:FOLLOWS]:
        if found >= ENOUGH * total:
            return
        found += kind.brought
        pattern = _pattern(root, kind)
        if pattern is not None:
            yield Follow(pattern, kind.visits, round(kind.brought * PART))


def _is_way(kind: LinkKind) -> bool:
    return kind.name.startswith("/") and not kind.by_address and not kind.closed and kind.brought > 0


def _pattern(root: str, kind: LinkKind) -> NavigationPattern | None:
    """Write the way to a kind's pages; None where a label is no path that an entry can hold."""
    steps: list[LinkKind] = []
    step: LinkKind | None = kind
    while step is not None and step not in steps and len(steps) < STEPS:
        steps.append(step)
        step = step.via
    try:
        clicks = tuple(_click(each) for each in reversed(steps) if each.name.startswith("/"))
    except KnowledgeError:
        return None
    return NavigationPattern(root, clicks) if clicks else None


def _click(kind: LinkKind) -> Click:
    return Click(parse(kind.name[1:]), 1, None if kind.repeated >= LEADS else 1)


def prior_of(entries: Iterable[Type]) -> dict[str, float]:
    """Return what entries say that a page brings, by the label that leads to it; at their sites and those alike."""
    found: dict[str, float] = {}
    for entry in entries:
        for learned in entry.learned:
            for follow in learned.follows:
                if follow.pages and follow.pattern.clicks:
                    label = f"/{follow.pattern.clicks[-1].path}"
                    found[label] = max(found.get(label, 0.0), follow.items / follow.pages / PART)
    return found


def patterns_of(entries: Iterable[Type], site: str) -> list[NavigationPattern]:
    """Return the patterns that were learned at a site; where there are none, those of all sites, for one alike."""
    learned = [each for entry in entries for each in entry.learned]
    own = [each for each in learned if each.site == site]
    return list(dict.fromkeys(pattern for each in own or learned for pattern in each.patterns))
