"""What speaks for values to be a property of the objects of several pages, from 0 to about 1.5.

Each judge takes what rules find on all pages and returns how sure it is; 0 means that it cannot be the property.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from statistics import fmean
from typing import Any, Final

from anansi.induce.judges import DAY, NAME, TITLE, Page, Values, is_name, judge
from anansi.induce.names import PERSON, QUOTING
from anansi.induce.numbered import Piece, Region
from anansi.induce.page_text import squeezed
from anansi.induce.study import Study, Vector
from anansi.model import Value
from anansi.url import resolve

TEMPLATE: Final = 0.6
"""Share of the objects in which a text stands that a template writes."""

VARIED: Final = 0.8
"""Share of different values that dates have at least; those of accounts are the same again and again."""

SURE: Final = {
    "id": 1.0,
    "author": 0.6,
    "date": 0.5,
    "text": 0.8,
    "title": 0.9,
    "section": 1.0,
    "number": 1.0,
    "link": 0.6,
    "author-link": 1.0,
}
"""How sure one must be of a property."""

SHORTEST_DATE: Final = 8
"""Characters of a date that does not stand in a text by chance."""

MISTAKEN: Final = -2.0
"""What it counts that someone else is linked to."""

Found = Sequence[Page]

_STAMP: Final = re.compile(r"\b(?:19|20)\d\d\b.*\b\d{1,2}[:.h]\d\d|\d{1,2}[:.h]\d\d.*\b(?:19|20)\d\d\b")
_RULED: Final = re.compile(r"[_—–=*-]{5,}")
STAMP: Final = 100
"""Characters of a line that says when something was said, or edited."""


class ValueEvidence:
    """Judges what rules find in one study. Mutable: memos."""

    def __init__(self, study: Study):
        self.study = study
        self.authors: tuple[tuple[str, ...], ...] = ()
        """Who wrote the objects, when that is known."""
        self.dates: list[list[Value]] = []
        """When, when that is known."""
        self.texts: Found = ()
        """What, when that is known."""
        self._judges: dict[str, Callable[[Found], float]] = {
            "id": self._id,
            "author": self._author,
            "date": self._date,
            "text": self._text,
            "title": self._title,
            "section": self._section,
            "number": self._number,
            "link": self._link,
            "author-link": self._author_link,
        }
        self._people: list[list[list[str]]] | None = None
        self._own: dict[Region, list[Piece]] | None = None

    @property
    def names(self) -> frozenset[str]:
        """All who wrote something."""
        return frozenset(name for page in self.authors for name in page)

    def judge(self, name: str, found: Found) -> float:
        """Say how sure it is that values are those of a property."""
        asked = self._judges.get(name)
        return asked(found) if asked is not None else 0.0

    # ── who and when ─────────────────────────────────────────────────────────────────────────────────────────────

    def _author(self, found: Found) -> float:
        if not self.study.full(found):
            return 0.0
        vector = self.study.firsts(found)
        every = [each for page in vector for each in page]
        if self._said_by_container(vector):
            return 1.0
        titled = sum(
            squeezed(page[0]) in studied.title for page, studied in zip(vector, self.study.studied_pages, strict=True)
        )
        if 2 * titled > len(vector):
            return 0.0
        if len(every) > 3 and len(set(every)) == 1:
            return 0.0
        if not all(judge("author", Values.of([page])).score > 0.1 for page in found):
            return 0.0
        told = [
            self._told(author, linked)
            for page, people in zip(vector, self.people, strict=True)
            for author, linked in zip(page, people, strict=True)
        ]
        alone = [len(set(page)) == 1 for page in vector if len(page) > 1]
        return sum(told) / len(told) - 0.3 * (bool(alone) and all(alone))

    def _said_by_container(self, vector: Vector) -> bool:
        """Tell whether the containers themselves name who wrote what, in an attribute that old rules know."""
        rules = [prop for prop in self.study.action.properties if prop.name == "author"]
        own = [prop for prop in rules if len(prop.expression.steps) == 1 and prop.expression.steps[0].test[:1] == "@"]
        return any(self.study.firsts(self.study.values(prop)) == vector for prop in own)

    @staticmethod
    def _told(author: str, linked: Sequence[str]) -> float:
        if not linked:
            return 0.3
        return 1.0 if author == linked[0] else 0.5 if author in linked else MISTAKEN

    @property
    def people(self) -> list[list[list[str]]]:
        """The names that link to people in each region, without what is a button's."""
        if self._people is None:
            linked = [[_linked(one) for one in page] for page in self.study.pages]
            counted = Counter(name for page in linked for one in page for name in set(one))
            most = TEMPLATE * len(self.study.regions)
            labels = {name for name, count in counted.items() if count > max(2, most)} if len(counted) > 1 else set()
            self._people = [[[name for name in one if name not in labels] for one in page] for page in linked]
        return self._people

    def _date(self, found: Found) -> float:
        if not self.study.full(found):
            return 0.0
        values = Values.of(found)
        apart = fmean(len(set(page)) / len(page) for page in values.pages)
        alone = len(values.every) == len(values.pages)
        if any(len(each) < DAY for each in values.every) or min(apart, values.distinct if alone else 1.0) < VARIED:
            return 0.0
        if any(len(each) > TITLE / 2 for each in values.written) or not self._as_machines_read(values.pages):
            return 0.0
        return judge("date", values).score

    def _as_machines_read(self, vector: Sequence[Sequence[str]]) -> bool:
        """Tell whether dates are those that pages write for machines, where they do."""
        for page, mine in zip(vector, self.study.pages, strict=True):
            for said, one in zip(page, mine, strict=True):
                machine = [each.get("datetime") for each in one.elements if each.get("datetime")]
                if machine and said not in map(one.studied.place.dates.read, machine):
                    return False
        return True

    # ── texts ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _text(self, found: Found) -> float:
        """Say how much of what is the pages' own stands in texts, and nothing that is another property's."""
        own = total = 0
        for page, mine in zip(found, self.study.pages, strict=True):
            told = self.study.aligned(page, mine)
            if told is None:
                return 0.0
            for values, one in zip(told, mine, strict=True):
                said = squeezed(" ".join(value.text for value in values))
                if self._mixed(one, values) or not (said or self._silent(one)):
                    return 0.0
                for piece in self.own[one]:
                    there = squeezed(piece.text) in said
                    if not there and _is_paragraph(piece.element):
                        return 0.0  # the text is a part of a longer one
                    total += len(piece.text)
                    own += len(piece.text) * there
        return own / total if total else 0.0

    def _silent(self, one: Region) -> bool:
        """Tell whether an object may have no text: nothing in it is its own."""
        return not any(len(piece.text) > NAME for piece in self.own[one])

    def _mixed(self, one: Region, values: Sequence[Value]) -> bool:
        if any(_RULED.match(line) for value in values for line in value.text.split("\n")):
            return True  # a signature begins below it
        if any(_STAMP.search(line) for value in values for line in value.text.split("\n") if len(line) <= STAMP):
            return True
        lines = {squeezed(line) for value in values for line in value.text.split("\n")}
        if any(squeezed(each) in lines for each in self._template):
            return True
        if self.study.each is not None and lines & self.study.repeated:
            return True  # a button, or a heading that says the same everywhere
        title = one.studied.title
        if self.study.action.object != "document" and any(len(line) > 3 and line in title for line in lines):
            return True
        at = self._index[one]
        if self.authors and squeezed(self.authors[at[0]][at[1]]) in lines:
            return True
        wording = squeezed(self.dates[at[0]][at[1]].original) if self.dates else ""
        return len(wording) >= SHORTEST_DATE and any(wording in line for line in lines)

    @property
    def _index(self) -> dict[Region, tuple[int, int]]:
        return {one: (number, at) for number, page in enumerate(self.study.pages) for at, one in enumerate(page)}

    @property
    def _template(self) -> set[str]:
        """What stands in most objects."""
        counted = Counter(text for one in self.study.regions for text in {each.text for each in one.pieces})
        most = max(2.0, TEMPLATE * len(self.study.regions))
        alone = self.study.each is not None and len(self.study.regions) == len(self.study.pages)
        return {text for text, count in counted.items() if count > most and len(text) > 3} if not alone else set()

    @property
    def own(self) -> dict[Region, list[Piece]]:
        """The pieces of text that stand on one page alone, and are no other property's."""
        if self._own is None:
            taken = {name for page in self.authors for name in page}
            taken |= {value.original for page in self.dates for value in page}
            titles = [studied.title for studied in self.study.studied_pages]
            self._own = {
                one: [
                    piece
                    for piece in one.pieces
                    if len(piece.text) > 3
                    and piece.text not in self.study.shared
                    and not any(each and each in piece.text for each in taken)
                    and not (title and (title in squeezed(piece.text) or squeezed(piece.text) in title))
                    and not _is_label(piece)
                ]
                for page, title in zip(self.study.pages, titles, strict=True)
                for one in page
            }
        return self._own

    # ── others ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _id(self, found: Found) -> float:
        """Say whether numbers are those by which objects are told apart."""
        if self.study.each is None:
            return 0.0
        wanted = tuple(tuple(one.id for one in page) for page in self.study.pages)
        return float(self.study.firsts(found) == wanted)

    def _title(self, found: Found) -> float:
        """Say whether titles are what the heads say of pages, without what they say of all."""
        if not self.study.full(found) or self.study.each is not None:
            return 0.0
        heads = [studied.title for studied in self.study.studied_pages]
        front, tail = len(_shared(heads)), len(_shared([head[::-1] for head in heads]))
        if len(set(heads)) < len(heads):
            return 0.0
        vector = [squeezed(page[0]) for page in self.study.firsts(found)]
        cores = [head[front : len(head) - tail] for head in heads]
        if not all(core in said and said in head for core, said, head in zip(cores, vector, heads, strict=True)):
            return 0.0
        whole = sum(said == head for said, head in zip(vector, heads, strict=True)) / len(heads)
        return 1.0 - 0.5 * whole * (tail > 3 or front > 3)

    def _section(self, found: Found) -> float:
        """Say whether sections are the last links before titles that lead to lists, as the type's addresses say."""
        if not self.study.full(found) or self.study.each is not None:
            return 0.0
        wanted = [_listed(page[0], self.study.lists) for page in self.study.pages]
        return float(all(said == page[0] for said, page in zip(wanted, self.study.firsts(found), strict=True)))

    def _number(self, found: Found) -> float:
        """Say whether numbers count the objects of each page."""
        if not self.study.full(found):
            return 0.0
        runs = [[int(re.sub(r"\D", "", each) or 0) for each in page] for page in self.study.firsts(found)]
        return float(any(len(run) > 1 for run in runs) and all(b - a == 1 for run in runs for a, b in pairwise(run)))

    def _author_link(self, found: Found) -> float:
        """Say whether links are those of who wrote something."""
        vector = self.study.firsts(found)
        if not self.authors or not any(vector) or self.study.each is None:
            return 0.0
        for mine, links, authors in zip(self.study.pages, vector, self.authors, strict=True):
            wanted = [url for one, author in zip(mine, authors, strict=True) for url in _links_of(one, author)[:1]]
            if list(links) != wanted:
                return 0.0
        return 1.0

    def _link(self, found: Found) -> float:
        """Say whether links have the numbers of their objects."""
        vector = self.study.firsts(found)
        if self.study.each is None or not self.study.full(found):
            return 0.0
        for mine, links in zip(self.study.pages, vector, strict=True):
            for one, link in zip(mine, links, strict=True):
                number = re.search(r"\d+(?!.*\d)", one.id)
                if number is None or not re.search(rf"(?<!\d){number[0]}(?!\d)", link):
                    return 0.0
        return 0.6


def _linked(one: Region) -> list[str]:
    """Return the names of people that are linked in a region, outside of quotes."""
    found = []
    for link in one.links:
        if PERSON.search(link.get("href")) and not any(up.tag in QUOTING for up in link.iterancestors()):
            said = " ".join("".join(link.itertext()).split())
            if said and not any(map(str.isdigit, said[:1])) and len(said) <= NAME and is_name(said):
                found.append(said)
    return found


def _is_paragraph(element: Any) -> bool:
    """Tell whether an element is a paragraph that nobody quotes."""
    line = list(takewhile(lambda up: up.tag not in ("body", "html"), (element, *element.iterancestors())))
    return any(up.tag == "p" for up in line[:3]) and not any(up.tag in QUOTING for up in line)


def _is_label(piece: Piece) -> bool:
    digits = sum(map(str.isdigit, piece.text))
    return digits > len(piece.text) / 3 or _in_link(piece.element)


def _in_link(element: Any) -> bool:
    return element.tag == "a" or (element.getparent() is not None and element.getparent().tag == "a")


def _shared(texts: Sequence[str]) -> str:
    """Return how all texts begin."""
    count = 0
    for letters in zip(*texts, strict=False):
        if len(set(letters)) > 1:
            break
        count += 1
    return texts[0][:count] if texts else ""


def _listed(one: Region, lists: Callable[[str], bool]) -> str:
    """Return the text of the last link before a page's title that leads to a list."""
    studied = one.studied
    last = ""
    for element in one.elements:
        if last and element.tag in ("h1", "h2", "h3") and studied.spans.of(element) in studied.title:
            break
        url = resolve(element.get("href"), studied.place.base) if element.tag == "a" and element.get("href") else None
        if url and lists(url) and (said := " ".join("".join(element.itertext()).split())):
            last = said
    return last


def _links_of(one: Region, author: str) -> list[str]:
    found = []
    for link in one.links:
        url = resolve(link.get("href"), one.studied.place.base)
        if url and PERSON.search(link.get("href")) and " ".join("".join(link.itertext()).split()) == author:
            found.append(url)
    return found
