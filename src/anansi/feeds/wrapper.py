"""The wrapper of a site: what several of its items teach about where its objects stand.

Items whose pages share a template are found in nodes of one name. An expression that finds those nodes, and no more
than it must, is a wrapper; a site may have several (an article, its comments). With it items that were found in too
small or too great a node are put right, and pages that no feed tells of are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from anansi.feeds.article import Article, taken, with_comments
from anansi.feeds.context import Context
from anansi.feeds.lines import Lines
from anansi.feeds.nodes import Match, beginning, is_named
from anansi.induce.expressions import find, naming
from anansi.knowledge.entry import As, Extraction, Property
from anansi.knowledge.xpath import Expression

LEAST: Final = 3
"""Items that a wrapper must find alike."""
RARE: Final = 0.05
"""Share of the items below which a wrapper is chance."""
MOST_SAMPLES: Final = 40
"""Items that are learned from; more teach nothing new."""
MOST_WRAPPERS: Final = 4
MOST_TRIED: Final = 12
"""Expressions that are tried for a wrapper."""
SEVERAL: Final = 1.5
"""Objects a page, above which pages hold several."""
ABOVE: Final = 3
"""Elements around a node that may give its text their name."""
OFTEN: Final = 0.5
"""Share of the items in which a part must be out of place to be left out everywhere."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An item that was found on its page."""

    lines: Lines
    match: Match


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Where objects of a site stand."""

    expression: Expression
    without: tuple[Expression, ...] = ()
    """What stands in them and is not of them."""
    support: float = 1.0
    """Share of the items that it finds."""
    around: Expression | None = None
    """What stands around each object, where a page holds several."""


def learn(samples: Sequence[Sample]) -> tuple[Wrapper, ...]:
    """Return the wrappers that items teach, that of the most items first; none when they share nothing."""
    left = list(samples[:: max(1, len(samples) // MOST_SAMPLES)])
    least = max(LEAST, RARE * len(left))
    found: list[Wrapper] = []
    total = len(left)
    while len(left) >= least and len(found) < MOST_WRAPPERS:
        expression, held = _best(left)
        if expression is None or len(held) < least:
            break
        found.append(Wrapper(expression, _left_out(held), len(held) / total, _around(expression, held)))
        left = [each for each in left if each not in held]
    return tuple(found)


def refined(lines: Lines, match: Match, context: Context, wrappers: Iterable[Wrapper]) -> tuple[Match, list[Any]]:
    """Put a match right by what the site taught: the node that the wrapper knows, and what to leave out of it."""
    holding = [
        (end - first, number, node, wrapper)
        for number, wrapper in enumerate(wrappers)
        for node in _nodes(wrapper.expression, lines)
        for first, end in (lines.spans[node],)
        if first <= match.first and match.last < end and _related(node, match.node)
    ]
    if not holding:
        return match, []
    _, _, node, wrapper = min(holding, key=lambda each: each[:2])
    start = beginning(lines, node, context)
    first = match.first if start is None else start
    return replace(match, node=node, first=first, begins=start is not None), _inside(node, wrapper, lines)


def objects(lines: Lines, wrappers: Iterable[Wrapper]) -> list[Article]:
    """Take the objects of a page without any item: what the wrappers find, in the order of the page."""
    found: dict[Any, Wrapper] = {}
    for wrapper in wrappers:
        for node in _nodes(wrapper.expression, lines):
            found.setdefault(node, wrapper)
    outer = [node for node in found if not any(above in found for above in node.iterancestors())]
    outer.sort(key=lambda node: lines.spans[node])
    read = [(node, taken(lines, node, without=_inside(node, found[node], lines))) for node in outer]
    told = [(node, each) for node, each in read if each.text]
    if len(told) == 1:
        return [with_comments(each, lines, node) for node, each in told]
    return [each for _, each in told]


def action(wrapper: Wrapper) -> Extraction:
    """Write a wrapper as an extraction action of the knowledge base."""
    text = Property("text", wrapper.expression, As.BODY, without=wrapper.without, confidence=wrapper.support)
    if wrapper.around is None:
        return Extraction("article", (), "", (text,), ("text",), confidence=wrapper.support)
    return Extraction("post", (wrapper.around,), "", (text,), ("text",), confidence=wrapper.support)


def _related(one: Any, other: Any) -> bool:
    return one is other or one in other.iterancestors() or other in one.iterancestors()


def _nodes(expression: Expression, lines: Lines) -> list[Any]:
    return [node for node in find(expression, lines.root) if node in lines.spans]


def _inside(node: Any, wrapper: Wrapper, lines: Lines) -> list[Any]:
    found = (each for expression in wrapper.without for each in find(expression, lines.root))
    return [each for each in found if node in each.iterancestors()]


# ── learning ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _best(samples: Sequence[Sample]) -> tuple[Expression | None, list[Sample]]:
    """Return the expression that finds the nodes of the most items, and those items."""
    votes = Counter(each for sample in samples for each in dict.fromkeys(_candidates(sample)))
    best: tuple[tuple[int, int, int], Expression | None, list[Sample]] = ((0, 0, 0), None, [])
    for expression, _ in votes.most_common(MOST_TRIED):
        held, strays = [], 0
        for sample in samples:
            nodes = _nodes(expression, sample.lines)
            span = sample.lines.spans[sample.match.node]
            held += [sample] if any(sample.lines.spans[node] == span for node in nodes) else []
            strays += len(nodes)
        rank = (len(held), -strays, -len(str(expression)))
        best = max(best, (rank, expression, held), key=lambda each: each[0])
    return best[1], best[2]


def _around(expression: Expression, samples: Sequence[Sample]) -> Expression | None:
    """Return what finds the element around each object; None where a page holds one object, or none is found."""
    found = [_nodes(expression, each.lines) for each in samples]
    if sum(map(len, found)) <= SEVERAL * len(samples):
        return None
    above = Counter(each for nodes in found for each in naming(nodes[0].getparent()))
    for outer, _ in above.most_common(MOST_TRIED):
        pairs = zip(samples, found, strict=True)
        if all([node.getparent() for node in nodes] == _nodes(outer, each.lines) for each, nodes in pairs):
            return outer
    return None


def _candidates(sample: Sample) -> Iterator[Expression]:
    """Go through the expressions that may find the node of an item, or one around it with the same text."""
    node, spans = sample.match.node, sample.lines.spans
    around = [node, *(above for above, _ in zip(node.iterancestors(), range(ABOVE), strict=False))]
    for each in around:
        if spans.get(each) == spans[node]:
            yield from naming(each)


def _left_out(samples: Sequence[Sample]) -> tuple[Expression, ...]:
    """Return what stands in the nodes of many items before their text, or says the same on all of them."""
    repeated = _repeated(samples)
    votes: Counter[Expression] = Counter()
    for sample in samples:
        first, end = sample.lines.spans[sample.match.node]
        start = sample.match.first if sample.match.begins else first
        odd = [line for line in range(first, end) if line < start or sample.lines.texts[line] in repeated]
        votes.update({path for line in odd for path in _part(sample, line, set(odd))})
    often = [each for each, count in votes.items() if count >= max(LEAST, OFTEN * len(samples))]
    return tuple(sorted(often, key=str))


def _part(sample: Sample, line: int, odd: set[int]) -> Iterator[Expression]:
    """Go through the names of the greatest element around a line that holds nothing else but lines like it."""
    element, best = sample.lines.blocks[line], None
    while element is not sample.match.node and element is not None:
        span = sample.lines.spans.get(element)
        if span is not None and not set(range(*span)) <= odd:
            break
        best = element if is_named(element) else best
        element = element.getparent()
    if best is not None:
        yield from islice(naming(best), 1)


def _repeated(samples: Sequence[Sample]) -> set[str]:
    """Return the lines that the nodes of many items of different pages share."""
    pages: dict[str, set[int]] = {}
    for sample in samples:
        first, end = sample.lines.spans[sample.match.node]
        for text in sample.lines.texts[first:end]:
            pages.setdefault(text, set()).add(id(sample.lines))
    total = len({id(sample.lines) for sample in samples})
    return {text for text, held in pages.items() if len(held) >= max(LEAST, OFTEN * total)}
