"""Algorithm 2: a type is detected and its actions find nothing.

1. What a page of the level cannot do without is missing: the action failed.
2. Numbers tell the objects of several pages apart; old expressions, relaxed, find their containers (`study`).
3. In them, every property: rules that still work, else relaxed ones and what looks like it (`suggest`).
4. What all pages vouch for is taken (`evidence_of`); what may be two things stays missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from anansi.adapt.failed_page import FailedPage
from anansi.adapt.mend import Rules
from anansi.adapt.suggest import last, suggestions
from anansi.adapt.trial import Candidate
from anansi.induce.evidence import SURE, Found, ValueEvidence
from anansi.induce.foreign_text import own_text
from anansi.induce.names import NameWords
from anansi.induce.page_text import squeezed
from anansi.induce.study import Study, studies
from anansi.knowledge.addresses import place as place_of
from anansi.knowledge.entry import Extraction, Kind, Property, Type
from anansi.knowledge.search import about_linked
from anansi.knowledge.xpath import Expression
from anansi.pages.missing import NEEDED

CLEAR: Final = 0.08
"""How much surer than of the next one one must be of rules that find something else."""

CALLED: Final = 0.35
"""What it counts that an element is called what the property is called, where nothing else tells."""

ORDER: Final = ("id", "title", "author", "date", "text", "author-link", "link", "number", "section")
"""What is looked for, each by what is known before it."""

APART: Final = ("title", "date", "text")
"""What no two pages have in common; what is the same on all of them is the site's."""

KEPT: Final = 0.25
"""How little a rule is changed that keeps a name."""

SIGNED: Final = 4
"""Letters of the shortest signature."""

HEADING: Final = 6
"""Letters of the shortest words by which a quote is headed."""

QUOTED: Final = 80
"""Characters in which a quote's heading says who is quoted."""

LITTLE: Final = 0.15
"""What it counts that a rule is little changed."""


@dataclass(frozen=True)
class Mended:
    """Rules for one kind of object that several pages vouch for."""

    action: Extraction
    each: Expression | None
    """Where its containers stand; None when an expression for them works, or when there are none."""
    rules: dict[str, Rules] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    """What they find on each page."""
    urls: Sequence[str] = ()
    """The pages."""

    @property
    def candidates(self) -> dict[str, Candidate]:
        """The rules with their evidence."""
        return {
            name: Candidate(
                rules,
                pages=[(url, [*map(list, page)]) for url, page in zip(self.urls, self.found[name], strict=True)],
            )
            for name, rules in self.rules.items()
        }


def mended(failed_pages: Sequence[FailedPage], action: Extraction, name_words: NameWords) -> Mended | None:
    """Mend an action by what several pages of a level have in common; None when nothing is sure."""
    if len({broken.spans.text for broken in failed_pages}) < len(failed_pages):
        return None  # one page under several addresses proves no more than one
    first = failed_pages[0]
    for study in studies(failed_pages, action, first.level.extraction, partial(_leads_to_list, first.entry)):
        found = _filled(study, name_words)
        if any(broken.tired for broken in failed_pages):
            return None  # what was not looked at may say otherwise
        if found is not None:
            return found
    return None


def _leads_to_list(entry: Type, url: str) -> bool:
    """Tell by a type's addresses whether one leads to a list."""
    lists = {level.name for level in entry.levels if level.kind is Kind.INTERMEDIATE} - {"home"}
    place = place_of(entry.addresses, url)
    return place is not None and place.leads in lists


def _filled(study: Study, name_words: NameWords) -> Mended | None:
    """Find rules for the properties of objects; None when what they cannot be without is not found."""
    action, evidence_of = study.action, ValueEvidence(study)
    rules: dict[str, Rules] = {}
    names = [name for name in ORDER if name in action.names]
    told: set[str] = set()
    for name in names:
        if name == "text" and not told >= {"author", "date"} & set(NEEDED.get(action.object, ())) & set(action.names):
            continue
        best = _best(study, evidence_of, name, name_words)
        if best is None:
            continue
        told.add(name)
        prop, found = best
        if prop is not None:
            rules[name] = (prop,)
        if name == "author":
            evidence_of.authors = study.firsts(found)
        if name == "text":
            evidence_of.texts = found
        if name == "date":
            evidence_of.dates = [[values[0] for values in page] for page in found]
    if "text" in told and "signature" in action.names and (signed := _signatures(study, evidence_of, name_words)):
        rules["signature"] = (signed,)
    if not _there(study) and (_headed_quotes(study, evidence_of) or _unproved(study, told)):
        return None  # objects that were not there would come with what old rules find
    if study.each is not None and "id" not in told and any(study.old("id")):
        return None  # old rules would number the objects in another way
    needed = {name for name in NEEDED.get(action.object, ()) if name in action.names}
    if not any(study.old("text")) and "text" not in action.needs:
        needed -= {"text"}  # what is not found is not wrong
    if action.each and (
        not needed <= told or not all(study.full(study.old(name)) for name in action.needs if name not in told)
    ):
        return None
    new = study.each if study.each not in action.each else None
    values: dict[str, Found] = {name: study.values(*each) for name, each in rules.items()}
    urls = [broken.place.url for broken in study.studied_pages]
    return Mended(action, new, rules, values, urls) if rules or new is not None else None


Choice = tuple[float, Property | None, Found]
"""How sure one is of a rule, and what it finds on all pages; None in its place when the old ones do."""


def _best(
    study: Study, evidence_of: ValueEvidence, name: str, name_words: NameWords
) -> tuple[Property | None, Found] | None:
    """Return the rule of which one is surest, None in its place when old ones still do; None when unsure."""
    old = study.old(name)
    if study.full(old) and _there(study) and (name not in APART or _apart(study, old)):
        return None, old
    if _by_machine(study, name, old) or _works(study, evidence_of, name, old):
        return None, old
    ranked = sorted(_choices(study, evidence_of, name, name_words), key=lambda each: -each[0])
    if not ranked or ranked[0][0] < SURE[name]:
        return None
    best = ranked[0]
    rivals = [each for each in ranked if each[0] > best[0] - CLEAR]
    if len({study.firsts(each[2]) for each in rivals}) > 1:
        return None
    return best[1:]


def _there(study: Study) -> bool:
    """Tell whether the old rules find all objects: then what they find in them is left as it is."""
    kind = study.action.object
    if study.each is not None and study.each not in study.action.each:
        return False
    found = (each.objects for each in study.studied_pages if isinstance(each, FailedPage))
    counts = [sum(each.kind == kind for each in objects) for objects in found]
    return counts == [len(page) for page in study.pages]


def _apart(study: Study, old: Found) -> bool:
    """Tell whether values differ from page to page."""
    return len(set(study.firsts(old))) > 1


def _works(study: Study, evidence_of: ValueEvidence, name: str, old: Found) -> bool:
    """Tell whether the old rules of a property find what all pages vouch for."""
    sure = evidence_of.judge(name, old) if any(old) else 0.0
    if name == "author" and sure and not any(map(any, evidence_of.people)):
        sure += CALLED
    if sure < SURE[name]:
        return False
    if name != "text":
        return True
    rules = [prop for prop in study.action.properties if prop.name == name and any(study.values(prop))]
    return all(own_text(study, prop, evidence_of.names) == prop for prop in rules[:1])


def _choices(study: Study, evidence_of: ValueEvidence, name: str, name_words: NameWords) -> Iterator[Choice]:
    """Go through rules for a property that the pages do not speak against."""
    linked = any(map(any, evidence_of.people))
    for weight, prop in suggestions(study, name, name_words):
        if not evidence_of.judge(name, study.values(prop)) or not _inside(study, prop):
            continue
        if name in ("title", "author", "date") and study.each is None and not _called(weight, prop):
            continue
        chosen = own_text(study, prop, evidence_of.names) if name == "text" else prop
        if chosen is None:
            continue
        found = study.values(chosen)
        sure = evidence_of.judge(name, found)
        if name == "author" and weight > 0 and not linked:
            sure += CALLED  # nobody is linked to: what it is called must tell
        yield sure + LITTLE * min(1.0, weight), chosen, found


def _called(weight: float, prop: Property) -> bool:
    """Tell whether a rule asks for what is called so: else much of a page may be it."""
    if prop.name == "title":
        return last(prop.expression).test in ("h1", "h2", "h3", "h4") or weight >= KEPT
    return weight > 0


def _signatures(study: Study, evidence_of: ValueEvidence, name_words: NameWords) -> Property | None:
    """Return a rule for signatures, which objects may be without: what is called so, if no two things are."""
    if any(study.old("signature")) or len(study.regions) == len(study.pages):
        return None  # of one object a page, anything may be its signature
    texts = [squeezed(value.text) for page in evidence_of.texts for values in page for value in values]
    linked = (name for page in evidence_of.people for one in page for name in one)
    people = {squeezed(name) for name in (*evidence_of.names, *linked)}
    there = [
        (weight, prop)
        for weight, prop in suggestions(study, "signature", name_words)
        if weight > 0 and all(study.values(prop)) and _can_sign(study.values(prop), texts, people)
    ]
    best = [prop for weight, prop in there if weight >= there[0][0] - CLEAR]
    found = {study.firsts(study.values(prop)) for prop in best}
    return best[0] if len(found) == 1 else None


def _headed_quotes(study: Study, evidence_of: ValueEvidence) -> bool:
    """Tell whether old rules for quotes find who is quoted, too: a name, or words that other pages have there."""
    found = [squeezed(value.text)[:QUOTED] for page in study.old("quote") for values in page for value in values]
    heads = {squeezed(name) for name in evidence_of.names} | {each for each in study.repeated if len(each) >= HEADING}
    return any(head in each for head in heads for each in found)


def _unproved(study: Study, told: set[str]) -> bool:
    """Tell whether old rules find what an object is called or when it is from, and nothing vouches for it."""
    return any(name not in told and any(study.old(name)) for name in ("title", "date") if name in study.action.names)


def _can_sign(found: Found, texts: Sequence[str], people: set[str]) -> bool:
    said = [squeezed(values[0].text) for page in found for values in page]
    return all(
        sum(map(str.isalpha, each)) >= SIGNED
        and not any(name in each for name in people)
        and not any(each in text or text in each for text in texts if text)
        for each in said
    )


def _inside(study: Study, prop: Property) -> bool:
    """Tell whether what is said of a page stands in no object of another kind."""
    steps = prop.expression.steps
    path = steps[:-1] if steps[-1].test == "text()" or steps[-1].test.startswith("@") else steps
    if study.each is not None or not path:
        return True
    firsts = [(one, one.studied.find(Expression(path))[:1]) for one in study.regions]
    return all(element in one.elements for one, found in firsts for element in found)


def _by_machine(study: Study, name: str, old: Found) -> bool:
    """Tell whether old rules read a property where pages write it for machines."""
    if not any(old) or not study.full(old):
        return False
    rules = [prop for prop in study.action.properties if prop.name == name]
    told = [prop for prop in rules if last(prop.expression).test in ("meta", "link") or about_linked(prop.expression)]
    return any(study.firsts(study.values(prop)) == study.firsts(old) for prop in told)
