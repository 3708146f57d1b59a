"""A proposal as levels of an entry: what tells each kind of page, where lists lead, what content yields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from anansi.errors import KnowledgeError
from anansi.induce.expressions import find
from anansi.induce.outline import Places
from anansi.knowledge.entry import Kind as LevelKind
from anansi.knowledge.entry import Level, Navigation, Pattern, Type
from anansi.knowledge.xpath import Expression, parse
from anansi.learn.kinds import Kind
from anansi.learn.lesson import CATEGORY, entry_name
from anansi.learn.regions import Draft, Proposal
from anansi.url import site_of

LEVELS: Final = 12
"""Levels of a draft; templates of fewer pages are left out."""
TRIED: Final = 8
"""Pages of a template on which a pattern is tried."""
OWN: Final = 0.9
"""Share of a template's pages that a pattern must find."""
OTHERS: Final = 0.1
"""Share of the pages of other kinds that it may find."""

_LITERAL: Final = re.compile(r"[A-Za-z][A-Za-z_.-]{2,}")
_NAMES: Final = {Kind.LIST: "list", Kind.VIEW: "view"}


def levels(proposal: Proposal) -> tuple[Level, ...]:
    """Write the levels of a site, those that are content first."""
    kept = [each for each in proposal.drafts if each.kind is not Kind.OTHER][:LEVELS]
    kept.sort(key=lambda each: each.kind is not Kind.DETAIL)
    named: dict[str, list[Draft]] = {}
    for draft in kept:
        named.setdefault(_name(draft, named), []).append(draft)
    names = {shape: name for name, those in named.items() for each in those for shape in each.template.shapes}
    made = (_level(name, those, proposal, names) for name, those in named.items())
    return tuple(each for each in made if each.detection)


def with_levels(entry: Type, proposal: Proposal) -> Type:
    """Return an entry of a site with the levels that are proposed; it is detected where one of its levels is."""
    found = levels(proposal)
    host = parse(f"url[contains(host,'{entry.title.partition(':')[0]}')]")
    patterns = (
        Pattern((host, *(each for each in pattern.expressions if each != host)), pattern.seen)
        for level in found
        for pattern in level.detection
    )
    return replace(entry, levels=found, detection=tuple({each.expressions: each for each in patterns}.values()))


def draft_of(proposal: Proposal, url: str) -> Type:
    """Write a proposal as an entry of the site that a URL is of."""
    site = site_of(url)
    about = f"Proposed from {proposal.site.pages:,} pages of {site}."
    return with_levels(Type(id=f"{CATEGORY}/{entry_name(site)}", title=site, about=about), proposal)


def _name(draft: Draft, taken: dict[str, list[Draft]]) -> str:
    """Name a level by what it is; templates that yield the same are one."""
    base = draft.extraction[0].object if draft.extraction else _NAMES[draft.kind]
    for number in range(1, LEVELS + 2):
        name = base if number == 1 else f"{base}-{number}"
        if name not in taken or _same(taken[name][0], draft):
            return name
    return base


def _same(one: Draft, other: Draft) -> bool:
    kinds = ({each.object for each in draft.extraction} for draft in (one, other))
    return one.marks == other.marks and next(kinds) == next(kinds)


def _level(name: str, drafts: Sequence[Draft], proposal: Proposal, names: dict[str, str]) -> Level:
    detail = drafts[0].kind is Kind.DETAIL
    others = [each for each in proposal.drafts if each not in drafts and (detail or each.kind is Kind.DETAIL)]
    patterns = [pattern for each in drafts if (pattern := _pattern(each, others, proposal.site.places)) is not None]
    leads = {expression: names[shape] for each in drafts for expression, shape in each.leads if shape in names}
    return Level(
        name=name,
        kind=LevelKind.TERMINAL if detail else LevelKind.INTERMEDIATE,
        detection=tuple({pattern.expressions: pattern for pattern in reversed(patterns)}.values())[::-1],
        navigation=tuple(Navigation(to, expression) for expression, to in leads.items()),
        extraction=drafts[0].extraction,
    )


# ── detection ────────────────────────────────────────────────────────────────────────────────────────────────────


def _pattern(draft: Draft, others: Sequence[Draft], places: Places) -> Pattern | None:
    """Return what the pages of a template have and few others do."""
    best: tuple[float, Expression] | None = None
    for expression in _telling(draft, others, places):
        own, elsewhere = _found(expression, [draft]), _found(expression, others)
        if own >= OWN and (best is None or elsewhere < best[0]):
            best = elsewhere, expression
            if elsewhere <= OTHERS:
                break
    if best is None:
        return None
    seen = f"{draft.pages:,} pages"
    if best[0] > OTHERS and (address := _address(draft, others)) is not None:
        return Pattern((address, best[1]), seen)
    return Pattern((best[1],), seen)


def _telling(draft: Draft, others: Sequence[Draft], places: Places) -> Iterator[Expression]:
    """Go through what may tell a template: what was found on it, then the places that it has and others have not."""
    yield from draft.marks
    template = draft.template
    out = sum(len(each.template.pages) for each in others) or 1

    def told(place: int) -> float:
        return template.counts[place] / len(template.pages) - sum(o.template.counts[place] for o in others) / out

    named = [place for place in template.core if "[@id=" in places.step[place] or "(@class" in places.step[place]]
    for place in sorted(named, key=lambda place: (-told(place), place))[:6]:
        yield parse(places.step[place])
        try:
            yield parse("/".join(places.steps(place)[-2:]))
        except KnowledgeError:
            continue


def _found(expression: Expression, drafts: Iterable[Draft]) -> float:
    """Return the share of pages on which an expression finds something, each template by its pages."""
    found = total = 0.0
    for draft in drafts:
        pages = draft.template.pages[:TRIED]
        found += draft.pages * sum(bool(find(expression, page.root)) for page in pages) / max(1, len(pages))
        total += draft.pages
    return found / total if total else 0.0


def _address(draft: Draft, others: Sequence[Draft]) -> Expression | None:
    """Return a word that stands in the paths of all of a template's addresses and in few others."""
    paths = [_path(page.url) for page in draft.template.pages]
    elsewhere = [_path(page.url) for each in others for page in each.template.pages]
    for word in sorted(set(_LITERAL.findall(paths[0])), key=lambda each: (-len(each), each)):
        if all(word in path for path in paths) and sum(word in path for path in elsewhere) <= OTHERS * len(elsewhere):
            return parse(f"url[contains(path,'{word}')]")
    return None


def _path(url: str) -> str:
    return "/" + url.partition("://")[2].partition("/")[2].partition("?")[0]
