"""What a crawl sees of itself that speaks against how it reads pages.

Of each level of a type at a site it is noted how many pages gave what such pages give, and which values came again.
What then is odd is said once, in a sentence for people, and the pages that show it are handed to adaptation:

    nothing      pages of content that give no object of a kind that they must have
    lacking      objects without what every such object has: author, date, text
    repeated     one title, text or date on pages that differ
    fewer        one object or none where the page numbers several, or where sites of the same type give several
    early        dates before those of what they are part of, or before the first of its thread
    template     one line in the texts of many pages
    unread       many pages of a site that no entry describes, and no object
    unplaced     most pages of a known type, lists aside, of no level that it has, and no object

All counts are of the crawl at hand, and bounded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from anansi.knowledge.entry import Extraction
from anansi.model import WebObject

ENOUGH: Final = 5
"""Pages that show the same before it is said: as many as adaptation compares."""
SHARE: Final = 0.5
"""Share of a level's pages that lack something, or have it in common, for its rules to be in doubt."""
LINED: Final = 10
"""Pages whose texts have a line or all in common before it is said: people greet in the same words."""
UNREAD: Final = 41
"""Pages of an unknown site without an object before that is said: learning compares forty, and one is read by it."""
YIELDS: Final = 20
"""Pages of a level after which its yield is held against that of other sites."""
SEVERAL: Final = 4
"""Times as many objects, to be more than chance."""
LEVELS: Final = 2000
"""Levels of sites that are remembered, a few KB each."""
VALUES: Final = 200
"""Values and lines of a level that are remembered; those that came again outlive the others."""
LINES: Final = 10
"""Objects of a page whose texts are looked at."""
BEGINNING: Final = 6
"""Lines of a post in which those of the template are looked for: they head and end a quote that was left in."""
SHORTEST: Final = 2
"""Words of a line that may be the template's; single words come again in any language."""
LONGEST: Final = 80
"""Characters of such a line."""
LOOKED_INTO: Final = 400_000
"""Characters of a page in which numbers of objects are counted."""
EVERY: Final = 16
"""Of the pages after the first of a level, one of so many is looked into."""

DESCRIBE: Final = (
    "describe it (docs/knowledge/describe-a-cms.md), then `anansi objects DIR --again` reads them from the archive"
)
NOTHING_THERE: Final = "nothing is where its rules look, and the pages are archived as they are"

_OWN: Final = ("title", "text", "date")
"""What no two pages have in common."""
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Read:
    """A page as it was read."""

    site: str
    type: str
    level: str
    url: str
    source: str
    actions: Sequence[Extraction]
    """Of its level."""
    objects: Sequence[WebObject]
    missing: dict[str, set[str]]
    """Kind → what its objects should have and have not; of a kind that is missing altogether, too."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against how a page was read."""

    said: tuple[str, ...] = ()
    """In sentences, each told once."""
    failed: bool = False
    """Whether the page shows it: its rules may be mended by it."""


NONE: Final = Doubt()


@dataclass(slots=True)
class _Level:
    """What was seen of a level. Mutable: all of it."""

    pages: int = 0
    short: int = 0
    early: int = 0
    objects: int = 0
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    nothing: Counter[str] = field(default_factory=Counter)
    values: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    """Property and value → pages that differ, the object of the last one, its length."""
    lines: dict[int, list[int]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)


class Doubts:
    """Notes pages.

    Mutable state: `_levels`, by site, type and level; `_unread`, site → pages without objects (of known types, those
    of no level); `_numbers`, what finds the numbers of an action's objects, by its identity.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, tuple[Extraction, re.Pattern[str] | None]] = {}
        self._levels: dict[tuple[str, str, str], _Level] = {}
        self._unread: dict[str, int] = {}

    def note(self, page: Read) -> Doubt:
        """Note a page of content; say what speaks against how it was read."""
        known = self._level(page)
        known.pages += 1
        found = [
            *self._missing(known, page),
            *_repeated(known, page),
            *_template(known, page),
            *_early(known, page),
            *self._short(known, page),
            *self._less_than_others(known, page),
        ]
        if not found:
            return NONE
        said = tuple(_in_words(page, words) for name, words in found if name not in known.told)
        known.told.update(name for name, _ in found)
        return Doubt(said, failed=True)

    def unread(self, site: str, url: str, *, objects: bool) -> Doubt:
        """Note a page of a site that no entry describes."""
        count = self._unread.get(site, 0)
        if count < 0 or objects:
            self._remember(site, -1)
            return NONE
        self._remember(site, -1 if count + 1 >= UNREAD else count + 1)
        if count + 1 < UNREAD:
            return NONE
        return Doubt(
            (
                f"{site}: no objects were taken from {UNREAD} pages, for no entry describes this site and nothing "
                f"was learned of it so far (for example {url}); its pages are archived; {DESCRIBE}",
            )
        )

    def unplaced(self, site: str, name: str, url: str) -> Doubt:
        """Note a page of a site of a known type that is of none of its levels and gave no object."""
        count = self._unread.get(site, 0) + 1
        if not count:  # it was said
            return NONE
        self._remember(site, count)
        if count < LINED:
            return NONE
        every = count + sum(level.pages for (where, _, _), level in self._levels.items() if where == site)
        if count < SHARE * every:
            return NONE
        self._remember(site, -1)
        return Doubt(
            (
                f"{site}: {count} of {every} pages that are no lists are of no level that {name} is known to have, "
                f"and no objects were taken from them (for example {url}); they are archived; {DESCRIBE}",
            )
        )

    def _remember(self, site: str, count: int) -> None:
        if len(self._unread) >= LEVELS and site not in self._unread:
            del self._unread[next(iter(self._unread))]
        self._unread[site] = count

    def _level(self, page: Read) -> _Level:
        key = page.site, page.type, page.level
        known = self._levels.get(key)
        if known is None:
            if len(self._levels) >= LEVELS:
                del self._levels[next(iter(self._levels))]
            known = self._levels[key] = _Level()
        return known

    def _missing(self, known: _Level, page: Read) -> Iterator[tuple[str, str]]:
        there = {each.kind for each in page.objects if not each.incomplete}
        for kind, names in page.missing.items():
            if kind not in there:
                known.nothing[kind] += 1
                if _many(known.nothing[kind], known.pages, SHARE):
                    counted = f"{known.nothing[kind]} of {known.pages}"
                    kept = any(each.kind == kind for each in page.objects)
                    then = "what they hold is kept as incomplete" if kept else NOTHING_THERE
                    yield f"nothing {kind}", f"give no complete {kind}: {counted}; {then}"
            for name in sorted(names):
                known.missing[kind, name] += 1
                if kind in there and _many(known.missing[kind, name], known.pages, SHARE):
                    counted = f"{known.missing[kind, name]} of {known.pages}"
                    yield f"lacking {kind} {name}", f"give {kind}s without {name}: {counted}"

    def _short(self, known: _Level, page: Read) -> Iterator[tuple[str, str]]:
        """See whether a page numbers several objects of a kind of which one or none was read."""
        if known.pages > EVERY and known.pages % EVERY:
            return
        for action in page.actions:
            if not action.each:
                continue
            read = sum(each.kind == action.object for each in page.objects)
            form = self._numbering(action) if read <= 1 else None
            there = len(set(form.findall(page.source, 0, LOOKED_INTO))) if form is not None else 0
            if there >= SEVERAL * max(1, read):
                known.short += 1
                if _many(known.short, min(known.pages, EVERY), SHARE):
                    what = f"number {there} {action.object}s where {read} were read"
                    yield "fewer than numbered", what

    def _numbering(self, action: Extraction) -> re.Pattern[str] | None:
        known = self._numbers.get(id(action))
        if known is None or known[0] is not action:
            if len(self._numbers) >= LEVELS:
                self._numbers.clear()
            known = self._numbers[id(action)] = (action, _numbers(action))
        return known[1]

    def _less_than_others(self, known: _Level, page: Read) -> Iterator[tuple[str, str]]:
        """Hold the yield of a level against that of the same level at other sites."""
        known.objects += len(page.objects)
        if known.pages != YIELDS or not any(each.each for each in page.actions):
            return
        others = [
            level.objects / level.pages
            for (site, name, level_name), level in self._levels.items()
            if site != page.site and _same(name, page.type) and level_name == page.level and level.pages >= YIELDS
        ]
        least = min(others, default=0.0)
        if least >= SEVERAL * known.objects / known.pages:
            mine = f"{known.objects / known.pages:.1f}"
            yield (
                "fewer than elsewhere",
                f"give {mine} objects each; at other sites of this type {least:.1f} and more",
            )


def _in_words(page: Read, words: str) -> str:
    return f"{page.site}: {page.level} pages of {page.type} {words} (for example {page.url})"


def _same(name: str, other: str) -> bool:
    """Tell whether two types are of one software, one of them mended for a site perhaps."""
    return name.split("/")[:2] == other.split("/")[:2]


def _many(count: int, pages: int, share: float) -> bool:
    return count >= ENOUGH and count >= share * pages


def _seen_again(known: dict[_Key, list[int]], key: _Key, uri: int, length: int) -> int:
    """Count a value or a line of another page; return on how many pages that differ it was seen."""
    entry = known.get(key)
    if entry is None:
        if len(known) >= VALUES:
            _forget(known)
        known[key] = [1, uri, length]
        return 1
    if entry[1] != uri and entry[2] != length:
        entry[0] += 1
        entry[1], entry[2] = uri, length
    return entry[0]


def _forget(known: dict[_Key, list[int]]) -> None:
    """Let go of what came no more often than most did, the oldest first where all came as often."""
    usual = sorted(entry[0] for entry in known.values())[len(known) // 2]
    rare = [key for key, entry in known.items() if entry[0] <= usual]
    for key in rare[: max(1, len(known) // 2)]:
        del known[key]


def _repeated(known: _Level, page: Read) -> Iterator[tuple[str, str]]:
    firsts: dict[str, WebObject] = {}
    for each in page.objects:
        firsts.setdefault(each.kind, each)
    for kind, first in firsts.items():
        for name in _OWN:
            value = first.get(name)
            if not value or (name == "date" and "T" not in value):
                continue
            count = _seen_again(known.values, (f"{kind} {name}", hash(value)), hash(first.uri), len(page.source))
            if _many(count, known.pages, SHARE) and (name != "text" or count >= LINED):
                shown = value.partition("\n")[0][:60]
                yield f"repeated {kind} {name}", f"have the same {kind} {name} on {count} that differ: “{shown}”"


def _template(known: _Level, page: Read) -> Iterator[tuple[str, str]]:
    if not page.objects:
        return
    uri, length = hash(page.objects[0].uri), len(page.source)
    for line in _lines(page):
        count = _seen_again(known.lines, hash(line), uri, length)
        if count >= LINED and _many(count, known.pages, SHARE):
            yield "template", f"have one line in the texts of {count} that differ: “{line}”"
            return


def _lines(page: Read) -> set[str]:
    """Return lines of texts that may be the template's: the first and last of each; of what many write, more."""
    found: set[str] = set()
    for each in page.objects[:LINES]:
        *lines, rest = each.get("text").split("\n", BEGINNING if each.part_of else 1)
        for line in (*lines, rest.rpartition("\n")[2]):
            if len(line) <= LONGEST and line.count(" ") >= SHORTEST - 1:
                found.add(line)
    return found


def _early(known: _Level, page: Read) -> Iterator[tuple[str, str]]:
    """See whether dates lie before that of the whole, or before the first though others lie behind it."""
    wholes = {each.uri: each.get("date")[:10] for each in page.objects if not each.part_of}
    parts = [each for each in page.objects if each.part_of]
    dates = [day for each in parts if len(day := each.get("date")[:10]) == len("2009-01-05")]
    if not dates:
        return
    begun = wholes.get(parts[0].part_of, "")
    before = sum(day < begun for day in dates) if begun else 0
    mixed = not begun and min(dates) < dates[0] < max(dates) and dates != sorted(dates, reverse=True)
    if before or mixed:
        known.early += 1
        if _many(known.early, known.pages, SHARE):
            kind = parts[0].kind
            yield "early", f"give {kind}s with dates before what they are part of: {known.early} of {known.pages}"


def _numbers(action: Extraction) -> re.Pattern[str] | None:
    """Return what finds the numbers of objects in a page's source, by the rules of their ids."""
    forms = []
    for prop in action.properties:
        last = prop.expression.steps[-1].test
        words = re.sub(r"\\.|[^a-z]", "", prop.match or "")
        if prop.name == "id" and last in ("@id", "@name") and words:
            forms.append((prop.match or "").strip("^$"))
    either = "|".join(dict.fromkeys(forms))
    try:
        return re.compile(rf"""\s(?:id|name)\s*=\s*["']?({either})["'\s>]""") if forms else None
    except re.error:  # what stands alone may not stand in a group
        return None
