"""Names of entities, events, places and actors in a text: all of them in one pass, whatever their number.

Text and names are brought into one spelling: folded, one word after the other with a space on either side, so that a
name begins and ends where words do; scripts without spaces have none, and names in them may stand anywhere. Of names
that overlap the longest counts: who speaks of the New York Times does not speak of New York.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from anansi.focus.settings import SETTINGS
from anansi.focus.verdict import Evidence, Judgement, judged
from anansi.text.folding import fold
from anansi.text.scripts import INTRICATE, RUNS, SPELLED, TYPOGRAPHIC
from anansi.text.stopwords import STOP_WORDS, TELLING

_PLAIN: Final = re.compile(r"[^\W_]+")
_NO_WORD: Final = {code: " " for code in range(128) if not chr(code).isalnum()}
_STOP: Final = frozenset().union(*(STOP_WORDS[code] for code in TELLING))


@dataclass(frozen=True, slots=True)
class Names:
    """What is looked for: numbers stand for whom the names are of."""

    folded: AhoCorasick | None
    exact: AhoCorasick | None
    """Names that only count as they are written: `WHO` is a word in small letters."""
    owners: tuple[tuple[int, ...], ...]
    """Of each pattern, whose name it is; those of `exact` follow those of `folded`."""
    exact_from: int = 0
    """Number of the first pattern of `exact`."""


@dataclass(slots=True)
class Mention:
    """How often somebody is named, and where first. Mutable while a text is looked through."""

    count: int
    found: str
    around: str


def spelled(text: str) -> str:
    """Bring a text into the spelling in which names are looked for."""
    return _joined(fold(_plain(text[: SETTINGS.longest_named])))


def _plain(text: str) -> str:
    """Leave out signs, so that most English is ASCII, which is folded and cut in a fraction of the time."""
    if not text.isascii():
        for sign in TYPOGRAPHIC:
            text = text.replace(sign, " ")
    return text


def _joined(text: str) -> str:
    if text.isascii() or not INTRICATE.search(text):
        found = text.translate(_NO_WORD).split() if text.isascii() else _PLAIN.findall(text)
        return f" {'  '.join(found)} " if found else ""
    return "".join([piece if RUNS.match(piece) else f" {piece} " for piece in SPELLED.findall(text)])


def names_of(spellings: Sequence[Iterable[str]]) -> Names:
    """Compile names: each entry has all spellings of one name, whose number is its place."""
    owners: dict[bool, dict[str, list[int]]] = {False: {}, True: {}}
    for number, each in enumerate(spellings):
        for name in dict.fromkeys(each):
            as_written = name.isupper() and len(name) <= SETTINGS.longest_acronym and name.lower() in _STOP
            pattern = _joined(name) if as_written else spelled(name)
            if pattern:
                owners[as_written].setdefault(pattern, []).append(number)
    folded, exact = owners[False], owners[True]
    whose = tuple(tuple(dict.fromkeys(numbers)) for table in (folded, exact) for numbers in table.values())
    return Names(_matcher(folded), _matcher(exact), whose, len(folded))


def _matcher(patterns: Iterable[str]) -> AhoCorasick | None:
    every = list(patterns)
    if not every:
        return None
    return AhoCorasick(every, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.ContiguousNFA)


def mentions(names: Names, text: str) -> dict[int, Mention]:
    """Find who is named in a text: number → how often and where first; the time grows with the text alone."""
    found: dict[int, Mention] = {}
    if names.folded is not None:
        _find(names, names.folded, 0, spelled(text), found)
    if names.exact is not None:
        _find(names, names.exact, names.exact_from, _joined(_plain(text[: SETTINGS.longest_named])), found)
    return found


def _find(names: Names, matcher: Any, first: int, text: str, found: dict[int, Mention]) -> None:
    for pattern, start, end in matcher.find_matches_as_indexes(text):
        for number in names.owners[first + pattern]:
            if number in found:
                found[number].count += 1
            else:
                found[number] = Mention(
                    1,
                    _shown(text[start:end]),
                    _shown(text[max(0, start - SETTINGS.shown_around) : end + SETTINGS.shown_around]),
                )


def _shown(piece: str) -> str:
    return " ".join(piece.split())


def judge(found: Mapping[int, Mention], known: Mapping[int, tuple[str, float]]) -> Judgement:
    """Score a text by the entities it names: `known` has the name and the weight, from 0 to 1, of each number.

    A first mention is worth half of the weight, each further one half of what is left.
    """
    return judged(
        Evidence(known[number][0], each.found, each.around, each.count, known[number][1] * (1 - 0.5**each.count))
        for number, each in found.items()
        if number in known
    )
