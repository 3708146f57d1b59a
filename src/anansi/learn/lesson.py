"""What was learned of a site: patterns with their evidence, and the same as an entry of the knowledge base."""

from __future__ import annotations

from dataclasses import dataclass

from anansi.knowledge.entry import Type
from anansi.knowledge.learned import Follow, Learned
from anansi.knowledge.patterns import Click, NavigationPattern
from anansi.knowledge.xpath import parse
from anansi.learn.labels import Attributes
from anansi.learn.selection import Chosen, Selection, without_parts
from anansi.learn.sitemap import SiteMap
from anansi.learn.ways import CONTINUITY, Explorer, Way
from anansi.url import site_of

CATEGORY = "learned"
"""The type above all that were learned."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """How to learn; the names in brackets are the paper's."""

    steps: int = 3
    """Clicks of a pattern at the most (k)."""
    limited: bool = True
    """Whether repeated clicks are followed three times only while learning (ac)."""
    attributes: Attributes = Attributes.ID
    """Attributes that tell labels apart (a)."""
    ratio: float = 0.95
    """Share of the items seen at which the choice ends (cr)."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned of a site."""

    root: str
    parameters: Parameters
    chosen: tuple[Chosen, ...]
    """Every way in the order of choice, those that longer ones go through included."""
    patterns: tuple[NavigationPattern, ...]
    """What to follow; what longer patterns go through is left out."""
    pages: int
    items: int
    covered: float
    """Share of the items seen that the patterns cover."""
    evaluated: int
    """How often the items of a way were counted."""


def learn(sitemap: SiteMap, parameters: Parameters) -> Lesson:
    """Learn the ways to content from a site map."""
    ways = Explorer(sitemap, limited=parameters.limited).ways(parameters.steps)
    selection = Selection(sitemap, ways)
    chosen = selection.run(parameters.ratio)
    return Lesson(
        root=sitemap.root,
        parameters=parameters,
        chosen=tuple(chosen),
        patterns=tuple(pattern_of(each.way, sitemap) for each in without_parts(chosen)),
        pages=len(sitemap),
        items=len(sitemap.universe()) * sitemap.scale,
        covered=selection.covered,
        evaluated=selection.evaluated,
    )


def pattern_of(way: Way, sitemap: SiteMap) -> NavigationPattern:
    """Write a way as a navigation pattern."""
    steps = reversed(list(way.steps()))
    clicks = (Click(parse(sitemap.labels[step.label][1:]), 1, None if step.repeated else 1) for step in steps)
    return NavigationPattern(sitemap.root, tuple(clicks))


def entry_of(lesson: Lesson, sitemap: SiteMap) -> Type:
    """Write what was learned as an entry of the knowledge base."""
    site = site_of(lesson.root)
    evidence = {pattern_of(each.way, sitemap): each for each in lesson.chosen}
    follows = tuple(Follow(pattern, evidence[pattern].pages, evidence[pattern].items) for pattern in lesson.patterns)
    parameters = lesson.parameters
    repeats = f"repeated clicks up to {CONTINUITY} times" if parameters.limited else "repeated clicks without limit"
    about = (
        f"Learned from {lesson.pages:,} pages with {lesson.items:,} distinct 2-grams, of which these patterns cover"
        f" {lesson.covered:.1%}; up to {parameters.steps} clicks, {repeats}, labels by {parameters.attributes}."
    )
    learned = Learned(site=site, root=lesson.root, pages=lesson.pages, items=lesson.items, follows=follows)
    return Type(id=f"{CATEGORY}/{entry_name(site)}", title=site, about=about, learned=(learned,))


def entry_name(site: str) -> str:
    """Make a site's name one that an entry can have."""
    return "".join(each if each.isascii() and (each.isalnum() or each in ".-") else "-" for each in site.lower())
