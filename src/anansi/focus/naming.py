"""Names that recur in a reference crawl: sequences of words in capitals, in any script that has them.

A capital at the beginning of a sentence says nothing, nor do those of a title in capitals; in German, where nouns
have them, a name is several words or an abbreviation. A surname alone and an abbreviation in brackets are other names
of the same. Where the model for names is installed, it reads English texts, too, and says what kind they are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from anansi.config import Entity
from anansi.focus.corpus import Corpus, Support, Text
from anansi.focus.names import LANGUAGE, Name
from anansi.focus.page import text_of
from anansi.focus.settings import SETTINGS
from anansi.text.folding import fold
from anansi.text.months import MONTHS, WEEKDAYS
from anansi.text.stopwords import STOP_WORDS, TELLING

NOUNS: Final = frozenset(("de", "lb"))
"""Languages that write nouns with capitals."""

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ELISION: Final = re.compile("['’]")
_BRACKETS: Final = re.compile(r"\s?\(([^\W\d_a-z][^\W\d_]{1,7})\)")
_INSIDE: Final = frozenset(
    "of de du des di da do dos das del della van von zu zum för for af &".split()  # noqa: SIM905 - a word list
)
_BEHIND: Final = frozenset("the la las los le les der den".split())  # noqa: SIM905 - a word list
"""Articles, which belong to a name only behind another small word: `Bank of the West`, `Ursula von der Leyen`."""
_SILENT: Final = frozenset().union(*(STOP_WORDS[code] for code in TELLING))

Recognise = Callable[[str], tuple[Name, ...]]
"""A model that finds names in an English text."""


@dataclass(slots=True)
class Tally:
    """What was counted of a name. Mutable while pages are read."""

    forms: Counter[str] = field(default_factory=Counter)
    urls: dict[str, float] = field(default_factory=dict)
    """Pages that have it, with their weights."""
    count: int = 0
    inside: int = 0
    short: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    sentence: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """A sequence of words in capitals."""

    words: tuple[str, ...]
    short: str = ""
    """What stands in brackets behind it."""
    inside: bool = False
    """Whether it stands inside of a sentence, where a capital says something."""


def entities(corpus: Corpus, recognise: Recognise | None = None) -> list[tuple[Entity, Support]]:
    """Propose entities, those on most pages first."""
    small = _small(corpus.texts)
    tallies: dict[tuple[str, ...], Tally] = {}
    for text, weight in corpus.pairs():
        for sentence in text.sentences(titles=False):
            for found in _sequences(sentence, text.language, small):
                _count(tallies, found, text, weight, sentence)
    if recognise is not None:
        _recognised(corpus, recognise, tallies)
    least = min(2, len(corpus.texts))
    kept = {key: each for key, each in tallies.items() if len(each.urls) >= least and (each.inside or each.kinds)}
    return [
        _entity(key, kept[key], aliases, corpus) for key, aliases in _joined(kept, tallies)[: SETTINGS.most_names]
    ]


def capitals(texts: Iterable[Text]) -> set[str]:
    """Return words, folded, that nearly always have a capital, and are parts of names where nouns have none."""
    counts = _small(each for each in texts if each.language not in NOUNS)
    return {fold(word) for word, (small, every) in counts.items() if small <= SETTINGS.name_small * every}


def _small(texts: Iterable[Text]) -> dict[str, tuple[int, int]]:
    """Count how often each word stands in small letters, and how often at all, inside of sentences."""
    small: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        for region in text.regions:
            for word in _TOKEN.findall(region.text):
                lower = word.lower()
                every[lower] += 1
                small[lower] += word[0].islower()
    return {word: (small[word], count) for word, count in every.items()}


def _sequences(sentence: str, language: str, small: dict[str, tuple[int, int]]) -> Iterator[_Found]:
    """Go through the names of a sentence, each as long as it is."""
    tokens = list(_TOKEN.finditer(sentence))
    if language not in NOUNS and _is_headline(tokens):
        return
    run: list[re.Match[str]] = []
    for place, token in enumerate(tokens):
        if run and sentence[run[-1].end() : token.start()] not in (" ", " & ", "\u00a0"):
            yield from _named(run, sentence, language, small)
            run = []
        capital = _is_capital(token[0]) and not (place == 0 and _is_usual(token[0], small))
        inside = bool(run) and len(run) < SETTINGS.name_longest and _is_inside(token[0], run[-1][0])
        if capital or inside:
            run.append(token)
        elif run:
            yield from _named(run, sentence, language, small)
            run = []
    yield from _named(run, sentence, language, small)


def _named(
    run: Sequence[re.Match[str]], sentence: str, language: str, small: dict[str, tuple[int, int]]
) -> Iterator[_Found]:
    """Make a name of a run, its small words at the end left out."""
    last = len(run)
    while last and not _is_capital(run[last - 1][0]):
        last -= 1
    said = tuple(_bare(each[0]) for each in run[:last])
    while said and fold(said[0]) in _SILENT and not said[0].isupper():  # `The`, `Die`, `In`
        said = said[1:]
    if (
        not said
        or len(said) > SETTINGS.name_longest
        or any(fold(each) in MONTHS or fold(each) in WEEKDAYS for each in said)
    ):
        return
    if len(said) == 1 and not _is_name_alone(said[0], language, small):
        return
    bracket = _BRACKETS.match(sentence, run[last - 1].end())
    short = bracket[1] if bracket and _abbreviates(bracket[1], said) else ""
    begins = not sentence[: run[0].start()].strip() and len(said) == last
    whole = begins and run[last - 1].end() >= len(sentence.rstrip(" .!?…"))
    yield _Found(said, short, not whole and (len(said) > 1 or not begins))


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def _is_capital(word: str) -> bool:
    """Tell whether a word begins with a capital, and is no contraction (`I’ve`, `J’aurais`)."""
    parts = _ELISION.split(word)
    return word[0].isupper() and all(each[:1].isupper() or each == "s" for each in parts[1:])


def _is_inside(word: str, before: str) -> bool:
    """Tell whether a small word may stand inside of a name."""
    return word in _INSIDE or (word in _BEHIND and before in _INSIDE)


def _is_usual(word: str, small: dict[str, tuple[int, int]]) -> bool:
    """Tell whether a word is one that also stands in small letters."""
    times, every = small.get(word.lower(), (0, 0))
    return times > SETTINGS.name_small * every


def _is_name_alone(word: str, language: str, small: dict[str, tuple[int, int]]) -> bool:
    if word.isupper():
        return len(word) > 1 and not _is_usual(word, small) and word.isalpha()
    return len(word) > 2 and language not in NOUNS and not _is_usual(word, small) and fold(word) not in _SILENT


def _is_headline(tokens: Sequence[re.Match[str]]) -> bool:
    long = [each[0] for each in tokens if len(each[0]) > 3]
    return len(long) >= 4 and sum(map(_is_capital, long)) > SETTINGS.name_headline * len(long)


def _abbreviates(short: str, said: Sequence[str]) -> bool:
    """Tell whether the letters of an abbreviation are first letters of a name, in their order."""
    initials = iter(fold("".join(part[:1] for each in said for part in each.split("-"))))
    return len(said) > 1 and all(letter in initials for letter in fold("".join(filter(str.isupper, short))))


def _count(tallies: dict[tuple[str, ...], Tally], found: _Found, text: Text, weight: float, sentence: str) -> None:
    tally = tallies.setdefault(tuple(map(fold, found.words)), Tally())
    tally.forms[" ".join(found.words)] += 1
    tally.count += 1
    tally.inside += found.inside
    tally.urls[text.url] = weight
    if found.short:
        tally.short[found.short] += 1
    if found.inside and not tally.sentence:
        tally.sentence, tally.url = sentence, text.url


def _recognised(corpus: Corpus, recognise: Recognise, tallies: dict[tuple[str, ...], Tally]) -> None:
    """Let a model add names, and say what kind those are that were found."""
    for text, weight in corpus.pairs():
        if text.language != LANGUAGE:
            continue
        for name in recognise(text_of(text.regions)):
            key = tuple(map(fold, name.text.split()))
            tally = tallies.get(key)
            if tally is None:
                tally = tallies[key] = Tally(url=text.url)
                tally.count = name.count
            tally.forms[name.text] += 1
            tally.urls[text.url] = weight
            tally.kinds[name.kind] += name.count


def _joined(
    kept: dict[tuple[str, ...], Tally], tallies: Mapping[tuple[str, ...], Tally]
) -> list[tuple[tuple[str, ...], list[str]]]:
    """Order names, and give them their other names: the surname alone, the abbreviation, with a title before them."""
    part_of = _parts(kept, tallies)
    names: dict[tuple[str, ...], list[str]] = {key: [] for key in kept if key not in part_of}
    for key, owner in part_of.items():
        whole = part_of.get(owner, owner)
        if whole in names:
            names[whole].append(_form(tallies[key]))
            kept[whole].urls.update(tallies[key].urls)
            kept[whole].count += tallies[key].count
    short = {fold(each) for key in names for each in kept[key].short}
    ordered = sorted(
        (key for key in names if not (len(key) == 1 and key[0] in short)), key=lambda key: (-_worth(kept[key]), key)
    )
    return [(key, [*kept[key].short, *sorted(names[key])]) for key in ordered]


def _parts(
    kept: Mapping[tuple[str, ...], Tally], tallies: Mapping[tuple[str, ...], Tally]
) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Find names that stand for others: `Merkel` where `Angela Merkel` is named, too, and `Chancellor Merkel`."""
    owners: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for key in kept:
        for start in range(1, len(key)):
            if key[start:] in tallies:
                owners.setdefault(key[start:], []).append(key)
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for short, longer in owners.items():
        best = max(longer, key=lambda each: (kept[each].count, each))
        pages = tallies[short].urls.keys()
        if len(short) > 1 and short in kept and kept[short].count >= kept[best].count:
            found.update(dict.fromkeys(longer, short))
        elif len(pages & kept[best].urls.keys()) >= SETTINGS.name_beside * len(pages):
            found[short] = best
    return found


def _worth(tally: Tally) -> float:
    """Weigh a name by the pages that have it, those that count most, and by how often it stands on each."""
    weights = tally.urls.values()
    return math.fsum(weights) * math.fsum(weights) / len(weights) * math.log1p(tally.count / len(weights))


def _form(tally: Tally) -> str:
    return tally.forms.most_common(1)[0][0]


def _entity(key: tuple[str, ...], tally: Tally, aliases: list[str], corpus: Corpus) -> tuple[Entity, Support]:
    others = [each for each in dict.fromkeys(aliases) if fold(each) != " ".join(key)]
    kind = tally.kinds.most_common(1)[0][0] if tally.kinds else "other"
    entity = Entity(name=_form(tally)[:200], aliases=[each[:200] for each in others], kind=kind)  # type: ignore[arg-type]  # the kinds of `names`
    return entity, Support(len(tally.urls), len(corpus.texts), tally.count, tally.sentence, tally.url)
