"""What stands in blocks: places within them with their values, and which of them is the date, the author, the text.

A date parses, and every block has another one. An author is short and writes more than once, on several pages; his
name leads to one page of his. A text is the longest part that holds neither of both, and no two are the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from anansi.induce import names
from anansi.induce.blocks import Block
from anansi.induce.judges import DIFFER, ODD, Values, is_name, judge
from anansi.induce.outline import Places

ReadDate = Callable[[str], str]
"""Reads a date: a text → ISO 8601, or nothing."""

NAME: Final = 40
"""Characters of a name that nothing but its values tells; lines of code have more."""
LONG_NAME: Final = 150
"""The same where markup calls it the author."""
DATE: Final = 70
"""Characters of the longest text that is a date and little else."""
HAVE: Final = 0.6
"""Share of the blocks that must have a place for it to be a part of them."""
ASKED: Final = 80
"""Values of a place that are read as dates."""
DATED: Final = 0.8
"""Share of the values of a place that must be dates."""
INNER: Final = 0.85
"""Share of how good a name is from which on a shorter one within it is taken: without rank, title or full name."""
SIGNED: Final = 0.6
"""How sure an author is whom markup alone tells."""
APART: Final = 0.3
"""Share of all that blocks say that a text apart from author and date must have; else they are left out of it."""
BRIEF: Final = 15
"""Characters of a text, in the mean, below which it is none."""

_ATTRIBUTES: Final = ("datetime", "title", "content")
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A place within blocks; of several elements of a block the first counts."""

    place: int
    attribute: str
    """The attribute that holds the value; empty when it is what the element says."""
    nodes: dict[int, int]
    """Number of a block → element."""
    values: dict[int, str]

    def share(self, blocks: int) -> float:
        """Return the share of the blocks that have it."""
        return len(self.values) / max(1, blocks)


@dataclass(frozen=True, slots=True)
class Found:
    """A property: the slots that hold it, the best first, and how sure that is, from 0 to 1."""

    slots: tuple[Slot, ...]
    confidence: float

    @property
    def values(self) -> dict[int, str]:
        """The value of each block, that of the first slot that has one."""
        return {number: value for slot in reversed(self.slots) for number, value in slot.values.items()}


class Parts:
    """The places within some blocks. Mutable: `nodes`, from which whoever uses it may take places out."""

    def __init__(self, blocks: Sequence[Block], places: Places):
        self.blocks, self.places = blocks, places
        self.nodes: dict[int, dict[int, int]] = {}
        """Place → number of a block → the first element there."""
        self.many: Counter[int] = Counter()
        """Place → blocks that have several elements there."""
        inner = {(id(page), element) for page, element in blocks}
        for number, block in enumerate(blocks):
            seen: Counter[int] = Counter()
            for each in _alone(block, inner):
                place = block.page.places[each]
                seen[place] += 1
                self.nodes.setdefault(place, {}).setdefault(number, each)
            self.many.update(place for place, count in seen.items() if count > 1)

    def text(self, number: int, element: int) -> str:
        """Return what an element of a block says."""
        return self.blocks[number].page.text(element)

    def texts(self, nodes: dict[int, int]) -> dict[int, str]:
        """Return what elements of blocks say, those that say nothing left out."""
        found = {number: self.text(number, each) for number, each in nodes.items()}
        return {number: text for number, text in found.items() if text}

    def amount(self, number: int, element: int) -> float:
        """Return how much an element of a block says that no other block says; a signature says nothing."""
        page, block = self.blocks[number]
        start = page.spans[block][0]
        first, last = page.spans[element]
        sums = self._sums[number]
        return sums[last - start] - sums[first - start]

    @cached_property
    def _sums(self) -> list[list[float]]:
        """Block → how much its texts say up to each of them; what stands in links counts little: menus are links."""
        told: dict[str, set[int]] = defaultdict(set)
        for page, block in self.blocks:
            said = page.said[slice(*page.spans[block])]
            whole = hash(tuple(said))  # the same thread may have several addresses
            for each in set(said):
                told[each].add(whole)
        return [list(accumulate(_weights(block, told), initial=0.0)) for block in self.blocks]

    def element(self, number: int, element: int) -> Any:
        """Return the element itself."""
        return self.blocks[number].page.elements[element]

    def slots(self, longest: int, least: float = HAVE) -> Iterator[Slot]:
        """Go through the places that so many blocks have, with texts up to a length."""
        for place, nodes in self.nodes.items():
            if len(nodes) < max(1, least * len(self.blocks)):
                continue
            values = self.texts(nodes)
            short = {number: value for number, value in values.items() if len(value) <= longest}
            if short and len(short) >= (1 - ODD) * len(values):
                yield Slot(place, "", nodes, short)

    def attributes(self) -> Iterator[Slot]:
        """Go through the attributes that may hold dates."""
        for place, nodes in self.nodes.items():
            if len(nodes) < HAVE * len(self.blocks):
                continue
            for name in _ATTRIBUTES:
                got = {number: self.element(number, each).get(name) for number, each in nodes.items()}
                values = {number: value for number, value in got.items() if value and len(value) <= DATE}
                if len(values) >= 0.8 * len(nodes):
                    yield Slot(place, name, nodes, values)


def _alone(block: Block, inner: set[tuple[int, int]]) -> Iterator[int]:
    """Go through the elements of a block but those of blocks that stand in it, as answers do."""
    page, element = block
    each, end = element, page.ends[element]
    while each < end:
        if each != element and (id(page), each) in inner:
            each = page.ends[each]
        else:
            yield each
            each += 1


def _weights(block: Block, told: dict[str, set[int]]) -> Iterator[float]:
    page, element = block
    for number in range(*page.spans[element]):
        text = page.said[number]
        own = page.counts[number] if len(told[text]) == 1 else 0
        yield 0.3 * own if page.linked[number] else own


# ── dates ────────────────────────────────────────────────────────────────────────────────────────────────────────


def date_of(parts: Parts, read: ReadDate) -> Found | None:
    """Find the date of blocks: it parses, most blocks have it, and it differs most; a day of joining does not."""
    rated: list[tuple[float, tuple[bool, int, bool, int], Slot]] = []
    for slot in (*parts.attributes(), *parts.slots(DATE)):
        asked = {at: value for at, value in _spread(slot.values) if slot.attribute or _DIGIT.search(value)}
        if len(asked) < 0.7 * min(ASKED, len(slot.values)):
            continue
        days = {at: day for at, value in asked.items() if (day := read(value))}
        if len(days) < DATED * len(asked):
            continue
        score = (
            slot.share(len(parts.blocks))
            * judge("date", Values(_by_page(days, parts), [asked[at] for at in sorted(days)])).score
        )
        rated.append((score, _plainness(slot, parts), slot))
    if not rated:
        return None
    best = max(score for score, _, _ in rated)
    _, _, slot = max((each for each in rated if each[0] >= 0.97 * best), key=lambda each: each[1])
    return Found((slot,), best)


def _plainness(slot: Slot, parts: Parts) -> tuple[bool, int, bool, int]:
    """Say of slots with the same values which to take: for machines, says least besides, has a name, is inmost."""
    step = parts.places.step[slot.place]
    return (
        slot.attribute == "datetime",
        -sum(map(len, slot.values.values())),
        "@" in step,
        len(parts.places.steps(slot.place)),
    )


def _spread(values: dict[int, str]) -> list[tuple[int, str]]:
    """Take some of the values, from all over the pages."""
    every = list(values.items())
    return every[:: max(1, len(every) // ASKED)][:ASKED]


def _by_page(values: dict[int, str], parts: Parts) -> list[list[str]]:
    """Put the values of blocks together by their pages."""
    pages: dict[int, list[str]] = defaultdict(list)
    for number in sorted(values):
        pages[id(parts.blocks[number].page)].append(values[number])
    return list(pages.values())


# ── authors ──────────────────────────────────────────────────────────────────────────────────────────────────────


def author_of(parts: Parts, read: ReadDate, before: Iterable[Slot]) -> Found | None:
    """Find the author of blocks: a short text that differs within pages and comes again on others."""
    taken = {slot.place for slot in before}
    if parts.blocks and parts.blocks[0].element == 0:
        return _signed(parts, taken)  # of one text a page, its section looks the same as its author
    rated = [
        (score, slot)
        for slot in (*parts.slots(NAME, 0.3), *parts.slots(LONG_NAME))
        if slot.place not in taken and (score := _authorly(slot, parts, read)) > 0
    ]
    whole = [each for each in rated if each[1].share(len(parts.blocks)) >= HAVE]
    if not whole:
        return _signed(parts, taken)
    most = max(len(set(slot.values.values())) for _, slot in whole)
    scored = [(score * (0.4 + 0.6 * len(set(slot.values.values())) / most), slot) for score, slot in whole]
    best = max(score for score, _ in scored)
    if best < 0.3:
        return _signed(parts, taken)
    alike = [slot for score, slot in scored if score >= 0.97 * best]
    around = max(alike, key=lambda slot: _plainness(slot, parts))
    inner = [
        slot
        for score, slot in scored
        if score >= INNER * best
        and parts.places.below(slot.place, around.place)
        and slot.share(len(parts.blocks)) >= INNER * around.share(len(parts.blocks))
    ]
    first = max(inner, key=lambda slot: _plainness(slot, parts))
    others = [slot for score, slot in rated if score > 0.35 and slot.values.keys().isdisjoint(around.values)]
    more = max(others, key=lambda slot: len(slot.values), default=None)
    wider = max((slot for _, slot in rated if _widens(slot, first, parts)), key=lambda slot: slot.place, default=None)
    found = Found(tuple(dict.fromkeys(filter(None, (first, around, wider, more)))), 0.0)
    return Found(
        found.slots, best * len(found.values) / len(parts.blocks) / max(0.01, first.share(len(parts.blocks)))
    )


def _widens(slot: Slot, name: Slot, parts: Parts) -> bool:
    """Tell whether a slot around names has the same ones and more: those of guests, who have no page to link to."""
    if slot.place == name.place or not parts.places.below(name.place, slot.place):
        return False
    same = sum(slot.values.get(number) == value for number, value in name.values.items())
    return same >= (1 - ODD) * len(name.values) and len(slot.values) > len(name.values)


def _signed(parts: Parts, taken: set[int]) -> Found | None:
    """Find what markup calls the author, where one person may write all: no value tells that it is a name."""
    named = [
        slot
        for slot in parts.slots(NAME, 0.8)
        if slot.place not in taken
        and names.SIGNED.search(_told(slot, parts, 1))
        and all(map(is_name, slot.values.values()))
    ]
    best = max(named, key=lambda slot: _plainness(slot, parts), default=None)
    return Found((best,), SIGNED * best.share(len(parts.blocks))) if best is not None else None


def _authorly(slot: Slot, parts: Parts, read: ReadDate) -> float:
    """Say from 0 to 1 how much values look like names of people."""
    sample = [value for _, value in _spread(slot.values)[:20]]
    if sum(bool(_DIGIT.search(each) and read(each)) for each in sample) > 0.2 * len(sample):
        return 0.0
    signed = names.SIGNED.search(_told(slot, parts, 2)) is not None
    called = float(names.PEOPLE.search(_told(slot, parts, 3)) is not None)
    values = Values(_by_page(slot.values, parts), (), signed, called, _leads(slot, parts))
    return slot.share(len(parts.blocks)) * judge("author", values).score


def _leads(slot: Slot, parts: Parts) -> float:
    """Return the share of values that stand in or hold a link which all values of that name have."""
    targets: dict[str, set[str]] = defaultdict(set)
    for number, value in slot.values.items():
        if href := _href(parts.element(number, slot.nodes[number])):
            targets[value].add(href)
    return sum(len(each) == 1 for each in targets.values()) / len(set(slot.values.values()))


def _href(element: Any) -> str:
    for each in (element, element.getparent(), next(element.iter("a"), None)):
        if each is not None and each.tag == "a" and each.get("href"):
            return str(each.get("href"))
    return ""


def _told(slot: Slot, parts: Parts, steps: int) -> str:
    """Return what markup says of a slot: in the steps next to it, and in the address that it leads to."""
    near = " ".join(parts.places.steps(slot.place)[-steps:])
    number = next(iter(slot.values))
    element = parts.element(number, slot.nodes[number])
    return " ".join((near, _href(element), element.get("itemprop", ""), element.get("rel", "")))


# ── texts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def text_of(parts: Parts, others: Sequence[Slot]) -> Found | None:
    """Find the text of blocks: the place that holds most, and none of what else was found if it can."""
    apart = [place for place, nodes in parts.nodes.items() if not _holds(nodes, others, parts)]
    found, most = _longest(parts, apart)
    mixed, all_that = _longest(parts, parts.nodes)
    if all_that * APART > most and parts.blocks[0].element > 0:
        found = mixed  # paragraphs beside the author, in one element
    if found is None:
        return None
    nodes = parts.nodes[found]
    held = parts.texts(nodes)
    distinct = len(set(held.values())) / max(1, len(held))
    return Found((Slot(found, "", nodes, held),), len(held) / len(parts.blocks) * distinct)


def _longest(parts: Parts, places: Iterable[int]) -> tuple[int | None, float]:
    """Return the inmost place that holds most of the text of blocks, and how much that is a block."""
    lengths: list[tuple[float, int]] = []
    for place in places:
        nodes = parts.nodes[place]
        pieces = parts.many[place] > 0.3 * len(nodes) and not parts.places.step[place].startswith("p")
        if len(nodes) < HAVE * len(parts.blocks) or pieces:
            continue
        length = sum(parts.amount(number, each) for number, each in nodes.items()) / len(parts.blocks)
        if length >= BRIEF and _differ(nodes, parts):
            lengths.append((length, place))
    most = max((length for length, _ in lengths), default=0.0)
    inner = (place for length, place in lengths if length >= 0.98 * most)
    return max(inner, key=lambda place: len(parts.places.steps(place)), default=None), most


def _holds(nodes: dict[int, int], others: Sequence[Slot], parts: Parts) -> bool:
    """Tell whether elements hold, in many blocks, the elements of other slots, or are held by them."""
    for slot in others:
        both = nodes.keys() & slot.values.keys()
        mixed = sum(_overlap(parts.blocks[each], nodes[each], slot.nodes[each]) for each in both)
        if mixed > 0.2 * len(nodes):
            return True
    return False


def _overlap(block: Block, one: int, other: int) -> bool:
    return block.page.inside(one, other) or block.page.inside(other, one)


def _differ(nodes: dict[int, int], parts: Parts) -> bool:
    said = [parts.text(number, each)[:300] for number, each in nodes.items()]
    long = [each for each in said if len(each) > BRIEF]
    return len(set(long)) >= DIFFER * len(long)
