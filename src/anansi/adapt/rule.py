"""Rules that were proved, and the entry that they make: a type for the site, below the type that they mend."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from anansi.adapt.failed_page import FailedPage
from anansi.adapt.trial import Candidate, Way, evidence
from anansi.knowledge.catalogue import slug
from anansi.knowledge.entry import Evidence, Extraction, Level, Navigation, Pattern, Property, Type
from anansi.knowledge.xpath import Expression, parse

SHOWN: Final = 120
"""Characters of a value that is kept as evidence."""

RULES: Final = 200
"""Rules of one entry; more would be no template's."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that was learned, and what speaks for it."""

    type: str
    """The type that it mends."""
    site: str
    level: str
    kind: str
    """`each`, `property`, `detect` or `navigate`."""
    object: str = ""
    name: str = ""
    """The property; of a navigation action the level that it leads to."""
    expression: Expression | None = None
    property: Property | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence(""))
    run: bool = False
    """Whether containers reach up to the next one."""


def identity(type_id: str, level: str, *parts: str) -> str:
    """Return the name of a rule: the same rule has the same name wherever it was learned."""
    said = "\0".join((type_id, level, *parts))
    return hashlib.sha256(said.encode()).hexdigest()[:8]


def mended(
    failed: FailedPage, site: str, action: Extraction, way: Way, chosen: dict[str, Candidate]
) -> Iterator[Rule]:
    """Make rules of what was proved."""
    type_id, level, how = unlearned(failed.entry.id, site), failed.level.name, "recrawl" if way.known else "new site"
    if way.each is not None:
        pages = tuple(dict.fromkeys(url for each in chosen.values() for url, _ in each.pages)) or (failed.place.url,)
        said = Evidence(
            rule=identity(type_id, level, action.object, "each", str(way.each)),
            how=how,
            mends=" | ".join(map(str, action.each)),
            pages=pages,
        )
        yield Rule(type_id, site, level, "each", action.object, expression=way.each, run=way.run, evidence=said)
    for name, candidate in chosen.items():
        seen = list(evidence(candidate))
        for rule in reversed(candidate.rules):  # each is put before those that are there
            said = Evidence(
                rule=identity(type_id, level, action.object, name, str(rule.expression), rule.match),
                how=how,
                mends=" | ".join(str(prop.expression) for prop in action.properties if prop.name == name),
                pages=tuple(url for url, _ in seen),
                values=tuple(dict.fromkeys(value[:SHOWN] for _, value in seen)),
            )
            yield Rule(type_id, site, level, "property", action.object, name, rule.expression, rule, said)


def unlearned(type_id: str, site: str) -> str:
    """Return the type that a site's own type is below."""
    return type_id.removesuffix(f"/{slug(site)}")


# ── the entry ────────────────────────────────────────────────────────────────────────────────────────────────────


def entry_of(parent: Type, site: str, rules: Sequence[Rule], before: Type | None = None) -> Type:
    """Return the entry of a site: what it said before, with more rules; the newest come first."""
    entry = before if before is not None else _begun(parent, site)
    known = {each.rule for each in entry.evidence}
    for rule in rules:
        if rule.evidence.rule not in known and len(entry.evidence) < RULES:
            known.add(rule.evidence.rule)
            entry = replace(
                entry,
                levels=_with(entry.levels, parent, rule),
                evidence=(*entry.evidence, replace(rule.evidence, action=told(rule))),
            )
    return entry


def _begun(parent: Type, site: str) -> Type:
    host = parse(f"url[contains(host,'{_host(site)}')]")
    detection = tuple(Pattern((*each.expressions, host), each.seen) for each in parent.detection)
    return Type(
        id=f"{parent.id}/{slug(site)}",
        title=f"{parent.title} at {site}",
        about=f"What was learned at {site}; `anansi kb learned` shows it with its evidence.",
        detection=detection,
    )


def _host(site: str) -> str:
    return site.rpartition(":")[0] or site if site.rpartition(":")[2].isdigit() else site.replace("'", "")


def told(rule: Rule) -> str:
    """Say in words what a rule does."""
    what = rule.kind if rule.kind != "property" else ""
    return f"{rule.level}: {' '.join(filter(None, (rule.object, rule.name, what)))}: {rule.expression}"


def _with(levels: tuple[Level, ...], parent: Type, rule: Rule) -> tuple[Level, ...]:
    own = next((each for each in levels if each.name == rule.level), None)
    general = parent.level(rule.level)
    if general is None:
        return levels
    level = _with_rule(own or Level(general.name, general.kind), general, rule)
    return tuple(level if each is own else each for each in levels) if own is not None else (*levels, level)


def _with_rule(level: Level, general: Level, rule: Rule) -> Level:
    expression = rule.expression
    assert expression is not None
    if rule.kind == "detect":
        return replace(level, detection=(Pattern((expression,), seen=rule.site), *level.detection))
    if rule.kind == "navigate":
        return replace(level, navigation=(Navigation(rule.name, expression), *level.navigation))
    action = next((each for each in level.extraction if each.object == rule.object), None)
    added = _added(action or Extraction(rule.object), rule, general)
    rest = [added if each is action else each for each in level.extraction]
    return replace(level, extraction=tuple(rest if action is not None else [*rest, added]))


def _added(action: Extraction, rule: Rule, general: Level) -> Extraction:
    if rule.property is not None:
        return replace(action, properties=(rule.property, *action.properties))
    assert rule.expression is not None
    properties = action.properties or _some(general, rule.object)
    runs = action.runs | {rule.expression} if rule.run else action.runs
    return replace(action, each=(rule.expression, *action.each), properties=properties, runs=runs)


def _some(general: Level, kind: str) -> tuple[Property, ...]:
    """Return a property of the general rules: an extraction has one at least."""
    found: Iterable[Property] = (
        prop for each in general.extraction if each.object == kind for prop in each.properties
    )
    return tuple(found)[:1]
