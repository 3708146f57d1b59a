"""What was found in blocks and on pages, as extraction actions of the knowledge base."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any, Final

from anansi.induce.blocks import INLINE, Region, single
from anansi.induce.expressions import find
from anansi.induce.fields import Found, Parts, Slot
from anansi.induce.judges import of_template
from anansi.induce.names import QUOTE, SIGNATURE
from anansi.induce.outline import Outline, Places
from anansi.induce.place_expressions import STEPS, Container, below, container, within
from anansi.knowledge import xpath
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import Expression, parse

EXPECTED: Final[dict[str, tuple[str, ...]]] = {
    "post": ("author", "date", "text"),
    "comment": ("author", "date", "text"),
    "article": ("title", "author", "date", "text"),
    "document": ("title", "text"),
    "thread": ("title",),
}
"""What an object should have; its confidence is the mean over these."""
LONGEST: Final = 300
"""Characters of what all titles of a template have; more is no name of a site."""
PIECES: Final = 0.01
"""Share of the blocks whose text is in several pieces (quotes stand between them) above which all are taken."""
TITLE: Final = 250
"""Characters of the longest title."""
SIGNED: Final = 0.5
"""Share of the values that two blocks of one author must have in common for a part of the text to be a signature."""

_READ_AS: Final = {"date": As.DATE, "text": As.BODY}
_HEADINGS: Final = {"h1": 0.5, "h2": 0.3, "h3": 0.15, "h4": 0.1}
_TITLE_ELEMENT: Final = parse("head/title")
_OPEN_GRAPH: Final = parse("meta[@property='og:title']/@content")


def blocks_action(
    kind: str, part_of: str, place: int, parts: Parts, found: dict[str, Found], pages: Sequence[Outline]
) -> Extraction | None:
    """Write the action that takes an object from every block."""
    there = container(place, parts.blocks, parts.places)
    if there is None:
        return None
    properties = [*_identity(parts), *_properties(found, place, parts, there)]
    sure = {each.name: each.confidence for each in reversed(properties)}
    needs = tuple(name for name in ("text", "author", "date") if sure.get(name, 0) > 0)[:2]
    agree = _agreement(kind, sum(bool(page.by_place.get(place)) for page in pages), len(pages))
    return Extraction(
        kind, (there.expression,), part_of, tuple(properties), needs, confidence=_mean(kind, sure) * agree
    )


def page_action(parts: Parts, found: dict[str, Found], title: Iterable[Property]) -> Extraction | None:
    """Write the action that takes one object from a page."""
    properties = [*title, *_properties(found, 0, parts, None)]
    sure = {each.name: each.confidence for each in reversed(properties)}
    if "text" not in sure:
        return None
    kind = "article" if "date" in sure else "document"
    kept = tuple(each for each in properties if kind == "article" or each.name != "author")
    agree = _agreement(kind, len(parts.blocks), len(parts.blocks))
    return Extraction(kind, (), "", kept, ("text",), confidence=_mean(kind, sure) * agree)


def title_action(kind: str, title: Iterable[Property]) -> Extraction | None:
    """Write the action that takes the whole that a page shows by its title."""
    found = tuple(title)
    if not found:
        return None
    return Extraction(kind, (), "", found, ("title",), confidence=found[0].confidence)


def alone(action: Extraction) -> Extraction:
    """Return an action whose object is part of nothing."""
    return replace(action, part_of="")


def _agreement(kind: str, have: int, pages: int) -> float:
    """Say from 0 to 1 how much pages agree: the share that has an object, less where few were seen.

    A page without comments does not disagree.
    """
    share = have / pages if kind != "comment" else 1.0
    return share * have / (have + 1)


def _mean(kind: str, sure: dict[str, float]) -> float:
    return fmean(sure.get(name, 0.0) for name in EXPECTED[kind])


def _properties(found: dict[str, Found], place: int, parts: Parts, there: Container | None) -> list[Property]:
    """Write what was found; the text without what stands in it and is something else."""
    made: list[Property] = []
    for name, each in found.items():
        for slot in each.slots:
            expression = below(slot, place, parts.blocks, there, parts.places)
            if expression is None:
                continue
            sure, read_as = round(min(1.0, each.confidence), 2), _READ_AS.get(name, As.TEXT)
            prop = Property(name, expression, read_as, confidence=sure)
            made.append(replace(prop, **_of_text(slot, parts, found, made)) if name == "text" else prop)
    return made


def _of_text(slot: Slot, parts: Parts, found: dict[str, Found], made: Iterable[Property]) -> dict[str, Any]:
    """Say what a text is without, and whether it has several pieces."""
    inside = {
        name
        for name, each in found.items()
        for other in each.slots
        if name != "text" and parts.places.below(other.place, slot.place)
    }
    others = [each.expression for each in made if each.name in inside and "@" not in each.expression.steps[-1].test]
    many = parts.many[slot.place] > PIECES * len(slot.nodes)
    return {"without": (*_left_out(slot, parts), *others), "many": many}


def _identity(parts: Parts) -> Iterator[Property]:
    """Take the id of blocks where each has another one; it names them."""
    named = [page.elements[each].get("id") for page, each in parts.blocks]
    if all(named) and len(set(named)) >= 0.5 * len(named) and any(map(str.isdigit, named[0])):
        yield Property("id", parse("@id"))


def _left_out(slot: Slot, parts: Parts) -> Iterator[Expression]:
    """Go through what stands in texts and is not of them: quotes, signatures, notes, what the template says there."""
    if len(parts.blocks) and parts.blocks[0].element == 0:
        return  # an article keeps its quotes
    places, out = parts.places, dict[int, str]()
    inside = {
        place: places.step[place] for place in parts.nodes if place != slot.place and places.below(place, slot.place)
    }
    for place, step in inside.items():
        if step in out.values() or any(places.below(place, each) for each in out):
            continue
        if (
            QUOTE.search(step)
            or SIGNATURE.search(step)
            or _is_written([at for at in inside if inside[at] == step], parts)
        ):
            out[place] = step
            yield parse(step)


def _is_written(places: Sequence[int], parts: Parts) -> bool:
    """Tell whether the template writes all that stands in places of one name; what stands in a line is a writer's."""
    step = parts.places.step[places[0]]
    if "(@" not in step or step.partition("[")[0] in INLINE:
        return False
    pages: dict[int, list[str]] = defaultdict(list)
    for number, text in (each for place in places for each in parts.texts(parts.nodes[place]).items()):
        pages[id(parts.blocks[number].page)].append(text)
    return of_template(list(pages.values()))


def link_below(place: int, region: Region, there: Container | None, parts: Parts) -> Expression | None:
    """Write the link of a list's rows: all of its way, for every link that is found is followed."""
    steps = within(place, region.place, parts.places)[-STEPS:]
    if there is None or not steps:
        return None
    link = there.expression / parse("/".join(steps))
    return link if len(str(link)) <= xpath.LONGEST else None


# ── titles ───────────────────────────────────────────────────────────────────────────────────────────────────────


def title_of(pages: Sequence[Outline], places: Places) -> tuple[list[Property], list[Slot]]:
    """Find the title of pages and where it stands: a heading that is part of the page's title, or that title."""
    titles = {id(page): _line(page, _TITLE_ELEMENT) for page in pages}
    parts = Parts(single(pages), places)
    best = max(_headings(parts, titles), key=lambda each: each[0], default=None)
    if best is not None and (expression := below(best[2], 0, parts.blocks, None, places)) is not None:
        sure = min(1.0, best[1]) * best[2].share(len(parts.blocks))
        return [Property("title", expression, confidence=round(sure, 2))], [best[2]]
    return _elsewhere(pages, titles), []


def _headings(parts: Parts, titles: dict[int, str]) -> Iterator[tuple[float, float, Slot]]:
    """Go through what stands once on pages and is part of their titles: how good, how much a title, where."""
    for slot in parts.slots(TITLE, 0.8):
        if parts.many[slot.place] <= 0.2 * len(parts.blocks):
            share = _titled(slot, parts, titles)
            if share > 0.3:
                yield share + _HEADINGS.get(parts.places.step[slot.place].partition("[")[0], 0.0), share, slot


def _titled(slot: Slot, parts: Parts, titles: dict[int, str]) -> float:
    """Say from 0 to 1 how much texts are the titles of their pages: a part of these, and different ones."""
    shares, pairs = [], set()
    for number, value in slot.values.items():
        whole = titles[id(parts.blocks[number].page)]
        pairs.add((value, whole))
        shares.append(min(1.0, 0.5 + len(value) / len(whole)) if whole and value in whole else 0.0)
    distinct = len({value for value, _ in pairs}) / max(1, len({whole for _, whole in pairs}))
    return fmean(shares) * min(1.0, distinct) if len(pairs) > 1 else 0.0


def _elsewhere(pages: Sequence[Outline], titles: dict[int, str]) -> list[Property]:
    """Take the title from what a page says of itself."""
    graphed = [line for page in pages if (line := _line(page, _OPEN_GRAPH))]
    if len(graphed) >= 0.8 * len(pages) and len(set(graphed)) > 0.5 * len(set(titles.values())):
        return [Property("title", _OPEN_GRAPH, confidence=0.8)]
    given = [each for each in titles.values() if each]
    if len(set(given)) < 2 or len(given) < 0.8 * len(pages):
        return []
    before = _boundary(_begin(given), at_end=True)
    after = _boundary(_begin([each[::-1] for each in given])[::-1], at_end=False)
    match = rf"^{re.escape(before)}(.+?){re.escape(after)}$" if before or after else ""
    if len(match) > LONGEST or not match.isprintable():
        match = ""
    return [Property("title", _TITLE_ELEMENT, match=match.replace(r"\ ", " "), confidence=0.6)]


def _begin(texts: Sequence[str]) -> str:
    """Return what texts begin with alike."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def _boundary(text: str, *, at_end: bool) -> str:
    """Cut what titles have in common where a word ends."""
    found = re.match(r"(.*\W)?", text) if at_end else re.search(r"(\W.*)?$", text)
    return (found[0] if found is not None else "").strip("\n")


def _line(page: Outline, expression: Expression) -> str:
    found = find(expression, page.root)
    text = "" if not found else found[0] if isinstance(found[0], str) else "".join(found[0].itertext())
    return " ".join(str(text).split())
