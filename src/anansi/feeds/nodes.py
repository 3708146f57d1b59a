"""Where the object of an item stands on a page (Algorithm 1 of the paper on feeds).

A conceptual node is a line that shares a sequence of words with the item, a semantic node the closest block around
such lines, and the wrapper node the semantic node that fits the item best. Three words in sequence are looked for
first, then two, then single concepts; a wrapper that holds less than half of the concepts is left for what stands
around it, and given up at the root.

The paper takes the node with the greatest sum of densities. A title in a list of recent posts is as dense as a line
can be, so here the lines that share something with the description count before those that share only the title, a
node counts by how many different sequences it holds, and density decides between equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from anansi.feeds.context import Context
from anansi.feeds.lines import BEGINNING, Lines
from anansi.text.elements import BLOCKS
from anansi.text.words import stem

CONSISTENT: Final = 0.5
"""Share of the concepts that a wrapper holds (definition 5 of the paper)."""
SIZES: Final = (3, 2)
"""Words in a sequence, the best first (3 gave the paper its best results)."""
SPREAD: Final = 0.75
"""A node that holds less than this share of the sequences around it is one part of several: climb."""
WHOLE: Final = 0.9
"""And this share makes a node hold them all."""
MOST_ZONES: Final = 64
NEAR: Final = 12
"""Lines at the head of a node among which the beginning of the text is looked for."""
AHEAD: Final = 8
"""Words that a feed may put before a text (`In reply to …`)."""

LEAST_TEXT: Final = 25
"""Words beside the title, without which a node is a headline and no article."""
STEM: Final = 3
"""Letters that a word and its stem share; only words that begin so are stemmed."""

CONTAINERS: Final = frozenset("div article section main td th li dd aside details form body figure".split())  # noqa: SIM905 - a word list
SHAPES: Final = frozenset("div li dd center section blockquote figure".split())  # noqa: SIM905 - a word list
"""Elements that writers put into their texts, too; such a one without a name is not the template's."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where an item was found."""

    node: Any
    """The wrapper node."""
    first: int
    """The line where the description begins, or the first that matches."""
    last: int
    """The last line that matches within the node."""
    begins: bool
    """Whether the first line begins with the first words of the description."""
    size: int
    """Words in a sequence; 1 where concepts had to do."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A semantic node with what it shares with an item."""

    node: Any
    lines: tuple[int, ...]
    """Its conceptual nodes."""
    grams: frozenset[int]
    density: float


def find(lines: Lines, context: Context) -> Match | None:
    """Return the wrapper node of an item's object; None when nothing on the page is about it."""
    for size in SIZES:
        for grams in (context.grams(size), context.title_grams(size)):
            if (found := _find(lines, context, grams, size)) is not None:
                return found
    return _find(lines, context, tuple(_concepts_on(lines, context)), 1)


def _concepts_on(lines: Lines, context: Context) -> Iterator[str]:
    """Go through the words of a page that stand for a concept of an item."""
    wanted = set(context.concepts)
    begin = tuple({each[:STEM] for each in wanted})
    for word in dict.fromkeys(lines.flat.split()) if begin else ():
        if word.startswith(begin) and stem(word, context.language) in wanted:
            yield word


def _find(lines: Lines, context: Context, grams: Sequence[str], size: int) -> Match | None:
    conceptual = conceptual_nodes(lines, grams)
    if not conceptual:
        return None
    zones = list(semantic_nodes(lines, conceptual))
    zone = max(zones, key=lambda each: _fit(lines, context, each, grams))
    node = consistent(lines, context, _spread(lines, conceptual, zone))
    node = _beyond_title(lines, context, node)
    if node is None:
        return None
    first, end = lines.spans[node]
    inside = sorted(each for each in conceptual if first <= each < end)
    start = beginning(lines, node, context)
    return Match(node, inside[0] if start is None else start, inside[-1], start is not None, size)


def beginning(lines: Lines, node: Any, context: Context) -> int | None:
    """Return the line of a node at which the description begins; None when it does not."""
    first, end = lines.spans[node]
    near = range(first, min(end, first + NEAR))
    start = next((line for line in near if lines.begins(line, context.description)), None)
    return start if start is not None else _behind(lines, near, context.description)


def _behind(lines: Lines, near: range, words: Sequence[str]) -> int | None:
    """Return the line at which a text begins behind what its feed puts before it."""
    said = f" {' '.join(words)} "
    for line in near:
        if any(lines.begins(line, words[ahead:]) for ahead in range(1, min(AHEAD, len(words) - BEGINNING))):
            before = (lines.words(each, each + 1).strip() for each in range(near.start, line))
            return None if any(f" {each} " in said for each in before) else line
    return None


def conceptual_nodes(lines: Lines, grams: Iterable[str]) -> dict[int, set[int]]:
    """Return the lines that share something with an item: line → sequences."""
    found: dict[int, set[int]] = {}
    for number, gram in enumerate(grams):
        for line in lines.hits(gram):
            found.setdefault(line, set()).add(number)
    return found


def density(lines: Lines, line: int, shared: int) -> float:
    """Return the semantic density of a line: what it shares, by its length in words."""
    return shared / max(1, lines.words(line, line + 1).count(" ") - 1)


def semantic_nodes(lines: Lines, conceptual: dict[int, set[int]]) -> Iterator[Zone]:
    """Go through the closest blocks around the lines that share something."""
    ordered = sorted(conceptual, key=lambda line: -len(conceptual[line]))
    nodes = dict.fromkeys(container(lines.blocks[line]) for line in ordered[: MOST_ZONES * 4])
    for node in list(nodes)[:MOST_ZONES]:
        first, end = lines.spans[node]
        inside = tuple(sorted(line for line in conceptual if first <= line < end))
        grams = frozenset().union(*(conceptual[line] for line in inside))
        yield Zone(node, inside, grams, sum(density(lines, line, len(conceptual[line])) for line in inside))


def container(block: Any) -> Any:
    """Return the closest container around a line; writers' own shapes are passed up to one that has a name."""
    closest = block
    while closest.tag not in CONTAINERS and closest.getparent() is not None:
        closest = closest.getparent()
    named = closest
    while named is not None and not _is_template(named):
        named = named.getparent()
    return closest if named is None or named.tag in ("body", "html") else named


def _is_template(element: Any) -> bool:
    """Tell whether an element is a block of the template: a named inline element around blocks is none."""
    return element.tag in BLOCKS and (is_named(element) or element.tag in CONTAINERS - SHAPES)


def is_named(element: Any) -> bool:
    """Tell whether an element has a name by which a template knows it."""
    return bool((element.get("class") or element.get("id") or element.get("itemprop") or "").strip())


def _fit(lines: Lines, context: Context, zone: Zone, grams: Sequence[str]) -> tuple[float, bool, bool, float, int]:
    """Rank a zone: much of the item, all of it and nothing else, its beginning, density, the first."""
    first, end = lines.spans[zone.node]
    covered = round(len(zone.grams) / len(grams), 1)
    same = lines.words(first, end).replace("\n", "").split() == list(context.description) or (
        not context.description and any(lines.blocks[line].tag in ("h1", "h2") for line in zone.lines)
    )
    begins = any(lines.begins(line, context.description) for line in range(first, min(end, first + NEAR)))
    return covered, same, begins, zone.density if not begins else 0.0, -first


def _spread(lines: Lines, conceptual: dict[int, set[int]], zone: Zone) -> Any:
    """Climb from a part of the object to what holds the other parts, too."""
    everywhere = set().union(*conceptual.values())
    if len(zone.grams) >= SPREAD * len(everywhere):
        return zone.node
    for above in zone.node.iterancestors():
        if above.tag in ("body", "html") or above not in lines.spans:
            break
        first, end = lines.spans[above]
        held = set().union(*(grams for line, grams in conceptual.items() if first <= line < end))
        if len(held) >= WHOLE * len(everywhere):
            return above
    return zone.node


def consistent(lines: Lines, context: Context, node: Any) -> Any | None:
    """Return the node, or the closest one around it, that holds enough of the concepts; None at the root.

    Where there is a description its concepts count: the title of an answer is that of the question.
    """
    wanted = context.told or context.concepts
    while node is not None and node.tag not in ("body", "html"):
        if node in lines.spans and _share(lines, context, wanted, node) >= CONSISTENT:
            return node
        node = node.getparent()
    return None


def _beyond_title(lines: Lines, context: Context, node: Any | None) -> Any | None:
    """Climb from a node that holds hardly more than the title to one that holds a text."""
    least = len(context.title) + LEAST_TEXT
    while node is not None and not context.description:
        if node.tag in ("body", "html"):
            return None
        if node in lines.spans and lines.words(*lines.spans[node]).count(" ") > least:
            break
        node = node.getparent()
    return node


def _share(lines: Lines, context: Context, wanted: Sequence[str], node: Any) -> float:
    words = lines.words(*lines.spans[node])
    missing = [each for each in wanted if not any(f" {form} " in words for form in context.forms.get(each, ()))]
    if missing and len(wanted) - len(missing) < CONSISTENT * len(wanted):
        begin = tuple({each[:STEM] for each in missing})
        stems = {stem(word, context.language) for word in set(words.split()) if word.startswith(begin)}
        missing = [each for each in missing if each not in stems]
    return 1 - len(missing) / len(wanted) if wanted else 1.0
